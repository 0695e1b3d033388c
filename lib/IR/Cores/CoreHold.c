//===- CoreHold.c - Buffers that other cores and units use ----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Cores/CoreHold.h"
#include "IR/Cores/NextRun.h"
#include "IR/Cores/Steps.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Rules.h"
#include "IR/Scope/Segments.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Who runs an access
//===----------------------------------------------------------------------===//

/// What runs its ops one after the other: a unit, as the cores of `cores`
/// command it, or without a unit one core.
typedef struct Runner {
  int unit;
  uint64_t cores;
} Runner;

/// Runners are numbered as they come. The last bit stands for several at once:
/// what any core may be in at any time.
enum { kMany = 63 };

/// A set of steps.
typedef struct StepSet {
  bool *isIn;
  size_t *items;
  size_t count;
} StepSet;

typedef struct Hold {
  BerthScope *scope;
  const BerthPoints *points;
  BerthSteps steps;
  const char *breakRule;
  Runner runners[kMany];
  int numRunners;
  uint64_t firstCores;     ///< of the first access
  bool hasOwnBranches;     ///< some accesses are other cores' than others
  uint64_t *crowd;         ///< by step: who touches buffers in it, a bit each
  bool *isCrowded;         ///< by step: several may be in it
  BerthTouchers *touchers; ///< by buffer
  /// What some core comes to in step i: points[firstPoints[i]] up to those of
  /// the next one.
  size_t *firstPoints;
  BerthSegment *stepPoints;
} Hold;

/// The unit that runs the op beside the program, or 0. Of an op that makes a
/// token the program knows when it begins, where it stands, and when it ends:
/// it is followed up to the wait for it, like one without a unit. Of several
/// cores each has a token of its own, and the unit is one for all.
static int unitBeside(MlirOperation op, const char *breakRule) {
  int unit = berthOpGetUnit(op);
  if (!unit ||
      (berthNumCores() > 1 && !berthIsBroken(breakRule, "core-tokens")))
    return unit;
  intptr_t count = mlirOperationGetNumResults(op);
  for (intptr_t i = 0; i < count; ++i)
    if (berthOpIsTokenResult(op, i))
      return 0;
  return unit;
}

typedef struct UnitSearch {
  BerthPointerMap seen; ///< called functions
  const char *breakRule;
  MlirOperation access;
  bool found;
} UnitSearch;

