//===- Dma.c - Bytes that transfers are still using -----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Dma/Dma.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Verify/Dma/InFlight.h"
#include "IR/Verify/Dma/Pending.h"
#include "IR/Verify/Roots/Access.h"
#include "IR/Verify/Roots/Called.h"
#include "IR/Verify/Roots/Calls.h"
#include "IR/Verify/Roots/Scopes.h"
#include "IR/Verify/Runs/Arrival.h"
#include "IR/Verify/Runs/Control.h"

/// A start or a wait.
typedef struct TagUse {
  MlirOperation op;
  const void *tag;
} TagUse;

/// What a called function leaves under way.
typedef enum Leaves {
  LEAVES_NOTHING,
  LEAVES_GROUPS,
  LEAVES_PENDING,
  LEAVES_TRANSFERS
} Leaves;

typedef struct Check {
  const BerthViews *views;
  MlirOperation scope;
  BerthDmaCallback callback;
  void *userData;
  BerthRootAccesses accesses;
  BerthPointerMap busy;     ///< ops that change what is under way, or hold such
  BerthPointerMap reported; ///< ops
  TagUse *uses;
  size_t numUses, useCapacity;
  bool hasTransfers; ///< anywhere, or ops that pending work goes on behind
  bool hasGroups;    ///< copies that end with their group
  bool looksForLate; ///< uses too; what functions keep is asked for elsewhere
  BerthLateUse *late;
  size_t numLate, lateCapacity;
  BerthPointerMap lateOf; ///< op -> index into `late`
  // Shared with the checks of called functions:
  const BerthVerifyOptions *options;
  Leaves left;             ///< at the end of the scope
  BerthPointerMap *leaves; ///< function -> Leaves
  BerthPointerMap *meets;  ///< Called.h
} Check;

//===----------------------------------------------------------------------===//
// One op
//===----------------------------------------------------------------------===//

static const BerthLateUse *lateUseOf(const Check *check, MlirOperation op) {
  size_t index = berthPointerMapFind(&check->lateOf, op.ptr);
  return index == BERTH_NOT_FOUND ? NULL : &check->late[index];
}

static void report(Check *check, MlirOperation op, MlirOperation start,
                   BerthDmaMeeting meeting) {
  const BerthLateUse *late = lateUseOf(check, start);
  if (berthPointerMapInsert(&check->reported, op.ptr, 1))
    check->callback(op, start, meeting, late ? late->kind : BERTH_LATE_NONE,
                    check->userData);
}

static bool usesLate(const Check *check, const BerthLateUse *late,
                     uint32_t root, bool itself) {
  for (size_t i = 0; i < late->count; ++i)
    if (itself ? late->roots[i] == root
               : berthViewsOverlap(check->views, late->roots[i], root))
      return true;
  return false;
}

/// True if one operand of the transfer has bytes of the root through another
/// one, and one of both is written; or the root itself, if `itself`.
static bool usesThrough(const Check *check, MlirValue operand, bool isWritten,
                        uint32_t root, bool itself) {
  const BerthRootSet *set = berthViewsFind(check->views, operand);
  for (size_t k = 0; set && k < set->count; ++k)
    if (itself
            ? set->ids[k] == root
            : isWritten && berthViewsOverlap(check->views, set->ids[k], root))
      return true;
  return false;
}

/// Of a call nobody knows what its transfers write.
static bool usesBytes(const Check *check, MlirOperation start, uint32_t root,
                      bool writes, bool itself) {
  const BerthLateUse *late = lateUseOf(check, start);
  if (late)
    return usesLate(check, late, root, itself);
  BerthDma dma;
  bool isCall = !berthOpGetDma(start, &dma);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(start); ++i)
    if (usesThrough(check, mlirOperationGetOperand(start, i),
                    writes || isCall || i != dma.source, root, itself))
      return true;
  return false;
}

