//===- Sections.c - Pieces in time, pieces in sections -------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Pack/Task/Sections.h"

#include "Support/Sort.h"

#include <string.h>

//===---------------------------------------------------------------------===//
// Pieces in time
//===---------------------------------------------------------------------===//

typedef struct Collector {
  const int64_t *sizes;
  bool gaps; // keep windows
  BerthTimePiece *pieces;
  size_t count;
} Collector;

static void emit(Collector *collector, int64_t begin, int64_t end, int64_t low,
                 int64_t high, uint32_t item) {
  if (begin < end && low < high)
    collector->pieces[collector->count++] =
        (BerthTimePiece){begin, end, low, high, item};
}

static void emitWithGaps(Collector *collector, const BerthBuffer *buffer,
                         uint32_t item) {
  int64_t size = collector->sizes[item];
  size_t gap = 0;
  for (size_t i = 0; i < buffer->numSegments; ++i) {
    int64_t at = buffer->segments[i].lower, end = buffer->segments[i].upper;
    for (; gap < buffer->numGaps && buffer->gaps[gap].upper <= end; ++gap) {
      BerthGap hole = buffer->gaps[gap];
      emit(collector, at, hole.lower, 0, size, item);
      emit(collector, hole.lower, hole.upper, hole.windowLower,
           hole.windowUpper, item);
      at = hole.upper;
    }
    emit(collector, at, end, 0, size, item);
  }
}

static void emitBuffer(Collector *collector, const BerthBuffer *buffer,
                       uint32_t item) {
  if (collector->gaps && buffer->numGaps) {
    emitWithGaps(collector, buffer, item);
    return;
  }
  for (size_t i = 0; i < buffer->numSegments; ++i)
    emit(collector, buffer->segments[i].lower, buffer->segments[i].upper, 0,
         collector->sizes[item], item);
}

// One piece an item: from its first time to its last.
static void emitHulls(Collector *collector, const BerthProblemData *problem,
                      const uint32_t *itemOfBuffer, uint32_t numItems) {
  memset(collector->pieces, 0, numItems * sizeof *collector->pieces);
  for (size_t i = 0; i < problem->numBuffers; ++i) {
    const BerthBuffer *buffer = &problem->buffers[i];
    uint32_t item = itemOfBuffer[i];
    BerthTimePiece *hull = &collector->pieces[item];
    int64_t begin = buffer->segments[0].lower;
    int64_t end = buffer->segments[buffer->numSegments - 1].upper;
    bool first = hull->high == 0;
    hull->begin = first || begin < hull->begin ? begin : hull->begin;
    hull->end = first || end > hull->end ? end : hull->end;
    hull->high = collector->sizes[item];
    hull->item = item;
  }
  collector->count = numItems;
}

BerthTimePiece *berthCollectPieces(const BerthProblemData *problem,
                                   const uint32_t *itemOfBuffer,
                                   const int64_t *sizes, uint32_t numItems,
                                   uint32_t capabilities, BerthMemory *arena,
                                   size_t *count) {
  bool segments = capabilities & BERTH_CAN_SEGMENTS;
  Collector collector = {.sizes = sizes,
                         .gaps = segments && (capabilities & BERTH_CAN_GAPS)};
  size_t most = 0;
  for (size_t i = 0; i < problem->numBuffers; ++i)
    most += problem->buffers[i].numSegments + 2 * problem->buffers[i].numGaps;
  collector.pieces = BERTH_MEMORY_NEW(arena, BerthTimePiece, most);
  if (!collector.pieces)
    return NULL;
  if (!segments)
    emitHulls(&collector, problem, itemOfBuffer, numItems);
  else
    for (size_t i = 0; i < problem->numBuffers; ++i)
      emitBuffer(&collector, &problem->buffers[i], itemOfBuffer[i]);
  *count = collector.count;
  return collector.pieces;
}

//===---------------------------------------------------------------------===//
// Times to sections
//===---------------------------------------------------------------------===//

