//===- SteadyLoads.h - What is known of loads between barriers  C --------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_RUNS_STEADYLOADS_H
#define BERTH_LIB_IR_VERIFY_RUNS_STEADYLOADS_H

#include "mlir-c/IR.h"

#include <stdbool.h>
#include <stddef.h>

/// A load, or, behind it in the list, a barrier that it relies on.
typedef struct BerthSteadyOp {
  MlirOperation op;
  size_t load; ///< index of the load's own entry
  bool isDropped;
} BerthSteadyOp;

typedef struct BerthSteadyLoads {
  size_t count, capacity;
  BerthSteadyOp *ops;
} BerthSteadyLoads;

/// A load, whose index is `count` then, or a barrier of the load of that index.
void berthSteadyLoadsAdd(BerthSteadyLoads *steady, MlirOperation op,
                         size_t load);
void berthSteadyLoadsFree(BerthSteadyLoads *steady);

bool berthIsSteadyLoad(const BerthSteadyLoads *steady, MlirOperation op);

/// Drops the loads of which `isMissed` says that some threads miss them, or a
/// barrier of theirs. True if there were such.
bool berthDropSteadyLoads(BerthSteadyLoads *steady,
                          bool (*isMissed)(MlirOperation op, void *userData),
                          void *userData);

#endif // BERTH_LIB_IR_VERIFY_RUNS_STEADYLOADS_H
