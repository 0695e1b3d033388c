//===- CsvLifetime.c - The columns of gaps and uses ---------------- C ---===//
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

#include "IO/Csv/CsvLifetime.h"
#include "Support/Allocate.h"
#include "Support/Sort.h"

#include <inttypes.h>
#include <stdlib.h>

/// One cell under way.
typedef struct GapCell {
  BerthSpan text;
  BerthSegment hull;
  int64_t size;
  BerthError *error;
} GapCell;

static bool takeChar(BerthSpan *text, char c) {
  if (text->length == 0 || text->data[0] != c)
    return false;
  ++text->data;
  --text->length;
  return true;
}

/// Takes one blank-separated word off the front; false if none is left.
static bool takeWord(BerthSpan *cell, BerthSpan *word) {
  *cell = berthSpanTrim(*cell);
  size_t length = 0;
  while (length < cell->length && cell->data[length] != ' ' &&
         cell->data[length] != '\t')
    ++length;
  *word = (BerthSpan){cell->data, length};
  cell->data += length;
  cell->length -= length;
  return length > 0;
}

static bool parseGap(BerthSpan word, BerthGap *gap, bool *window) {
  *gap = (BerthGap){0};
  if (berthSpanTakeNumber(&word, &gap->lower) != BERTH_NUMBER_OK ||
      !takeChar(&word, '-') ||
      berthSpanTakeNumber(&word, &gap->upper) != BERTH_NUMBER_OK)
    return false;
  *window = takeChar(&word, '@');
  if (*window &&
      (berthSpanTakeNumber(&word, &gap->windowLower) != BERTH_NUMBER_OK ||
       !takeChar(&word, ':') ||
       berthSpanTakeNumber(&word, &gap->windowUpper) != BERTH_NUMBER_OK))
    return false;
  return word.length == 0;
}

static BerthStatus checkGap(const GapCell *cell, BerthSpan word,
                            const BerthGap *gap) {
  const char *complaint = NULL;
  if (gap->lower >= gap->upper)
    complaint = "ends before or where it begins";
  else if (gap->lower < cell->hull.lower || gap->upper > cell->hull.upper)
    complaint = "reaches beyond the buffer's life";
  else if (gap->windowLower < 0 || gap->windowUpper > cell->size)
    complaint = "has a window that reaches beyond the buffer";
  else if (gap->windowLower > gap->windowUpper)
    complaint = "has a window that ends before it begins";
  if (!complaint)
    return BERTH_SUCCESS;
  return berthSpanFail(cell->text, word.data, cell->error,
                       "gap '%.*s' %s (life %" PRId64 "-%" PRId64
                       ", size %" PRId64 ")",
                       BERTH_SPAN_ARGS(word), complaint, cell->hull.lower,
                       cell->hull.upper, cell->size);
}

/// Reads all words; holes are kept as gaps with the window [-1, -1).
static BerthStatus readGaps(const GapCell *cell, BerthSpan rest,
                            BerthLifetime *lifetime) {
  BerthSpan word;
  while (takeWord(&rest, &word)) {
    BerthGap gap;
    bool window;
    if (!parseGap(word, &gap, &window))
      return berthSpanFail(cell->text, word.data, cell->error,
                           "gap '%.*s' is not of the form lo-hi or "
                           "lo-hi@wlo:whi",
                           BERTH_SPAN_ARGS(word));
    BerthStatus status = checkGap(cell, word, &gap);
    if (status != BERTH_SUCCESS)
      return status;
    if (!window)
      gap.windowLower = gap.windowUpper = BERTH_NONE;
    if (!berthLifetimeAddGap(lifetime, gap))
      return berthOutOfMemory(cell->error);
  }
  return BERTH_SUCCESS;
}

static BerthStatus checkDisjoint(const GapCell *cell, const char *at,
                                 const BerthLifetime *lifetime) {
  for (size_t i = 1; i < lifetime->numGaps; ++i) {
    const BerthGap *gap = &lifetime->gaps[i];
    if (gap[-1].upper > gap->lower)
      return berthSpanFail(
          cell->text, at, cell->error,
          "gaps %" PRId64 "-%" PRId64 " and %" PRId64 "-%" PRId64 " overlap",
          gap[-1].lower, gap[-1].upper, gap->lower, gap->upper);
  }
  return BERTH_SUCCESS;
}

