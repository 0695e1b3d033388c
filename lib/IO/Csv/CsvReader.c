//===- CsvReader.c - CSV to problem -------------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// One row, one buffer. What a single row can tell is checked here, where the
// cell to blame is known; what needs all rows (ids, sums) is left to
// berthProblemCheck.
//
//===---------------------------------------------------------------------===//

#include "IO/Csv/CsvReader.h"
#include "IO/Csv/CsvCells.h"
#include "IO/Csv/CsvLifetime.h"
#include "Support/Allocate.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct CsvReader {
  BerthDocument *document;
  BerthSpan text;
  BerthCsvHeader header;
  bool offsetsArePlan;
  BerthError *error;
  BerthLifetime lifetime;
  char *id; ///< of the current row, unescaped
  size_t capId;
  int64_t *planned; ///< offsets that are a plan, one per row
  size_t numPlanned;
  size_t capPlanned;
} CsvReader;

/// The cells of one row by meaning; `data` is NULL for columns not there.
typedef struct CsvRow {
  BerthSpan cells[BERTH_CSV_NUM_MEANINGS];
} CsvRow;

static BerthStatus splitRow(CsvReader *reader, BerthSpan line, CsvRow *row) {
  *row = (CsvRow){0};
  BerthSpan rest = line;
  size_t count = 0;
  for (bool more = true; more; ++count) {
    BerthSpan cell;
    if (!berthCsvNextCell(&rest, &cell, &more))
      return berthSpanFail(
          reader->text, cell.data, reader->error,
          "malformed quotes in '%.*s'%s", BERTH_SPAN_ARGS(cell),
          cell.data[0] == '"' ? ": they are not closed on this line, and a "
                                "cell holds no line break"
                              : "");
    if (count < reader->header.numColumns)
      row->cells[reader->header.meanings[count]] = berthCsvUnquote(cell);
  }
  if (count != reader->header.numColumns)
    return berthSpanFail(reader->text, line.data, reader->error,
                         "this row has %zu cells, the header %zu columns: "
                         "'%.*s'",
                         count, reader->header.numColumns,
                         BERTH_SPAN_ARGS(line));
  return BERTH_SUCCESS;
}

/// Reads a whole cell as a number of at least `least`. `what` names it.
static BerthStatus readNumber(const CsvReader *reader, BerthSpan cell,
                              const char *what, int64_t least, int64_t *value) {
  cell = berthSpanTrim(cell);
  BerthSpan rest = cell;
  BerthNumberResult result = berthSpanTakeNumber(&rest, value);
  const char *at = cell.data;
  if (cell.length == 0)
    return berthSpanFail(reader->text, at, reader->error, "%s is empty", what);
  if (result == BERTH_NUMBER_MALFORMED || rest.length > 0)
    return berthSpanFail(reader->text, at, reader->error,
                         "%s '%.*s' is not a whole number", what,
                         BERTH_SPAN_ARGS(cell));
  if (result == BERTH_NUMBER_RANGE)
    return berthSpanFail(reader->text, at, reader->error,
                         "%s %.*s does not fit 63 bits and a sign", what,
                         BERTH_SPAN_ARGS(cell));
  if (*value < least)
    return berthSpanFail(reader->text, at, reader->error,
                         "%s %" PRId64 " is below %" PRId64, what, *value,
                         least);
  return BERTH_SUCCESS;
}

/// The same for a column that may be missing or empty.
static BerthStatus readOptional(const CsvReader *reader, BerthSpan cell,
                                const char *what, int64_t least,
                                int64_t *value) {
  if (berthSpanTrim(cell).length == 0)
    return BERTH_SUCCESS;
  return readNumber(reader, cell, what, least, value);
}

static BerthStatus readId(CsvReader *reader, BerthSpan cell) {
  if (cell.length == 0)
    return berthSpanFail(reader->text, cell.data, reader->error, "id is empty");
  if (!berthReserve(&reader->id, &reader->capId, cell.length + 1))
    return berthOutOfMemory(reader->error);
  size_t length = 0;
  for (size_t i = 0; i < cell.length; ++i) {
    reader->id[length++] = cell.data[i];
    bool doubled =
        cell.data[i] == '"' && i + 1 < cell.length && cell.data[i + 1] == '"';
    i += doubled;
  }
  reader->id[length] = '\0';
  return BERTH_SUCCESS;
}

static BerthStatus readHull(const CsvReader *reader, const CsvRow *row,
                            BerthSegment *hull) {
  BerthSpan end = row->cells[BERTH_CSV_UPPER];
  BerthStatus status = readNumber(reader, row->cells[BERTH_CSV_LOWER], "lower",
                                  INT64_MIN, &hull->lower);
  if (status != BERTH_SUCCESS)
    return status;
  const char *name = reader->header.inclusiveEnd ? "end" : "upper";
  status = readNumber(reader, end, name, INT64_MIN, &hull->upper);
  if (status != BERTH_SUCCESS)
    return status;
  if (reader->header.inclusiveEnd) {
    if (hull->upper == INT64_MAX)
      return berthSpanFail(reader->text, end.data, reader->error,
                           "end %.*s is too large", BERTH_SPAN_ARGS(end));
    if (hull->lower > hull->upper)
      return berthSpanFail(reader->text, end.data, reader->error,
                           "lower %" PRId64 " is above end %" PRId64,
                           hull->lower, hull->upper);
    ++hull->upper;
    return BERTH_SUCCESS;
  }
  if (hull->lower >= hull->upper)
    return berthSpanFail(reader->text, end.data, reader->error,
                         "lower %" PRId64 " is not below upper %" PRId64,
                         hull->lower, hull->upper);
  return BERTH_SUCCESS;
}

