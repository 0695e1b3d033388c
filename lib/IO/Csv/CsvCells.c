//===- CsvCells.c - Lines, cells and the header of a CSV ----------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "IO/Csv/CsvCells.h"
#include "Support/Nearest.h"

#include <string.h>

static void dropFront(BerthSpan *text, size_t count) {
  text->data += count;
  text->length -= count;
}

bool berthCsvNextLine(BerthSpan *rest, BerthSpan *line) {
  while (rest->length > 0) {
    const char *end = memchr(rest->data, '\n', rest->length);
    size_t length = end ? (size_t)(end - rest->data) : rest->length;
    *line = (BerthSpan){rest->data, length};
    dropFront(rest, end ? length + 1 : length);
    if (line->length > 0 && line->data[line->length - 1] == '\r')
      --line->length;
    if (berthSpanTrim(*line).length > 0)
      return true;
  }
  return false;
}

/// The length of the quoted string that `text` starts with, or 0 if it is not
/// closed.
static size_t quotedLength(BerthSpan text) {
  for (size_t i = 1; i < text.length; ++i) {
    if (text.data[i] != '"')
      continue;
    bool doubled = i + 1 < text.length && text.data[i + 1] == '"';
    if (!doubled)
      return i + 1;
    ++i;
  }
  return 0;
}

bool berthCsvNextCell(BerthSpan *line, BerthSpan *cell, bool *more) {
  size_t start = 0;
  while (start < line->length &&
         (line->data[start] == ' ' || line->data[start] == '\t'))
    ++start;
  size_t end = start;
  if (start < line->length && line->data[start] == '"') {
    BerthSpan quoted = {line->data + start, line->length - start};
    size_t length = quotedLength(quoted);
    *cell = quoted;
    if (length == 0)
      return false;
    end = start + length;
  }
  size_t length = end; // of the cell; too short for memchr to pay
  while (length < line->length && line->data[length] != ',')
    ++length;
  *more = length < line->length;
  *cell = (BerthSpan){line->data + end, length - end};
  if (end > start && berthSpanTrim(*cell).length > 0)
    return false;
  *cell = (BerthSpan){line->data, length};
  dropFront(line, *more ? length + 1 : length);
  return true;
}

BerthSpan berthCsvUnquote(BerthSpan cell) {
  cell = berthSpanTrim(cell);
  if (cell.length >= 2 && cell.data[0] == '"')
    cell = (BerthSpan){cell.data + 1, cell.length - 2};
  return cell;
}

//===---------------------------------------------------------------------===//
// Header
//===---------------------------------------------------------------------===//

static const struct {
  const char *name;
  BerthCsvMeaning meaning;
} columnNames[] = {
    {"id", BERTH_CSV_ID},
    {"buffer_id", BERTH_CSV_ID},
    {"lower", BERTH_CSV_LOWER},
    {"start", BERTH_CSV_LOWER},
    {"begin", BERTH_CSV_LOWER},
    {"upper", BERTH_CSV_UPPER},
    {"end", BERTH_CSV_UPPER},
    {"size", BERTH_CSV_SIZE},
    {"gaps", BERTH_CSV_GAPS},
    {"offset", BERTH_CSV_OFFSET},
    {"alignment", BERTH_CSV_ALIGNMENT},
    {"hint", BERTH_CSV_HINT},
    {"uses", BERTH_CSV_USES},
    {"backed", BERTH_CSV_BACKED},
};

static bool findMeaning(BerthSpan name, BerthCsvMeaning *meaning) {
  for (size_t i = 0; i < sizeof columnNames / sizeof columnNames[0]; ++i) {
    if (berthSpanEquals(name, columnNames[i].name)) {
      *meaning = columnNames[i].meaning;
      return true;
    }
  }
  return false;
}

/// What the JSON of docs/json.md can say of a buffer, and a CSV cannot.
static bool isOfJson(BerthSpan name) {
  static const char *const names[] = {"group", "groups", "pool",   "pools",
                                      "bank",  "weight", "weights"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
    if (berthSpanEquals(name, names[i]))
      return true;
  return false;
}

/// What a column that a CSV has is called elsewhere, or NULL.
static const char *ownName(BerthSpan name) {
  static const char *const names[][2] = {
      {"fixed", "offset"},    {"pin", "offset"},
      {"pinned", "offset"},   {"fixed_offset", "offset"},
      {"address", "offset"},  {"name", "id"},
      {"buffer", "id"},       {"bytes", "size"},
      {"align", "alignment"}, {"first", "lower"},
      {"from", "lower"},      {"start_time", "lower"},
      {"last", "end"},        {"to", "upper"},
      {"stop", "upper"},      {"end_time", "upper"}};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
    if (berthSpanEquals(name, names[i][0]))
      return names[i][1];
  char text[32];
  const char *words[sizeof columnNames / sizeof columnNames[0]];
  for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i)
    words[i] = columnNames[i].name;
  if (name.length >= sizeof text)
    return NULL;
  memcpy(text, name.data, name.length);
  text[name.length] = 0;
  return berthNearestWord(text, words, sizeof words / sizeof words[0]);
}

