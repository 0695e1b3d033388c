//===- Reached.c - Code that some path comes to ---------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Bytes/Reached.h"
#include "IR/Facts/Facts.h"

/// The regions of an op that its edges lead to.
typedef struct Reached {
  uint64_t regions; ///< a bit each
  bool isKnown;     ///< false if there are more of them
} Reached;

static void reach(const BerthRegionEdge *edge, void *userData) {
  Reached *reached = userData;
  if (edge->from >= 64 || edge->to >= 64)
    reached->isKnown = false;
  else if (edge->to != BERTH_PARENT &&
           (edge->from == BERTH_PARENT || reached->regions >> edge->from & 1))
    reached->regions |= UINT64_C(1) << edge->to;
}

/// False if no edge of the op leads to that region of its: a loop without turns
/// leaves its body out.
static bool entersRegion(MlirOperation op, intptr_t region) {
  Reached reached = {.isKnown = true};
  uint64_t before;
  do {
    before = reached.regions;
    if (!berthOpGetRegionEdges(op, reach, &reached) || !reached.isKnown)
      return true;
  } while (reached.regions != before);
  return region >= 64 || reached.regions >> region & 1;
}

bool berthIsReached(MlirOperation op, MlirOperation scope) {
  for (MlirOperation parent = mlirOperationGetParentOperation(op);
       !mlirOperationEqual(op, scope) && !mlirOperationIsNull(parent);
       op = parent, parent = mlirOperationGetParentOperation(op)) {
    MlirRegion body = mlirBlockGetParentRegion(mlirOperationGetBlock(op));
    intptr_t index = 0;
    while (!mlirRegionEqual(mlirOperationGetRegion(parent, index), body))
      ++index;
    if (!mlirOperationEqual(parent, scope) && !entersRegion(parent, index))
      return false;
  }
  return true;
}