// A section closes with the first end after a start and the next start opens a
// new one: in between, sets of live pieces only shrink. At equal times ends
// come first, as ranges are half-open. Returns the number of sections.
static uint32_t numberSections(const BerthTimePiece *pieces, size_t count,
                               const uint32_t *byBegin, const uint32_t *byEnd,
                               BerthPiece *out, int64_t *sectionTimes) {
  uint32_t section = 0;
  size_t ended = 0;
  for (size_t i = 0; i < count; ++i) {
    const BerthTimePiece *piece = &pieces[byBegin[i]];
    bool closed = false;
    for (; pieces[byEnd[ended]].end <= piece->begin; ++ended) {
      out[byEnd[ended]].upper = section + 1;
      closed = true;
    }
    section += closed;
    sectionTimes[section] = piece->begin;
    out[byBegin[i]] =
        (BerthPiece){.lower = section, .low = piece->low, .high = piece->high};
  }
  for (; ended < count; ++ended)
    out[byEnd[ended]].upper = section + 1;
  return count ? section + 1 : 0;
}

static bool sortTimes(const BerthTimePiece *pieces, size_t count,
                      uint32_t *byBegin, uint32_t *byEnd, BerthMemory *arena) {
  uint32_t *scratch = BERTH_MEMORY_NEW(arena, uint32_t, count);
  uint64_t *keys = BERTH_MEMORY_NEW(arena, uint64_t, count);
  if (!scratch || !keys)
    return false;
  for (uint32_t i = 0; i < count; ++i) {
    byBegin[i] = byEnd[i] = i;
    keys[i] = berthKeyAscending(pieces[i].begin);
  }
  berthSortByKey(byBegin, scratch, count, keys);
  for (uint32_t i = 0; i < count; ++i)
    keys[i] = berthKeyAscending(pieces[i].end);
  berthSortByKey(byEnd, scratch, count, keys);
  return true;
}

//===---------------------------------------------------------------------===//
// Pieces of one item
//===---------------------------------------------------------------------===//

static bool before(const BerthPiece *a, const BerthPiece *b) {
  return a->lower != b->lower ? a->lower < b->lower : a->low < b->low;
}

static void sortPieces(BerthPiece *pieces, size_t count) {
  for (size_t i = 1; i < count; ++i) {
    BerthPiece piece = pieces[i];
    size_t j = i;
    for (; j > 0 && before(&piece, &pieces[j - 1]); --j)
      pieces[j] = pieces[j - 1];
    pieces[j] = piece;
  }
}

// Joins pieces of the same bytes that follow each other without a hole or, of
// whole items, overlap; returns how many remain. Input sorted, output too.
static size_t joinPieces(BerthPiece *pieces, size_t count) {
  size_t kept = 0;
  for (size_t i = 1; i < count; ++i) {
    BerthPiece *last = &pieces[kept];
    if (pieces[i].lower <= last->upper && pieces[i].low == last->low &&
        pieces[i].high == last->high) {
      if (pieces[i].upper > last->upper)
        last->upper = pieces[i].upper;
    } else {
      pieces[++kept] = pieces[i];
    }
  }
  return count ? kept + 1 : 0;
}

static bool overlapInTime(const BerthPiece *pieces, size_t count) {
  for (size_t i = 1; i < count; ++i)
    if (pieces[i].lower < pieces[i - 1].upper)
      return true;
  return false;
}

// Colocated buffers with windows: cut at every section in which a piece starts
// or ends, and take the union of the bytes of each part. Rare and small.
static BerthPiece *uniteWindows(const BerthPiece *pieces, size_t count,
                                BerthMemory *arena, size_t *united) {
  uint32_t from = pieces[0].lower, to = 0;
  for (size_t i = 0; i < count; ++i)
    to = pieces[i].upper > to ? pieces[i].upper : to;
  size_t most = 0;
  for (size_t i = 0; i < count; ++i)
    most += pieces[i].upper - pieces[i].lower;
  BerthPiece *out = BERTH_MEMORY_NEW(arena, BerthPiece, most);
  BerthPiece *live = BERTH_MEMORY_NEW(arena, BerthPiece, count);
  *united = 0;
  if (!out || !live)
    return NULL;
  for (uint32_t section = from; section < to; ++section) {
    size_t numLive = 0;
    for (size_t i = 0; i < count; ++i)
      if (pieces[i].lower <= section && section < pieces[i].upper)
        live[numLive++] =
            (BerthPiece){section, section + 1, pieces[i].low, pieces[i].high};
    sortPieces(live, numLive);
    for (size_t i = 0; i < numLive; ++i) {
      BerthPiece *last = *united ? &out[*united - 1] : NULL;
      if (last && last->lower == section && live[i].low <= last->high)
        last->high = live[i].high > last->high ? live[i].high : last->high;
      else
        out[(*united)++] = live[i];
    }
  }
  return out;
}

