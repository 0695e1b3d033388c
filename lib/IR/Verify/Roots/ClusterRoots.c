//===- ClusterRoots.c - Buffers that a whole cluster reaches --------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Roots/ClusterRoots.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/WholeBarrier.h"
#include "IR/Verify/Roots/LateUses.h"
#include "IR/Verify/Roots/Scopes.h"
#include "IR/Verify/Runs/Arrival.h"
#include "IR/Verify/Runs/Control.h"
#include "IR/Verify/Runs/Uniform.h"

typedef struct Walk {
  BerthViews *views;
  MlirOperation scope;
  const BerthDivergence *divergence;
  const BerthVerifyOptions *options;
  bool hasMaps;
  bool mayMiss; ///< some workgroup a wait, or there are waits that nobody sees
} Walk;

static MlirWalkResult findMaps(MlirOperation op, void *userData) {
  Walk *walk = userData;
  walk->hasMaps |= berthOpIs(op, BERTH_OP_CLUSTER_MAP);
  return walk->hasMaps ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

/// True if it is known of the op whether it waits for the cluster.
static bool tellsOfWaits(MlirOperation op) {
  MlirOperation callee;
  MlirValue id;
  BerthEffects effects;
  static const BerthOpKind known[] = {
      BERTH_OP_CLUSTER_MAP, BERTH_OP_CLUSTER_ARRIVE, BERTH_OP_CLUSTER_WAIT};
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
    if (berthOpIs(op, known[i]))
      return true;
  if (berthOpGetCallee(op, &callee) || berthOpLetsEscape(op))
    return false;
  return berthRunsInSteps(op) || berthOpIsWholeBarrier(op) ||
         berthOpIsPartOfBarrier(op, &id) || berthOpNeverWaits(op) ||
         berthOpIsReturn(op) ||
         berthOpSumEffects(op, (MlirValue){NULL}, &effects);
}

static MlirWalkResult visitWait(MlirOperation op, void *userData) {
  Walk *walk = userData;
  if (mlirOperationEqual(op, walk->scope))
    return MlirWalkResultAdvance;
  walk->mayMiss |=
      !tellsOfWaits(op) || (berthOpIs(op, BERTH_OP_CLUSTER_WAIT) &&
                            berthControlDiverges(walk->divergence, op));
  return walk->mayMiss ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

/// True if the op's uses of its operand are over when the op is, and all who
/// get the address from it are its results, or who it hands values to in the
/// order of the program.
static bool endsThere(const BerthViews *views, MlirOperation op,
                      intptr_t operand) {
  BerthEffects effects;
  if (berthOpIs(op, BERTH_OP_CLUSTER_MAP) ||
      !mlirValueIsNull(berthViewGetSource(op)) || berthRunsInSteps(op))
    return true;
  return berthLateUseOf(views, op, operand) == BERTH_LATE_NONE &&
         !berthOpIsOtherProxy(op) && !berthOpIsAsyncProxy(op) &&
         !berthOpIsTransfer(op) && !berthOpStartsAnyAsync(op) &&
         !berthOpGoesOn(op, false) &&
         (berthOpSumEffects(op, (MlirValue){NULL}, &effects) ||
          berthOpIsReturn(op));
}

/// True if all workgroups of the cluster make the buffer alike.
static bool isMadeByAll(const BerthRoot *root, const Walk *walk) {
  return !root->isBase && !root->isShifted &&
         root->instanceOf == BERTH_NO_ROOT &&
         !mlirOperationIsNull(root->view) &&
         !berthControlDiverges(walk->divergence, root->view) &&
         berthIsSharedByThreads(mlirValueGetType(root->arena), walk->scope,
                                walk->options);
}

static MlirWalkResult visitMap(MlirOperation op, void *userData) {
  const Walk *walk = userData;
  const BerthRootSet *set =
      berthOpIs(op, BERTH_OP_CLUSTER_MAP)
          ? berthViewsFind(walk->views, mlirOperationGetOperand(op, 0))
          : NULL;
  for (size_t k = 0; set && k < set->count; ++k) {
    BerthRoot *root = &walk->views->roots[set->ids[k]];
    root->isOfCluster = isMadeByAll(root, walk);
  }
  return MlirWalkResultAdvance;
}

static MlirWalkResult visitUses(MlirOperation op, void *userData) {
  const BerthViews *views = ((Walk *)userData)->views;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    const BerthRootSet *set =
        berthViewsFind(views, mlirOperationGetOperand(op, i));
    bool ends = !set || endsThere(views, op, i);
    for (size_t k = 0; !ends && k < set->count; ++k)
      views->roots[set->ids[k]].isOfCluster = false;
  }
  return MlirWalkResultAdvance;
}

void berthFindClusterRoots(BerthViews *views, MlirOperation scope,
                           const BerthVerifyOptions *options) {
  Walk walk = {.views = views, .scope = scope, .options = options};
  if (!options->forThreads || !views->numRoots ||
      !berthIsKernel(scope, options))
    return;
  mlirOperationWalk(scope, findMaps, &walk, MlirWalkPreOrder);
  if (!walk.hasMaps)
    return;
  BerthMemory memory = {0};
  BerthDivergence divergence = berthFindClusterDivergence(
      scope, berthArgumentsAgree(scope, options), &memory);
  walk.divergence = &divergence;
  mlirOperationWalk(scope, visitWait, &walk, MlirWalkPreOrder);
  if (!walk.mayMiss) {
    mlirOperationWalk(scope, visitMap, &walk, MlirWalkPreOrder);
    mlirOperationWalk(scope, visitUses, &walk, MlirWalkPreOrder);
  }
  berthDivergenceFree(&divergence);
  berthMemoryFree(&memory);
}
