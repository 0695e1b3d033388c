//===- Writes.c - What an op may write, by its effects alone --------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Roots/Writes.h"
#include "IR/Facts/DmaFacts.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Verify/Roots/Moves.h"

typedef struct Search {
  BerthWriteCallback callback;
  void *userData;
} Search;

static void noteEffect(BerthEffect effect, void *userData) {
  const Search *search = userData;
  if (effect.kind & (BERTH_EFFECT_WRITE | BERTH_EFFECT_FREE))
    search->callback(effect.value, search->userData);
}

/// What a transfer writes is written at any time until its wait.
static bool tellTransfer(MlirOperation op, const Search *search) {
  MlirValue from, to = {NULL};
  BerthDma dma;
  if (!berthOpGetDma(op, &dma))
    return false;
  berthGetMove(op, &from, &to); // null: a wait that may be for anything
  search->callback(to, search->userData);
  search->callback(mlirOperationGetOperand(op, dma.tag), search->userData);
  return true;
}

void berthForEachWrite(MlirOperation op, BerthWriteCallback callback,
                       void *userData) {
  MlirOperation callee;
  Search search = {callback, userData};
  if (tellTransfer(op, &search))
    return;
  bool isEnd = mlirOperationIsNull(mlirOperationGetNextInBlock(op)) &&
               (berthOpIsReturn(op) || mlirOperationGetNumSuccessors(op) ||
                berthOpIsRegionBranch(mlirOperationGetParentOperation(op)));
  bool isWrapper =
      mlirOperationGetNumRegions(op) > 0 && berthOpTellsOfRegions(op);
  if (berthOpGetCallee(op, &callee) ||
      (!berthOpGetEffects(op, noteEffect, &search) && !isEnd && !isWrapper))
    callback((MlirValue){NULL}, userData);
}
