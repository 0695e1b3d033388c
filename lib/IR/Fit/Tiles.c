//===- Tiles.c - Slices of what stays out ---------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Fit/Tiles.h"
#include "IR/Facts/Facts.h"
#include "IR/Facts/SliceFacts.h"
#include "IR/Facts/Versions.h"
#include "IR/Fit/AnyMemory.h"
#include "IR/Fit/Movable.h"
#include "IR/Fit/Traffic.h"
#include "IR/Ops/Allocations.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Build.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Rules.h"
#include "Support/Checked.h"
#include "mlir-c/BuiltinTypes.h"

typedef struct Search {
  const BerthJob *job;
  const BerthFitBuffer *buffer;
  BerthMemory *memory;
  BerthFitHoist hoist;
  BerthFitUse *use;
  size_t capacity;
} Search;

static bool isBroken(const Search *search, const char *rule) {
  return berthIsBroken(search->job->options->alias.breakRule, rule);
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

/// The subview of the buffer itself through which the alias shows it; null:
/// there is none, or something else than subviews leads from it to the alias.
static MlirOperation sliceOf(const BerthBufferInfo *info, MlirValue alias) {
  BerthSubView view;
  while (mlirValueIsAOpResult(alias)) {
    MlirOperation op = mlirOpResultGetOwner(alias);
    if (!berthSubViewGet(op, &view))
      break;
    alias = mlirOperationGetOperand(op, 0);
    if (mlirValueEqual(alias, info->value))
      return op;
  }
  return (MlirOperation){NULL};
}

static bool isOneNumber(BerthMixed a, BerthMixed b) {
  return mlirValueIsNull(a.value)
             ? mlirValueIsNull(b.value) && a.number == b.number
             : mlirValueEqual(a.value, b.value);
}

/// True if both subviews show the same part of the same buffer.
static bool isOneSlice(MlirOperation a, MlirOperation b) {
  BerthSubView x, y;
  if (!berthSubViewGet(a, &x) || !berthSubViewGet(b, &y) || x.rank != y.rank ||
      !mlirTypeEqual(mlirValueGetType(mlirOperationGetResult(a, 0)),
                     mlirValueGetType(mlirOperationGetResult(b, 0))))
    return false;
  for (intptr_t d = 0; d < x.rank; ++d)
    if (!isOneNumber(x.offsets[d], y.offsets[d]) ||
        !isOneNumber(x.sizes[d], y.sizes[d]) ||
        !isOneNumber(x.strides[d], y.strides[d]))
      return false;
  return true;
}

/// The bytes of all its elements without gaps; 0 if they are not known.
static int64_t bytesOf(const BerthBufferInfo *info, MlirOperation view) {
  MlirType type = mlirValueGetType(mlirOperationGetResult(view, 0));
  BerthTypeSize size;
  if (!mlirShapedTypeHasStaticShape(type) ||
      berthMemRefGetSize(berthMemRefWith(type, mlirAttributeGetNull(),
                                         mlirMemRefTypeGetMemorySpace(type)),
                         view, &size) != BERTH_SIZE_OK)
    return 0;
  return size.bytes < info->size ? size.bytes : 0;
}

/// True for ops to which strides are all the same.
static bool takesAnyLayout(MlirOperation op) {
  BerthVectorAccess access;
  return berthTakesAnyMemory(op) &&
         (berthOpTakesAnyLayout(op) || berthOpIsCopy(op) ||
          berthOpIsElementAccess(op) || berthVectorGetAccess(op, &access));
}

/// True if the tile of the slice can have the alias' own type, which ops want
/// that take no other: described ones, and calls. It has no gaps then, and its
/// first element may be anywhere.
static bool isOwnForm(const BerthBufferInfo *info, MlirValue alias) {
  MlirType type = mlirValueGetType(alias);
  int64_t strides[BERTH_SLICE_MAX_RANK], offset, product = 1;
  if (!mlirOperationEqual(mlirOpResultGetOwner(alias), sliceOf(info, alias)) ||
      !mlirShapedTypeHasStaticShape(type) ||
      !berthMemRefGetStrides(type, strides, &offset) ||
      (offset != 0 && !mlirShapedTypeIsDynamicStrideOrOffset(offset)))
    return false;
  for (int64_t d = mlirShapedTypeGetRank(type); d-- > 0;) {
    if (strides[d] != product)
      return false;
    product *= mlirShapedTypeGetDimSize(type, d);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

static bool isInside(MlirValue value, MlirOperation op) {
  MlirOperation at =
      mlirValueIsAOpResult(value)
          ? mlirOpResultGetOwner(value)
          : mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
  return berthOpIsWithin(at, op);
}

/// True if the slice is one and the same in all turns of the loop, of which
/// there is one at least: else it may lie anywhere.
static bool isSteadyIn(MlirOperation view, MlirOperation loop,
                       BerthFitHoist hoist) {
  int64_t turns;
  if (!berthOpIsLoop(loop) || mlirOperationGetNumRegions(loop) != 1 ||
      berthOpIsParallel(loop) ||
      ((!berthLoopGetTurns(loop, &turns) || turns < 1) &&
       hoist != BERTH_FIT_HOIST_ANY))
    return false;
  for (intptr_t i = 1; i < mlirOperationGetNumOperands(view); ++i)
    if (isInside(mlirOperationGetOperand(view, i), loop))
      return false;
  return true;
}

/// The block whose runs would use the slice.
static MlirBlock tileBlock(MlirOperation view, MlirOperation use,
                           BerthFitHoist hoist) {
  MlirBlock block = mlirOperationGetBlock(view);
  MlirOperation around = mlirBlockGetParentOperation(block);
  while (hoist != BERTH_FIT_HOIST_NONE && !mlirOperationEqual(around, use) &&
         isSteadyIn(view, around, hoist)) {
    block = mlirOperationGetBlock(around);
    around = mlirBlockGetParentOperation(block);
  }
  return block;
}

/// True if the block's runs come one after the other within the use.
static bool runsInOrder(MlirBlock block, MlirOperation use) {
  for (MlirOperation op = mlirBlockGetParentOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetParentOperation(op)) {
    bool isKnown = berthOpIsLoop(op) || berthOpIs(op, BERTH_OP_IF);
    if (!isKnown || berthOpIsParallel(op) || berthOpIsAsync(op))
      return false;
    if (mlirOperationEqual(op, use))
      return true;
  }
  return false; // the use does not hold it
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

static BerthFitTile *tileFor(Search *search, MlirOperation view) {
  BerthFitUse *use = search->use;
  MlirBlock block = tileBlock(view, use->op, search->hoist);
  for (size_t i = 0; i < use->numTiles; ++i)
    if (mlirBlockEqual(use->tiles[i].block, block) &&
        isOneSlice(use->tiles[i].view, view))
      return &use->tiles[i];
  int64_t bytes = bytesOf(search->buffer->info, view);
  if (bytes == 0 || !runsInOrder(block, use->op))
    return NULL;
  if (!berthMemoryReserve(search->memory, &use->tiles, &search->capacity,
                          use->numTiles + 1))
    berthOrDie(NULL);
  BerthFitTile *tile = &use->tiles[use->numTiles++];
  *tile = (BerthFitTile){.view = view,
                         .block = block,
                         .bytes = bytes,
                         .hoist = search->hoist,
                         .isKnown = true};
  return tile;
}

/// True if the op in the block of the tile overwrites all of it, and reads
/// nothing of the buffer.
static bool overwrites(const Search *search, const BerthFitTile *tile,
                       MlirOpOperand operand, bool reads) {
  MlirOperation op = mlirOpOperandGetOwner(operand);
  if (isBroken(search, "whole-slices"))
    return true;
  return !reads && mlirBlockEqual(mlirOperationGetBlock(op), tile->block) &&
         mlirOperationEqual(
             mlirOpResultGetOwner(mlirOpOperandGetValue(operand)),
             sliceOf(search->buffer->info, mlirOpOperandGetValue(operand))) &&
         berthOpFullyOverwrites(
             op, (intptr_t)mlirOpOperandGetOperandNumber(operand));
}

/// False if nobody knows what the op does.
static bool takeAccess(Search *search, BerthFitTile *tile,
                       MlirOpOperand operand) {
  const BerthBufferInfo *info = search->buffer->info;
  MlirOperation op = mlirOpOperandGetOwner(operand);
  MlirOperation top = berthAncestorInBlock(op, tile->block);
  bool reads = false, writes = false, isKnown = false;
  for (size_t i = 0; i < info->numAccesses; ++i)
    if (mlirOperationEqual(info->accesses[i].op, op)) {
      reads |= info->accesses[i].reads;
      writes |= info->accesses[i].writes;
      isKnown = true;
    }
  int64_t lower = berthPointsLower(&search->job->points, top);
  int64_t upper = berthPointsUpper(&search->job->points, top);
  // What it held is wanted unless the first op overwrites all of it.
  bool needsOld = !overwrites(search, tile, operand, reads);
  if (mlirOperationIsNull(tile->first) || lower < tile->lower) {
    tile->first = top;
    tile->lower = lower;
    tile->reads = needsOld;
  } else if (lower == tile->lower)
    tile->reads |= needsOld;
  if (mlirOperationIsNull(tile->last) || upper > tile->upper) {
    tile->last = top;
    tile->upper = upper;
  }
  tile->writes |= writes;
  return isKnown;
}

/// All uses of what may move are known (Movable.c): those that begin what goes
/// on behind them are none.
static bool takesTile(const BerthBufferInfo *info, MlirOpOperand operand) {
  MlirOperation op = mlirOpOperandGetOwner(operand);
  return takesAnyLayout(op) ||
         (!berthTakesAnyMemory(op) && !berthOpIsTransfer(op) &&
          isOwnForm(info, mlirOpOperandGetValue(operand)));
}

/// Adds what an op does to the buffer inside of the use. False: it is no part
/// of a slice that could have a tile.
static bool takeOperand(Search *search, MlirOpOperand operand) {
  const BerthFitBuffer *buffer = search->buffer;
  MlirOperation op = mlirOpOperandGetOwner(operand);
  MlirOperation view = sliceOf(buffer->info, mlirOpOperandGetValue(operand));
  // A copy between a slice and its tile is one already.
  bool isTileCopy = !mlirAttributeIsNull(berthAttributeOf(op, BERTH_TILE));
  BerthFitTile *tile = mlirOperationIsNull(view) || isTileCopy ||
                               mlirOperationEqual(op, search->use->op) ||
                               !takesTile(buffer->info, operand)
                           ? NULL
                           : tileFor(search, view);
  MlirOperation top =
      tile ? berthAncestorInBlock(op, tile->block) : (MlirOperation){NULL};
  if (mlirOperationIsNull(top) ||
      mlirOperationIsNull(mlirOperationGetNextInBlock(top)) ||
      berthPointsLower(&search->job->points, top) < 0)
    return false;
  return takeAccess(search, tile, operand);
}

/// True if two slices are open at one time of which one is written.
static bool haveClash(const BerthFitUse *use) {
  for (size_t i = 0; i < use->numTiles; ++i)
    for (size_t k = 0; k < i; ++k) {
      const BerthFitTile *a = &use->tiles[i], *b = &use->tiles[k];
      if ((a->writes || b->writes) && a->lower < b->upper &&
          b->lower < a->upper)
        return true;
    }
  return false;
}

static void countTurns(BerthFitUse *use) {
  for (size_t i = 0; i < use->numTiles; ++i)
    use->tiles[i].turns = berthFitTurnsOf(
        use->tiles[i].first, mlirOperationGetParentOperation(use->op),
        &use->tiles[i].isKnown);
}

static bool findTiles(Search *search, BerthFitHoist hoist) {
  const BerthFitBuffer *buffer = search->buffer;
  const BerthBufferInfo *info = buffer->info;
  BerthFitUse *use = search->use;
  bool found = mlirOperationGetNumRegions(use->op) > 0;
  search->hoist = hoist;
  search->capacity = 0;
  use->numTiles = 0;
  use->tiles = NULL;
  for (size_t i = 0; i < info->numAliases && found; ++i)
    for (MlirOpOperand operand = mlirValueGetFirstUse(info->aliases[i]);
         !mlirOpOperandIsNull(operand) && found;
         operand = mlirOpOperandGetNextUse(operand)) {
      MlirOperation op = mlirOpOperandGetOwner(operand);
      MlirOperation top = berthAncestorInBlock(op, buffer->block);
      if (!berthOpIsFree(op) && mlirValueIsNull(berthViewGetSource(op)) &&
          !mlirOperationIsNull(top) && mlirOperationEqual(top, use->op))
        found = takeOperand(search, operand);
    }
  found &= !haveClash(use) || isBroken(search, "one-slice-at-a-time");
  found &= berthFitSlicesOf(buffer, use).bytes <= info->size;
  if (!found)
    use->numTiles = 0;
  countTurns(use);
  return found;
}

/// True if content begins with the use: what was there before is not wanted, be
/// it that not all of it is overwritten.
static bool isFirstUse(const BerthFitBuffer *buffer, size_t index) {
  int64_t lower = buffer->uses[index].lower;
  for (size_t i = 0; i < buffer->numSegments; ++i)
    if (buffer->segments[i].lower <= lower && lower < buffer->segments[i].upper)
      return index == 0 ||
             buffer->uses[index - 1].lower < buffer->segments[i].lower;
  return true;
}

/// Nobody could say what a slice holds then that has to be brought in.
static void dropUnmade(const BerthFitBuffer *buffer, size_t index) {
  BerthFitUse *use = &buffer->uses[index];
  bool reads = false;
  for (size_t i = 0; i < use->numTiles; ++i)
    reads |= use->tiles[i].reads;
  if (reads && isFirstUse(buffer, index))
    use->numTiles = 0;
}

/// What was read from the source is read there the same way.
static bool hasSlices(const BerthFitBuffer *buffer) {
  MlirType own = mlirValueGetType(buffer->info->value);
  if (mlirOperationIsNull(buffer->copy))
    return true;
  MlirType source = mlirValueGetType(buffer->source);
  return mlirAttributeEqual(mlirMemRefTypeGetLayout(own),
                            mlirMemRefTypeGetLayout(source)) &&
         mlirTypeEqual(mlirShapedTypeGetElementType(own),
                       mlirShapedTypeGetElementType(source));
}

void berthFitFindTiles(const BerthJob *job, BerthFitBuffer *buffer,
                       BerthMemory *memory) {
  if (mlirBlockIsNull(buffer->block) || !hasSlices(buffer))
    return;
  for (size_t k = 0; k < buffer->numUses; ++k) {
    Search search = {.job = job,
                     .buffer = buffer,
                     .memory = memory,
                     .use = &buffer->uses[k]};
    if (!findTiles(&search, isBroken(&search, "sure-turns")
                                ? BERTH_FIT_HOIST_ANY
                                : BERTH_FIT_HOIST_SURE))
      findTiles(&search, BERTH_FIT_HOIST_NONE);
    dropUnmade(buffer, k);
  }
}

BerthFitSlices berthFitSlicesOf(const BerthFitBuffer *buffer,
                                const BerthFitUse *use) {
  BerthFitSlices slices = {.isKnown = true};
  int64_t alignment = buffer->info->alignment;
  for (size_t i = 0; i < use->numTiles; ++i) {
    const BerthFitTile *tile = &use->tiles[i];
    int moves = tile->reads + tile->writes;
    slices.bytes += berthRoundUp(tile->bytes, alignment);
    slices.bytesIn += tile->reads ? (double)tile->bytes * tile->turns : 0;
    slices.bytesOut += tile->writes ? (double)tile->bytes * tile->turns : 0;
    slices.moves += moves * tile->turns;
    slices.isKnown &= tile->isKnown;
  }
  return slices;
}

//===----------------------------------------------------------------------===//
// In the program
//===----------------------------------------------------------------------===//

bool berthFitIsInTile(const BerthBufferInfo *info, const BerthFitTile *tile,
                      MlirOperation use, MlirValue alias) {
  MlirOperation view = sliceOf(info, alias);
  return !mlirOperationIsNull(view) && isOneSlice(view, tile->view) &&
         mlirBlockEqual(tileBlock(view, use, tile->hoist), tile->block);
}

static MlirOperation buildCopy(const BerthFitOpenTile *open,
                               BerthInsertPoint at, MlirValue from,
                               MlirValue to) {
  MlirValue operands[] = {from, to};
  MlirOperation copy =
      berthBuild(at, BERTH_NAME_COPY, 2, operands, 0, NULL, 0, NULL);
  berthSetAttribute(copy, BERTH_TILE, open->number);
  return copy;
}

/// The subview once more, of other memory.
static MlirValue cloneView(MlirOperation view, MlirValue source,
                           MlirOperation before) {
  MlirOperation clone = mlirOperationClone(view);
  mlirOperationSetOperand(clone, 0, source);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(before), before,
                                      clone);
  MlirValue result = mlirOperationGetResult(clone, 0);
  mlirValueSetType(result, berthSubViewInferType(clone));
  return result;
}

BerthFitOpenTile berthFitOpenTile(const BerthBufferInfo *info,
                                  const BerthFitTile *tile, MlirValue place,
                                  MlirAttribute space, MlirAttribute number) {
  BerthInsertPoint front = berthInsertBefore(tile->first);
  // As early as it may be: what brings the tile may begin there.
  bool isThere =
      mlirBlockEqual(mlirOperationGetBlock(tile->view), tile->block) &&
      mlirOperationIsBeforeInBlock(tile->view, tile->first);
  BerthFitOpenTile open = {
      .slice = cloneView(tile->view, place, isThere ? tile->view : tile->first),
      .number = number};
  MlirType type = berthMemRefWith(mlirValueGetType(open.slice),
                                  mlirAttributeGetNull(), space);
  front.location = mlirOperationGetLocation(info->alloc);
  open.whole = berthBuildAllocation(front, true, type, (MlirValue){NULL},
                                    info->alignment, true);
  berthSetAttribute(mlirOpResultGetOwner(open.whole), BERTH_TILE, number);
  if (tile->reads)
    open.fill = buildCopy(&open, front, open.slice, open.whole);
  return open;
}

static MlirValue viewInTile(const BerthBufferInfo *info, MlirValue alias,
                            MlirValue whole, MlirOperation before) {
  MlirOperation op = mlirOpResultGetOwner(alias);
  if (mlirOperationEqual(op, sliceOf(info, alias)))
    return whole;
  MlirValue source = mlirOperationGetOperand(op, 0);
  return cloneView(op, viewInTile(info, source, whole, before), before);
}

MlirValue berthFitViewInTile(const BerthBufferInfo *info, MlirValue alias,
                             MlirValue whole, MlirOperation user) {
  MlirValue view = viewInTile(info, alias, whole, user);
  MlirType type = mlirValueGetType(alias);
  if (takesAnyLayout(user) || mlirTypeEqual(mlirValueGetType(view), type))
    return view;
  return berthBuildValue(berthInsertBefore(user), BERTH_NAME_CAST, 1, &view,
                         type, 0, NULL);
}

static BerthInsertPoint behind(MlirOperation op) {
  return (BerthInsertPoint){mlirOperationGetBlock(op),
                            mlirOperationGetNextInBlock(op),
                            mlirOperationGetLocation(op)};
}

void berthFitCloseTile(const BerthFitTile *tile, const BerthFitOpenTile *open,
                       bool returns) {
  MlirOperation last = tile->last;
  if (returns)
    last = buildCopy(open, behind(last), open->whole, open->slice);
  berthBuildDealloc(behind(last), open->whole);
}
