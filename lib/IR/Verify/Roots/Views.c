//===- Views.c - Arenas, their buffers, and what points there -------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Roots/Views.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Dealloc.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/EqualValues.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Spaces.h"
#include "IR/Verify/Roots/Offsets.h"
#include "IR/Verify/Roots/RunTimeApart.h"
#include "IR/Verify/Roots/Scopes.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Sets
//===----------------------------------------------------------------------===//

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

static BerthRootSet *findOrAdd(BerthViews *views, MlirValue value) {
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

/// Adds roots to what `value` may point into. `isWhole` tells whether it
/// addresses all bytes of the only root; merging sets forgets that.
static void addRoots(BerthViews *views, MlirValue value, const uint32_t *ids,
                     size_t count, bool isWhole) {
  BerthRootSet *set = findOrAdd(views, value);
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
  BerthRootSet *set = findOrAdd(views, value);
  bool isWhole = set->isWhole;
  size_t before = set->count;
  addRoots(views, value, &id, 1, false);
  views->numPending = 0;
  set = findOrAdd(views, value);
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

static bool isOneArena(MlirValue a, MlirValue b) {
  return mlirValueEqual(a, b) || berthViewsArenaKey(a) == berthViewsArenaKey(b);
}

bool berthViewsMakes(const BerthViews *views, MlirOperation op,
                     uint32_t *root) {
  int64_t lower, upper;
  bool isPlaced = berthViewsPlaceOf(op, &lower, &upper);
  if (!isPlaced && !berthOpIs(op, BERTH_OP_VIEW))
    return false;
  MlirValue source =
      isPlaced ? mlirOperationGetResult(op, 0) : mlirOperationGetOperand(op, 0);
  const BerthRootSet *set =
      berthViewsFind(views, mlirOperationGetResult(op, 0));
  if (!set || (set->count != 1 && !set->isPieces) ||
      !isOneArena(views->roots[set->ids[0]].arena, source))
    return false;
  *root = set->ids[0];
  return true;
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

//===----------------------------------------------------------------------===//
// Propagation: what a use of a value makes of its roots
//===----------------------------------------------------------------------===//

/// The value at hand, by copy: the table of sets may move.
typedef struct Step {
  BerthViews *views;
  MlirValue value;
  const uint32_t *ids;
  size_t count;
  bool isWhole;
} Step;

static void tell(const Step *step, MlirValue to, bool isWhole) {
  addRoots(step->views, to, step->ids, step->count, isWhole);
}

static void tellPointer(const Step *step, MlirValue to) {
  if (berthTypeMayPoint(mlirValueGetType(to)))
    tell(step, to, false);
}

bool berthMayHoldAddress(MlirType type) {
  if (mlirTypeIsAVector(type))
    return berthMayHoldAddress(mlirShapedTypeGetElementType(type));
  if (mlirTypeIsAComplex(type))
    return berthMayHoldAddress(mlirComplexTypeGetElementType(type));
  return berthTypeMayPoint(type) || mlirTypeIsAIndex(type) ||
         mlirTypeIsAFloat(type) ||
         (mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) > 1);
}

/// True for bits that are neither pointer nor integer: an address gets there
/// from an integer only, as by a bitcast.
static bool isFloating(MlirType type) {
  if (mlirTypeIsAVector(type))
    type = mlirShapedTypeGetElementType(type);
  return mlirTypeIsAFloat(type) || mlirTypeIsAComplex(type);
}

/// `isReturned`: the op is a call, and its function has made them of the value.
static void tellResults(const Step *step, MlirOperation op, bool evenIntegers,
                        bool isReturned) {
  if (berthOpReturnsNoPointer(op))
    return;
  bool isOfNumber =
      isReturned || !berthTypeMayPoint(mlirValueGetType(step->value));
  intptr_t numResults = mlirOperationGetNumResults(op);
  for (intptr_t i = 0; i < numResults; ++i) {
    MlirValue result = mlirOperationGetResult(op, i);
    MlirType type = mlirValueGetType(result);
    bool isAddress =
        evenIntegers && !berthTypeMayPoint(type) && berthMayHoldAddress(type) &&
        (isOfNumber || !isFloating(type)) &&
        !berthFeedsOnlyDeallocation(result, true, step->views->callees->root);
    if (isAddress)
      tell(step, result, false);
    else
      tellPointer(step, result);
  }
}

static void followRegionEdge(const BerthRegionEdge *edge, void *userData) {
  const Step *step = userData;
  for (intptr_t i = 0; i < edge->numValues; ++i)
    if (mlirValueEqual(edge->forwarded[i], step->value))
      tell(step, edge->received[i], false);
}

static void followBranch(MlirValue forwarded, MlirValue received,
                         void *userData) {
  const Step *step = userData;
  if (!mlirValueIsNull(forwarded) && mlirValueEqual(forwarded, step->value))
    tell(step, received, false);
}

/// The arguments of a block that an op runs or goes to we know not how.
static void tellArguments(const Step *step, MlirBlock block) {
  intptr_t numArguments =
      mlirBlockIsNull(block) ? 0 : mlirBlockGetNumArguments(block);
  for (intptr_t i = 0; i < numArguments; ++i)
    tellPointer(step, mlirBlockGetArgument(block, i));
}

static void tellRegionArguments(const Step *step, MlirOperation op) {
  intptr_t numRegions = mlirOperationGetNumRegions(op);
  for (intptr_t i = 0; i < numRegions; ++i)
    tellArguments(step, mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i)));
}