static void checkAccesses(Check *check, const BerthSky *sky) {
  for (size_t i = 0; i < check->accesses.count; ++i) {
    const BerthRootAccess *access = &check->accesses.items[i];
    if (!access->reads && !access->writes)
      continue;
    for (size_t k = 0; k < sky->count; ++k) {
      const BerthFlight *flight = &sky->flights[k];
      if (usesBytes(check, flight->start, access->root, access->writes, false))
        report(check, access->op, flight->start, BERTH_DMA_TOUCHES);
      if (!mlirOperationIsNull(flight->made) &&
          access->root == flight->madeRoot)
        report(check, flight->made, flight->start, BERTH_DMA_MAKES);
    }
  }
}

/// Two buffers that lie in the same bytes as the same type are one root, and so
/// are two instances of one. To make the second one while a transfer uses the
/// first does no harm by itself: whoever uses it before the wait does.
static void checkMade(Check *check, BerthSky *sky, MlirOperation op) {
  uint32_t root;
  if (!berthViewsMakesAnew(check->views, op, &root))
    return;
  for (size_t k = 0; k < sky->count; ++k) {
    BerthFlight *flight = &sky->flights[k];
    if (!usesBytes(check, flight->start, root, true, true))
      continue;
    bool isSecond = !mlirOperationIsNull(flight->made) &&
                    !mlirOperationEqual(flight->made, op);
    if (flight->isEndless || isSecond || lateUseOf(check, flight->start))
      report(check, op, flight->start, BERTH_DMA_MAKES);
    flight->made = op;
    flight->madeRoot = root;
  }
}

/// What is under way on an element that may be this one.
static void startOne(const Check *check, BerthSky *sky, MlirOperation op) {
  BerthFlight flight = {.start = op,
                        .place = berthTagPlaceOf(check->views, op)};
  flight.isEndless = !flight.place.tag;
  for (size_t i = 0; i < sky->count && flight.place.tag; ++i) {
    BerthFlight *other = &sky->flights[i];
    if (!other->place.tag || berthTagPlacesDiffer(&other->place, &flight.place))
      continue;
    other->isEndless = flight.isEndless = true;
  }
  berthSkyAdd(sky, flight);
}

static void waitForOne(const Check *check, BerthSky *sky, MlirOperation op) {
  BerthTagPlace place = berthTagPlaceOf(check->views, op);
  size_t count = 0;
  for (size_t i = 0; i < sky->count; ++i)
    if (sky->flights[i].isEndless ||
        !berthTagPlacesMeet(&sky->flights[i].place, &place))
      sky->flights[count++] = sky->flights[i];
  sky->count = count;
}

/// A second run of an op whose first one is not waited for: no wait is surely
/// for both.
static void startLate(BerthSky *sky, const BerthLateUse *late) {
  if (late->isPending || late->isGrouped) {
    berthSkyAdd(sky, (BerthFlight){.start = late->op});
    return;
  }
  BerthFlight flight = {.start = late->op,
                        .isEndless =
                            late->isEndless || late->kind != BERTH_LATE_WORK};
  for (size_t i = 0; i < sky->count; ++i) {
    if (!mlirOperationEqual(sky->flights[i].start, late->op))
      continue;
    sky->flights[i].isEndless = flight.isEndless = true;
  }
  berthSkyAdd(sky, flight);
}

static void endLate(const Check *check, BerthSky *sky, MlirOperation op) {
  size_t count = 0;
  for (size_t i = 0; i < sky->count; ++i) {
    MlirOperation start = sky->flights[i].start;
    const BerthLateUse *late = lateUseOf(check, start);
    bool isPending = late && late->isPending;
    bool isWork =
        !isPending && late && !late->isGrouped && !sky->flights[i].isEndless;
    if (!(isPending && berthOpIsMeeting(op)) &&
        (!isWork || !berthEndsWork(op, start, check->options->unknownEnds)))
      sky->flights[count++] = sky->flights[i];
  }
  sky->count = count;
}

/// Copies go into the next group that is made; a wait ends all groups but the
/// newest `mayPend` ones. So many are told apart.
enum { kMostGroups = 12 };

