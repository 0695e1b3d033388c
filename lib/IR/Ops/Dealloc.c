//===- Dealloc.c - What the deallocation passes leave behind --------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Ops/Dealloc.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/Worklist.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Where an address goes
//===----------------------------------------------------------------------===//

/// Values that depend on the address: numbers, and the tables they are put in.
typedef struct Walk {
  BerthWorklist list;
  MlirValue current;
  bool viewsAreTables;
  MlirOperation root;
} Walk;

static void pushResults(Walk *walk, MlirOperation op) {
  intptr_t count = mlirOperationGetNumResults(op);
  for (intptr_t i = 0; i < count; ++i)
    berthWorklistPush(&walk->list, mlirOperationGetResult(op, i));
}

/// The allocation behind a table, through its views; null if it is none. In
/// code that is never reached views may go round in a circle: `slow` goes half
/// as fast, and is caught up with there.
static MlirValue tableRoot(MlirValue table, bool viewsAreTables) {
  MlirValue slow = table;
  bool isOdd = false;
  while (mlirValueIsAOpResult(table)) {
    MlirOperation op = mlirOpResultGetOwner(table);
    if (viewsAreTables && berthOpIs(op, BERTH_OP_VIEW))
      return table;
    MlirValue source = berthValueViewed(table);
    if (mlirValueIsNull(source))
      return berthOpIsPlainAllocation(op) ? table : source;
    table = source;
    if (isOdd)
      slow = berthValueViewed(slow);
    isOdd = !isOdd;
    if (mlirValueEqual(table, slow))
      break;
  }
  return (MlirValue){NULL};
}

MlirValue berthTableRoot(MlirValue table) { return tableRoot(table, false); }

static bool pushTable(Walk *walk, MlirValue table) {
  MlirValue root = tableRoot(table, walk->viewsAreTables);
  if (mlirValueIsNull(root))
    return false;
  berthWorklistPush(&walk->list, root);
  return true;
}

static MlirWalkResult findOtherOp(MlirOperation op, void *userData) {
  if (berthOpIsTableCode(op))
    return MlirWalkResultAdvance;
  *(bool *)userData = true;
  return MlirWalkResultInterrupt;
}

bool berthIsDeallocHelperCall(MlirOperation op, MlirOperation root) {
  MlirOperation callee;
  if (!berthOpGetCallee(op, &callee) || berthFunctionIsUnseen(callee) ||
      berthCalleeIsHidden(callee, root) || mlirOperationGetNumResults(op) > 0)
    return false;
  bool found = false;
  mlirOperationWalk(callee, findOtherOp, &found, MlirWalkPreOrder);
  return !found;
}

static bool pushOperandTables(Walk *walk, MlirOperation call) {
  intptr_t count = mlirOperationGetNumOperands(call);
  for (intptr_t i = 0; i < count; ++i)
    if (!pushTable(walk, mlirOperationGetOperand(call, i)))
      return false;
  return true;
}

bool berthIfHoldsOnly(MlirOperation op, BerthOpTest passes, const void *data) {
  if (!berthOpIs(op, BERTH_OP_IF) || mlirOperationGetNumResults(op) > 0)
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); ++i) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i));
    if (mlirBlockIsNull(block))
      continue;
    for (MlirOperation inner = mlirBlockGetFirstOperation(block);
         !mlirOperationIsNull(inner);
         inner = mlirOperationGetNextInBlock(inner))
      if (!berthOpIs(inner, BERTH_OP_YIELD) && !passes(inner, data))
        return false;
  }
  return true;
}

static bool isDealloc(MlirOperation op, const void *data) {
  (void)data;
  return berthOpIs(op, BERTH_OP_FREE);
}

static void pushReceived(const BerthRegionEdge *edge, void *userData) {
  Walk *walk = userData;
  for (intptr_t i = 0; i < edge->numValues; ++i)
    if (mlirValueEqual(edge->forwarded[i], walk->current))
      berthWorklistPush(&walk->list, edge->received[i]);
}

static bool isMemRef(MlirValue value) {
  return mlirTypeIsAMemRef(mlirValueGetType(value));
}

static bool followTable(Walk *walk, MlirOperation op) {
  if (berthOpIs(op, BERTH_OP_LOAD) ||
      !mlirValueIsNull(berthViewGetSource(op))) {
    pushResults(walk, op);
    return true;
  }
  if (berthIsDeallocHelperCall(op, walk->root))
    return pushOperandTables(walk, op);
  return berthOpIs(op, BERTH_OP_STORE) || berthOpIs(op, BERTH_OP_DIM) ||
         berthOpIs(op, BERTH_OP_FREE);
}

/// True for an op that hands the number on to a region or to what is behind it,
/// and does nothing by it: not the condition by which a loop goes on.
static bool onlyHandsOn(const Walk *walk, MlirOperation op) {
  MlirOperation parent = mlirOperationGetParentOperation(op);
  bool isLast = mlirOperationIsNull(mlirOperationGetNextInBlock(op));
  return berthOpIs(op, BERTH_OP_YIELD) ||
         (isLast && !mlirOperationIsNull(parent) &&
          berthOpIs(parent, BERTH_OP_WHILE) &&
          !mlirValueEqual(mlirOperationGetOperand(op, 0), walk->current));
}

static bool followNumber(Walk *walk, MlirOperation op) {
  if (berthOpIsArithmetic(op)) {
    pushResults(walk, op);
    return true;
  }
  if (berthOpIs(op, BERTH_OP_STORE))
    return pushTable(walk, mlirOperationGetOperand(op, 1));
  if (onlyHandsOn(walk, op))
    return berthOpGetRegionEdges(mlirOperationGetParentOperation(op),
                                 pushReceived, walk);
  return berthIfHoldsOnly(op, isDealloc, NULL) ||
         berthDeallocNumMemRefs(op) >= 0;
}

bool berthFeedsOnlyDeallocation(MlirValue address, bool viewsAreTables,
                                MlirOperation root) {
  Walk walk = {.viewsAreTables = viewsAreTables, .root = root};
  berthWorklistPush(&walk.list, address);
  bool result = true;
  while (walk.list.numPending && result) {
    walk.current = berthWorklistPop(&walk.list);
    for (MlirOpOperand use = mlirValueGetFirstUse(walk.current);
         !mlirOpOperandIsNull(use) && result;
         use = mlirOpOperandGetNextUse(use)) {
      MlirOperation op = mlirOpOperandGetOwner(use);
      result = isMemRef(walk.current) ? followTable(&walk, op)
                                      : followNumber(&walk, op);
    }
  }
  berthWorklistFree(&walk.list);
  return result;
}

//===----------------------------------------------------------------------===//
// bufferization.dealloc
//===----------------------------------------------------------------------===//

intptr_t berthDeallocNumMemRefs(MlirOperation op) {
  if (!berthOpIs(op, BERTH_OP_FREE_LISTED))
    return -1;
  return mlirDenseI32ArrayGetElement(
      berthAttributeOf(op, "operandSegmentSizes"), 0);
}