/// In an op of unknown order, or in a called function, units go on behind their
/// ops as well.
static MlirWalkResult findUnit(MlirOperation op, void *userData) {
  UnitSearch *search = userData;
  bool isInside = !mlirOperationEqual(op, search->access);
  search->found |= isInside && (unitBeside(op, search->breakRule) ||
                                berthOpStartsAsync(op, BERTH_ASYNC_WORK));
  MlirOperation callee;
  if (berthOpGetCallee(op, &callee) && !mlirOperationIsNull(callee) &&
      berthPointerMapInsert(&search->seen, callee.ptr, 1))
    mlirOperationWalk(callee, findUnit, search, MlirWalkPreOrder);
  return search->found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

static bool holdsUnits(MlirOperation access, const char *breakRule) {
  UnitSearch search = {.breakRule = breakRule, .access = access};
  mlirOperationWalk(access, findUnit, &search, MlirWalkPreOrder);
  berthPointerMapFree(&search.seen);
  return search.found;
}

/// The cores that come to a point, a bit each.
static uint64_t coresAt(const Hold *hold, int64_t point) {
  uint64_t cores = 0;
  for (int core = 0; core < hold->steps.numCores; ++core)
    if (berthStepAt(&hold->steps, core, point) >= 0)
      cores |= UINT64_C(1) << core;
  return cores;
}

/// The bit of who runs the access.
static uint64_t runnerOf(Hold *hold, const BerthAccess *access) {
  const uint64_t many = UINT64_C(1) << kMany;
  Runner runner = {0, coresAt(hold, access->lower)};
  if (!berthIsBroken(hold->breakRule, "no-units"))
    runner.unit = unitBeside(access->op, hold->breakRule);
  bool areSeveral = runner.cores & (runner.cores - 1);
  bool isOneCore = berthNumCores() && !areSeveral;
  bool isOnce = runner.unit && (berthOpIsIssuedOnce(access->op) ||
                                berthIsBroken(hold->breakRule, "once-a-unit"));
  if ((areSeveral && !isOnce) ||
      (hold->steps.isLoose[access->lower] && !isOneCore) ||
      holdsUnits(access->op, hold->breakRule))
    return many;
  if (areSeveral && mlirOperationIsNull(hold->scope->takenForOnce))
    hold->scope->takenForOnce = access->op;
  for (int i = 0; i < hold->numRunners; ++i)
    if (hold->runners[i].unit == runner.unit &&
        hold->runners[i].cores == runner.cores)
      return UINT64_C(1) << i;
  if (hold->numRunners == kMany)
    return many;
  hold->runners[hold->numRunners] = runner;
  return UINT64_C(1) << hold->numRunners++;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

static StepSet createSet(size_t count) {
  return (StepSet){.isIn = berthAllocateOrDie(count, sizeof(bool)),
                   .items = berthAllocateOrDie(count, sizeof(size_t))};
}

static bool addStep(StepSet *set, size_t step) {
  if (set->isIn[step])
    return false;
  set->isIn[step] = true;
  set->items[set->count++] = step;
  return true;
}

static void clearSet(StepSet *set) {
  while (set->count)
    set->isIn[set->items[--set->count]] = false;
}

static void freeSet(StepSet *set) {
  free(set->isIn);
  free(set->items);
}

/// Told of each step that a core is in where it makes the access.
typedef void (*StepCallback)(Hold *hold, size_t step, void *userData);

static void forEachStep(Hold *hold, const BerthAccess *access,
                        StepCallback callback, void *userData) {
  for (int core = 0; core < hold->steps.numCores; ++core) {
    int32_t step = berthStepAt(&hold->steps, core, access->lower);
    if (step >= 0)
      callback(hold, (size_t)step, userData);
  }
}

/// Marks the step, and all that follow without a barrier: what one core does
/// there others may do while it is still here. A function may be run again when
/// some cores have not left it.
static void addFollowers(const Hold *hold, size_t first, StepSet *set) {
  size_t next[2];
  bool isBehindBarrier;
  size_t i = set->count;
  addStep(set, first);
  for (; i < set->count; ++i) {
    size_t step = set->items[i];
    size_t count = berthStepNext(&hold->steps, step, next, &isBehindBarrier);
    for (size_t k = 0; k < count && !isBehindBarrier; ++k)
      addStep(set, next[k]);
    if (step + 1 == hold->steps.count)
      addStep(set, 0);
  }
}

static void noteRunner(Hold *hold, size_t step, void *userData) {
  hold->crowd[step] |= *(const uint64_t *)userData;
}

static void noteAccesses(Hold *hold, const BerthBufferInfo *buffer) {
  BerthTouchers *touchers = &hold->touchers[buffer - hold->scope->buffers];
  uint64_t all = 0;
  for (size_t i = 0; i < buffer->numAccesses; ++i) {
    const BerthAccess *access = &buffer->accesses[i];
    uint64_t cores = coresAt(hold, access->lower);
    if (!hold->firstCores)
      hold->firstCores = cores;
    hold->hasOwnBranches |= cores && cores != hold->firstCores;
    uint64_t runner = runnerOf(hold, access);
    all |= runner;
    touchers->goOn |=
        berthNumCores() > 1 || unitBeside(access->op, hold->breakRule);
    forEachStep(hold, access, noteRunner, &runner);
  }
  touchers->areSeveral = (all & (all - 1)) || all >> kMany;
  touchers->goOn |= touchers->areSeveral;
}

/// Finds which steps more than one runner may be in at a time.
static void findCrowds(Hold *hold) {
  size_t count = hold->steps.count;
  BerthMemory *memory = hold->scope->memory;
  hold->crowd = BERTH_NEW(memory, uint64_t, count);
  hold->isCrowded = BERTH_NEW(memory, bool, count);
  hold->touchers = BERTH_NEW(memory, BerthTouchers, hold->scope->numBuffers);
  for (size_t i = 0; i < hold->scope->numBuffers; ++i)
    if (!hold->scope->buffers[i].reason)
      noteAccesses(hold, &hold->scope->buffers[i]);
  uint64_t *joined = berthAllocateOrDie(count, sizeof *joined);
  StepSet set = createSet(count);
  for (size_t step = 0; step < count; ++step) {
    clearSet(&set);
    addFollowers(hold, step, &set);
    for (size_t i = 0; i < set.count; ++i) {
      joined[step] |= hold->crowd[set.items[i]];
      joined[set.items[i]] |= hold->crowd[step];
    }
  }
  for (size_t step = 0; step < count; ++step)
    hold->isCrowded[step] =
        (joined[step] & (joined[step] - 1)) || joined[step] >> kMany;
  free(joined);
  freeSet(&set);
}

//===----------------------------------------------------------------------===//
// Live ranges
//===----------------------------------------------------------------------===//

static void noteFollowers(Hold *hold, size_t step, void *userData) {
  if (hold->isCrowded[step] || hold->hasOwnBranches)
    addFollowers(hold, step, userData);
}

/// What happens to one buffer in each step.
typedef struct Flow {
  const BerthAccess *access;
  bool *reads;
  bool *writes;
  bool *kills; ///< overwritten, and not read; or made
  bool *isLive;
  bool *isReached;
} Flow;

static void noteFlow(Hold *hold, size_t step, void *userData) {
  Flow *flow = userData;
  const BerthAccess *access = flow->access;
  flow->reads[step] |= access->reads;
  flow->writes[step] |= access->writes;
  flow->kills[step] |= access->kills && hold->steps.isSure[access->lower];
}

/// Backwards from reads to what overwrites, then forwards from writes within
/// that, as Liveness.c does on points.
static void search(const Hold *hold, Flow *flow) {
  size_t count = hold->steps.count, next[2];
  bool isBehindBarrier;
  memcpy(flow->isLive, flow->reads, count * sizeof *flow->isLive);
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    for (size_t step = count; step-- > 0;) {
      size_t n = berthStepNext(&hold->steps, step, next, &isBehindBarrier);
      bool isLive = flow->isLive[step];
      for (size_t i = 0; i < n && !isLive && !flow->kills[step]; ++i)
        isLive = flow->isLive[next[i]];
      isChanged |= isLive != flow->isLive[step];
      flow->isLive[step] = isLive;
    }
  }
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    for (size_t step = 0; step < count; ++step) {
      if (!flow->writes[step] && !flow->isReached[step])
        continue;
      size_t n = berthStepNext(&hold->steps, step, next, &isBehindBarrier);
      for (size_t i = 0; i < n; ++i) {
        bool isReached = flow->isReached[next[i]] || flow->isLive[next[i]];
        isChanged |= isReached != flow->isReached[next[i]];
        flow->isReached[next[i]] = isReached;
      }
    }
  }
}

