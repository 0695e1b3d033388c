//===- Verify.c - The pass berth-verify, in C ----------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Verify.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Verify/Claims/Addresses.h"
#include "IR/Verify/Claims/Claims.h"
#include "IR/Verify/Claims/Existing.h"
#include "IR/Verify/Claims/FrameEnds.h"
#include "IR/Verify/Claims/Frames.h"
#include "IR/Verify/Claims/Padded.h"
#include "IR/Verify/Claims/Placement.h"
#include "IR/Verify/Claims/Ports.h"
#include "IR/Verify/CloserLooks.h"
#include "IR/Verify/Cores/Meetings.h"
#include "IR/Verify/Dma/Dma.h"
#include "IR/Verify/Parts/PerThread.h"
#include "IR/Verify/Roots/Access.h"
#include "IR/Verify/Roots/CalleeBodies.h"
#include "IR/Verify/Roots/ClusterRoots.h"
#include "IR/Verify/Roots/Hoisted.h"
#include "IR/Verify/Roots/Instances.h"
#include "IR/Verify/Roots/Scopes.h"
#include "IR/Verify/Runs/Arrival.h"
#include "IR/Verify/Runs/Reentry.h"
#include "IR/Verify/Slots/Slots.h"
#include "IR/Verify/Slots/TurnRings.h"
#include "IR/Verify/Threads/FindPhases.h"
#include "IR/Verify/VerifyContents.h"

#include <stdlib.h>

typedef struct Verification {
  MlirOperation root;
  const BerthVerifyOptions *options;
  BerthCallees callees;
  BerthPhaseTable phases;
  BerthReentry reentry;
  bool hasTransfers; ///< anywhere
  size_t numErrors;
} Verification;

static void reportRace(MlirOperation later, MlirOperation earlier,
                       const char *why, void *userData) {
  Verification *verification = userData;
  ++verification->numErrors;
  bool isSame = mlirOperationEqual(later, earlier);
  berthEmitError(later, why, isSame ? (MlirOperation){NULL} : earlier,
                 isSame ? NULL : "after this access");
}

/// Where an address got away. One that another run would see stay is told so.
static const char *whereItGot(const Verification *verification,
                              MlirOperation start) {
  MlirOperation callee;
  bool isHidden = !mlirOperationIsNull(start) &&
                  berthOpGetCallee(start, &callee) &&
                  berthCalleeIsHidden(callee, verification->root);
  return isHidden ? "here: this run does not look into other functions, so "
                    "that a call may do anything; run the pass on the module"
                  : "here";
}

static void reportDma(MlirOperation op, MlirOperation start,
                      BerthDmaMeeting meeting, BerthLateKind kind,
                      void *userData) {
  static const char *const transfer[] = {
      ("touches bytes of the arena that a transfer may still use "
       "through another buffer"),
      "makes a buffer anew that a transfer may still use", "",
      ("is a transfer that may still use a buffer of the arena when "
       "its function returns")};
  static const char *const work[] = {
      ("touches bytes of the arena that work still under way may "
       "use through another buffer"),
      "makes a buffer anew that work still under way may use", "",
      "may still use a buffer of the arena when its function returns"};
  static const char *const holder[] = {
      ("touches bytes of the arena that may be used through an "
       "address of another buffer, which has got away"),
      "makes a buffer anew of which an address has got away",
      "frees an arena of which an address has got away"};
  Verification *verification = userData;
  ++verification->numErrors;
  bool isWork = kind == BERTH_LATE_WORK, isTransfer = kind == BERTH_LATE_NONE;
  const char *const *words = isTransfer ? transfer : isWork ? work : holder;
  const char *note = "started here, and on some way not waited for";
  if (!isTransfer && !isWork)
    note = whereItGot(verification, start);
  berthEmitError(op, words[meeting], start,
                 meeting == BERTH_DMA_LEFT ? NULL : note);
}

static void reportMeeting(MlirOperation op, MlirOperation other,
                          BerthMeetingFault fault, void *userData) {
  static const char *const words[] = {
      "touches bytes of the arena that another core or unit, or work under "
      "way, "
      "may use through another buffer before the next barrier",
      "reads a buffer whose bytes in the arena another buffer's may have "
      "overwritten, by the barriers that the cores come to",
      "is shared by cores of which it is not known that they come to equally "
      "many barriers, though buffers share bytes",
      "makes a buffer anew that another core or unit may still use",
      "may still use a buffer of the arena when its function returns"};
  Verification *verification = userData;
  ++verification->numErrors;
  bool isNamed = !mlirOperationIsNull(other) && !mlirOperationEqual(op, other);
  berthEmitError(op, words[fault], isNamed ? other : (MlirOperation){NULL},
                 isNamed ? "the other access" : NULL);
}

