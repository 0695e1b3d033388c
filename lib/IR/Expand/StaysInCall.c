//===- StaysInCall.c - Memory that nobody has behind a call ---------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Expand/StaysInCall.h"
#include "IR/Facts/Facts.h"
#include "IR/Facts/SliceFacts.h"
#include "IR/Ops/OpTable.h"
#include "mlir-c/BuiltinTypes.h"

/// `isOwn`: the allocation itself, which its function may free.
static const char *whyNot(MlirValue value, bool isOwn, int depth);

static const char *whyNotHandedTo(MlirOperation call, MlirOperation callee,
                                  intptr_t operand, int depth) {
  intptr_t argument = berthCallGetArgument(call, operand);
  if (mlirOperationIsNull(callee) || argument < 0 || depth == 0 ||
      mlirOperationGetNumRegions(callee) == 0)
    return "it is handed to code that is not seen";
  MlirBlock entry = mlirRegionGetFirstBlock(mlirOperationGetRegion(callee, 0));
  if (mlirBlockIsNull(entry))
    return "it is handed to code that is not seen";
  return whyNot(mlirBlockGetArgument(entry, argument), false, depth - 1);
}

/// Views of it are looked at in its place; a pointer in any other guise is
/// none that is followed.
static const char *whyNotByResults(MlirOperation op, int depth) {
  const char *reason = NULL;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op) && !reason; ++i) {
    MlirValue result = mlirOperationGetResult(op, i);
    MlirType type = mlirValueGetType(result);
    if (mlirTypeIsAMemRef(type) || mlirTypeIsAUnrankedMemRef(type))
      reason = whyNot(result, false, depth);
  }
  return reason;
}

static const char *whyNotUsed(MlirOperation op, intptr_t operand, bool isOwn,
                              int depth) {
  MlirOperation callee = {NULL};
  if (berthOpIsFree(op))
    return isOwn ? NULL : "it is freed by another value";
  if (berthOpIsReturn(op))
    return "it is returned";
  if (berthOpGetCallee(op, &callee))
    return whyNotHandedTo(op, callee, operand, depth);
  if (berthOpIs(op, BERTH_OP_DIM))
    return NULL;
  bool isStored = berthOpIs(op, BERTH_OP_STORE) && operand == 0;
  if (berthOpStaysWithin(op) && !isStored)
    return whyNotByResults(op, depth);
  BerthSubView part;
  bool isView = berthSubViewGet(op, &part) || berthOpIs(op, BERTH_OP_CAST) ||
                berthOpIs(op, BERTH_OP_VIEW) ||
                berthOpIs(op, BERTH_OP_REINTERPRET);
  return isView ? whyNotByResults(op, depth)
                : "its address may be kept, or be handed on";
}

static const char *whyNot(MlirValue value, bool isOwn, int depth) {
  const char *reason = NULL;
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use) && !reason; use = mlirOpOperandGetNextUse(use))
    reason = whyNotUsed(mlirOpOperandGetOwner(use),
                        mlirOpOperandGetOperandNumber(use), isOwn, depth);
  return reason;
}

const char *berthWhyNotInCall(MlirValue allocated) {
  enum { kDepth = 8 };
  return whyNot(allocated, true, kDepth);
}