static bool addSegment(BerthLifetime *lifetime, int64_t lower, int64_t upper) {
  return lower == upper ||
         berthLifetimeAddSegment(lifetime, (BerthSegment){lower, upper});
}

/// Turns the holes among the gaps into segments and keeps the windows. False
/// if out of memory.
static bool splitAtHoles(BerthSegment hull, BerthLifetime *lifetime) {
  size_t kept = 0;
  int64_t alive = hull.lower;
  for (size_t i = 0; i < lifetime->numGaps; ++i) {
    BerthGap gap = lifetime->gaps[i];
    if (gap.windowLower != BERTH_NONE) {
      lifetime->gaps[kept++] = gap;
      continue;
    }
    if (!addSegment(lifetime, alive, gap.lower))
      return false;
    alive = gap.upper;
  }
  lifetime->numGaps = kept;
  return addSegment(lifetime, alive, hull.upper);
}

BerthStatus berthCsvReadLifetime(BerthSpan text, BerthSpan cell,
                                 BerthSegment hull, int64_t size,
                                 BerthLifetime *lifetime, BerthError *error) {
  GapCell context = {text, hull, size, error};
  berthLifetimeClear(lifetime);
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
    return berthSpanFail(text, cell.data, error,
                         "gaps '%.*s' leave nothing of the buffer's life",
                         BERTH_SPAN_ARGS(cell));
  return BERTH_SUCCESS;
}

//===---------------------------------------------------------------------===//
// Uses
//===---------------------------------------------------------------------===//

static bool parseUse(BerthSpan word, BerthBufferUse *use) {
  *use = (BerthBufferUse){0};
  if (berthSpanTakeNumber(&word, &use->lower) != BERTH_NUMBER_OK ||
      use->lower == INT64_MAX)
    return false;
  use->upper = use->lower + 1;
  if (takeChar(&word, '-') &&
      berthSpanTakeNumber(&word, &use->upper) != BERTH_NUMBER_OK)
    return false;
  if (takeChar(&word, 'w'))
    use->kind = BERTH_USE_WRITE;
  else if (takeChar(&word, 'u'))
    use->kind = BERTH_USE_UPDATE;
  else
    takeChar(&word, 'r');
  if (takeChar(&word, '@') &&
      (berthSpanTakeNumber(&word, &use->bytes) != BERTH_NUMBER_OK ||
       use->bytes < 1))
    return false;
  if (takeChar(&word, '=') &&
      (berthSpanTakeNumber(&word, &use->make) != BERTH_NUMBER_OK ||
       use->make < 1))
    return false;
  if (takeChar(&word, '/') &&
      (berthSpanTakeNumber(&word, &use->tile) != BERTH_NUMBER_OK ||
       use->tile < 1 || !takeChar(&word, ':') ||
       berthSpanTakeNumber(&word, &use->slices) != BERTH_NUMBER_OK ||
       use->slices < 1))
    return false;
  return word.length == 0 && use->lower < use->upper;
}

BerthStatus berthCsvReadUses(BerthSpan text, BerthSpan cell,
                             BerthLifetime *lifetime, BerthError *error) {
  BerthSpan word;
  while (takeWord(&cell, &word)) {
    BerthBufferUse use;
    if (!parseUse(word, &use))
      return berthSpanFail(text, word.data, error,
                           "use '%.*s' is not of the form at or lo-hi, then "
                           "r, u or w, then @bytes, then =price, then "
                           "/tile:price, where bytes, tiles and prices are at "
                           "least 1",
                           BERTH_SPAN_ARGS(word));
    if (!berthLifetimeAddUse(lifetime, use))
      return berthOutOfMemory(error);
  }
  if (lifetime->numUses > 1)
    qsort(lifetime->uses, lifetime->numUses, sizeof(BerthBufferUse),
          berthCompareFirst);
  return BERTH_SUCCESS;
}
