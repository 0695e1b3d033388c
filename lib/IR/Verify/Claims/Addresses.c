//===- Addresses.c - Buffers of one address in several functions ----------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Claims/Addresses.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Verify/Roots/Scopes.h"
#include "IR/Verify/Roots/Views.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

typedef struct Placed {
  MlirOperation op;
  MlirOperation function;
  MlirOperation parallel; ///< the outermost around it in the function, or null
  const void *memory;
  int64_t lower, upper;
} Placed;

typedef struct PlacedList {
  size_t count, capacity;
  Placed *items;
} PlacedList;

static MlirWalkResult addPlaced(MlirOperation op, void *userData) {
  PlacedList *list = userData;
  MlirAttribute address = berthAttributeOf(op, "berth.address");
  MlirAttribute size = berthAttributeOf(op, BERTH_SIZE);
  if (mlirAttributeIsNull(address) || mlirAttributeIsNull(size) ||
      !mlirAttributeIsAInteger(address) || !mlirAttributeIsAInteger(size) ||
      mlirOperationGetNumResults(op) != 1)
    return MlirWalkResultAdvance;
  Placed placed = {.op = op, .lower = mlirIntegerAttrGetValueInt(address)};
  if (__builtin_add_overflow(placed.lower, mlirIntegerAttrGetValueInt(size),
                             &placed.upper))
    placed.upper = INT64_MAX;
  placed.memory = berthViewsArenaKey(mlirOperationGetResult(op, 0));
  MlirOperation at = mlirOperationGetParentOperation(op);
  for (; !mlirOperationIsNull(at) && !berthOpIsFunction(at);
       at = mlirOperationGetParentOperation(at))
    if (berthOpIsParallel(at))
      placed.parallel = at;
  placed.function = at;
  if (mlirOperationIsNull(at))
    return MlirWalkResultAdvance;
  list->items =
      berthGrow(list->items, list->count, &list->capacity, sizeof *list->items);
  list->items[list->count++] = placed;
  return MlirWalkResultAdvance;
}

/// Memory that threads share is there once for all iterations.
static bool isOneForEach(const BerthReentry *reentry, const Placed *placed) {
  MlirType type = mlirValueGetType(mlirOperationGetResult(placed->op, 0));
  return !mlirOperationIsNull(placed->parallel) && mlirTypeIsAMemRef(type) &&
         !berthIsSharedByThreads(type, placed->function, reentry->options);
}

/// The end of those from `first` on that stand in one function.
static size_t endOfFunction(const PlacedList *list, size_t first) {
  size_t end = first;
  while (end < list->count && mlirOperationEqual(list->items[end].function,
                                                 list->items[first].function))
    ++end;
  return end;
}

static const Placed *findOverlap(const Placed *placed, const Placed *others,
                                 size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (others[i].memory == placed->memory && others[i].lower < placed->upper &&
        placed->lower < others[i].upper)
      return &others[i];
  return NULL;
}

typedef struct Report {
  BerthClaimCallback callback;
  void *userData;
} Report;

/// The function whose buffers begin at `first`, and one before it.
static void compareFunctions(const Report *report, BerthReentry *reentry,
                             const PlacedList *list, size_t first,
                             size_t other) {
  const Placed *a = &list->items[first], *b = &list->items[other];
  if (!berthMayRunIn(reentry, a->function, b->function) &&
      !berthMayRunIn(reentry, b->function, a->function))
    return;
  size_t end = endOfFunction(list, first);
  size_t numOthers = endOfFunction(list, other) - other;
  for (size_t i = first; i < end; ++i) {
    const Placed *placed = &list->items[i];
    const Placed *found = findOverlap(placed, b, numOthers);
    if (found)
      report->callback(placed->op,
                       "may be active at the same time as a buffer of another "
                       "function, and has the same addresses",
                       found->op, "this buffer", report->userData);
  }
}

void berthVerifyAddresses(BerthReentry *reentry, BerthClaimCallback callback,
                          void *userData) {
  Report report = {callback, userData};
  PlacedList list = {0};
  mlirOperationWalk(reentry->root, addPlaced, &list, MlirWalkPreOrder);
  for (size_t i = 0; i < list.count; ++i)
    if (isOneForEach(reentry, &list.items[i]))
      callback(list.items[i].op,
               "has one address for iterations that may be active at the same "
               "time",
               list.items[i].parallel, "the iterations of this op", userData);
  for (size_t i = 0; i < list.count; i = endOfFunction(&list, i)) {
    MlirOperation function = list.items[i].function;
    if (berthMayRunIn(reentry, function, function))
      callback(list.items[i].op,
               "has one address for runs of its function that may be active at "
               "the same time",
               function, "this function may call itself", userData);
    for (size_t k = 0; k < i; k = endOfFunction(&list, k))
      compareFunctions(&report, reentry, &list, i, k);
  }
  free(list.items);
}
