//===- Steps.c - What several cores do between barriers -------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Cores/Steps.h"
#include "IR/Cores/CoreValues.h"
#include "IR/Facts/DmaFacts.h"
#include "IR/Facts/Facts.h"
#include "IR/Liveness/CalledBarriers.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/EqualValues.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Rules.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

/// The way of one core through the function.
typedef struct Walk {
  BerthSteps *steps;
  const BerthPoints *points;
  MlirOperation root;
  const BerthPointerMap *holders; ///< ops that hold a barrier
  BerthPointerMap *called;        ///< CalledBarriers.h
  BerthPointerMap *meetings;      ///< functions -> Meeting
  bool anyCount;                  ///< a broken rule
  bool anyEnd;                    ///< another one
  bool someTurns;                 ///< another one
  int core;
  BerthMark *marks;
  size_t numMarks, capMarks;
  // How many ops stand around the code at hand
  unsigned numBranches; ///< that choose by the core
  unsigned numLoose;    ///< in which cores may disagree
  unsigned numUnsure;   ///< whose regions may run or not
  unsigned numClosed;   ///< of which is known what they do as a whole
} Walk;

static void fail(Walk *walk, const char *reason, MlirOperation at) {
  if (walk->steps->reason)
    return;
  walk->steps->reason = reason;
  walk->steps->reasonAt = at;
}

//===----------------------------------------------------------------------===//
// Where barriers are
//===----------------------------------------------------------------------===//

typedef struct HolderWalk {
  MlirOperation scope;
  BerthPointerMap *holders;
  BerthPointerMap *called; ///< CalledBarriers.h
  bool anyEnd;             ///< a broken rule
} HolderWalk;

/// True for a call that all come to a barrier in, behind which it does nothing.
/// What it does has been done in the step that it ends.
static bool isOverAtBarrier(BerthPointerMap *called, MlirOperation op,
                            bool anyEnd) {
  return anyEnd ? berthOpSurelyMeets(called, op)
                : berthOpEndsInMeeting(called, op);
}

static MlirWalkResult noteHolders(MlirOperation op, void *userData) {
  HolderWalk *walk = userData;
  if (berthOpIsMeeting(op) ||
      (isOverAtBarrier(walk->called, op, walk->anyEnd) &&
       berthIsInLoopsOnly(op, mlirOperationGetRegion(walk->scope, 0))))
    while (!mlirOperationEqual(op, walk->scope)) {
      op = mlirOperationGetParentOperation(op);
      if (!berthPointerMapInsert(walk->holders, op.ptr, 1))
        break;
    }
  return MlirWalkResultAdvance;
}

static bool holdsBarrier(const Walk *walk, MlirOperation op) {
  return berthPointerMapFind(walk->holders, op.ptr) != BERTH_NOT_FOUND;
}

/// Whether cores meet in what an op does.
typedef enum Meeting {
  MEETS_NOT,
  MEETS_EVENLY,  ///< all that come to it do so equally often
  MEETS_UNEVENLY ///< or they may not
} Meeting;

/// True if cores may find different values there.
static bool mayDiffer(const Walk *walk, MlirValue value) {
  return berthNumCores() ? !berthIsSameOnCores(value, walk->root)
                         : berthMayTellCores(value);
}

/// True if the cores may disagree on what of the op's regions runs.
static bool isLooseOp(const Walk *walk, MlirOperation op) {
  intptr_t count = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    MlirType type = mlirValueGetType(operand);
    bool decides = mlirTypeIsAIndex(type) || mlirTypeIsAInteger(type);
    if (decides && mayDiffer(walk, operand))
      return true;
  }
  return !berthControlFollowsOperands(op) && berthNumCores();
}

