//===- PartHost.c - What the host asserts, and what conditions tell -------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Parts/PartHost.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/OpTable.h"
#include "IR/Verify/Parts/PartResolve.h"
#include "IR/Verify/Parts/PartWraps.h"

enum { kNumExtents = 6 };

//===----------------------------------------------------------------------===//
// What the host asserts
//===----------------------------------------------------------------------===//

/// What the host compares may have wrapped around before: it has a name then.
static void nameCompared(BerthPartCase *given, MlirValue value, int depth) {
  if (!mlirValueIsAOpResult(value) || depth == 0)
    return;
  MlirOperation op = mlirOpResultGetOwner(value);
  bool compares = berthOpIs(op, BERTH_OP_COMPARISON);
  bool joins = berthOpIs(op, BERTH_OP_AND) || berthOpIs(op, BERTH_OP_OR) ||
               berthOpIs(op, BERTH_OP_XOR);
  for (intptr_t i = 0;
       (compares || joins) && i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (joins) {
      nameCompared(given, operand, depth - 1);
      continue;
    }
    berthPartWrap(given->numbers, berthPartSum(given->numbers, operand));
  }
}

static void visitCondition(BerthPartCase *given, MlirValue condition,
                           bool onlyNames) {
  enum { kDepth = 16 };
  if (onlyNames) {
    nameCompared(given, condition, kDepth);
    return;
  }
  berthPartAssume(given, berthPartSum(given->numbers, condition));
  berthPartConclude(given);
}

/// Asserts in front of the op, in its block and in those around.
static void readAsserts(BerthPartCase *given, MlirOperation op,
                        bool onlyNames) {
  MlirOperation parent = mlirOperationGetParentOperation(op);
  if (!mlirOperationIsNull(parent) && !berthOpIs(parent, BERTH_OP_FUNCTION) &&
      !berthOpIs(parent, BERTH_OP_MODULE))
    readAsserts(given, parent, onlyNames);
  MlirBlock block = mlirOperationGetBlock(op);
  for (MlirOperation before = mlirBlockGetFirstOperation(block);
       !mlirOperationEqual(before, op);
       before = mlirOperationGetNextInBlock(before))
    if (berthOpIs(before, BERTH_OP_ASSERT))
      visitCondition(given, mlirOperationGetOperand(before, 0), onlyNames);
}

/// What is asked for gets its name before anything is computed of it.
void berthPartReadHost(BerthPartCase *given) {
  readAsserts(given, given->numbers->alloc, true);
  for (int k = 0; k < kNumExtents; ++k)
    berthPartWrap(given->numbers, berthPartExtent(given->numbers, k));
  berthPartForget(given->numbers);
  readAsserts(given, given->numbers->alloc, false);
  // A kernel runs where there are threads.
  for (int k = 0; k < kNumExtents; ++k) {
    BerthSum sum = berthPartExtent(given->numbers, k);
    berthPartAtLeast(given, berthPartResolve(given, sum), 1);
  }
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

/// The conditions under which the kernel comes to the op, as one.
BerthSum berthPartConditionOf(BerthPartNumbers *numbers, MlirOperation op) {
  BerthMemory *memory = &numbers->memory;
  BerthSum one = berthSumOfNumber(memory, 1), all = one;
  MlirOperation parent = mlirOperationGetParentOperation(op);
  for (; !mlirOperationEqual(parent, numbers->kernel);
       op = parent, parent = mlirOperationGetParentOperation(op)) {
    MlirValue values[2];
    MlirRegion region = mlirBlockGetParentRegion(mlirOperationGetBlock(op));
    intptr_t index = 0;
    while (!mlirRegionEqual(mlirOperationGetRegion(parent, index), region))
      ++index;
    BerthRegionRuns runs = berthRegionGetCondition(parent, index, values);
    if (runs == BERTH_RUNS_ALWAYS || runs == BERTH_RUNS_UNKNOWN)
      continue;
    BerthSum own = berthPartSum(numbers, values[0]);
    if (runs == BERTH_RUNS_WHEN_FALSE)
      own = berthSumAdd(memory, one, own, -1);
    else if (runs != BERTH_RUNS_WHEN_TRUE)
      own = berthPartIsLess(numbers, own, berthPartSum(numbers, values[1]),
                            runs == BERTH_RUNS_WHEN_LESS_UNSIGNED);
    BerthSum both = berthSumMultiply(memory, all, own);
    all = both.isNone ? all : both;
  }
  return all;
}
