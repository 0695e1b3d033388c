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
#include "IR/Barriers/PackApart.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/Rules.h"
#include "IR/Ops/Text.h"
#include "IR/Ops/WholeBarrier.h"
#include "IR/Plan/Clashes.h"
#include "IR/Plan/PackJob.h"
#include "IR/Scope/Collect.h"
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

static void packShared(BerthJob *job) {
  BerthHazards hazards = berthFindHazards(job);
  if (job->numPlaced && job->barriersMode == BERTH_BARRIERS_INSERT)
    berthPackInserting(&hazards);
  else if (job->numPlaced)
    packExisting(job, &hazards);
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
  if (!mlirOperationEqual(because, job->scope.op)) {
    berthTextAppend(&text, " (");
    berthTextAppendOp(&text, because);
    berthTextAppend(&text, ")");
  }
  berthEmitRemark(op, BERTH_REMARK_MISSED, "berth-arena", text.data);
  berthTextFree(&text);
  return MlirWalkResultAdvance;
}

void berthRemarkBarriers(const BerthJob *job) {
  if (job->numPlaced && job->scope.uniformity)
    mlirOperationWalk(job->scope.op, remarkBarrier, (void *)job,
                      MlirWalkPreOrder);
}
