//===- Overlap.c - Moves of content beside other ops ----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Windows are planned while all moves are copies, so that points of the scope
// tell what stands where; then each copy becomes a start and a wait around its
// place, which a constant marks as long as windows may still change.
//
//===----------------------------------------------------------------------===//

#include "IR/Fit/Overlap.h"
#include "IR/Facts/DmaFacts.h"
#include "IR/Fit/Kept.h"
#include "IR/Fit/Movable.h"
#include "IR/Fit/Move.h"
#include "IR/Fit/Transfer.h"
#include "IR/Ops/Allocations.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Rules.h"
#include "IR/Scope/ScopeKind.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

/// An op's dealings with the ends of a transfer.
enum { kTouchesTarget = 1, kWritesSource = 2 };

typedef struct BerthFitTransfer {
  const BerthFitLevel *level;
  MlirOperation copy; ///< null once it is a transfer
  const char *mark;   ///< the name of its number's
  MlirValue from, to;
  MlirOperation made;    ///< the allocation of `to`, if it passes that; or null
  MlirOperation freed;   ///< the deallocation of `from` that it passes; or null
  int64_t lower, upper;  ///< points of the window: the copy's, or more
  BerthPointerMap users; ///< op of its block -> what it does to the ends
  /// The ops that it passes, the nearest first. Those that are copies go on as
  /// their markers.
  size_t numAbove, numBelow, capAbove, capBelow;
  MlirOperation *above, *below;
  size_t nowAbove, nowBelow; ///< how many of them it passes now
  bool isCopiedThere; ///< the last above has the mark of where that begins
  MlirOperation marker, start;
  MlirOperation wait; ///< null: the start is all, and passes nothing
} BerthFitTransfer;

/// What is live, and under way, at each point: of one room.
typedef struct Load {
  const BerthFitRoom *room;
  int64_t *bytes;
  int64_t *underWay;
} Load;

typedef struct Planner {
  BerthFitOverlap *overlap;
  Load *loads;
  size_t numLoads;
  BerthPointerMap transferOf; ///< copy -> its number
} Planner;

//===----------------------------------------------------------------------===//
// What may become a transfer
//===----------------------------------------------------------------------===//

/// What the value is memory of.
static MlirValue memoryOf(MlirValue value) {
  return berthValueBehindViews(value);
}

/// An allocation of which all uses are known.
static bool isPlace(MlirValue value) {
  if (!berthFitIsAllocation(value))
    return false;
  MlirOperation op = mlirOpResultGetOwner(value);
  return !mlirAttributeIsNull(berthAttributeOf(op, BERTH_CONTENT)) ||
         !mlirAttributeIsNull(berthAttributeOf(op, BERTH_TILE));
}

static bool isFreeOf(MlirOperation op, MlirValue value) {
  return berthOpIsFree(op) && mlirOperationGetNumOperands(op) == 1 &&
         mlirValueEqual(mlirOperationGetOperand(op, 0), value);
}

static void noteUser(BerthFitTransfer *transfer, MlirOperation op,
                     size_t does) {
  MlirOperation around =
      berthAncestorInBlock(op, mlirOperationGetBlock(transfer->copy));
  if (mlirOperationIsNull(around) || mlirOperationEqual(around, transfer->copy))
    return;
  size_t old = berthPointerMapFind(&transfer->users, around.ptr);
  berthPointerMapSet(&transfer->users, around.ptr,
                     does | (old == BERTH_NOT_FOUND ? 0 : old));
}