/// The last op of a region hands its operands on to the op around it.
static void followTerminator(const Step *step, MlirOperation op) {
  MlirOperation parent = mlirOperationGetParentOperation(op);
  if (mlirOperationIsNull(parent) || berthOpIsFunction(parent))
    return;
  if (!berthOpGetRegionEdges(parent, followRegionEdge, (void *)step))
    tellResults(step, parent, true, false);
}

static bool isLast(MlirOperation op) {
  return mlirOperationIsNull(mlirOperationGetNextInBlock(op));
}

/// Whatever else code that is not seen is given may hold the pointer from then
/// on: a box, a storage, a queue.
static void tellHandles(const Step *step, MlirOperation op) {
  MlirOperation callee;
  bool isCall = berthOpGetCallee(op, &callee);
  intptr_t count = mlirOperationGetNumOperands(op);
  bool isHandle = !mlirTypeIsAShaped(mlirValueGetType(step->value)) &&
                  berthTypeMayPoint(mlirValueGetType(step->value));
  for (intptr_t i = 0; i < count && !isHandle; ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    bool isCallee = isCall && berthCallGetArgument(op, i) < 0;
    if (!isCallee && !mlirTypeIsAShaped(mlirValueGetType(operand)))
      tellPointer(step, operand);
  }
}

static bool isWithoutBody(MlirOperation callee) {
  return mlirOperationIsNull(callee) || mlirBlockIsNull(mlirRegionGetFirstBlock(
                                            mlirOperationGetRegion(callee, 0)));
}

static void followCall(const Step *step, MlirOperation op, MlirOperation callee,
                       intptr_t operand) {
  BerthCalleeArgument argument = berthCalleesGetArgument(
      step->views->callees, callee, berthCallGetArgument(op, operand));
  if (argument.isReturned)
    tellResults(step, op, true, true);
  if (isWithoutBody(callee))
    tellHandles(step, op);
}

/// What an op returns that reads nothing through the value may be made of the
/// address itself, even an integer.
static bool mayMakeAddresses(MlirOperation op, MlirValue value) {
  BerthEffects effects;
  return !berthOpResultsAreShapes(op) &&
         (!berthOpSumEffects(op, value, &effects) || !effects.onValue);
}

