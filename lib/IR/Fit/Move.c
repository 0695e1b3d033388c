//===- Move.c - Content that changes places -----------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Fit/Move.h"
#include "IR/Fit/FitMarks.h"
#include "IR/Fit/Movable.h"
#include "IR/Fit/Recompute.h"
#include "IR/Fit/Tiles.h"
#include "IR/Ops/Allocations.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Build.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Rules.h"
#include "mlir-c/BuiltinTypes.h"

//===----------------------------------------------------------------------===//
// Figures
//===----------------------------------------------------------------------===//

/// True if the buffer is not in one place, the one where it was allocated.
static bool isMoved(const BerthFitBuffer *buffer) {
  if (mlirBlockIsNull(buffer->block))
    return false;
  size_t first = mlirOperationIsNull(buffer->copy) ? 0 : 1;
  size_t home = buffer->isInSlow ? BERTH_NOT_FOUND : buffer->uses[first].stay;
  bool moves = !buffer->isInSlow && home == BERTH_NOT_FOUND;
  for (size_t k = first; k < buffer->numUses; ++k)
    moves |= buffer->uses[k].stay != home || buffer->uses[k].isTiled;
  return moves;
}

static void countSlices(const BerthFitBuffer *buffer, const BerthFitUse *use,
                        BerthFitMoves *moves) {
  BerthFitSlices slices = berthFitSlicesOf(buffer, use);
  moves->bytesIn += slices.bytesIn * buffer->runs;
  moves->bytesOut += slices.bytesOut * buffer->runs;
  moves->bytesOfSlices += (slices.bytesIn + slices.bytesOut) * buffer->runs;
  moves->moves += slices.moves * buffer->runs;
  moves->isExact &= slices.isKnown && buffer->runsAreKnown;
}

static void countUse(const BerthFitJob *fit, const BerthFitPlan *plan,
                     const BerthFitBuffer *buffer, size_t index,
                     BerthFitMoves *moves) {
  const BerthFitUse *use = &buffer->uses[index];
  if (use->isTiled)
    countSlices(buffer, use, moves);
  else if (use->stay == BERTH_NOT_FOUND)
    moves->bytesTouched += (double)use->bytes * buffer->runs;
  if (berthFitIsComputedAgain(buffer, index, plan))
    moves->bytesTouched += berthFitProducerReads(fit, use, true) * buffer->runs;
}

BerthFitMoves berthFitCount(const BerthFitJob *fit, const BerthFitPlan *plan) {
  BerthFitMoves moves = {.isExact = true};
  for (size_t i = 0; i < plan->numStays; ++i) {
    const BerthStay *stay = &plan->stays[i];
    const BerthFitBuffer *buffer = &fit->buffers[stay->buffer];
    double bytes = (double)buffer->info->size * buffer->runs;
    if (stay->tiled)
      continue;
    moves.moves += (stay->filled + stay->spilled) * buffer->runs;
    moves.bytesIn += stay->filled ? bytes : 0;
    moves.bytesOut += stay->spilled ? bytes : 0;
    moves.bytesComputed += stay->made ? bytes : 0;
    if (stay->filled || stay->spilled || stay->made)
      moves.isExact &= buffer->runsAreKnown;
  }
  for (size_t i = 0; i < fit->numBuffers; ++i) {
    const BerthFitBuffer *buffer = &fit->buffers[i];
    if (mlirBlockIsNull(buffer->block))
      continue;
    moves.numMoved += isMoved(buffer);
    size_t first = mlirOperationIsNull(buffer->copy) ? 0 : 1;
    for (size_t k = first; k < buffer->numUses; ++k)
      countUse(fit, plan, buffer, k, &moves);
  }
  return moves;
}

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

/// One buffer under way.
typedef struct Mover {
  const BerthFitJob *fit;
  const BerthFitPlan *plan;
  const BerthFitBuffer *buffer;
  MlirAttribute number;  ///< of the content
  MlirAttribute content; ///< with those that the buffer was a place of
  const BerthFitAgains *agains;
  BerthPointerMap aliasOf; ///< value -> index into the buffer's aliases
  MlirValue *views;        ///< of this stay: alias -> what stands for it
  MlirValue *slowViews;    ///< the same of its place in the slow memory
  MlirOperation lastSlow;  ///< the last op that touches that
  MlirOperation *places;   ///< that have been made of it
  size_t numPlaces, placeCapacity;
} Mover;

