//===- ExistingDynamic.c - Dynamic shared memory, as buffers --------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Prepare/ExistingDynamic.h"
#include "IR/Ops/Allocations.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/EqualValues.h"
#include "IR/Ops/OpList.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Rules.h"
#include "IR/Scope/ScopeKind.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

/// A memref.view of dynamic shared memory: bytes [lower, upper).
typedef struct Stretch {
  MlirOperation view;
  int64_t lower, upper;
} Stretch;

typedef struct DynamicWalk {
  BerthTaking *taking;
  const char *obstacle;
  MlirOperation at; ///< of the obstacle
  BerthOpList sources;
  Stretch *stretches;
  size_t count, capacity;
  bool isForTma; ///< addresses may have to be multiples of more than 16
} DynamicWalk;

static bool describeView(const BerthTaking *taking, MlirOpOperand use,
                         Stretch *stretch) {
  stretch->view = mlirOpOperandGetOwner(use);
  if (!berthOpIs(stretch->view, BERTH_OP_VIEW) ||
      mlirOpOperandGetOperandNumber(use) != 0 ||
      mlirOperationGetNumOperands(stretch->view) != 2 ||
      !berthValueIsConstant(mlirOperationGetOperand(stretch->view, 1),
                            &stretch->lower))
    return false;
  BerthTypeSize size;
  MlirType type = mlirValueGetType(mlirOperationGetResult(stretch->view, 0));
  return stretch->lower >= 0 &&
         berthMemRefGetSize(type, taking->function, &size) == BERTH_SIZE_OK &&
         !__builtin_add_overflow(stretch->lower, size.bytes, &stretch->upper);
}

static void listViews(DynamicWalk *walk, MlirOperation source) {
  MlirValue value = mlirOperationGetResult(source, 0);
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    Stretch stretch;
    if (!describeView(walk->taking, use, &stretch)) {
      walk->obstacle = "not all of its uses are views at constant offsets, of "
                       "constant size";
      walk->at = source;
      return;
    }
    walk->stretches = berthGrow(walk->stretches, walk->count, &walk->capacity,
                                sizeof *walk->stretches);
    walk->stretches[walk->count++] = stretch;
  }
}