/// What a start does goes on until its tag is waited for.
static void noteWaits(BerthFitTransfer *transfer, MlirOperation start,
                      const BerthDma *dma, size_t does) {
  MlirValue tag = mlirOperationGetOperand(start, dma->tag);
  for (MlirOpOperand use = mlirValueGetFirstUse(tag); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    noteUser(transfer, mlirOpOperandGetOwner(use), does);
}

/// Notes what the ops of the block do to the place; false where not only views
/// lead to it.
static bool noteUsers(BerthFitTransfer *transfer, MlirValue value,
                      bool isTarget) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    MlirValue viewed = berthViewGetSource(op);
    if (!mlirValueIsNull(viewed) && mlirValueEqual(viewed, value)) {
      if (!noteUsers(transfer, mlirOperationGetResult(op, 0), isTarget))
        return false;
      continue;
    }
    BerthDma dma;
    BerthEffects effects = {0};
    bool isDma = berthOpGetDma(op, &dma);
    bool isKnown = !isDma && berthOpSumEffects(op, value, &effects);
    if (!isDma && !berthOpIsFree(op) && !berthOpIsPlainAccess(op) &&
        !berthOpIsDescribed(op))
      return false;
    MlirOperation callee;
    bool onlyReads = isKnown && !berthOpGetCallee(op, &callee) &&
                     effects.onValue == BERTH_EFFECT_READ;
    size_t does = isTarget ? kTouchesTarget : onlyReads ? 0 : kWritesSource;
    noteUser(transfer, op, does);
    if (isDma)
      noteWaits(transfer, op, &dma, does);
  }
  return true;
}

/// The level whose two memories the copy connects; NULL: none.
static const BerthFitLevel *levelOf(const Planner *planner, MlirType from,
                                    MlirType to) {
  MlirAttribute a = mlirMemRefTypeGetMemorySpace(from);
  MlirAttribute b = mlirMemRefTypeGetMemorySpace(to);
  for (size_t i = 0; i < planner->numLoads; ++i) {
    const BerthFitLevel *level = planner->loads[i].room->level;
    MlirAttribute fast = level->fast.collect.space, slow = level->slow.space;
    if ((mlirAttributeEqual(a, fast) && mlirAttributeEqual(b, slow)) ||
        (mlirAttributeEqual(a, slow) && mlirAttributeEqual(b, fast)))
      return level;
  }
  return NULL;
}

/// The mark of what moves between places, or between a slice and its tile.
static const char *markOf(MlirOperation copy) {
  bool isTile = !mlirAttributeIsNull(berthAttributeOf(copy, BERTH_TILE));
  return isTile ? BERTH_TILE : BERTH_MOVE;
}

typedef struct OtherTiles {
  BerthFitTransfer *transfer;
  MlirAttribute number;
  MlirValue own; ///< the tile
  bool isFill;
} OtherTiles;

static MlirWalkResult noteTileUse(MlirOperation op, void *userData) {
  OtherTiles *tiles = userData;
  MlirAttribute mark = berthAttributeOf(op, BERTH_TILE);
  bool isCopy =
      !mlirAttributeIsNull(mark) && mlirAttributeEqual(mark, tiles->number);
  if (isCopy || berthOpIsFree(op) || berthOpIsTransfer(op) ||
      !mlirValueIsNull(berthViewGetSource(op)))
    return MlirWalkResultAdvance;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue value = mlirOperationGetOperand(op, i), memory = memoryOf(value);
    BerthEffects effects = {0};
    if (!isPlace(memory) || mlirValueEqual(memory, tiles->own))
      continue;
    mark = berthAttributeOf(mlirOpResultGetOwner(memory), BERTH_TILE);
    bool onlyReads = berthOpSumEffects(op, value, &effects) &&
                     effects.onValue == BERTH_EFFECT_READ;
    if (!mlirAttributeIsNull(mark) && mlirAttributeEqual(mark, tiles->number) &&
        !(tiles->isFill && onlyReads))
      noteUser(tiles->transfer, op, kTouchesTarget | kWritesSource);
  }
  return MlirWalkResultAdvance;
}