/// True if a view's only user gives it its layout: then that is as whole.
static bool isFlatForm(MlirOperation view, MlirOperation user) {
  MlirValue result = mlirOperationGetResult(view, 0);
  MlirOpOperand first = mlirValueGetFirstUse(result);
  return berthOpIs(view, BERTH_OP_VIEW) &&
         berthOpIs(user, BERTH_OP_REINTERPRET) &&
         mlirOpOperandIsNull(mlirOpOperandGetNextUse(first));
}

/// Views of an arena have roots of their own, not that of the arena as a whole.
static bool isOwnRoot(const Step *step, MlirOperation op) {
  const BerthRoot *root = &step->views->roots[step->ids[0]];
  return berthOpIs(op, BERTH_OP_VIEW) && isOneArena(root->arena, step->value) &&
         root->isBase;
}

static bool followView(const Step *step, MlirOperation op) {
  MlirValue source = berthViewGetSource(op);
  if (mlirValueIsNull(source) || !mlirValueEqual(source, step->value))
    return false;
  if (isOwnRoot(step, op))
    return true;
  bool isWhole = berthViewIsWhole(op);
  if (mlirValueIsAOpResult(source))
    isWhole |= isFlatForm(mlirOpResultGetOwner(source), op);
  intptr_t numResults = mlirOperationGetNumResults(op);
  for (intptr_t i = 0; i < numResults; ++i) {
    MlirValue result = mlirOperationGetResult(op, i);
    if (berthTypeMayPoint(mlirValueGetType(result)))
      tell(step, result, isWhole && step->isWhole);
  }
  return true;
}

/// Code that runs asynchronously is waited for through the op's results.
static void tellAsyncAncestors(const Step *step, MlirOperation op) {
  op = mlirOperationGetParentOperation(op);
  for (; !mlirOperationIsNull(op) && !berthOpIsFunction(op);
       op = mlirOperationGetParentOperation(op))
    if (berthOpIsAsync(op))
      tellResults(step, op, false, false);
}

static void followUse(Step *step, MlirOpOperand use) {
  MlirOperation op = mlirOpOperandGetOwner(use);
  tellAsyncAncestors(step, op);
  if (followView(step, op))
    return;
  MlirOperation callee;
  if (!berthOpIsDescribed(op) && berthOpGetCallee(op, &callee)) {
    followCall(step, op, callee, mlirOpOperandGetOperandNumber(use));
    return;
  }
  intptr_t numSuccessors = mlirOperationGetNumSuccessors(op);
  for (intptr_t i = 0; i < numSuccessors; ++i)
    if (!berthBranchGetOperands(op, i, followBranch, step))
      tellArguments(step, mlirOperationGetSuccessor(op, i));
  bool isBranch = berthOpGetRegionEdges(op, followRegionEdge, step);
  if (!isBranch)
    tellRegionArguments(step, op);
  if (isLast(op))
    followTerminator(step, op);
  if (!isBranch && numSuccessors == 0)
    tellResults(step, op,
                mayMakeAddresses(op, step->value) || berthOpLetsEscape(op),
                false);
}

