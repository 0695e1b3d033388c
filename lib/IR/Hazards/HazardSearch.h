//===- HazardSearch.h - Where threads come without barrier --------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A breadth-first search over the nodes of the graph that remembers the way to
// each. It goes on until a barrier, or a cut:
//
//     berthHazardSearchBegin(&search, toAsync, oneThread);
//     berthHazardSearchStart(&search, x, fromWrites);
//     while ((state = berthHazardSearchNext(&search)) != BERTH_NO_NODE)
//       if (berthHazardSearchMeets(&search, state, y, onlyWrites))
//         ...
//
// One such object serves any number of searches, one after the other: each
// costs what it reaches, not the size of the graph.
//
// TMA and wgmma reach memory through another path (the *async proxy*) than
// loads and stores. A barrier does not order an ordinary access with such a one
// behind it: before the barrier each thread also has to pass a fence between
// the two (nvvm.fence.proxy), behind its own access.
//
//     Y[tid] = a
//     fence.proxy.async     the thread's accesses so far
//     gpu.barrier           ... and those of all
//     TMA load to X         may have Y's bytes
//
// The other way round what is waited for has ended for loads and stores too,
// and a barrier is enough (AsyncHold.h). So a search `toAsync` starts at
// ordinary accesses only, meets asynchronous ones only, and goes on over
// barriers that no fence precedes: its states are pairs of a node and whether a
// fence has been passed. Those of other searches are the nodes. With
// fences=insert a new barrier has a fence in front of it, and ends them all.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_HAZARDS_HAZARDSEARCH_H
#define BERTH_LIB_IR_HAZARDS_HAZARDSEARCH_H

#include "IR/Hazards/Hazards.h"

typedef struct BerthHazardSearch {
  const BerthHazards *hazards;
  const bool *cuts;   ///< per node: gaps to be taken as barriers, or NULL
  bool toAsync;       ///< from loads and stores to what goes another way
  bool oneThread;     ///< follow one thread's own steps only
  uint32_t *cameFrom; ///< state -> the one before on a shortest way, itself for
                      ///< a start, BERTH_NO_NODE if it is not reached
  uint32_t *queue;
  size_t head;
  size_t tail;
} BerthHazardSearch;

BerthHazardSearch berthHazardSearchCreate(const BerthHazards *hazards,
                                          const bool *cuts);
/// Forgets what the last search has reached.
void berthHazardSearchBegin(BerthHazardSearch *search, bool toAsync,
                            bool oneThread);
void berthHazardSearchFree(BerthHazardSearch *search);

/// The state of a node; with a fence passed, of a search `toAsync`.
uint32_t berthHazardSearchState(const BerthHazardSearch *search, uint32_t node,
                                bool isFenced);
uint32_t berthHazardSearchNode(const BerthHazardSearch *search, uint32_t state);

/// Comes to a state; nothing happens if it was reached before. A start comes
/// from itself.
void berthHazardSearchReach(BerthHazardSearch *search, uint32_t state,
                            uint32_t from);

/// Starts at the accesses of buffer x, or at its writes; the latter at those of
/// one slice.
void berthHazardSearchStart(BerthHazardSearch *search, uint32_t x,
                            bool fromWrites);
void berthHazardSearchStartSlice(BerthHazardSearch *search, uint32_t slice,
                                 bool fromWrites);

/// The state reached next, or BERTH_NO_NODE at the end; what follows it is not
/// looked at.
uint32_t berthHazardSearchTake(BerthHazardSearch *search);

/// True where the search does not go on: a barrier, or a cut.
bool berthHazardSearchEnds(const BerthHazardSearch *search, uint32_t state);

/// As berthHazardSearchTake, and reaches what follows the state.
uint32_t berthHazardSearchNext(BerthHazardSearch *search);

/// True if something at the state touches buffer y, and is what the search
/// looks for.
bool berthHazardSearchMeets(const BerthHazardSearch *search, uint32_t state,
                            uint32_t y, bool onlyWrites);

/// Writes the nodes on the way to `last`, first to last, to `path` and returns
/// their number. Of a search `toAsync` these are the nodes where a barrier
/// would help, those behind a fence, if it does not bring one: there may be
/// none.
size_t berthHazardSearchStorePath(const BerthHazardSearch *search,
                                  uint32_t last, uint32_t *path);

#endif // BERTH_LIB_IR_HAZARDS_HAZARDSEARCH_H