static void passGroups(const Check *check, BerthSky *sky, MlirOperation op) {
  BerthSky behind = {.isReached = sky->isReached};
  bool isChanged = false;
  for (size_t i = 0; i < sky->count; ++i) {
    BerthFlight flight = sky->flights[i];
    const BerthLateUse *late = lateUseOf(check, flight.start);
    int64_t mayPend;
    bool isGrouped = late && late->isGrouped, isOver = false;
    if (isGrouped && berthOpMakesGroup(op, late->async))
      flight.groups += flight.groups < kMostGroups;
    if (isGrouped && berthOpWaitsForGroups(op, late->async, &mayPend))
      isOver = flight.groups > 0 && flight.groups > mayPend;
    isOver &= !flight.isEndless;
    isChanged |= isOver || flight.groups != sky->flights[i].groups;
    if (!isOver)
      berthSkyAdd(&behind, flight);
  }
  if (!isChanged) {
    free(behind.flights);
    return;
  }
  free(sky->flights);
  *sky = behind;
}

/// The barrier of a called function ends what was pending before the call.
static void endPending(const Check *check, BerthSky *sky, MlirOperation op) {
  size_t count = 0;
  if (berthOpIsMeeting(op) || !berthMeetsInside(check->meets, op))
    return;
  for (size_t i = 0; i < sky->count; ++i) {
    const BerthLateUse *late = lateUseOf(check, sky->flights[i].start);
    if (!late || !late->isPending)
      sky->flights[count++] = sky->flights[i];
  }
  sky->count = count;
}

/// An arena is gone, and somebody has an address in it for good.
static void checkFreed(Check *check, const BerthSky *sky, MlirOperation op) {
  if (!berthOpIsFree(op))
    return;
  intptr_t freed = mlirOperationGetNumOperands(op) - 1;
  const void *arena = berthViewsArenaKey(mlirOperationGetOperand(op, freed));
  for (size_t k = 0; k < sky->count; ++k) {
    const BerthLateUse *late = lateUseOf(check, sky->flights[k].start);
    for (size_t i = 0;
         late && late->kind == BERTH_LATE_KEEPER && i < late->count; ++i)
      if (berthViewsArenaKey(check->views->roots[late->roots[i]].arena) ==
          arena)
        report(check, op, late->op, BERTH_DMA_FREES);
  }
}

/// A tag that is made anew or written tells nothing of what was started before.
static void loseTags(const Check *check, BerthSky *sky, MlirOperation op) {
  for (size_t i = 0; i < sky->count; ++i) {
    const void *tag = sky->flights[i].place.tag;
    sky->flights[i].isEndless |= tag && (berthMakesTag(check->views, tag, op) ||
                                         berthWritesTag(check->views, tag, op));
  }
}

static Leaves leavesBehind(const Check *check, MlirOperation op);

/// The op without what is nested in it.
static void passOp(Check *check, BerthSky *sky, MlirOperation op) {
  BerthDma dma;
  bool isDma = berthOpGetDma(op, &dma);
  BerthFlight fromCall = {.start = op, .isEndless = true};
  const BerthLateUse *late = lateUseOf(check, op);
  if (sky->count) {
    checkMade(check, sky, op);
    checkFreed(check, sky, op);
    endLate(check, sky, op);
    berthRootAccessesOf(&check->accesses, check->views, op, false);
    checkAccesses(check, sky);
    loseTags(check, sky, op);
    endPending(check, sky, op);
  }
  if (late)
    startLate(sky, late);
  else if (isDma && dma.isStart)
    startOne(check, sky, op);
  else if (isDma)
    waitForOne(check, sky, op);
  else if (leavesBehind(check, op) > LEAVES_GROUPS)
    berthSkyAdd(sky, fromCall);
  if (check->hasGroups && sky->count)
    passGroups(check, sky, op);
}

typedef struct NestedPass {
  Check *check;
  BerthSky *sky;
} NestedPass;

