//===- ScopeFits.c - Can a scope be planned as it is? ---------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Passes/ScopeFits.h"
#include "IR/Barriers/Barriers.h"
#include "IR/Liveness/Alternatives.h"
#include "IR/Liveness/InPlace.h"
#include "IR/Ops/OpTable.h"
#include "IR/Plan/Capacity.h"
#include "IR/Plan/Constraints.h"
#include "IR/Plan/Problem.h"

bool berthScopeFits(BerthJob *job) {
  job->isOnlyAsked = true;
  berthReadConstraints(job);
  berthGroupInPlace(job);
  berthGroupAlternatives(job);
  berthExtractProblem(job);
  if (job->status == BERTH_SUCCESS)
    berthCheckConstraints(job);
  if (job->status == BERTH_SUCCESS)
    berthPackScope(job);
  return job->status == BERTH_SUCCESS && berthPlanFits(job);
}

const char *berthScopeWhyUnordered(const BerthScope *scope) {
  if (scope->isIteration)
    return "iterations run at the same time";
  if (scope->kind != BERTH_SCOPE_FUNCTION || scope->isAmongThreads ||
      berthScopeIsShared(scope))
    return "many threads run it";
  if (scope->hasCores || berthHasConcurrentUnits())
    return "units, cores, barriers or pending work are told of";
  return NULL;
}
