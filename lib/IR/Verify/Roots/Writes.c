//===- Writes.c - What an op may write, by its effects alone --------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Roots/Writes.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Verify/Roots/Marks.h"

typedef struct Search {
  BerthWriteCallback callback;
  void *userData;
} Search;

static void noteEffect(BerthEffect effect, void *userData) {
  const Search *search = userData;
  if (effect.kind & (BERTH_EFFECT_WRITE | BERTH_EFFECT_FREE))
    search->callback(effect.value, search->userData);
}

void berthForEachWrite(MlirOperation op, BerthWriteCallback callback,
                       void *userData) {
  MlirOperation callee;
  Search search = {callback, userData};
  bool isEnd = mlirOperationIsNull(mlirOperationGetNextInBlock(op)) &&
               (berthOpIsReturn(op) || mlirOperationGetNumSuccessors(op) ||
                berthOpIsRegionBranch(mlirOperationGetParentOperation(op)));
  bool isWrapper =
      mlirOperationGetNumRegions(op) > 0 && berthOpTellsOfRegions(op);
  if (berthOpGetCallee(op, &callee) ||
      (!berthOpGetEffects(op, noteEffect, &search) && !isEnd && !isWrapper))
    callback((MlirValue){NULL}, userData);
}

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
