//===- ItemTree.c - The best item within some sections -------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Pack/Place/ItemTree.h"

#include "Support/Bitset.h"

#include <string.h>

//===---------------------------------------------------------------------===//
// Building
//===---------------------------------------------------------------------===//

// The order of starts is there already, so ends have to differ so many times
// more than starts for a node to be split by them.
enum { kMuchMore = 4 };

typedef struct Builder {
  const uint32_t *lowers;
  const uint32_t *uppers;
  uint32_t *order; ///< items, those of a node side by side
  BerthItemBox *boxes;
  uint32_t *leafOf;
  uint64_t *inOrder;
} Builder;

// Of a range of items, how far their ends differ.
static uint64_t spreadOf(const Builder *builder, uint32_t from, uint32_t to,
                         const uint32_t *numbers) {
  uint32_t least = UINT32_MAX, most = 0;
  for (uint32_t k = from; k < to; ++k) {
    uint32_t number = numbers[builder->order[k]];
    least = number < least ? number : least;
    most = number > most ? number : most;
  }
  return (uint64_t)most - least;
}

static BerthItemBox joinBoxes(BerthItemBox a, BerthItemBox b) {
  a.minLower = b.minLower < a.minLower ? b.minLower : a.minLower;
  a.maxLower = b.maxLower > a.maxLower ? b.maxLower : a.maxLower;
  a.minUpper = b.minUpper < a.minUpper ? b.minUpper : a.minUpper;
  a.maxUpper = b.maxUpper > a.maxUpper ? b.maxUpper : a.maxUpper;
  return a;
}

static uint64_t keyOf(const uint32_t *numbers, uint32_t item) {
  return (uint64_t)numbers[item] << 32 | item;
}

// Moves the smallest ones of [from, to) by these numbers before `middle`
// (Hoare's quickselect).
static void split(uint32_t *order, const uint32_t *numbers, uint32_t from,
                  uint32_t to, uint32_t middle) {
  while (to - from > 1) {
    uint64_t pivot = keyOf(numbers, order[from + (to - from) / 2]);
    uint32_t low = from, high = to - 1;
    for (;; ++low, --high) {
      while (keyOf(numbers, order[low]) < pivot)
        ++low;
      while (keyOf(numbers, order[high]) > pivot)
        --high;
      if (low >= high)
        break;
      uint32_t swap = order[low];
      order[low] = order[high];
      order[high] = swap;
    }
    // The pivot stands at `low`; what is before it is smaller.
    if (middle <= low)
      to = low;
    else
      from = low + 1;
    if (middle == low || middle == low + 1)
      return;
  }
}

static void buildLeaf(Builder *builder, uint32_t node, uint32_t from,
                      uint32_t to) {
  builder->boxes[node] = (BerthItemBox){UINT32_MAX, 0, UINT32_MAX, 0};
  if (from == to)
    return;
  uint32_t item = builder->order[from];
  uint32_t lower = builder->lowers[item], upper = builder->uppers[item];
  builder->boxes[node] = (BerthItemBox){lower, lower, upper, upper};
  builder->leafOf[item] = node;
}

// `room`: leaves below the node; those to the left are filled first. `inOrder`:
// its items stand in the order of their starts.
static void buildNode(Builder *builder, uint32_t node, uint32_t room,
                      uint32_t from, uint32_t to, bool inOrder) {
  if (inOrder)
    berthBitSet(builder->inOrder, node);
  if (room == 1) {
    buildLeaf(builder, node, from, to);
    return;
  }
  uint32_t middle = to - from > room / 2 ? from + room / 2 : to;
  if (middle < to) {
    uint64_t ends = spreadOf(builder, from, to, builder->uppers);
    uint64_t starts = spreadOf(builder, from, to, builder->lowers);
    bool byEnds = ends > kMuchMore * starts;
    if (byEnds || !inOrder)
      split(builder->order, byEnds ? builder->uppers : builder->lowers, from,
            to, middle);
    inOrder &= !byEnds;
  }
  buildNode(builder, 2 * node, room / 2, from, middle, inOrder);
  buildNode(builder, 2 * node + 1, room / 2, middle, to, inOrder);
  builder->boxes[node] =
      joinBoxes(builder->boxes[2 * node], builder->boxes[2 * node + 1]);
}

