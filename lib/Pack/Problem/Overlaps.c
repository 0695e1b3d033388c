//===- Overlaps.c - Do two buffers share a byte at a time? ---------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A sweep over time. What a buffer occupies is a list of boxes (times x bytes);
// boxes enter and leave an ordered set of the bytes in use. As long as all in
// the set are disjoint, a newcomer can only collide with its neighbour below or
// above, so each event costs one or two steps. The first collision is reported.
//
// What may share bytes at its distance would leave the set no order. So the
// second buffer of such a pair stays out of that sweep, and is compared one by
// one with all that is there at its times.
//
// A group is one buffer: as large as its largest member, and live when any of
// them is. This file shares no code with the packers; it builds its boxes from
// the problem as the user gave it.
//
//===---------------------------------------------------------------------===//

#include "Pack/Problem/Overlaps.h"

#include "Pack/Problem/Problem.h"
#include "Support/Allocate.h"
#include "Support/Bitset.h"
#include "Support/Sort.h"

#include <inttypes.h>
#include <stdlib.h>

// During [begin, end) the bytes [low, high) of `pool` belong to `buffer`.
typedef struct Box {
  int64_t begin;
  int64_t end;
  int64_t low;
  int64_t high;
  uint32_t pool;
  uint32_t buffer;
} Box;

typedef struct Boxes {
  Box *boxes;
  size_t count;
  size_t capacity;
  bool failed;
} Boxes;

static void push(Boxes *list, Box box) {
  if (!berthReserve(&list->boxes, &list->capacity, list->count + 1)) {
    list->failed = true;
    return;
  }
  if (box.begin < box.end && box.low < box.high)
    list->boxes[list->count++] = box;
}

// The boxes of one buffer: its segments, and within them its gaps' windows.
// `size` is its group's, where it has one.
static void pushBuffer(Boxes *list, const BerthBuffer *buffer, Box box,
                       int64_t size) {
  const BerthGap *gap = buffer->gaps, *end = gap + buffer->numGaps;
  const int64_t offset = box.low;
  for (size_t i = 0; i < buffer->numSegments; ++i) {
    BerthSegment segment = buffer->segments[i];
    int64_t at = segment.lower;
    for (; gap != end && gap->upper <= segment.upper; ++gap) {
      push(list,
           (Box){at, gap->lower, offset, offset + size, box.pool, box.buffer});
      push(list, (Box){gap->lower, gap->upper, offset + gap->windowLower,
                       offset + gap->windowUpper, box.pool, box.buffer});
      at = gap->upper;
    }
    push(list,
         (Box){at, segment.upper, offset, offset + size, box.pool, box.buffer});
  }
}

//===---------------------------------------------------------------------===//
// Groups
//===---------------------------------------------------------------------===//

static int compareLows(const void *a, const void *b) {
  const Box *x = a, *y = b;
  return (x->low > y->low) - (x->low < y->low);
}

// Pushes the union of the members' boxes that cover [begin, end); `live` has
// room for all members' boxes.
static void pushUnion(Boxes *list, const Boxes *members, Box *live,
                      int64_t begin, int64_t end) {
  size_t count = 0;
  for (size_t i = 0; i < members->count; ++i)
    if (members->boxes[i].begin <= begin && end <= members->boxes[i].end)
      live[count++] = members->boxes[i];
  qsort(live, count, sizeof *live, compareLows);
  for (size_t i = 0, j; i < count; i = j) {
    Box box = live[i];
    box.begin = begin;
    box.end = end;
    for (j = i + 1; j < count && live[j].low <= box.high; ++j)
      if (live[j].high > box.high)
        box.high = live[j].high;
    push(list, box);
  }
}

// Cuts the time at every start and end within a group, and takes the union of
// the bytes that its members occupy in each part.
static void pushGroup(Boxes *list, const Boxes *members) {
  size_t count = members->count;
  int64_t *times = malloc((2 * count + 1) * sizeof *times);
  Box *live = malloc((count + 1) * sizeof *live);
  if (!times || !live) {
    list->failed = true;
  } else {
    for (size_t i = 0; i < count; ++i) {
      times[2 * i] = members->boxes[i].begin;
      times[2 * i + 1] = members->boxes[i].end;
    }
    qsort(times, 2 * count, sizeof *times, berthCompareFirst);
    for (size_t i = 1; i < 2 * count; ++i)
      if (times[i - 1] < times[i])
        pushUnion(list, members, live, times[i - 1], times[i]);
  }
  free(times);
  free(live);
}