//===----------------------------------------------------------------------===//
// Marks, for who checks the result (Attributes.h)
//===----------------------------------------------------------------------===//

/// True if each run of the block has a run of the allocation of its own: then
/// there is nothing of the content where the block begins.
static bool beginsInBlock(const BerthFitBuffer *buffer) {
  MlirBlock own = mlirOperationGetBlock(buffer->info->alloc);
  MlirBlock block = buffer->block;
  while (!mlirBlockEqual(block, own)) {
    MlirOperation op = mlirBlockGetParentOperation(block);
    bool isBeside = mlirRegionEqual(mlirBlockGetParentRegion(block),
                                    mlirBlockGetParentRegion(own));
    if (berthBlockLeadsToItself(block, isBeside ? own : (MlirBlock){NULL}))
      return false;
    if (isBeside)
      return true;
    if (berthOpIsLoop(op) || berthOpIsParallel(op) ||
        !berthOpIsRegionBranch(op))
      return false;
    block = mlirOperationGetBlock(op);
  }
  return true;
}

static void markBegin(Mover *mover, MlirOperation piece) {
  const BerthFitBuffer *buffer = mover->buffer;
  if (mover->numPlaces == 0 && beginsInBlock(buffer)) {
    // What is a copy begins with that.
    if (mlirOperationIsNull(buffer->copy))
      berthFitAddNumbers(piece, BERTH_CONTENT_BEGINS, mover->number);
    MlirAttribute others =
        berthAttributeOf(buffer->info->alloc, BERTH_CONTENT_BEGINS);
    if (!mlirAttributeIsNull(others))
      berthFitAddNumbers(piece, BERTH_CONTENT_BEGINS, others);
  }
}

static void addPlace(Mover *mover, MlirOperation piece) {
  berthSetAttribute(piece, BERTH_CONTENT, mover->content);
  MlirAttribute isSourceOf =
      berthAttributeOf(mover->buffer->info->alloc, BERTH_CONTENT_SOURCE);
  if (!mlirAttributeIsNull(isSourceOf))
    berthSetAttribute(piece, BERTH_CONTENT_SOURCE, isSourceOf);
  markBegin(mover, piece);
  mover->places = berthGrow(mover->places, mover->numPlaces,
                            &mover->placeCapacity, sizeof *mover->places);
  mover->places[mover->numPlaces++] = piece;
}

/// `outer`: of those that the buffer was a place of; or null.
static void markPlaces(const Mover *mover, MlirAttribute outer) {
  MlirAttribute count = berthI64(mlirAttributeGetContext(mover->number),
                                 (int64_t)mover->numPlaces);
  if (!mlirAttributeIsNull(outer))
    count = berthFitJoinNumbers(count, outer);
  for (size_t i = 0; i < mover->numPlaces; ++i)
    berthSetAttribute(mover->places[i], BERTH_CONTENT_PLACES, count);
}

static MlirType typeIn(MlirType type, MlirAttribute space) {
  return berthMemRefWith(type, mlirMemRefTypeGetLayout(type), space);
}

static MlirAttribute spaceOf(const Mover *mover, bool isSlow) {
  return isSlow ? mover->fit->level->slow.space
                : mover->fit->level->fast.collect.space;
}

/// True if somebody else frees what the buffer was, or nobody would free this.
static bool isFreed(const Mover *mover, bool isSlow) {
  const BerthBufferInfo *info = mover->buffer->info;
  return info->numFrees > 0 ||
         (isSlow && berthOpIs(info->alloc, BERTH_OP_ALLOCA));
}

/// A new allocation in front of a use.
static MlirValue allocate(Mover *mover, MlirOperation use, bool isSlow) {
  const BerthBufferInfo *info = mover->buffer->info;
  MlirOperation before = berthFitFrontOf(mover->agains, use);
  MlirType type = typeIn(mlirValueGetType(info->value), spaceOf(mover, isSlow));
  bool isOnHeap = isSlow || berthOpIs(info->alloc, BERTH_OP_ALLOC);
  BerthInsertPoint at = berthInsertBefore(before);
  at.location = mlirOperationGetLocation(info->alloc);
  MlirValue piece =
      berthBuildAllocation(at, isOnHeap, type, (MlirValue){NULL},
                           info->alignment, isFreed(mover, isSlow));
  addPlace(mover, mlirOpResultGetOwner(piece));
  return piece;
}

