//===- Called.c - Whether a call meets a barrier --------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Roots/Called.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Verify/Roots/Apart.h"

/// The end of the straight code of a function that an op calls, or null.
static MlirOperation lastOfCallee(MlirOperation op, MlirOperation *callee) {
  MlirOperation none = {NULL};
  if (berthOpIsDescribed(op) || !berthOpGetCallee(op, callee) ||
      mlirOperationIsNull(*callee))
    return none;
  MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(*callee, 0));
  bool isStraight = !mlirBlockIsNull(block) &&
                    mlirBlockIsNull(mlirBlockGetNextInRegion(block));
  return isStraight ? berthBlockGetLast(block) : none;
}

bool berthMeetsInside(BerthPointerMap *calls, MlirOperation op) {
  MlirOperation callee, at;
  if (berthOpIsMeeting(op))
    return true;
  at = lastOfCallee(op, &callee);
  if (mlirOperationIsNull(at))
    return false;
  size_t known = berthPointerMapFind(calls, callee.ptr);
  if (known != BERTH_NOT_FOUND)
    return known;
  berthPointerMapSet(calls, callee.ptr, false); // it may call itself
  bool meets = false;
  for (; !meets && !mlirOperationIsNull(at); at = berthOpGetPrevious(at))
    meets = berthMeetsInside(calls, at);
  berthPointerMapSet(calls, callee.ptr, meets);
  return meets;
}

static void noteForeign(BerthEffect effect, void *userData) {
  bool *isForeign = userData;
  bool isOwn = effect.kind == BERTH_EFFECT_FREE &&
               !mlirValueIsNull(effect.value) &&
               berthIsFreshMemory(effect.value);
  *isForeign |= effect.kind != BERTH_EFFECT_ALLOCATE && !isOwn;
}

/// True if nobody outside of its function could see that the op has run. Own
/// arenas are allocated and freed so.
static bool isUnseen(MlirOperation op) {
  bool isForeign = false;
  return berthOpIsReturn(op) ||
         (mlirOperationGetNumRegions(op) == 0 &&
          berthOpGetEffects(op, noteForeign, &isForeign) && !isForeign);
}

bool berthIsOverAtMeeting(BerthPointerMap *calls, MlirOperation op) {
  enum { kDeepest = 4096 }; // a function may end in a call of itself
  MlirOperation callee;
  for (int depth = 0; !berthOpIsMeeting(op); ++depth) {
    if (depth > kDeepest || !berthMeetsInside(calls, op))
      return false;
    op = lastOfCallee(op, &callee);
    while (!mlirOperationIsNull(op) && !berthMeetsInside(calls, op)) {
      if (!isUnseen(op))
        return false;
      op = berthOpGetPrevious(op);
    }
  }
  return true;
}