/// Another tile of the content is as good as what it is a slice of: nobody
/// writes it meanwhile, nor reads it while this one goes back.
static void noteOtherTiles(BerthFitTransfer *transfer) {
  MlirValue target = memoryOf(transfer->to);
  OtherTiles tiles = {.transfer = transfer,
                      .number = berthAttributeOf(transfer->copy, BERTH_TILE)};
  if (mlirAttributeIsNull(tiles.number))
    return;
  tiles.isFill = mlirValueEqual(target, transfer->to);
  tiles.own = tiles.isFill ? target : memoryOf(transfer->from);
  MlirBlock block = mlirOperationGetBlock(transfer->copy);
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    mlirOperationWalk(op, noteTileUse, &tiles, MlirWalkPreOrder);
}

/// A whole place, or a slice of one and a tile.
static bool mayMove(MlirOperation copy, MlirValue from, MlirValue to) {
  if (!mlirAttributeIsNull(berthAttributeOf(copy, BERTH_TILE)))
    return isPlace(memoryOf(to));
  return mlirAttributeIsNull(berthAttributeOf(copy, BERTH_CONTENT_READ)) &&
         isPlace(to) && berthFitIsPlain(mlirValueGetType(from)) &&
         berthFitIsPlain(mlirValueGetType(to));
}

static bool makeTransfer(const Planner *planner, MlirOperation copy,
                         BerthFitTransfer *transfer) {
  enum { kSource = 0, kTarget = 1 };
  const BerthJob *job = planner->loads[0].room->job;
  MlirValue from = mlirOperationGetOperand(copy, kSource);
  MlirValue to = mlirOperationGetOperand(copy, kTarget);
  MlirValue source = memoryOf(from);
  *transfer = (BerthFitTransfer){
      .level = levelOf(planner, mlirValueGetType(from), mlirValueGetType(to)),
      .copy = copy,
      .mark = markOf(copy),
      .from = from,
      .to = to,
      .lower = berthPointsLower(&job->points, copy),
      .upper = berthPointsUpper(&job->points, copy)};
  if (!transfer->level || !mayMove(copy, from, to) ||
      !berthFitMayTransfer(transfer->level, berthInsertBefore(copy), from,
                           to) ||
      !noteUsers(transfer, memoryOf(to), true) ||
      (isPlace(source) && !noteUsers(transfer, source, false))) {
    berthPointerMapFree(&transfer->users);
    return false;
  }
  noteOtherTiles(transfer);
  return true;
}

static MlirWalkResult collect(MlirOperation op, void *userData) {
  Planner *planner = userData;
  BerthFitOverlap *overlap = planner->overlap;
  const BerthScope *scope = &planner->loads[0].room->job->scope;
  BerthFitTransfer transfer;
  if (!berthOpIsCopy(op) || mlirOperationGetNumOperands(op) != 2 ||
      mlirAttributeIsNull(berthAttributeOf(op, markOf(op))) ||
      !mlirOperationEqual(berthEnclosingScope(op), scope->op))
    return MlirWalkResultAdvance;
  if (!makeTransfer(planner, op, &transfer)) {
    const BerthFitLevel *level =
        levelOf(planner, mlirValueGetType(mlirOperationGetOperand(op, 0)),
                mlirValueGetType(mlirOperationGetOperand(op, 1)));
    overlap->numUntold += level && level->moveOp;
    return MlirWalkResultAdvance;
  }
  overlap->transfers = berthGrow(overlap->transfers, overlap->count,
                                 &overlap->capacity, sizeof transfer);
  berthPointerMapInsert(&planner->transferOf, op.ptr, overlap->count);
  overlap->transfers[overlap->count++] = transfer;
  return MlirWalkResultAdvance;
}

//===----------------------------------------------------------------------===//
// How far a window reaches
//===----------------------------------------------------------------------===//

/// True if one of them writes what the other one reads or writes.
static bool areAtOdds(const BerthJob *job, const BerthFitTransfer *a,
                      const BerthFitTransfer *b) {
  return berthFitMayBeOne(job, a->to, b->to) ||
         berthFitMayBeOne(job, a->to, b->from) ||
         berthFitMayBeOne(job, a->from, b->to);
}

