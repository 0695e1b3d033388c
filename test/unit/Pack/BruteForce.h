//===- BruteForce.h - The truth about tiny problems ---------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Tries every offset of every buffer, byte by byte. The arena is a picture: one
// 64-bit word a time, one bit a byte, so a problem may have at most 64 bytes
// and 16 times. It shares nothing with the library but the problem's data
// types.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_TEST_BRUTEFORCE_H
#define BERTH_TEST_BRUTEFORCE_H

#include "berth-c/Pack.h"

#include <string.h>

enum { kBruteTimes = 16, kBruteItems = 8, kBruteBytes = 60 };

/// A buffer, or a group as the one buffer that it is.
typedef struct BruteItem {
  int64_t size;
  int64_t fixedOffset;
  int64_t offset; ///< the trial
  uint32_t pool;  ///< the trial; 0 where there are no pools
  uint64_t picture[kBruteTimes];
  uint32_t members; ///< bit i: buffer i
} BruteItem;

typedef struct BruteForce {
  const BerthProblemData *problem;
  uint32_t cutsBought; ///< bit i: cut i
  size_t numItems;
  BruteItem items[kBruteItems];
  int64_t limit;   ///< no top may be above
  bool wantPinned; ///< leaves the items without pins out
} BruteForce;

static inline uint64_t bruteBytes(int64_t low, int64_t high) {
  return ((UINT64_C(1) << high) - 1) & ~((UINT64_C(1) << low) - 1);
}

// What of its bytes a buffer occupies at a time; `size` is its group's.
static inline uint64_t bruteOccupied(const BerthBuffer *buffer, int64_t time,
                                     int64_t size) {
  for (size_t i = 0; i < buffer->numGaps; ++i)
    if (buffer->gaps[i].lower <= time && time < buffer->gaps[i].upper)
      return bruteBytes(buffer->gaps[i].windowLower,
                        buffer->gaps[i].windowUpper);
  for (size_t i = 0; i < buffer->numSegments; ++i)
    if (buffer->segments[i].lower <= time && time < buffer->segments[i].upper)
      return bruteBytes(0, size);
  return 0;
}

static inline BruteForce bruteForce(const BerthProblemData *problem,
                                    uint32_t cutsBought) {
  BruteForce brute = {.problem = problem, .cutsBought = cutsBought};
  for (uint32_t i = 0; i < problem->numBuffers; ++i) {
    const BerthBuffer *buffer = &problem->buffers[i];
    size_t at = brute.numItems;
    for (size_t j = 0; j < brute.numItems && buffer->group != BERTH_NONE; ++j)
      if (problem->buffers[__builtin_ctz(brute.items[j].members)].group ==
          buffer->group)
        at = j;
    BruteItem *item = &brute.items[at];
    if (at == brute.numItems) {
      ++brute.numItems;
      item->fixedOffset = BERTH_NONE;
    }
    item->members |= 1u << i;
    item->size = buffer->size > item->size ? buffer->size : item->size;
    if (buffer->fixedOffset != BERTH_NONE)
      item->fixedOffset = buffer->fixedOffset;
  }
  for (size_t at = 0; at < brute.numItems; ++at)
    for (uint32_t i = 0; i < problem->numBuffers; ++i)
      for (int64_t t = 0; t < kBruteTimes; ++t)
        if (brute.items[at].members >> i & 1)
          brute.items[at].picture[t] |=
              bruteOccupied(&problem->buffers[i], t, brute.items[at].size);
  return brute;
}

static inline bool bruteIsBought(const BruteForce *brute,
                                 const BerthEdge *edge) {
  for (size_t i = 0; i < edge->numAlternatives; ++i) {
    bool all = true;
    for (size_t j = 0; j < edge->alternatives[i].numCuts; ++j)
      all &= brute->cutsBought >> edge->alternatives[i].cuts[j] & 1;
    if (all)
      return true;
  }
  return false;
}

// Does an edge keep the two items apart?
static inline bool bruteApart(const BruteForce *brute, const BruteItem *a,
                              const BruteItem *b) {
  for (size_t i = 0; i < brute->problem->numEdges; ++i) {
    const BerthEdge *edge = &brute->problem->edges[i];
    bool joins = (a->members >> edge->first & b->members >> edge->second & 1) ||
                 (a->members >> edge->second & b->members >> edge->first & 1);
    if (joins && !bruteIsBought(brute, edge))
      return true;
  }
  return false;
}

// Does the distance let the two share bytes where they are?
static inline bool bruteMayShare(const BruteForce *brute, const BruteItem *a,
                                 const BruteItem *b) {
  for (size_t i = 0; i < brute->problem->numDistances; ++i) {
    const BerthDistance *distance = &brute->problem->distances[i];
    uint32_t first = distance->first, second = distance->second;
    bool same = a->members >> first & b->members >> second & 1;
    bool turned = b->members >> first & a->members >> second & 1;
    int64_t d = same ? b->offset - a->offset : a->offset - b->offset;
    if ((same || turned) && (d <= distance->lower || d >= distance->upper))
      return true;
  }
  return false;
}

