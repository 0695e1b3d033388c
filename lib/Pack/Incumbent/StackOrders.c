//===- StackOrders.c - The order of a stack with the fewest holes ---------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A stack is its items, bottom up, each at the lowest free offset above the one
// before. What may still come of it depends on which items it has and where it
// ends, and lower is never worse: so of each set of items only the order counts
// that wastes least (Held and Karp, *A Dynamic Programming Approach to
// Sequencing Problems*, 1962).
//
// Sets are gone on from in the order of their waste (Dijkstra 1959). The first
// time that the set of all items comes up, its waste is the least; and whenever
// the search ends earlier, all orders waste at least as much as the set that
// was to come next. That is why it is worth beginning with stacks of any size:
// each set that is looked at may raise the bound.
//
// Items with the same alignment whose sizes differ by multiples of all
// alignments leave the same holes wherever they are, so they go in one after
// the other.
//
//===---------------------------------------------------------------------===//

#include "Pack/Incumbent/StackOrders.h"

#include "Support/Checked.h"

typedef struct Set {
  uint64_t items;
  int64_t waste;
  uint32_t place; ///< in the heap; kClosed: gone on from
} Set;

enum { kClosed = UINT32_MAX, kSetsForEachState = 8 };

typedef struct Orders {
  const BerthStack *stack;
  uint64_t before[kBerthMaxStack]; ///< what goes in before the item
  int64_t sum;                     ///< of all sizes
  Set *sets;
  uint32_t numSets, maxSets;
  uint32_t *table; ///< by hash: the set's number + 1
  uint32_t mask;
  uint32_t *heap; ///< numbers of sets, the least first
  uint32_t heapSize;
} Orders;

//===---------------------------------------------------------------------===//
// Few items
//===---------------------------------------------------------------------===//

/// Where the item ends that lies as low as it can, but not below `from`.
static int64_t endAbove(const BerthStack *stack, uint32_t item, int64_t from) {
  int64_t size = stack->sizes[item], alignment = stack->alignments[item];
  int64_t offset = berthRoundUp(from, alignment);
  for (uint32_t k = 0; k < stack->numBlocks; ++k)
    if (offset < stack->blocks[k].upper &&
        stack->blocks[k].lower < offset + size)
      offset = berthRoundUp(stack->blocks[k].upper, alignment);
  return offset + size;
}

/// Of few items all sets are looked at, the smaller numbers first.
static int64_t leastOfFew(const BerthStack *stack, BerthMemory *memory,
                          uint64_t *work) {
  int64_t *heights =
      BERTH_MEMORY_NEW(memory, int64_t, UINT32_C(1) << stack->count);
  if (!heights)
    return 0;
  for (uint32_t set = 1; set < 1u << stack->count; ++set) {
    heights[set] = INT64_MAX;
    for (uint32_t rest = set; rest; rest &= rest - 1) {
      uint32_t k = (uint32_t)__builtin_ctz(rest);
      int64_t top = endAbove(stack, k, heights[set & ~(1u << k)]);
      heights[set] = top < heights[set] ? top : heights[set];
    }
  }
  *work += (uint64_t)(stack->numBlocks + stack->count) << stack->count;
  return heights[(1u << stack->count) - 1];
}

//===---------------------------------------------------------------------===//
// Items that are like each other
//===---------------------------------------------------------------------===//

/// What all alignments divide, or 0 where sizes are not to be compared by it.
static int64_t commonAlignment(const BerthStack *stack) {
  int64_t common = 1;
  for (uint32_t i = 0; i < stack->count; ++i)
    common = stack->alignments[i] > common ? stack->alignments[i] : common;
  for (uint32_t i = 0; i < stack->count; ++i)
    if (common % stack->alignments[i])
      return 0;
  return stack->numBlocks || stack->equalOnly ? 0 : common;
}

static void findLike(Orders *orders) {
  const BerthStack *stack = orders->stack;
  int64_t common = commonAlignment(stack);
  for (uint32_t i = 0; i < stack->count; ++i) {
    orders->sum += stack->sizes[i];
    for (uint32_t j = 0; j < i; ++j) {
      int64_t apart = stack->sizes[i] - stack->sizes[j];
      if (stack->alignments[i] == stack->alignments[j] &&
          (common ? apart % common : apart) == 0)
        orders->before[i] |= UINT64_C(1) << j;
    }
  }
}

//===---------------------------------------------------------------------===//
// The heap
//===---------------------------------------------------------------------===//

/// Of sets that waste the same the larger one is nearer to the end.
static bool isSooner(const Set *a, const Set *b) {
  if (a->waste != b->waste)
    return a->waste < b->waste;
  int more = __builtin_popcountll(a->items) - __builtin_popcountll(b->items);
  return more ? more > 0 : a->items < b->items;
}

static void put(Orders *orders, uint32_t place, uint32_t set) {
  orders->heap[place] = set;
  orders->sets[set].place = place;
}

