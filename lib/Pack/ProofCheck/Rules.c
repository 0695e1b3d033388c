//===- Rules.c - What follows, and what cannot be -------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
//   free     a box lies where nothing placed and nothing reserved forbids it
//   rest     a box above 0 rests on the end of what a placed box or reserved
//            bytes forbid, exactly there, or on an unplaced one: then it may be
//            anywhere above the lowest such end
//   stack    what is live at a time, taken in the order of its lowest places,
//            fills the bytes that are free of what is placed or reserved; what
//            is spared is left out, or counts with its own bytes only
//
//===---------------------------------------------------------------------===//

#include "Pack/ProofCheck/Rules.h"

#include "Pack/ProofCheck/Boxes.h"

#include <stdlib.h>

static int64_t roundUp(int64_t value, int64_t alignment) {
  return value <= 0 ? 0 : (value + alignment - 1) / alignment * alignment;
}

enum { kMaxRounds = 1 << 16 };

static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

//===---------------------------------------------------------------------===//
// Free and rest
//===---------------------------------------------------------------------===//

// The lowest free offset at or above this one.
static int64_t nextFree(const BerthProofState *state, uint32_t box,
                        int64_t offset) {
  const BerthProofBox *b = &state->boxes[box];
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t r = 0; r < state->numReserved; ++r) {
      BerthRange range = state->reserved[r];
      if (offset < range.upper && range.lower < offset + b->size) {
        offset = roundUp(range.upper, b->alignment);
        changed = true;
      }
    }
    for (size_t k = state->rivalBegin[box]; k < state->rivalBegin[box + 1];
         ++k) {
      BerthProofRival rival = state->rivals[k];
      int64_t from = offset - state->lows[rival.other];
      if (state->placed[rival.other] && rival.lower < from &&
          from < rival.upper) {
        offset = roundUp(offset - from + rival.upper, b->alignment);
        changed = true;
      }
    }
  }
  return offset;
}

// The lowest offset, not below this one, at which the box can rest; -1: none.
static int64_t nextRest(const BerthProofState *state, uint32_t box,
                        int64_t offset) {
  int64_t alignment = state->boxes[box].alignment, lowest = -1;
  for (size_t r = 0; r < state->numReserved; ++r) {
    int64_t end = roundUp(state->reserved[r].upper, alignment);
    if (end >= offset && (lowest < 0 || end < lowest))
      lowest = end;
  }
  for (size_t k = state->rivalBegin[box]; k < state->rivalBegin[box + 1]; ++k) {
    BerthProofRival rival = state->rivals[k];
    int64_t end = roundUp(state->lows[rival.other] + rival.upper, alignment);
    if (!state->placed[rival.other])
      end = larger(end, offset);
    if (end >= offset && (lowest < 0 || end < lowest))
      lowest = end;
  }
  return lowest;
}

// Two boxes may push each other up for long; to give up early is no mistake.
static void propagate(BerthProofState *state) {
  bool changed = true;
  for (uint32_t r = 0; changed && r < kMaxRounds && !state->contradiction;
       ++r) {
    changed = false;
    for (uint32_t i = 0; i < state->numBoxes && !state->contradiction; ++i) {
      int64_t before = state->lows[i], low = before;
      if (state->placed[i])
        continue;
      low = nextFree(state, i, low);
      if (low > 0)
        low = nextRest(state, i, low);
      state->contradiction =
          low < 0 || low + state->boxes[i].size > state->height;
      state->lows[i] = low;
      changed |= low != before;
    }
  }
}

void berthReplayStart(BerthProofState *state) {
  state->contradiction = state->torn;
  for (uint32_t i = 0; i < state->numBoxes; ++i) {
    int64_t pin = state->boxes[i].pin;
    state->placed[i] = pin != BERTH_NONE;
    state->lows[i] = state->placed[i] ? pin : 0;
  }
  for (uint32_t i = 0; i < state->numBoxes; ++i)
    if (state->placed[i])
      state->contradiction |=
          nextFree(state, i, state->lows[i]) != state->lows[i] ||
          state->lows[i] + state->boxes[i].size > state->height;
  propagate(state);
}

void berthReplayPlace(BerthProofState *state, uint32_t box, int64_t offset) {
  state->contradiction |= state->lows[box] > offset;
  state->lows[box] = offset;
  state->placed[box] = true;
  state->contradiction |= nextFree(state, box, offset) != offset;
  propagate(state);
}

void berthReplayRaise(BerthProofState *state, uint32_t box, int64_t offset) {
  state->lows[box] = larger(state->lows[box],
                            roundUp(offset + 1, state->boxes[box].alignment));
  propagate(state);
}

//===---------------------------------------------------------------------===//
// Stack
//===---------------------------------------------------------------------===//

