//===- Trace.c - What each core does, barrier by barrier ------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Cores/Trace.h"
#include "IR/Facts/DmaFacts.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/EqualValues.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/PointerMap.h"
#include "IR/Verify/Roots/Called.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

/// Loops are run turn by turn while a core has not come to so many barriers.
enum { kMostTurns = 256, kMostPhases = 65536 };

/// A loop that was run in part only, or a call that holds barriers, none of
/// which is counted: all cores must come to it in one phase.
typedef struct Shortened {
  MlirOperation op;
  size_t phase;
} Shortened;

typedef struct Run {
  BerthTrace *trace;
  MlirOperation scope;
  BerthPointerMap meets;  ///< op -> 1 if it holds a barrier, else 0
  BerthPointerMap even;   ///< functions -> Evenness
  BerthPointerMap called; ///< Called.h
  size_t mostTurns;
  int core;
  size_t phase;
  // Around the op at hand:
  bool isBranchOfCore;
  unsigned numUnsure; ///< ops whose regions may run or not
  unsigned numLoose;  ///< of these, those on which cores may disagree
  unsigned numUneven; ///< of these, those on which cores do not surely agree
  Shortened *shortened;
  size_t numShortened, capShortened;
} Run;

static void fail(Run *run, MlirOperation op) {
  if (mlirOperationIsNull(run->trace->failedAt))
    run->trace->failedAt = op;
}

static bool hasFailed(const Run *run) {
  return !mlirOperationIsNull(run->trace->failedAt);
}

//===----------------------------------------------------------------------===//
// Numbers on a core
//===----------------------------------------------------------------------===//

/// A tree of numbers: the core's own, constants, and what is made of them.
static bool evaluate(MlirValue value, int core, int64_t *result, int depth) {
  enum { kDeepest = 12 };
  if (depth > kDeepest || !mlirValueIsAOpResult(value))
    return false;
  MlirOperation op = mlirOpResultGetOwner(value);
  MlirType type = mlirValueGetType(value);
  bool isBit = mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 1;
  if (berthValueIsConstant(value, result) ||
      berthOpTellsCore(op, core, result)) {
    *result &= isBit ? 1 : ~INT64_C(0);
    return true;
  }
  int64_t operands[2];
  intptr_t count = mlirOperationGetNumOperands(op);
  if (count < 1 || count > 2)
    return false;
  for (intptr_t i = 0; i < count; ++i)
    if (!evaluate(mlirOperationGetOperand(op, i), core, &operands[i],
                  depth + 1))
      return false;
  if (count == 1) {
    *result = operands[0];
    return berthOpIs(op, BERTH_OP_SAME_NUMBER) && operands[0] >= 0;
  }
  int64_t a = operands[0], b = operands[1];
  if (berthOpIs(op, BERTH_OP_AND) || berthOpIs(op, BERTH_OP_XOR)) {
    *result = berthOpIs(op, BERTH_OP_AND) ? a & b : a ^ b;
    return true;
  }
  if (!berthOpIs(op, BERTH_OP_COMPARISON))
    return false;
  // In the order of arith's predicates: eq, ne, slt, sle, sgt, sge, then the
  // unsigned ones.
  const bool truths[] = {a == b, a != b, a<b, a <= b, a> b, a >= b};
  MlirAttribute predicate = berthAttributeOf(op, "predicate");
  if (mlirAttributeIsNull(predicate) || !mlirAttributeIsAInteger(predicate))
    return false;
  int64_t kind = mlirIntegerAttrGetValueInt(predicate);
  bool isUnsigned = kind > 5;
  if (kind < 0 || kind > 9 || (isUnsigned && (a < 0 || b < 0)))
    return false;
  *result = truths[isUnsigned ? kind - 4 : kind];
  return true;
}

