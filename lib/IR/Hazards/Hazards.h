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

#include "IR/Hazards/Slices.h"
#include "IR/Liveness/FlowGraph.h"
#include "IR/Scope/Job.h"

/// One buffer (by its number in the problem) that a node touches.
typedef struct BerthTouch {
  uint32_t buffer;
  uint32_t slice; ///< if the slices are known
  bool writes;
  bool isShownToEnd; ///< nothing has to be kept behind it (BerthAccess)
} BerthTouch;

/// The same the other way round: a node that touches the buffer at hand.
typedef struct BerthTouchedAt {
  uint32_t node;
  uint32_t slice;
  bool writes;
  bool isShownToEnd;
} BerthTouchedAt;

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
  BerthSlices slices;    ///< what accesses touch; empty: not asked for
  BerthFlowGraph graph;
  BerthAccess *stops; ///< one per op that touches a buffer or is a barrier
  size_t numStops;
  bool *isBarrier;  ///< per node
  bool hasAsync;    ///< some access goes another way than loads and stores
  bool *isAsync;    ///< per node: its accesses do (HazardSearch.h)
  bool *isFence;    ///< per node: it orders the two for its thread
  bool addsFences;  ///< a new barrier has a fence in front of it,
  bool *hasNoFence; ///< per node: unless none is needed there
  struct BerthWait *waits; ///< per stop, or NULL: no thread waits for another
  bool callersWait;        ///< who calls the scope may wait, or end a wait
  bool *isCuttable;        ///< per node: a gap where a barrier may be inserted
  uint32_t *touchBegin;    ///< per node + 1: positions in `touches`
  BerthTouch *touches;
  uint32_t *touchedAtBegin;    ///< per touched + 1: positions in `touchedAt`
  BerthTouchedAt *touchedAt;   ///< by node
  BerthPointerMap numLoopsOf;  ///< block -> loops of blocks around it
  struct BerthNameFlow *names; ///< NULL: names tell no buffers apart
} BerthHazards;

/// Builds the graph for the slices of the job's buffers (Slices.h). What is
/// uniform in its scope is known by now (Uniformity.h).
BerthHazards berthHazardsCreate(BerthJob *job);
/// The same for whole buffers, and more that is touched, numbered from
/// numPlaced on.
BerthHazards berthHazardsCreateWith(BerthJob *job, const BerthTouched *others,
                                    size_t numOthers);
/// Builds it before anything is planned, for the barriers that stand in the
/// program and the calls alone.
BerthHazards berthHazardsCreateGiven(BerthJob *job);
void berthHazardsFree(BerthHazards *hazards);

/// True if some access of a placed buffer goes by the async proxy.
bool berthJobNeedsFences(const BerthJob *job);

/// Does something at the node touch the buffer?
bool berthHazardsTouch(const BerthHazards *hazards, uint32_t node,
                       uint32_t buffer, bool onlyWrites);

#endif // BERTH_LIB_IR_HAZARDS_HAZARDS_H