bool berthItemTreeInit(BerthItemTree *tree, const uint32_t *lowers,
                       const uint32_t *uppers, uint32_t numItems,
                       const uint32_t *firstAt, BerthMemory *arena) {
  *tree =
      (BerthItemTree){.numItems = numItems, .leaves = 1, .firstAt = firstAt};
  while (tree->leaves < numItems)
    tree->leaves *= 2;
  size_t nodes = 2 * (size_t)tree->leaves;
  BerthMemory scratch = {0};
  Builder builder = {
      .lowers = lowers,
      .uppers = uppers,
      .order = BERTH_MEMORY_NEW(&scratch, uint32_t, numItems),
      .boxes = BERTH_MEMORY_NEW(arena, BerthItemBox, nodes),
      .leafOf = BERTH_MEMORY_NEW(arena, uint32_t, numItems),
      .inOrder = BERTH_MEMORY_NEW(arena, uint64_t, berthBitWords(nodes))};
  bool ready =
      builder.order && builder.boxes && builder.leafOf && builder.inOrder;
  for (uint32_t k = 0; ready && k < numItems; ++k)
    builder.order[k] = k;
  if (ready)
    buildNode(&builder, 1, tree->leaves, 0, numItems, true);
  tree->boxes = builder.boxes;
  tree->leafOf = builder.leafOf;
  tree->inOrder = builder.inOrder;
  berthMemoryFree(&scratch);
  return ready && berthItemTreeInitLike(tree, tree, arena);
}

bool berthItemTreeInitLike(BerthItemTree *tree, const BerthItemTree *other,
                           BerthMemory *arena) {
  size_t nodes = 2 * (size_t)other->leaves;
  uint32_t *best = BERTH_MEMORY_NEW(arena, uint32_t, nodes);
  *tree = *other;
  tree->best = best;
  if (best)
    memset(best, 0xFF, nodes * sizeof *best);
  return best != NULL;
}

//===---------------------------------------------------------------------===//
// Ranks
//===---------------------------------------------------------------------===//

static uint32_t smaller(uint32_t a, uint32_t b) { return a < b ? a : b; }

void berthItemTreeBuild(BerthItemTree *tree) {
  uint32_t *best = tree->best;
  for (uint32_t node = tree->leaves; node-- > 1;)
    best[node] = smaller(best[2 * node], best[2 * node + 1]);
}

void berthItemTreeRemove(BerthItemTree *tree, uint32_t item) {
  uint32_t *best = tree->best, node = tree->leafOf[item];
  best[node] = UINT32_MAX;
  while (node /= 2) {
    uint32_t joined = smaller(best[2 * node], best[2 * node + 1]);
    if (joined == best[node])
      break;
    best[node] = joined;
  }
}

//===---------------------------------------------------------------------===//
// Queries
//===---------------------------------------------------------------------===//

/// Items that start in [lower, before) and end in (above, upper].
typedef struct Query {
  const BerthItemBox *boxes;
  const uint32_t *best;
  uint32_t leaves;
  uint32_t lower;
  uint32_t before;
  uint32_t above;
  uint32_t upper;
  uint32_t found; ///< the best rank so far
  uint64_t work;
} Query;

static bool mayHelp(const Query *query, uint32_t node) {
  const BerthItemBox *box = &query->boxes[node];
  return query->best[node] < query->found && box->minUpper <= query->upper &&
         box->maxLower >= query->lower && box->minLower < query->before &&
         box->maxUpper > query->above;
}

static bool isWithin(const Query *query, uint32_t node) {
  const BerthItemBox *box = &query->boxes[node];
  return query->lower <= box->minLower && box->maxLower < query->before &&
         query->above < box->minUpper && box->maxUpper <= query->upper;
}

// Nodes with better ranks first, since what they hold makes others needless.
static void descend(Query *query, uint32_t node) {
  while (mayHelp(query, node)) {
    ++query->work;
    if (node >= query->leaves || isWithin(query, node)) {
      query->found = query->best[node];
      return;
    }
    uint32_t left = 2 * node, right = left + 1;
    bool leftFirst = query->best[left] < query->best[right];
    descend(query, leftFirst ? left : right);
    node = leftFirst ? right : left;
  }
}

// The lowest node in order above all that start in [lower, before).
static uint32_t nodeAbove(const BerthItemTree *tree, uint32_t lower,
                          uint32_t before) {
  uint32_t from = tree->firstAt[lower], to = tree->firstAt[before];
  uint32_t node = tree->leaves + from, last = tree->leaves + to - 1;
  if (from == to)
    return 0;
  while (node != last || !berthBitTest(tree->inOrder, node)) {
    node /= 2;
    last /= 2;
  }
  return node;
}

uint32_t berthItemTreeFind(BerthItemTree *tree, uint32_t lower, uint32_t before,
                           uint32_t above, uint32_t upper) {
  uint32_t node = nodeAbove(tree, lower, before);
  Query query = {tree->boxes, tree->best, tree->leaves, lower, before,
                 above,       upper,      UINT32_MAX,   1};
  if (node)
    descend(&query, node);
  tree->work += query.work;
  return query.found;
}