/// True if the value may tell cores apart: it comes from the core's number, or
/// from a call or an op that nothing is known of.
static bool mayTellCores(MlirValue value, int depth) {
  enum { kDeepest = 12 };
  if (!mlirValueIsAOpResult(value))
    return false;
  MlirOperation op = mlirOpResultGetOwner(value);
  MlirOperation callee;
  int64_t number;
  BerthEffects effects;
  if (depth > kDeepest || berthOpTellsCore(op, 0, &number))
    return true;
  if (!berthOpIsDescribed(op) &&
      (berthOpGetCallee(op, &callee) ||
       (!berthOpSumEffects(op, (MlirValue){NULL}, &effects) &&
        !berthOpIsRegionBranch(op))))
    return true;
  intptr_t count = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < count; ++i)
    if (mayTellCores(mlirOperationGetOperand(op, i), depth + 1))
      return true;
  return false;
}

static bool mayPartCores(MlirOperation op) {
  intptr_t count = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < count; ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetOperand(op, i));
    if ((mlirTypeIsAIndex(type) || mlirTypeIsAInteger(type)) &&
        mayTellCores(mlirOperationGetOperand(op, i), 0))
      return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Barriers inside
//===----------------------------------------------------------------------===//

static MlirWalkResult findMeeting(MlirOperation op, void *userData) {
  bool *found = userData;
  *found |= berthOpIsMeeting(op);
  return *found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

static bool holdsMeeting(Run *run, MlirOperation op) {
  size_t known = berthPointerMapFind(&run->meets, op.ptr);
  if (known != BERTH_NOT_FOUND)
    return known;
  bool found = false;
  mlirOperationWalk(op, findMeeting, &found, MlirWalkPreOrder);
  berthPointerMapInsert(&run->meets, op.ptr, found);
  return found;
}

/// A number that no core computes for itself: made of constants, turns of loops
/// and, with `ofCallers`, of what a function is given.
static bool isCommon(MlirValue value, bool ofCallers, int depth) {
  enum { kDeepest = 16 };
  if (depth > kDeepest)
    return false;
  if (!mlirValueIsAOpResult(value)) {
    MlirOperation owner =
        mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
    if (berthOpIs(owner, BERTH_OP_LOOP) && !berthOpIsAffine(owner))
      return mlirBlockArgumentGetArgNumber(value) == 0 &&
             isCommon(mlirOperationGetOperand(owner, 0), ofCallers,
                      depth + 1) &&
             isCommon(mlirOperationGetOperand(owner, 2), ofCallers, depth + 1);
    return ofCallers && berthOpIsFunction(owner);
  }
  MlirOperation op = mlirOpResultGetOwner(value);
  int64_t number;
  if (berthOpTellsCore(op, 0, &number) || !berthOpIsSpeculatable(op))
    return false;
  intptr_t count = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < count; ++i)
    if (!isCommon(mlirOperationGetOperand(op, i), ofCallers, depth + 1))
      return false;
  return true;
}

/// The same number on all cores, perhaps since each finds the same one.
static bool isEqual(MlirValue value, bool ofCallers) {
  int64_t first, other;
  bool isKnown = evaluate(value, 0, &first, 0);
  for (int core = 1; isKnown && core < berthNumCores(); ++core)
    isKnown = evaluate(value, core, &other, 0) && other == first;
  return isKnown || isCommon(value, ofCallers, 0);
}

/// True if all cores run the regions of the op equally often, or go on to the
/// same one of several blocks.
static bool staysEven(MlirOperation op, bool ofCallers) {
  if (!berthNumCores())
    return !mayPartCores(op);
  intptr_t count = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    MlirType type = mlirValueGetType(operand);
    if ((mlirTypeIsAIndex(type) || mlirTypeIsAInteger(type)) &&
        !isEqual(operand, ofCallers))
      return false;
  }
  return mlirOperationGetNumRegions(op) == 0 || berthControlFollowsOperands(op);
}

/// What is known of the barriers in a called function.
typedef enum Evenness {
  HAS_NONE,
  IS_EVEN,  ///< as many in each call
  IS_UNEVEN ///< that is not certain
} Evenness;

typedef struct EvenSearch {
  Run *run;
  MlirOperation callee;
  Evenness evenness;
} EvenSearch;