/// Iterations that run at the same time may not make a buffer each in one
/// arena.
static void verifyView(Verification *verification, MlirOperation view) {
  MlirOperation sharedBy = berthViewPlace(view, verification->options).sharedBy;
  if (mlirOperationIsNull(sharedBy))
    return;
  ++verification->numErrors;
  berthEmitError(view,
                 "makes a buffer in an arena that iterations which may run at "
                 "the same time share",
                 sharedBy, "the iterations of this op");
}

typedef struct ExitWalk {
  Verification *verification;
  const BerthViews *views;
} ExitWalk;

static MlirWalkResult verifyExitOp(MlirOperation op, void *userData) {
  ExitWalk *walk = userData;
  intptr_t count = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < count; ++i) {
    if (!berthViewsFind(walk->views, mlirOperationGetOperand(op, i)))
      continue;
    ++walk->verification->numErrors;
    berthEmitError(op,
                   "uses a buffer at the end of an iteration, when its arena "
                   "is gone",
                   (MlirOperation){NULL}, NULL);
    return MlirWalkResultSkip;
  }
  return MlirWalkResultAdvance;
}

/// What ends an iteration, and what stands in that (a reduction), comes behind
/// all that the iteration frees.
static void verifyExits(Verification *verification, const BerthViews *views,
                        MlirOperation scope) {
  ExitWalk walk = {verification, views};
  MlirRegion body = mlirOperationGetRegion(scope, 0);
  for (MlirBlock block = mlirRegionGetFirstBlock(body); !mlirBlockIsNull(block);
       block = mlirBlockGetNextInRegion(block)) {
    MlirOperation last = berthBlockGetLast(block);
    if (!mlirOperationIsNull(last) && mlirOperationGetNumSuccessors(last) == 0)
      mlirOperationWalk(last, verifyExitOp, &walk, MlirWalkPreOrder);
  }
}

static void reportClaim(MlirOperation op, const char *why, MlirOperation arena,
                        const char *note, void *userData) {
  Verification *verification = userData;
  ++verification->numErrors;
  berthEmitError(op, why, arena, mlirOperationIsNull(arena) ? NULL : note);
}

/// A global arena is one for all runs of a function.
static void verifyRuns(Verification *verification, const BerthViews *views,
                       MlirOperation scope) {
  for (size_t i = 0; i < views->numRoots; ++i) {
    MlirValue arena = views->roots[i].arena;
    MlirOperation why;
    bool isOne = mlirValueIsAOpResult(arena) &&
                 berthOpIs(mlirOpResultGetOwner(arena), BERTH_OP_GET_GLOBAL) &&
                 !berthIsSharedByThreads(mlirValueGetType(arena), scope,
                                         verification->options);
    if (!isOne)
      continue;
    if (berthMayRunInItself(&verification->reentry, scope, &why)) {
      ++verification->numErrors;
      berthEmitError(
          scope,
          "has its buffers in a global arena, and may be run again "
          "before it has returned",
          mlirOperationIsNull(why) ? mlirOpResultGetOwner(arena) : why,
          mlirOperationIsNull(why) ? "this arena" : "by this, at any time");
    }
    return;
  }
}

/// An allocation that attributes place is none: its memory is given back with
/// the arena that it lies in.
static bool isArena(const BerthViews *views, MlirValue value) {
  for (size_t i = 0; i < views->numRoots; ++i)
    if (mlirValueEqual(views->roots[i].arena, value))
      return !mlirValueIsAOpResult(value) ||
             !mlirOperationEqual(views->roots[i].view,
                                 mlirOpResultGetOwner(value));
  return false;
}

