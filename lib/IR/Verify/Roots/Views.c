//===- Views.c - Arenas, their buffers, and what points there -------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Roots/Views.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Dealloc.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/EqualValues.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Verify/Roots/Offsets.h"
#include "IR/Verify/Roots/RootFlow.h"
#include "IR/Verify/Roots/RunTimeApart.h"
#include "IR/Verify/Roots/Scopes.h"
#include <stdlib.h>

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
    if (!views->roots[i].isBase &&
        berthViewsIsOneArena(views->roots[i].arena, arena) &&
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
    berthViewsAddRoots(views, mlirOperationGetResult(op, 0), &id, 1, true);
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
  berthViewsAddRoots(views, arena, &id, 1, false);
}

/// An allocation that has a place is a buffer of the memory that it is in.
static void addPlaced(BerthViews *views, MlirOperation alloc) {
  BerthRoot root = {.arena = mlirOperationGetResult(alloc, 0),
                    .view = alloc,
                    .instanceOf = BERTH_NO_ROOT,
                    .mergedFrom = BERTH_NO_ROOT};
  berthViewsPlaceOf(alloc, &root.lower, &root.upper);
  uint32_t id = berthViewsAddRoot(views, root);
  berthViewsAddRoots(views, root.arena, &id, 1, true);
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
  BerthRootSet *set = berthViewsFindOrAdd(views, item->value);
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
  berthViewsPropagate(&views);
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
      berthViewsAddRoots(&views, argument, &id, 1, true);
  }
  berthViewsPropagate(&views);
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
    berthViewsAddRoots(&views, values[i].value, &values[i].root, 1, true);
  berthViewsPropagate(&views);
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
