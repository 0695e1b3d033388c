//===- Pending.c - What an op may still use behind itself -----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Dma/Pending.h"
#include "IR/Ops/OrDie.h"
#include "IR/Verify/Roots/Scopes.h"

#include <stdlib.h>

static void addRoot(BerthLateUse *late, uint32_t root) {
  for (size_t i = 0; i < late->count; ++i)
    if (late->roots[i] == root)
      return;
  late->roots =
      berthGrow(late->roots, late->count, &late->capacity, sizeof *late->roots);
  late->roots[late->count++] = root;
}

BerthLateUse berthPendingUse(const BerthViews *views, MlirOperation op) {
  BerthLateUse late = {.op = op, .kind = BERTH_LATE_WORK, .isPending = true};
  BerthRootAccesses accesses = {0};
  berthRootAccessesOf(&accesses, views, op, false);
  for (size_t i = 0; i < accesses.count; ++i)
    if (accesses.items[i].reads || accesses.items[i].writes)
      addRoot(&late, accesses.items[i].root);
  berthRootAccessesFree(&accesses);
  return late;
}

BerthLateUse berthGroupedUse(const BerthViews *views, MlirOperation op,
                             MlirOperation scope,
                             const BerthVerifyOptions *options,
                             bool isEndless) {
  BerthLateUse late = {
      .op = op, .kind = BERTH_LATE_WORK, .isEndless = isEndless};
  if (!berthOpHasToDoWithAsync(op))
    late.async = BERTH_ASYNC_WORK;
  while (late.async < BERTH_ASYNC_WORK && !berthOpStartsAsync(op, late.async))
    ++late.async;
  late.isGrouped = late.async < BERTH_ASYNC_WORK;
  if (!late.isGrouped && !isEndless)
    return late;
  BerthRootAccesses accesses = {0};
  berthRootAccessesOf(&accesses, views, op, false);
  for (size_t i = 0; i < accesses.count; ++i) {
    const BerthRootAccess *access = &accesses.items[i];
    if ((access->reads || access->writes) &&
        !berthIsSharedByThreads(
            mlirValueGetType(views->roots[access->root].arena), scope, options))
      addRoot(&late, access->root);
  }
  berthRootAccessesFree(&accesses);
  return late;
}

/// Adds what one op gives away, or all that it is given.
static void addGiven(BerthLateUse *late, const BerthViews *views,
                     MlirOperation op, bool isWork) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    const BerthRootSet *set =
        berthViewsFind(views, mlirOperationGetOperand(op, i));
    BerthLateKind kind = set ? berthLateUseOf(views, op, i) : BERTH_LATE_NONE;
    if (mlirOperationEqual(op, late->op) && kind > late->kind)
      late->kind = kind;
    bool isMapped = berthOpIs(op, BERTH_OP_CLUSTER_MAP);
    for (size_t k = 0; (kind || isWork) && set && k < set->count; ++k)
      if (!isMapped || !views->roots[set->ids[k]].isOfCluster)
        addRoot(late, set->ids[k]);
  }
}

typedef struct GivenWalk {
  const BerthViews *views;
  BerthLateUse *late;
} GivenWalk;

static MlirWalkResult addNested(MlirOperation op, void *userData) {
  const GivenWalk *walk = userData;
  addGiven(walk->late, walk->views, op, true);
  return MlirWalkResultAdvance;
}

BerthLateUse berthGivenUse(const BerthViews *views, MlirOperation op,
                           bool unknownEnds) {
  bool isWork = berthOpGoesOn(op, unknownEnds);
  BerthLateUse late = {.op = op,
                       .kind = isWork ? BERTH_LATE_WORK : BERTH_LATE_NONE};
  GivenWalk walk = {views, &late};
  if (isWork)
    mlirOperationWalk(op, addNested, &walk, MlirWalkPreOrder);
  else
    addGiven(&late, views, op, false);
  return late;
}