static void addBlock(BerthProofState *state, int64_t lower, int64_t upper) {
  size_t at = state->numBlocks++;
  for (; at > 0 && state->blocks[at - 1].lower > lower; --at)
    state->blocks[at] = state->blocks[at - 1];
  state->blocks[at] = (BerthRange){lower, upper};
}

static void addReserved(BerthProofState *state) {
  state->numBlocks = 0;
  for (size_t r = 0; r < state->numReserved; ++r)
    addBlock(state, state->reserved[r].lower, state->reserved[r].upper);
}

// Joins blocks between which nothing has room.
static void closeHoles(BerthProofState *state, int64_t smallest) {
  size_t kept = 0;
  int64_t top = 0;
  for (size_t k = 0; k < state->numBlocks; ++k) {
    BerthRange block = state->blocks[k];
    if (block.lower - top < smallest)
      block.lower = top;
    if (kept && block.lower <= state->blocks[kept - 1].upper)
      state->blocks[kept - 1].upper =
          larger(state->blocks[kept - 1].upper, block.upper);
    else
      state->blocks[kept++] = block;
    top = larger(top, block.upper);
  }
  state->numBlocks = kept;
}

// Where `size` free bytes from `height` on end.
static int64_t fill(const BerthProofState *state, int64_t height,
                    int64_t size) {
  for (size_t k = 0; k < state->numBlocks; ++k) {
    BerthRange block = state->blocks[k];
    if (block.upper <= height)
      continue;
    if (height + size <= block.lower)
      break;
    size -= larger(block.lower - height, 0);
    height = block.upper;
  }
  return height + size;
}

// Adds a job to `count` others, in the order of their lowest places.
static void addJob(BerthProofState *state, size_t count, BerthProofJob job) {
  BerthProofJob *jobs = state->jobs;
  for (; count > 0 && jobs[count - 1].low > job.low; --count)
    jobs[count] = jobs[count - 1];
  jobs[count] = job;
}

static bool overflows(BerthProofState *state, size_t count) {
  const BerthProofJob *jobs = state->jobs;
  int64_t height = 0, smallest = INT64_MAX;
  for (size_t k = 0; k < count; ++k)
    smallest = jobs[k].size < smallest ? jobs[k].size : smallest;
  closeHoles(state, smallest);
  for (size_t k = 0; k < count; ++k)
    height = fill(state, larger(height, jobs[k].low), jobs[k].size);
  // What has no room below a block is at least one whole job above it.
  for (size_t k = 0; k < state->numBlocks; ++k)
    if (state->blocks[k].upper < height)
      height = larger(height, state->blocks[k].upper + smallest);
  return height > state->height;
}

static bool isSparedAt(const BerthProofState *state, uint32_t box,
                       size_t time) {
  size_t begin = state->pieceBegin[time];
  return berthReplayIsSpared(state, box, state->pieces + begin,
                             state->pieceBegin[time + 1] - begin);
}

// Without those that are there in part there may be more holes too small.
static bool overflowsAt(BerthProofState *state, size_t time, bool wholeOnly) {
  size_t count = 0;
  addReserved(state);
  for (size_t k = state->pieceBegin[time]; k < state->pieceBegin[time + 1];
       ++k) {
    BerthProofPiece piece = state->pieces[k];
    int64_t low = state->lows[piece.box] + piece.low;
    int64_t size = piece.high - piece.low;
    if (wholeOnly && size < state->boxes[piece.box].size)
      continue;
    if (isSparedAt(state, piece.box, time))
      continue;
    if (state->placed[piece.box])
      addBlock(state, low, low + size);
    else
      addJob(state, count++, (BerthProofJob){low, size});
  }
  return overflows(state, count);
}

// Stacks what is there by the bytes that no other box is counted for. Which
// these are is not known, so they count as a box's lowest, and nothing is a
// block.
static bool ownOverflowsAt(BerthProofState *state, size_t time) {
  size_t begin = state->pieceBegin[time], count = 0;
  size_t here = state->pieceBegin[time + 1] - begin;
  const BerthProofPiece *pieces = state->pieces + begin;
  berthReplayFindOwn(state, pieces, here);
  state->numBlocks = 0;
  for (size_t k = 0; k < here; ++k) {
    int64_t size = pieces[k].high - pieces[k].low;
    int64_t low = pieces[k].low;
    if (berthReplayIsSpared(state, pieces[k].box, pieces, here)) {
      size = state->own[pieces[k].box];
      for (size_t m = 0; m < here; ++m)
        if (pieces[m].box == pieces[k].box)
          low = pieces[m].low < low ? pieces[m].low : low;
      state->own[pieces[k].box] = 0;
    }
    addJob(state, count++,
           (BerthProofJob){state->lows[pieces[k].box] + low, size});
  }
  return overflows(state, count);
}

