//===- LoopFacts.h - Loops that count ------------------------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_FACTS_LOOPFACTS_H
#define BERTH_LIB_IR_FACTS_LOOPFACTS_H

#include "berth-c/Support.h"
#include "mlir-c/IR.h"

BERTH_EXTERN_C_BEGIN

#define BERTH_LOOP_MAX_RANK 8

/// A loop's variable is lower, lower + step, ... : `count` numbers.
typedef struct BerthLoopRange {
  MlirValue variable;
  int64_t lower;
  int64_t step; ///< above 0
  int64_t count;
} BerthLoopRange;

/// The number of variables of a loop (LoopLikeOpInterface) all of whose bounds
/// are constants, and whose body, one block, runs once for each combination of
/// them; -1 for other ops. Not loops that are mapped to threads or blocks
/// (`mapping`): nobody runs all of these.
intptr_t berthLoopGetRanges(MlirOperation op,
                            BerthLoopRange ranges[BERTH_LOOP_MAX_RANK]);

/// The same of loops whose bounds need not be constant, but the steps are: no
/// two turns have the same variables.
intptr_t berthLoopGetVariables(MlirOperation op,
                               MlirValue variables[BERTH_LOOP_MAX_RANK]);

/// Of such a loop, how far the variable goes in a turn; 0 if that is unknown.
int64_t berthLoopGetStep(MlirOperation op, intptr_t variable);

BERTH_EXTERN_C_END

#endif // BERTH_LIB_IR_FACTS_LOOPFACTS_H
