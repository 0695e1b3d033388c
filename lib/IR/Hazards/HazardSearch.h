//===- HazardSearch.h - Searches for ways between accesses --------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A breadth-first search over the nodes of the graph, or over states made of
// them, that remembers the way to each. Whoever searches says where it starts
// and, of each state that comes up, which ones follow:
//
//     berthHazardSearchReach(&search, start, start);
//     while ((state = berthHazardSearchNext(&search)) != BERTH_NO_NODE)
//       for each `to` that follows
//         berthHazardSearchReach(&search, to, state);
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_HAZARDS_HAZARDSEARCH_H
#define BERTH_LIB_IR_HAZARDS_HAZARDSEARCH_H

#include "IR/Hazards/Hazards.h"
#include "IR/Ops/OrDie.h"

#include <string.h>

typedef struct BerthHazardSearch {
  const BerthHazards *hazards;
  const bool *cuts;   ///< per node: gaps to be taken as barriers, or NULL
  bool oneThread;     ///< follow one thread's own steps only
  uint32_t *cameFrom; ///< state -> the one before on a shortest way, itself for
                      ///< a start, BERTH_NO_NODE if it is not reached
  uint32_t *queue;
  size_t head;
  size_t tail;
} BerthHazardSearch;

static inline BerthHazardSearch
berthHazardSearchCreate(const BerthHazards *hazards, const bool *cuts,
                        bool oneThread, size_t numStates) {
  BerthHazardSearch search = {
      .hazards = hazards,
      .cuts = cuts,
      .oneThread = oneThread,
      .cameFrom = berthAllocateOrDie(numStates, sizeof *search.cameFrom),
      .queue = berthAllocateOrDie(numStates, sizeof *search.queue)};
  memset(search.cameFrom, 0xff, numStates * sizeof *search.cameFrom);
  return search;
}

static inline void berthHazardSearchFree(BerthHazardSearch *search) {
  free(search->cameFrom);
  free(search->queue);
}

/// A barrier, or a cut.
static inline bool berthHazardSearchStops(const BerthHazardSearch *search,
                                          uint32_t node) {
  return search->hazards->isBarrier[node] ||
         (search->cuts && search->cuts[node]);
}

/// Comes to a state; nothing happens if it was reached before.
static inline void berthHazardSearchReach(BerthHazardSearch *search,
                                          uint32_t state, uint32_t from) {
  if (search->cameFrom[state] != BERTH_NO_NODE)
    return;
  search->cameFrom[state] = from;
  search->queue[search->tail++] = state;
}

/// The next state reached, or BERTH_NO_NODE at the end.
static inline uint32_t berthHazardSearchNext(BerthHazardSearch *search) {
  return search->head == search->tail ? BERTH_NO_NODE
                                      : search->queue[search->head++];
}

#endif // BERTH_LIB_IR_HAZARDS_HAZARDSEARCH_H
