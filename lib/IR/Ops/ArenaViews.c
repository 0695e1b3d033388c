//===- ArenaViews.c - Arenas that stand in the program already ------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Ops/ArenaViews.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Dealloc.h"
#include "IR/Ops/EqualValues.h"
#include "IR/Ops/OpTable.h"
#include "mlir-c/BuiltinTypes.h"

bool berthIsNumberedView(MlirOperation op) {
  return berthOpIs(op, BERTH_OP_VIEW) &&
         !mlirAttributeIsNull(berthAttributeOf(op, BERTH_BUFFER_NUMBER));
}

bool berthIsArena(MlirValue value) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (berthIsNumberedView(mlirOpOperandGetOwner(use)))
      return true;
  return false;
}

/// A view that stands for declared memory says so; in an arena that does as
/// well it could not say both.
static bool saysWhatItWas(MlirOperation op) {
  return !mlirAttributeIsNull(berthAttributeOf(op, BERTH_EXISTING));
}

bool berthArenaMayMove(MlirValue arena) {
  if (!mlirShapedTypeHasStaticShape(mlirValueGetType(arena)))
    return false;
  bool isExisting =
      mlirValueIsAOpResult(arena) && saysWhatItWas(mlirOpResultGetOwner(arena));
  for (MlirOpOperand use = mlirValueGetFirstUse(arena);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    int64_t shift;
    bool mayMove =
        berthIsNumberedView(op)
            ? berthValueIsConstant(mlirOperationGetOperand(op, 1), &shift) &&
                  !(isExisting && saysWhatItWas(op))
            : berthOpIsFree(op) || berthDeallocNumMemRefs(op) >= 0;
    if (!mayMove)
      return false;
  }
  return true;
}