// May the item stand at its trial offset, given the items before it?
static inline bool bruteAllowed(const BruteForce *brute, size_t at) {
  const BruteItem *item = &brute->items[at];
  const BerthProblemData *problem = brute->problem;
  int64_t low = item->offset, high = low + item->size;
  if (item->fixedOffset != BERTH_NONE && item->fixedOffset != low)
    return false;
  if (bruteApart(brute, item, item)) // an edge within its group
    return false;
  for (size_t i = 0; i < problem->numBuffers; ++i)
    if (item->members >> i & 1 && low % problem->buffers[i].alignment)
      return false;
  bool pools = problem->numPools > 0;
  const BerthPool *pool = pools ? &problem->pools[item->pool] : NULL;
  const BerthRange *reserved = pools ? pool->reserved : problem->reserved;
  for (size_t i = 0; i < (pools ? pool->numReserved : problem->numReserved);
       ++i)
    if (low < reserved[i].upper && reserved[i].lower < high)
      return false;
  for (size_t i = 0; i < at && i < kBruteItems; ++i) {
    const BruteItem *other = &brute->items[i];
    uint64_t shared = 0;
    if (other->pool != item->pool)
      continue;
    for (size_t t = 0; t < kBruteTimes; ++t)
      shared |= item->picture[t] << low & other->picture[t] << other->offset;
    if (shared && bruteMayShare(brute, item, other))
      shared = 0;
    if (shared || (low < other->offset + other->size && other->offset < high &&
                   bruteApart(brute, item, other)))
      return false;
  }
  return true;
}

static inline bool bruteSearch(BruteForce *brute, size_t at) {
  if (at == brute->numItems || at == kBruteItems)
    return true;
  BruteItem *item = &brute->items[at];
  for (item->offset = 0; item->offset + item->size <= brute->limit;
       ++item->offset)
    if (bruteAllowed(brute, at) && bruteSearch(brute, at + 1))
      return true;
  return false;
}

/// The smallest peak of any plan with these cuts bought and a single pool, or
/// -1 where none is at most `most` (<= 60).
static inline int64_t brutePeak(const BerthProblemData *problem,
                                uint32_t cutsBought, int64_t most) {
  BruteForce brute = bruteForce(problem, cutsBought);
  for (brute.limit = 0; brute.limit <= most; ++brute.limit)
    if (bruteSearch(&brute, 0))
      return brute.limit;
  return -1;
}

//===---------------------------------------------------------------------===//
// Pools
//===---------------------------------------------------------------------===//

/// The best of all plans within the problem's pools, no top above kBruteTop.
typedef struct BruteBest {
  bool fits;
  int64_t poolCost; ///< the least of those that fit
  int64_t peak;     ///< the least of those with the least cost
  int64_t price;    ///< of the cuts bought
} BruteBest;

enum { kBruteTop = 40 };

static inline bool bruteLeftOut(const BruteForce *brute,
                                const BruteItem *item) {
  return brute->wantPinned && item->fixedOffset == BERTH_NONE;
}

// The smallest top of the items in one pool, or -1 where none is at most
// `most`. Items in other pools stand aside.
static inline int64_t brutePoolPeak(const BruteForce *whole, uint32_t pool,
                                    int64_t most) {
  BruteForce brute = *whole;
  brute.numItems = 0;
  for (size_t at = 0; at < whole->numItems && at < kBruteItems; ++at)
    if (whole->items[at].pool == pool &&
        !bruteLeftOut(whole, &whole->items[at]))
      brute.items[brute.numItems++] = whole->items[at];
  for (brute.limit = 0; brute.limit <= most; ++brute.limit)
    if (bruteSearch(&brute, 0))
      return brute.limit;
  return -1;
}

static inline bool bruteMayUse(const BruteForce *brute, const BruteItem *item,
                               uint32_t pool) {
  for (size_t i = 0; i < brute->problem->numBuffers; ++i)
    if (item->members >> i & 1 && brute->problem->buffers[i].pools &&
        !(brute->problem->buffers[i].pools >> pool & 1))
      return false;
  return true;
}

static inline int64_t brutePoolCost(const BruteForce *brute) {
  const BerthProblemData *problem = brute->problem;
  int64_t cost = 0;
  for (size_t i = 0; i < problem->numBuffers; ++i)
    for (size_t at = 0; at < brute->numItems && at < kBruteItems; ++at)
      if (brute->items[at].members >> i & 1)
        cost += problem->buffers[i].size * problem->buffers[i].weight *
                problem->pools[brute->items[at].pool].cost;
  return cost;
}

