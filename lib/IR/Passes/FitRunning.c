//===- FitRunning.c - A run of berth-fit ----------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Passes/FitRunning.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Attributes.h"
#include "IR/Plan/Analyze.h"
#include "IR/Rewrite/GlobalChecks.h"
#include "IR/Scope/ScopeKind.h"

void berthFitStartJob(BerthJob *job, BerthFitRunning *run,
                      const BerthArenaOptions *options, MlirOperation op) {
  job->options = options;
  job->root = run->root;
  job->backup = &run->backup;
  job->reruns = &run->reruns;
  berthAnalyzeScope(job, op);
}

void berthFitStartLevel(BerthFitRunning *run, const BerthFitLevel *level,
                        BerthFitStarted *started) {
  BerthFitLevel *own = &started->own;
  *started = (BerthFitStarted){.own = *level};
  own->fast.alias.root = run->root;
  own->fast.alias.named = &started->named;
  own->fast.alias.followsTransfers = true;
  own->fast.keepsArenas = own->fast.dropUnread = true;
  own->fast.collect.iterations = own->slow.iterations = true;
  started->threadFunctions =
      berthFindThreadFunctions(run->root, &own->fast.collect);
  own->fast.collect.threadFunctions = &started->threadFunctions;
  own->slow.threadFunctions = &started->threadFunctions;
}

void berthFitEndLevel(BerthFitStarted *level) {
  berthNamedFunctionsFree(&level->named);
  berthPointerMapFree(&level->threadFunctions);
}

const void *berthFitNameOf(MlirOperation op) {
  while (!mlirOperationIsNull(op) && !berthOpIsFunction(op))
    op = mlirOperationGetParentOperation(op);
  return mlirOperationIsNull(op) ? NULL : berthAttributeOf(op, "sym_name").ptr;
}