static void siftUp(Orders *orders, uint32_t set) {
  uint32_t place = orders->sets[set].place;
  while (place > 0) {
    uint32_t parent = (place - 1) / 2;
    if (!isSooner(&orders->sets[set], &orders->sets[orders->heap[parent]]))
      break;
    put(orders, place, orders->heap[parent]);
    place = parent;
  }
  put(orders, place, set);
}

static uint32_t takeFirst(Orders *orders) {
  uint32_t first = orders->heap[0], place = 0;
  uint32_t last = orders->heap[--orders->heapSize];
  orders->sets[first].place = kClosed;
  while (2 * place + 1 < orders->heapSize) {
    uint32_t child = 2 * place + 1;
    if (child + 1 < orders->heapSize &&
        isSooner(&orders->sets[orders->heap[child + 1]],
                 &orders->sets[orders->heap[child]]))
      ++child;
    if (!isSooner(&orders->sets[orders->heap[child]], &orders->sets[last]))
      break;
    put(orders, place, orders->heap[child]);
    place = child;
  }
  if (orders->heapSize)
    put(orders, place, last);
  return first;
}

//===---------------------------------------------------------------------===//
// Sets
//===---------------------------------------------------------------------===//

static uint32_t hashOf(uint64_t items) {
  return (uint32_t)(items * UINT64_C(0x9E3779B97F4A7C15) >> 32);
}

/// False: there is no room for another set.
static bool reach(Orders *orders, uint64_t items, int64_t waste) {
  uint32_t at = hashOf(items) & orders->mask;
  for (; orders->table[at]; at = (at + 1) & orders->mask) {
    uint32_t number = orders->table[at] - 1;
    Set *set = &orders->sets[number];
    if (set->items != items)
      continue;
    if (waste < set->waste) { // which a closed one's never is
      set->waste = waste;
      siftUp(orders, number);
    }
    return true;
  }
  if (orders->numSets == orders->maxSets)
    return false;
  uint32_t number = orders->numSets++;
  orders->table[at] = number + 1;
  orders->sets[number] = (Set){items, waste, orders->heapSize++};
  siftUp(orders, number);
  return true;
}

/// Puts each of the items that are left on top of the set.
static bool goOn(Orders *orders, Set set, uint64_t all, uint64_t *work) {
  const BerthStack *stack = orders->stack;
  int64_t height = set.waste;
  for (uint64_t rest = set.items; rest; rest &= rest - 1)
    height += stack->sizes[__builtin_ctzll(rest)];
  for (uint64_t rest = all & ~set.items; rest; rest &= rest - 1) {
    uint32_t item = (uint32_t)__builtin_ctzll(rest);
    *work += 1 + stack->numBlocks;
    if (orders->before[item] & ~set.items)
      continue;
    int64_t waste =
        set.waste + endAbove(stack, item, height) - height - stack->sizes[item];
    if (orders->sum + waste < stack->limit &&
        !reach(orders, set.items | UINT64_C(1) << item, waste))
      return false;
  }
  return true;
}

static bool makeTables(Orders *orders, BerthMemory *memory) {
  const BerthStack *stack = orders->stack;
  uint32_t size = 16;
  orders->maxSets = stack->maxStates * kSetsForEachState + 1;
  while (size < 2 * orders->maxSets)
    size *= 2;
  orders->mask = size - 1;
  orders->sets = BERTH_MEMORY_NEW(memory, Set, orders->maxSets);
  orders->heap = BERTH_MEMORY_NEW(memory, uint32_t, orders->maxSets);
  orders->table = BERTH_MEMORY_NEW(memory, uint32_t, size);
  return !memory->failed;
}

static int64_t leastOfMany(const BerthStack *stack, BerthMemory *memory,
                           uint64_t *work) {
  Orders orders = {.stack = stack};
  uint64_t all = stack->count == kBerthMaxStack
                     ? UINT64_MAX
                     : (UINT64_C(1) << stack->count) - 1;
  int64_t least = stack->limit; // if no set comes up that could be below it
  findLike(&orders);
  if (!makeTables(&orders, memory))
    return 0;
  *work += orders.maxSets / kSetsForEachState; // to clear them
  if (orders.sum < stack->limit)
    reach(&orders, 0, 0);
  for (uint32_t states = 0; orders.heapSize > 0; ++states) {
    Set set = orders.sets[takeFirst(&orders)];
    if (set.items == all || states == stack->maxStates ||
        !goOn(&orders, set, all, work)) {
      least = orders.sum + set.waste;
      break;
    }
  }
  return least;
}

int64_t berthStackLeastHeight(const BerthStack *stack, BerthMemory *memory,
                              uint64_t *work) {
  BerthMemoryMark mark = berthMemoryGetMark(memory);
  int64_t least = stack->count <= kBerthFewItems
                      ? leastOfFew(stack, memory, work)
                      : leastOfMany(stack, memory, work);
  berthMemoryRelease(memory, mark);
  return least;
}
