//===- Waits.c - Where threads wait for one another -----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Threads/Waits.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/EqualValues.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/PointerMap.h"
#include "IR/Ops/Worklist.h"
#include "IR/Scope/Collect.h"
#include "IR/Scope/Points.h"
#include "IR/Scope/ScopeKind.h"
#include "IR/Threads/Uniformity.h"

static const int kAnyWait = BERTH_WAIT_OP | BERTH_WAIT_MEMORY;

/// A loop may be left by some threads later than by others.
enum { kSpins = 1 << BERTH_NUM_WAITS };

//===----------------------------------------------------------------------===//
// One op, wherever it stands
//===----------------------------------------------------------------------===//

/// What an op does: with memory, and otherwise.
typedef struct Doing {
  bool reads;
  bool writes;
  bool more; ///< nobody knows what: some effect is on no value
} Doing;

static void addEffect(BerthEffect effect, void *userData) {
  Doing *doing = userData;
  doing->reads |= effect.kind & BERTH_EFFECT_READ;
  doing->writes |= effect.kind & (BERTH_EFFECT_WRITE | BERTH_EFFECT_FREE);
  doing->more |= mlirValueIsNull(effect.value) &&
                 (effect.kind & (BERTH_EFFECT_READ | BERTH_EFFECT_WRITE));
}

/// Barriers of the whole workgroup are no waits: a new one before or behind
/// them changes nothing. Nor are ops that only lead on.
static bool isHarmless(MlirOperation op) {
  bool isLast = mlirOperationIsNull(mlirOperationGetNextInBlock(op));
  bool isControl = mlirOperationGetNumRegions(op) > 0 &&
                   (berthOpIsRegionBranch(op) || berthOpIsParallel(op));
  return berthOpIsBarrier(op) || isLast || isControl;
}

static Doing doingOf(MlirOperation op) {
  Doing doing = {0};
  if (!isHarmless(op) && !berthOpGetEffects(op, addEffect, &doing))
    doing = (Doing){true, true, true};
  return doing;
}

static bool isFunctionOrLaunch(MlirOperation op) {
  return berthOpIsFunction(op) || berthOpIs(op, BERTH_OP_LAUNCH);
}

static bool isIn(MlirOperation op, MlirOperation around) {
  while (!mlirOperationIsNull(op) && !mlirOperationEqual(op, around))
    op = mlirOperationGetParentOperation(op);
  return !mlirOperationIsNull(op);
}

/// The values that an argument of an scf.while's regions may be: what goes in,
/// what a turn hands on, or what its condition hands on. False: not known.
static bool listCarried(MlirOperation loop, MlirValue argument,
                        BerthWorklist *list) {
  MlirBlock before = mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0));
  MlirBlock after = mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 1));
  MlirBlock owner = mlirBlockArgumentGetOwner(argument);
  intptr_t k = mlirBlockArgumentGetArgNumber(argument);
  if (mlirBlockEqual(owner, before)) {
    berthWorklistPush(list, mlirOperationGetOperand(loop, k));
    berthWorklistPush(
        list, mlirOperationGetOperand(mlirBlockGetTerminator(after), k));
    return true;
  }
  if (!mlirBlockEqual(owner, after))
    return false;
  berthWorklistPush(
      list, mlirOperationGetOperand(mlirBlockGetTerminator(before), 1 + k));
  return true;
}

/// True if nothing that is found in the loop tells how many turns it takes: its
/// condition is arithmetic on what it is given. Then nobody can make it wait.
static bool countsByItself(MlirOperation loop) {
  if (!berthOpIs(loop, BERTH_OP_WHILE))
    return false;
  MlirBlock before = mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0));
  BerthWorklist list = {0};
  bool counts = true;
  berthWorklistPush(&list,
                    mlirOperationGetOperand(mlirBlockGetTerminator(before), 0));
  while (counts && list.numPending) {
    MlirValue value = berthWorklistPop(&list);
    if (mlirValueIsABlockArgument(value)) {
      MlirOperation owner =
          mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
      counts = !isIn(owner, loop) || listCarried(loop, value, &list);
      continue;
    }
    MlirOperation op = mlirOpResultGetOwner(value);
    if (!isIn(op, loop))
      continue;
    counts = berthOpKeepsUniformity(op) && mlirOperationGetNumRegions(op) == 0;
    for (intptr_t i = 0; counts && i < mlirOperationGetNumOperands(op); ++i)
      berthWorklistPush(&list, mlirOperationGetOperand(op, i));
  }
  berthWorklistFree(&list);
  return counts;
}

/// Some turns of the loop depend on nothing that is counted.
static bool isOpenLoop(MlirOperation op) {
  return berthOpIsLoop(op) && !berthOpIs(op, BERTH_OP_LOOP) &&
         !berthOpIsParallel(op) && !countsByItself(op);
}

