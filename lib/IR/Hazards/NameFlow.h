//===- NameFlow.h - Where names are used and handed on ------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// The names of webs (Alternatives.h) on the graph of hazards: which node uses
// which, and where one is made of another. The ops that do the latter are stops
// of the graph, and what they do is done where the gap in front of them ends:
//
//     scf.if %uniform {
//       store %a
//       (gap)              from here on %r is what %a is
//       scf.yield %a
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_HAZARDS_NAMEFLOW_H
#define BERTH_LIB_IR_HAZARDS_NAMEFLOW_H

#include "IR/Liveness/Alternatives.h"
#include "IR/Liveness/FlowGraph.h"

#define BERTH_NO_NAME UINT32_MAX
#define BERTH_ANY_NAME (UINT32_MAX - 1)

/// The op makes name `to` of name `from`, both of a web; BERTH_NO_NAME: of
/// something else, BERTH_ANY_NAME: nobody knows of what.
typedef struct BerthHandOver {
  MlirOperation op;
  uint32_t node; ///< the gap in front of it
  uint32_t web;
  uint32_t from;
  uint32_t to;
} BerthHandOver;

typedef struct BerthNameUse {
  uint32_t node;
  uint32_t web;
  uint32_t name;
} BerthNameUse;

typedef struct BerthNameFlow {
  bool isWhole; ///< each of these has its node
  size_t numHandOvers, handOverCapacity;
  BerthHandOver *handOvers; ///< by node
  size_t numUses, useCapacity;
  BerthNameUse *uses;      ///< by node
  uint32_t *handOverBegin; ///< per node + 1
  uint32_t *useBegin;      ///< per node + 1
  uint32_t *webOf;         ///< by buffer of the problem; BERTH_NO_NAME: none
  uint32_t *memberOf;      ///< ... and its number there
} BerthNameFlow;

/// Finds the ops of the job's scope that hand names on, in the order of points.
/// Returns NULL if the job has no names.
BerthNameFlow *berthNameFlowOf(const BerthJob *job);

/// Finds their nodes, and those of all uses, in the graph of these stops.
/// `nodeAt`: the node of the stop at each point.
void berthNameFlowPlace(BerthNameFlow *flow, const BerthJob *job,
                        const BerthFlowGraph *graph, const BerthAccess *stops,
                        const uint32_t *nodeAt);
void berthNameFlowFree(BerthNameFlow *flow);

#endif // BERTH_LIB_IR_HAZARDS_NAMEFLOW_H
