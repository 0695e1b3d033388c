//===- Launches.c - Kernels with all who launch them ----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Expand/Launches.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/EqualValues.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Rules.h"
#include "IR/Scope/Collect.h"
#include "IR/Scope/ScopeKind.h"

#include <stdlib.h>

typedef struct Search {
  MlirOperation module;
  BerthLaunchedList list;
  const char *breakRule;
} Search;

static MlirAttribute nameOf(MlirOperation op) {
  return berthAttributeOf(op, "sym_name");
}

static MlirOperation moduleAround(MlirOperation op) {
  do
    op = mlirOperationGetParentOperation(op);
  while (!mlirOperationIsNull(op) && !berthOpIs(op, BERTH_OP_GPU_MODULE) &&
         !berthOpIs(op, BERTH_OP_MODULE));
  return op;
}

static void addLaunch(BerthLaunched *launched, MlirOperation launch) {
  launched->launches =
      berthGrow(launched->launches, launched->numLaunches, &launched->capacity,
                sizeof *launched->launches);
  launched->launches[launched->numLaunches++] = launch;
}

static MlirWalkResult findKernel(MlirOperation op, void *userData) {
  Search *search = userData;
  BerthCollectOptions options = {0};
  bool isLaunch = berthOpIs(op, BERTH_OP_LAUNCH);
  bool isKernel = berthOpIs(op, BERTH_OP_GPU_FUNCTION) &&
                  berthScopeOf(op, &options).kind == BERTH_SCOPE_KERNEL;
  if (!isLaunch && !isKernel)
    return MlirWalkResultAdvance;
  BerthLaunchedList *list = &search->list;
  list->items =
      berthGrow(list->items, list->count, &list->capacity, sizeof *list->items);
  BerthLaunched *launched = &list->items[list->count++];
  *launched = (BerthLaunched){.kernel = op, .obstacleAt = op};
  if (isLaunch)
    addLaunch(launched, op);
  return MlirWalkResultAdvance;
}

//===----------------------------------------------------------------------===//
// Who launches
//===----------------------------------------------------------------------===//

static void refuse(BerthLaunched *launched, const char *obstacle,
                   MlirOperation at) {
  if (launched->obstacle)
    return;
  launched->obstacle = obstacle;
  launched->obstacleAt = at;
}

/// True if a gpu.launch_func names the kernel and its module: by the leaf and
/// the root of the symbol.
static bool launches(MlirOperation op, const BerthLaunched *launched) {
  if (!berthOpIs(launched->kernel, BERTH_OP_GPU_FUNCTION))
    return false;
  MlirAttribute kernel = berthAttributeOf(op, "kernel");
  MlirOperation module = mlirOperationGetParentOperation(launched->kernel);
  return mlirStringRefEqual(mlirSymbolRefAttrGetLeafReference(kernel),
                            mlirStringAttrGetValue(nameOf(launched->kernel))) &&
         mlirStringRefEqual(mlirSymbolRefAttrGetRootReference(kernel),
                            mlirStringAttrGetValue(nameOf(module)));
}

/// An op that names kernels in any other way than to launch them.
typedef struct NameSearch {
  Search *search;
  MlirOperation op;
} NameSearch;

static const char namedElsewhere[] =
    "its name is used by an op that is no launch in this module";

static void refuseNamed(MlirAttribute name, void *userData) {
  NameSearch *names = userData;
  BerthLaunchedList *list = &names->search->list;
  for (size_t i = 0; i < list->count; ++i)
    if (berthOpIs(list->items[i].kernel, BERTH_OP_GPU_FUNCTION) &&
        mlirAttributeEqual(name, nameOf(list->items[i].kernel)))
      refuse(&list->items[i], namedElsewhere, names->op);
}

static MlirWalkResult findLaunch(MlirOperation op, void *userData) {
  Search *search = userData;
  NameSearch names = {search, op};
  if (!berthOpIs(op, BERTH_OP_LAUNCH_FUNCTION)) {
    berthOpForEachName(op, refuseNamed, &names);
    return MlirWalkResultAdvance;
  }
  bool isNear = mlirOperationEqual(moduleAround(op), search->module);
  for (size_t i = 0; i < search->list.count; ++i) {
    BerthLaunched *launched = &search->list.items[i];
    if (!launches(op, launched))
      continue;
    if (isNear)
      addLaunch(launched, op);
    else
      refuse(launched, namedElsewhere, op);
  }
  return MlirWalkResultAdvance;
}

//===----------------------------------------------------------------------===//
// How
//===----------------------------------------------------------------------===//

static void checkLaunch(Search *search, BerthLaunched *launched,
                        MlirOperation launch) {
  BerthLaunchForm form = berthLaunchGetForm(launch);
  MlirOperation scope = berthEnclosingScope(launch);
  bool isOnHost = !mlirOperationIsNull(scope) &&
                  berthOpIs(scope, BERTH_OP_FUNCTION) &&
                  berthOpIs(moduleAround(scope), BERTH_OP_MODULE);
  if (form.hasClusters)
    refuse(launched, "it is launched in clusters", launch);
  if (form.hasStream && !berthIsBroken(search->breakRule, "any-stream"))
    refuse(launched,
           "it is launched on a stream, and nothing tells when it has ended",
           launch);
  if (!isOnHost)
    refuse(launched, "it is launched by something else than a func.func",
           launch);
  if (berthIndexMax(launch) != INT64_MAX)
    refuse(launched, "an index has less than 64 bits there", launch);
}

static void findExtents(BerthLaunched *launched) {
  for (int k = 0; k < BERTH_NUM_EXTENTS; ++k)
    for (size_t i = 0; i < launched->numLaunches; ++i) {
      int64_t number;
      bool isKnown =
          berthValueIsConstant(berthLaunchGetExtent(launched->launches[i], k),
                               &number) &&
          number > 0;
      if (!isKnown || (i && launched->extents[k] != number))
        number = -1;
      launched->extents[k] = number;
      if (number < 0)
        break;
    }
}

static void check(Search *search, BerthLaunched *launched) {
  if (launched->numLaunches == 0)
    refuse(launched,
           "no gpu.launch_func of the module launches it: whoever does brings "
           "no memory",
           launched->kernel);
  bool isNested =
      berthOpIs(launched->kernel, BERTH_OP_GPU_FUNCTION) &&
      !mlirOperationEqual(
          moduleAround(mlirOperationGetParentOperation(launched->kernel)),
          search->module);
  if (isNested)
    refuse(launched, "its gpu.module stands in a module of its own",
           launched->kernel);
  if (berthIndexMax(launched->kernel) != INT64_MAX)
    refuse(launched, "an index has less than 64 bits there", launched->kernel);
  for (size_t i = 0; i < launched->numLaunches; ++i)
    checkLaunch(search, launched, launched->launches[i]);
  findExtents(launched);
}

BerthLaunchedList berthFindLaunched(MlirOperation module,
                                    const char *breakRule) {
  Search search = {.module = module, .breakRule = breakRule};
  mlirOperationWalk(module, findKernel, &search, MlirWalkPreOrder);
  if (search.list.count)
    mlirOperationWalk(module, findLaunch, &search, MlirWalkPreOrder);
  for (size_t i = 0; i < search.list.count; ++i)
    check(&search, &search.list.items[i]);
  return search.list;
}

void berthLaunchedListFree(BerthLaunchedList *list) {
  for (size_t i = 0; i < list->count; ++i)
    free(list->items[i].launches);
  free(list->items);
}
