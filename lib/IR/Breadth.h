//===- Breadth.h - Breadth-first searches -------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A search over numbered states that remembers the way to each. Whoever
// searches says where it starts and, of each state that comes up, which ones
// follow:
//
//     berthBreadthReach(&breadth, start, start);
//     while ((state = berthBreadthNext(&breadth)) != BERTH_NO_NODE)
//       for each `to` that follows
//         berthBreadthReach(&breadth, to, state);
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_BREADTH_H
#define BERTH_LIB_IR_BREADTH_H

#include "IR/FlowGraph.h"
#include "Support/Grow.h"

#include <string.h>

typedef struct BerthBreadth {
  uint32_t *cameFrom; ///< state -> the one before on a shortest way, itself for
                      ///< a start, BERTH_NO_NODE if it is not reached
  uint32_t *queue;
  size_t head;
  size_t tail;
} BerthBreadth;

static inline BerthBreadth berthBreadthCreate(size_t numStates) {
  BerthBreadth breadth = {
      .cameFrom = berthAllocateOrDie(numStates, sizeof *breadth.cameFrom),
      .queue = berthAllocateOrDie(numStates, sizeof *breadth.queue)};
  memset(breadth.cameFrom, 0xff, numStates * sizeof *breadth.cameFrom);
  return breadth;
}

static inline void berthBreadthFree(BerthBreadth *breadth) {
  free(breadth->cameFrom);
  free(breadth->queue);
}

static inline bool berthBreadthReached(const BerthBreadth *breadth,
                                       uint32_t state) {
  return breadth->cameFrom[state] != BERTH_NO_NODE;
}

/// Comes to a state; nothing happens if it was reached before.
static inline void berthBreadthReach(BerthBreadth *breadth, uint32_t state,
                                     uint32_t from) {
  if (berthBreadthReached(breadth, state))
    return;
  breadth->cameFrom[state] = from;
  breadth->queue[breadth->tail++] = state;
}

/// The next state reached, or BERTH_NO_NODE at the end.
static inline uint32_t berthBreadthNext(BerthBreadth *breadth) {
  return breadth->head == breadth->tail ? BERTH_NO_NODE
                                        : breadth->queue[breadth->head++];
}

#endif // BERTH_LIB_IR_BREADTH_H