/// True if the op's mark of that name has the transfer's content.
static bool names(MlirOperation op, const char *name,
                  const BerthFitTransfer *transfer) {
  MlirAttribute mark = berthAttributeOf(op, name);
  MlirAttribute number = berthAttributeOf(transfer->copy, transfer->mark);
  if (mlirAttributeIsNull(mark) || !mlirAttributeIsAArray(mark))
    return mlirAttributeEqual(mark, number);
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(mark); ++i)
    if (mlirAttributeEqual(mlirArrayAttrGetElement(mark, i), number))
      return true;
  return false;
}

/// True if the transfer may go on beside the op, by what both touch. Windows
/// of others have to be kept to as well.
static bool mayPass(const Planner *planner, const BerthFitTransfer *transfer,
                    MlirOperation op, int64_t lower, int64_t upper) {
  const BerthJob *job = planner->loads[0].room->job;
  const char *broken = job->options->alias.breakRule;
  size_t does = berthPointerMapFind(&transfer->users, op.ptr);
  if (does != BERTH_NOT_FOUND && does &&
      !(does == kWritesSource && berthIsBroken(broken, "steady-sources")) &&
      !(does == kTouchesTarget && berthIsBroken(broken, "awaited-targets")))
    return false;
  size_t own = berthPointerMapFind(&planner->transferOf, op.ptr);
  if (own == BERTH_NOT_FOUND && !isPlace(memoryOf(transfer->from)) &&
      berthFitMayWrite(job, op, transfer->from))
    return false;
  for (size_t i = 0; i < planner->overlap->count; ++i) {
    const BerthFitTransfer *other = &planner->overlap->transfers[i];
    if (other != transfer && other->lower < upper && lower < other->upper &&
        areAtOdds(job, transfer, other) &&
        !berthIsBroken(broken, "steady-sources"))
      return false;
  }
  return true;
}

/// The room of the memory in which a value lies; NULL: there is enough.
static Load *loadOf(const Planner *planner, MlirValue value) {
  MlirAttribute space = mlirMemRefTypeGetMemorySpace(mlirValueGetType(value));
  for (size_t i = 0; i < planner->numLoads; ++i)
    if (mlirAttributeEqual(planner->loads[i].room->level->fast.collect.space,
                           space))
      return &planner->loads[i];
  return NULL;
}

static int64_t bytesOf(MlirValue value) {
  BerthTypeSize size;
  return berthMemRefGetSize(mlirValueGetType(value),
                            mlirOpResultGetOwner(value), &size) == BERTH_SIZE_OK
             ? size.bytes
             : 0;
}

/// Lets `value` live, and the transfer be under way, at these points too, if
/// there is room for both.
static bool extend(const Planner *planner, const BerthFitTransfer *transfer,
                   MlirValue value, int64_t lower, int64_t upper) {
  Load *load = isPlace(value) ? loadOf(planner, value) : NULL;
  Load *engine = planner->loads;
  while (engine->room->level != transfer->level)
    ++engine;
  int64_t bytes = load ? bytesOf(value) : 0;
  int64_t channels = transfer->level->channels;
  for (int64_t point = lower; point < upper; ++point)
    if ((load && load->bytes[point] + bytes > load->room->bytes) ||
        (channels && engine->underWay[point] >= channels))
      return false;
  for (int64_t point = lower; point < upper; ++point) {
    ++engine->underWay[point];
    if (load)
      load->bytes[point] += bytes;
  }
  return true;
}

static void push(BerthFitOverlap *overlap, MlirOperation **list, size_t *count,
                 size_t *capacity, MlirOperation op) {
  if (!berthMemoryReserve(&overlap->memory, list, capacity, *count + 1))
    berthOrDie(NULL);
  (*list)[(*count)++] = op;
}

