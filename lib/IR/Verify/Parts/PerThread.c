//===- PerThread.c - Parts of blocks that threads have --------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Parts/PerThread.h"
#include "IR/Facts/Facts.h"
#include "IR/Facts/SliceFacts.h"
#include "IR/Facts/Versions.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Verify/Parts/PartsApart.h"
#include "mlir-c/BuiltinTypes.h"

/// Levels of tokens that are followed.
enum { kMostTokens = 16 };

typedef struct Check {
  MlirOperation root;
  MlirOperation alloc, launch, kernel;
  MlirValue block; ///< in the kernel
  size_t numErrors;
  bool isQuiet;
} Check;

static void tell(Check *check, MlirOperation op, const char *what,
                 MlirOperation noteAt, const char *note) {
  ++check->numErrors;
  if (!check->isQuiet)
    berthEmitError(op, what, noteAt, note);
}

//===----------------------------------------------------------------------===//
// When it is there
//===----------------------------------------------------------------------===//

/// True if the token comes when the other one has come, or later.
static bool follows(MlirValue token, MlirValue other, int depth) {
  if (mlirValueEqual(token, other))
    return true;
  if (!mlirValueIsAOpResult(token) || depth == 0)
    return false;
  MlirOperation op = mlirOpResultGetOwner(token);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (berthTypeIsToken(mlirValueGetType(operand)) &&
        follows(operand, other, depth - 1))
      return true;
  }
  return false;
}

static bool hasSuch(MlirOperation op, MlirValue token) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (berthTypeIsToken(mlirValueGetType(operand)) &&
        follows(operand, token, kMostTokens))
      return true;
  }
  return false;
}

/// True if what the token stands for is over when `later` begins, which stands
/// behind `earlier` in its block: it waits for it, or the host has.
static bool isOver(MlirOperation earlier, MlirValue token,
                   MlirOperation later) {
  if (!mlirBlockEqual(mlirOperationGetBlock(earlier),
                      mlirOperationGetBlock(later)) ||
      !mlirOperationIsBeforeInBlock(earlier, later))
    return false;
  if (mlirValueIsNull(token) || hasSuch(later, token))
    return true;
  for (MlirOperation op = mlirOperationGetNextInBlock(earlier);
       !mlirOperationEqual(op, later); op = mlirOperationGetNextInBlock(op))
    if (mlirOperationGetNumResults(op) == 0 &&
        berthOpIsOfDialectOf(op, mlirValueGetType(token)) &&
        !berthOpIs(op, BERTH_OP_DEVICE_FREE) &&
        !berthOpIs(op, BERTH_OP_LAUNCH_FUNCTION) &&
        !berthOpIs(op, BERTH_OP_LAUNCH) && hasSuch(op, token))
      return true;
  return false;
}

/// What the op returns as a token, or null.
static MlirValue tokenOf(MlirOperation op) {
  intptr_t count = mlirOperationGetNumResults(op);
  MlirValue last = {NULL};
  if (count)
    last = mlirOperationGetResult(op, count - 1);
  return count && berthTypeIsToken(mlirValueGetType(last)) ? last
                                                           : (MlirValue){NULL};
}

/// The launch around an op, or the op itself.
static MlirOperation launchOf(MlirOperation op) {
  while (!mlirOperationIsNull(op) && !berthOpIs(op, BERTH_OP_LAUNCH) &&
         !berthOpIs(op, BERTH_OP_LAUNCH_FUNCTION))
    op = mlirOperationGetParentOperation(op);
  return op;
}

static void checkFree(Check *check, MlirOperation op) {
  if (mlirOperationIsNull(check->launch) ||
      !isOver(check->launch, tokenOf(check->launch), op))
    tell(check, op,
         "frees memory that the threads of a launch may still be using",
         check->alloc, "allocated here");
}