static MlirWalkResult passNested(MlirOperation op, void *userData) {
  const NestedPass *pass = userData;
  passOp(pass->check, pass->sky, op);
  return MlirWalkResultAdvance;
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

static void passRegion(Check *check, MlirRegion region, const BerthSky *in,
                       BerthSky *out);

typedef struct RegionSkies {
  Check *check;
  MlirOperation op;
  int from; ///< whose edges are followed
  bool skipsNone;
  const BerthSky *sky;
  BerthSky *ins;
  BerthSky *exit;
  bool isChanged;
} RegionSkies;

static void followEdge(const BerthRegionEdge *edge, void *userData) {
  RegionSkies *skies = userData;
  bool isSkipped = skies->skipsNone && edge->from == BERTH_PARENT &&
                   edge->to == BERTH_PARENT;
  if (edge->from != skies->from || isSkipped)
    return;
  BerthTagStep step = {0};
  berthTagStepOverEdge(&step, skies->op, edge);
  BerthSky *into =
      edge->to == BERTH_PARENT ? skies->exit : &skies->ins[edge->to];
  skies->isChanged |= berthSkyJoinStep(into, skies->sky, &step);
  free(step.renames);
}

static bool isAround(MlirOperation outer, MlirOperation op) {
  while (!mlirOperationIsNull(op) && !mlirOperationEqual(op, outer))
    op = mlirOperationGetParentOperation(op);
  return !mlirOperationIsNull(op);
}

/// The same, and not the op itself.
static bool isIn(MlirOperation outer, MlirOperation op) {
  return !mlirOperationEqual(outer, op) && isAround(outer, op);
}

static bool concernsTag(const Check *check, MlirOperation op, const void *tag) {
  for (size_t i = 0; tag && i < check->numUses; ++i)
    if (check->uses[i].tag == tag && isAround(op, check->uses[i].op))
      return true;
  return false;
}

/// Control enters the op: what has to do with other tags only is put aside, so
/// that loops in it do not tell ever more flights apart.
static void putAside(const Check *check, BerthSky *sky, MlirOperation op) {
  for (size_t i = 0; i < sky->count; ++i)
    if (mlirOperationIsNull(sky->flights[i].aside) &&
        !lateUseOf(check, sky->flights[i].start) &&
        !concernsTag(check, op, sky->flights[i].place.tag))
      sky->flights[i].aside = op;
}

static void takeBack(BerthSky *sky, MlirOperation op) {
  for (size_t i = 0; i < sky->count; ++i)
    if (mlirOperationEqual(sky->flights[i].aside, op))
      sky->flights[i].aside = (MlirOperation){NULL};
}

/// Regions whose order is known, until nothing changes.
static void passInSteps(Check *check, BerthSky *sky, MlirOperation op) {
  size_t count = (size_t)mlirOperationGetNumRegions(op);
  BerthSky *ins = berthAllocateOrDie(count, sizeof *ins), exit = {0};
  BerthLoopCount loop;
  RegionSkies skies = {.check = check,
                       .op = op,
                       .from = BERTH_PARENT,
                       .skipsNone =
                           berthLoopGetCount(op, &loop) && loop.hasLast,
                       .sky = sky,
                       .ins = ins,
                       .exit = &exit};
  putAside(check, sky, op);
  berthOpGetRegionEdges(op, followEdge, &skies);
  while (skies.isChanged) {
    skies.isChanged = false;
    for (size_t i = 0; i < count; ++i) {
      if (!ins[i].isReached)
        continue;
      BerthSky out = {0};
      passRegion(check, mlirOperationGetRegion(op, (intptr_t)i), &ins[i], &out);
      skies.from = (int)i;
      skies.sky = &out;
      berthOpGetRegionEdges(op, followEdge, &skies);
      free(out.flights);
    }
  }
  for (size_t i = 0; i < count; ++i)
    free(ins[i].flights);
  free(ins);
  free(sky->flights);
  takeBack(&exit, op);
  *sky = exit;
}

/// Starts in an op whose regions may run at once, or in any order: whatever the
/// op touches is touched while they are under way.
static MlirWalkResult checkBeside(MlirOperation op, void *userData) {
  NestedPass *pass = userData;
  BerthDma dma;
  bool isStart = berthOpGetDma(op, &dma) && dma.isStart;
  if (!isStart && !lateUseOf(pass->check, op) &&
      leavesBehind(pass->check, op) <= LEAVES_GROUPS)
    return MlirWalkResultAdvance;
  BerthFlight flight = {.start = op, .isEndless = true};
  BerthSky sky = {.flights = &flight, .count = 1};
  checkAccesses(pass->check, &sky);
  return MlirWalkResultAdvance;
}

static bool isPendingStart(const Check *check, MlirOperation start) {
  const BerthLateUse *late = lateUseOf(check, start);
  return late && late->isPending;
}

/// What a region of unknown order leaves under way is so in any other run, and
/// nobody knows whether a wait in it has run.
static void passInAnyOrder(Check *check, BerthSky *sky, MlirOperation op) {
  NestedPass beside = {check, sky};
  berthRootAccessesOf(&check->accesses, check->views, op, true);
  mlirOperationWalk(op, checkBeside, &beside, MlirWalkPreOrder);
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); ++i) {
      BerthSky out = {0};
      passRegion(check, mlirOperationGetRegion(op, i), sky, &out);
      for (size_t k = 0; k < out.count; ++k)
        out.flights[k].isEndless |=
            isIn(op, out.flights[k].start) &&
            !isPendingStart(check, out.flights[k].start);
      isChanged |= berthSkyJoin(sky, &out);
      free(out.flights);
    }
  }
}

