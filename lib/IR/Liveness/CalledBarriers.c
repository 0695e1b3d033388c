//===- CalledBarriers.c - Barriers in called functions --------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Liveness/CalledBarriers.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"

/// What is known of an op, or of a function.
enum { kMeets = 1, kEndsInMeeting = 2 };

/// The one block of the function that the op calls, or null.
static MlirBlock calledBlock(MlirOperation op, MlirOperation *callee) {
  MlirBlock none = {NULL};
  if (berthOpIsDescribed(op) || !berthOpGetCallee(op, callee) ||
      berthFunctionIsUnseen(*callee))
    return none;
  MlirBlock first = mlirRegionGetFirstBlock(mlirOperationGetRegion(*callee, 0));
  return mlirBlockIsNull(mlirBlockGetNextInRegion(first)) ? first : none;
}

/// True if the op touches no buffer that its function was given: it computes,
/// allocates, or frees what its function has allocated.
static bool isQuiet(MlirOperation op) {
  BerthEffects effects, made;
  if (berthOpIsReturn(op) || berthOpIsConstant(op))
    return true;
  if (mlirOperationGetNumRegions(op) ||
      !berthOpSumEffects(op, (MlirValue){NULL}, &effects))
    return false;
  if (!berthOpIsFree(op) || mlirOperationGetNumOperands(op) != 1)
    return (effects.anywhere & ~BERTH_EFFECT_ALLOCATE) == 0;
  MlirValue freed = mlirOperationGetOperand(op, 0);
  return mlirValueIsAOpResult(freed) &&
         berthOpSumEffects(mlirOpResultGetOwner(freed), freed, &made) &&
         made.onValue & BERTH_EFFECT_ALLOCATE;
}

static size_t factsOf(BerthPointerMap *known, MlirOperation op) {
  if (berthOpIsMeeting(op))
    return kMeets | kEndsInMeeting;
  MlirOperation callee;
  MlirBlock block = calledBlock(op, &callee);
  if (mlirBlockIsNull(block))
    return 0;
  size_t facts = berthPointerMapFind(known, callee.ptr);
  if (facts != BERTH_NOT_FOUND)
    return facts;
  facts = 0;
  berthPointerMapSet(known, callee.ptr, facts); // in a call of itself
  for (op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
       op = mlirOperationGetNextInBlock(op)) {
    size_t inner = factsOf(known, op);
    if (inner & kMeets)
      facts = inner;
    else if (!isQuiet(op))
      facts &= kMeets;
  }
  berthPointerMapSet(known, callee.ptr, facts);
  return facts;
}

bool berthOpSurelyMeets(BerthPointerMap *known, MlirOperation op) {
  return factsOf(known, op) & kMeets;
}

bool berthOpEndsInMeeting(BerthPointerMap *known, MlirOperation op) {
  return factsOf(known, op) & kEndsInMeeting;
}

bool berthIsInLoopsOnly(MlirOperation op, MlirRegion body) {
  MlirBlock first = mlirRegionGetFirstBlock(body);
  if (!mlirBlockIsNull(mlirBlockGetNextInRegion(first)))
    return false;
  while (!mlirBlockEqual(mlirOperationGetBlock(op), first)) {
    op = mlirOperationGetParentOperation(op);
    if (!berthOpIs(op, BERTH_OP_LOOP) ||
        (berthOpIsAffine(op) && mlirOperationGetNumOperands(op)))
      return false;
  }
  return true;
}