typedef struct Member {
  int64_t group;
  uint32_t buffer;
} Member;

static int compareMembers(const void *a, const void *b) {
  const Member *x = a, *y = b;
  if (x->group != y->group)
    return x->group > y->group ? 1 : -1;
  return (x->buffer > y->buffer) - (x->buffer < y->buffer);
}

// `members[0 .. count)` are one group; only placed ones are among them.
static void collectGroup(Boxes *list, const BerthProblemData *problem,
                         const int64_t *offsets, const uint32_t *pools,
                         const Member *members, size_t count) {
  int64_t size = 0;
  for (size_t i = 0; i < count; ++i)
    if (problem->buffers[members[i].buffer].size > size)
      size = problem->buffers[members[i].buffer].size;
  Boxes boxes = {0};
  for (size_t i = 0; i < count; ++i) {
    uint32_t buffer = members[i].buffer;
    pushBuffer(&boxes, &problem->buffers[buffer],
               (Box){.low = offsets[buffer],
                     .pool = pools ? pools[buffer] : 0,
                     .buffer = buffer},
               size);
  }
  list->failed |= boxes.failed;
  pushGroup(list, &boxes);
  free(boxes.boxes);
}

static void collectBoxes(Boxes *list, const BerthProblemData *problem,
                         const int64_t *offsets, const uint32_t *pools) {
  size_t n = problem->numBuffers, grouped = 0;
  for (uint32_t i = 0; i < n; ++i)
    grouped +=
        offsets[i] != BERTH_NONE && problem->buffers[i].group != BERTH_NONE;
  Member *members = malloc((grouped + 1) * sizeof *members);
  if (!members) {
    list->failed = true;
    return;
  }
  grouped = 0;
  for (uint32_t i = 0; i < n; ++i) {
    const BerthBuffer *buffer = &problem->buffers[i];
    Box box = {.low = offsets[i], .pool = pools ? pools[i] : 0, .buffer = i};
    if (offsets[i] == BERTH_NONE)
      continue;
    if (buffer->group != BERTH_NONE)
      members[grouped++] = (Member){buffer->group, i};
    else
      pushBuffer(list, buffer, box, buffer->size);
  }
  qsort(members, grouped, sizeof *members, compareMembers);
  for (size_t i = 0, j; i < grouped; i = j) {
    for (j = i; j < grouped && members[j].group == members[i].group;)
      ++j;
    collectGroup(list, problem, offsets, pools, members + i, j - i);
  }
  free(members);
}

//===---------------------------------------------------------------------===//
// Distances
//===---------------------------------------------------------------------===//

/// Who may share bytes with whom, placed as they are. A group goes by its first
/// buffer.
typedef struct Sharing {
  uint32_t *leader; // buffer -> the first one of its group, or itself
  bool *isSecond;   // leader -> of some pair
  uint64_t *pairs;  // of leaders, the lower one first; ascending
  size_t count;
} Sharing;

static uint64_t pairOf(const Sharing *sharing, uint32_t a, uint32_t b) {
  uint32_t x = sharing->leader[a], y = sharing->leader[b];
  return x < y ? (uint64_t)x << 32 | y : (uint64_t)y << 32 | x;
}