static void passOpAndRegions(Check *check, BerthSky *sky, MlirOperation op) {
  bool isBusy = berthPointerMapFind(&check->busy, op.ptr) != BERTH_NOT_FOUND;
  NestedPass pass = {check, sky};
  if (!isBusy && sky->count)
    mlirOperationWalk(op, passNested, &pass, MlirWalkPreOrder);
  if (!isBusy)
    return;
  passOp(check, sky, op);
  if (berthRunsInSteps(op))
    passInSteps(check, sky, op);
  else if (mlirOperationGetNumRegions(op))
    passInAnyOrder(check, sky, op);
}

static void passBlock(Check *check, MlirBlock block, BerthSky *sky) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    passOpAndRegions(check, sky, op);
}

/// Hands on what is under way at the end of a block.
static bool leaveBlock(const BerthBlockList *list, size_t block, BerthSky *ins,
                       const BerthSky *sky, BerthSky *out) {
  size_t numNext = berthBlockListCountNext(list, block);
  if (!numNext)
    berthSkyJoin(out, sky);
  bool isChanged = false;
  for (size_t i = 0; i < numNext; ++i) {
    BerthTagStep step = {0};
    berthTagStepOverBranch(&step, berthBlockGetLast(list->blocks[block]),
                           (intptr_t)i);
    isChanged |=
        berthSkyJoinStep(&ins[berthBlockListNext(list, block, i)], sky, &step);
    free(step.renames);
  }
  return isChanged;
}

static void passRegion(Check *check, MlirRegion region, const BerthSky *in,
                       BerthSky *out) {
  BerthBlockList list = berthBlockListOf(region);
  BerthSky *ins = berthAllocateOrDie(list.count, sizeof *ins);
  berthSkyJoin(list.count ? &ins[0] : out, in);
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    for (size_t i = 0; i < list.count; ++i) {
      if (!ins[i].isReached)
        continue;
      BerthSky sky = berthSkyCopy(&ins[i]);
      passBlock(check, list.blocks[i], &sky);
      isChanged |= leaveBlock(&list, i, ins, &sky, out);
      free(sky.flights);
    }
  }
  for (size_t i = 0; i < list.count; ++i)
    free(ins[i].flights);
  free(ins);
  berthBlockListFree(&list);
}

//===----------------------------------------------------------------------===//
// A scope
//===----------------------------------------------------------------------===//