/// True if the cores may disagree on which of several blocks they pass.
static bool isLooseRegion(const Walk *walk, MlirRegion region) {
  for (MlirBlock block = mlirRegionGetFirstBlock(region);
       !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) {
    MlirOperation last = berthBlockGetLast(block);
    if (!mlirOperationIsNull(last) && mlirOperationGetNumSuccessors(last) > 1 &&
        isLooseOp(walk, last))
      return true;
  }
  return false;
}

/// True if it is known what the op does as a whole, whatever is in it.
static bool isClosedOp(MlirOperation op) {
  BerthEffects effects;
  return !berthOpIsRegionBranch(op) &&
         berthOpSumEffects(op, (MlirValue){NULL}, &effects);
}

static Meeting meetingOf(Walk *walk, MlirOperation op);

/// What all calls of a function have in common: its arguments may be others on
/// each core.
static Meeting meetingIn(Walk *walk, MlirRegion region, bool isLoose) {
  Meeting meeting = MEETS_NOT;
  isLoose |= isLooseRegion(walk, region);
  for (MlirBlock block = mlirRegionGetFirstBlock(region);
       !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
    for (MlirOperation op = mlirBlockGetFirstOperation(block);
         meeting != MEETS_UNEVENLY && !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
      Meeting here = MEETS_NOT;
      if (berthOpIsMeeting(op))
        here = MEETS_EVENLY;
      else if (!walk->numClosed)
        here = meetingOf(walk, op);
      if (here && isLoose)
        here = MEETS_UNEVENLY;
      intptr_t count = mlirOperationGetNumRegions(op);
      bool isLooseInside = isLoose || (count && isLooseOp(walk, op));
      bool isClosed = count && isClosedOp(op);
      walk->numClosed += isClosed;
      for (intptr_t i = 0; i < count; ++i) {
        Meeting nested =
            meetingIn(walk, mlirOperationGetRegion(op, i), isLooseInside);
        here = nested > here ? nested : here;
      }
      walk->numClosed -= isClosed;
      meeting = here > meeting ? here : meeting;
    }
  return meeting;
}

/// Whether there may be a barrier in what the op does: in a function that it
/// calls, or for all that anybody tells. What nobody sees may ask for the
/// core's number.
static Meeting meetingOf(Walk *walk, MlirOperation op) {
  const Meeting unseen = berthNumCores() > 1 ? MEETS_UNEVENLY : MEETS_EVENLY;
  MlirOperation callee;
  BerthEffects effects;
  if (berthOpIsDescribed(op))
    return MEETS_NOT;
  if (!berthOpGetCallee(op, &callee)) {
    bool isKnown = berthOpSumEffects(op, (MlirValue){NULL}, &effects) ||
                   berthOpIsRegionBranch(op) ||
                   mlirOperationGetNumSuccessors(op) || berthOpIsReturn(op);
    return isKnown ? MEETS_NOT : unseen;
  }
  if (mlirOperationIsNull(callee) || mlirBlockIsNull(mlirRegionGetFirstBlock(
                                         mlirOperationGetRegion(callee, 0))))
    return unseen;
  size_t known = berthPointerMapFind(walk->meetings, callee.ptr);
  if (known != BERTH_NOT_FOUND)
    return (Meeting)known;
  // Nobody tells how often it calls itself.
  berthPointerMapSet(walk->meetings, callee.ptr, MEETS_UNEVENLY);
  Meeting meeting = meetingIn(walk, mlirOperationGetRegion(callee, 0), false);
  berthPointerMapSet(walk->meetings, callee.ptr, meeting);
  return meeting;
}

//===----------------------------------------------------------------------===//
// The way of one core
//===----------------------------------------------------------------------===//

static void setStep(Walk *walk, int64_t point) {
  BerthSteps *steps = walk->steps;
  steps->stepAt[walk->core * steps->numPoints + point] =
      (int32_t)walk->numMarks;
  steps->isLoose[point] |= walk->numLoose > 0;
  steps->isSure[point] &= walk->numUnsure == 0;
}

static size_t addMark(Walk *walk, BerthMarkKind kind, MlirOperation op) {
  walk->marks = berthGrow(walk->marks, walk->numMarks, &walk->capMarks,
                          sizeof *walk->marks);
  walk->marks[walk->numMarks] = (BerthMark){.kind = kind, .op = op};
  return walk->numMarks++;
}

static void visitRegion(Walk *walk, MlirRegion region);

/// True if it is known which of the op's regions this core runs; then they have
/// been passed.
static bool visitChosen(Walk *walk, MlirOperation op) {
  int64_t truth[2] = {0, 0};
  intptr_t count = mlirOperationGetNumRegions(op);
  bool isByCore = false;
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue values[2];
    BerthRegionRuns runs = berthRegionGetCondition(op, i, values);
    if (i > 1 ||
        (runs != BERTH_RUNS_WHEN_TRUE && runs != BERTH_RUNS_WHEN_FALSE) ||
        !berthValueOnCore(values[0], walk->core, &truth[i]))
      return false;
    isByCore |= mayDiffer(walk, values[0]);
    if (runs == BERTH_RUNS_WHEN_FALSE)
      truth[i] = !truth[i];
  }
  walk->numBranches += isByCore;
  for (intptr_t i = 0; i < count; ++i)
    if (truth[i])
      visitRegion(walk, mlirOperationGetRegion(op, i));
  walk->numBranches -= isByCore;
  return count > 0;
}

