//===- LoadConditions.c - Conditions by which one thread loads ------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/MultiBuffer/LoadConditions.h"
#include "IR/Facts/Facts.h"
#include "IR/MultiBuffer/LoadLoops.h"
#include "IR/Ops/Build.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/EqualValues.h"
#include "IR/Ops/MBarriers.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OperandSegments.h"
#include "IR/Ops/OrDie.h"
#include "IR/Rewrite/Callers.h"

#include <stdlib.h>

/// A condition that holds no op any more, and what has stood under it.
typedef struct Opened {
  MlirOperation branch; ///< in no block
  BerthOpList ops;
  MlirValue *predicates; ///< that the ops had; null: none
} Opened;

/// Of one loop.
typedef struct Opening {
  MlirOperation loop;
  Opened *items;
  size_t count, capacity;
  BerthOpList built; ///< in front of the loop
} Opening;

static bool isOutside(const Opening *opening, MlirValue value) {
  int64_t constant;
  if (berthValueIsConstant(value, &constant))
    return true;
  MlirBlock block = mlirValueIsABlockArgument(value)
                        ? mlirBlockArgumentGetOwner(value)
                        : mlirOperationGetBlock(mlirOpResultGetOwner(value));
  return !berthOpIsWithin(mlirBlockGetParentOperation(block), opening->loop);
}

/// True for a load, or what arrives for it, that can be given the condition.
static bool takesPredicate(const Opening *opening, MlirOperation op) {
  BerthMBarrierUse use;
  return berthOpGetMBarrierUse(op, &use) &&
         (use.role == BERTH_MBARRIER_LOAD ||
          use.role == BERTH_MBARRIER_EXPECT) &&
         (use.predicate < 0 ||
          isOutside(opening, mlirOperationGetOperand(op, use.predicate)));
}

/// True if nothing but loads, and what is computed for them, stands under a
/// condition from outside of the loop.
static bool mayOpen(const Opening *opening, MlirOperation branch) {
  if (!berthOpIs(branch, BERTH_OP_IF) || berthOpIsAffine(branch) ||
      mlirOperationGetNumResults(branch) ||
      !isOutside(opening, mlirOperationGetOperand(branch, 0)) ||
      !mlirBlockIsNull(
          mlirRegionGetFirstBlock(mlirOperationGetRegion(branch, 1))))
    return false;
  bool isFound = false;
  MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(branch, 0));
  MlirOperation end = mlirBlockGetTerminator(block);
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationEqual(op, end); op = mlirOperationGetNextInBlock(op)) {
    bool isMove = takesPredicate(opening, op);
    if (!isMove && (!berthOpOnlyComputes(op) || !berthOpIsSpeculatable(op)))
      return false;
    isFound |= isMove;
  }
  return isFound;
}

/// Both are true: computed in front of the loop.
static MlirValue both(Opening *opening, MlirValue a, MlirValue b) {
  MlirValue result =
      berthBuildBinary(berthInsertBefore(opening->loop), BERTH_NAME_AND, a, b);
  berthOpListAdd(&opening->built, mlirOpResultGetOwner(result));
  return result;
}

enum { kPredicateOfLoad = 6 };

/// Returns the one that the op had.
static MlirValue setPredicate(Opening *opening, MlirOperation op,
                              MlirValue condition) {
  BerthMBarrierUse use;
  MlirValue old = {NULL};
  if (!berthOpGetMBarrierUse(op, &use) || use.role == BERTH_MBARRIER_WAIT)
    return old;
  if (use.predicate >= 0) {
    old = mlirOperationGetOperand(op, use.predicate);
    mlirOperationSetOperand(op, use.predicate, both(opening, old, condition));
  } else if (use.role == BERTH_MBARRIER_LOAD) {
    berthSegmentSet(op, kPredicateOfLoad, 1, &condition);
  } else {
    berthAddOperand(op, condition);
  }
  return old;
}