static bool changesGroups(MlirOperation op) {
  int64_t mayPend;
  if (!berthOpHasToDoWithAsync(op))
    return false;
  for (int kind = 0; kind < BERTH_ASYNC_WORK; ++kind)
    if (berthOpMakesGroup(op, (BerthAsyncKind)kind) ||
        berthOpWaitsForGroups(op, (BerthAsyncKind)kind, &mayPend))
      return true;
  return false;
}

static bool noteLate(Check *check, BerthLateUse late) {
  berthPointerMapInsert(&check->lateOf, late.op.ptr, check->numLate);
  check->late = berthGrow(check->late, check->numLate, &check->lateCapacity,
                          sizeof *check->late);
  check->late[check->numLate++] = late;
  return true;
}

/// Of a called function it is asked whether it leaves any copies at all.
static bool noteGrouped(Check *check, MlirOperation op, Leaves leaves) {
  BerthLateUse late = berthGroupedUse(check->views, op, check->scope,
                                      check->options, leaves == LEAVES_GROUPS);
  if (!(late.isGrouped || late.isEndless) ||
      (!late.count && check->looksForLate))
    return false;
  check->hasGroups = true;
  return noteLate(check, late);
}

static bool noteGiven(Check *check, MlirOperation op) {
  BerthLateUse late =
      berthGivenUse(check->views, op, check->options->unknownEnds);
  return late.count && noteLate(check, late);
}

/// True if the op is given a token of one that goes on.
static bool isGivenToken(const Check *check, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue value = mlirOperationGetOperand(op, i);
    if (mlirValueIsAOpResult(value) &&
        berthTypeMayPoint(mlirValueGetType(value)) &&
        berthOpGoesOn(mlirOpResultGetOwner(value), check->options->unknownEnds))
      return true;
  }
  return false;
}

static MlirWalkResult noteBusy(MlirOperation op, void *userData) {
  Check *check = userData;
  BerthDma dma;
  bool isDma = berthOpGetDma(op, &dma);
  Leaves leaves = leavesBehind(check, op);
  bool isPending = !isDma && (leaves == LEAVES_PENDING ||
                              berthOpStartsAsync(op, BERTH_ASYNC_WORK));
  bool isLate =
      isPending
          ? noteLate(check, berthPendingUse(check->views, op))
          : !isDma && (noteGrouped(check, op, leaves) ||
                       (check->looksForLate &&
                        (noteGiven(check, op) || isGivenToken(check, op))) ||
                       changesGroups(op));
  if (!isDma && !isLate && !leaves && !berthMeetsInside(check->meets, op))
    return MlirWalkResultAdvance;
  if (isDma) {
    check->uses = berthGrow(check->uses, check->numUses, &check->useCapacity,
                            sizeof *check->uses);
    check->uses[check->numUses++] =
        (TagUse){op, berthTagPlaceOf(check->views, op).tag};
  }
  while (!mlirOperationIsNull(op) &&
         berthPointerMapInsert(&check->busy, op.ptr, 1))
    op = mlirOperationGetParentOperation(op);
  return MlirWalkResultAdvance;
}

/// The bytes of a buffer that is placed are another's behind the function. Who
/// keeps an address is asked for elsewhere, and what a kernel has started is
/// over before anybody else has its memory. Of regions that run later by guess,
/// without a token, it would be a second guess that they run so late.
static void checkLeft(Check *check, MlirOperation scope, const BerthSky *out) {
  bool isKernel = berthIsKernel(scope, check->options);
  for (size_t i = 0; i < out->count; ++i) {
    MlirOperation start = out->flights[i].start;
    const BerthLateUse *late = lateUseOf(check, start);
    bool isPending = late && late->isPending;
    bool isWork =
        late && late->kind == BERTH_LATE_WORK &&
        (late->isGrouped || late->isEndless || berthOpGoesOn(start, true));
    if (!isPending && (isKernel || (late && !isWork)))
      continue;
    for (uint32_t root = 0; root < check->views->numRoots; ++root)
      if (!mlirOperationIsNull(check->views->roots[root].view) &&
          usesBytes(check, start, root, true, true))
        report(check, start, start, BERTH_DMA_LEFT);
  }
}