/// The numbers of a row other than its life.
static BerthStatus readNumbers(const CsvReader *reader, const CsvRow *row,
                               BerthBuffer *buffer) {
  BerthStatus status =
      readNumber(reader, row->cells[BERTH_CSV_SIZE], "size", 1, &buffer->size);
  if (status == BERTH_SUCCESS)
    status = readOptional(reader, row->cells[BERTH_CSV_ALIGNMENT], "alignment",
                          1, &buffer->alignment);
  if (status == BERTH_SUCCESS)
    status = readOptional(reader, row->cells[BERTH_CSV_HINT], "hint", 0,
                          &buffer->hint);
  if (status == BERTH_SUCCESS && !reader->offsetsArePlan)
    status = readOptional(reader, row->cells[BERTH_CSV_OFFSET], "offset", 0,
                          &buffer->fixedOffset);
  return status;
}

static BerthStatus readBacked(const CsvReader *reader, BerthSpan cell,
                              BerthBuffer *buffer) {
  int64_t value = 0;
  BerthStatus status = readOptional(reader, cell, "backed", 0, &value);
  if (status == BERTH_SUCCESS && value > 1)
    return berthSpanFail(reader->text, cell.data, reader->error,
                         "backed is 0 or 1, not %" PRId64, value);
  buffer->backed = value == 1;
  return status;
}

static BerthStatus readPlannedOffset(CsvReader *reader, const CsvRow *row) {
  int64_t offset = 0;
  BerthStatus status =
      readNumber(reader, row->cells[BERTH_CSV_OFFSET], "offset", 0, &offset);
  if (!berthReserve(&reader->planned, &reader->capPlanned,
                    reader->numPlanned + 1))
    return berthOutOfMemory(reader->error);
  reader->planned[reader->numPlanned++] = offset;
  return status;
}

static BerthStatus readRow(CsvReader *reader, BerthSpan line) {
  CsvRow row;
  BerthSegment hull;
  BerthBuffer buffer = berthBufferDefault();
  BerthStatus status = splitRow(reader, line, &row);
  if (status == BERTH_SUCCESS)
    status = readId(reader, row.cells[BERTH_CSV_ID]);
  if (status == BERTH_SUCCESS)
    status = readHull(reader, &row, &hull);
  if (status == BERTH_SUCCESS)
    status = readNumbers(reader, &row, &buffer);
  if (status == BERTH_SUCCESS && reader->offsetsArePlan)
    status = readPlannedOffset(reader, &row);
  if (status == BERTH_SUCCESS)
    status =
        berthCsvReadLifetime(reader->text, row.cells[BERTH_CSV_GAPS], hull,
                             buffer.size, &reader->lifetime, reader->error);
  if (status == BERTH_SUCCESS)
    status = berthCsvReadUses(reader->text, row.cells[BERTH_CSV_USES],
                              &reader->lifetime, reader->error);
  if (status == BERTH_SUCCESS)
    status = readBacked(reader, row.cells[BERTH_CSV_BACKED], &buffer);
  if (status != BERTH_SUCCESS)
    return status;
  buffer.id = reader->id;
  berthLifetimeLend(&reader->lifetime, &buffer);
  size_t position = (size_t)(row.cells[BERTH_CSV_ID].data - reader->text.data);
  return berthDocumentAddBuffer(reader->document, &buffer, position)
             ? BERTH_SUCCESS
             : berthOutOfMemory(reader->error);
}

static BerthStatus readAll(CsvReader *reader) {
  BerthSpan rest = reader->text;
  BerthSpan line;
  if (!berthCsvNextLine(&rest, &line))
    return berthErrorSet(reader->error, BERTH_INVALID,
                         "the file is empty; a CSV starts with a header such "
                         "as id,lower,upper,size");
  BerthStatus status =
      berthCsvReadHeader(reader->text, line, &reader->header, reader->error);
  if (status != BERTH_SUCCESS)
    return status;
  if (reader->offsetsArePlan && !reader->header.has[BERTH_CSV_OFFSET])
    return berthSpanFail(reader->text, line.data, reader->error,
                         "no column 'offset' that could be verified");
  while (status == BERTH_SUCCESS && berthCsvNextLine(&rest, &line))
    status = readRow(reader, line);
  return status;
}

BerthStatus berthCsvParse(BerthDocument *document, bool offsetsArePlan,
                          BerthError *error) {
  CsvReader reader = {.document = document,
                      .text = berthDocumentText(document),
                      .offsetsArePlan = offsetsArePlan,
                      .error = error};
  BerthStatus status = readAll(&reader);
  if (status == BERTH_SUCCESS && offsetsArePlan &&
      !berthDocumentStartPlan(document))
    status = berthOutOfMemory(error);
  if (document->hasPlan && reader.numPlanned > 0)
    memcpy(document->plan.offsets, reader.planned,
           reader.numPlanned * sizeof *reader.planned);
  free(reader.planned);
  free(reader.id);
  berthLifetimeFree(&reader.lifetime);
  return status;
}