static bool mayHaveNoTurns(MlirOperation loop) {
  MlirValue bounds[2];
  int64_t lower, upper;
  BerthLoopCount count;
  if (berthOpIsAffine(loop))
    return !berthLoopGetCount(loop, &count) || !count.hasFirst ||
           !count.hasEnd || count.first >= count.end;
  return berthRegionGetCondition(loop, 0, bounds) != BERTH_RUNS_WHEN_LESS ||
         !berthValueIsConstant(bounds[0], &lower) ||
         !berthValueIsConstant(bounds[1], &upper) || lower >= upper;
}

/// A loop that holds barriers, which all cores have to come to equally often.
static void visitLoop(Walk *walk, MlirOperation op) {
  size_t begin = addMark(walk, BERTH_MARK_LOOP, op);
  walk->marks[begin].mayHaveNoTurns = !walk->someTurns && mayHaveNoTurns(op);
  visitRegion(walk, mlirOperationGetRegion(op, 0));
  size_t end = addMark(walk, BERTH_MARK_LOOP_END, op);
  walk->marks[begin].partner = end;
  walk->marks[end].partner = begin;
}

static void visitRegions(Walk *walk, MlirOperation op) {
  bool isLoose = isLooseOp(walk, op);
  bool isClosed = isClosedOp(op);
  walk->numClosed += isClosed;
  walk->numLoose += isLoose;
  ++walk->numUnsure;
  intptr_t count = mlirOperationGetNumRegions(op);
  for (intptr_t i = 0; i < count; ++i)
    visitRegion(walk, mlirOperationGetRegion(op, i));
  walk->numLoose -= isLoose;
  walk->numClosed -= isClosed;
  --walk->numUnsure;
}

static const char *const whyBranch =
    "a barrier stands in a branch of which it is not known which cores take "
    "it";

/// A barrier that does not stand here, but in what the op does, is none that
/// could be matched. Such ops have to have as many barriers for all cores, and
/// all cores have to come to them between the same ones.
static void checkHidden(Walk *walk, MlirOperation op) {
  Meeting meeting = walk->numClosed ? MEETS_NOT : meetingOf(walk, op);
  if (!meeting)
    return;
  if (walk->numBranches) {
    fail(walk,
         "one core comes to an op that may be a barrier, for all that is known "
         "of it",
         op);
    return;
  }
  int32_t first =
      berthStepAt(walk->steps, 0, berthPointsLower(walk->points, op));
  bool isAside = walk->core && first != (int32_t)walk->numMarks;
  if ((meeting == MEETS_UNEVENLY || walk->numLoose || isAside) &&
      !walk->anyCount)
    fail(walk,
         "it is not certain that all cores come to equally many barriers in "
         "what this op does",
         op);
}

