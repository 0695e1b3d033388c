//===- ItemTree.c - The best item within some sections -------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Pack/Place/ItemTree.h"

#include "Support/Bitset.h"

#include <string.h>

// Four numbers are compared at once, where the machine can.
enum { kLanes = 4, kNoRank = INT32_MAX };
typedef int32_t Lanes __attribute__((vector_size(16), may_alias));
typedef int64_t Halves __attribute__((vector_size(16)));

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
  BerthItemLeaf *spans;
  uint32_t *slotOf;
  uint64_t *inOrder;
  uint32_t leaves;
} Builder;

static const BerthItemBox kEmptyBox = {
    {INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX}};

static BerthItemBox boxOf(uint32_t minLower, uint32_t minUpper,
                          uint32_t maxLower, uint32_t maxUpper) {
  return (BerthItemBox){{(int32_t)minLower, (int32_t)minUpper,
                         -(int32_t)maxLower, -(int32_t)maxUpper}};
}

static BerthItemBox joinBoxes(BerthItemBox a, BerthItemBox b) {
  Lanes left = *(const Lanes *)a.borders, right = *(const Lanes *)b.borders;
  Lanes less = left < right;
  *(Lanes *)a.borders = (left & less) | (right & ~less);
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

static void fillLeaf(Builder *builder, uint32_t node, uint32_t from,
                     uint32_t to) {
  uint32_t leaf = node - builder->leaves;
  BerthItemLeaf *spans = &builder->spans[leaf];
  for (uint32_t k = from; k < to; ++k) {
    uint32_t item = builder->order[k];
    spans->lowers[k - from] = (int32_t)builder->lowers[item];
    spans->uppers[k - from] = (int32_t)builder->uppers[item];
    builder->slotOf[item] = leaf * kBerthLeafSlots + (k - from);
  }
}

// Around the items in [from, to).
static BerthItemBox boxAround(const Builder *builder, uint32_t from,
                              uint32_t to) {
  BerthItemBox box = kEmptyBox;
  for (uint32_t k = from; k < to; ++k) {
    uint32_t item = builder->order[k];
    uint32_t lower = builder->lowers[item], upper = builder->uppers[item];
    box = joinBoxes(box, boxOf(lower, upper, lower, upper));
  }
  return box;
}

// Do the ends within the box differ by much more than the starts?
static bool endsDiffer(const BerthItemBox *box) {
  int64_t starts = -(int64_t)box->borders[2] - box->borders[0];
  int64_t ends = -(int64_t)box->borders[3] - box->borders[1];
  return ends > kMuchMore * starts;
}

// The boxes of a tree that starts split everywhere.
static void boxInOrder(Builder *builder, uint32_t numItems) {
  for (uint32_t node = 2 * builder->leaves; node-- > builder->leaves;) {
    uint32_t from = (node - builder->leaves) * kBerthLeafSlots;
    uint32_t to = from + kBerthLeafSlots;
    builder->boxes[node] = boxAround(builder, from < numItems ? from : numItems,
                                     to < numItems ? to : numItems);
  }
  for (uint32_t node = builder->leaves; node-- > 1;)
    builder->boxes[node] =
        joinBoxes(builder->boxes[2 * node], builder->boxes[2 * node + 1]);
}

// `room`: slots below the node; those to the left are filled first. `inOrder`:
// its items stand in the order of their starts, and its box is known.
static void buildNode(Builder *builder, uint32_t node, uint32_t room,
                      uint32_t from, uint32_t to, bool inOrder) {
  if (inOrder)
    berthBitSet(builder->inOrder, node);
  else
    builder->boxes[node] = boxAround(builder, from, to);
  if (room == kBerthLeafSlots) {
    fillLeaf(builder, node, from, to);
    return;
  }
  uint32_t middle = to - from > room / 2 ? from + room / 2 : to;
  if (middle < to) {
    bool byEnds = endsDiffer(&builder->boxes[node]);
    if (byEnds || !inOrder)
      split(builder->order, byEnds ? builder->uppers : builder->lowers, from,
            to, middle);
    inOrder &= !byEnds;
  }
  buildNode(builder, 2 * node, room / 2, from, middle, inOrder);
  buildNode(builder, 2 * node + 1, room / 2, middle, to, inOrder);
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
      .spans = BERTH_MEMORY_NEW(arena, BerthItemLeaf, tree->leaves),
      .slotOf = BERTH_MEMORY_NEW(arena, uint32_t, numItems),
      .inOrder = BERTH_MEMORY_NEW(arena, uint64_t, berthBitWords(nodes)),
      .leaves = tree->leaves};
  bool ready = builder.order && builder.boxes && builder.spans &&
               builder.slotOf && builder.inOrder;
  for (uint32_t k = 0; ready && k < numItems; ++k)
    builder.order[k] = k;
  if (ready) {
    boxInOrder(&builder, numItems);
    buildNode(&builder, 1, slots, 0, numItems, true);
  }
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
  const BerthItemLeaf *spans;
  const uint32_t *best;
  const uint32_t *ranks;
  BerthItemBox meets;  ///< at or below this in all four: something may be asked
                       ///< for
  BerthItemBox within; ///< at or above this: all are
  uint32_t leaves;
  uint32_t lower;
  uint32_t before;
  uint32_t above;
  uint32_t upper;
  uint32_t found; ///< the best rank so far
  uint64_t work;
} Query;

static inline bool isAtMost(const BerthItemBox *a, const BerthItemBox *b) {
  const Lanes *left = (const Lanes *)a->borders;
  const Lanes *right = (const Lanes *)b->borders;
  Halves above = (Halves)(*left > *right);
  return !(above[0] | above[1]);
}

static inline bool mayHelp(const Query *query, uint32_t node) {
  return query->best[node] < query->found &&
         isAtMost(&query->boxes[node], &query->meets);
}

static inline bool isWithin(const Query *query, uint32_t node) {
  return isAtMost(&query->within, &query->boxes[node]);
}

static void lookAtLeaf(Query *query, uint32_t leaf) {
  const BerthItemLeaf *spans = &query->spans[leaf];
  const uint32_t *ranks = &query->ranks[(size_t)leaf * kBerthLeafSlots];
  const int32_t lower = (int32_t)query->lower, before = (int32_t)query->before;
  const int32_t above = (int32_t)query->above, upper = (int32_t)query->upper;
  Lanes least = kNoRank - (Lanes){0};
  for (unsigned k = 0; k < kBerthLeafSlots; k += kLanes) {
    Lanes lowers = *(const Lanes *)&spans->lowers[k];
    Lanes uppers = *(const Lanes *)&spans->uppers[k];
    Lanes outside = (lowers < lower) | (lowers >= before) | (uppers <= above) |
                    (uppers > upper); // all bits of such a lane
    Lanes some = (*(const Lanes *)&ranks[k] | outside) & kNoRank;
    Lanes less = some < least;
    least = (some & less) | (least & ~less);
  }
  for (unsigned k = 0; k < kLanes; ++k)
    if (least[k] != kNoRank && (uint32_t)least[k] < query->found)
      query->found = (uint32_t)least[k];
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
                 .meets = boxOf(before - 1, upper, lower, above + 1),
                 .within = boxOf(lower, above + 1, before - 1, upper),
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