/// All uses, through casts; finds the one launch. Frees are looked at last.
static void findLaunch(Check *check, MlirValue value, bool checksFrees) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    MlirOperation launch = launchOf(op);
    if (berthOpIsFree(op)) {
      if (checksFrees)
        checkFree(check, op);
    } else if (berthOpIs(op, BERTH_OP_CAST) && mlirOperationIsNull(launch)) {
      findLaunch(check, mlirOperationGetResult(op, 0), checksFrees);
    } else if (checksFrees) {
      continue;
    } else if (mlirOperationIsNull(launch) ||
               (!mlirOperationIsNull(check->launch) &&
                !mlirOperationEqual(launch, check->launch))) {
      tell(check, op,
           "uses memory of the threads of a launch, and is none of that "
           "launch",
           check->alloc, "allocated here");
    } else {
      check->launch = launch;
      check->block = value;
    }
  }
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

static bool isNamed(MlirOperation op, MlirStringRef name) {
  MlirAttribute own = berthAttributeOf(op, "sym_name");
  return !mlirAttributeIsNull(own) &&
         mlirStringRefEqual(mlirStringAttrGetValue(own), name);
}

static MlirWalkResult findKernel(MlirOperation op, void *userData) {
  Check *check = userData;
  MlirAttribute kernel = berthAttributeOf(check->launch, "kernel");
  if (berthOpIs(op, BERTH_OP_GPU_FUNCTION) &&
      isNamed(op, mlirSymbolRefAttrGetLeafReference(kernel)) &&
      isNamed(mlirOperationGetParentOperation(op),
              mlirSymbolRefAttrGetRootReference(kernel)))
    check->kernel = op;
  return mlirOperationIsNull(check->kernel) ? MlirWalkResultAdvance
                                            : MlirWalkResultInterrupt;
}

static intptr_t segment(MlirOperation op, intptr_t position) {
  return mlirDenseI32ArrayGetElement(
      berthAttributeOf(op, "operandSegmentSizes"), position);
}

/// Of a launch that names a function, the first operand that this gets.
static intptr_t firstArgument(MlirOperation launch) {
  intptr_t first = 0;
  for (intptr_t i = 0; berthOpIs(launch, BERTH_OP_LAUNCH_FUNCTION) && i < 11;
       ++i)
    first += segment(launch, i);
  return first;
}

/// The block as the kernel knows it; null where that is not seen.
static MlirValue blockInKernel(Check *check) {
  if (berthOpIs(check->launch, BERTH_OP_LAUNCH)) {
    check->kernel = check->launch;
    return check->block;
  }
  mlirOperationWalk(check->root, findKernel, check, MlirWalkPreOrder);
  if (mlirOperationIsNull(check->kernel))
    return (MlirValue){NULL};
  MlirBlock entry =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(check->kernel, 0));
  intptr_t first = firstArgument(check->launch);
  for (intptr_t i = 0; i < segment(check->launch, 11); ++i)
    if (mlirValueEqual(mlirOperationGetOperand(check->launch, first + i),
                       check->block))
      return mlirBlockGetArgument(entry, i);
  return (MlirValue){NULL};
}

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

/// False if something is wrong with the view, or with the cast of one.
static bool isRight(Check *check, const BerthPartCheck *parts, MlirOperation at,
                    BerthPartFault fault) {
  switch (fault) {
  case BERTH_PART_RIGHT:
    return true;
  case BERTH_PART_OUTSIDE:
    tell(check, at,
         "is not shown to be of bytes that the memory of all threads has",
         check->alloc, "allocated here");
    break;
  case BERTH_PART_COMMON:
    tell(check, at,
         "is not shown to be of bytes that no other thread's part of the "
         "memory has",
         check->alloc, "allocated here");
    break;
  case BERTH_PART_OVERFLOWS:
    tell(check, check->alloc,
         "allocates memory of the threads of a launch, and nothing keeps its "
         "size from overflowing",
         at, "used here");
    break;
  case BERTH_PART_DIVIDES:
    tell(check, at,
         "is part of the memory of all threads, which depends on a division "
         "that is not shown to be by more than 0",
         parts->division, "divided here");
    break;
  case BERTH_PART_BOUNDLESS:
    tell(check, at,
         "is part of the memory of all threads, and nothing limits its size",
         check->alloc, "allocated here");
    break;
  }
  return false;
}