// Do the two stand one above the other, wherever they are?
static bool keepApart(const BerthProofState *state, uint32_t a, uint32_t b) {
  for (size_t k = state->rivalBegin[a]; k < state->rivalBegin[a + 1]; ++k)
    if (state->rivals[k].other == b &&
        state->rivals[k].lower == -state->boxes[a].size &&
        state->rivals[k].upper == state->boxes[b].size)
      return true;
  return false;
}

static bool pairOverflows(BerthProofState *state, uint32_t a, uint32_t b) {
  if (state->placed[a] || state->placed[b] || !keepApart(state, a, b))
    return false;
  addReserved(state);
  addJob(state, 0, (BerthProofJob){state->lows[a], state->boxes[a].size});
  addJob(state, 1, (BerthProofJob){state->lows[b], state->boxes[b].size});
  return overflows(state, 2);
}

bool berthReplayHasFailed(BerthProofState *state) {
  if (state->contradiction)
    return true;
  for (size_t t = 0; t < state->numTimes; ++t)
    if (overflowsAt(state, t, false) || overflowsAt(state, t, true) ||
        (state->numDistances && ownOverflowsAt(state, t)))
      return true;
  for (uint32_t i = 0; i < state->numBoxes; ++i)
    for (size_t k = state->rivalBegin[i]; k < state->rivalBegin[i + 1]; ++k)
      if (state->rivals[k].other < i &&
          pairOverflows(state, i, state->rivals[k].other))
        return true;
  return false;
}

//===---------------------------------------------------------------------===//
// Alignments and cliques
//===---------------------------------------------------------------------===//

// Boxes at multiples of the alignment take their sizes rounded up to it, all
// but the topmost one.
static bool failsAlignedAt(const BerthProofState *state, size_t time,
                           int64_t alignment) {
  int64_t sum = 0, spared = 0;
  for (size_t k = state->pieceBegin[time]; k < state->pieceBegin[time + 1];
       ++k) {
    const BerthProofBox *box = &state->boxes[state->pieces[k].box];
    int64_t size = state->pieces[k].high - state->pieces[k].low;
    if (size < box->size || box->alignment % alignment ||
        isSparedAt(state, state->pieces[k].box, time))
      continue;
    spared = larger(spared, roundUp(size, alignment) - size);
    sum += roundUp(size, alignment);
  }
  return sum - spared > state->height;
}

bool berthReplayFailsAligned(BerthProofState *state, int64_t alignment) {
  for (size_t t = 0; t < state->numTimes; ++t)
    if (failsAlignedAt(state, t, alignment))
      return true;
  return false;
}

// Do these bytes never overlap, wherever the boxes lie?
static bool partsKeepApart(const BerthProofState *state,
                           const BerthProofPiece *a, const BerthProofPiece *b) {
  if (a->box == b->box)
    return a->high <= b->low || b->high <= a->low;
  for (size_t k = state->rivalBegin[a->box]; k < state->rivalBegin[a->box + 1];
       ++k)
    if (state->rivals[k].other == b->box &&
        state->rivals[k].lower <= b->low - a->high &&
        state->rivals[k].upper >= b->high - a->low)
      return true;
  return false;
}

bool berthReplayPartsFail(const BerthProofState *state,
                          const BerthProofPiece *parts, size_t count) {
  int64_t sum = 0;
  for (size_t i = 0; i < count; ++i) {
    for (size_t j = 0; j < i; ++j)
      if (!partsKeepApart(state, &parts[i], &parts[j]))
        return false;
    sum += parts[i].high - parts[i].low; // so no byte counts twice
  }
  return sum > state->height;
}

//===----------------------------------------------------------------------===//
// Orders
//===----------------------------------------------------------------------===//
//
// What is live together is put up box by box, in all orders at once: from the
// sets of k boxes that can stand within the height come those of k + 1. Of a
// set only the lowest top counts.

/// Boxes one above the other.
typedef struct Standing {
  uint64_t boxes;
  int64_t top; ///< -1: no set
} Standing;

typedef struct Layer {
  Standing *sets; ///< by hash
  size_t count, size;
} Layer;

enum { kFirstSets = 1 << 10 };

static bool initLayer(Layer *layer, size_t size) {
  *layer = (Layer){.sets = malloc(size * sizeof *layer->sets), .size = size};
  for (size_t k = 0; layer->sets && k < size; ++k)
    layer->sets[k].top = -1;
  return layer->sets != NULL;
}