/// True if the op runs again and again, nobody knows how often.
static bool isInOpenLoop(MlirOperation op) {
  while (!isFunctionOrLaunch(op)) {
    MlirBlock block = mlirOperationGetBlock(op);
    if (berthBlockLeadsToItself(block, (MlirBlock){NULL}))
      return true;
    op = mlirOperationGetParentOperation(op);
    if (mlirOperationIsNull(op) || isOpenLoop(op))
      return !mlirOperationIsNull(op);
  }
  return false;
}

/// True if it arrives at, or waits for, what gpu.barrier may be lowered to.
static bool mayMix(MlirOperation op) {
  MlirValue id;
  int64_t number;
  return berthOpIsPartOfBarrier(op, &id) &&
         (mlirValueIsNull(id) || !berthValueIsConstant(id, &number) ||
          number == 0);
}

/// What the op may be where threads may part.
static BerthWait waitOf(MlirOperation op) {
  Doing doing = doingOf(op);
  BerthWait wait = {0};
  if (doing.more && !berthOpNeverWaits(op))
    wait.waits |= BERTH_WAIT_OP;
  if ((doing.more || doing.reads) && isInOpenLoop(op))
    wait.waits |= kSpins;
  if (doing.more && !berthOpNeverSignals(op))
    wait.signals |= BERTH_WAIT_OP;
  if (doing.writes && !berthOpNeverSignals(op))
    wait.signals |= BERTH_WAIT_MEMORY;
  if (mayMix(op))
    wait.waits |= BERTH_WAIT_MIX;
  return wait;
}

//===----------------------------------------------------------------------===//
// In a scope
//===----------------------------------------------------------------------===//

/// All threads that come here do so with the same operands. Text may ask for
/// the thread's number by itself, and who counts threads means some.
static bool isAlikeInAll(const BerthScope *scope, MlirOperation op) {
  MlirValue id;
  if (berthOpLetsEscape(op) || berthOpIsPartOfBarrier(op, &id))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (!berthValueIsUniform(scope, mlirOperationGetOperand(op, i)))
      return false;
  return true;
}

typedef struct CalleeWalk {
  MlirOperation root;
  BerthPointerMap seen; ///< called functions
  BerthWait wait;
} CalleeWalk;

static void enterCall(CalleeWalk *walk, MlirOperation callee);

static MlirWalkResult visitCallee(MlirOperation op, void *userData) {
  CalleeWalk *walk = userData;
  MlirOperation callee;
  if (berthOpGetCallee(op, &callee)) {
    enterCall(walk, callee);
    return MlirWalkResultAdvance;
  }
  if (berthOpIsFunction(op))
    return MlirWalkResultAdvance;
  BerthWait wait = waitOf(op);
  walk->wait.waits |= wait.waits & kSpins ? wait.waits | kAnyWait : wait.waits;
  walk->wait.signals |= wait.signals;
  return MlirWalkResultAdvance;
}

static void enterCall(CalleeWalk *walk, MlirOperation callee) {
  bool isSeen = !berthFunctionIsUnseen(callee) &&
                !berthCalleeIsHidden(callee, walk->root);
  if (!isSeen)
    walk->wait = (BerthWait){kAnyWait, kAnyWait};
  else if (berthPointerMapInsert(&walk->seen, callee.ptr, 1))
    mlirOperationWalk(callee, visitCallee, walk, MlirWalkPreOrder);
}

BerthWait berthOpGetWait(const BerthScope *scope, MlirOperation op,
                         MlirOperation root) {
  MlirOperation callee;
  if (berthOpGetCallee(op, &callee)) {
    CalleeWalk walk = {.root = root};
    enterCall(&walk, callee);
    berthPointerMapFree(&walk.seen);
    return walk.wait;
  }
  BerthWait wait = waitOf(op);
  bool isUniform = berthControlIsUniform(scope, op, NULL);
  if ((wait.waits & kSpins) && !isUniform)
    wait.waits |= kAnyWait;
  else if (isUniform && isAlikeInAll(scope, op))
    wait.waits &= ~BERTH_WAIT_OP;
  wait.waits &= ~kSpins;
  return wait;
}

typedef struct BesideWalk {
  MlirOperation function;
  bool found;
} BesideWalk;

static MlirWalkResult visitBeside(MlirOperation op, void *userData) {
  BesideWalk *walk = userData;
  if (mlirOperationEqual(op, walk->function))
    return MlirWalkResultSkip;
  MlirOperation callee;
  bool isCode = !berthOpGetCallee(op, &callee) &&
                !mlirOperationIsNull(berthEnclosingScope(op));
  walk->found |= isCode && waitOf(op).waits != 0;
  return walk->found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

bool berthCallersMayWait(MlirOperation function) {
  BesideWalk walk = {.function = function};
  mlirOperationWalk(mlirOperationGetParentOperation(function), visitBeside,
                    &walk, MlirWalkPreOrder);
  return walk.found;
}
