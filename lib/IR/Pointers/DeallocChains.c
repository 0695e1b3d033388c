//===- DeallocChains.c - Code that decides what is freed ------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A worklist of dead ops, from the deallocations backwards:
//
//   - an scf.if of which only dead ops are left,
//   - an op without effects, or a load, whose results only dead ops use,
//   - a group of tables that nobody reads any more, with all that fills them.
//     The tables of one call of the helper stand and fall together.
//
// The ops are found before anything is changed, so that no place is planned for
// the tables, and once more when they are erased: a buffer that was refused in
// between keeps its deallocations, and these their decision.
//
//===----------------------------------------------------------------------===//

#include "IR/Pointers/DeallocChains.h"
#include "IR/Facts/Versions.h"
#include "IR/Ops/Dealloc.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"

#include <stdlib.h>

static bool isDead(const BerthDecisions *decisions, MlirOperation op) {
  return berthPointerMapFind(&decisions->indexOf, op.ptr) != BERTH_NOT_FOUND;
}

static void addDead(BerthDecisions *decisions, MlirOperation op) {
  if (!berthPointerMapInsert(&decisions->indexOf, op.ptr, decisions->count))
    return;
  decisions->ops = berthGrow(decisions->ops, decisions->count,
                             &decisions->capacity, sizeof *decisions->ops);
  decisions->ops[decisions->count++] = op;
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

/// Tables that are connected by calls of the helper, with all views of them.
typedef struct Group {
  const BerthDecisions *decisions;
  MlirOperation root; ///< what the pass runs on
  BerthPointerMap seen;
  MlirValue *values; ///< the tables and their views
  size_t numValues, valueCapacity;
  MlirOperation *ops; ///< all that uses them, and the allocations
  size_t numOps, opCapacity;
} Group;

static void addOp(Group *group, MlirOperation op) {
  group->ops = berthGrow(group->ops, group->numOps, &group->opCapacity,
                         sizeof *group->ops);
  group->ops[group->numOps++] = op;
}

static void addValue(Group *group, MlirValue value) {
  if (!berthPointerMapInsert(&group->seen, value.ptr, 1))
    return;
  group->values = berthGrow(group->values, group->numValues,
                            &group->valueCapacity, sizeof *group->values);
  group->values[group->numValues++] = value;
}

static bool holdsNumbers(MlirValue table) {
  MlirType element = mlirShapedTypeGetElementType(mlirValueGetType(table));
  return mlirTypeIsAInteger(element) || mlirTypeIsAIndex(element);
}

/// The table that a value is a view of; false if it is none of ours.
static bool addTable(Group *group, MlirValue value) {
  if (!mlirTypeIsAMemRef(mlirValueGetType(value)))
    return false;
  MlirValue table = berthTableRoot(value);
  if (mlirValueIsNull(table) || !holdsNumbers(table))
    return false;
  addOp(group, mlirOpResultGetOwner(table));
  addValue(group, table);
  return true;
}

static bool addTablesOfCall(Group *group, MlirOperation call) {
  intptr_t count = mlirOperationGetNumOperands(call);
  for (intptr_t i = 0; i < count; ++i)
    if (!addTable(group, mlirOperationGetOperand(call, i)))
      return false;
  return true;
}

/// True if the use may go when nobody reads the tables; adds what goes with it.
static bool mayGo(Group *group, MlirOpOperand use) {
  MlirOperation op = mlirOpOperandGetOwner(use);
  addOp(group, op);
  if (!mlirValueIsNull(berthViewGetSource(op))) {
    addValue(group, mlirOperationGetResult(op, 0));
    return true;
  }
  if (berthIsDeallocHelperCall(op, group->root))
    return addTablesOfCall(group, op);
  if (berthOpIs(op, BERTH_OP_STORE))
    return mlirOpOperandGetOperandNumber(use) == 1;
  return berthOpIs(op, BERTH_OP_FREE) || isDead(group->decisions, op);
}

static bool allUsesMayGo(Group *group) {
  for (size_t i = 0; i < group->numValues; ++i)
    for (MlirOpOperand use = mlirValueGetFirstUse(group->values[i]);
         !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
      if (!mayGo(group, use))
        return false;
  return true;
}

/// A load of the table has died: perhaps that was the last one.
static void tryTable(BerthDecisions *decisions, MlirValue table,
                     MlirOperation root) {
  Group group = {.decisions = decisions, .root = root};
  if (addTable(&group, table) && allUsesMayGo(&group))
    for (size_t i = 0; i < group.numOps; ++i)
      addDead(decisions, group.ops[i]);
  berthPointerMapFree(&group.seen);
  free(group.values);
  free(group.ops);
}

//===----------------------------------------------------------------------===//
// One dead op
//===----------------------------------------------------------------------===//

static bool onlyDeadOpsUse(const BerthDecisions *decisions, MlirOperation op) {
  intptr_t count = mlirOperationGetNumResults(op);
  for (intptr_t i = 0; i < count; ++i)
    for (MlirOpOperand use =
             mlirValueGetFirstUse(mlirOperationGetResult(op, i));
         !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
      if (!isDead(decisions, mlirOpOperandGetOwner(use)))
        return false;
  return true;
}

static void noteEffect(BerthEffect effect, void *userData) {
  (void)effect;
  *(bool *)userData = true;
}

/// Nobody misses it when nobody uses its results.
static bool onlyComputes(MlirOperation op) {
  if (berthOpIs(op, BERTH_OP_LOAD))
    return true;
  bool hasEffects = false;
  return mlirOperationGetNumRegions(op) == 0 &&
         mlirOperationGetNumSuccessors(op) == 0 &&
         mlirOperationGetNumResults(op) > 0 &&
         berthOpGetEffects(op, noteEffect, &hasEffects) && !hasEffects;
}

static void tryDefinition(BerthDecisions *decisions, MlirValue value) {
  if (!mlirValueIsAOpResult(value))
    return;
  MlirOperation op = mlirOpResultGetOwner(value);
  if (onlyComputes(op) && onlyDeadOpsUse(decisions, op))
    addDead(decisions, op);
}

static bool isDeadOp(MlirOperation op, const void *decisions) {
  return isDead(decisions, op);
}

static void tryParent(BerthDecisions *decisions, MlirOperation op) {
  MlirOperation parent = mlirOperationGetParentOperation(op);
  if (berthIfHoldsOnly(parent, isDeadOp, decisions))
    addDead(decisions, parent);
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

BerthDecisions berthFindDecisions(const BerthJob *job) {
  BerthDecisions decisions = {0};
  for (size_t i = 0; i < job->scope.numBuffers; ++i) {
    const BerthBufferInfo *buffer = &job->scope.buffers[i];
    for (size_t k = 0; !buffer->reason && k < buffer->numFrees; ++k)
      if (berthOpIs(buffer->frees[k], BERTH_OP_FREE))
        addDead(&decisions, buffer->frees[k]);
  }
  decisions.numDeallocs = decisions.count;
  for (size_t i = 0; i < decisions.count; ++i) {
    MlirOperation op = decisions.ops[i];
    tryParent(&decisions, op);
    intptr_t count = mlirOperationGetNumOperands(op);
    for (intptr_t k = 0; k < count; ++k)
      tryDefinition(&decisions, mlirOperationGetOperand(op, k));
    if (berthOpIs(op, BERTH_OP_LOAD))
      tryTable(&decisions, mlirOperationGetOperand(op, 0), job->root);
  }
  return decisions;
}

/// What stands in a dead op dies with it. Uses are cut first, so that the rest
/// may go in any order.
void berthEraseDecisions(BerthDecisions *decisions) {
  size_t numOuter = 0;
  MlirOperation *ops = decisions->ops + decisions->numDeallocs;
  size_t count = decisions->count - decisions->numDeallocs;
  for (size_t i = 0; i < count; ++i)
    mlirOperationSetOperands(ops[i], 0, NULL);
  for (size_t i = 0; i < count; ++i)
    if (!isDead(decisions, mlirOperationGetParentOperation(ops[i])))
      ops[numOuter++] = ops[i];
  for (size_t i = 0; i < numOuter; ++i)
    mlirOperationDestroy(ops[i]);
}

void berthDecisionsFree(BerthDecisions *decisions) {
  berthPointerMapFree(&decisions->indexOf);
  free(decisions->ops);
}

/// The first op that takes an address of the buffer and stays; or none.
static MlirOperation findAddress(const BerthBufferInfo *buffer,
                                 const BerthDecisions *decisions) {
  for (size_t i = 0; i < buffer->numAliases; ++i)
    for (MlirOpOperand use = mlirValueGetFirstUse(buffer->aliases[i]);
         !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
      MlirOperation op = mlirOpOperandGetOwner(use);
      if (berthOpIs(op, BERTH_OP_ADDRESS) && !isDead(decisions, op))
        return op;
    }
  return (MlirOperation){NULL};
}

static bool rejectAddressed(BerthJob *job, const BerthDecisions *decisions) {
  bool changed = false;
  for (size_t i = 0; i < job->scope.numBuffers; ++i) {
    BerthBufferInfo *buffer = &job->scope.buffers[i];
    if (buffer->reason)
      continue;
    MlirOperation op = findAddress(buffer, decisions);
    if (mlirOperationIsNull(op))
      continue;
    berthRejectBuffer(buffer, BERTH_ADDRESS_WOULD_BE_LOST, op);
    changed = true;
  }
  return changed;
}

/// The decisions, of which those about a buffer go only if it is placed: so
/// each that is rejected may let the addresses of others stay.
static BerthDecisions rejectAllAddressed(BerthJob *job) {
  for (;;) {
    BerthDecisions decisions = berthFindDecisions(job);
    if (!berthViewsLoseAddresses() || !rejectAddressed(job, &decisions))
      return decisions;
    berthDecisionsFree(&decisions);
  }
}

void berthSetTablesAside(BerthJob *job) {
  if (job->form == BERTH_ARENA_ANNOTATE)
    return;
  BerthDecisions decisions = rejectAllAddressed(job);
  for (size_t i = 0; i < job->scope.numBuffers; ++i)
    if (isDead(&decisions, job->scope.buffers[i].alloc))
      berthRejectBuffer(&job->scope.buffers[i],
                        "it only serves deallocations that go",
                        job->scope.buffers[i].alloc);
  berthDecisionsFree(&decisions);
}