// Judges the items' pools as they are.
static inline void bruteTryPools(const BruteForce *brute, BruteBest *best) {
  const BerthProblemData *problem = brute->problem;
  int64_t peak = 0, cost = brutePoolCost(brute);
  if (best->fits && cost > best->poolCost)
    return;
  for (uint32_t pool = 0; pool < problem->numPools; ++pool) {
    int64_t capacity = brute->wantPinned ? 0 : problem->pools[pool].capacity;
    int64_t most = capacity && capacity < kBruteTop ? capacity : kBruteTop;
    int64_t top = brutePoolPeak(brute, pool, most);
    if (top < 0)
      return;
    peak += top;
  }
  if (best->fits && cost == best->poolCost && peak > best->peak)
    return;
  *best = (BruteBest){true, cost, peak, 0};
}

static inline void bruteChoosePools(BruteForce *brute, size_t at,
                                    BruteBest *best) {
  if (at == brute->numItems || at == kBruteItems) {
    bruteTryPools(brute, best);
    return;
  }
  BruteItem *item = &brute->items[at];
  for (item->pool = 0; item->pool < brute->problem->numPools; ++item->pool) {
    bool out = bruteLeftOut(brute, item);
    if (out || bruteMayUse(brute, item, item->pool))
      bruteChoosePools(brute, at + 1, best);
    if (out)
      break;
  }
}

/// Tries every choice of pools. With `onlyPinned` the other buffers are left
/// out, and so are the capacities.
static inline BruteBest brutePools(const BerthProblemData *problem,
                                   uint32_t cutsBought, bool onlyPinned) {
  BruteForce brute = bruteForce(problem, cutsBought);
  BruteBest best = {.fits = false};
  brute.wantPinned = onlyPinned;
  bruteChoosePools(&brute, 0, &best);
  return best;
}

static inline bool bruteFindPools(BruteForce *brute, size_t at, int64_t peak,
                                  int64_t poolCost) {
  const BerthProblemData *problem = brute->problem;
  if (at == brute->numItems || at == kBruteItems) {
    BruteBest best = {.fits = false};
    bruteTryPools(brute, &best);
    return best.fits && best.peak <= peak && best.poolCost <= poolCost;
  }
  BruteItem *item = &brute->items[at];
  for (item->pool = 0; item->pool < problem->numPools; ++item->pool)
    if (bruteMayUse(brute, item, item->pool) &&
        bruteFindPools(brute, at + 1, peak, poolCost))
      return true;
  return false;
}

/// Is there a choice of pools with a plan that has neither a higher peak nor a
/// higher pool cost?
static inline bool brutePoolsWithin(const BerthProblemData *problem,
                                    uint32_t cutsBought, int64_t peak,
                                    int64_t poolCost) {
  BruteForce brute = bruteForce(problem, cutsBought);
  return bruteFindPools(&brute, 0, peak, poolCost);
}

/// Is it true that no plan has at most this peak, price and pool cost? (Peaks
/// up to `most` are looked at.)
static inline bool bruteIsRefuted(const BerthProblemData *problem, int64_t peak,
                                  int64_t price, int64_t poolCost,
                                  int64_t most) {
  for (uint32_t set = 0; set < 1u << problem->numCuts; ++set) {
    int64_t sum = 0;
    for (uint32_t c = 0; c < problem->numCuts; ++c)
      sum += set >> c & 1 ? problem->cuts[c].price : 0;
    if (sum > price)
      continue;
    if (problem->numPools
            ? brutePoolsWithin(problem, set, peak, poolCost)
            : brutePeak(problem, set, peak < most ? peak : most) >= 0)
      return false;
  }
  return true;
}

static inline bool bruteIsBetter(const BruteBest *a, const BruteBest *b,
                                 bool priceFirst) {
  if (!a->fits || !b->fits)
    return a->fits;
  if (a->poolCost != b->poolCost)
    return a->poolCost < b->poolCost;
  if (priceFirst && a->price != b->price)
    return a->price < b->price;
  return a->peak != b->peak ? a->peak < b->peak : a->price < b->price;
}

/// The same for every set of cuts: the best of all.
static inline BruteBest brutePoolsAndCuts(const BerthProblemData *problem) {
  BruteBest best = {.fits = false};
  bool capacity = false;
  for (size_t pool = 0; pool < problem->numPools; ++pool)
    capacity |= problem->pools[pool].capacity > 0;
  for (uint32_t set = 0; set < 1u << problem->numCuts; ++set) {
    BruteBest next = brutePools(problem, set, false);
    for (uint32_t c = 0; c < problem->numCuts; ++c)
      next.price += set >> c & 1 ? problem->cuts[c].price : 0;
    if (bruteIsBetter(&next, &best, capacity))
      best = next;
  }
  return best;
}

#endif // BERTH_TEST_BRUTEFORCE_H