/// What may itself go elsewhere, with another transfer, marks no place.
static bool mayGo(MlirOperation op) {
  return berthOpIsFree(op) || berthOpIsPlainAllocation(op);
}

/// Backwards, op by op, up to what made the source or still needs the target.
static void startEarly(Planner *planner, BerthFitTransfer *transfer) {
  const BerthPoints *points = &planner->loads[0].room->job->points;
  if (names(transfer->copy, BERTH_CONTENT_COPIED, transfer))
    return;
  size_t count = 0, capacity = 0;
  MlirOperation *before = NULL;
  for (MlirOperation op =
           mlirBlockGetFirstOperation(mlirOperationGetBlock(transfer->copy));
       !mlirOperationEqual(op, transfer->copy);
       op = mlirOperationGetNextInBlock(op))
    push(planner->overlap, &before, &count, &capacity, op);
  while (count-- > 0) {
    MlirOperation op = before[count];
    int64_t lower = berthPointsLower(points, op);
    int64_t upper = berthPointsUpper(points, op);
    if (mlirOperationEqual(op, mlirOpResultGetOwner(transfer->to))) {
      if (!isPlace(transfer->to))
        return; // a slice
      // What marks say of this place is not to be said of another one.
      if (!mlirAttributeIsNull(berthAttributeOf(op, BERTH_CONTENT_BEGINS)) ||
          !mlirAttributeIsNull(berthAttributeOf(op, BERTH_CONTENT_COPIED)))
        return;
      transfer->made = op; // which then stands in front of the start
      continue;
    }
    // In front of it the content is in the source for the first time.
    bool isCopied = names(op, BERTH_CONTENT_COPIED, transfer);
    if ((mlirValueIsAOpResult(transfer->from) &&
         mlirOperationEqual(op, mlirOpResultGetOwner(transfer->from))) ||
        names(op, BERTH_CONTENT_BEGINS, transfer) ||
        (isCopied && (mayGo(op) || mlirOperationIsNull(transfer->made))) ||
        !mayPass(planner, transfer, op, lower, upper) ||
        !extend(planner, transfer, transfer->to, lower, upper))
      return;
    transfer->lower = lower;
    if (!mayGo(op))
      push(planner->overlap, &transfer->above, &transfer->numAbove,
           &transfer->capAbove, op);
    transfer->isCopiedThere = isCopied;
    if (isCopied)
      return;
  }
}

/// Forwards, up to what needs the target or writes the source.
static void waitLate(Planner *planner, BerthFitTransfer *transfer) {
  const BerthPoints *points = &planner->loads[0].room->job->points;
  MlirOperation last = berthBlockGetLast(mlirOperationGetBlock(transfer->copy));
  for (MlirOperation op = mlirOperationGetNextInBlock(transfer->copy);
       !mlirOperationEqual(op, last); op = mlirOperationGetNextInBlock(op)) {
    int64_t lower = berthPointsLower(points, op);
    int64_t upper = berthPointsUpper(points, op);
    if (isFreeOf(op, transfer->from)) {
      transfer->freed = op; // which then stands behind the wait
      continue;
    }
    if (!mayPass(planner, transfer, op, lower, upper) ||
        !extend(planner, transfer, transfer->from, lower, upper))
      return;
    transfer->upper = upper;
    if (!mayGo(op))
      push(planner->overlap, &transfer->below, &transfer->numBelow,
           &transfer->capBelow, op);
  }
}

//===----------------------------------------------------------------------===//
// All windows
//===----------------------------------------------------------------------===//

