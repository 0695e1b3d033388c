//===- CalleeBodies.c - What the bodies of functions do -------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Flow-insensitive: the union over the whole body of what may be done to each
// argument. Looking into a function finds its aliases with the verifier's own
// propagation, the arguments being the roots.
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Roots/CalleeBodies.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Effects.h"
#include "IR/Verify/Roots/Access.h"
#include "IR/Verify/Roots/LateUses.h"
#include "IR/Verify/Roots/Views.h"

typedef struct BodyWalk {
  const BerthViews *views;
  BerthCalleeArgument *arguments;
  BerthRootAccesses accesses;
} BodyWalk;

static void addReturned(BodyWalk *walk, MlirOperation op) {
  intptr_t numOperands = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < numOperands; ++i) {
    const BerthRootSet *set =
        berthViewsFind(walk->views, mlirOperationGetOperand(op, i));
    for (size_t k = 0; set && k < set->count; ++k)
      walk->arguments[set->ids[k]].returned |= UINT64_C(1) << (i < 63 ? i : 63);
  }
}

static void addKept(BodyWalk *walk, MlirOperation op) {
  bool goesOn = berthOutlivesBlock(op, walk->views->callees->unknownEnds);
  intptr_t numOperands = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < numOperands; ++i) {
    const BerthRootSet *set =
        berthViewsFind(walk->views, mlirOperationGetOperand(op, i));
    if (!set || (!goesOn && !berthOpUsesAllocatedPointer(op) &&
                 berthLateUseOf(walk->views, op, i) < BERTH_LATE_HOLDER))
      continue;
    for (size_t k = 0; k < set->count; ++k)
      walk->arguments[set->ids[k]].isKept = true;
  }
  if (!goesOn)
    return;
  // So do the ops in it.
  berthRootAccessesOf(&walk->accesses, walk->views, op, true);
  for (size_t i = 0; i < walk->accesses.count; ++i)
    walk->arguments[walk->accesses.items[i].root].isKept = true;
}

static MlirWalkResult addOp(MlirOperation op, void *userData) {
  BodyWalk *walk = userData;
  if (berthOpIsReturn(op))
    addReturned(walk, op);
  addKept(walk, op);
  berthRootAccessesOf(&walk->accesses, walk->views, op, false);
  for (size_t i = 0; i < walk->accesses.count; ++i) {
    const BerthRootAccess *access = &walk->accesses.items[i];
    walk->arguments[access->root].isRead |= access->reads;
    walk->arguments[access->root].isWritten |= access->writes;
  }
  return MlirWalkResultAdvance;
}

static void lookInto(BerthCallees *callees, MlirOperation function,
                     BerthCalleeArgument *found) {
  BerthMemory memory = {0};
  BerthViews views = berthViewsOfArguments(function, callees, &memory);
  BodyWalk walk = {.views = &views, .arguments = found};
  mlirOperationWalk(function, addOp, &walk, MlirWalkPreOrder);
  bool keepsAll = berthFunctionIsCoroutine(function);
  for (size_t i = 0; i < views.numRoots; ++i)
    found[i].isKept |= keepsAll;
  berthRootAccessesFree(&walk.accesses);
  berthViewsFree(&views);
  berthMemoryFree(&memory);
}

BerthCallees berthCalleesIn(MlirOperation root) {
  return (BerthCallees){.root = root, .lookInto = lookInto};
}
