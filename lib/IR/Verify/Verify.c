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
#include "IR/Verify/Bytes/Flow.h"
#include "IR/Verify/Claims/Addresses.h"
#include "IR/Verify/Claims/Claims.h"
#include "IR/Verify/Claims/Existing.h"
#include "IR/Verify/Claims/FrameEnds.h"
#include "IR/Verify/Claims/Frames.h"
#include "IR/Verify/Claims/Padded.h"
#include "IR/Verify/Claims/Placement.h"
#include "IR/Verify/Claims/Ports.h"
#include "IR/Verify/Cores/Meetings.h"
#include "IR/Verify/Dma/Dma.h"
#include "IR/Verify/Parts/PerThread.h"
#include "IR/Verify/Roots/Access.h"
#include "IR/Verify/Roots/CalleeBodies.h"
#include "IR/Verify/Roots/ClusterRoots.h"
#include "IR/Verify/Roots/Hoisted.h"
#include "IR/Verify/Roots/Instances.h"
#include "IR/Verify/Roots/Merges.h"
#include "IR/Verify/Roots/Pieces.h"
#include "IR/Verify/Roots/Scopes.h"
#include "IR/Verify/Runs/Arrival.h"
#include "IR/Verify/Runs/Reentry.h"
#include "IR/Verify/Slots/Slots.h"
#include "IR/Verify/Slots/TurnRings.h"
#include "IR/Verify/Threads/FindPhases.h"
#include "IR/Verify/Threads/Races.h"
#include "IR/Verify/Threads/ThreadCovers.h"
#include "IR/Verify/VerifyContents.h"

#include <stdlib.h>