/// The steps in which the content of the buffer is wanted.
static void addLiveSteps(Hold *hold, const BerthBufferInfo *buffer,
                         StepSet *set) {
  size_t count = hold->steps.count;
  bool *flags = berthAllocateOrDie(5 * count, sizeof *flags);
  Flow flow = {NULL,
               flags,
               flags + count,
               flags + 2 * count,
               flags + 3 * count,
               flags + 4 * count};
  BerthAccess made = {.op = buffer->alloc, .kills = true};
  made.lower = berthPointsLower(hold->points, buffer->alloc);
  flow.access = &made;
  forEachStep(hold, &made, noteFlow, &flow);
  for (size_t i = 0; i < buffer->numAccesses; ++i) {
    flow.access = &buffer->accesses[i];
    forEachStep(hold, flow.access, noteFlow, &flow);
  }
  search(hold, &flow);
  for (size_t step = 0; step < count; ++step)
    if (flow.isLive[step] && flow.isReached[step])
      addStep(set, step);
  free(flags);
}

/// Calls back for each run of points that a core comes to in one step.
typedef void (*RunCallback)(Hold *hold, size_t step, BerthSegment run);

static void forEachRun(Hold *hold, RunCallback callback) {
  const BerthSteps *steps = &hold->steps;
  for (int core = 0; core < steps->numCores; ++core)
    for (int64_t point = 0, upper; point < steps->numPoints; point = upper) {
      int32_t step = berthStepAt(steps, core, point);
      for (upper = point + 1; upper < steps->numPoints; ++upper)
        if (berthStepAt(steps, core, upper) != step)
          break;
      if (step >= 0)
        callback(hold, (size_t)step, (BerthSegment){point, upper});
    }
}