static void visitOp(Walk *walk, MlirOperation op) {
  int64_t lower = berthPointsLower(walk->points, op);
  int64_t upper = berthPointsUpper(walk->points, op);
  setStep(walk, lower);
  if (berthOpIsMeeting(op)) {
    if (walk->numUnsure)
      fail(walk, whyBranch, op);
    addMark(walk, BERTH_MARK_BARRIER, op);
    return;
  }
  checkHidden(walk, op);
  if (!walk->numUnsure && !walk->anyCount &&
      isOverAtBarrier(walk->called, op, walk->anyEnd))
    addMark(walk, BERTH_MARK_BARRIER, op);
  if (mlirOperationGetNumRegions(op) == 0)
    return;
  if (!visitChosen(walk, op)) {
    if (!holdsBarrier(walk, op))
      visitRegions(walk, op);
    else if (berthOpIs(op, BERTH_OP_LOOP) && !walk->numUnsure)
      visitLoop(walk, op);
    else
      fail(walk, whyBranch, op);
  }
  setStep(walk, upper - 1);
}

/// Of several blocks any may be passed or not.
static void visitRegion(Walk *walk, MlirRegion region) {
  MlirBlock first = mlirRegionGetFirstBlock(region);
  if (walk->steps->reason || mlirBlockIsNull(first))
    return;
  bool isOne = mlirBlockIsNull(mlirBlockGetNextInRegion(first));
  bool isLoose = !isOne && isLooseRegion(walk, region);
  walk->numUnsure += !isOne;
  walk->numLoose += isLoose;
  for (MlirBlock block = first; !mlirBlockIsNull(block);
       block = mlirBlockGetNextInRegion(block))
    for (MlirOperation op = mlirBlockGetFirstOperation(block);
         !walk->steps->reason && !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op))
      visitOp(walk, op);
  walk->numUnsure -= !isOne;
  walk->numLoose -= isLoose;
}

//===----------------------------------------------------------------------===//
// All cores
//===----------------------------------------------------------------------===//

/// The operands of scf.for: from, to, by.
enum { kNumBounds = 3 };

static bool countTurns(MlirOperation loop, int64_t *turns) {
  int64_t bounds[kNumBounds];
  for (int i = 0; i < kNumBounds; ++i)
    if (!berthValueIsConstant(mlirOperationGetOperand(loop, i), &bounds[i]))
      return false;
  int64_t distance;
  if (bounds[2] <= 0 || __builtin_sub_overflow(bounds[1], bounds[0], &distance))
    return false;
  *turns = distance <= 0 ? 0 : (distance - 1) / bounds[2] + 1;
  return true;
}

/// True if both loops surely have equally many turns on all cores.
static bool haveEqualTurns(const Walk *walk, MlirOperation a, MlirOperation b) {
  if (berthOpIsAffine(a) || berthOpIsAffine(b))
    return mlirOperationEqual(a, b) && mlirOperationGetNumOperands(a) == 0;
  int64_t first, second;
  if (countTurns(a, &first) && countTurns(b, &second))
    return first == second;
  for (int i = 0; i < kNumBounds; ++i) {
    MlirValue bound = mlirOperationGetOperand(a, i);
    if (!berthIsSameValue(bound, mlirOperationGetOperand(b, i)) ||
        !berthIsSameOnCores(bound, walk->root))
      return false;
  }
  return true;
}