static Standing *findSet(const Layer *layer, uint64_t boxes) {
  uint64_t hash = boxes * UINT64_C(0x9E3779B97F4A7C15);
  size_t at = (size_t)(hash >> 32) & (layer->size - 1);
  while (layer->sets[at].top >= 0 && layer->sets[at].boxes != boxes)
    at = (at + 1) & (layer->size - 1);
  return &layer->sets[at];
}

static bool growLayer(Layer *layer) {
  Layer larger;
  if (!initLayer(&larger, 2 * layer->size))
    return false;
  for (size_t k = 0; k < layer->size; ++k)
    if (layer->sets[k].top >= 0)
      *findSet(&larger, layer->sets[k].boxes) = layer->sets[k];
  larger.count = layer->count;
  free(layer->sets);
  *layer = larger;
  return true;
}

// False: too many sets.
static bool addSet(Layer *layer, uint64_t boxes, int64_t top) {
  Standing *set = findSet(layer, boxes);
  if (set->top >= 0) {
    set->top = top < set->top ? top : set->top;
    return true;
  }
  *set = (Standing){boxes, top};
  return 2 * ++layer->count < layer->size ||
         (layer->count < kProofMaxSets && growLayer(layer));
}

// Where the box ends that lies as low as it can, but not below `from`.
static int64_t endAbove(const BerthProofState *state, const BerthProofBox *box,
                        int64_t from) {
  int64_t offset = roundUp(from, box->alignment);
  for (size_t k = 0; k < state->numBlocks; ++k)
    if (offset < state->blocks[k].upper &&
        state->blocks[k].lower < offset + box->size)
      offset = roundUp(state->blocks[k].upper, box->alignment);
  return offset + box->size;
}

typedef struct Stack {
  const BerthProofState *state;
  uint32_t count;
  const BerthProofBox *boxes[kProofMaxClique];
  uint64_t equal[kProofMaxClique]; ///< earlier ones, which may as well go first
  int64_t sum;
} Stack;

static void addToStack(Stack *stack, const BerthProofBox *box) {
  uint32_t own = stack->count++;
  stack->boxes[own] = box;
  stack->equal[own] = 0;
  stack->sum += box->size;
  for (uint32_t k = 0; k < own; ++k)
    if (stack->boxes[k]->size == box->size &&
        stack->boxes[k]->alignment == box->alignment)
      stack->equal[own] |= UINT64_C(1) << k;
}

// True, and the sets with one box more: as far as what is left has room above.
static bool putUpOneMore(const Stack *stack, const Layer *layer, Layer *next) {
  for (size_t s = 0; s < layer->size; ++s) {
    Standing set = layer->sets[s];
    int64_t left = stack->sum;
    for (uint32_t k = 0; set.top >= 0 && k < stack->count; ++k)
      if (set.boxes >> k & 1)
        left -= stack->boxes[k]->size;
    for (uint32_t k = 0; set.top >= 0 && k < stack->count; ++k) {
      if (set.boxes >> k & 1 || stack->equal[k] & ~set.boxes)
        continue;
      int64_t top = endAbove(stack->state, stack->boxes[k], set.top);
      if (top + left - stack->boxes[k]->size <= stack->state->height &&
          !addSet(next, set.boxes | UINT64_C(1) << k, top))
        return false;
    }
  }
  return true;
}

// True if no order of them stays within the height. Too many sets prove
// nothing.
static bool failsInAllOrders(const Stack *stack) {
  Layer layer, next = {0};
  bool isKnown = initLayer(&layer, kFirstSets) && addSet(&layer, 0, 0);
  for (uint32_t k = 0; isKnown && layer.count && k < stack->count; ++k) {
    isKnown =
        initLayer(&next, kFirstSets) && putUpOneMore(stack, &layer, &next);
    free(layer.sets);
    layer = next;
  }
  bool fails = isKnown && layer.count == 0;
  free(layer.sets);
  return fails;
}

bool berthReplayCliqueFails(BerthProofState *state, const uint32_t *boxes,
                            uint32_t count) {
  Stack stack = {.state = state};
  int64_t sum = 0;
  for (uint32_t i = 0; i < count; ++i)
    for (uint32_t j = 0; j < i; ++j)
      if (!keepApart(state, boxes[i], boxes[j]))
        return false;
  for (uint32_t i = 0; i < count; ++i)
    sum += state->boxes[boxes[i]].size;
  if (count > kProofMaxClique || sum > state->height)
    return sum > state->height;
  addReserved(state);
  for (uint32_t i = 0; i < count; ++i) {
    int64_t low = state->lows[boxes[i]];
    if (state->placed[boxes[i]])
      addBlock(state, low, low + state->boxes[boxes[i]].size);
    else
      addToStack(&stack, &state->boxes[boxes[i]]);
  }
  return failsInAllOrders(&stack);
}