/// Of a call, or of HAS_NONE.
static Evenness evennessOf(Run *run, MlirOperation call);

/// True if something between the callee and the op may part cores.
static bool isParted(MlirOperation callee, MlirOperation op) {
  while (!mlirOperationEqual(op, callee)) {
    MlirRegion region = mlirBlockGetParentRegion(mlirOperationGetBlock(op));
    for (MlirBlock block = mlirRegionGetFirstBlock(region);
         !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) {
      MlirOperation last = berthBlockGetLast(block);
      if (!mlirOperationIsNull(last) &&
          mlirOperationGetNumSuccessors(last) > 1 && !staysEven(last, false))
        return true;
    }
    op = mlirOperationGetParentOperation(op);
    if (!mlirOperationEqual(op, callee) && !staysEven(op, false))
      return true;
  }
  return false;
}

static MlirWalkResult findUneven(MlirOperation op, void *userData) {
  EvenSearch *search = userData;
  Evenness found = berthOpIsMeeting(op) ? IS_EVEN : evennessOf(search->run, op);
  if (found == IS_EVEN && isParted(search->callee, op))
    found = IS_UNEVEN;
  if (found > search->evenness)
    search->evenness = found;
  return found == IS_UNEVEN ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

static Evenness evennessOf(Run *run, MlirOperation call) {
  MlirOperation callee;
  if (berthOpIsDescribed(call) || !berthOpGetCallee(call, &callee))
    return HAS_NONE;
  if (mlirOperationIsNull(callee) || mlirBlockIsNull(mlirRegionGetFirstBlock(
                                         mlirOperationGetRegion(callee, 0))))
    return berthNumCores() > 1 ? IS_UNEVEN : IS_EVEN;
  size_t known = berthPointerMapFind(&run->even, callee.ptr);
  if (known != BERTH_NOT_FOUND)
    return (Evenness)known;
  berthPointerMapSet(&run->even, callee.ptr, IS_UNEVEN); // in a call of itself
  EvenSearch search = {run, callee, HAS_NONE};
  mlirOperationWalk(callee, findUneven, &search, MlirWalkPreOrder);
  berthPointerMapSet(&run->even, callee.ptr, search.evenness);
  return search.evenness;
}

static void keep(Run *run, MlirOperation op) {
  run->shortened = berthGrow(run->shortened, run->numShortened,
                             &run->capShortened, sizeof *run->shortened);
  run->shortened[run->numShortened++] = (Shortened){op, run->phase};
}

/// A call of a function that holds barriers, or that nobody sees: where one
/// core makes it, or not all alike, no barrier behind it is known to match.
static void checkCall(Run *run, MlirOperation op) {
  Evenness evenness = evennessOf(run, op);
  if (evenness == HAS_NONE)
    return;
  if (evenness == IS_UNEVEN || run->isBranchOfCore || run->numUneven)
    fail(run, op);
  keep(run, op);
}

typedef struct CallSearch {
  Run *run;
  bool found;
} CallSearch;

static MlirWalkResult findCall(MlirOperation op, void *userData) {
  CallSearch *search = userData;
  search->found |= evennessOf(search->run, op) != HAS_NONE;
  return search->found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

/// True if the op, which nobody follows inside, may hide a barrier there.
static bool mayHideMeeting(Run *run, MlirOperation op) {
  CallSearch search = {.run = run};
  mlirOperationWalk(op, findCall, &search, MlirWalkPreOrder);
  return search.found || holdsMeeting(run, op);
}

//===----------------------------------------------------------------------===//
// One core
//===----------------------------------------------------------------------===//

static void note(Run *run, MlirOperation op, bool withNested) {
  BerthTrace *trace = run->trace;
  trace->events = berthGrow(trace->events, trace->count, &trace->capacity,
                            sizeof *trace->events);
  trace->events[trace->count++] = (BerthTraceEvent){
      op, run->phase, run->core, withNested, run->numLoose > 0};
}

static void runRegion(Run *run, MlirRegion region);

/// True if the core's number, or a constant, chooses among the regions.
static bool runChosen(Run *run, MlirOperation op) {
  if (!berthOpIs(op, BERTH_OP_IF) || mlirOperationGetNumOperands(op) != 1)
    return false;
  int64_t truth, other;
  MlirValue condition = mlirOperationGetOperand(op, 0);
  if (!evaluate(condition, run->core, &truth, 0))
    return false;
  bool before = run->isBranchOfCore;
  for (int core = 0; core < berthNumCores(); ++core)
    run->isBranchOfCore |=
        !evaluate(condition, core, &other, 0) || other != truth;
  if (truth || mlirOperationGetNumRegions(op) > 1)
    runRegion(run, mlirOperationGetRegion(op, truth ? 0 : 1));
  run->isBranchOfCore = before;
  return true;
}

/// The number of turns of a loop with constant bounds.
static bool turnsOf(MlirOperation loop, uint64_t *turns) {
  BerthLoopCount count;
  if (!berthLoopGetCount(loop, &count) || !count.hasStep || !count.hasFirst ||
      !count.hasEnd)
    return false;
  uint64_t distance = (uint64_t)count.end - (uint64_t)count.first;
  *turns =
      count.first >= count.end ? 0 : (distance - 1) / (uint64_t)count.step + 1;
  return true;
}

/// True if the loop surely has a turn, be its step unknown. Unsigned numbers
/// are in that order only where neither is negative.
static bool hasTurns(MlirOperation loop) {
  BerthLoopCount count;
  MlirValue bounds[2];
  bool areKnown = berthLoopGetCount(loop, &count) && count.hasFirst &&
                  count.hasEnd && count.first < count.end;
  return areKnown &&
         (count.first >= 0 || count.hasStep ||
          berthRegionGetCondition(loop, 0, bounds) == BERTH_RUNS_WHEN_LESS);
}

/// A loop that surely has turns is never run through without one.
static void runLoop(Run *run, MlirOperation loop) {
  uint64_t turns = 0;
  bool areKnown = turnsOf(loop, &turns);
  if (!areKnown || turns > kMostTurns || run->phase >= kMostPhases) {
    turns = run->mostTurns ? run->mostTurns : hasTurns(loop);
    keep(run, loop);
  }
  for (; turns > 0 && !hasFailed(run); --turns)
    runRegion(run, mlirOperationGetRegion(loop, 0));
}

/// True for a loop in which a call, in each turn or in those of other loops,
/// meets a barrier and is over then.
static bool meetsEachTurn(Run *run, MlirOperation op) {
  if (run->numUnsure || !berthOpIs(op, BERTH_OP_LOOP) ||
      (berthOpIsAffine(op) && mlirOperationGetNumOperands(op)))
    return false;
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  for (MlirOperation inner = mlirBlockGetFirstOperation(body);
       !mlirOperationIsNull(inner); inner = mlirOperationGetNextInBlock(inner))
    if (berthIsOverAtMeeting(&run->called, inner) || meetsEachTurn(run, inner))
      return true;
  return false;
}

static void runOp(Run *run, MlirOperation op) {
  if (berthOpIsMeeting(op)) {
    if (run->numUnsure)
      fail(run, op);
    ++run->phase;
    return;
  }
  checkCall(run, op);
  if (mlirOperationGetNumRegions(op) == 0 || !berthControlFollowsOperands(op)) {
    if (mlirOperationGetNumRegions(op) && mayHideMeeting(run, op))
      fail(run, op);
    note(run, op, mlirOperationGetNumRegions(op) > 0);
    run->phase += run->numUnsure == 0 && berthIsOverAtMeeting(&run->called, op);
    return;
  }
  note(run, op, false);
  if (runChosen(run, op))
    return;
  if (!holdsMeeting(run, op) && !meetsEachTurn(run, op)) {
    bool isLoose = mayPartCores(op), isUneven = !staysEven(op, true);
    run->numLoose += isLoose;
    run->numUneven += isUneven;
    ++run->numUnsure;
    intptr_t count = mlirOperationGetNumRegions(op);
    for (intptr_t i = 0; i < count; ++i)
      runRegion(run, mlirOperationGetRegion(op, i));
    run->numLoose -= isLoose;
    run->numUneven -= isUneven;
    --run->numUnsure;
  } else if (berthOpIs(op, BERTH_OP_LOOP) && !run->numUnsure) {
    runLoop(run, op);
  } else {
    fail(run, op);
  }
}

static void runRegion(Run *run, MlirRegion region) {
  MlirBlock first = mlirRegionGetFirstBlock(region);
  bool areSeveral = !mlirBlockIsNull(first) &&
                    !mlirBlockIsNull(mlirBlockGetNextInRegion(first));
  bool isLoose = false, isUneven = false;
  for (MlirBlock block = first; areSeveral && !mlirBlockIsNull(block);
       block = mlirBlockGetNextInRegion(block)) {
    MlirOperation last = berthBlockGetLast(block);
    if (mlirOperationIsNull(last) || mlirOperationGetNumSuccessors(last) < 2)
      continue;
    isLoose |= mayPartCores(last);
    isUneven |= !staysEven(last, true);
  }
  run->numUnsure += areSeveral;
  run->numLoose += isLoose;
  run->numUneven += isUneven;
  for (MlirBlock block = first; !mlirBlockIsNull(block);
       block = mlirBlockGetNextInRegion(block))
    for (MlirOperation op = mlirBlockGetFirstOperation(block);
         !hasFailed(run) && !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op))
      runOp(run, op);
  run->numUnsure -= areSeveral;
  run->numLoose -= isLoose;
  run->numUneven -= isUneven;
}

//===----------------------------------------------------------------------===//
// All cores
//===----------------------------------------------------------------------===//

static bool haveOneCount(const Shortened *a, const Shortened *b) {
  if (a->phase != b->phase)
    return false;
  if (!berthOpIs(a->op, BERTH_OP_LOOP) || !berthOpIs(b->op, BERTH_OP_LOOP))
    return mlirOperationEqual(a->op, b->op);
  uint64_t first, second;
  if (turnsOf(a->op, &first) && turnsOf(b->op, &second))
    return first == second;
  intptr_t count = mlirOperationGetNumOperands(a->op);
  if (berthOpIsAffine(a->op) || berthOpIsAffine(b->op))
    return count == 0 && mlirOperationEqual(a->op, b->op);
  for (intptr_t i = 0; i < 3; ++i) {
    MlirValue bound = mlirOperationGetOperand(a->op, i);
    if (!isCommon(bound, true, 0) ||
        !berthIsSameValue(bound, mlirOperationGetOperand(b->op, i)))
      return false;
  }
  return true;
}

BerthTrace berthTraceOf(MlirOperation scope, size_t mostTurns) {
  BerthTrace trace = {.failedAt = {NULL}};
  int numCores = berthNumCores() ? berthNumCores() : 1;
  Shortened *first = NULL;
  size_t numFirst = 0;
  Run run = {.trace = &trace, .scope = scope, .mostTurns = mostTurns};
  for (run.core = 0; run.core < numCores; ++run.core) {
    run.phase = run.numShortened = run.capShortened = 0;
    run.shortened = NULL;
    runRegion(&run, mlirOperationGetRegion(scope, 0));
    if (run.core == 0) {
      trace.numPhases = run.phase + 1;
      first = run.shortened;
      numFirst = run.numShortened;
      continue;
    }
    bool areEqual =
        trace.numPhases == run.phase + 1 && numFirst == run.numShortened;
    for (size_t i = 0; areEqual && i < numFirst; ++i)
      areEqual = haveOneCount(&first[i], &run.shortened[i]);
    if (!areEqual)
      fail(&run, scope);
    free(run.shortened);
  }
  free(first);
  berthPointerMapFree(&run.meets);
  berthPointerMapFree(&run.even);
  berthPointerMapFree(&run.called);
  return trace;
}

void berthTraceFree(BerthTrace *trace) { free(trace->events); }
