//===- Uniform.h - Where threads may disagree, for the verifier  C --------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The verifier's own view of uniformity. It starts from the sources of
// disagreement and spreads it until nothing changes:
//
//  - divergent values: results of ops that OpTable.h does not list as keeping
//    uniformity (thread ids, loads, calls ...), arguments of what is no
//    kernel, the thread ids of a gpu.launch, and what is computed from such;
//  - an op with regions diverges if a divergent value decides which of them run
//    or how often, if nobody knows what decides, or if threads part between its
//    blocks and leave it by different ones; then what it hands to its regions
//    and returns is divergent;
//  - a branch between blocks likewise: the arguments of the blocks in its
//    spread, and of its join, are divergent (Divergence.h).
//
// All else is uniform: equal in all threads of a workgroup. So a value that a
// loop carries is, until a round finds that its start, what a turn hands on, or
// what ends the loop is not.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_RUNS_UNIFORM_H
#define BERTH_LIB_IR_VERIFY_RUNS_UNIFORM_H

#include "IR/Verify/Runs/Divergence.h"
#include "IR/Verify/Runs/SteadyLoads.h"

typedef struct BerthDivergence {
  MlirOperation scope;
  bool isOfCluster; ///< workgroups of a cluster have to agree, too
  BerthMemory *memory;
  const BerthSteadyLoads *steady; ///< while it is being found
  BerthPointerMap values;         ///< the divergent ones
  BerthPointerMap ops;            ///< whose regions diverge
  BerthPointerMap merged;         ///< what region edges hand values to
  BerthPointerMap graphOf; ///< region of several blocks -> index in `graphs`
  BerthBlocks *graphs;
  size_t numGraphs, graphCapacity;
  bool isChanged; ///< since the last round
} BerthDivergence;

/// `argumentsAgree`: all threads run the scope with the same arguments.
/// `steady` are loads that find the same if all threads come to them
/// (Steady.h): those that some threads miss are dropped. NULL: none are known.
BerthDivergence berthFindDivergence(MlirOperation scope, bool argumentsAgree,
                                    BerthSteadyLoads *steady,
                                    BerthMemory *memory);
/// Where threads of any workgroups of a cluster may disagree: they are given
/// the same arguments, but loads of their own memory, what only a workgroup
/// reduces, and what ops tell without operands is each one's own, but for
/// constants.
BerthDivergence berthFindClusterDivergence(MlirOperation scope,
                                           bool argumentsAgree,
                                           BerthMemory *memory);
void berthDivergenceFree(BerthDivergence *divergence);

/// True if threads may disagree on which of the op's regions run, or how often.
bool berthOpDiverges(const BerthDivergence *divergence, MlirOperation op);

/// True if some threads may come to an op of the scope without the others.
bool berthControlDiverges(const BerthDivergence *divergence, MlirOperation op);

/// True if the value is the same in all threads, which all come to where it is
/// defined.
bool berthThreadsAgreeOn(const BerthDivergence *divergence, MlirValue value);

/// The blocks of a region of several, or NULL where there is only one.
const BerthBlocks *berthDivergenceBlocks(const BerthDivergence *divergence,
                                         MlirRegion region);

#endif // BERTH_LIB_IR_VERIFY_RUNS_UNIFORM_H
