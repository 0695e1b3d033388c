//===- TileTurns.c - Slices that come and go beside a turn ----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/MultiBuffer/TileTurns.h"
#include "IR/Facts/Facts.h"
#include "IR/Facts/SliceFacts.h"
#include "IR/Fit/FitMarks.h"
#include "IR/Fit/Transfer.h"
#include "IR/MultiBuffer/Clones.h"
#include "IR/MultiBuffer/SlotBuffer.h"
#include "IR/MultiBuffer/SlotTurns.h"
#include "IR/MultiBuffer/TileRings.h"
#include "IR/MultiBuffer/TurnContents.h"
#include "IR/Ops/Allocations.h"
#include "IR/Ops/Rules.h"
#include "IR/Rewrite/Callers.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

/// A move on its way.
typedef struct Turned {
  const BerthTileMove *move;
  size_t numNeeded;
  MlirOperation *needed;  ///< ops that compute the slice, in their order
  MlirValue stack;        ///< its tiles
  MlirOperation waits[2]; ///< for what was taken out, and brought, last
} Turned;

typedef struct Build {
  MlirOperation loop, scope;
  MlirBlock body;
  size_t count;
  Turned *turned;
  bool fills, returns;                ///< some of them
  bool hasSize[BERTH_TILE_NUM_RINGS]; ///< some have as many tiles
  BerthSlotTurns turns;
  MlirAttribute tagSpace;
  const char *breakRule;
  intptr_t numCarried;
  BerthTurnContents contents;  ///< that a turn makes
  bool hasTurn;                ///< its code stands somewhere
  MlirOperation *copiedUnused; ///< that compute slices, in turns
  size_t numUnused, capUnused;
} Build;

int64_t berthTileTurnsNeeded(const BerthTileMove *moves, size_t count) {
  bool fills = false, returns = false;
  for (size_t i = 0; i < count; ++i) {
    fills |= berthTileMoveBrings(&moves[i]);
    returns |= berthTileMoveReturns(&moves[i]);
  }
  return 1 + fills + returns;
}

//===----------------------------------------------------------------------===//
// Tiles and transfers
//===----------------------------------------------------------------------===//

static MlirValue tileOf(const BerthTileMove *move) {
  return mlirOperationGetResult(move->alloc, 0);
}

static bool isNeeded(const Turned *turned, MlirOperation op) {
  for (size_t i = 0; i < turned->numNeeded; ++i)
    if (mlirOperationEqual(turned->needed[i], op))
      return true;
  return false;
}

static void listNeededOps(Turned *turned, const BerthTileMove *move) {
  BerthTileMove own = *move;
  BerthWorklist found = {0};
  size_t capacity = 0;
  berthTileMoveNeeds(&own, &found);
  MlirBlock body = mlirOperationGetBlock(move->copy);
  for (MlirOperation op = mlirBlockGetFirstOperation(body);
       !mlirOperationEqual(op, move->copy);
       op = mlirOperationGetNextInBlock(op)) {
    if (!berthWorklistHasSeen(&found, op.ptr))
      continue;
    turned->needed = berthGrow(turned->needed, turned->numNeeded, &capacity,
                               sizeof *turned->needed);
    turned->needed[turned->numNeeded++] = op;
  }
  berthWorklistFree(&found);
}

/// The tiles, in front of the loop and freed behind it.
static MlirValue buildStack(const Build *build, const BerthTileMove *move) {
  MlirContext context = mlirOperationGetContext(build->loop);
  MlirValue stack =
      berthBuildStack(move->alloc, berthTileMoveSlots(move), build->loop);
  berthSetAttribute(mlirOpResultGetOwner(stack), BERTH_TILE_TURNS,
                    mlirUnitAttrGet(context));
  if (!mlirOperationIsNull(move->free)) {
    BerthInsertPoint behind = berthInsertBefore(build->loop);
    behind.before = mlirOperationGetNextInBlock(build->loop);
    berthBuildDealloc(behind, stack);
  }
  return stack;
}

