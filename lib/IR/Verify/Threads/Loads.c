//===- Loads.c - What shows that a TMA load has ended ---------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Threads/Loads.h"
#include "IR/Ops/OrDie.h"

typedef struct LoadWalk {
  const BerthViews *views;
  BerthRootLoads *loads;
} LoadWalk;

static MlirWalkResult noteLoad(MlirOperation op, void *userData) {
  const LoadWalk *walk = userData;
  if (!berthOpStartsAsync(op, BERTH_ASYNC_LOAD))
    return MlirWalkResultAdvance;
  const BerthRootSet *set =
      berthViewsFind(walk->views, mlirOperationGetOperand(op, 0));
  for (size_t i = 0; set && i < set->count; ++i) {
    BerthRootLoads *loads = &walk->loads[set->ids[i]];
    if (mlirOperationIsNull(loads->first))
      loads->first = op;
    loads->leaveBytes |= set->count > 1 || !set->isWhole;
    loads->differ |= !berthMBarriersEqual(berthLoadGetMBarrier(loads->first),
                                          berthLoadGetMBarrier(op));
  }
  return MlirWalkResultAdvance;
}

BerthRootLoads *berthRootLoadsOf(const BerthViews *views, MlirOperation scope) {
  BerthRootLoads *loads = berthAllocateOrDie(views->numRoots, sizeof *loads);
  LoadWalk walk = {views, loads};
  mlirOperationWalk(scope, noteLoad, &walk, MlirWalkPreOrder);
  for (uint32_t i = 0; i < views->numRoots; ++i)
    if (!mlirOperationIsNull(loads[i].first))
      loads[i].ring = berthLoadRingOf(views, scope, i);
  return loads;
}

bool berthWaitsForLoads(const BerthRootLoads *loads, MlirOperation op) {
  BerthMBarrier barrier;
  return !mlirOperationIsNull(loads->first) && !loads->differ &&
         berthOpAwaitsMBarrier(op, &barrier) &&
         berthMBarriersEqual(berthLoadGetMBarrier(loads->first), barrier);
}

/// The tensor that a descriptor was made of, else a null value.
static MlirValue tensorOf(MlirValue descriptor) {
  MlirValue none = {NULL};
  if (!mlirValueIsAOpResult(descriptor))
    return none;
  MlirOperation maker = mlirOpResultGetOwner(descriptor);
  return berthOpMakesDescriptor(maker) ? mlirOperationGetOperand(maker, 0)
                                       : none;
}

bool berthMeetsLoads(const BerthRootLoads *loads, const BerthViews *views,
                     const BerthRootAccess *access) {
  if (access->operand < 0)
    return false;
  MlirValue operand = mlirOperationGetOperand(access->op, access->operand);
  bool isProduct = berthOpStartsAsync(access->op, BERTH_ASYNC_PRODUCT);
  if (isProduct)
    operand = tensorOf(operand);
  if (mlirOperationIsNull(loads->first) || mlirValueIsNull(operand))
    return false;
  const BerthRootSet *set = berthViewsFind(views, operand);
  bool isSure = set && set->count == 1 && set->ids[0] == access->root;
  if (isProduct)
    return isSure && set->isWhole;
  return isSure && !loads->leaveBytes && berthOpSurelyTouches(access->op);
}