static void propagate(BerthViews *views) {
  while (views->numPending) {
    BerthRootSet *set = &views->sets[views->pending[--views->numPending]];
    set->isPending = false;
    Step step = {views, set->value, set->ids, set->count, set->isWhole};
    for (MlirOpOperand use = mlirValueGetFirstUse(step.value);
         !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
      followUse(&step, use);
  }
}

//===----------------------------------------------------------------------===//
// Arenas
//===----------------------------------------------------------------------===//

/// The bytes that a view addresses; all of them where that is unknown.
static void setBytes(BerthRoot *root, MlirOperation view) {
  root->lower = 0;
  root->upper = INT64_MAX;
  int64_t shift, bytes = berthViewMostBytes(view);
  root->isShifted =
      bytes == INT64_MAX ||
      !berthValueIsConstant(mlirOperationGetOperand(view, 1), &shift);
  if (root->isShifted)
    return;
  root->lower = shift;
  root->upper = shift + bytes;
}

/// The root that a view with the same number has already, or a new one.
/// `rootOf` maps the arena's numbers (unique attributes) to roots; `isAgain`:
/// it has roots under another value too.
static uint32_t rootOfView(BerthViews *views, MlirValue arena, bool isAgain,
                           MlirOperation view, BerthPointerMap *rootOf) {
  MlirAttribute number = berthViewNumber(view);
  for (uint32_t i = 0;
       isAgain && !mlirAttributeIsNull(number) && i < (uint32_t)views->numRoots;
       ++i)
    if (!views->roots[i].isBase && isOneArena(views->roots[i].arena, arena) &&
        mlirAttributeEqual(berthViewNumber(views->roots[i].view), number))
      return i;
  bool isNew = mlirAttributeIsNull(number) ||
               berthPointerMapInsert(rootOf, number.ptr, views->numRoots);
  if (!isNew)
    return (uint32_t)berthPointerMapFind(rootOf, number.ptr);
  BerthRoot root = {.arena = arena,
                    .view = view,
                    .instanceOf = BERTH_NO_ROOT,
                    .mergedFrom = BERTH_NO_ROOT};
  setBytes(&root, view);
  return berthViewsAddRoot(views, root);
}

static bool isInScope(MlirOperation op, MlirOperation scope) {
  while (!mlirOperationIsNull(op) && !mlirOperationEqual(op, scope)) {
    if (berthOpIsFunction(op) || berthOpIs(op, BERTH_OP_LAUNCH))
      return false;
    op = mlirOperationGetParentOperation(op);
  }
  return !mlirOperationIsNull(op);
}

/// Every view of the arena in this scope is a buffer; every other use of it is
/// a use of all its bytes.
static void addArena(BerthViews *views, MlirValue arena, bool isAgain,
                     MlirOperation scope) {
  bool hasBase = false;
  BerthPointerMap rootOf = {0};
  for (MlirOpOperand use = mlirValueGetFirstUse(arena);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (!isInScope(op, scope))
      continue;
    if (!berthOpIs(op, BERTH_OP_VIEW)) {
      hasBase |= !berthOpIsFree(op);
      continue;
    }
    uint32_t id = rootOfView(views, arena, isAgain, op, &rootOf);
    addRoots(views, mlirOperationGetResult(op, 0), &id, 1, true);
  }
  berthPointerMapFree(&rootOf);
  if (!hasBase)
    return;
  BerthRoot base = {.arena = arena,
                    .isBase = true,
                    .upper = INT64_MAX,
                    .instanceOf = BERTH_NO_ROOT,
                    .mergedFrom = BERTH_NO_ROOT};
  uint32_t id = berthViewsAddRoot(views, base);
  addRoots(views, arena, &id, 1, false);
}

/// An allocation that has a place is a buffer of the memory that it is in.
static void addPlaced(BerthViews *views, MlirOperation alloc) {
  BerthRoot root = {.arena = mlirOperationGetResult(alloc, 0),
                    .view = alloc,
                    .instanceOf = BERTH_NO_ROOT,
                    .mergedFrom = BERTH_NO_ROOT};
  berthViewsPlaceOf(alloc, &root.lower, &root.upper);
  uint32_t id = berthViewsAddRoot(views, root);
  addRoots(views, root.arena, &id, 1, true);
}

typedef struct Search {
  BerthViews *views;
  MlirOperation scope;
  const BerthVerifyOptions *options;
  BerthPointerMap seen; ///< arenas
  BerthPointerMap keys; ///< what they are known by
} Search;

/// How many buffers an arena lies in, one in the other. No more than an index
/// can count, in code that is never reached either.
static size_t layerOf(MlirValue arena) {
  enum { kDeepest = 64 };
  size_t layer = 0;
  for (int i = 0; i < kDeepest && mlirValueIsAOpResult(arena); ++i) {
    int64_t lower, upper;
    MlirOperation op = mlirOpResultGetOwner(arena);
    layer += berthViewIsBuffer(op) || berthViewsPlaceOf(op, &lower, &upper);
    arena = berthValueViewed(arena);
    if (mlirValueIsNull(arena))
      break;
  }
  return layer;
}

static bool isInLayer(Search *search, size_t layer) {
  if (layer >= search->views->numLayers)
    search->views->numLayers = layer + 1;
  return search->options->layer == BERTH_ALL_LAYERS ||
         search->options->layer == layer;
}

static MlirWalkResult searchOp(MlirOperation op, void *userData) {
  Search *search = userData;
  if (!isInScope(op, search->scope))
    return MlirWalkResultSkip;
  int64_t lower, upper;
  if (berthViewsPlaceOf(op, &lower, &upper) &&
      mlirOperationEqual(berthPlacedScope(op, search->options),
                         search->scope) &&
      isInLayer(search, 0))
    addPlaced(search->views, op);
  if (!berthViewIsBuffer(op) ||
      !mlirOperationEqual(berthViewPlace(op, search->options).scope,
                          search->scope))
    return MlirWalkResultAdvance;
  MlirValue arena = mlirOperationGetOperand(op, 0);
  if (isInLayer(search, layerOf(arena)) &&
      berthPointerMapInsert(&search->seen, arena.ptr, 1))
    addArena(
        search->views, arena,
        !berthPointerMapInsert(&search->keys, berthViewsArenaKey(arena), 1),
        search->scope);
  return MlirWalkResultAdvance;
}

//===----------------------------------------------------------------------===//
// Buffers of called functions
//===----------------------------------------------------------------------===//

typedef struct CalleeWalk {
  Search *search;
  MlirOperation call;
  BerthPointerMap seen; ///< functions
} CalleeWalk;

static uint32_t rootOfCallee(BerthViews *views, MlirOperation view) {
  for (uint32_t i = 0; i < (uint32_t)views->numRoots; ++i)
    if (mlirOperationEqual(views->roots[i].view, view))
      return i;
  BerthRoot root = {.arena = mlirOperationGetOperand(view, 0),
                    .view = view,
                    .instanceOf = BERTH_NO_ROOT,
                    .mergedFrom = BERTH_NO_ROOT};
  setBytes(&root, view);
  return berthViewsAddRoot(views, root);
}

/// Two functions may use one global: what the one makes there the other has
/// not.
static MlirWalkResult findCalleeBuffers(MlirOperation op, void *userData) {
  CalleeWalk *walk = userData;
  BerthViews *views = walk->search->views;
  bool isShared =
      berthViewIsBuffer(op) &&
      berthPointerMapFind(&walk->search->keys,
                          berthViewsArenaKey(mlirOperationGetOperand(op, 0))) !=
          BERTH_NOT_FOUND;
  if (isShared) {
    views->calleeBuffers =
        berthGrow(views->calleeBuffers, views->numCalleeBuffers,
                  &views->calleeBufferCapacity, sizeof *views->calleeBuffers);
    views->calleeBuffers[views->numCalleeBuffers++] =
        (BerthCalleeBuffer){walk->call, rootOfCallee(views, op)};
  }
  MlirOperation callee;
  bool isNew = berthOpGetCallee(op, &callee) && !mlirOperationIsNull(callee) &&
               !berthCalleeIsHidden(callee, views->callees->root) &&
               berthPointerMapInsert(&walk->seen, callee.ptr, 1);
  if (isNew)
    mlirOperationWalk(callee, findCalleeBuffers, walk, MlirWalkPreOrder);
  return MlirWalkResultAdvance;
}

static MlirWalkResult searchCall(MlirOperation op, void *userData) {
  Search *search = userData;
  MlirOperation callee;
  if (!isInScope(op, search->scope))
    return MlirWalkResultSkip;
  if (!berthOpGetCallee(op, &callee))
    return MlirWalkResultAdvance;
  CalleeWalk walk = {.search = search, .call = op};
  // One that calls itself is told of elsewhere.
  berthPointerMapInsert(&walk.seen, search->scope.ptr, 1);
  findCalleeBuffers(op, &walk);
  berthPointerMapFree(&walk.seen);
  return MlirWalkResultAdvance;
}

static bool hasGlobalArena(const BerthViews *views) {
  for (size_t i = 0; i < views->numRoots; ++i) {
    MlirValue arena = views->roots[i].arena;
    if (mlirValueIsAOpResult(arena) &&
        berthOpIs(mlirOpResultGetOwner(arena), BERTH_OP_GET_GLOBAL))
      return true;
  }
  return false;
}

/// Where some offset is computed, asks which root lies above which other one.
static void compareOffsets(BerthViews *views) {
  bool anyShifted = false;
  for (size_t i = 0; i < views->numRoots; ++i)
    anyShifted |= views->roots[i].isShifted;
  if (!anyShifted)
    return;
  BerthArenaView *list = berthAllocateOrDie(views->numRoots, sizeof *list);
  for (size_t i = 0; i < views->numRoots; ++i) {
    MlirOperation view = views->roots[i].view;
    views->roots[i].compared = (uint32_t)i;
    bool isView = !mlirOperationIsNull(view) && berthOpIs(view, BERTH_OP_VIEW);
    list[i] = (BerthArenaView){isView ? view : (MlirOperation){NULL},
                               berthViewsArenaKey(views->roots[i].arena)};
  }
  views->numCompared = views->numRoots;
  views->isApart = berthFindApart(list, views->numCompared);
  free(list);
}

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

static int compareBytes(const void *left, const void *right) {
  int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
  return (a > b) - (a < b);
}

/// Makes roots of what lies between two ends of views; returns the first of the
/// new ones, which come behind one another. The first piece keeps its number.
static uint32_t cutRoot(BerthViews *views, const BerthPiece *items,
                        size_t count) {
  BerthRoot whole = views->roots[items->root];
  int64_t *cuts = berthAllocateOrDie(2 * count + 1, sizeof *cuts);
  size_t numCuts = 0;
  cuts[numCuts++] = 0;
  for (size_t i = 0; i < count; ++i) {
    cuts[numCuts++] = items[i].lower;
    cuts[numCuts++] = items[i].upper;
  }
  qsort(cuts, numCuts, sizeof *cuts, compareBytes);
  uint32_t first = (uint32_t)views->numRoots;
  views->roots[items->root].upper = whole.lower;
  for (size_t i = 0; i + 1 < numCuts; ++i) {
    BerthRoot piece = whole;
    if (cuts[i] == cuts[i + 1])
      continue;
    piece.lower = whole.lower + cuts[i];
    piece.upper = whole.lower + cuts[i + 1];
    if (cuts[i] == 0)
      views->roots[items->root] = piece;
    else
      berthViewsAddRoot(views, piece);
  }
  free(cuts);
  return first;
}

static void pointToPieces(BerthViews *views, const BerthPiece *item,
                          uint32_t first) {
  uint32_t *ids =
      BERTH_NEW(views->memory, uint32_t, views->numRoots - first + 1);
  size_t count = 0;
  int64_t start = views->roots[item->root].bufferLower;
  for (uint32_t i = first - 1; i < views->numRoots; ++i) {
    uint32_t id = i < first ? item->root : i;
    const BerthRoot *piece = &views->roots[id];
    if (piece->lower < start + item->upper &&
        start + item->lower < piece->upper)
      ids[count++] = id;
  }
  BerthRootSet *set = findOrAdd(views, item->value);
  bool isPending = set->isPending;
  *set = (BerthRootSet){.value = item->value,
                        .count = count,
                        .ids = ids,
                        .isPieces = true,
                        .isDense = item->isDense,
                        .isPending = isPending};
  const BerthRoot *root = &views->roots[item->root];
  set->isWhole = item->isDense && item->lower == 0 &&
                 item->upper == root->bufferUpper - root->bufferLower;
}

static void addPieces(BerthViews *views, BerthPieces pieces) {
  for (size_t i = 0, end; i < pieces.count; i = end) {
    for (end = i + 1;
         end < pieces.count && pieces.items[end].root == pieces.items[i].root;)
      ++end;
    uint32_t first = cutRoot(views, &pieces.items[i], end - i);
    for (size_t k = i; k < end; ++k)
      pointToPieces(views, &pieces.items[k], first);
  }
}

BerthViews berthViewsOfScope(MlirOperation scope,
                             const BerthVerifyOptions *options,
                             BerthCallees *callees, BerthMemory *memory) {
  return berthViewsOfMerges(scope, options, callees, memory, (BerthPieces){0},
                            NULL, 0);
}

BerthViews berthViewsOfMerges(MlirOperation scope,
                              const BerthVerifyOptions *options,
                              BerthCallees *callees, BerthMemory *memory,
                              BerthPieces pieces, const BerthRoot *merges,
                              size_t numMerges) {
  BerthViews views = {.memory = memory, .callees = callees};
  Search search = {&views, scope, options, {0}, {0}};
  mlirOperationWalk(scope, searchOp, &search, MlirWalkPreOrder);
  if (hasGlobalArena(&views))
    mlirOperationWalk(scope, searchCall, &search, MlirWalkPreOrder);
  berthPointerMapFree(&search.seen);
  berthPointerMapFree(&search.keys);
  compareOffsets(&views);
  addPieces(&views, pieces);
  views.firstMerge = views.numRoots;
  for (size_t i = 0; i < numMerges; ++i)
    berthPointerMapInsert(&views.mergeOf, merges[i].holder.ptr,
                          berthViewsAddRoot(&views, merges[i]));
  propagate(&views);
  views.firstInstance = views.numRoots;
  return views;
}

BerthViews berthViewsOfArguments(MlirOperation function, BerthCallees *callees,
                                 BerthMemory *memory) {
  BerthViews views = {.memory = memory, .callees = callees};
  MlirBlock entry =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  intptr_t numArguments = mlirBlockGetNumArguments(entry);
  for (intptr_t i = 0; i < numArguments; ++i) {
    MlirValue argument = mlirBlockGetArgument(entry, i);
    BerthRoot root = {.arena = argument,
                      .upper = INT64_MAX,
                      .instanceOf = BERTH_NO_ROOT,
                      .mergedFrom = BERTH_NO_ROOT};
    uint32_t id = berthViewsAddRoot(&views, root);
    if (berthTypeMayPoint(mlirValueGetType(argument)))
      addRoots(&views, argument, &id, 1, true);
  }
  propagate(&views);
  views.firstMerge = views.firstInstance = views.numRoots;
  return views;
}

BerthViews berthViewsOfValues(const BerthRoot *roots, size_t numRoots,
                              const BerthRootValue *values, size_t numValues,
                              BerthCallees *callees, BerthMemory *memory) {
  BerthViews views = {.memory = memory, .callees = callees};
  for (size_t i = 0; i < numRoots; ++i)
    berthViewsAddRoot(&views, roots[i]);
  for (size_t i = 0; i < numValues; ++i)
    addRoots(&views, values[i].value, &values[i].root, 1, true);
  propagate(&views);
  views.firstMerge = views.firstInstance = views.numRoots;
  return views;
}

void berthViewsFree(BerthViews *views) {
  free(views->roots);
  free(views->isApart);
  free(views->sets);
  free(views->pending);
  free(views->calleeBuffers);
  berthPointerMapFree(&views->setOf);
  berthPointerMapFree(&views->mergeOf);
}
