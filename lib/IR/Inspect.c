//===- Inspect.c - The print passes, in C ---------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Inspect.h"
#include "IR/Aliases.h"
#include "IR/Collect.h"
#include "IR/Liveness.h"
#include "IR/Print.h"

#include <stdio.h>
#include <string.h>

typedef struct Inspection {
  const BerthInspectOptions *options;
  BerthAliasOptions aliasOptions;
  BerthStatus status;
  BerthError error;
} Inspection;

static void inspectScope(MlirOperation op, void *userData) {
  Inspection *inspection = userData;
  if (inspection->status != BERTH_SUCCESS)
    return;
  BerthArena memory = {0};
  BerthCollectOptions collect = {inspection->options->space, 0};
  BerthScope scope;
  inspection->status =
      berthScopeCollect(op, &collect, &memory, &scope, &inspection->error);
  if (inspection->status == BERTH_SUCCESS) {
    BerthPoints points = berthPointsCreate(scope.body, &memory);
    berthScopeFindAliases(&scope, &points, &inspection->aliasOptions);
    berthScopeComputeLiveness(&scope, &points,
                              inspection->aliasOptions.breakRule);
    BerthText text = {0};
    if (inspection->options->what == BERTH_INSPECT_LIVENESS)
      berthPrintLiveness(&text, &scope, &points);
    else
      berthPrintInterference(&text, &scope, &points);
    fwrite(text.data, 1, text.length, stderr);
    berthTextFree(&text);
    berthPointsFree(&points);
  }
  berthArenaFree(&memory);
}

BerthStatus berthInspect(MlirOperation root,
                         const BerthInspectOptions *options) {
  Inspection inspection = {.options = options};
  if (options->breakRule && *options->breakRule)
    inspection.aliasOptions.breakRule = options->breakRule;
  if (berthParseUnknownOps(options->unknownOps,
                           &inspection.aliasOptions.unknownOps,
                           &inspection.error) != BERTH_SUCCESS)
    inspection.status = BERTH_INVALID;
  berthForEachScope(root, inspectScope, &inspection);
  if (inspection.status != BERTH_SUCCESS)
    mlirEmitError(mlirOperationGetLocation(root), inspection.error.message);
  return inspection.status;
}