// Sorts and joins the pieces of one item, in place where that is possible.
static BerthPiece *tidyItem(BerthPiece *pieces, size_t *count,
                            BerthMemory *arena) {
  sortPieces(pieces, *count);
  *count = joinPieces(pieces, *count);
  if (overlapInTime(pieces, *count))
    pieces = uniteWindows(pieces, *count, arena, count);
  return pieces;
}

//===---------------------------------------------------------------------===//
// Assembly
//===---------------------------------------------------------------------===//

static void addLoads(BerthSections *sections, const BerthPiece *pieces,
                     size_t count) {
  for (size_t i = 0; i < count; ++i) {
    int64_t height = pieces[i].high - pieces[i].low;
    sections->sectionLoads[pieces[i].lower] += height;
    sections->sectionLoads[pieces[i].upper] -= height;
  }
}

// Moves the numbered pieces to their items (a stable counting sort).
static bool groupByItem(const BerthTimePiece *times, const BerthPiece *numbered,
                        size_t count, uint32_t numItems, BerthMemory *arena,
                        uint32_t *begin, BerthPiece *grouped) {
  uint32_t *next = BERTH_MEMORY_NEW(arena, uint32_t, numItems + 1);
  if (!next)
    return false;
  for (size_t i = 0; i < count; ++i)
    ++begin[times[i].item + 1];
  for (uint32_t i = 0; i < numItems; ++i)
    begin[i + 1] += begin[i];
  memcpy(next, begin, numItems * sizeof *next);
  for (size_t i = 0; i < count; ++i)
    grouped[next[times[i].item]++] = numbered[i];
  return true;
}

// Copies item by item into the final array, tidying what has several pieces.
static bool finishItems(const uint32_t *begin, BerthPiece *grouped,
                        const int64_t *sizes, uint32_t numItems,
                        BerthMemory *arena, BerthSections *sections) {
  size_t capacity = begin[numItems] + numItems, total = 0;
  BerthPiece *out = BERTH_MEMORY_NEW(arena, BerthPiece, capacity);
  for (uint32_t i = 0; out && i < numItems; ++i) {
    BerthPiece own, *pieces = grouped + begin[i];
    size_t count = begin[i + 1] - begin[i];
    if (count == 0) {
      uint32_t section = sections->numSections++;
      own = (BerthPiece){section, section + 1, 0, sizes[i]};
      pieces = &own;
      count = 1;
    } else if (count > 1) {
      pieces = tidyItem(pieces, &count, arena);
    }
    // United windows may have grown.
    if (!pieces || !berthMemoryReserve(arena, &out, &capacity,
                                       total + count + (numItems - i)))
      return false;
    memcpy(out + total, pieces, count * sizeof *out);
    addLoads(sections, pieces, count);
    sections->pieceBegin[i] = (uint32_t)total;
    total += count;
  }
  sections->pieces = out;
  sections->pieceBegin[numItems] = (uint32_t)total;
  return out != NULL;
}

bool berthBuildSections(const BerthTimePiece *pieces, size_t count,
                        const int64_t *sizes, uint32_t numItems,
                        BerthMemory *arena, BerthSections *sections) {
  size_t most = count + numItems + 1; // sections, private ones included
  uint32_t *byBegin = BERTH_MEMORY_NEW(arena, uint32_t, count);
  uint32_t *byEnd = BERTH_MEMORY_NEW(arena, uint32_t, count);
  BerthPiece *numbered = BERTH_MEMORY_NEW(arena, BerthPiece, count);
  BerthPiece *grouped = BERTH_MEMORY_NEW(arena, BerthPiece, count);
  uint32_t *begin = BERTH_MEMORY_NEW(arena, uint32_t, numItems + 1);
  sections->pieceBegin = BERTH_MEMORY_NEW(arena, uint32_t, numItems + 1);
  sections->sectionTimes = BERTH_MEMORY_NEW(arena, int64_t, most);
  sections->sectionLoads = BERTH_MEMORY_NEW(arena, int64_t, most);
  if (arena->failed || !sortTimes(pieces, count, byBegin, byEnd, arena))
    return false;
  sections->numSections = numberSections(pieces, count, byBegin, byEnd,
                                         numbered, sections->sectionTimes);
  sections->numShared = sections->numSections;
  if (!groupByItem(pieces, numbered, count, numItems, arena, begin, grouped) ||
      !finishItems(begin, grouped, sizes, numItems, arena, sections))
    return false;
  for (uint32_t i = 1; i < sections->numSections; ++i)
    sections->sectionLoads[i] += sections->sectionLoads[i - 1];
  return true;
}
