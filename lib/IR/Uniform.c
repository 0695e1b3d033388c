//===- Uniform.c - What all threads of a workgroup agree on ---------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Uniform.h"
#include "IR/OpTable.h"
#include "IR/Points.h"
#include "IR/Spread.h"
#include "mlir-c/BuiltinTypes.h"

/// How long a chain of operations is followed before a value counts as
/// divergent: chains that decide control are short, and the cost stays bounded.
enum { kMaxDepth = 64 };

/// A gpu.launch body begins with block ids, thread ids, grid and block sizes,
/// three each.
enum { kFirstThreadId = 3, kFirstGridSize = 6 };

static bool isUniform(const BerthScope *scope, MlirValue value, int depth);

/// Of a loop's operands, those in front that say how often it runs; what comes
/// behind is only handed from turn to turn.
static intptr_t numBounds(MlirOperation loop) {
  if (berthOpIsNamed(loop, "scf.for"))
    return 3;
  return mlirOperationGetNumOperands(loop) - mlirOperationGetNumResults(loop);
}

/// The first `count` operands.
static bool operandsAreUniform(const BerthScope *scope, MlirOperation op,
                               intptr_t count, int depth) {
  for (intptr_t i = 0; i < count; ++i)
    if (!isUniform(scope, mlirOperationGetOperand(op, i), depth + 1))
      return false;
  return true;
}

static bool scopeArgumentIsUniform(const BerthScope *scope, intptr_t index) {
  switch (scope->kind) {
  case BERTH_SCOPE_KERNEL:
    return true;
  case BERTH_SCOPE_LAUNCH:
    return index < kFirstThreadId || index >= kFirstGridSize;
  case BERTH_SCOPE_FUNCTION:
  case BERTH_SCOPE_DEVICE_FUNCTION:
    return false;
  }
  return false;
}

/// Loop variables with uniform bounds; what else comes in through a block is a
/// merge.
static bool argumentIsUniform(const BerthScope *scope, MlirValue argument,
                              int depth) {
  MlirBlock block = mlirBlockArgumentGetOwner(argument);
  MlirRegion region = mlirBlockGetParentRegion(block);
  intptr_t index = mlirBlockArgumentGetArgNumber(argument);
  if (mlirRegionEqual(region, scope->body))
    return mlirBlockEqual(block, mlirRegionGetFirstBlock(region)) &&
           scopeArgumentIsUniform(scope, index);
  MlirOperation parent = mlirBlockGetParentOperation(block);
  if (mlirOperationIsNull(berthAncestorInRegion(parent, scope->body)))
    return true; // of the host, around a launch
  bool isLoopVariable = index == 0 && (berthOpIsNamed(parent, "scf.for") ||
                                       berthOpIsNamed(parent, "affine.for"));
  return isLoopVariable &&
         operandsAreUniform(scope, parent, numBounds(parent), depth);
}

static bool isUniform(const BerthScope *scope, MlirValue value, int depth) {
  if (depth > kMaxDepth)
    return false;
  if (mlirValueIsABlockArgument(value))
    return argumentIsUniform(scope, value, depth);
  MlirOperation op = mlirOpResultGetOwner(value);
  MlirRegion region = mlirBlockGetParentRegion(mlirOperationGetBlock(op));
  bool isOutside = mlirOperationIsNull(berthAncestorInRegion(op, scope->body));
  // A launch body sees host values from above: the same for all threads.
  if (isOutside && !mlirRegionIsNull(region))
    return true;
  return berthOpKeepsUniformity(op) &&
         operandsAreUniform(scope, op, mlirOperationGetNumOperands(op), depth);
}

bool berthValueIsUniform(const BerthScope *scope, MlirValue value) {
  return isUniform(scope, value, 0);
}

/// scf.while decides in its condition op, not in its operands.
static bool whileIsUniform(const BerthScope *scope, MlirOperation op) {
  MlirBlock before = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  MlirOperation condition = berthBlockGetLast(before);
  return berthValueIsUniform(scope, mlirOperationGetOperand(condition, 0));
}

/// The operands that can decide: numbers, not buffers or vectors of data.
static bool mayDecide(MlirValue operand) {
  MlirType type = mlirValueGetType(operand);
  return mlirTypeIsAIndex(type) || mlirTypeIsAInteger(type);
}

bool berthRegionsAreUniform(const BerthScope *scope, MlirOperation op) {
  if (!berthOpIsRegionBranch(op) || berthOpIsParallel(op) ||
      berthOpIsAsync(op) || berthOpIsForSomeThreads(op))
    return false;
  if (berthOpIsNamed(op, "scf.while"))
    return whileIsUniform(scope, op);
  bool isFor =
      berthOpIsNamed(op, "scf.for") || berthOpIsNamed(op, "affine.for");
  intptr_t count = isFor ? numBounds(op) : mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (mayDecide(operand) && !berthValueIsUniform(scope, operand))
      return false;
  }
  return true;
}

static void ignorePair(MlirValue forwarded, MlirValue received,
                       void *userData) {
  (void)forwarded;
  (void)received;
  (void)userData;
}

/// What decides is an operand, unless the branch is one that nobody knows.
bool berthBranchIsUniform(const BerthScope *scope, MlirOperation branch) {
  if (mlirOperationIsNull(branch) || mlirOperationGetNumSuccessors(branch) < 2)
    return true;
  if (!berthBranchGetOperands(branch, 0, ignorePair, NULL))
    return false;
  // Behind the condition stand values that are only handed on.
  bool isKnown = berthOpIsNamed(branch, "cf.cond_br") ||
                 berthOpIsNamed(branch, "cf.switch");
  intptr_t count = isKnown ? 1 : mlirOperationGetNumOperands(branch);
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue operand = mlirOperationGetOperand(branch, i);
    if (mayDecide(operand) && !berthValueIsUniform(scope, operand))
      return false;
  }
  return true;
}

bool berthBlocksAreUniform(const BerthScope *scope, MlirRegion region) {
  for (MlirBlock block = mlirRegionGetFirstBlock(region);
       !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
    if (!berthBranchIsUniform(scope, berthBlockGetLast(block)))
      return false;
  return true;
}

bool berthControlIsUniform(const BerthScope *scope, MlirOperation op,
                           MlirOperation *because) {
  MlirOperation ignored;
  if (!because)
    because = &ignored;
  while (true) {
    MlirBlock block = mlirOperationGetBlock(op);
    MlirRegion region = mlirBlockGetParentRegion(block);
    op = mlirOperationGetParentOperation(op);
    *because = op;
    if (berthBlockIsDivergent(scope, block))
      return false;
    if (mlirRegionEqual(region, scope->body))
      return true;
    if (!berthRegionsAreUniform(scope, op))
      return false;
  }
}