/// Nothing in the block touches the arena that the op has freed. (Of what ends
/// an iteration verifyExits tells.)
static void verifyFree(Verification *verification, const BerthViews *views,
                       MlirOperation free) {
  MlirValue arena = mlirOperationGetOperand(free, 0);
  if (!isArena(views, arena))
    return;
  BerthRootAccesses accesses = {0};
  bool isIteration = berthOpIsParallel(mlirOperationGetParentOperation(free));
  for (MlirOperation op = mlirOperationGetNextInBlock(free);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (isIteration && mlirOperationIsNull(mlirOperationGetNextInBlock(op)))
      break;
    berthRootAccessesOf(&accesses, views, op, true);
    for (size_t i = 0; i < accesses.count; ++i) {
      const BerthRootAccess *access = &accesses.items[i];
      if ((!access->reads && !access->writes) ||
          !mlirValueEqual(views->roots[access->root].arena, arena))
        continue;
      ++verification->numErrors;
      berthEmitError(access->op, "uses a buffer whose arena has been freed",
                     free, "here");
      break;
    }
  }
  berthRootAccessesFree(&accesses);
}

typedef struct FreeWalk {
  Verification *verification;
  const BerthViews *views;
} FreeWalk;

static MlirWalkResult verifyFreeOp(MlirOperation op, void *userData) {
  FreeWalk *walk = userData;
  if (berthOpIs(op, BERTH_OP_FREE))
    verifyFree(walk->verification, walk->views, op);
  return MlirWalkResultAdvance;
}

/// What a second return finds is not followed.
static void verifyReturns(Verification *verification, MlirOperation scope) {
  if (!berthCallsReturnTwice(scope))
    return;
  ++verification->numErrors;
  berthEmitError(scope,
                 "has its buffers in an arena, and calls a function that may "
                 "return a second time",
                 (MlirOperation){NULL}, NULL);
}

static void reportClobber(MlirOperation read, MlirOperation write,
                          void *userData) {
  Verification *verification = userData;
  ++verification->numErrors;
  if (mlirOperationEqual(read, write))
    berthEmitError(read,
                   "reads a buffer while it writes another one that has bytes "
                   "of the arena in common with it",
                   (MlirOperation){NULL}, NULL);
  else if (berthOpIs(write, BERTH_OP_VIEW))
    berthEmitError(read,
                   "reads an earlier instance of a buffer that has been made "
                   "anew since",
                   write, "by this view");
  else
    berthEmitError(read,
                   "reads a buffer whose bytes in the arena may have been "
                   "overwritten by another buffer's",
                   write, "by this write");
}

/// What is in use beyond its op, with the pieces that the plan needs.
static void verifyLate(Verification *verification, const BerthLooks *looks) {
  BerthViews cut;
  bool hasPieces = looks->pieces.count > 0;
  if (hasPieces)
    cut = berthCutViews(looks);
  berthVerifyDma(hasPieces ? &cut : looks->threads.views, looks->threads.scope,
                 verification->options, verification->hasTransfers, reportDma,
                 verification);
  if (hasPieces)
    berthViewsFree(&cut);
}

/// Returns how many layers the scope has.
static size_t verifyLayer(Verification *verification, MlirOperation scope) {
  BerthMemory memory = {0};
  BerthViews views = berthViewsOfScope(scope, verification->options,
                                       &verification->callees, &memory);
  size_t numLayers = views.numLayers;
  berthFindInstances(&views);
  berthFindClusterRoots(&views, scope, verification->options);
  BerthScopeAccesses accesses = {0};
  if (views.numRoots)
    berthListAccesses(&accesses, &views, scope);
  if (berthOpIsParallel(scope))
    verifyExits(verification, &views, scope);
  if (berthOpIsFunction(scope))
    verifyRuns(verification, &views, scope);
  BerthLooks looks = {.threads = {&views, scope, verification->root,
                                  verification->options,
                                  &verification->phases}};
  if (views.numRoots) {
    verifyReturns(verification, scope);
    bool returns = berthOpIsFunction(scope) &&
                   !berthIsKernel(scope, verification->options);
    looks.isOrdered = !berthVerifyMeetings(&views, scope, returns,
                                           reportMeeting, verification);
    berthFindClobbers(&looks, reportClobber, verification);
    FreeWalk walk = {verification, &views};
    mlirOperationWalk(scope, verifyFreeOp, &walk, MlirWalkPreOrder);
    berthVerifyClaims(&views, scope, reportClaim, verification);
    berthVerifyFrames(&views, scope, verification->options, reportClaim,
                      verification);
    verifyLate(verification, &looks);
  }
  if (verification->options->forThreads)
    berthFindRaces(&looks.threads, reportRace, verification);
  berthScopeAccessesFree(&accesses);
  berthViewsFree(&views);
  berthMemoryFree(&memory);
  return numLayers;
}

