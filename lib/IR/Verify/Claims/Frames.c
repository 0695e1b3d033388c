//===- Frames.c - Arenas that are handed to calls -------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Claims/Frames.h"
#include "IR/Facts/Facts.h"
#include "IR/Verify/Roots/Scopes.h"
#include "IR/Verify/Runs/Reentry.h"

typedef struct FrameWalk {
  const BerthViews *views;
  MlirOperation scope;
  const BerthVerifyOptions *options;
  BerthClaimCallback callback;
  void *userData;
} FrameWalk;

static MlirWalkResult verifyCall(MlirOperation op, void *userData) {
  FrameWalk *walk = userData;
  MlirOperation callee, function;
  if (!berthOpGetCallee(op, &callee))
    return MlirWalkResultAdvance;
  intptr_t count = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (!berthViewsFind(walk->views, operand) || !berthTakesArena(op, i) ||
        berthIsSharedByThreads(mlirValueGetType(operand), walk->scope,
                               walk->options))
      continue;
    MlirOperation aside = berthFindAside(op, walk->scope, &function);
    if (!mlirOperationIsNull(aside))
      walk->callback(op,
                     "hands a part of an arena to a function that may run "
                     "several times at once, later, or in an unknown order",
                     aside, "in this op", walk->userData);
  }
  return MlirWalkResultAdvance;
}

void berthVerifyFrames(const BerthViews *views, MlirOperation scope,
                       const BerthVerifyOptions *options,
                       BerthClaimCallback callback, void *userData) {
  FrameWalk walk = {views, scope, options, callback, userData};
  mlirOperationWalk(scope, verifyCall, &walk, MlirWalkPreOrder);
}