typedef struct Verification {
  MlirOperation root;
  const BerthVerifyOptions *options;
  BerthCallees callees;
  BerthPhaseTable phases;
  BerthReentry reentry;
  bool hasTransfers;  ///< anywhere
  bool isOrdered;     ///< in the scope at hand the text tells the order
  BerthPieces pieces; ///< of the scope at hand, where they are told apart
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

typedef struct Clobber {
  MlirOperation read;
  MlirOperation write;
} Clobber;

static void reportClobber(Verification *verification, Clobber clobber) {
  MlirOperation read = clobber.read, write = clobber.write;
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

typedef struct Clobbers {
  Clobber *items;
  size_t count, capacity;
} Clobbers;

static void noteClobber(MlirOperation read, MlirOperation write,
                        void *userData) {
  Clobbers *clobbers = userData;
  clobbers->items = berthGrow(clobbers->items, clobbers->count,
                              &clobbers->capacity, sizeof *clobbers->items);
  clobbers->items[clobbers->count++] = (Clobber){read, write};
}

/// True if the op hands values on, or an instance is what is wrong: then what
/// is wrong shows at another op once merged values are told apart.
static bool isOfHanding(const Clobber *clobber) {
  MlirOperation next = mlirOperationGetNextInBlock(clobber->read);
  return berthOpIs(clobber->write, BERTH_OP_VIEW) ||
         mlirOperationIsNull(next) || berthHandsOn(clobber->read);
}

/// The first with this read, or NULL.
static const Clobber *findRead(const Clobbers *clobbers, MlirOperation read) {
  for (size_t i = 0; i < clobbers->count; ++i)
    if (mlirOperationEqual(clobbers->items[i].read, read))
      return &clobbers->items[i];
  return NULL;
}

static bool haveCommonRead(const Clobbers *a, const Clobbers *b) {
  for (size_t i = 0; i < a->count; ++i)
    if (findRead(b, a->items[i].read))
      return true;
  return false;
}

static BerthThreads threadsOf(Verification *verification,
                              const BerthViews *views, MlirOperation scope) {
  return (BerthThreads){views, scope, verification->root, verification->options,
                        &verification->phases};
}

/// What one thread overwrites piece by piece, and all of them.
static BerthCovers coversOf(Verification *verification, const BerthViews *views,
                            MlirOperation scope, const bool *isWanted) {
  MlirRegion body = mlirOperationGetRegion(scope, 0);
  BerthCovers covers = berthCoversOf(views, body, isWanted);
  BerthThreads threads = threadsOf(verification, views, scope);
  berthAddThreadCovers(&threads, &covers);
  return covers;
}

/// One look at the scope; false if it is not the last word.
static bool lookOnce(const Verification *verification, const BerthViews *views,
                     MlirRegion body, const BerthCovers *covers,
                     const BerthTurns *turns, bool *isSpoilt,
                     Clobbers *clobbers) {
  clobbers->count = 0;
  return berthVerifyFlow(views, body, covers, turns, verification->isOrdered,
                         isSpoilt, noteClobber, clobbers);
}

/// Of memory that threads share only what all of them agree on.
static const BerthRoot *findMerges(Verification *verification,
                                   const BerthViews *views, MlirOperation scope,
                                   size_t *count) {
  BerthThreads threads = threadsOf(verification, views, scope);
  BerthThreadCode code;
  BerthSharing sharing = {0};
  bool isShared =
      verification->options->forThreads && berthThreadCodeOf(&threads, &code);
  if (isShared)
    sharing = (BerthSharing){code.isShared, &code.divergence};
  const BerthRoot *merges = berthFindMerges(views, scope, sharing, count);
  if (isShared)
    berthThreadCodeFree(&code);
  return merges;
}

/// Looks again with merged values told apart from the buffers that they may be
/// (Merges.h). Either way of looking finds each op that reads what another
/// buffer overwrote, and more: one that only one of them finds is none.
static bool isRightWithMerges(Verification *verification,
                              const BerthViews *views, MlirOperation scope,
                              const Clobbers *found) {
  size_t numMerges;
  const BerthRoot *merges = findMerges(verification, views, scope, &numMerges);
  if (numMerges == 0)
    return false;
  BerthViews merged = berthViewsOfMerges(
      scope, verification->options, views->callees, views->memory,
      verification->pieces, merges, numMerges);
  berthFindChoices(&merged);
  BerthScopeAccesses accesses = {0};
  berthListAccesses(&accesses, &merged, scope);
  MlirRegion body = mlirOperationGetRegion(scope, 0);
  BerthCovers covers = coversOf(verification, &merged, scope, NULL);
  BerthTurns turns = berthTurnsOf(&merged, body, NULL);
  Clobbers clobbers = {0};
  while (
      !lookOnce(verification, &merged, body, &covers, &turns, NULL, &clobbers))
    ;
  berthCoversFree(&covers);
  berthTurnsFree(&turns);
  bool isRight = !haveCommonRead(found, &clobbers);
  for (size_t i = 0; clobbers.count && i < found->count; ++i)
    isRight &= !isOfHanding(&found->items[i]);
  for (size_t i = 0; i < clobbers.count; ++i)
    isRight &= !isOfHanding(&clobbers.items[i]);
  free(clobbers.items);
  berthScopeAccessesFree(&accesses);
  berthViewsFree(&merged);
  return isRight;
}

/// Looks again, with what ops overwrite together, piece by piece, and what
/// loops have read, of the wanted roots.
static void lookAtTurns(Verification *verification, const BerthViews *views,
                        MlirOperation scope, const bool *isWanted,
                        Clobbers *clobbers) {
  MlirRegion body = mlirOperationGetRegion(scope, 0);
  BerthCovers covers = coversOf(verification, views, scope, isWanted);
  BerthTurns turns = berthTurnsOf(views, body, isWanted);
  lookOnce(verification, views, body, &covers, &turns, NULL, clobbers);
  berthTurnsFree(&turns);
  berthCoversFree(&covers);
}

static BerthViews cutViews(const Verification *verification,
                           const BerthViews *views, MlirOperation scope) {
  BerthViews cut =
      berthViewsOfMerges(scope, verification->options, views->callees,
                         views->memory, verification->pieces, NULL, 0);
  berthFindInstances(&cut);
  berthFindClusterRoots(&cut, scope, verification->options);
  return cut;
}

/// By root, whether an op that is told of reads it.
static bool *rootsRead(const BerthViews *views, const Clobbers *clobbers) {
  bool *isRead = berthAllocateOrDie(views->numRoots, sizeof *isRead);
  BerthRootAccesses accesses = {0};
  for (size_t i = 0; i < clobbers->count; ++i) {
    berthRootAccessesOf(&accesses, views, clobbers->items[i].read, true);
    for (size_t k = 0; k < accesses.count; ++k)
      isRead[accesses.items[k].root] |= accesses.items[k].reads;
  }
  berthRootAccessesFree(&accesses);
  return isRead;
}

/// Looks again with the pieces of buffers told apart. As with merges, what only
/// one way of looking finds is right. The write is of the finer one, since what
/// spoils a buffer need not spoil the piece that is read.
static void lookAtPieces(Verification *verification, const BerthViews *views,
                         MlirOperation scope, Clobbers *clobbers) {
  verification->pieces = berthFindPieces(views);
  if (!verification->pieces.count)
    return;
  BerthViews cut = cutViews(verification, views, scope);
  BerthScopeAccesses accesses = {0};
  berthListAccesses(&accesses, &cut, scope);
  bool *isRead = rootsRead(&cut, clobbers);
  Clobbers again = {0};
  lookAtTurns(verification, &cut, scope, isRead, &again);
  free(isRead);
  size_t count = 0;
  for (size_t i = 0; i < clobbers->count; ++i) {
    const Clobber *same = findRead(&again, clobbers->items[i].read);
    if (same)
      clobbers->items[count++] = *same;
  }
  free(again.items);
  clobbers->count = count;
  berthScopeAccessesFree(&accesses);
  berthViewsFree(&cut);
}

/// True if all is right without turns of loops: what a loop makes good again
/// after it has written over it counts as spoilt behind the loop with them.
/// Then no pieces are needed.
static bool isRightWithCovers(Verification *verification,
                              const BerthViews *views, MlirOperation scope,
                              const bool *isWanted) {
  Clobbers clobbers = {0};
  BerthCovers covers = coversOf(verification, views, scope, isWanted);
  lookOnce(verification, views, mlirOperationGetRegion(scope, 0), &covers, NULL,
           NULL, &clobbers);
  berthCoversFree(&covers);
  free(clobbers.items);
  if (!clobbers.count)
    verification->pieces = (BerthPieces){0};
  return !clobbers.count;
}

/// What still is wrong when looked at closer and closer: each look is dearer,
/// and at those buffers only that the first one finds spoilt. The looks without
/// merges name the writes. In kernels covers by all threads are mostly enough.
static void verifyFlow(Verification *verification, const BerthViews *views,
                       MlirOperation scope) {
  Clobbers clobbers = {0};
  bool asksFirst = berthIsKernel(scope, verification->options);
  bool *isSpoilt = berthAllocateOrDie(views->numRoots, sizeof *isSpoilt);
  lookOnce(verification, views, mlirOperationGetRegion(scope, 0), NULL, NULL,
           isSpoilt, &clobbers);
  if (clobbers.count && asksFirst &&
      isRightWithCovers(verification, views, scope, isSpoilt))
    clobbers.count = 0;
  if (clobbers.count)
    lookAtTurns(verification, views, scope, isSpoilt, &clobbers);
  if (clobbers.count)
    lookAtPieces(verification, views, scope, &clobbers);
  if (clobbers.count && !asksFirst &&
      isRightWithCovers(verification, views, scope, isSpoilt))
    clobbers.count = 0;
  if (clobbers.count &&
      !isRightWithMerges(verification, views, scope, &clobbers))
    for (size_t i = 0; i < clobbers.count; ++i)
      reportClobber(verification, clobbers.items[i]);
  free(clobbers.items);
  free(isSpoilt);
}

/// What is in use beyond its op, with the pieces that the plan needs.
static void verifyLate(Verification *verification, const BerthViews *views,
                       MlirOperation scope) {
  BerthViews cut;
  bool hasPieces = verification->pieces.count > 0;
  if (hasPieces)
    cut = cutViews(verification, views, scope);
  berthVerifyDma(hasPieces ? &cut : views, scope, verification->options,
                 verification->hasTransfers, reportDma, verification);
  if (hasPieces)
    berthViewsFree(&cut);
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

typedef struct Race {
  MlirOperation later;
  MlirOperation earlier;
  const char *why;
} Race;

typedef struct Races {
  Race *items;
  size_t count, capacity;
} Races;

static void noteRace(MlirOperation later, MlirOperation earlier,
                     const char *why, void *userData) {
  Races *races = userData;
  races->items = berthGrow(races->items, races->count, &races->capacity,
                           sizeof *races->items);
  races->items[races->count++] = (Race){later, earlier, why};
}

/// Looks again with merged values told apart from the buffers that they may be.
static bool areNoneByNames(Verification *verification, const BerthViews *views,
                           MlirOperation scope, const Races *races) {
  for (size_t i = 0; i < races->count; ++i)
    if (!berthRaceIsOfNames(races->items[i].why))
      return false;
  size_t numMerges;
  const BerthRoot *merges = findMerges(verification, views, scope, &numMerges);
  if (numMerges == 0)
    return false;
  BerthViews merged =
      berthViewsOfMerges(scope, verification->options, views->callees,
                         views->memory, (BerthPieces){0}, merges, numMerges);
  BerthThreads threads = threadsOf(verification, &merged, scope);
  Races again = {0};
  berthVerifyThreads(&threads, noteRace, &again);
  free(again.items);
  berthViewsFree(&merged);
  return again.count == 0;
}

static void verifyThreads(Verification *verification, const BerthViews *views,
                          MlirOperation scope) {
  BerthThreads threads = threadsOf(verification, views, scope);
  Races races = {0};
  berthVerifyThreads(&threads, noteRace, &races);
  if (races.count && !areNoneByNames(verification, views, scope, &races))
    for (size_t i = 0; i < races.count; ++i)
      reportRace(races.items[i].later, races.items[i].earlier,
                 races.items[i].why, verification);
  free(races.items);
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
  verification->pieces = (BerthPieces){0};
  if (views.numRoots) {
    verifyReturns(verification, scope);
    bool returns = berthOpIsFunction(scope) &&
                   !berthIsKernel(scope, verification->options);
    verification->isOrdered = !berthVerifyMeetings(&views, scope, returns,
                                                   reportMeeting, verification);
    verifyFlow(verification, &views, scope);
    FreeWalk walk = {verification, &views};
    mlirOperationWalk(scope, verifyFreeOp, &walk, MlirWalkPreOrder);
    berthVerifyClaims(&views, scope, reportClaim, verification);
    berthVerifyFrames(&views, scope, verification->options, reportClaim,
                      verification);
    verifyLate(verification, &views, scope);
  }
  if (verification->options->forThreads)
    verifyThreads(verification, &views, scope);
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
