//===- CsvLifetime.c - The gaps column ----------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// minimalloc writes holes in a life as `lo-hi`, half-open, and times at which
// only a window of the buffer is occupied as `lo-hi@wlo:whi`, the window
// relative to the buffer. A hole is nothing but a space between two segments,
// so that is what it becomes here; every packer then treats it alike.
//
//===---------------------------------------------------------------------===//

#include "IO/CsvLifetime.h"
#include "Support/Allocate.h"
#include "Support/Sort.h"

#include <inttypes.h>
#include <stdlib.h>

/// One cell under way.
typedef struct GapCell {
  TextSpan text;
  BerthSegment hull;
  int64_t size;
  BerthError *error;
} GapCell;

static bool takeChar(TextSpan *text, char c) {
  if (text->length == 0 || text->data[0] != c)
    return false;
  ++text->data;
  --text->length;
  return true;
}

/// Takes one blank-separated word off the front; false if none is left.
static bool takeWord(TextSpan *cell, TextSpan *word) {
  *cell = berthTextTrim(*cell);
  size_t length = 0;
  while (length < cell->length && cell->data[length] != ' ' &&
         cell->data[length] != '\t')
    ++length;
  *word = (TextSpan){cell->data, length};
  cell->data += length;
  cell->length -= length;
  return length > 0;
}

static bool parseGap(TextSpan word, BerthGap *gap, bool *window) {
  *gap = (BerthGap){0};
  if (berthTextTakeNumber(&word, &gap->lower) != NUMBER_OK ||
      !takeChar(&word, '-') ||
      berthTextTakeNumber(&word, &gap->upper) != NUMBER_OK)
    return false;
  *window = takeChar(&word, '@');
  if (*window && (berthTextTakeNumber(&word, &gap->windowLower) != NUMBER_OK ||
                  !takeChar(&word, ':') ||
                  berthTextTakeNumber(&word, &gap->windowUpper) != NUMBER_OK))
    return false;
  return word.length == 0;
}

static BerthStatus checkGap(const GapCell *cell, TextSpan word,
                            const BerthGap *gap) {
  const char *complaint = NULL;
  if (gap->lower >= gap->upper)
    complaint = "ends before it begins or is empty";
  else if (gap->lower < cell->hull.lower || gap->upper > cell->hull.upper)
    complaint = "reaches beyond the buffer's life";
  else if (gap->windowLower < 0 || gap->windowUpper > cell->size)
    complaint = "has a window that reaches beyond the buffer";
  else if (gap->windowLower > gap->windowUpper)
    complaint = "has a window that ends before it begins";
  if (!complaint)
    return BERTH_SUCCESS;
  return berthTextFail(cell->text, word.data, cell->error,
                       "gap '%.*s' %s (life %" PRId64 "-%" PRId64
                       ", size %" PRId64 ")",
                       TEXT_ARGS(word), complaint, cell->hull.lower,
                       cell->hull.upper, cell->size);
}

/// Reads all words; holes are kept as gaps with the window [-1, -1).
static BerthStatus readGaps(const GapCell *cell, TextSpan rest,
                            CsvLifetime *lifetime) {
  TextSpan word;
  while (takeWord(&rest, &word)) {
    BerthGap gap;
    bool window;
    if (!parseGap(word, &gap, &window))
      return berthTextFail(cell->text, word.data, cell->error,
                           "gap '%.*s' is not of the form lo-hi or "
                           "lo-hi@wlo:whi",
                           TEXT_ARGS(word));
    BerthStatus status = checkGap(cell, word, &gap);
    if (status != BERTH_SUCCESS)
      return status;
    if (!window)
      gap.windowLower = gap.windowUpper = BERTH_NONE;
    if (!berthReserve(&lifetime->gaps, &lifetime->capGaps,
                      lifetime->numGaps + 1))
      return berthOutOfMemory(cell->error);
    lifetime->gaps[lifetime->numGaps++] = gap;
  }
  return BERTH_SUCCESS;
}

static BerthStatus checkDisjoint(const GapCell *cell, const char *at,
                                 const CsvLifetime *lifetime) {
  for (size_t i = 1; i < lifetime->numGaps; ++i) {
    const BerthGap *gap = &lifetime->gaps[i];
    if (gap[-1].upper > gap->lower)
      return berthTextFail(
          cell->text, at, cell->error,
          "gaps %" PRId64 "-%" PRId64 " and %" PRId64 "-%" PRId64 " overlap",
          gap[-1].lower, gap[-1].upper, gap->lower, gap->upper);
  }
  return BERTH_SUCCESS;
}

static void addSegment(CsvLifetime *lifetime, int64_t lower, int64_t upper) {
  if (lower < upper)
    lifetime->segments[lifetime->numSegments++] = (BerthSegment){lower, upper};
}

/// Turns the holes among the gaps into segments and keeps the windows. False
/// if out of memory.
static bool splitAtHoles(BerthSegment hull, CsvLifetime *lifetime) {
  if (!berthReserve(&lifetime->segments, &lifetime->capSegments,
                    lifetime->numGaps + 1))
    return false;
  size_t kept = 0;
  int64_t alive = hull.lower;
  for (size_t i = 0; i < lifetime->numGaps; ++i) {
    BerthGap gap = lifetime->gaps[i];
    if (gap.windowLower != BERTH_NONE) {
      lifetime->gaps[kept++] = gap;
      continue;
    }
    addSegment(lifetime, alive, gap.lower);
    alive = gap.upper;
  }
  addSegment(lifetime, alive, hull.upper);
  lifetime->numGaps = kept;
  return true;
}

BerthStatus berthCsvReadLifetime(TextSpan text, TextSpan cell,
                                 BerthSegment hull, int64_t size,
                                 CsvLifetime *lifetime, BerthError *error) {
  GapCell context = {text, hull, size, error};
  lifetime->numSegments = 0;
  lifetime->numGaps = 0;
  BerthStatus status = readGaps(&context, cell, lifetime);
  if (status != BERTH_SUCCESS)
    return status;
  if (lifetime->numGaps > 1)
    qsort(lifetime->gaps, lifetime->numGaps, sizeof(BerthGap),
          berthCompareFirst);
  status = checkDisjoint(&context, cell.data, lifetime);
  if (status != BERTH_SUCCESS)
    return status;
  if (!splitAtHoles(hull, lifetime))
    return berthOutOfMemory(error);
  if (lifetime->numSegments == 0)
    return berthTextFail(text, cell.data, error,
                         "gaps '%.*s' leave nothing of the buffer's life",
                         TEXT_ARGS(cell));
  return BERTH_SUCCESS;
}

void berthCsvFreeLifetime(CsvLifetime *lifetime) {
  free(lifetime->segments);
  free(lifetime->gaps);
  *lifetime = (CsvLifetime){0};
}