static MlirWalkResult listDynamic(MlirOperation op, void *userData) {
  DynamicWalk *walk = userData;
  walk->isForTma |= berthOpIsAsyncProxy(op) || berthOpIsOtherProxy(op) ||
                    berthOpLetsEscape(op);
  if (!berthOpIs(op, BERTH_OP_DYNAMIC_SHARED))
    return MlirWalkResultAdvance;
  berthOpListAdd(&walk->sources, op);
  listViews(walk, op);
  return walk->obstacle ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

/// True if it calls what has no body here.
static bool callsUnseen(MlirOperation op) {
  MlirOperation callee;
  return berthOpGetCallee(op, &callee) && berthFunctionIsUnseen(callee);
}

/// A function that is no kernel gets the same bytes as the kernel that calls
/// it.
static MlirWalkResult findForeignDynamic(MlirOperation op, void *userData) {
  DynamicWalk *walk = userData;
  if (callsUnseen(op)) {
    walk->obstacle = "a function is called that is not seen, and all users of "
                     "dynamic shared memory get the same bytes";
    return MlirWalkResultInterrupt;
  }
  if (!berthOpIs(op, BERTH_OP_DYNAMIC_SHARED))
    return MlirWalkResultAdvance;
  MlirOperation function = berthEnclosingScope(op);
  if (!mlirOperationIsNull(function) &&
      berthScopeOf(function, &walk->taking->options->collect).kind ==
          BERTH_SCOPE_KERNEL)
    return MlirWalkResultAdvance;
  walk->obstacle = "a function that is no kernel uses dynamic shared memory, "
                   "and all users of it get the same bytes";
  return MlirWalkResultInterrupt;
}

static int compareStretches(const void *left, const void *right) {
  const Stretch *a = left, *b = right;
  return a->lower != b->lower ? (a->lower < b->lower ? -1 : 1)
                              : (a->upper > b->upper) - (a->upper < b->upper);
}

/// What a byte's place makes sure of, if the memory begins at a multiple of
/// `most`.
static int64_t alignmentAt(int64_t lower, int64_t most) {
  while (lower % most)
    most /= 2;
  return most;
}

/// One buffer for the views [first, end), which have bytes in common.
static void takeStretch(DynamicWalk *walk, size_t first, size_t end,
                        int64_t upper) {
  BerthTaking *taking = walk->taking;
  MlirContext context = mlirOperationGetContext(taking->function);
  MlirType old =
      mlirValueGetType(mlirOperationGetOperand(walk->stretches[first].view, 0));
  int64_t lower = walk->stretches[first].lower;
  enum { kUsual = 16, kForTma = 1024 };
  BerthExistingItem *item = berthAddExistingItem(
      taking, BERTH_EXISTING_DYNAMIC, taking->entry,
      mlirOperationGetLocation(walk->stretches[first].view),
      berthByteMemRef(context, upper - lower,
                      mlirMemRefTypeGetMemorySpace(old)),
      alignmentAt(lower, walk->isForTma ? kForTma : kUsual),
      mlirStringRefCreateFromCString("dynamic"));
  item->type = old;
  for (size_t i = first; i < end; ++i) {
    const Stretch *stretch = &walk->stretches[i];
    MlirValue shift = berthBuildIndex(berthInsertBefore(stretch->view),
                                      stretch->lower - lower);
    mlirOperationSetOperand(stretch->view, 0, item->value);
    mlirOperationSetOperand(stretch->view, 1, shift);
    berthSetAttribute(stretch->view, BERTH_DYNAMIC_OFFSET,
                      berthI64(context, stretch->lower));
  }
}

static void takeStretches(DynamicWalk *walk) {
  // By offset, and not by the order of uses, which is none of the program's.
  if (walk->count)
    qsort(walk->stretches, walk->count, sizeof *walk->stretches,
          compareStretches);
  bool areApart =
      berthIsBroken(walk->taking->options->alias.breakRule, "apart-ranges");
  for (size_t i = 0, end; i < walk->count; i = end) {
    int64_t upper = walk->stretches[i].upper;
    for (end = i + 1;
         end < walk->count && !areApart && walk->stretches[end].lower < upper;
         ++end)
      if (walk->stretches[end].upper > upper)
        upper = walk->stretches[end].upper;
    takeStretch(walk, i, end, upper);
  }
  for (size_t i = 0; i < walk->sources.count; ++i)
    mlirOperationDestroy(walk->sources.ops[i]);
}

static bool isOfScopeSpace(const BerthTaking *taking, MlirOperation dynamic) {
  MlirType type = mlirValueGetType(mlirOperationGetResult(dynamic, 0));
  MlirType bytes = berthByteMemRef(mlirOperationGetContext(dynamic), 1,
                                   mlirMemRefTypeGetMemorySpace(type));
  return berthIsInScopeSpace(taking, bytes);
}

/// Other functions of the module, too, may only be looked at in a run on it.
static bool isAllSeen(const BerthTaking *taking) {
  MlirOperation module = berthSymbolModuleOf(taking->function);
  while (!mlirOperationIsNull(module) &&
         !mlirOperationEqual(module, taking->root))
    module = mlirOperationGetParentOperation(module);
  return !mlirOperationIsNull(module);
}

void berthTakeDynamic(BerthTaking *taking) {
  DynamicWalk walk = {.taking = taking};
  mlirOperationWalk(taking->function, listDynamic, &walk, MlirWalkPreOrder);
  if (walk.sources.count && !walk.obstacle) {
    walk.at = walk.sources.ops[0];
    if (!isAllSeen(taking))
      walk.obstacle = "run the pass on the module, to see all its users";
    else if (!berthIsBroken(taking->options->alias.breakRule, "unseen-users"))
      mlirOperationWalk(berthSymbolModuleOf(taking->function),
                        findForeignDynamic, &walk, MlirWalkPreOrder);
  }
  if (walk.obstacle)
    berthRemarkLeftExisting(walk.at, walk.obstacle);
  else if (walk.sources.count && isOfScopeSpace(taking, walk.sources.ops[0]))
    takeStretches(&walk);
  free(walk.sources.ops);
  free(walk.stretches);
}

void berthPutDynamicBack(const BerthExistingItem *item, BerthInsertPoint at) {
  MlirValue memory = berthBuildValue(at, BERTH_NAME_DYNAMIC_SHARED, 0, NULL,
                                     item->type, 0, NULL);
  mlirValueReplaceAllUsesOfWith(item->value, memory);
  for (MlirOpOperand use = mlirValueGetFirstUse(memory);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation view = mlirOpOperandGetOwner(use);
    int64_t lower = mlirIntegerAttrGetValueInt(
        berthAttributeOf(view, BERTH_DYNAMIC_OFFSET));
    mlirOperationSetOperand(view, 1,
                            berthBuildIndex(berthInsertBefore(view), lower));
    mlirOperationRemoveAttributeByName(
        view, mlirStringRefCreateFromCString(BERTH_DYNAMIC_OFFSET));
  }
}
