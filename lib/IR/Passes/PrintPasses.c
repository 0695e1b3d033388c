//===- PrintPasses.c - The print passes, in C -----------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Passes/PrintPasses.h"
#include "IR/Cores/CoreHold.h"
#include "IR/Liveness/AsyncHold.h"
#include "IR/Liveness/ClusterHold.h"
#include "IR/Liveness/Cover.h"
#include "IR/Liveness/Liveness.h"
#include "IR/Liveness/Print.h"
#include "IR/Liveness/ThreadCover.h"
#include "IR/Ops/Recursion.h"
#include "IR/Ops/Rules.h"
#include "IR/Scope/ScopeKind.h"
#include "IR/Threads/Arrival.h"
#include "IR/Threads/Uniformity.h"

#include <stdio.h>

typedef struct Inspection {
  MlirOperation root;
  BerthInspection what;
  const BerthInspectOptions *options;
} Inspection;

/// In one write, so that scopes analysed in parallel do not mix.
static void printScope(BerthInspection what, const BerthScope *scope,
                       const BerthPoints *points) {
  BerthText text = {0};
  if (what == BERTH_INSPECT_LIVENESS)
    berthPrintLiveness(&text, scope, points);
  else
    berthPrintInterference(&text, scope, points);
  fwrite(text.data, 1, text.length, stderr);
  berthTextFree(&text);
}

static void inspectScope(MlirOperation op, void *userData) {
  const Inspection *inspection = userData;
  const BerthInspectOptions *options = inspection->options;
  BerthMemory memory = {0};
  BerthScope scope = berthScopeCollect(op, &options->collect, &memory);
  BerthPoints points = berthPointsCreate(scope.body, &memory);
  BerthAliasOptions alias = options->alias;
  alias.root = inspection->root;
  alias.followsTransfers = true;
  if (berthScopeIsShared(&scope))
    scope.arrival = berthScopeArrival(op, &options->collect, inspection->root);
  berthScopeFindAliases(&scope, &points, &alias);
  berthFindCovers(&scope, &points, &alias);
  berthFindThreadCovers(&scope, &points, &alias, NULL, 0);
  berthScopeComputeLiveness(&scope, &points, options->alias.breakRule);
  berthScopeHoldAsync(&scope, &points, options->alias.breakRule);
  berthScopeHoldCores(&scope, &points, inspection->root,
                      options->alias.breakRule);
  berthScopeHoldClusters(&scope, &points, true, options->alias.breakRule);
  if (!options->isSilent)
    printScope(inspection->what, &scope, &points);
  berthScopeFreeUniformity(&scope);
  berthPointsFree(&points);
  berthMemoryFree(&memory);
}

void berthInspect(MlirOperation root, BerthInspection what,
                  const BerthInspectOptions *options) {
  BerthInspectOptions own = *options;
  BerthNamedFunctions named = {0};
  own.alias.named = &named;
  own.collect.iterations =
      !berthIsBroken(options->alias.breakRule, "shared-iterations");
  BerthPointerMap threadFunctions =
      berthFindThreadFunctions(root, &own.collect);
  if (!berthIsBroken(options->alias.breakRule, "no-thread-numbers"))
    own.collect.threadFunctions = &threadFunctions;
  Inspection inspection = {root, what, &own};
  berthForEachScope(root, &own.collect, inspectScope, &inspection);
  berthNamedFunctionsFree(&named);
  berthPointerMapFree(&threadFunctions);
}

BerthStatus berthInspectOptionsParse(MlirContext context, const char *space,
                                     const char *unknownOps,
                                     const char *breakRule,
                                     BerthInspectOptions *options,
                                     BerthError *error) {
  *options = (BerthInspectOptions){0};
  if (breakRule && *breakRule)
    options->alias.breakRule = breakRule;
  if (options->alias.breakRule && !berthIsRule(breakRule))
    return berthErrorSet(error, BERTH_INVALID,
                         "test-break-rule: there is no rule '%s'", breakRule);
  BerthStatus status =
      berthParseSpace(context, space, &options->collect, error);
  if (status != BERTH_SUCCESS)
    return status;
  return berthParseUnknownOps(unknownOps, &options->alias.unknownOps, error);
}
