//===- Hazards.h - Which buffers threads may touch at the same time - C ===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Barriers cut the run of a workgroup into phases: within one, threads run at
// their own pace. If control can pass from an access of X to an access of Y
// without crossing a barrier, some thread may be at the one while another is at
// the other: X and Y must not share bytes, unless both only read.
//
//     X[tid] = a          phase 1
//     gpu.barrier
//     b = X[63 - tid]     phase 2     a slow thread still reads X here ...
//     Y[tid] = b          phase 2     ... while a fast one writes Y: hazard
//
// The graph is that of liveness (FlowGraph.h) over the accesses of all buffers
// and all barriers that count: those that every thread reaches.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_HAZARDS_HAZARDS_H
#define BERTH_LIB_IR_HAZARDS_HAZARDS_H

#include "IR/Barriers/HittingSet.h"
#include "IR/Liveness/FlowGraph.h"
#include "IR/Scope/Job.h"

/// One buffer (by its number in the problem) that a node touches.
typedef struct BerthTouch {
  uint32_t buffer;
  bool writes;
} BerthTouch;

/// What is accessed: a buffer of the problem, or something else of interest.
typedef struct BerthTouched {
  bool isArena; ///< of a called function: calls of it touch it
  size_t numAccesses;
  const BerthAccess *accesses;
  size_t numValues;
  const MlirValue *values; ///< that may point to it
} BerthTouched;

typedef struct BerthHazards {
  BerthJob *job;
  bool areOnlyGiven; ///< barriers that stand in the program, and no buffers
  size_t numTouched;
  BerthTouched *touched; ///< first the buffers of the problem
  BerthFlowGraph graph;
  BerthAccess *stops; ///< one per op that touches a buffer or is a barrier
  size_t numStops;
  bool *isBarrier;      ///< per node
  bool hasAsync;        ///< some access goes another way than loads and stores
  bool *isAsync;        ///< per node: its accesses do (ProxyPaths.h)
  bool *isFence;        ///< per node: it orders the two for its thread
  bool *isCuttable;     ///< per node: a gap where a barrier may be inserted
  uint32_t *touchBegin; ///< per node + 1: positions in `touches`
  BerthTouch *touches;
  BerthPointerMap numLoopsOf; ///< block -> loops of blocks around it
} BerthHazards;

/// Builds the graph for the buffers of the job's problem.
BerthHazards berthHazardsCreate(BerthJob *job);
/// The same with more that is touched, numbered from numPlaced on.
BerthHazards berthHazardsCreateWith(BerthJob *job, const BerthTouched *others,
                                    size_t numOthers);
/// Builds it before anything is planned, for the barriers that stand in the
/// program and the calls alone.
BerthHazards berthHazardsCreateGiven(BerthJob *job);
void berthHazardsFree(BerthHazards *hazards);

/// Does something at the node touch the buffer?
bool berthHazardsTouch(const BerthHazards *hazards, uint32_t node,
                       uint32_t buffer, bool onlyWrites);

/// Grows a set of nodes (a flag per node) by all that control can pass to from
/// them without barrier, or, with `isBackward`, from which it can pass to them.
void berthHazardsReach(const BerthHazards *hazards, const bool *cuts,
                       bool isBackward, bool *reached);

/// Sets conflicts[y] for each buffer y that a path without barrier joins to x,
/// in either order as seen from x's accesses forward. `cuts` (per node, may be
/// NULL) are gaps to be taken as barriers.
void berthHazardsFrom(const BerthHazards *hazards, uint32_t x, const bool *cuts,
                      bool *conflicts);

/// A path of nodes from an access of x to one of y without barrier, first to
/// last; false if there is none. `path` holds up to numNodes entries.
bool berthHazardsFindPath(const BerthHazards *hazards, uint32_t x, uint32_t y,
                          const bool *cuts, uint32_t *path, size_t *length);

/// The same for two instances of x: from an access through another run of its
/// allocation to an access of the new instance, which threads may touch while
/// others still touch the old one. `path` holds up to twice numNodes entries.
bool berthHazardsFindSelfPath(const BerthHazards *hazards, uint32_t x,
                              const bool *cuts, uint32_t *path, size_t *length);

//===---------------------------------------------------------------------===//
// Cuts (BarrierCuts.c)
//===---------------------------------------------------------------------===//

/// Two buffers, or two instances of the same one.
typedef struct BerthPair {
  uint32_t first;
  uint32_t second;
} BerthPair;

/// The price of a barrier in the gap of each node, which grows with the depth
/// of loops around it; 0 where there is no gap to cut. The caller frees it.
int64_t *berthCutPrices(const BerthHazards *hazards);

/// Adds the gaps of a path where a barrier may go to the sets of which each
/// must have one; changes the path.
void berthAddPath(const BerthHazards *hazards, BerthHitting *paths,
                  uint32_t *path, size_t length);

/// A cheapest set of gaps whose barriers separate all pairs: sets cuts[node]
/// for each. Every pair must be separable by all cuttable gaps together.
void berthFindCuts(const BerthHazards *hazards, const BerthPair *pairs,
                   size_t numPairs, bool *cuts);

#endif // BERTH_LIB_IR_HAZARDS_HAZARDS_H
