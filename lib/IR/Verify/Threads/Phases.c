//===- Phases.c - Called functions between their barriers -----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Threads/Phases.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/OrDie.h"
#include "IR/Verify/Roots/Scopes.h"
#include "IR/Verify/Runs/Arrival.h"
#include "Support/Bitset.h"

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static MlirWalkResult numberFunction(MlirOperation op, void *userData) {
  BerthPhaseTable *table = userData;
  if (berthOpIsFunction(op) && berthIsVerifyScope(op))
    berthPointerMapInsert(&table->numberOf, op.ptr, table->numFunctions++);
  return MlirWalkResultAdvance;
}

static void fillTable(BerthPhaseTable *table) {
  if (table->phases)
    return;
  mlirOperationWalk(table->root, numberFunction, table, MlirWalkPreOrder);
  size_t count = table->numFunctions + 1;
  table->phases = BERTH_NEW(&table->memory, BerthPhases *, count);
  table->isApart = BERTH_NEW(&table->memory, signed char, count);
  table->isBusy = BERTH_NEW(&table->memory, bool, count);
  table->runAgain = BERTH_NEW(&table->memory, uint64_t, berthBitWords(count));
}

size_t berthPhasesNumber(BerthPhaseTable *table, MlirOperation function) {
  fillTable(table);
  return berthPointerMapFind(&table->numberOf, function.ptr);
}

bool berthIsRunApart(BerthPhaseTable *table, MlirOperation scope) {
  size_t number = berthPhasesNumber(table, scope);
  if (number == BERTH_NOT_FOUND)
    return berthSomeThreadsCall(scope, table->root, table->options);
  signed char *isApart = &table->isApart[number];
  if (!*isApart)
    *isApart =
        berthSomeThreadsCall(scope, table->root, table->options) ? 1 : -1;
  return *isApart > 0;
}

void berthPhasesFree(BerthPhaseTable *table) {
  berthPointerMapFree(&table->numberOf);
  berthMemoryFree(&table->memory);
}

//===----------------------------------------------------------------------===//
// Calls that come back
//===----------------------------------------------------------------------===//

/// Marks all functions that an op calls, and those that these call.
static MlirWalkResult markCalled(MlirOperation op, void *userData) {
  BerthPhaseTable *table = userData;
  MlirOperation callee;
  if (!berthOpGetCallee(op, &callee) || mlirOperationIsNull(callee))
    return MlirWalkResultAdvance;
  size_t number = berthPhasesNumber(table, callee);
  if (number == BERTH_NOT_FOUND || berthBitTest(table->runAgain, number))
    return MlirWalkResultAdvance;
  berthBitSet(table->runAgain, number);
  mlirOperationWalk(callee, markCalled, table, MlirWalkPreOrder);
  return MlirWalkResultAdvance;
}

const BerthPhases *berthPhasesOf(BerthPhaseTable *table, MlirOperation callee) {
  size_t number = berthPhasesNumber(table, callee);
  if (number == BERTH_NOT_FOUND)
    return NULL;
  if (table->isBusy[number]) {
    berthBitSet(table->runAgain, number);
    mlirOperationWalk(callee, markCalled, table, MlirWalkPreOrder);
    return NULL;
  }
  if (!table->phases[number]) {
    table->isBusy[number] = true;
    table->phases[number] = table->lookInto(table, callee, number);
    table->isBusy[number] = false;
  }
  return table->phases[number];
}
