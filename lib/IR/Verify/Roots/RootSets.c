//===- RootSets.c - What a value may point into -------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Roots/RootSets.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Spaces.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include <stdlib.h>

const BerthRootSet *berthViewsFind(const BerthViews *views, MlirValue value) {
  size_t index = berthPointerMapFind(&views->setOf, value.ptr);
  return index == BERTH_NOT_FOUND ? NULL : &views->sets[index];
}

bool berthRootSetHas(const BerthRootSet *set, uint32_t root) {
  for (size_t i = 0; set && i < set->count; ++i)
    if (set->ids[i] == root)
      return true;
  return false;
}

BerthRootSet *berthViewsFindOrAdd(BerthViews *views, MlirValue value) {
  size_t index = berthPointerMapFind(&views->setOf, value.ptr);
  if (index != BERTH_NOT_FOUND)
    return &views->sets[index];
  views->sets = berthGrow(views->sets, views->numSets, &views->setCapacity,
                          sizeof *views->sets);
  berthPointerMapInsert(&views->setOf, value.ptr, views->numSets);
  BerthRootSet *set = &views->sets[views->numSets++];
  *set = (BerthRootSet){.value = value};
  return set;
}

static void makePending(BerthViews *views, BerthRootSet *set) {
  if (set->isPending)
    return;
  set->isPending = true;
  views->pending = berthGrow(views->pending, views->numPending,
                             &views->pendingCapacity, sizeof *views->pending);
  views->pending[views->numPending++] = (size_t)(set - views->sets);
}

/// The union of two sorted sets, in the scope's memory.
static uint32_t *unite(BerthMemory *memory, const BerthRootSet *a,
                       const uint32_t *ids, size_t count, size_t *total) {
  uint32_t *merged = BERTH_NEW(memory, uint32_t, a->count + count);
  size_t i = 0, k = 0, n = 0;
  while (i < a->count || k < count) {
    bool takeFirst = k == count || (i < a->count && a->ids[i] <= ids[k]);
    uint32_t id = takeFirst ? a->ids[i++] : ids[k++];
    if (n == 0 || merged[n - 1] != id)
      merged[n++] = id;
  }
  *total = n;
  return merged;
}

static uint32_t bufferOf(const BerthViews *views, uint32_t root) {
  uint32_t buffer = views->roots[root].mergedFrom;
  return buffer == BERTH_NO_ROOT ? root : buffer;
}

bool berthViewsAreOneBuffer(const BerthViews *views, uint32_t a, uint32_t b) {
  return bufferOf(views, a) == bufferOf(views, b);
}

/// True if what the one holds is known of what the other holds. Both are merges
/// of different buffers.
static bool areOneChoice(const BerthViews *views, uint32_t a, uint32_t b) {
  for (uint32_t i = a; i != BERTH_NO_ROOT; i = views->roots[i].chosenFrom)
    for (uint32_t k = b; k != BERTH_NO_ROOT; k = views->roots[k].chosenFrom)
      if (mlirValueEqual(views->roots[i].holder, views->roots[k].holder))
        return true;
  return false;
}

bool berthViewsAreTogether(const BerthViews *views, uint32_t a, uint32_t b) {
  const BerthRoot *first = &views->roots[a], *second = &views->roots[b];
  bool areMerges =
      first->mergedFrom != BERTH_NO_ROOT && second->mergedFrom != BERTH_NO_ROOT;
  return berthViewsAreOneBuffer(views, a, b) ||
         (areMerges && areOneChoice(views, a, b));
}

uint32_t berthViewsMergedRoot(const BerthViews *views, MlirValue value,
                              uint32_t root) {
  size_t merge = berthPointerMapFind(&views->mergeOf, value.ptr);
  for (; merge < views->numRoots &&
         mlirValueEqual(views->roots[merge].holder, value);
       ++merge)
    if (berthViewsAreOneBuffer(views, (uint32_t)merge, root))
      return (uint32_t)merge;
  return root;
}

static int compareIds(const void *left, const void *right) {
  uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  return (a > b) - (a < b);
}