/// All casts of the view: they begin where that does, whatever subviews and
/// other casts stand between.
static bool checkCasts(Check *check, BerthPartCheck *parts, MlirOperation view,
                       MlirValue value) {
  bool areRight = true;
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use) && areRight;
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    BerthSubView part;
    bool isCast = berthOpIs(op, BERTH_OP_REINTERPRET);
    if (isCast)
      areRight = isRight(check, parts, op, berthPartCheckView(parts, view, op));
    if (areRight &&
        (isCast || berthOpIs(op, BERTH_OP_CAST) || berthSubViewGet(op, &part)))
      areRight = checkCasts(check, parts, view, mlirOperationGetResult(op, 0));
  }
  return areRight;
}

/// True if the view has uses but casts, which begin anew, and its size.
static bool isUsed(MlirOperation view) {
  bool isOne = false;
  for (MlirOpOperand use =
           mlirValueGetFirstUse(mlirOperationGetResult(view, 0));
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    isOne |=
        !berthOpIs(op, BERTH_OP_REINTERPRET) && !berthOpIs(op, BERTH_OP_DIM);
  }
  return isOne;
}

/// A view, which is a thread's part unless its casts are.
static bool checkView(Check *check, BerthPartCheck *parts, MlirOperation view) {
  MlirOperation nothing = {NULL};
  BerthPartFault fault = isUsed(view) ? berthPartCheckView(parts, view, nothing)
                                      : berthPartCheckBlock(parts, view);
  return isRight(check, parts, view, fault) &&
         checkCasts(check, parts, view, mlirOperationGetResult(view, 0));
}

static void checkBytes(Check *check) {
  BerthPartCheck parts = berthPartCheckBegin(
      check->alloc, check->launch, check->kernel, segment(check->launch, 0),
      firstArgument(check->launch));
  bool areRight = true;
  for (MlirOpOperand use = mlirValueGetFirstUse(check->block);
       !mlirOpOperandIsNull(use) && areRight;
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (mlirOperationEqual(op, check->launch) || berthOpIsFree(op) ||
        berthOpIs(op, BERTH_OP_DIM))
      continue;
    if (berthOpIs(op, BERTH_OP_VIEW)) {
      areRight = checkView(check, &parts, op);
      continue;
    }
    tell(check, op,
         "uses the memory of all threads, and is no view of a thread's part",
         check->alloc, "allocated here");
    areRight = false;
  }
  berthPartCheckFree(&parts);
}

static MlirWalkResult visit(MlirOperation op, void *userData) {
  Check *all = userData;
  if (!berthOpIs(op, BERTH_OP_DEVICE_ALLOC) ||
      mlirAttributeIsNull(berthAttributeOf(op, BERTH_PER_THREAD)))
    return MlirWalkResultAdvance;
  Check check = {.root = all->root, .alloc = op, .isQuiet = all->isQuiet};
  MlirValue value = mlirOperationGetResult(op, 0);
  findLaunch(&check, value, false);
  findLaunch(&check, value, true);
  if (!mlirOperationIsNull(check.launch) &&
      !isOver(op, tokenOf(op), check.launch))
    tell(&check, check.launch, "begins before its threads' memory is there", op,
         "allocated here");
  if (!mlirOperationIsNull(check.launch))
    check.block = blockInKernel(&check);
  if (!mlirOperationIsNull(check.launch) && check.numErrors == 0 &&
      !mlirValueIsNull(check.block))
    checkBytes(&check);
  all->numErrors += check.numErrors;
  return MlirWalkResultAdvance;
}

size_t berthVerifyPerThread(MlirOperation root, bool isQuiet) {
  Check all = {.root = root, .isQuiet = isQuiet};
  mlirOperationWalk(root, visit, &all, MlirWalkPreOrder);
  return all.numErrors;
}