/// What is wrong in one layer would be told of those above once more.
static void verifyScope(Verification *verification, MlirOperation scope) {
  if (berthOpIsFunction(scope)) {
    berthVerifyExisting(scope, verification->root, verification->options,
                        reportClaim, verification);
    verification->numErrors +=
        berthVerifyContentsOf(scope, &verification->callees);
  }
  const BerthVerifyOptions *all = verification->options;
  BerthVerifyOptions one = *all;
  verification->options = &one;
  size_t numErrors = verification->numErrors;
  for (size_t numLayers = 1;
       one.layer < numLayers && verification->numErrors == numErrors;
       ++one.layer)
    numLayers = verifyLayer(verification, scope);
  verification->options = all;
}

static void reportSlots(MlirOperation op, const char *why, MlirOperation slots,
                        const char *note, void *userData) {
  size_t *numErrors = userData;
  ++*numErrors;
  bool isSame = mlirOperationEqual(op, slots);
  berthEmitError(op, why, isSame ? (MlirOperation){NULL} : slots,
                 isSame ? NULL : note);
}

BerthStatus berthVerifySlotsAlone(MlirOperation root) {
  size_t numErrors = 0;
  BerthPointerMap ofThreads = berthFunctionsOfThreads(root, true);
  BerthVerifyOptions options = {.forThreads = true, .ofThreads = &ofThreads};
  berthVerifySlots(root, &options, reportSlots, &numErrors);
  berthPointerMapFree(&ofThreads);
  return numErrors ? BERTH_INVALID : BERTH_SUCCESS;
}

bool berthPerThreadIsShown(MlirOperation root) {
  return berthVerifyPerThread(root, /*isQuiet=*/true) == 0;
}

BerthStatus berthVerifyPaddedAlone(MlirOperation root) {
  return berthVerifyPadded(root) ? BERTH_INVALID : BERTH_SUCCESS;
}

static MlirWalkResult verifyOp(MlirOperation op, void *userData) {
  if (berthViewIsBuffer(op))
    verifyView(userData, op);
  else if (berthIsVerifyScope(op))
    verifyScope(userData, op);
  return MlirWalkResultAdvance;
}

static MlirWalkResult findTransfer(MlirOperation op, void *userData) {
  bool *found = userData;
  *found = berthOpIsTransfer(op) || berthOpStartsAnyAsync(op);
  return *found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

BerthStatus berthVerifyArenas(MlirOperation root,
                              const BerthVerifyOptions *given) {
  BerthCallees *callees = berthCalleesKeep();
  BerthHoisted hoisted = berthHoistedPutBack(root);
  BerthPointerMap ofThreads = berthFunctionsOfThreads(root, given->forThreads);
  BerthVerifyOptions own = *given;
  own.ofThreads = &ofThreads;
  const BerthVerifyOptions *options = &own;
  Verification verification = {.root = root,
                               .options = options,
                               .callees = berthCalleesIn(root),
                               .reentry = {.root = root, .options = options}};
  verification.callees.unknownEnds = options->unknownEnds;
  berthCalleesFindUnseen(&verification.callees);
  verification.phases = berthPhasesIn(root, &verification.callees, options);
  mlirOperationWalk(root, findTransfer, &verification.hasTransfers,
                    MlirWalkPreOrder);
  mlirOperationWalk(root, verifyOp, &verification, MlirWalkPreOrder);
  verification.numErrors += berthVerifyPadded(root);
  verification.numErrors += berthVerifyPerThread(root, /*isQuiet=*/false);
  if (options->forSlots)
    berthVerifySlots(root, options, reportSlots, &verification.numErrors);
  if (options->forTurns)
    berthVerifyTurnRings(root, reportSlots, &verification.numErrors);
  berthVerifyFrameEnds(root, reportClaim, &verification);
  berthVerifyPlacement(root, reportClaim, &verification);
  berthVerifyPorts(root, reportClaim, &verification);
  berthVerifyAddresses(&verification.reentry, reportClaim, &verification);
  berthPhasesFree(&verification.phases);
  berthPointerMapFree(&ofThreads);
  berthReentryFree(&verification.reentry);
  berthCalleesFree(&verification.callees);
  berthHoistedRestore(&hoisted);
  berthCalleesForget(callees);
  return verification.numErrors ? BERTH_INVALID : BERTH_SUCCESS;
}