/// Holds the marks of a core against those of the first one.
static void matchMarks(Walk *walk, const BerthMark *marks, size_t count) {
  for (size_t i = 0; i < count && i < walk->numMarks; ++i) {
    const BerthMark *mark = &walk->marks[i];
    bool isCall =
        mark->kind == BERTH_MARK_BARRIER &&
        (!berthOpIsMeeting(mark->op) || !berthOpIsMeeting(marks[i].op));
    if (mark->kind != marks[i].kind ||
        (isCall && !mlirOperationEqual(mark->op, marks[i].op)) ||
        (mark->kind == BERTH_MARK_LOOP &&
         !haveEqualTurns(walk, marks[i].op, mark->op))) {
      fail(walk,
           "it is not certain that all cores come to equally many barriers: "
           "they do not have the same loops with barriers",
           mark->op);
      return;
    }
  }
  if (count != walk->numMarks) {
    const BerthMark *more = count > walk->numMarks ? marks : walk->marks;
    size_t fewer = count > walk->numMarks ? walk->numMarks : count;
    fail(walk, "some cores come to more barriers than others", more[fewer].op);
  }
}

/// With the rule broken the marks that there are too many count as none.
static void forgetSurplus(BerthSteps *steps) {
  steps->reason = NULL;
  int32_t last = (int32_t)steps->count - 1;
  for (int64_t i = 0; i < steps->numCores * steps->numPoints; ++i)
    if (steps->stepAt[i] > last)
      steps->stepAt[i] = last;
}

BerthSteps berthStepsOf(MlirOperation scope, const BerthPoints *points,
                        MlirOperation root, const char *breakRule,
                        BerthMemory *memory) {
  size_t numPoints = (size_t)points->count;
  int numCores = berthNumCores() ? berthNumCores() : 1;
  BerthSteps steps = {.numCores = numCores, .numPoints = points->count};
  steps.stepAt = BERTH_NEW(memory, int32_t, (size_t)numCores * numPoints);
  steps.isLoose = BERTH_NEW(memory, bool, numPoints);
  steps.isSure = BERTH_NEW(memory, bool, numPoints);
  memset(steps.stepAt, -1, (size_t)numCores * numPoints * sizeof(int32_t));
  memset(steps.isSure, true, numPoints);
  bool anyCount = berthIsBroken(breakRule, "any-count");
  bool anyEnd = berthIsBroken(breakRule, "ends-at-barrier");
  bool someTurns = berthIsBroken(breakRule, "some-turns");
  BerthPointerMap holders = {0}, meetings = {0}, called = {0};
  HolderWalk holderWalk = {scope, &holders, &called, anyEnd};
  mlirOperationWalk(scope, noteHolders, &holderWalk, MlirWalkPreOrder);
  for (int core = 0; core < numCores && !steps.reason; ++core) {
    Walk walk = {&steps,    points,   root,   &holders,  &called,
                 &meetings, anyCount, anyEnd, someTurns, .core = core};
    visitRegion(&walk, points->body);
    if (core == 0) {
      steps.marks =
          berthNewCopy(memory, walk.marks, walk.numMarks, sizeof *walk.marks);
      steps.count = walk.numMarks + 1;
    }
    bool isFit = !steps.reason;
    if (isFit && numCores > 1)
      matchMarks(&walk, steps.marks, steps.count - 1);
    free(walk.marks);
    if (isFit && anyCount)
      steps.reason = NULL;
  }
  if (anyCount)
    forgetSurplus(&steps);
  berthPointerMapFree(&holders);
  berthPointerMapFree(&meetings);
  berthPointerMapFree(&called);
  return steps;
}

size_t berthStepNext(const BerthSteps *steps, size_t step, size_t next[2],
                     bool *isBehindBarrier) {
  *isBehindBarrier = false;
  if (step + 1 >= steps->count)
    return 0;
  const BerthMark *mark = &steps->marks[step];
  next[0] = step + 1;
  next[1] = mark->partner + 1;
  *isBehindBarrier = mark->kind == BERTH_MARK_BARRIER;
  bool hasSecond = mark->kind == BERTH_MARK_LOOP_END ||
                   (mark->kind == BERTH_MARK_LOOP && mark->mayHaveNoTurns);
  return hasSecond ? 2 : 1;
}