/// What else the first line may be than a header with a misspelt column.
static const char *guessWhy(BerthSpan name) {
  if (isOfJson(name))
    return " (the JSON of docs/json.md has it)";
  if (name.length && *name.data == '{')
    return " (is it JSON? Give the file a name that ends in .json)";
  return memchr(name.data, ';', name.length) ||
                 memchr(name.data, '\t', name.length)
             ? " (commas stand between columns)"
             : "";
}

static BerthStatus addColumn(BerthSpan text, BerthSpan cell,
                             BerthCsvHeader *header, BerthError *error) {
  BerthSpan name = berthSpanTrim(berthCsvUnquote(cell));
  BerthCsvMeaning meaning;
  if (!findMeaning(name, &meaning)) {
    const char *own = ownName(name);
    return berthSpanFail(
        text, name.data, error,
        "unknown column '%.*s'%s%s%s%s; the columns are id (or buffer_id), "
        "lower (or start, begin), upper (or end, inclusive), size, alignment, "
        "gaps, offset, hint, uses and backed",
        BERTH_SPAN_ARGS(name), guessWhy(name), own ? " (did you mean '" : "",
        own ? own : "", own ? "'?)" : "");
  }
  if (header->has[meaning])
    return berthSpanFail(text, name.data, error,
                         "duplicate column '%.*s': an earlier column means "
                         "the same",
                         BERTH_SPAN_ARGS(name));
  header->has[meaning] = true;
  header->meanings[header->numColumns++] = meaning;
  if (meaning == BERTH_CSV_UPPER)
    header->inclusiveEnd = berthSpanEquals(name, "end");
  return BERTH_SUCCESS;
}

static BerthStatus requireColumns(BerthSpan text, BerthSpan line,
                                  const BerthCsvHeader *header,
                                  BerthError *error) {
  static const struct {
    BerthCsvMeaning meaning;
    const char *name;
  } required[] = {{BERTH_CSV_ID, "id"},
                  {BERTH_CSV_LOWER, "lower"},
                  {BERTH_CSV_UPPER, "upper"},
                  {BERTH_CSV_SIZE, "size"}};
  for (size_t i = 0; i < sizeof required / sizeof required[0]; ++i) {
    if (!header->has[required[i].meaning])
      return berthSpanFail(text, line.data, error,
                           "the header '%.*s' has no column '%s'",
                           BERTH_SPAN_ARGS(line), required[i].name);
  }
  return BERTH_SUCCESS;
}

/// A first line with a number for a cell is data, not names.
static bool looksLikeData(BerthSpan line) {
  bool more = true;
  BerthSpan cell;
  while (more && berthCsvNextCell(&line, &cell, &more)) {
    BerthSpan value = berthSpanTrim(berthCsvUnquote(cell));
    int64_t number;
    if (berthSpanTakeNumber(&value, &number) != BERTH_NUMBER_MALFORMED &&
        value.length == 0)
      return true;
  }
  return false;
}

BerthStatus berthCsvReadHeader(BerthSpan text, BerthSpan line,
                               BerthCsvHeader *header, BerthError *error) {
  *header = (BerthCsvHeader){0};
  if (looksLikeData(line))
    return berthSpanFail(text, line.data, error,
                         "no header: the first line '%.*s' holds numbers "
                         "instead of column names such as "
                         "id,lower,upper,size",
                         BERTH_SPAN_ARGS(line));
  bool more = true;
  BerthSpan names = line;
  while (more) {
    BerthSpan cell;
    if (!berthCsvNextCell(&names, &cell, &more))
      return berthSpanFail(text, cell.data, error,
                           "malformed quotes in column name '%.*s'",
                           BERTH_SPAN_ARGS(cell));
    BerthStatus status = addColumn(text, cell, header, error);
    if (status != BERTH_SUCCESS)
      return status;
  }
  return requireColumns(text, line, header, error);
}