static Load loadOfRoom(const BerthFitRoom *room, BerthMemory *memory) {
  const BerthScope *scope = &room->job->scope;
  size_t count = (size_t)room->job->points.count;
  Load load = {.room = room,
               .bytes = BERTH_NEW(memory, int64_t, count + 1),
               .underWay = BERTH_NEW(memory, int64_t, count + 1)};
  for (size_t i = 0; i < scope->numBuffers; ++i) {
    const BerthBufferInfo *info = &scope->buffers[i];
    for (size_t k = 0; !info->reason && k < info->numSegments; ++k)
      for (int64_t p = info->segments[k].lower; p < info->segments[k].upper;
           ++p)
        load.bytes[p] += info->size;
  }
  return load;
}

/// The start in front of a wait in its block; null: there is none.
static MlirOperation startBefore(MlirOperation wait) {
  BerthDma own, dma;
  bool isDma = berthOpGetDma(wait, &own);
  intptr_t end = isDma ? own.tag : 0;
  if ((isDma && own.isStart) || end >= mlirOperationGetNumOperands(wait))
    return (MlirOperation){NULL};
  MlirValue told = mlirOperationGetOperand(wait, end);
  for (MlirOperation op =
           mlirBlockGetFirstOperation(mlirOperationGetBlock(wait));
       !mlirOperationEqual(op, wait); op = mlirOperationGetNextInBlock(op)) {
    bool isStart =
        berthOpGetDma(op, &dma)
            ? dma.isStart &&
                  mlirValueEqual(mlirOperationGetOperand(op, dma.tag), told)
            : mlirValueIsAOpResult(told) &&
                  mlirOperationEqual(mlirOpResultGetOwner(told), op);
    if (isStart)
      return op;
  }
  return (MlirOperation){NULL};
}

/// What goes on beside another turn already (MultiBuffer/TileTurns.h).
static MlirWalkResult countUnderWay(MlirOperation op, void *userData) {
  const Planner *planner = userData;
  const BerthPoints *points = &planner->loads[0].room->job->points;
  bool isMarked = !mlirAttributeIsNull(berthAttributeOf(op, BERTH_TILE)) &&
                  mlirOperationGetNumResults(op) == 0;
  MlirOperation start =
      isMarked && !berthOpIsCopy(op) ? startBefore(op) : (MlirOperation){NULL};
  intptr_t source, target;
  BerthDma dma;
  if (mlirOperationIsNull(start))
    return MlirWalkResultAdvance;
  if (berthOpGetDma(start, &dma)) {
    source = dma.source;
    target = dma.target;
  } else if (!berthOpIsToldCopy(start, &source, &target)) {
    return MlirWalkResultAdvance;
  }
  const BerthFitLevel *level =
      levelOf(planner, mlirValueGetType(mlirOperationGetOperand(start, source)),
              mlirValueGetType(mlirOperationGetOperand(start, target)));
  int64_t lower = berthPointsLower(points, start);
  int64_t upper = berthPointsUpper(points, op);
  for (size_t i = 0; i < planner->numLoads && lower >= 0; ++i)
    for (int64_t p = lower; p < upper && planner->loads[i].room->level == level;
         ++p)
      ++planner->loads[i].underWay[p];
  return MlirWalkResultAdvance;
}

BerthFitOverlap berthFitPlanOverlap(const BerthFitRoom *rooms,
                                    size_t numRooms) {
  BerthFitOverlap overlap = {0};
  Planner planner = {.overlap = &overlap, .numLoads = numRooms};
  planner.loads = BERTH_NEW(&overlap.memory, Load, numRooms);
  for (size_t i = 0; i < numRooms; ++i)
    planner.loads[i] = loadOfRoom(&rooms[i], &overlap.memory);
  mlirOperationWalk(rooms[0].job->scope.op, collect, &planner,
                    MlirWalkPreOrder);
  for (size_t i = 0; i < overlap.count; ++i) {
    BerthFitTransfer *transfer = &overlap.transfers[i];
    for (size_t k = 0; k < numRooms; ++k)
      if (rooms[k].level == transfer->level)
        ++planner.loads[k].underWay[transfer->lower];
  }
  mlirOperationWalk(rooms[0].job->scope.op, countUnderWay, &planner,
                    MlirWalkPreOrder);
  // What is wanted first is brought first; what goes out may take what is left
  // of the room.
  for (size_t i = 0; i < overlap.count; ++i)
    if (berthFitIsAwaited(overlap.transfers[i].level))
      startEarly(&planner, &overlap.transfers[i]);
  for (size_t i = 0; i < overlap.count; ++i)
    if (berthFitIsAwaited(overlap.transfers[i].level))
      waitLate(&planner, &overlap.transfers[i]);
  berthPointerMapFree(&planner.transferOf);
  return overlap;
}

