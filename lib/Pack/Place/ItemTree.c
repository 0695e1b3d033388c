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
  BerthItemSpan *spans;
  uint32_t *slotOf;
  uint64_t *inOrder;
  uint32_t leaves;
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
  uint32_t slot = (node - builder->leaves) * kBerthLeafSlots;
  BerthItemBox box = {UINT32_MAX, 0, UINT32_MAX, 0};
  for (uint32_t k = from; k < to; ++k, ++slot) {
    uint32_t item = builder->order[k];
    uint32_t lower = builder->lowers[item], upper = builder->uppers[item];
    builder->spans[slot] = (BerthItemSpan){lower, upper};
    builder->slotOf[item] = slot;
    box = joinBoxes(box, (BerthItemBox){lower, lower, upper, upper});
  }
  builder->boxes[node] = box;
}

// `room`: slots below the node; those to the left are filled first. `inOrder`:
// its items stand in the order of their starts.
static void buildNode(Builder *builder, uint32_t node, uint32_t room,
                      uint32_t from, uint32_t to, bool inOrder) {
  if (inOrder)
    berthBitSet(builder->inOrder, node);
  if (room == kBerthLeafSlots) {
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
  while (tree->leaves * (uint64_t)kBerthLeafSlots < numItems)
    tree->leaves *= 2;
  size_t nodes = 2 * (size_t)tree->leaves;
  uint32_t slots = tree->leaves * kBerthLeafSlots;
  BerthMemory scratch = {0};
  Builder builder = {
      .lowers = lowers,
      .uppers = uppers,
      .order = BERTH_MEMORY_NEW(&scratch, uint32_t, numItems),
      .boxes = BERTH_MEMORY_NEW(arena, BerthItemBox, nodes),
      .spans = BERTH_MEMORY_NEW(arena, BerthItemSpan, slots),
      .slotOf = BERTH_MEMORY_NEW(arena, uint32_t, numItems),
      .inOrder = BERTH_MEMORY_NEW(arena, uint64_t, berthBitWords(nodes)),
      .leaves = tree->leaves};
  bool ready = builder.order && builder.boxes && builder.spans &&
               builder.slotOf && builder.inOrder;
  for (uint32_t k = 0; ready && k < numItems; ++k)
    builder.order[k] = k;
  if (ready)
    buildNode(&builder, 1, slots, 0, numItems, true);
  tree->boxes = builder.boxes;
  tree->spans = builder.spans;
  tree->slotOf = builder.slotOf;
  tree->inOrder = builder.inOrder;
  berthMemoryFree(&scratch);
  return ready && berthItemTreeInitLike(tree, tree, arena);
}

bool berthItemTreeInitLike(BerthItemTree *tree, const BerthItemTree *other,
                           BerthMemory *arena) {
  size_t nodes = 2 * (size_t)other->leaves;
  size_t slots = (size_t)other->leaves * kBerthLeafSlots;
  uint32_t *best = BERTH_MEMORY_NEW(arena, uint32_t, nodes);
  uint32_t *ranks = BERTH_MEMORY_NEW(arena, uint32_t, slots);
  *tree = *other;
  tree->best = best;
  tree->ranks = ranks;
  if (!best || !ranks)
    return false;
  memset(best, 0xFF, nodes * sizeof *best);
  memset(ranks, 0xFF, slots * sizeof *ranks);
  return true;
}

//===---------------------------------------------------------------------===//
// Ranks
//===---------------------------------------------------------------------===//

static uint32_t smaller(uint32_t a, uint32_t b) { return a < b ? a : b; }

static uint32_t bestOfLeaf(const uint32_t *ranks) {
  uint32_t best = UINT32_MAX;
  for (uint32_t k = 0; k < kBerthLeafSlots; ++k)
    best = smaller(best, ranks[k]);
  return best;
}

void berthItemTreeBuild(BerthItemTree *tree) {
  uint32_t *best = tree->best, leaves = tree->leaves;
  for (uint32_t leaf = 0; leaf < leaves; ++leaf)
    best[leaves + leaf] =
        bestOfLeaf(&tree->ranks[(size_t)leaf * kBerthLeafSlots]);
  for (uint32_t node = leaves; node-- > 1;)
    best[node] = smaller(best[2 * node], best[2 * node + 1]);
}

void berthItemTreeRemove(BerthItemTree *tree, uint32_t item) {
  uint32_t *best = tree->best, slot = tree->slotOf[item];
  uint32_t leaf = slot / kBerthLeafSlots, node = tree->leaves + leaf;
  tree->ranks[slot] = UINT32_MAX;
  uint32_t joined = bestOfLeaf(&tree->ranks[(size_t)leaf * kBerthLeafSlots]);
  while (joined != best[node]) {
    best[node] = joined;
    if (!(node /= 2))
      break;
    joined = smaller(best[2 * node], best[2 * node + 1]);
  }
}

//===---------------------------------------------------------------------===//
// Queries
//===---------------------------------------------------------------------===//

/// Items that start in [lower, before) and end in (above, upper].
typedef struct Query {
  const BerthItemBox *boxes;
  const BerthItemSpan *spans;
  const uint32_t *best;
  const uint32_t *ranks;
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

static void lookAtLeaf(Query *query, uint32_t leaf) {
  size_t first = (size_t)leaf * kBerthLeafSlots;
  for (size_t slot = first; slot < first + kBerthLeafSlots; ++slot) {
    BerthItemSpan span = query->spans[slot];
    uint32_t rank = query->ranks[slot];
    if (rank < query->found && span.lower >= query->lower &&
        span.upper <= query->upper && span.lower < query->before &&
        span.upper > query->above)
      query->found = rank;
  }
}

// Nodes with better ranks first, since what they hold makes others needless.
static void descend(Query *query, uint32_t node) {
  uint32_t later[32], count = 0; // at most one a level
  for (bool may = mayHelp(query, node);;) {
    if (!may && count == 0)
      return;
    if (!may) {
      node = later[--count];
      may = query->best[node] < query->found;
      continue;
    }
    ++query->work;
    uint32_t left = 2 * node, right = left + 1;
    if (isWithin(query, node)) {
      query->found = query->best[node];
      may = false;
    } else if (node >= query->leaves) {
      ++query->work;
      lookAtLeaf(query, node - query->leaves);
      may = false;
    } else if (!mayHelp(query, left)) {
      may = mayHelp(query, node = right);
    } else if (!mayHelp(query, right)) {
      node = left;
    } else {
      bool leftFirst = query->best[left] < query->best[right];
      node = leftFirst ? left : right;
      later[count++] = leftFirst ? right : left;
    }
  }
}

// The lowest node in order above all that start in [lower, before).
static uint32_t nodeAbove(const BerthItemTree *tree, uint32_t lower,
                          uint32_t before) {
  uint32_t from = tree->firstAt[lower], to = tree->firstAt[before];
  if (from == to)
    return 0;
  uint32_t node = tree->leaves + from / kBerthLeafSlots;
  uint32_t last = tree->leaves + (to - 1) / kBerthLeafSlots;
  while (node != last || !berthBitTest(tree->inOrder, node)) {
    node /= 2;
    last /= 2;
  }
  return node;
}

uint32_t berthItemTreeFind(BerthItemTree *tree, uint32_t lower, uint32_t before,
                           uint32_t above, uint32_t upper) {
  uint32_t node = nodeAbove(tree, lower, before);
  Query query = {.boxes = tree->boxes,
                 .spans = tree->spans,
                 .best = tree->best,
                 .ranks = tree->ranks,
                 .leaves = tree->leaves,
                 .lower = lower,
                 .before = before,
                 .above = above,
                 .upper = upper,
                 .found = UINT32_MAX,
                 .work = 1};
  if (node)
    descend(&query, node);
  tree->work += query.work;
  return query.found;
}
