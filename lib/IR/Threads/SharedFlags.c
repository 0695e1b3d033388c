//===- SharedFlags.c - Reads of what all threads see alike ----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Threads/SharedFlags.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Rules.h"
#include "IR/Ops/WholeBarrier.h"
#include "IR/Ops/Worklist.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

typedef struct Search {
  const BerthScope *scope;
  BerthSharedFlag *flag;
  size_t capacity; ///< of its barriers
  // What uses the flag's memory:
  BerthPointerMap writers;
  MlirOperation *writes;
  size_t numWrites, writeCapacity;
  // One search:
  BerthWorklist ops;
  bool toLoad; ///< else to a write
  bool isMet;
  MlirOperation from; ///< the op whose region's end is being looked at
  intptr_t region;
} Search;

//===----------------------------------------------------------------------===//
// Who writes it
//===----------------------------------------------------------------------===//

static bool isView(MlirOperation op, intptr_t operand) {
  MlirValue source = berthViewGetSource(op);
  return mlirOperationGetNumResults(op) == 1 && !mlirValueIsNull(source) &&
         mlirValueEqual(source, mlirOperationGetOperand(op, operand));
}

static void addWrite(Search *search, MlirOperation op) {
  if (!berthPointerMapInsert(&search->writers, op.ptr, 1))
    return;
  search->writes = berthGrow(search->writes, search->numWrites,
                             &search->writeCapacity, sizeof *search->writes);
  search->writes[search->numWrites++] = op;
}

/// Lists the writes. False if something else is done with the memory than to
/// read or write it, while its op runs.
static bool listWrites(Search *search, MlirValue memory) {
  BerthWorklist values = {0};
  bool isPlain = true;
  berthWorklistPush(&values, memory);
  while (values.numPending && isPlain) {
    MlirValue value = berthWorklistPop(&values);
    for (MlirOpOperand use = mlirValueGetFirstUse(value);
         !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
      MlirOperation op = mlirOpOperandGetOwner(use);
      if (isView(op, mlirOpOperandGetOperandNumber(use))) {
        berthWorklistPush(&values, mlirOperationGetResult(op, 0));
        continue;
      }
      BerthEffects effects;
      berthOpSumEffects(op, value, &effects);
      isPlain &= berthOpIsElementAccess(op) && effects.onValue;
      if (effects.onValue & ~BERTH_EFFECT_READ)
        addWrite(search, op);
    }
  }
  berthWorklistFree(&values);
  return isPlain;
}

//===----------------------------------------------------------------------===//
// Where a thread comes without barrier
//===----------------------------------------------------------------------===//

static void pushBlock(Search *search, MlirBlock block) {
  MlirOperation first = mlirBlockGetFirstOperation(block);
  if (!mlirOperationIsNull(first))
    berthWorklistAdd(&search->ops, first.ptr);
}

static void pushNext(Search *search, MlirOperation op) {
  MlirOperation next = mlirOperationGetNextInBlock(op);
  if (!mlirOperationIsNull(next))
    berthWorklistAdd(&search->ops, next.ptr);
}

static void followEdge(const BerthRegionEdge *edge, void *userData) {
  Search *search = userData;
  if (edge->from != search->region)
    return;
  if (edge->to == BERTH_PARENT)
    pushNext(search, search->from);
  else
    pushBlock(search, mlirRegionGetFirstBlock(
                          mlirOperationGetRegion(search->from, edge->to)));
}

static void followRegions(Search *search, MlirOperation op, intptr_t region) {
  search->from = op;
  search->region = region;
  search->isMet |= !berthOpGetRegionEdges(op, followEdge, search);
}

static bool runsInSteps(MlirOperation op) {
  return berthOpIsRegionBranch(op) && !berthOpIsParallel(op) &&
         !berthOpIsAsync(op) && !berthOpIsForSomeThreads(op);
}

static bool isMeant(const Search *search, MlirOperation op) {
  return search->toLoad
             ? mlirOperationEqual(op, search->flag->load)
             : berthPointerMapFind(&search->writers, op.ptr) != BERTH_NOT_FOUND;
}

static MlirWalkResult findMeant(MlirOperation op, void *userData) {
  Search *search = userData;
  search->isMet |= isMeant(search, op);
  return MlirWalkResultAdvance;
}

static void addBarrier(Search *search, MlirOperation op) {
  BerthSharedFlag *flag = search->flag;
  flag->barriers = berthGrow(flag->barriers, flag->numBarriers,
                             &search->capacity, sizeof *flag->barriers);
  flag->barriers[flag->numBarriers++] = op;
}

/// The end of a region leads on as the op around it says.
static void leaveRegion(Search *search, MlirOperation op) {
  MlirRegion region = mlirBlockGetParentRegion(mlirOperationGetBlock(op));
  MlirOperation parent = mlirOperationGetParentOperation(op);
  intptr_t index = 0;
  if (mlirRegionEqual(region, search->scope->body))
    return;
  while (!mlirRegionEqual(mlirOperationGetRegion(parent, index), region))
    ++index;
  if (runsInSteps(parent))
    followRegions(search, parent, index);
  else
    search->isMet = true;
}