/// The roots as they are in `value`, in the scope's memory.
static const uint32_t *mergeRoots(BerthViews *views, MlirValue value,
                                  const uint32_t *ids, size_t count) {
  if (berthPointerMapFind(&views->mergeOf, value.ptr) == BERTH_NOT_FOUND)
    return ids;
  uint32_t *merged = BERTH_NEW(views->memory, uint32_t, count);
  for (size_t i = 0; i < count; ++i)
    merged[i] = berthViewsMergedRoot(views, value, ids[i]);
  qsort(merged, count, sizeof *merged, compareIds);
  return merged;
}

void berthViewsAddRoots(BerthViews *views, MlirValue value, const uint32_t *ids,
                        size_t count, bool isWhole) {
  BerthRootSet *set = berthViewsFindOrAdd(views, value);
  if (set->isPieces)
    return;
  BerthMemoryMark mark = berthMemoryGetMark(views->memory);
  ids = mergeRoots(views, value, ids, count);
  size_t total;
  uint32_t *merged = unite(views->memory, set, ids, count, &total);
  if (total == set->count) {
    berthMemoryRelease(views->memory, mark);
    return;
  }
  set->isWhole = set->count == 0 && isWhole;
  set->ids = merged;
  set->count = total;
  makePending(views, set);
}

uint32_t berthViewsAddRoot(BerthViews *views, BerthRoot root) {
  if (root.bufferLower == root.bufferUpper) {
    root.bufferLower = root.lower;
    root.bufferUpper = root.upper;
  }
  // All pairs are compared by it, and there may be many.
  root.arenaKey =
      mlirValueIsNull(root.arena) ? NULL : berthViewsArenaKey(root.arena);
  views->roots = berthGrow(views->roots, views->numRoots, &views->rootCapacity,
                           sizeof *views->roots);
  views->roots[views->numRoots] = root;
  return (uint32_t)views->numRoots++;
}

bool berthViewsAddToSet(BerthViews *views, MlirValue value, uint32_t id) {
  BerthRootSet *set = berthViewsFindOrAdd(views, value);
  bool isWhole = set->isWhole;
  size_t before = set->count;
  berthViewsAddRoots(views, value, &id, 1, false);
  views->numPending = 0;
  set = berthViewsFindOrAdd(views, value);
  set->isPending = false;
  set->isWhole = isWhole;
  return set->count > before;
}

bool berthViewsMakesOnly(const BerthViews *views, MlirOperation op,
                         MlirValue value) {
  if (mlirOperationGetNumResults(op) == 0)
    return false;
  MlirValue source = berthViewGetSource(op);
  if (!mlirValueIsNull(source))
    return mlirValueEqual(source, value);
  BerthEffects effects;
  bool isPure = mlirOperationGetNumResults(op) == 1 &&
                mlirOperationGetNumRegions(op) == 0 &&
                berthOpSumEffects(op, value, &effects) && !effects.anywhere &&
                berthViewsFind(views, mlirOperationGetResult(op, 0));
  intptr_t count = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; isPure && i < count; ++i) {
    MlirValue other = mlirOperationGetOperand(op, i);
    isPure = mlirValueEqual(other, value) || !berthViewsFind(views, other);
  }
  return isPure;
}

bool berthViewsPlaceOf(MlirOperation op, int64_t *lower, int64_t *upper) {
  MlirAttribute offset = berthAttributeOf(op, BERTH_OFFSET);
  MlirAttribute size =
      mlirAttributeIsNull(offset) ? offset : berthAttributeOf(op, BERTH_SIZE);
  if (mlirAttributeIsNull(size) || !mlirAttributeIsAInteger(offset) ||
      !mlirAttributeIsAInteger(size) || mlirOperationGetNumResults(op) != 1)
    return false;
  *lower = mlirIntegerAttrGetValueInt(offset);
  BerthEffects effects;
  return berthOpSumEffects(op, mlirOperationGetResult(op, 0), &effects) &&
         (effects.onValue & BERTH_EFFECT_ALLOCATE) &&
         !__builtin_add_overflow(*lower, mlirIntegerAttrGetValueInt(size),
                                 upper);
}