static void putPredicateBack(MlirOperation op, MlirValue old) {
  enum { kMostOperands = 4 };
  BerthMBarrierUse use;
  if (!berthOpGetMBarrierUse(op, &use) || use.role == BERTH_MBARRIER_WAIT)
    return;
  if (!mlirValueIsNull(old)) {
    mlirOperationSetOperand(op, use.predicate, old);
  } else if (use.role == BERTH_MBARRIER_LOAD) {
    berthSegmentSet(op, kPredicateOfLoad, 0, NULL);
  } else {
    MlirValue operands[kMostOperands];
    for (intptr_t i = 0; i < use.predicate; ++i)
      operands[i] = mlirOperationGetOperand(op, i);
    mlirOperationSetOperands(op, use.predicate, operands);
  }
}

static void openBranch(Opening *opening, MlirOperation branch) {
  opening->items = berthGrow(opening->items, opening->count, &opening->capacity,
                             sizeof *opening->items);
  Opened *opened = &opening->items[opening->count++];
  *opened = (Opened){.branch = branch};
  MlirValue condition = mlirOperationGetOperand(branch, 0);
  MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(branch, 0));
  MlirOperation end = mlirBlockGetTerminator(block);
  for (MlirOperation op = mlirBlockGetFirstOperation(block), next;
       !mlirOperationEqual(op, end); op = next) {
    next = mlirOperationGetNextInBlock(op);
    mlirOperationMoveBefore(op, branch);
    berthOpListAdd(&opened->ops, op);
  }
  mlirOperationRemoveFromParent(branch);
  opened->predicates =
      berthAllocateOrDie(opened->ops.count, sizeof *opened->predicates);
  for (size_t i = 0; i < opened->ops.count; ++i)
    opened->predicates[i] =
        setPredicate(opening, opened->ops.ops[i], condition);
}

static void closeBranch(Opened *opened) {
  MlirOperation first = opened->ops.ops[0];
  MlirBlock block =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(opened->branch, 0));
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(first), first,
                                      opened->branch);
  for (size_t i = 0; i < opened->ops.count; ++i) {
    putPredicateBack(opened->ops.ops[i], opened->predicates[i]);
    mlirOperationMoveBefore(opened->ops.ops[i], mlirBlockGetTerminator(block));
  }
  opened->branch = (MlirOperation){NULL};
}

static void closeAll(Opening *opening) {
  for (size_t i = 0; i < opening->count; ++i)
    closeBranch(&opening->items[i]);
  for (size_t i = opening->built.count; i-- > 0;)
    mlirOperationDestroy(opening->built.ops[i]);
}

static void freeOpening(Opening *opening) {
  for (size_t i = 0; i < opening->count; ++i) {
    if (!mlirOperationIsNull(opening->items[i].branch))
      mlirOperationDestroy(opening->items[i].branch);
    free(opening->items[i].ops.ops);
    free(opening->items[i].predicates);
  }
  free(opening->items);
  free(opening->built.ops);
}

static void visitLoop(MlirOperation loop) {
  Opening opening = {.loop = loop};
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0));
  for (MlirOperation op = mlirBlockGetFirstOperation(body), next;
       !mlirOperationIsNull(op); op = next) {
    next = mlirOperationGetNextInBlock(op);
    if (mayOpen(&opening, op))
      openBranch(&opening, op);
  }
  if (opening.count) {
    BerthLoadLoop loads = berthLoadLoopOf(loop);
    if (loads.reason)
      closeAll(&opening);
    berthLoadLoopFree(&loads);
  }
  freeOpening(&opening);
}

static MlirWalkResult listLoop(MlirOperation op, void *userData) {
  if (berthOpIs(op, BERTH_OP_LOOP) && !berthOpIsAffine(op))
    berthOpListAdd(userData, op);
  return MlirWalkResultAdvance;
}

void berthPredicateLoads(MlirOperation scope) {
  BerthOpList loops = {0};
  mlirOperationWalk(scope, listLoop, &loops, MlirWalkPostOrder);
  for (size_t i = 0; i < loops.count; ++i)
    visitLoop(loops.ops[i]);
  free(loops.ops);
}