static void visit(Search *search, MlirOperation op) {
  if (berthOpIsWholeBarrier(op)) {
    addBarrier(search, op);
    return;
  }
  search->isMet |= isMeant(search, op);
  intptr_t numSuccessors = mlirOperationGetNumSuccessors(op);
  for (intptr_t i = 0; i < numSuccessors; ++i)
    pushBlock(search, mlirOperationGetSuccessor(op, i));
  if (numSuccessors > 0)
    return;
  if (mlirOperationIsNull(mlirOperationGetNextInBlock(op))) {
    leaveRegion(search, op);
    return;
  }
  if (mlirOperationGetNumRegions(op) > 0 && runsInSteps(op)) {
    followRegions(search, op, BERTH_PARENT);
    return;
  }
  if (mlirOperationGetNumRegions(op) > 0)
    mlirOperationWalk(op, findMeant, search, MlirWalkPreOrder);
  pushNext(search, op);
}

/// Is there a way from behind the op to what is looked for?
static bool meets(Search *search, MlirOperation op, bool toLoad) {
  search->toLoad = toLoad;
  pushNext(search, op);
  if (mlirOperationIsNull(mlirOperationGetNextInBlock(op)))
    search->isMet = true;
  while (search->ops.numPending && !search->isMet)
    visit(search, (MlirOperation){(void *)berthWorklistTake(&search->ops)});
  berthWorklistFree(&search->ops);
  search->ops = (BerthWorklist){0};
  return search->isMet;
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

static MlirWalkResult findCall(MlirOperation op, void *userData) {
  bool *found = userData;
  MlirOperation callee;
  *found = berthOpGetCallee(op, &callee);
  return *found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

/// The allocation of the scope's shared memory that the load reads, or null.
/// Control follows from integers: other loads are not worth the search.
static MlirValue memoryOf(const BerthScope *scope, MlirOperation load) {
  MlirValue none = {NULL};
  if (!berthOpIsElementAccess(load) || !berthScopeIsShared(scope) ||
      berthOpGetRole(load, 0) != BERTH_OPERAND_READ)
    return none;
  MlirType type = mlirValueGetType(mlirOperationGetResult(load, 0));
  if (!mlirTypeIsAInteger(type) && !mlirTypeIsAIndex(type))
    return none;
  MlirValue memory = mlirOperationGetOperand(load, 0);
  while (mlirValueIsAOpResult(memory)) {
    MlirValue source = berthViewGetSource(mlirOpResultGetOwner(memory));
    if (mlirValueIsNull(source))
      break;
    memory = source;
  }
  if (!mlirValueIsAOpResult(memory))
    return none;
  MlirOperation alloc = mlirOpResultGetOwner(memory);
  bool isOne = mlirBlockEqual(mlirOperationGetBlock(alloc),
                              mlirRegionGetFirstBlock(scope->body));
  return isOne && berthIsSharedMemory(scope, alloc) ? memory : none;
}

bool berthIsSharedMemory(const BerthScope *scope, MlirOperation op) {
  if (!berthOpIs(op, BERTH_OP_ALLOC) || mlirOperationGetNumOperands(op) > 0)
    return false;
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  return berthScopeIsShared(scope) &&
         mlirAttributeEqual(mlirMemRefTypeGetMemorySpace(type), scope->space);
}

bool berthFindSharedFlag(const BerthScope *scope, MlirOperation load,
                         const char *breakRule, BerthSharedFlag *flag) {
  *flag = (BerthSharedFlag){.load = load};
  MlirValue memory = memoryOf(scope, load);
  bool isKernel =
      scope->kind == BERTH_SCOPE_KERNEL || scope->kind == BERTH_SCOPE_LAUNCH;
  if (mlirValueIsNull(memory) || !isKernel)
    return false;
  if (berthIsBroken(breakRule, "steady-flags"))
    return true;
  bool calls = false;
  mlirOperationWalk(scope->op, findCall, &calls, MlirWalkPreOrder);
  Search search = {.scope = scope, .flag = flag};
  bool isSteady = !calls && listWrites(&search, memory) &&
                  !meets(&search, load, /*toLoad=*/false);
  for (size_t i = 0; isSteady && i < search.numWrites; ++i)
    isSteady = !meets(&search, search.writes[i], /*toLoad=*/true);
  free(search.writes);
  berthPointerMapFree(&search.writers);
  if (!isSteady)
    berthSharedFlagFree(flag);
  return isSteady;
}

void berthSharedFlagFree(BerthSharedFlag *flag) {
  free(flag->barriers);
  flag->barriers = NULL;
  flag->numBarriers = 0;
}
