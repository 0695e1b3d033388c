//===- CsvCells.c - Lines, cells and the header of a CSV ----------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "IO/CsvCells.h"

#include <string.h>

static void dropFront(TextSpan *text, size_t count) {
  text->data += count;
  text->length -= count;
}

bool berthCsvNextLine(TextSpan *rest, TextSpan *line) {
  while (rest->length > 0) {
    const char *end = memchr(rest->data, '\n', rest->length);
    size_t length = end ? (size_t)(end - rest->data) : rest->length;
    *line = (TextSpan){rest->data, length};
    dropFront(rest, end ? length + 1 : length);
    if (line->length > 0 && line->data[line->length - 1] == '\r')
      --line->length;
    if (berthTextTrim(*line).length > 0)
      return true;
  }
  return false;
}

/// The length of the quoted string that `text` starts with, or 0 if it is not
/// closed.
static size_t quotedLength(TextSpan text) {
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

bool berthCsvNextCell(TextSpan *line, TextSpan *cell, bool *more) {
  size_t start = 0;
  while (start < line->length &&
         (line->data[start] == ' ' || line->data[start] == '\t'))
    ++start;
  size_t end = start;
  if (start < line->length && line->data[start] == '"') {
    TextSpan quoted = {line->data + start, line->length - start};
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
  *cell = (TextSpan){line->data + end, length - end};
  if (end > start && berthTextTrim(*cell).length > 0)
    return false;
  *cell = (TextSpan){line->data, length};
  dropFront(line, *more ? length + 1 : length);
  return true;
}

TextSpan berthCsvUnquote(TextSpan cell) {
  cell = berthTextTrim(cell);
  if (cell.length >= 2 && cell.data[0] == '"')
    cell = (TextSpan){cell.data + 1, cell.length - 2};
  return cell;
}

//===---------------------------------------------------------------------===//
// Header
//===---------------------------------------------------------------------===//

static const struct {
  const char *name;
  CsvMeaning meaning;
} columnNames[] = {
    {"id", CSV_ID},         {"buffer_id", CSV_ID},        {"lower", CSV_LOWER},
    {"start", CSV_LOWER},   {"begin", CSV_LOWER},         {"upper", CSV_UPPER},
    {"end", CSV_UPPER},     {"size", CSV_SIZE},           {"gaps", CSV_GAPS},
    {"offset", CSV_OFFSET}, {"alignment", CSV_ALIGNMENT}, {"hint", CSV_HINT},
};

static bool findMeaning(TextSpan name, CsvMeaning *meaning) {
  for (size_t i = 0; i < sizeof columnNames / sizeof columnNames[0]; ++i) {
    if (berthTextEquals(name, columnNames[i].name)) {
      *meaning = columnNames[i].meaning;
      return true;
    }
  }
  return false;
}

static BerthStatus addColumn(TextSpan text, TextSpan cell, CsvHeader *header,
                             BerthError *error) {
  TextSpan name = berthTextTrim(berthCsvUnquote(cell));
  CsvMeaning meaning;
  if (!findMeaning(name, &meaning)) {
    return berthTextFail(
        text, name.data, error,
        "unknown column '%.*s'; the columns are id (or buffer_id), lower (or "
        "start, begin), upper (or end, inclusive), size, alignment, gaps, "
        "offset and hint",
        TEXT_ARGS(name));
  }
  if (header->has[meaning])
    return berthTextFail(text, name.data, error,
                         "duplicate column '%.*s': an earlier column means "
                         "the same",
                         TEXT_ARGS(name));
  header->has[meaning] = true;
  header->meanings[header->numColumns++] = meaning;
  if (meaning == CSV_UPPER)
    header->inclusiveEnd = berthTextEquals(name, "end");
  return BERTH_SUCCESS;
}

static BerthStatus requireColumns(TextSpan text, TextSpan line,
                                  const CsvHeader *header, BerthError *error) {
  static const struct {
    CsvMeaning meaning;
    const char *name;
  } required[] = {{CSV_ID, "id"},
                  {CSV_LOWER, "lower"},
                  {CSV_UPPER, "upper"},
                  {CSV_SIZE, "size"}};
  for (size_t i = 0; i < sizeof required / sizeof required[0]; ++i) {
    if (!header->has[required[i].meaning])
      return berthTextFail(text, line.data, error,
                           "the header '%.*s' has no column '%s'",
                           TEXT_ARGS(line), required[i].name);
  }
  return BERTH_SUCCESS;
}

/// A first line with a number for a cell is data, not names.
static bool looksLikeData(TextSpan line) {
  bool more = true;
  TextSpan cell;
  while (more && berthCsvNextCell(&line, &cell, &more)) {
    TextSpan value = berthTextTrim(berthCsvUnquote(cell));
    int64_t number;
    if (berthTextTakeNumber(&value, &number) != NUMBER_MALFORMED &&
        value.length == 0)
      return true;
  }
  return false;
}

BerthStatus berthCsvReadHeader(TextSpan text, TextSpan line, CsvHeader *header,
                               BerthError *error) {
  *header = (CsvHeader){0};
  if (looksLikeData(line))
    return berthTextFail(text, line.data, error,
                         "no header: the first line '%.*s' holds numbers "
                         "instead of column names such as "
                         "id,lower,upper,size",
                         TEXT_ARGS(line));
  bool more = true;
  TextSpan names = line;
  while (more) {
    TextSpan cell;
    if (!berthCsvNextCell(&names, &cell, &more))
      return berthTextFail(text, cell.data, error,
                           "malformed quotes in column name '%.*s'",
                           TEXT_ARGS(cell));
    BerthStatus status = addColumn(text, cell, header, error);
    if (status != BERTH_SUCCESS)
      return status;
  }
  return requireColumns(text, line, header, error);
}
