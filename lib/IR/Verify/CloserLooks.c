//===- CloserLooks.c - What still is wrong when looked at closer ----------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/CloserLooks.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Verify/Roots/ClusterRoots.h"
#include "IR/Verify/Roots/Instances.h"
#include "IR/Verify/Roots/Merges.h"
#include "IR/Verify/Roots/Pieces.h"
#include "IR/Verify/Runs/Arrival.h"
#include "IR/Verify/Threads/ThreadCovers.h"

#include <stdlib.h>

/// The same scope, its buffers told apart in another way.
static BerthThreads seenAs(const BerthThreads *threads,
                           const BerthViews *views) {
  BerthThreads other = *threads;
  other.views = views;
  return other;
}

static MlirRegion bodyOf(const BerthThreads *threads) {
  return mlirOperationGetRegion(threads->scope, 0);
}

/// Of memory that threads share only what all of them agree on.
static const BerthRoot *findMerges(const BerthThreads *threads, size_t *count) {
  BerthThreadCode code;
  BerthSharing sharing = {0};
  bool isShared =
      threads->options->forThreads && berthThreadCodeOf(threads, &code);
  if (isShared)
    sharing = (BerthSharing){code.isShared, &code.divergence};
  const BerthRoot *merges =
      berthFindMerges(threads->views, threads->scope, sharing, count);
  if (isShared)
    berthThreadCodeFree(&code);
  return merges;
}

static BerthViews viewsOfMerges(const BerthThreads *threads, BerthPieces pieces,
                                const BerthRoot *merges, size_t numMerges) {
  return berthViewsOfMerges(threads->scope, threads->options,
                            threads->views->callees, threads->views->memory,
                            pieces, merges, numMerges);
}

//===----------------------------------------------------------------------===//
// Content
//===----------------------------------------------------------------------===//

typedef struct Clobber {
  MlirOperation read;
  MlirOperation write;
} Clobber;

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

/// What one thread overwrites piece by piece, and all of them.
static BerthCovers coversOf(const BerthThreads *threads, const bool *isWanted) {
  BerthCovers covers = berthCoversOf(threads->views, bodyOf(threads), isWanted);
  berthAddThreadCovers(threads, &covers);
  return covers;
}

/// One look at the scope; false if it is not the last word.
static bool lookOnce(const BerthThreads *threads, bool isOrdered,
                     const BerthCovers *covers, const BerthTurns *turns,
                     bool *isSpoilt, Clobbers *clobbers) {
  clobbers->count = 0;
  return berthVerifyFlow(threads->views, bodyOf(threads), covers, turns,
                         isOrdered, isSpoilt, noteClobber, clobbers);
}