static void countRun(Hold *hold, size_t step, BerthSegment run) {
  (void)run;
  ++hold->firstPoints[step + 1];
}

static void fillRun(Hold *hold, size_t step, BerthSegment run) {
  hold->stepPoints[hold->firstPoints[step]++] = run;
}

static void findPoints(Hold *hold) {
  size_t count = hold->steps.count;
  hold->firstPoints = BERTH_NEW(hold->scope->memory, size_t, count + 2);
  forEachRun(hold, countRun);
  for (size_t i = 0; i < count; ++i)
    hold->firstPoints[i + 1] += hold->firstPoints[i];
  hold->stepPoints =
      BERTH_NEW(hold->scope->memory, BerthSegment, hold->firstPoints[count]);
  forEachRun(hold, fillRun);
  for (size_t i = count; i > 0; --i)
    hold->firstPoints[i] = hold->firstPoints[i - 1];
  hold->firstPoints[0] = 0;
}

static void holdBuffer(Hold *hold, BerthBufferInfo *buffer, StepSet *set) {
  clearSet(set);
  bool isFoundAnew = hold->hasOwnBranches && !buffer->leaks;
  for (size_t i = 0; i < buffer->numAccesses; ++i)
    forEachStep(hold, &buffer->accesses[i], noteFollowers, set);
  if (isFoundAnew)
    addLiveSteps(hold, buffer, set);
  BerthSegments list = {0};
  for (size_t i = 0; i < set->count; ++i)
    for (size_t k = hold->firstPoints[set->items[i]];
         k < hold->firstPoints[set->items[i] + 1]; ++k)
      berthSegmentsAdd(&list, hold->stepPoints[k].lower,
                       hold->stepPoints[k].upper);
  if (isFoundAnew && list.count)
    buffer->numSegments = 0;
  berthBufferAddSegments(hold->scope, buffer, list.segments, list.count);
  free(list.segments);
}

/// Makes every buffer live all the time, so that none shares. Any runner may be
/// in any of them.
static void keepAllApart(BerthScope *scope, const BerthPoints *points,
                         const BerthSteps *steps, const char *breakRule) {
  BerthTouchers *touchers =
      BERTH_NEW(scope->memory, BerthTouchers, scope->numBuffers);
  for (size_t i = 0; i < scope->numBuffers; ++i)
    touchers[i] = (BerthTouchers){.areSeveral = true, .goOn = true};
  berthRejectUnfinished(scope, points, touchers, false, breakRule);
  for (size_t i = 0; i < scope->numBuffers; ++i) {
    BerthBufferInfo *buffer = &scope->buffers[i];
    if (buffer->reason)
      continue;
    BerthSegment all = {0, points->count};
    berthBufferAddSegments(scope, buffer, &all, 1);
  }
  char message[256];
  snprintf(message, sizeof message, "no buffer shares bytes: %.200s",
           steps->reason);
  berthEmitRemark(steps->reasonAt, BERTH_REMARK_MISSED, "berth-arena", message);
}

void berthScopeHoldCores(BerthScope *scope, const BerthPoints *points,
                         MlirOperation root, const char *breakRule) {
  if (!berthHasConcurrentUnits() || !scope->numBuffers ||
      berthIsBroken(breakRule, "no-cores"))
    return;
  Hold hold = {.scope = scope, .points = points, .breakRule = breakRule};
  hold.steps = berthStepsOf(scope->op, points, root, breakRule, scope->memory);
  if (hold.steps.reason) {
    keepAllApart(scope, points, &hold.steps, breakRule);
    scope->hasCores = true;
    return;
  }
  findCrowds(&hold);
  berthRejectUnfinished(scope, points, hold.touchers, true, breakRule);
  scope->hasCores = hold.hasOwnBranches;
  for (size_t step = 0; step < hold.steps.count; ++step)
    scope->hasCores |= hold.isCrowded[step];
  if (!scope->hasCores)
    return;
  findPoints(&hold);
  StepSet set = createSet(hold.steps.count);
  for (size_t i = 0; i < scope->numBuffers; ++i)
    if (!scope->buffers[i].reason)
      holdBuffer(&hold, &scope->buffers[i], &set);
  freeSet(&set);
}
