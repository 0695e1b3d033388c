//===- Boxes.c - What keeps which boxes apart -----------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Pack/ProofCheck/Boxes.h"

#include <stdlib.h>

static BerthStatus outOfMemory(BerthError *error) {
  return berthErrorSet(error, BERTH_RESOURCE, "out of memory");
}

//===---------------------------------------------------------------------===//
// Boxes
//===---------------------------------------------------------------------===//

static int64_t gcd(int64_t a, int64_t b) {
  while (b) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

static void foldBuffer(BerthProofBox *box, const BerthBuffer *buffer) {
  box->size = buffer->size > box->size ? buffer->size : box->size;
  box->alignment = box->alignment / gcd(box->alignment, buffer->alignment) *
                   buffer->alignment;
  if (buffer->fixedOffset != BERTH_NONE)
    box->pin = buffer->fixedOffset;
}

static void numberBoxes(BerthProofState *state) {
  const BerthProblemData *problem = state->problem;
  for (uint32_t i = 0; i < problem->numBuffers; ++i) {
    const BerthBuffer *buffer = &problem->buffers[i];
    uint32_t box = state->numBoxes;
    for (uint32_t j = 0; buffer->group != BERTH_NONE && j < i; ++j)
      if (problem->buffers[j].group == buffer->group)
        box = state->boxOf[j];
    if (box == state->numBoxes)
      state->boxes[state->numBoxes++] = (BerthProofBox){0, 1, BERTH_NONE};
    state->boxOf[i] = box;
    foldBuffer(&state->boxes[box], buffer);
  }
}

//===---------------------------------------------------------------------===//
// Distances
//===---------------------------------------------------------------------===//

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

// The bytes that both have if the second begins so far above the first.
static int64_t commonBytes(int64_t first, int64_t second, int64_t distance) {
  int64_t low = larger(distance, 0), high = smaller(first, distance + second);
  return larger(high - low, 0);
}

// The two share less the farther the one sticks out of the other, so that of
// the distances on one side the one next to that is the best.
static int64_t mostCommon(int64_t first, int64_t second, int64_t lower,
                          int64_t upper) {
  int64_t room = first - second;
  int64_t below = smaller(lower, larger(room, 0));
  int64_t above = larger(upper, smaller(room, 0));
  return larger(commonBytes(first, second, below),
                commonBytes(first, second, above));
}

static void listDistances(BerthProofState *state) {
  const BerthProblemData *problem = state->problem;
  for (size_t d = 0; d < problem->numDistances; ++d) {
    const BerthDistance *distance = &problem->distances[d];
    uint32_t first = state->boxOf[distance->first];
    uint32_t second = state->boxOf[distance->second];
    state->distances[state->numDistances++] = (BerthProofDistance){
        second, first, distance->lower, distance->upper,
        mostCommon(state->boxes[first].size, state->boxes[second].size,
                   distance->lower, distance->upper)};
  }
}

static int64_t bytesOf(uint32_t box, const BerthProofPiece *pieces,
                       size_t count) {
  int64_t sum = 0;
  for (size_t k = 0; k < count; ++k)
    if (pieces[k].box == box)
      sum += pieces[k].high - pieces[k].low;
  return sum;
}

bool berthReplayIsSpared(const BerthProofState *state, uint32_t box,
                         const BerthProofPiece *pieces, size_t count) {
  for (size_t d = 0; d < state->numDistances; ++d)
    if (state->distances[d].spared == box &&
        bytesOf(state->distances[d].other, pieces, count) > 0)
      return true;
  return false;
}

void berthReplayFindOwn(const BerthProofState *state,
                        const BerthProofPiece *pieces, size_t count) {
  for (size_t k = 0; k < count; ++k)
    state->own[pieces[k].box] = 0;
  for (size_t k = 0; k < count; ++k)
    state->own[pieces[k].box] += pieces[k].high - pieces[k].low;
  for (size_t d = 0; d < state->numDistances; ++d) {
    const BerthProofDistance *distance = &state->distances[d];
    int64_t there = bytesOf(distance->other, pieces, count);
    if (bytesOf(distance->spared, pieces, count) > 0)
      state->own[distance->spared] -= smaller(distance->most, there);
  }
  for (size_t k = 0; k < count; ++k)
    state->own[pieces[k].box] = larger(state->own[pieces[k].box], 0);
}

// What divides every number that offsets are made of. All could be shifted down
// to a multiple of it at once.
static int64_t findUnit(const BerthProofState *state) {
  const BerthProblemData *problem = state->problem;
  int64_t unit = 0;
  for (uint32_t i = 0; i < state->numBoxes; ++i) {
    const BerthProofBox *box = &state->boxes[i];
    unit = gcd(unit, box->size);
    unit = box->alignment > 1 ? gcd(unit, box->alignment) : unit;
    unit = box->pin != BERTH_NONE ? gcd(unit, box->pin) : unit;
  }
  for (size_t i = 0; i < problem->numBuffers; ++i)
    for (size_t g = 0; g < problem->buffers[i].numGaps; ++g) {
      unit = gcd(unit, problem->buffers[i].gaps[g].windowLower);
      unit = gcd(unit, problem->buffers[i].gaps[g].windowUpper);
    }
  for (size_t d = 0; d < state->numDistances; ++d) {
    unit = gcd(unit, llabs(state->distances[d].lower));
    unit = gcd(unit, llabs(state->distances[d].upper));
  }
  for (size_t i = 0; i < state->numReserved; ++i) {
    unit = gcd(unit, state->reserved[i].lower);
    unit = gcd(unit, state->reserved[i].upper);
  }
  return unit;
}

//===---------------------------------------------------------------------===//
// Pieces
//===---------------------------------------------------------------------===//

static bool isWithin(int64_t time, int64_t lower, int64_t upper) {
  return lower <= time && time < upper;
}

// What of a buffer's box is occupied at a time; false: nothing.
static bool occupied(const BerthProofState *state, uint32_t i, int64_t time,
                     BerthProofPiece *piece) {
  const BerthBuffer *buffer = &state->problem->buffers[i];
  uint32_t box = state->boxOf[i];
  for (size_t g = 0; g < buffer->numGaps; ++g)
    if (isWithin(time, buffer->gaps[g].lower, buffer->gaps[g].upper)) {
      *piece = (BerthProofPiece){box, buffer->gaps[g].windowLower,
                                 buffer->gaps[g].windowUpper};
      return piece->low < piece->high;
    }
  *piece = (BerthProofPiece){box, 0, state->boxes[box].size};
  for (size_t s = 0; s < buffer->numSegments; ++s)
    if (isWithin(time, buffer->segments[s].lower, buffer->segments[s].upper))
      return true;
  return false;
}

// Adds a piece to `count` of them; those of the same box that it touches become
// one with it. Only members of a group can touch.
static size_t addPiece(const BerthProofState *state, BerthProofPiece *pieces,
                       size_t count, BerthProofPiece piece, bool grouped) {
  for (size_t k = 0; grouped && k < count; ++k) {
    if (pieces[k].box != piece.box || pieces[k].high < piece.low ||
        piece.high < pieces[k].low)
      continue;
    piece.low = pieces[k].low < piece.low ? pieces[k].low : piece.low;
    piece.high = pieces[k].high > piece.high ? pieces[k].high : piece.high;
    pieces[k] = pieces[--count];
    return addPiece(state, pieces, count, piece, grouped);
  }
  pieces[count] = piece;
  return count + 1;
}

// The pieces at a time. `pieces` has room for one a buffer.
static size_t listPieces(const BerthProofState *state, int64_t time,
                         BerthProofPiece *pieces) {
  size_t count = 0;
  for (uint32_t i = 0; i < state->problem->numBuffers; ++i) {
    bool grouped = state->problem->buffers[i].group != BERTH_NONE;
    BerthProofPiece piece;
    if (occupied(state, i, time, &piece))
      count = addPiece(state, pieces, count, piece, grouped);
  }
  return count;
}

static int compareTimes(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

// The times at which a segment, a gap, or what follows a gap begins. Whatever
// is occupied together is so at one of them.
static int64_t *listTimes(const BerthProofState *state, size_t *count) {
  const BerthProblemData *problem = state->problem;
  size_t most = 0, kept = 0;
  for (size_t i = 0; i < problem->numBuffers; ++i)
    most += problem->buffers[i].numSegments + 2 * problem->buffers[i].numGaps;
  int64_t *times = malloc((most + 1) * sizeof *times);
  *count = 0;
  if (!times)
    return NULL;
  for (size_t i = 0; i < problem->numBuffers; ++i) {
    const BerthBuffer *buffer = &problem->buffers[i];
    for (size_t s = 0; s < buffer->numSegments; ++s)
      times[(*count)++] = buffer->segments[s].lower;
    for (size_t g = 0; g < buffer->numGaps; ++g) {
      times[(*count)++] = buffer->gaps[g].lower;
      times[(*count)++] = buffer->gaps[g].upper;
    }
  }
  qsort(times, *count, sizeof *times, compareTimes);
  for (size_t i = 0; i < *count; ++i)
    if (kept == 0 || times[kept - 1] != times[i])
      times[kept++] = times[i];
  *count = kept;
  return times;
}

static bool boxFails(const BerthProofState *state, const BerthProofBox *box) {
  int64_t low = box->pin == BERTH_NONE ? 0 : box->pin;
  return low + box->size > state->height;
}

BerthStatus berthReplayLoadFails(BerthProofState *state, bool *fails,
                                 BerthError *error) {
  size_t numTimes;
  int64_t *times = listTimes(state, &numTimes);
  BerthProofPiece *pieces =
      malloc((state->problem->numBuffers + 1) * sizeof *pieces);
  *fails = false;
  for (uint32_t i = 0; i < state->numBoxes; ++i)
    *fails |= boxFails(state, &state->boxes[i]);
  for (size_t t = 0; times && pieces && t < numTimes && !*fails; ++t) {
    size_t count = listPieces(state, times[t], pieces);
    int64_t sum = 0;
    berthReplayFindOwn(state, pieces, count);
    for (size_t k = 0; k < count; ++k) {
      sum += state->own[pieces[k].box];
      state->own[pieces[k].box] = 0; // counted, however many pieces it has
    }
    *fails = sum > state->height;
  }
  bool failed = !times || !pieces;
  free(times);
  free(pieces);
  return failed ? outOfMemory(error) : BERTH_SUCCESS;
}

static bool fillPieces(BerthProofState *state) {
  size_t room = 0, most = state->problem->numBuffers;
  int64_t *times = listTimes(state, &state->numTimes);
  state->pieceBegin = calloc(state->numTimes + 1, sizeof *state->pieceBegin);
  bool fine = times && state->pieceBegin;
  for (size_t t = 0; fine && t < state->numTimes; ++t) {
    size_t begin = state->pieceBegin[t];
    if (room < begin + most || !state->pieces) {
      room = 2 * (begin + most) + 1;
      BerthProofPiece *grown = realloc(state->pieces, room * sizeof *grown);
      fine = grown != NULL;
      state->pieces = grown ? grown : state->pieces;
    }
    if (fine)
      state->pieceBegin[t + 1] =
          begin + listPieces(state, times[t], state->pieces + begin);
  }
  free(times);
  return fine;
}

//===---------------------------------------------------------------------===//
// Rivals
//===---------------------------------------------------------------------===//

/// A growing list of rivals.
typedef struct List {
  BerthProofRival *rivals;
  size_t count;
  size_t room;
  bool failed;
} List;

// What a distance leaves of what the times forbid.
static BerthProofRival clip(const BerthProofState *state, uint32_t box,
                            BerthProofRival rival) {
  for (size_t d = 0; d < state->numDistances; ++d) {
    const BerthProofDistance *distance = &state->distances[d];
    if (distance->spared == box && distance->other == rival.other) {
      rival.lower = larger(rival.lower, distance->lower);
      rival.upper = smaller(rival.upper, distance->upper);
    } else if (distance->spared == rival.other && distance->other == box) {
      rival.lower = larger(rival.lower, -distance->upper);
      rival.upper = smaller(rival.upper, -distance->lower);
    }
  }
  return rival;
}

static void append(List *list, BerthProofRival rival) {
  if (list->count == list->room) {
    size_t room = 2 * list->room + 64;
    BerthProofRival *grown = realloc(list->rivals, room * sizeof *grown);
    list->failed |= !grown;
    if (!grown)
      return;
    list->rivals = grown;
    list->room = room;
  }
  list->rivals[list->count++] = rival;
}

static bool isFree(const BerthProofState *state, const BerthEdge *edge) {
  for (size_t a = 0; a < edge->numAlternatives; ++a) {
    bool all = true;
    for (size_t c = 0; c < edge->alternatives[a].numCuts; ++c)
      all &= state->bought[edge->alternatives[a].cuts[c]] != 0;
    if (all)
      return true;
  }
  return false;
}

static void addByTimes(const BerthProofState *state, uint32_t box, List *list) {
  for (size_t t = 0; t < state->numTimes; ++t) {
    size_t begin = state->pieceBegin[t], end = state->pieceBegin[t + 1];
    for (size_t k = begin; k < end; ++k) {
      BerthProofPiece own = state->pieces[k];
      for (size_t m = begin; own.box == box && m < end; ++m) {
        BerthProofPiece other = state->pieces[m];
        BerthProofRival rival =
            clip(state, box,
                 (BerthProofRival){other.box, other.low - own.high,
                                   other.high - own.low});
        if (other.box != box && rival.lower < rival.upper - 1)
          append(list, rival);
      }
    }
  }
}

static void addByEdges(const BerthProofState *state, uint32_t box, List *list) {
  for (size_t e = 0; e < state->problem->numEdges; ++e) {
    const BerthEdge *edge = &state->problem->edges[e];
    uint32_t a = state->boxOf[edge->first], b = state->boxOf[edge->second];
    uint32_t other = a == box ? b : a;
    if ((a == box || b == box) && a != b && !isFree(state, edge))
      append(list, (BerthProofRival){other, -state->boxes[box].size,
                                     state->boxes[other].size});
  }
}

static int compareRivals(const void *a, const void *b) {
  const BerthProofRival *x = a, *y = b;
  if (x->other != y->other)
    return x->other < y->other ? -1 : 1;
  return (x->lower > y->lower) - (x->lower < y->lower);
}

// Sorts what stands from `begin` on; what overlaps becomes one.
static void mergeRivals(List *list, size_t begin) {
  size_t kept = begin;
  if (list->count == begin)
    return;
  qsort(list->rivals + begin, list->count - begin, sizeof *list->rivals,
        compareRivals);
  for (size_t k = begin; k < list->count; ++k) {
    BerthProofRival next = list->rivals[k];
    BerthProofRival *last = kept > begin ? &list->rivals[kept - 1] : NULL;
    if (!last || last->other != next.other || next.lower >= last->upper)
      list->rivals[kept++] = next;
    else if (next.upper > last->upper)
      last->upper = next.upper;
  }
  list->count = kept;
}

// Does an edge that is not bought off join buffers of one group?
static bool isTorn(const BerthProofState *state) {
  for (size_t e = 0; e < state->problem->numEdges; ++e) {
    const BerthEdge *edge = &state->problem->edges[e];
    if (state->boxOf[edge->first] == state->boxOf[edge->second] &&
        !isFree(state, edge))
      return true;
  }
  return false;
}

BerthStatus berthReplayFindRivals(BerthProofState *state, BerthError *error) {
  List list = {0};
  state->torn = isTorn(state);
  free(state->rivals);
  state->rivals = NULL;
  if (!state->pieceBegin && !fillPieces(state))
    return outOfMemory(error);
  for (uint32_t i = 0; i < state->numBoxes; ++i) {
    size_t begin = state->rivalBegin[i] = list.count;
    addByTimes(state, i, &list);
    addByEdges(state, i, &list);
    mergeRivals(&list, begin);
  }
  state->rivalBegin[state->numBoxes] = list.count;
  state->rivals = list.rivals;
  return list.failed ? outOfMemory(error) : BERTH_SUCCESS;
}

//===---------------------------------------------------------------------===//
// Memory
//===---------------------------------------------------------------------===//

BerthStatus berthReplayStateInit(BerthProofState *state,
                                 const BerthProblemData *problem,
                                 BerthError *error) {
  const BerthPool *pool = problem->numPools ? &problem->pools[0] : NULL;
  *state = (BerthProofState){
      .problem = problem,
      .reserved = pool ? pool->reserved : problem->reserved,
      .numReserved = pool ? pool->numReserved : problem->numReserved};
  size_t n = problem->numBuffers, blocks = n + state->numReserved;
  state->boxes = calloc(n + 1, sizeof *state->boxes);
  state->boxOf = calloc(n + 1, sizeof *state->boxOf);
  state->rivalBegin = calloc(n + 2, sizeof *state->rivalBegin);
  state->lows = calloc(n + 1, sizeof *state->lows);
  state->placed = calloc(n + 1, sizeof *state->placed);
  state->jobs = calloc(n + 2, sizeof *state->jobs);
  state->blocks = calloc(blocks + 1, sizeof *state->blocks);
  state->own = calloc(n + 1, sizeof *state->own);
  state->distances =
      calloc(problem->numDistances + 1, sizeof *state->distances);
  if (!state->boxes || !state->boxOf || !state->rivalBegin || !state->lows ||
      !state->placed || !state->jobs || !state->blocks || !state->own ||
      !state->distances)
    return outOfMemory(error);
  numberBoxes(state);
  listDistances(state);
  int64_t unit = findUnit(state);
  for (uint32_t i = 0; i < state->numBoxes; ++i)
    if (state->boxes[i].alignment == 1)
      state->boxes[i].alignment = unit;
  return BERTH_SUCCESS;
}

void berthReplayStateFree(BerthProofState *state) {
  free(state->boxes);
  free(state->boxOf);
  free(state->pieceBegin);
  free(state->pieces);
  free(state->rivalBegin);
  free(state->rivals);
  free(state->lows);
  free(state->placed);
  free(state->jobs);
  free(state->blocks);
  free(state->own);
  free(state->distances);
}
