//===- Apart.c - Which values surely show different memory ----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Roots/Apart.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Verify/Roots/Marks.h"

bool berthIsFreshMemory(MlirValue value) {
  BerthEffects effects;
  return mlirValueIsAOpResult(value) &&
         berthOpSumEffects(mlirOpResultGetOwner(value), value, &effects) &&
         (effects.onValue & BERTH_EFFECT_ALLOCATE);
}

/// True for what a function is given: memory that was there before it ran.
static bool isGiven(MlirValue value) {
  if (!mlirValueIsABlockArgument(value))
    return false;
  MlirBlock block = mlirBlockArgumentGetOwner(value);
  MlirOperation parent = mlirBlockGetParentOperation(block);
  return berthOpIsFunction(parent) &&
         mlirBlockEqual(
             block, mlirRegionGetFirstBlock(mlirOperationGetRegion(parent, 0)));
}

bool berthMayBeOneMemory(MlirValue a, MlirValue b) {
  a = berthValueBehindViews(a);
  b = berthValueBehindViews(b);
  bool isFreshA = berthIsFreshMemory(a), isFreshB = berthIsFreshMemory(b);
  bool areApart =
      (isFreshA && (isFreshB || isGiven(b))) || (isGiven(a) && isFreshB);
  return berthIsOneMemory(a, b) || !areApart;
}