/// Starts the transfer of the turn with that variable, from or to the tile of
/// that number.
static void start(const Build *build, Turned *turned, bool isFill,
                  BerthInsertPoint at, MlirValue variable, MlirValue number) {
  const BerthTileMove *move = turned->move;
  BerthClones clones = {0};
  berthClonesSet(&clones, build->turns.variable, variable);
  for (size_t i = 0; i < turned->numNeeded; ++i)
    mlirOperationRemoveAttributeByName( // what it says is of the turn's own
        berthCloneOp(&clones, at, turned->needed[i]),
        mlirStringRefCreateFromCString(BERTH_CONTENT_SOURCE));
  MlirValue slice = berthClonesGet(&clones, move->slice);
  MlirValue tile = berthSubViewBuildElement(at.before, turned->stack, number);
  MlirValue from = isFill ? slice : tile;
  MlirValue to = isFill ? tile : slice;
  BerthFitBegun begun = berthFitBuildTransfer(move->level, at, build->scope,
                                              from, to, build->tagSpace);
  berthSetAttribute(begun.wait, BERTH_TILE,
                    berthAttributeOf(move->copy, BERTH_TILE));
  MlirOperation copy = isFill || !move->isFill ? move->copy : move->back;
  MlirAttribute read = berthAttributeOf(copy, BERTH_CONTENT_READ);
  if (!mlirAttributeIsNull(read))
    berthSetAttribute(begun.wait, BERTH_CONTENT_READ, read);
  turned->waits[isFill] = begun.wait;
  berthClonesFree(&clones);
}

static bool does(const Turned *turned, bool isFill) {
  return isFill ? berthTileMoveBrings(turned->move)
                : berthTileMoveReturns(turned->move);
}

static void startAll(const Build *build, bool isFill, BerthInsertPoint at,
                     MlirValue variable, const BerthTileRings *rings,
                     int which) {
  for (size_t i = 0; i < build->count; ++i) {
    Turned *turned = &build->turned[i];
    if (does(turned, isFill))
      start(build, turned, isFill, at, variable,
            berthTileNumberOf(rings, turned->move, which));
  }
}

/// Waits at the end of the turn for what was started in it.
static void waitAll(const Build *build, bool isFill, BerthInsertPoint at) {
  for (size_t i = 0; i < build->count; ++i)
    if (does(&build->turned[i], isFill) && !mlirOperationIsNull(at.before))
      mlirOperationMoveBefore(build->turned[i].waits[isFill], at.before);
}

//===----------------------------------------------------------------------===//
// Turns
//===----------------------------------------------------------------------===//

/// True for what stands elsewhere than in the turn.
static bool isLeft(const Build *build, MlirOperation op) {
  for (size_t i = 0; i < build->count; ++i) {
    const BerthTileMove *move = build->turned[i].move;
    if (mlirOperationEqual(op, move->copy) ||
        mlirOperationEqual(op, move->back) ||
        mlirOperationEqual(op, move->alloc) ||
        mlirOperationEqual(op, move->free))
      return true;
  }
  return false;
}

static void noteUnused(Build *build, MlirOperation op) {
  build->copiedUnused =
      berthGrow(build->copiedUnused, build->numUnused, &build->capUnused,
                sizeof *build->copiedUnused);
  build->copiedUnused[build->numUnused++] = op;
}

/// The work of one turn, with its tiles. What the loop hands on, from `carried`
/// to it again.
static void buildWork(Build *build, BerthInsertPoint at, MlirValue variable,
                      const BerthTileRings *rings, MlirValue *carried) {
  BerthClones clones = {0};
  MlirValue *tiles = berthAllocateOrDie(build->count, sizeof *tiles);
  MlirOperation yield = berthBlockGetLast(build->body), *copies = NULL;
  size_t numCopies = 0, capacity = 0;
  berthClonesSet(&clones, build->turns.variable, variable);
  for (intptr_t i = 0; i < build->numCarried; ++i)
    berthClonesSet(&clones, mlirBlockGetArgument(build->body, i + 1),
                   carried[i]);
  for (size_t i = 0; i < build->count; ++i) {
    const Turned *turned = &build->turned[i];
    tiles[i] = berthSubViewBuildElement(
        at.before, turned->stack,
        berthTileNumberOf(rings, turned->move, BERTH_TILE_OF_TURN));
    berthClonesSet(&clones, tileOf(turned->move), tiles[i]);
  }
  for (MlirOperation op = mlirBlockGetFirstOperation(build->body);
       !mlirOperationEqual(op, yield); op = mlirOperationGetNextInBlock(op)) {
    if (isLeft(build, op))
      continue;
    MlirOperation clone = berthCloneOp(&clones, at, op);
    copies = berthGrow(copies, numCopies, &capacity, sizeof *copies);
    copies[numCopies++] = clone;
    for (size_t i = 0; i < build->count; ++i)
      if (isNeeded(&build->turned[i], op)) {
        noteUnused(build, clone);
        break;
      }
  }
  for (size_t i = 0; i < build->count; ++i)
    berthInferViews(tiles[i]);
  for (intptr_t i = 0; i < build->numCarried; ++i)
    carried[i] = berthClonesGet(&clones, mlirOperationGetOperand(yield, i));
  if (build->hasTurn)
    berthTurnContentsRename(&build->contents, copies, numCopies);
  build->hasTurn = true;
  berthClonesFree(&clones);
  free(copies);
  free(tiles);
}