/// Looks again with merged values told apart from the buffers that they may be
/// (Merges.h). Either way of looking finds each op that reads what another
/// buffer overwrote, and more: one that only one of them finds is none.
static bool isRightWithMerges(const BerthLooks *looks, const Clobbers *found) {
  size_t numMerges;
  const BerthRoot *merges = findMerges(&looks->threads, &numMerges);
  if (numMerges == 0)
    return false;
  BerthViews merged =
      viewsOfMerges(&looks->threads, looks->pieces, merges, numMerges);
  berthFindChoices(&merged);
  BerthThreads threads = seenAs(&looks->threads, &merged);
  BerthScopeAccesses accesses = {0};
  berthListAccesses(&accesses, &merged, threads.scope);
  BerthCovers covers = coversOf(&threads, NULL);
  BerthTurns turns = berthTurnsOf(&merged, bodyOf(&threads), NULL);
  Clobbers clobbers = {0};
  while (
      !lookOnce(&threads, looks->isOrdered, &covers, &turns, NULL, &clobbers))
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
static void lookAtTurns(const BerthThreads *threads, bool isOrdered,
                        const bool *isWanted, Clobbers *clobbers) {
  BerthCovers covers = coversOf(threads, isWanted);
  BerthTurns turns = berthTurnsOf(threads->views, bodyOf(threads), isWanted);
  lookOnce(threads, isOrdered, &covers, &turns, NULL, clobbers);
  berthTurnsFree(&turns);
  berthCoversFree(&covers);
}

BerthViews berthCutViews(const BerthLooks *looks) {
  BerthViews cut = viewsOfMerges(&looks->threads, looks->pieces, NULL, 0);
  berthFindInstances(&cut);
  berthFindClusterRoots(&cut, looks->threads.scope, looks->threads.options);
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
static void lookAtPieces(BerthLooks *looks, Clobbers *clobbers) {
  looks->pieces = berthFindPieces(looks->threads.views);
  if (!looks->pieces.count)
    return;
  BerthViews cut = berthCutViews(looks);
  BerthThreads threads = seenAs(&looks->threads, &cut);
  BerthScopeAccesses accesses = {0};
  berthListAccesses(&accesses, &cut, threads.scope);
  bool *isRead = rootsRead(&cut, clobbers);
  Clobbers again = {0};
  lookAtTurns(&threads, looks->isOrdered, isRead, &again);
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
static bool isRightWithCovers(BerthLooks *looks, const bool *isWanted) {
  Clobbers clobbers = {0};
  BerthCovers covers = coversOf(&looks->threads, isWanted);
  lookOnce(&looks->threads, looks->isOrdered, &covers, NULL, NULL, &clobbers);
  berthCoversFree(&covers);
  free(clobbers.items);
  if (!clobbers.count)
    looks->pieces = (BerthPieces){0};
  return !clobbers.count;
}

/// The closer looks are at those buffers only that the first one finds spoilt.
/// The looks without merges name the writes. In kernels covers by all threads
/// are mostly enough.
void berthFindClobbers(BerthLooks *looks, BerthClobberCallback callback,
                       void *userData) {
  const BerthThreads *threads = &looks->threads;
  Clobbers clobbers = {0};
  bool asksFirst = berthIsKernel(threads->scope, threads->options);
  bool *isSpoilt =
      berthAllocateOrDie(threads->views->numRoots, sizeof *isSpoilt);
  lookOnce(threads, looks->isOrdered, NULL, NULL, isSpoilt, &clobbers);
  if (clobbers.count && asksFirst && isRightWithCovers(looks, isSpoilt))
    clobbers.count = 0;
  if (clobbers.count)
    lookAtTurns(threads, looks->isOrdered, isSpoilt, &clobbers);
  if (clobbers.count)
    lookAtPieces(looks, &clobbers);
  if (clobbers.count && !asksFirst && isRightWithCovers(looks, isSpoilt))
    clobbers.count = 0;
  if (clobbers.count && !isRightWithMerges(looks, &clobbers))
    for (size_t i = 0; i < clobbers.count; ++i)
      callback(clobbers.items[i].read, clobbers.items[i].write, userData);
  free(clobbers.items);
  free(isSpoilt);
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
static bool areNoneByNames(const BerthThreads *threads, const Races *races) {
  for (size_t i = 0; i < races->count; ++i)
    if (!berthRaceIsOfNames(races->items[i].why))
      return false;
  size_t numMerges;
  const BerthRoot *merges = findMerges(threads, &numMerges);
  if (numMerges == 0)
    return false;
  BerthViews merged =
      viewsOfMerges(threads, (BerthPieces){0}, merges, numMerges);
  BerthThreads named = seenAs(threads, &merged);
  Races again = {0};
  berthVerifyThreads(&named, noteRace, &again);
  free(again.items);
  berthViewsFree(&merged);
  return again.count == 0;
}

void berthFindRaces(const BerthThreads *threads, BerthRaceCallback callback,
                    void *userData) {
  Races races = {0};
  berthVerifyThreads(threads, noteRace, &races);
  if (races.count && !areNoneByNames(threads, &races))
    for (size_t i = 0; i < races.count; ++i)
      callback(races.items[i].later, races.items[i].earlier, races.items[i].why,
               userData);
  free(races.items);
}
