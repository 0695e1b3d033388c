//===- Barriers.c - Packing memory that threads share ---------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In memory that threads share, two buffers whose live ranges are disjoint may
// share bytes only if a barrier separates their accesses (Hazards.h). With
// barriers=existing every pair without one gets a hard edge. With
// barriers=insert only pairs that no barrier can separate get one, and barriers
// are bought for the rest (BarrierCurve.c).
//
//===----------------------------------------------------------------------===//

#include "IR/Barriers/Barriers.h"
#include "IR/Barriers/BarrierCurve.h"
#include "IR/Barriers/OneOfSeveral.h"
#include "IR/Barriers/PackApart.h"
#include "IR/Hazards/WaitGaps.h"
#include "IR/Liveness/Alternatives.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/Rules.h"
#include "IR/Ops/Text.h"
#include "IR/Ops/WholeBarrier.h"
#include "IR/Plan/Clashes.h"
#include "IR/Plan/PackJob.h"
#include "IR/Plan/Problem.h"
#include "IR/Plan/Residency.h"
#include "IR/Scope/Collect.h"
#include "IR/Scope/ScopeKind.h"
#include "IR/Threads/Uniformity.h"

#include <stdlib.h>

static void packExisting(BerthJob *job, const BerthHazards *hazards) {
  BerthJoins joins = berthHazardsJoined(hazards, NULL);
  berthJoinUnordered(job, &joins);
  int64_t capacity = job->options->capacity;
  berthJobTake(job, berthProblemApart(job, joins.areApart, capacity),
               berthPackApart(hazards, &joins, capacity, berthPackJob));
  berthJoinsFree(&joins);
}

static void packHazards(BerthJob *job, const BerthHazards *hazards) {
  if (job->numPlaced && job->barriersMode == BERTH_BARRIERS_INSERT)
    berthPackInserting(hazards);
  else if (job->numPlaced)
    packExisting(job, hazards);
}

//===----------------------------------------------------------------------===//
// Buffers of which a value is one
//===----------------------------------------------------------------------===//

/// What a plan takes.
typedef struct Cost {
  bool fits;
  int64_t bytes;
  size_t barriers;
} Cost;

static Cost costOf(const BerthJob *job) {
  BerthPacked packed = {.status = job->status, .plan = job->plan};
  return (Cost){berthPackedFits(&packed), job->plan.peak,
                job->numBarriers + job->numFences};
}

/// Fewer bytes are worth more barriers as BarrierCurve.h has it.
static bool isBetter(const BerthJob *job, Cost cost, Cost than) {
  if (!cost.fits || !than.fits)
    return cost.fits;
  bool isWanted = job->numSizes ? berthSizesReached(job, cost.bytes) >
                                      berthSizesReached(job, than.bytes)
                                : !job->options->capacity;
  return cost.bytes < than.bytes &&
         (isWanted || cost.barriers <= than.barriers);
}

static void extractAnew(BerthJob *job) {
  job->status = BERTH_SUCCESS;
  berthProblemDestroy(job->problem);
  berthExtractProblem(job);
}

/// Packs again with groups of what names tell apart, and once more without them
/// if that was no better.
static void packGroups(BerthJob *job, const BerthHazards *plain,
                       const BerthHazards *named) {
  bool isInserting = job->barriersMode == BERTH_BARRIERS_INSERT;
  BerthJoins apart =
      berthHazardsJoined(named, isInserting ? named->isCuttable : NULL);
  berthJoinUnordered(job, &apart);
  size_t numLinks = job->scope.numLinks;
  bool isGrouped = berthGroupOneOfSeveral(job, &apart);
  berthJoinsFree(&apart);
  // What the user has grouped may need names, too.
  if (!isGrouped && job->status == BERTH_SUCCESS)
    return;
  Cost before = costOf(job);
  extractAnew(job);
  packHazards(job, named);
  if (isBetter(job, costOf(job), before))
    return;
  berthUngroup(job, numLinks);
  extractAnew(job);
  packHazards(job, plain);
}

/// Each of two threads might be further on, with another of the buffers in
/// mind: so the hazards are found once more, by names.
static void tryAlternatives(BerthJob *job, const BerthHazards *plain) {
  BerthAlternatives alternatives = berthFindAlternatives(job);
  if (!alternatives.count)
    return;
  job->alternatives = &alternatives;
  BerthHazards named = berthHazardsCreate(job);
  berthHazardsSpareWaits(&named);
  packGroups(job, plain, &named);
  berthHazardsFree(&named);
  job->alternatives = NULL;
}

static void packShared(BerthJob *job) {
  BerthHazards hazards = berthFindHazards(job);
  packHazards(job, &hazards);
  if (job->numPlaced &&
      (job->status == BERTH_SUCCESS || job->status == BERTH_INVALID))
    tryAlternatives(job, &hazards);
  berthHazardsFree(&hazards);
  if (job->status == BERTH_INVALID)
    berthCheckPinEdges(job);
}

void berthPackScope(BerthJob *job) {
  if (job->numPlaced == 0)
    return;
  bool isShared = berthScopeIsShared(&job->scope) &&
                  !berthIsBroken(job->options->alias.breakRule, "no-hazards");
  if (isShared && job->barriersMode != BERTH_BARRIERS_NONE)
    packShared(job);
  else
    berthPackGroups(job);
}

//===----------------------------------------------------------------------===//
// Barriers that count for nothing
//===----------------------------------------------------------------------===//

static MlirWalkResult remarkBarrier(MlirOperation op, void *userData) {
  const BerthJob *job = userData;
  MlirOperation because = job->scope.op;
  bool isOurs = berthOpIsWholeBarrier(op) &&
                mlirOperationEqual(berthEnclosingScope(op), job->scope.op);
  if (!isOurs || (job->scope.arrival != BERTH_ARRIVAL_DIVERGENT &&
                  berthControlIsUniform(&job->scope, op, &because)))
    return MlirWalkResultAdvance;
  BerthText text = {0};
  berthTextAppend(&text, "counts for nothing: not all threads of the workgroup "
                         "provably reach this barrier together");
  berthTextAppendWhere(&text, because, job->scope.op);
  berthEmitRemark(op, BERTH_REMARK_MISSED, "berth-arena", text.data);
  berthTextFree(&text);
  return MlirWalkResultAdvance;
}

void berthRemarkBarriers(const BerthJob *job) {
  if (job->numPlaced && job->scope.uniformity)
    mlirOperationWalk(job->scope.op, remarkBarrier, (void *)job,
                      MlirWalkPreOrder);
}