/// The variable so many turns behind the first one.
static MlirValue laterThanFirst(const Build *build, BerthInsertPoint at,
                                int64_t turns) {
  const BerthSlotTurns *own = &build->turns;
  if (own->isRangeKnown)
    return berthSlotTurnsBuildInteger(
        own, at, own->range.lower + turns * own->range.step);
  MlirValue value = own->lower;
  while (turns-- > 0)
    value = berthBuildBinary(at, BERTH_NAME_ADD, value, own->step);
  return value;
}

/// What the loop carries besides what it carried.
typedef struct Carried {
  MlirValue last;   ///< the variable of the turn before
  MlirValue second; ///< of the one before that; null where nobody asks
  BerthTileRings rings;
} Carried;

enum { kMostOwn = 2 + BERTH_TILE_NUM_RINGS * BERTH_TILE_MOST_SLOTS };

/// Of all of it where it is kept.
static intptr_t listOwn(const Build *build, Carried *own, MlirValue **list) {
  intptr_t count = 0;
  list[count++] = &own->last;
  if (!mlirValueIsNull(own->second))
    list[count++] = &own->second;
  for (int k = 0; k < BERTH_TILE_NUM_RINGS; ++k)
    for (int i = 0; build->hasSize[k] && i < own->rings.items[k].size; ++i)
      list[count++] = &own->rings.items[k].numbers[i];
  return count;
}

/// What it is in the next turn, of the one of `variable`.
static Carried turnOf(const Build *build, const Carried *own,
                      MlirValue variable) {
  Carried next = *own;
  next.last = variable;
  next.second = mlirValueIsNull(own->second) ? own->second : own->last;
  if (!berthIsBroken(build->breakRule, "tiles-take-turns"))
    berthTileRingsTurn(&next.rings);
  return next;
}

/// A loop without ops that hands on what it begins with.
static MlirOperation buildEmptyLoop(const Build *build, BerthInsertPoint at,
                                    MlirValue lower, intptr_t count,
                                    const MlirValue *initial) {
  enum { kNumBounds = 3 };
  MlirValue *operands =
      berthAllocateOrDie((size_t)count + kNumBounds, sizeof *operands);
  MlirType *types = berthAllocateOrDie((size_t)count + 1, sizeof *types);
  MlirLocation *locations =
      berthAllocateOrDie((size_t)count + 1, sizeof *locations);
  operands[0] = lower;
  operands[1] = build->turns.upper;
  operands[2] = build->turns.step;
  types[0] = build->turns.type;
  locations[0] = at.location;
  for (intptr_t i = 0; i < count; ++i) {
    operands[kNumBounds + i] = initial[i];
    types[1 + i] = mlirValueGetType(initial[i]);
    locations[1 + i] = at.location;
  }
  MlirBlock block = mlirBlockCreate(count + 1, types, locations);
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, block);
  berthBuild((BerthInsertPoint){block, {NULL}, at.location}, BERTH_NAME_YIELD,
             0, NULL, 0, NULL, 0, NULL);
  MlirOperation loop =
      berthBuildWithRegions(at, BERTH_NAME_FOR, count + kNumBounds, operands,
                            count, types + 1, 1, &region);
  for (intptr_t i = 0; i < mlirOperationGetNumAttributes(build->loop); ++i) {
    MlirNamedAttribute named = mlirOperationGetAttribute(build->loop, i);
    mlirOperationSetAttributeByName(loop, mlirIdentifierStr(named.name),
                                    named.attribute);
  }
  free(operands);
  free(types);
  free(locations);
  return loop;
}