//===----------------------------------------------------------------------===//
// Starts and waits
//===----------------------------------------------------------------------===//

/// The op that has the mark of the move.
static MlirOperation markedOp(const BerthFitTransfer *transfer) {
  return mlirOperationIsNull(transfer->wait) ? transfer->start : transfer->wait;
}

/// A start has no marks: MLIR would not read what it prints of one. To its wait
/// operand 0 is what the start reads.
static void mark(const BerthFitTransfer *transfer) {
  MlirOperation op = markedOp(transfer);
  berthSetAttribute(op, transfer->mark,
                    berthAttributeOf(transfer->copy, transfer->mark));
  MlirAttribute read = berthAttributeOf(transfer->copy, BERTH_CONTENT_READ);
  if (!mlirAttributeIsNull(read))
    berthSetAttribute(op, BERTH_CONTENT_READ, read);
  MlirAttribute copied = berthAttributeOf(transfer->copy, BERTH_CONTENT_COPIED);
  if (!mlirAttributeIsNull(copied))
    berthSetAttribute(transfer->marker, BERTH_CONTENT_COPIED, copied);
}

static void build(BerthFitTransfer *transfer, MlirAttribute tagSpace) {
  MlirOperation copy = transfer->copy;
  BerthInsertPoint at = berthInsertBefore(copy);
  transfer->marker = mlirOpResultGetOwner(berthBuildIndex(at, 0));
  BerthFitBegun begun =
      berthFitBuildTransfer(transfer->level, at, berthEnclosingScope(copy),
                            transfer->from, transfer->to, tagSpace);
  transfer->start = begun.start;
  transfer->wait = begun.wait;
  mark(transfer);
}

/// What stands where an op stood that may have been a copy.
static MlirOperation standIn(const BerthPointerMap *markerOf,
                             MlirOperation op) {
  size_t marker = berthPointerMapFind(markerOf, op.ptr);
  return marker == BERTH_NOT_FOUND ? op : (MlirOperation){(void *)marker};
}

void berthFitPlaceTransfers(BerthFitOverlap *overlap, int part, int parts,
                            MlirAttribute tagSpace) {
  BerthPointerMap markerOf = {0};
  for (size_t i = 0; i < overlap->count; ++i) {
    BerthFitTransfer *transfer = &overlap->transfers[i];
    if (mlirOperationIsNull(transfer->copy))
      continue;
    build(transfer, tagSpace);
    berthPointerMapInsert(&markerOf, transfer->copy.ptr,
                          (size_t)transfer->marker.ptr);
  }
  for (size_t i = 0; i < overlap->count; ++i) {
    BerthFitTransfer *transfer = &overlap->transfers[i];
    for (size_t k = 0; k < transfer->numAbove; ++k)
      transfer->above[k] = standIn(&markerOf, transfer->above[k]);
    for (size_t k = 0; k < transfer->numBelow; ++k)
      transfer->below[k] = standIn(&markerOf, transfer->below[k]);
    if (!mlirOperationIsNull(transfer->copy))
      mlirOperationDestroy(transfer->copy);
    transfer->copy = (MlirOperation){NULL};
  }
  berthPointerMapFree(&markerOf);
  for (size_t i = 0; i < overlap->count; ++i) {
    BerthFitTransfer *transfer = &overlap->transfers[i];
    size_t above = transfer->nowAbove =
        transfer->numAbove * (size_t)part / (size_t)parts;
    size_t below = transfer->nowBelow =
        transfer->numBelow * (size_t)part / (size_t)parts;
    bool isAtMark = !above && !mlirAttributeIsNull(berthAttributeOf(
                                  transfer->marker, BERTH_CONTENT_COPIED));
    // Between two ops waits come first, and starts in order.
    if (isAtMark)
      mlirOperationMoveAfter(transfer->start, transfer->marker);
    else
      mlirOperationMoveBefore(transfer->start, above
                                                   ? transfer->above[above - 1]
                                                   : transfer->marker);
    if (!mlirOperationIsNull(transfer->wait))
      mlirOperationMoveAfter(transfer->wait, below ? transfer->below[below - 1]
                                             : isAtMark ? transfer->start
                                                        : transfer->marker);
    if (!mlirOperationIsNull(transfer->made))
      mlirOperationMoveBefore(transfer->made, transfer->start);
    if (!mlirOperationIsNull(transfer->freed))
      mlirOperationMoveAfter(transfer->freed, markedOp(transfer));
  }
}