/// Follows a scope from its start; `*out` is what is under way at its end.
static void passScope(Check *check, MlirOperation scope, BerthSky *out) {
  check->scope = scope;
  mlirOperationWalk(scope, noteBusy, check, MlirWalkPreOrder);
  BerthSky in = {.isReached = true};
  if (check->busy.count)
    passRegion(check, mlirOperationGetRegion(scope, 0), &in, out);
  if (berthOpIsFunction(scope))
    checkLeft(check, scope, out);
  check->left = LEAVES_NOTHING;
  for (size_t i = 0; i < out->count; ++i) {
    const BerthLateUse *late = lateUseOf(check, out->flights[i].start);
    Leaves left = LEAVES_TRANSFERS;
    if (late && (late->isGrouped || late->isEndless))
      left = LEAVES_GROUPS;
    else if (late && late->isPending)
      left = LEAVES_PENDING;
    check->left = left > check->left ? left : check->left;
  }
  berthRootAccessesFree(&check->accesses);
  berthPointerMapFree(&check->busy);
  berthPointerMapFree(&check->reported);
  berthPointerMapFree(&check->lateOf);
  for (size_t i = 0; i < check->numLate; ++i)
    free(check->late[i].roots);
  free(check->late);
  free(check->uses);
}

static void ignore(MlirOperation op, MlirOperation start,
                   BerthDmaMeeting meeting, BerthLateKind kind,
                   void *userData) {
  (void)op;
  (void)start;
  (void)meeting;
  (void)kind;
  (void)userData;
}

/// While a function is looked into, a call of it in itself leaves nothing but
/// what is found there anyway.
static Leaves functionLeaves(const Check *check, MlirOperation function) {
  size_t known = berthPointerMapFind(check->leaves, function.ptr);
  if (known != BERTH_NOT_FOUND)
    return (Leaves)known;
  berthPointerMapSet(check->leaves, function.ptr, LEAVES_NOTHING);
  BerthMemory memory = {0};
  BerthVerifyOptions options = *check->options;
  options.layer = BERTH_ALL_LAYERS;
  BerthViews views =
      berthViewsOfScope(function, &options, check->views->callees, &memory);
  Check inside = {.views = &views,
                  .callback = ignore,
                  .hasTransfers = true,
                  .options = &options,
                  .leaves = check->leaves,
                  .meets = check->meets};
  BerthSky out = {0};
  passScope(&inside, function, &out);
  berthPointerMapSet(check->leaves, function.ptr, inside.left);
  free(out.flights);
  berthViewsFree(&views);
  berthMemoryFree(&memory);
  return inside.left;
}

/// What a call leaves under way of a function that is seen.
static Leaves leavesBehind(const Check *check, MlirOperation op) {
  MlirOperation callee;
  bool isSeen = check->hasTransfers && berthOpGetCallee(op, &callee) &&
                !berthFunctionIsUnseen(callee) &&
                !berthCalleeIsHidden(callee, check->views->callees->root);
  return isSeen ? functionLeaves(check, callee) : LEAVES_NOTHING;
}

void berthVerifyDma(const BerthViews *views, MlirOperation scope,
                    const BerthVerifyOptions *options, bool hasTransfers,
                    BerthDmaCallback callback, void *userData) {
  BerthPointerMap leaves = {0}, meets = {0};
  Check check = {.views = views,
                 .callback = callback,
                 .userData = userData,
                 .options = options,
                 .hasTransfers = hasTransfers || berthHasConcurrentUnits(),
                 .looksForLate = true,
                 .leaves = &leaves,
                 .meets = &meets};
  BerthSky out = {0};
  passScope(&check, scope, &out);
  free(out.flights);
  berthPointerMapFree(&leaves);
  berthPointerMapFree(&meets);
}