/// The loop without the turns around it. `*own` and `carried`: what it begins
/// with; then what it ends with.
static void buildLoop(Build *build, BerthInsertPoint at, MlirValue lower,
                      Carried *own, MlirValue *carried) {
  MlirValue *list[kMostOwn];
  intptr_t numOwn = listOwn(build, own, list);
  intptr_t numAll = build->numCarried + numOwn;
  MlirValue *initial = berthAllocateOrDie((size_t)numAll, sizeof *initial);
  for (intptr_t i = 0; i < numAll; ++i)
    initial[i] =
        i < build->numCarried ? carried[i] : *list[i - build->numCarried];
  MlirOperation loop = buildEmptyLoop(build, at, lower, numAll, initial);
  free(initial);
  MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0));
  BerthInsertPoint in = {block, berthBlockGetLast(block), at.location};
  MlirValue variable = mlirBlockGetArgument(block, 0);
  for (intptr_t i = 0; i < build->numCarried; ++i)
    carried[i] = mlirBlockGetArgument(block, 1 + i);
  for (intptr_t i = 0; i < numOwn; ++i)
    *list[i] = mlirBlockGetArgument(block, 1 + build->numCarried + i);
  bool hasSecond = !mlirValueIsNull(own->second);
  if (build->returns)
    startAll(build, false, in, hasSecond ? own->second : own->last, &own->rings,
             BERTH_TILE_OF_LAST);
  if (build->fills)
    startAll(build, true, in, variable, &own->rings, BERTH_TILE_OF_NEXT);
  buildWork(build, in, build->fills ? own->last : variable, &own->rings,
            carried);
  waitAll(build, true, in);
  waitAll(build, false, in);
  for (intptr_t i = 0; i < build->numCarried; ++i) {
    berthAddOperand(in.before, carried[i]);
    carried[i] = mlirOperationGetResult(loop, i);
  }
  Carried next = turnOf(build, own, variable);
  MlirValue *nextList[kMostOwn];
  listOwn(build, &next, nextList);
  for (intptr_t i = 0; i < numOwn; ++i) {
    berthAddOperand(in.before, *nextList[i]);
    *list[i] = mlirOperationGetResult(loop, build->numCarried + i);
  }
}

/// All of it. `carried`: what the loop begins with; then what it ends with.
static void buildTurns(Build *build, BerthInsertPoint at, MlirValue *carried) {
  BerthTileRings rings = berthTileRingsBuild(build->hasSize, at);
  MlirValue first = laterThanFirst(build, at, 0), lower;
  Carried own = {.last = first, .rings = rings};
  int64_t before = 1;
  if (build->fills)
    startAll(build, true, at, first, &rings, BERTH_TILE_OF_TURN);
  if (build->fills && build->returns) {
    own.second = first;
    own.last = laterThanFirst(build, at, 1);
    startAll(build, true, at, own.last, &rings, BERTH_TILE_OF_NEXT);
    before = 2;
  }
  if (build->returns)
    buildWork(build, at, first, &rings, carried);
  if (before == 2)
    waitAll(build, true, at);
  if (build->returns)
    berthTileRingsTurn(&own.rings);
  lower = laterThanFirst(build, at, before);
  buildLoop(build, at, lower, &own, carried);
  if (!build->fills) {
    startAll(build, false, at, own.last, &own.rings, BERTH_TILE_OF_LAST);
    return;
  }
  if (build->returns)
    startAll(build, false, at, own.second, &own.rings, BERTH_TILE_OF_LAST);
  buildWork(build, at, own.last, &own.rings, carried);
  if (build->returns) {
    waitAll(build, false, at);
    startAll(build, false, at, own.last, &own.rings, BERTH_TILE_OF_TURN);
  }
}

//===----------------------------------------------------------------------===//
// Where the number of turns is not known
//===----------------------------------------------------------------------===//

/// True if the loop takes two turns at least, or one.
static MlirValue buildEnough(const Build *build, BerthInsertPoint at,
                             bool isTwo) {
  const BerthSlotTurns *turns = &build->turns;
  MlirValue any = berthSlotTurnsBuildAny(turns, at);
  if (!isTwo)
    return any;
  MlirValue second = laterThanFirst(build, at, 1);
  MlirValue more = berthBuildCompare(
      at, turns->isUnsigned ? BERTH_UNSIGNED_LESS : BERTH_SIGNED_LESS, second,
      turns->upper);
  return berthBuildBinary(at, BERTH_NAME_AND, any, more);
}

static MlirRegion buildRegion(MlirLocation location, BerthInsertPoint *in) {
  MlirRegion region = mlirRegionCreate();
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(region, block);
  *in = (BerthInsertPoint){block, {NULL}, location};
  in->before = berthBuild(*in, BERTH_NAME_YIELD, 0, NULL, 0, NULL, 0, NULL);
  return region;
}