static int comparePairs(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

static bool mayShare(const Sharing *sharing, const Box *a, const Box *b) {
  uint64_t pair = pairOf(sharing, a->buffer, b->buffer);
  return bsearch(&pair, sharing->pairs, sharing->count, sizeof pair,
                 comparePairs) != NULL;
}

// Does the distance allow what the offsets are?
static bool isKept(const BerthDistance *distance, const int64_t *offsets,
                   const uint32_t *pools) {
  int64_t first = offsets[distance->first], second = offsets[distance->second];
  if (first == BERTH_NONE || second == BERTH_NONE ||
      (pools && pools[distance->first] != pools[distance->second]))
    return false;
  return second - first <= distance->lower || second - first >= distance->upper;
}

static bool findLeaders(const BerthProblemData *problem, Sharing *sharing,
                        BerthMemory *arena) {
  size_t grouped = 0;
  const uint32_t *order = berthSortByGroup(problem, arena, &grouped);
  sharing->leader = BERTH_MEMORY_NEW(arena, uint32_t, problem->numBuffers);
  if (arena->failed)
    return false;
  for (uint32_t i = 0; i < problem->numBuffers; ++i)
    sharing->leader[i] = i;
  for (size_t k = 1; k < grouped; ++k)
    if (problem->buffers[order[k]].group ==
        problem->buffers[order[k - 1]].group)
      sharing->leader[order[k]] = sharing->leader[order[k - 1]];
  return true;
}

static bool findSharing(const BerthProblemData *problem, const int64_t *offsets,
                        const uint32_t *pools, Sharing *sharing,
                        BerthMemory *arena) {
  if (problem->numDistances == 0)
    return true;
  sharing->isSecond = BERTH_MEMORY_NEW(arena, bool, problem->numBuffers);
  sharing->pairs = BERTH_MEMORY_NEW(arena, uint64_t, problem->numDistances);
  if (!findLeaders(problem, sharing, arena) || arena->failed)
    return false;
  for (size_t d = 0; d < problem->numDistances; ++d) {
    const BerthDistance *distance = &problem->distances[d];
    if (!isKept(distance, offsets, pools))
      continue;
    sharing->isSecond[sharing->leader[distance->second]] = true;
    sharing->pairs[sharing->count++] =
        pairOf(sharing, distance->first, distance->second);
  }
  qsort(sharing->pairs, sharing->count, sizeof *sharing->pairs, comparePairs);
  return true;
}

// Moves the boxes that may share bytes to the end; returns how many there are
// before them.
static size_t splitBoxes(Boxes *list, const Sharing *sharing) {
  size_t tight = list->count;
  for (size_t i = 0; sharing->count && i < tight;) {
    Box box = list->boxes[i];
    if (!sharing->isSecond[sharing->leader[box.buffer]]) {
      ++i;
      continue;
    }
    list->boxes[i] = list->boxes[--tight];
    list->boxes[tight] = box;
  }
  return tight;
}

//===---------------------------------------------------------------------===//
// The sweep
//===---------------------------------------------------------------------===//

typedef struct Sweep {
  const BerthProblemData *problem;
  const Box *boxes;
  uint32_t *byBytes; // rank -> box, by pool and low
  uint32_t *rank;    // box -> rank
  uint32_t *byBegin;
  uint32_t *byEnd;
  BerthOrderedSet active; // ranks of the boxes in use
} Sweep;

static bool initSweep(Sweep *sweep, const Boxes *list, BerthMemory *arena) {
  size_t n = list->count;
  uint32_t **tables[] = {&sweep->byBytes, &sweep->rank, &sweep->byBegin,
                         &sweep->byEnd};
  for (size_t i = 0; i < 4; ++i)
    *tables[i] = BERTH_MEMORY_NEW(arena, uint32_t, n);
  uint64_t *keys = BERTH_MEMORY_NEW(arena, uint64_t, n);
  uint32_t *scratch = BERTH_MEMORY_NEW(arena, uint32_t, n);
  if (!berthOrderedSetInit(&sweep->active, arena, (uint32_t)n) || arena->failed)
    return false;
  for (uint32_t i = 0; i < n; ++i)
    sweep->byBytes[i] = sweep->byBegin[i] = sweep->byEnd[i] = i;
  for (size_t i = 0; i < n; ++i)
    keys[i] = berthKeyAscending(list->boxes[i].begin);
  berthSortByKey(sweep->byBegin, scratch, n, keys);
  for (size_t i = 0; i < n; ++i)
    keys[i] = berthKeyAscending(list->boxes[i].end);
  berthSortByKey(sweep->byEnd, scratch, n, keys);
  for (size_t i = 0; i < n; ++i)
    keys[i] = berthKeyAscending(list->boxes[i].low);
  berthSortByKey(sweep->byBytes, scratch, n, keys);
  for (size_t i = 0; i < n; ++i)
    keys[i] = list->boxes[i].pool;
  berthSortByKey(sweep->byBytes, scratch, n, keys);
  for (uint32_t i = 0; i < n; ++i)
    sweep->rank[sweep->byBytes[i]] = i;
  return true;
}

static BerthStatus reportOverlap(const Sweep *sweep, const Box *a, const Box *b,
                                 BerthError *error) {
  return berthErrorSet(error, BERTH_INVALID,
                       "buffers '%s' at bytes [%" PRId64 ", %" PRId64
                       ") and '%s' at bytes [%" PRId64 ", %" PRId64
                       ") share bytes at time %" PRId64,
                       berthBufferName(sweep->problem, a->buffer).text, a->low,
                       a->high, berthBufferName(sweep->problem, b->buffer).text,
                       b->low, b->high,
                       a->begin > b->begin ? a->begin : b->begin);
}

// Lets box `index` enter; fails if it meets a neighbour.
static BerthStatus enter(Sweep *sweep, uint32_t index, BerthError *error) {
  const Box *box = &sweep->boxes[index];
  uint32_t rank = sweep->rank[index];
  uint32_t below = berthOrderedSetPrevious(&sweep->active, rank);
  uint32_t above = berthOrderedSetNext(&sweep->active, rank);
  if (below != UINT32_MAX) {
    const Box *other = &sweep->boxes[sweep->byBytes[below]];
    if (other->pool == box->pool && other->high > box->low)
      return reportOverlap(sweep, other, box, error);
  }
  if (above != UINT32_MAX) {
    const Box *other = &sweep->boxes[sweep->byBytes[above]];
    if (other->pool == box->pool && other->low < box->high)
      return reportOverlap(sweep, other, box, error);
  }
  berthOrderedSetInsert(&sweep->active, rank);
  return BERTH_SUCCESS;
}

// Compares the boxes from `tight` on with all that are there at their times.
static BerthStatus compareLoose(const Sweep *sweep, const Sharing *sharing,
                                size_t tight, size_t all, BerthMemory *arena,
                                BerthError *error) {
  uint32_t *order = BERTH_MEMORY_NEW(arena, uint32_t, all);
  uint32_t *active = BERTH_MEMORY_NEW(arena, uint32_t, all);
  uint64_t *keys = BERTH_MEMORY_NEW(arena, uint64_t, all);
  if (arena->failed)
    return berthErrorSet(error, BERTH_RESOURCE, "out of memory");
  for (uint32_t i = 0; i < all; ++i) {
    order[i] = i;
    keys[i] = berthKeyAscending(sweep->boxes[i].begin);
  }
  berthSortByKey(order, active, all, keys);
  for (size_t k = 0, there = 0; k < all; ++k) {
    const Box *box = &sweep->boxes[order[k]];
    size_t kept = 0;
    for (size_t a = 0; a < there; ++a) {
      const Box *other = &sweep->boxes[active[a]];
      if (other->end <= box->begin)
        continue;
      active[kept++] = active[a];
      if ((order[k] >= tight || active[a] >= tight) &&
          other->pool == box->pool && other->low < box->high &&
          box->low < other->high && !mayShare(sharing, box, other))
        return reportOverlap(sweep, other, box, error);
    }
    active[kept] = order[k];
    there = kept + 1;
  }
  return BERTH_SUCCESS;
}

BerthStatus berthCheckOverlaps(const BerthProblemData *problem,
                               const int64_t *offsets, const uint32_t *pools,
                               BerthError *error) {
  Boxes list = {0};
  BerthMemory arena = {0};
  collectBoxes(&list, problem, offsets, pools);
  Sweep sweep = {.problem = problem, .boxes = list.boxes};
  Sharing sharing = {0};
  BerthStatus status = BERTH_SUCCESS;
  size_t all = list.count;
  bool fine =
      !list.failed && findSharing(problem, offsets, pools, &sharing, &arena);
  if (fine)
    list.count = splitBoxes(&list, &sharing);
  if (!fine || !initSweep(&sweep, &list, &arena))
    status = berthErrorSet(error, BERTH_RESOURCE, "out of memory");
  for (size_t i = 0, ended = 0; !status && i < list.count; ++i) {
    int64_t now = list.boxes[sweep.byBegin[i]].begin;
    for (; list.boxes[sweep.byEnd[ended]].end <= now; ++ended)
      berthOrderedSetErase(&sweep.active, sweep.rank[sweep.byEnd[ended]]);
    status = enter(&sweep, sweep.byBegin[i], error);
  }
  if (!status && list.count < all)
    status = compareLoose(&sweep, &sharing, list.count, all, &arena, error);
  berthMemoryFree(&arena);
  free(list.boxes);
  return status;
}