size_t berthFitCountAwaited(const BerthFitOverlap *overlap) {
  size_t count = 0;
  for (size_t i = 0; i < overlap->count; ++i)
    count += berthFitIsAwaited(overlap->transfers[i].level);
  return count;
}

size_t berthFitCountBeside(const BerthFitOverlap *overlap) {
  size_t count = 0;
  for (size_t i = 0; i < overlap->count; ++i)
    count +=
        overlap->transfers[i].nowAbove + overlap->transfers[i].nowBelow > 0;
  return count;
}

/// The mark of where the source has the content stands in front of the start.
static void moveCopied(const BerthFitTransfer *transfer) {
  MlirOperation from = transfer->above[transfer->numAbove - 1];
  MlirAttribute number = berthAttributeOf(markedOp(transfer), BERTH_MOVE);
  MlirAttribute mark = berthAttributeOf(from, BERTH_CONTENT_COPIED);
  MlirContext context = mlirOperationGetContext(from);
  bool isArray = mlirAttributeIsAArray(mark);
  intptr_t count = isArray ? mlirArrayAttrGetNumElements(mark) : 0, kept = 0;
  MlirAttribute *others = berthAllocateOrDie((size_t)count + 1, sizeof *others);
  for (intptr_t i = 0; i < count; ++i)
    if (!mlirAttributeEqual(mlirArrayAttrGetElement(mark, i), number))
      others[kept++] = mlirArrayAttrGetElement(mark, i);
  if (kept)
    berthSetAttribute(from, BERTH_CONTENT_COPIED,
                      mlirArrayAttrGet(context, kept, others));
  else
    mlirOperationRemoveAttributeByName(
        from, mlirStringRefCreateFromCString(BERTH_CONTENT_COPIED));
  berthSetAttribute(transfer->made, BERTH_CONTENT_COPIED,
                    mlirArrayAttrGet(context, 1, &number));
  free(others);
}

void berthFitOverlapFree(BerthFitOverlap *overlap) {
  for (size_t i = 0; i < overlap->count; ++i) {
    BerthFitTransfer *transfer = &overlap->transfers[i];
    if (transfer->isCopiedThere && transfer->nowAbove == transfer->numAbove)
      moveCopied(transfer);
  }
  for (size_t i = 0; i < overlap->count; ++i) {
    BerthFitTransfer *transfer = &overlap->transfers[i];
    if (!mlirOperationIsNull(transfer->marker))
      berthFitDestroy(transfer->marker);
    berthPointerMapFree(&transfer->users);
  }
  free(overlap->transfers);
  berthMemoryFree(&overlap->memory);
  *overlap = (BerthFitOverlap){0};
}