static BerthInsertPoint behind(MlirOperation op) {
  return (BerthInsertPoint){mlirOperationGetBlock(op),
                            mlirOperationGetNextInBlock(op),
                            mlirOperationGetLocation(op)};
}

static MlirOperation buildMove(const Mover *mover, BerthInsertPoint at,
                               MlirValue from, MlirValue to) {
  MlirValue operands[] = {from, to};
  MlirOperation copy =
      berthBuild(at, BERTH_NAME_COPY, 2, operands, 0, NULL, 0, NULL);
  berthSetAttribute(copy, BERTH_MOVE, mover->number);
  return copy;
}

//===----------------------------------------------------------------------===//
// Uses
//===----------------------------------------------------------------------===//

/// The view of a piece that stands for an alias of the buffer. What is made
/// inside the op `top` of the block is made there, all else in front of it and
/// of what is computed for it.
static MlirValue viewOf(Mover *mover, size_t alias, MlirOperation top,
                        MlirValue *views) {
  if (!mlirValueIsNull(views[alias]))
    return views[alias];
  MlirValue original = mover->buffer->info->aliases[alias];
  MlirOperation op = mlirOpResultGetOwner(original);
  MlirOperation clone = mlirOperationClone(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(clone); ++i) {
    MlirValue operand = mlirOperationGetOperand(clone, i);
    size_t source = berthPointerMapFind(&mover->aliasOf, operand.ptr);
    if (source != BERTH_NOT_FOUND)
      mlirOperationSetOperand(clone, i, viewOf(mover, source, top, views));
  }
  MlirOperation around = berthAncestorInBlock(op, mover->buffer->block);
  MlirOperation before =
      !mlirOperationIsNull(around) && mlirOperationEqual(around, top)
          ? op
          : berthFitFrontOf(mover->agains, top);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(before), before,
                                      clone);
  MlirValue view =
      mlirOperationGetResult(clone, mlirOpResultGetResultNumber(original));
  MlirAttribute space =
      mlirMemRefTypeGetMemorySpace(mlirValueGetType(views[0]));
  mlirValueSetType(view, typeIn(mlirValueGetType(view), space));
  return views[alias] = view;
}

typedef struct Operand {
  MlirOperation op;
  intptr_t number;
  size_t alias;
  size_t next;  ///< another one of the same use
  bool isTiled; ///< it is given a tile
} Operand;

typedef struct Operands {
  Operand *items;
  size_t count, capacity;
  size_t *first; ///< of each use
} Operands;

/// What has to be replaced, use by use.
static Operands collectOperands(const Mover *mover) {
  const BerthFitBuffer *buffer = mover->buffer;
  const BerthBufferInfo *info = buffer->info;
  Operands list = {.first =
                       berthAllocateOrDie(buffer->numUses, sizeof *list.first)};
  BerthPointerMap useOf = {0};
  for (size_t k = 0; k < buffer->numUses; ++k) {
    list.first[k] = BERTH_NOT_FOUND;
    berthPointerMapInsert(&useOf, buffer->uses[k].op.ptr, k);
  }
  for (size_t i = 0; i < info->numAliases; ++i)
    for (MlirOpOperand use = mlirValueGetFirstUse(info->aliases[i]);
         !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
      MlirOperation op = mlirOpOperandGetOwner(use);
      if (berthOpIsFree(op) || !mlirValueIsNull(berthViewGetSource(op)))
        continue;
      MlirOperation top =
          berthFitUseOf(mover->agains, berthAncestorInBlock(op, buffer->block));
      size_t k = berthPointerMapFind(&useOf, top.ptr);
      list.items =
          berthGrow(list.items, list.count, &list.capacity, sizeof *list.items);
      list.items[list.count] =
          (Operand){op, (intptr_t)mlirOpOperandGetOperandNumber(use), i,
                    list.first[k], false};
      list.first[k] = list.count++;
    }
  berthPointerMapFree(&useOf);
  return list;
}