MlirAttribute berthViewsPlacedSpace(MlirOperation op) {
  BerthToldAllocation told;
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  MlirAttribute named = berthAttributeOf(op, BERTH_SPACE);
  if (!mlirAttributeIsNull(named))
    return berthSpaceNamedBy(named);
  if (berthOpIsToldAllocation(op, &told) && told.hasSpace)
    return told.space;
  return mlirTypeIsAMemRef(type) ? mlirMemRefTypeGetMemorySpace(type)
                                 : mlirAttributeGetNull();
}

/// What an arena is known by: of placed buffers the memory space, which is one
/// arena; a global's name, since each function that was
/// inlined brings a memref.get_global of its own; the one block of dynamic
/// shared memory; else the value.
const void *berthViewsArenaKey(MlirValue arena) {
  static const char dynamicMemory = 0, defaultSpace = 0, deviceMemory = 0;
  if (!mlirValueIsAOpResult(arena))
    return arena.ptr;
  MlirOperation op = mlirOpResultGetOwner(arena);
  int64_t lower, upper;
  if (berthViewsPlaceOf(op, &lower, &upper)) {
    MlirAttribute space = berthViewsPlacedSpace(op);
    const void *memory = mlirAttributeIsNull(space) ? &defaultSpace : space.ptr;
    return berthOpIs(op, BERTH_OP_DEVICE_ALLOC) ? &deviceMemory : memory;
  }
  if (berthOpIs(op, BERTH_OP_DYNAMIC_SHARED))
    return &dynamicMemory;
  if (!berthOpIs(op, BERTH_OP_GET_GLOBAL))
    return arena.ptr;
  return berthAttributeOf(op, "name").ptr;
}

bool berthViewsIsOneArena(MlirValue a, MlirValue b) {
  return mlirValueEqual(a, b) || berthViewsArenaKey(a) == berthViewsArenaKey(b);
}

bool berthViewsMakes(const BerthViews *views, MlirOperation op,
                     uint32_t *root) {
  int64_t lower, upper;
  // Most ops that are asked about make nothing that points anywhere.
  const BerthRootSet *set =
      mlirOperationGetNumResults(op) == 1
          ? berthViewsFind(views, mlirOperationGetResult(op, 0))
          : NULL;
  bool isPlaced = set && berthViewsPlaceOf(op, &lower, &upper);
  if (!set || (!isPlaced && !berthOpIs(op, BERTH_OP_VIEW)))
    return false;
  MlirValue source =
      isPlaced ? mlirOperationGetResult(op, 0) : mlirOperationGetOperand(op, 0);
  if ((set->count != 1 && !set->isPieces) ||
      !berthViewsIsOneArena(views->roots[set->ids[0]].arena, source))
    return false;
  *root = set->ids[0];
  return true;
}

bool berthViewsMakesAnew(const BerthViews *views, MlirOperation op,
                         uint32_t *root) {
  return berthViewsMakes(views, op, root) &&
         mlirAttributeIsNull(berthAttributeOf(op, BERTH_KEEPS));
}

static const void *keyOf(const BerthRoot *root) {
  return root->arenaKey ? root->arenaKey : berthViewsArenaKey(root->arena);
}

bool berthViewsOverlap(const BerthViews *views, uint32_t a, uint32_t b) {
  const BerthRoot *first = &views->roots[a], *second = &views->roots[b];
  bool isInstance =
      first->instanceOf != BERTH_NO_ROOT || second->instanceOf != BERTH_NO_ROOT;
  // Views at computed offsets may have any byte, as far as this tells.
  bool mayMeet = first->lower < second->upper && second->lower < first->upper;
  if (isInstance || !mayMeet || berthViewsAreTogether(views, a, b) ||
      (!mlirValueEqual(first->arena, second->arena) &&
       keyOf(first) != keyOf(second)))
    return false;
  a = first->compared;
  b = second->compared;
  bool areViews =
      !mlirOperationIsNull(first->view) && !mlirOperationIsNull(second->view);
  if (areViews && (first->isShifted || second->isShifted))
    return !views->isApart[a * views->numCompared + b] &&
           !views->isApart[b * views->numCompared + a];
  return true;
}