/// If there are enough turns, all of it, else the loop as it was.
static void buildGuarded(Build *build, BerthInsertPoint at,
                         MlirValue *carried) {
  bool isTwo = build->fills && build->returns;
  intptr_t count = build->numCarried;
  MlirType *types = berthAllocateOrDie((size_t)count + 1, sizeof *types);
  for (intptr_t i = 0; i < count; ++i)
    types[i] = mlirValueGetType(carried[i]);
  MlirValue enough = buildEnough(build, at, isTwo);
  BerthInsertPoint in, other = {{NULL}, {NULL}, at.location};
  MlirRegion regions[2];
  regions[0] = buildRegion(at.location, &in);
  regions[1] =
      isTwo || count ? buildRegion(at.location, &other) : mlirRegionCreate();
  MlirOperation branch = berthBuildWithRegions(at, BERTH_NAME_IF, 1, &enough,
                                               count, types, 2, regions);
  MlirOperation old = {NULL};
  if (isTwo) {
    old = mlirOperationClone(build->loop);
    mlirBlockInsertOwnedOperationBefore(other.block, other.before, old);
    berthTurnContentsRename(&build->contents, &old, 1);
  }
  for (intptr_t i = 0; i < count; ++i)
    berthAddOperand(other.before,
                    isTwo ? mlirOperationGetResult(old, i) : carried[i]);
  buildTurns(build, in, carried);
  for (intptr_t i = 0; i < count; ++i) {
    berthAddOperand(in.before, carried[i]);
    carried[i] = mlirOperationGetResult(branch, i);
  }
  free(types);
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

/// What stands in front of the loop is told by a mark on it.
static MlirOperation keepMarks(MlirOperation loop) {
  MlirAttribute copied = berthAttributeOf(loop, BERTH_CONTENT_COPIED);
  MlirOperation marker = {NULL};
  if (mlirAttributeIsNull(copied))
    return marker;
  marker = mlirOpResultGetOwner(berthBuildIndex(berthInsertBefore(loop), 0));
  berthSetAttribute(marker, BERTH_CONTENT_COPIED, copied);
  mlirOperationRemoveAttributeByName(
      loop, mlirStringRefCreateFromCString(BERTH_CONTENT_COPIED));
  return marker;
}

void berthBuildTileTurns(MlirOperation loop, MlirOperation scope,
                         BerthTileMove *moves, size_t count,
                         MlirAttribute tagSpace, int64_t *lastContent,
                         const char *breakRule, MlirOperation *allocs) {
  enum { kFirstInitial = 3 };
  Build build = {.loop = loop,
                 .scope = scope,
                 .body =
                     mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0)),
                 .count = count,
                 .turned = berthAllocateOrDie(count, sizeof *build.turned),
                 .turns = berthSlotTurnsOf(loop, breakRule),
                 .tagSpace = tagSpace,
                 .contents = berthTurnContentsOf(scope, loop, lastContent),
                 .breakRule = breakRule,
                 .numCarried = mlirOperationGetNumResults(loop)};
  MlirOperation marker = keepMarks(loop);
  for (size_t i = 0; i < count; ++i) {
    Turned *turned = &build.turned[i];
    *turned = (Turned){.move = &moves[i]};
    listNeededOps(turned, &moves[i]);
    turned->stack = buildStack(&build, &moves[i]);
    allocs[i] = mlirOpResultGetOwner(turned->stack);
    build.fills |= berthTileMoveBrings(&moves[i]);
    build.returns |= berthTileMoveReturns(&moves[i]);
    build.hasSize[berthTileMoveSlots(&moves[i]) - BERTH_TILE_LEAST_SLOTS] =
        true;
  }
  MlirValue *carried =
      berthAllocateOrDie((size_t)build.numCarried + 1, sizeof *carried);
  for (intptr_t i = 0; i < build.numCarried; ++i)
    carried[i] = mlirOperationGetOperand(loop, kFirstInitial + i);
  BerthInsertPoint at = berthInsertBefore(loop);
  if (build.turns.isRangeKnown)
    buildTurns(&build, at, carried);
  else
    buildGuarded(&build, at, carried);
  for (intptr_t i = 0; i < build.numCarried; ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(loop, i), carried[i]);
  for (size_t i = build.numUnused; i-- > 0;)
    berthDestroyIfUnused(build.copiedUnused[i]);
  mlirOperationDestroy(loop);
  if (!mlirOperationIsNull(marker))
    berthFitDestroy(marker);
  for (size_t i = 0; i < count; ++i)
    free(build.turned[i].needed);
  berthTurnContentsFree(&build.contents);
  free(build.copiedUnused);
  free(build.turned);
  free(carried);
}