/// The op reads the source itself.
static void markRead(const Mover *mover, MlirOperation op, intptr_t operand) {
  berthFitAddNumbers(op, BERTH_CONTENT_READ, mover->number);
  berthFitAddNumbers(op, BERTH_CONTENT_READ,
                     berthI64(mlirOperationGetContext(op), operand));
}

static void retarget(Mover *mover, const Operands *list, size_t k,
                     MlirValue *views) {
  MlirOperation top = mover->buffer->uses[k].op;
  bool readsSource =
      !mlirOperationIsNull(mover->buffer->copy) && views == mover->slowViews;
  for (size_t i = list->first[k]; i < list->count; i = list->items[i].next) {
    const Operand *operand = &list->items[i];
    if (operand->isTiled)
      continue;
    mlirOperationSetOperand(operand->op, operand->number,
                            viewOf(mover, operand->alias, top, views));
    if (readsSource)
      markRead(mover, operand->op, operand->number);
  }
}

//===----------------------------------------------------------------------===//
// One buffer
//===----------------------------------------------------------------------===//

/// Its place in the slow memory, made in front of `before` where there is none.
static MlirValue slowPlace(Mover *mover, MlirOperation before) {
  if (mlirValueIsNull(mover->slowViews[0]))
    mover->slowViews[0] = allocate(mover, before, true);
  return mover->slowViews[0];
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

static void useTile(const Mover *mover, const BerthFitTile *tile,
                    const Operands *list, size_t k) {
  const BerthFitBuffer *buffer = mover->buffer;
  const BerthBufferInfo *info = buffer->info;
  const char *broken = mover->fit->level->fast.alias.breakRule;
  BerthFitOpenTile open = berthFitOpenTile(
      info, tile, mover->slowViews[0], spaceOf(mover, false), mover->number);
  if (!mlirOperationIsNull(buffer->copy) && !mlirOperationIsNull(open.fill))
    markRead(mover, open.fill, 0);
  for (size_t i = list->first[k]; i < list->count; i = list->items[i].next) {
    Operand *operand = &list->items[i];
    MlirValue alias = info->aliases[operand->alias];
    MlirOperation top = berthAncestorInBlock(operand->op, buffer->block);
    if (operand->isTiled || !mlirOperationEqual(top, buffer->uses[k].op) ||
        !berthFitIsInTile(info, tile, top, alias))
      continue;
    operand->isTiled = true;
    mlirOperationSetOperand(
        operand->op, operand->number,
        berthFitViewInTile(info, alias, open.whole, operand->op));
  }
  berthFitCloseTile(tile, &open,
                    tile->writes && !berthIsBroken(broken, "slices-return"));
}

/// The uses of the buffer inside of one op become those of tiles.
static void tileUse(Mover *mover, const Operands *list, size_t k) {
  const BerthFitUse *use = &mover->buffer->uses[k];
  for (size_t i = 0; i < use->numTiles; ++i)
    useTile(mover, &use->tiles[i], list, k);
}

static void beginStay(Mover *mover, const BerthFitUse *use) {
  const BerthStay *stay = &mover->plan->stays[use->stay];
  for (size_t i = 0; i < mover->buffer->info->numAliases; ++i)
    mover->views[i] = (MlirValue){NULL};
  mover->views[0] = allocate(mover, use->op, false);
  if (stay->filled)
    mover->lastSlow = buildMove(
        mover, berthInsertBefore(berthFitFrontOf(mover->agains, use->op)),
        slowPlace(mover, use->op), mover->views[0]);
}

static void endStay(Mover *mover, const BerthFitUse *use) {
  const BerthStay *stay = &mover->plan->stays[use->stay];
  const char *broken = mover->fit->level->fast.alias.breakRule;
  MlirOperation last = use->op;
  if (stay->spilled && !berthIsBroken(broken, "spills")) {
    bool isFirst = mlirValueIsNull(mover->slowViews[0]);
    MlirValue slow = slowPlace(mover, mlirOperationGetNextInBlock(use->op));
    last = mover->lastSlow =
        buildMove(mover, behind(use->op), mover->views[0], slow);
    if (isFirst) // the place has to be there before the copy
      mlirOperationMoveBefore(mlirOpResultGetOwner(slow), last);
  }
  if (isFreed(mover, false))
    berthBuildDealloc(behind(last), mover->views[0]);
}

/// What nobody uses any more.
static void eraseOld(const Mover *mover) {
  const BerthBufferInfo *info = mover->buffer->info;
  MlirOperation copy = mover->buffer->copy;
  if (!mlirOperationIsNull(copy)) {
    berthFitAddNumbers(copy, BERTH_CONTENT_COPIED, mover->number);
    berthFitMarkSource(mover->buffer->source, mover->number);
    berthFitDestroy(copy);
  }
  for (size_t i = 0; i < info->numFrees; ++i)
    berthFitDestroy(info->frees[i]);
  for (size_t i = info->numAliases; i-- > 0;)
    if (mlirOpOperandIsNull(mlirValueGetFirstUse(info->aliases[i])))
      berthFitDestroy(mlirOpResultGetOwner(info->aliases[i]));
}

static void moveBuffer(Mover *mover) {
  const BerthFitBuffer *buffer = mover->buffer;
  const BerthBufferInfo *info = buffer->info;
  for (size_t i = 0; i < info->numAliases; ++i)
    berthPointerMapInsert(&mover->aliasOf, info->aliases[i].ptr, i);
  mover->views = berthAllocateOrDie(info->numAliases, sizeof *mover->views);
  mover->slowViews =
      berthAllocateOrDie(info->numAliases, sizeof *mover->slowViews);
  bool isCopy = !mlirOperationIsNull(buffer->copy);
  if (isCopy)
    mover->slowViews[0] = buffer->source;
  Operands operands = collectOperands(mover);
  size_t last = BERTH_NOT_FOUND;
  for (size_t k = isCopy ? 1 : 0; k < buffer->numUses; ++k) {
    const BerthFitUse *use = &buffer->uses[k];
    if (use->stay == BERTH_NOT_FOUND) {
      slowPlace(mover, use->op);
      if (use->isTiled)
        tileUse(mover, &operands, k);
      retarget(mover, &operands, k, mover->slowViews);
      mover->lastSlow = use->op;
      last = BERTH_NOT_FOUND;
      continue;
    }
    if (use->stay != last)
      beginStay(mover, use);
    last = use->stay;
    retarget(mover, &operands, k, mover->views);
    if (k + 1 == buffer->numUses || buffer->uses[k + 1].stay != last)
      endStay(mover, use);
  }
  if (!isCopy && !mlirValueIsNull(mover->slowViews[0]) && isFreed(mover, true))
    berthBuildDealloc(behind(mover->lastSlow), mover->slowViews[0]);
  eraseOld(mover);
  free(operands.items);
  free(operands.first);
  free(mover->views);
  free(mover->slowViews);
  berthPointerMapClear(&mover->aliasOf);
}

void berthFitMove(const BerthFitJob *fit, const BerthFitPlan *plan,
                  int64_t *nextContent) {
  BerthMemory memory = {0};
  BerthFitAgains agains = berthFitComputeAgain(fit, plan, &memory);
  Mover mover = {.fit = fit, .plan = plan, .agains = &agains};
  for (size_t i = 0; i < fit->numBuffers; ++i) {
    const BerthFitBuffer *buffer = &fit->buffers[i];
    // A copy that becomes a fill is marked as one, wherever it stays then.
    if (!isMoved(buffer) && mlirOperationIsNull(buffer->copy))
      continue;
    mover.buffer = buffer;
    mover.lastSlow = (MlirOperation){NULL};
    mover.numPlaces = 0;
    mover.number = mover.content =
        berthI64(mlirOperationGetContext(buffer->info->alloc), ++*nextContent);
    MlirAttribute outer = berthAttributeOf(buffer->info->alloc, BERTH_CONTENT);
    if (!mlirAttributeIsNull(outer))
      mover.content = berthFitJoinNumbers(mover.number, outer);
    MlirAttribute counts =
        berthAttributeOf(buffer->info->alloc, BERTH_CONTENT_PLACES);
    moveBuffer(&mover);
    markPlaces(&mover, counts);
    for (size_t k = 0; k < agains.count; ++k)
      if (agains.items[k].buffer == i)
        berthSetAttribute(agains.items[k].op, BERTH_RECOMPUTE, mover.number);
  }
  free(mover.places);
  berthPointerMapFree(&mover.aliasOf);
  berthFitAgainsFree(&agains);
  berthMemoryFree(&memory);
}
