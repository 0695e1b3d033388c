//===- RunTimeApart.c - Views that lie one above the other ----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The offsets of all views are one graph: values that are sums and maxima of
// others, each at least as large as any of these. A view lies above another one
// if its offset can be reached, upwards, from a value that is at least the end
// of that other one. There are few such values, and few views above each.
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Roots/RunTimeApart.h"
#include "IR/Ops/EqualValues.h"
#include "IR/Ops/OrDie.h"
#include "IR/Verify/Roots/Offsets.h"

#include <stdlib.h>

static const uint32_t kNone = UINT32_MAX;

/// An element of a list of numbers.
typedef struct Link {
  uint32_t item;
  uint32_t next; ///< or kNone
} Link;

typedef struct Node {
  BerthOffsetTerm term;
  uint32_t firstUser; ///< nodes that are sums or maxima of this one
  uint32_t firstView; ///< views at this offset
  uint32_t seenFor;   ///< the last view that was found to end below
} Node;

typedef struct Numbers {
  uint32_t *items;
  size_t count, capacity;
} Numbers;

typedef struct Offsets {
  const BerthArenaView *views;
  size_t count;
  bool *isApart;
  BerthPointerMap nodeOf; ///< value -> node
  Node *nodes;
  size_t numNodes, nodeCapacity;
  Link *links;
  size_t numLinks, linkCapacity;
  Numbers shiftedByConstants; ///< sums of a constant and something
  Numbers leaves;             ///< neither sums nor maxima
  Numbers pending;
  BerthAsserts asserts;
} Offsets;

static void append(Numbers *numbers, uint32_t item) {
  numbers->items = berthGrow(numbers->items, numbers->count, &numbers->capacity,
                             sizeof *numbers->items);
  numbers->items[numbers->count++] = item;
}

static void addLink(Offsets *offsets, uint32_t *first, uint32_t item) {
  offsets->links = berthGrow(offsets->links, offsets->numLinks,
                             &offsets->linkCapacity, sizeof *offsets->links);
  offsets->links[offsets->numLinks] = (Link){item, *first};
  *first = (uint32_t)offsets->numLinks++;
}

//===----------------------------------------------------------------------===//
// The graph
//===----------------------------------------------------------------------===//

static uint32_t nodeFor(Offsets *offsets, MlirValue value) {
  size_t known = berthPointerMapFind(&offsets->nodeOf, value.ptr);
  if (known != BERTH_NOT_FOUND)
    return (uint32_t)known;
  offsets->nodes = berthGrow(offsets->nodes, offsets->numNodes,
                             &offsets->nodeCapacity, sizeof *offsets->nodes);
  berthPointerMapInsert(&offsets->nodeOf, value.ptr, offsets->numNodes);
  offsets->nodes[offsets->numNodes] =
      (Node){.term = berthOffsetTermOf(value), kNone, kNone, kNone};
  return (uint32_t)offsets->numNodes++;
}

static void linkOperands(Offsets *offsets, uint32_t user) {
  BerthOffsetTerm term = offsets->nodes[user].term;
  if (term.kind == BERTH_TERM_OTHER) {
    append(&offsets->leaves, user);
    return;
  }
  int64_t number;
  bool hasConstant = false;
  for (int i = 0; i < 2; ++i) {
    uint32_t node = nodeFor(offsets, term.operands[i]);
    addLink(offsets, &offsets->nodes[node].firstUser, user);
    hasConstant |= berthValueIsConstant(term.operands[i], &number);
  }
  if (hasConstant && term.kind == BERTH_TERM_SUM)
    append(&offsets->shiftedByConstants, user);
}

static void buildGraph(Offsets *offsets) {
  for (uint32_t i = 0; i < offsets->count; ++i) {
    MlirOperation view = offsets->views[i].view;
    if (mlirOperationIsNull(view))
      continue;
    MlirValue shift = mlirOperationGetOperand(view, 1);
    uint32_t node = nodeFor(offsets, shift);
    addLink(offsets, &offsets->nodes[node].firstView, i);
  }
  for (uint32_t i = 0; i < offsets->numNodes; ++i)
    linkOperands(offsets, i);
}

static void freeGraph(Offsets *offsets) {
  berthPointerMapFree(&offsets->nodeOf);
  free(offsets->nodes);
  free(offsets->links);
  free(offsets->shiftedByConstants.items);
  free(offsets->leaves.items);
  free(offsets->pending.items);
  berthAssertsFree(&offsets->asserts);
}

//===----------------------------------------------------------------------===//
// What lies above one view
//===----------------------------------------------------------------------===//

static void push(Offsets *offsets, uint32_t node, uint32_t lower) {
  if (offsets->nodes[node].seenFor == lower)
    return;
  offsets->nodes[node].seenFor = lower;
  append(&offsets->pending, node);
}

static void tryNode(Offsets *offsets, uint32_t node, uint32_t lower,
                    BerthOffsetGoal *goal) {
  if (offsets->nodes[node].seenFor != lower &&
      berthOffsetTermReachesEnd(&offsets->nodes[node].term, goal))
    push(offsets, node, lower);
}

/// Values that are themselves at least the end of the goal: sums of its offset
/// and something; of a constant offset also others.
static void findEnds(Offsets *offsets, uint32_t lower, BerthOffsetGoal *goal) {
  uint32_t start = nodeFor(offsets, goal->shift);
  for (uint32_t link = offsets->nodes[start].firstUser; link != kNone;
       link = offsets->links[link].next)
    tryNode(offsets, offsets->links[link].item, lower, goal);
  if (!goal->isConstant)
    return;
  for (size_t i = 0; i < offsets->shiftedByConstants.count; ++i)
    tryNode(offsets, offsets->shiftedByConstants.items[i], lower, goal);
  for (size_t i = 0; i < offsets->leaves.count; ++i)
    tryNode(offsets, offsets->leaves.items[i], lower, goal);
}

static void noteViews(const Offsets *offsets, uint32_t node, uint32_t lower) {
  const BerthArenaView *views = offsets->views;
  for (uint32_t link = offsets->nodes[node].firstView; link != kNone;
       link = offsets->links[link].next) {
    uint32_t upper = offsets->links[link].item;
    if (upper != lower && views[upper].arena == views[lower].arena)
      offsets->isApart[upper * offsets->count + lower] = true;
  }
}

static void findAbove(Offsets *offsets, uint32_t lower) {
  BerthOffsetGoal goal =
      berthOffsetGoalOf(offsets->views[lower].view, &offsets->asserts);
  findEnds(offsets, lower, &goal);
  berthOffsetGoalFree(&goal);
  while (offsets->pending.count) {
    uint32_t node = offsets->pending.items[--offsets->pending.count];
    noteViews(offsets, node, lower);
    for (uint32_t link = offsets->nodes[node].firstUser; link != kNone;
         link = offsets->links[link].next)
      push(offsets, offsets->links[link].item, lower);
  }
}

bool *berthFindApart(const BerthArenaView *views, size_t count) {
  Offsets offsets = {.views = views,
                     .count = count,
                     .isApart =
                         berthAllocateOrDie(count * count, sizeof(bool))};
  buildGraph(&offsets);
  for (uint32_t i = 0; i < count; ++i)
    if (!mlirOperationIsNull(views[i].view))
      findAbove(&offsets, i);
  freeGraph(&offsets);
  return offsets.isApart;
}
