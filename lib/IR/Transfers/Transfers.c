//===- Transfers.c - How long a transfer goes on --------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Transfers/Transfers.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Rules.h"
#include "IR/Scope/Points.h"
#include "IR/Scope/Segments.h"
#include "IR/Transfers/TagNames.h"
#include "Support/Sort.h"

#include <string.h>

static bool runsInOrder(MlirOperation op) {
  return berthOpIsRegionBranch(op) && !berthOpIsParallel(op) &&
         !berthOpIsAsync(op) && !berthOpIs(op, BERTH_OP_LAUNCH);
}

MlirRegion berthDmaBody(MlirOperation op) {
  do {
    MlirRegion region = mlirBlockGetParentRegion(mlirOperationGetBlock(op));
    op = mlirOperationGetParentOperation(op);
    if (mlirOperationIsNull(op) || !runsInOrder(op))
      return region;
  } while (true);
}

//===----------------------------------------------------------------------===//
// Tags
//===----------------------------------------------------------------------===//

typedef struct Tag {
  MlirOperation alloc;
  bool isTrusted;
  int64_t *events; ///< points of its allocation, starts, waits and writes
  size_t numEvents, capacity;
} Tag;

typedef struct Body {
  MlirRegion region;
  BerthPoints points;
  BerthPointerMap tagOf; ///< the tag's memref as allocated -> its index
  Tag *tags;
  size_t numTags, capacity;
} Body;

static void addEvent(const Body *body, Tag *tag, MlirOperation op) {
  int64_t point = berthPointsLower(&body->points, op);
  tag->isTrusted &=
      point != BERTH_NONE && mlirRegionEqual(berthDmaBody(op), body->region);
  tag->events = berthGrow(tag->events, tag->numEvents, &tag->capacity,
                          sizeof *tag->events);
  tag->events[tag->numEvents++] = point;
}

/// The tag as it was allocated, behind casts.
static MlirValue tagRoot(MlirOperation op) {
  BerthDma dma;
  berthOpGetDma(op, &dma);
  MlirValue value = mlirOperationGetOperand(op, dma.tag);
  while (mlirValueIsAOpResult(value) &&
         berthOpIs(mlirOpResultGetOwner(value), BERTH_OP_CAST))
    value = mlirOperationGetOperand(mlirOpResultGetOwner(value), 0);
  return value;
}

static bool isAllocated(MlirValue value) {
  if (!mlirValueIsAOpResult(value))
    return false;
  BerthEffects effects;
  berthOpSumEffects(mlirOpResultGetOwner(value), value, &effects);
  return effects.onValue & BERTH_EFFECT_ALLOCATE;
}

static MlirAttribute bufferNumber(MlirOperation op) {
  return mlirOperationGetAttributeByName(
      op, mlirStringRefCreateFromCString("berth.buffer"));
}

/// True for the only view of a buffer in an arena, as berth-arena has left it
/// in another memory: whoever has bytes in common is done or has not begun.
static bool isOwnView(MlirOperation view) {
  MlirAttribute number = bufferNumber(view);
  if (!berthOpIs(view, BERTH_OP_VIEW) || mlirAttributeIsNull(number))
    return false;
  MlirValue arena = mlirOperationGetOperand(view, 0);
  for (MlirOpOperand use = mlirValueGetFirstUse(arena);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    bool isOther = berthOpIs(op, BERTH_OP_FREE) ||
                   (!mlirAttributeIsNull(bufferNumber(op)) &&
                    !mlirAttributeEqual(bufferNumber(op), number));
    if (!isOther && !mlirOperationEqual(op, view))
      return false;
  }
  return isAllocated(arena);
}

static void addUses(const Body *body, Tag *tag, MlirValue value);

/// What is not explained may keep the tag, or wait in its own way.
static void addUse(const Body *body, Tag *tag, MlirOpOperand use) {
  MlirOperation op = mlirOpOperandGetOwner(use);
  MlirValue value = mlirOpOperandGetValue(use);
  BerthDma dma;
  if (berthOpGetDma(op, &dma)) {
    tag->isTrusted &= mlirOpOperandGetOperandNumber(use) == dma.tag;
    addEvent(body, tag, op);
    return;
  }
  if (berthOpIs(op, BERTH_OP_CAST)) {
    addUses(body, tag, mlirOperationGetResult(op, 0));
    return;
  }
  BerthEffects effects;
  berthOpSumEffects(op, value, &effects);
  tag->isTrusted &= effects.onValue && !berthOpMayReturnPointer(op);
  if (effects.onValue & BERTH_EFFECT_WRITE)
    addEvent(body, tag, op);
}

static void addUses(const Body *body, Tag *tag, MlirValue value) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    addUse(body, tag, use);
}

static Tag makeTag(const Body *body, MlirValue root) {
  Tag tag = {0};
  if (!mlirValueIsAOpResult(root))
    return tag;
  tag.alloc = mlirOpResultGetOwner(root);
  tag.isTrusted = isAllocated(root) || isOwnView(tag.alloc);
  addEvent(body, &tag, tag.alloc);
  addUses(body, &tag, root);
  qsort(tag.events, tag.numEvents, sizeof *tag.events, berthCompareFirst);
  return tag;
}

//===----------------------------------------------------------------------===//
// Ways from one start
//===----------------------------------------------------------------------===//

/// A place in a block, with what the element is called there.
typedef struct Visit {
  MlirBlock block;
  int64_t point;
  BerthDmaElement element;
} Visit;

/// So many places are followed, and so many elements at one place.
enum { kMostVisits = 512, kMostElements = 16 };

typedef struct Walk {
  const Body *body;
  const Tag *tag;
  const char *breakRule;
  bool isLost; ///< some way comes to no wait, or nobody knows to which
  Visit *visits;
  size_t numVisits, visitCapacity;
  BerthSegments segments;
} Walk;

static void goTo(Walk *walk, MlirBlock block, int64_t point,
                 const BerthDmaElement *element) {
  size_t numElements = 0;
  for (size_t i = 0; i < walk->numVisits; ++i) {
    const Visit *visit = &walk->visits[i];
    if (!mlirBlockEqual(visit->block, block) || visit->point != point)
      continue;
    if (berthDmaElementsEqual(&visit->element, element))
      return;
    ++numElements;
  }
  walk->isLost |=
      walk->numVisits == kMostVisits || numElements == kMostElements;
  walk->visits = berthGrow(walk->visits, walk->numVisits, &walk->visitCapacity,
                           sizeof *walk->visits);
  walk->visits[walk->numVisits++] = (Visit){block, point, *element};
}

static void enterBlock(Walk *walk, MlirBlock block,
                       const BerthDmaElement *element) {
  goTo(walk, block, berthPointsBlockSpan(&walk->body->points, block).lower,
       element);
}

typedef struct EdgeWalk {
  Walk *walk;
  MlirOperation op;
  int from;
  bool skips; ///< it has at least one turn
  const BerthDmaElement *element;
  bool found; ///< some edge leads on
} EdgeWalk;

static void followEdge(const BerthRegionEdge *edge, void *userData) {
  EdgeWalk *from = userData;
  Walk *walk = from->walk;
  bool isSkipped =
      from->skips && edge->from == BERTH_PARENT && edge->to == BERTH_PARENT;
  if (edge->from != from->from || isSkipped)
    return;
  from->found = true;
  BerthDmaElement element = *from->element;
  berthDmaElementOverEdge(&element, from->op, edge);
  if (edge->to != BERTH_PARENT) {
    MlirRegion region = mlirOperationGetRegion(from->op, edge->to);
    enterBlock(walk, mlirRegionGetFirstBlock(region), &element);
    return;
  }
  int64_t upper = berthPointsUpper(&walk->body->points, from->op);
  berthSegmentsAdd(&walk->segments, upper - 1, upper);
  goTo(walk, mlirOperationGetBlock(from->op), upper, &element);
}

static void followEdges(Walk *walk, MlirOperation op, int from,
                        const BerthDmaElement *element) {
  BerthLoopCount count;
  bool skips = berthLoopGetCount(op, &count) && count.hasLast;
  EdgeWalk edges = {walk, op, from, skips, element, false};
  berthOpGetRegionEdges(op, followEdge, &edges);
  walk->isLost |= !edges.found;
}

static int regionNumber(MlirOperation op, MlirRegion region) {
  int number = 0;
  while (!mlirRegionEqual(mlirOperationGetRegion(op, number), region))
    ++number;
  return number;
}

static void leaveBlock(Walk *walk, MlirBlock block,
                       const BerthDmaElement *element) {
  MlirOperation last = berthBlockGetLast(block);
  MlirRegion region = mlirBlockGetParentRegion(block);
  intptr_t numSuccessors =
      mlirOperationIsNull(last) ? 0 : mlirOperationGetNumSuccessors(last);
  for (intptr_t i = 0; i < numSuccessors; ++i) {
    BerthDmaElement there = *element;
    berthDmaElementOverBranch(&there, last, i);
    enterBlock(walk, mlirOperationGetSuccessor(last, i), &there);
  }
  if (numSuccessors)
    return;
  MlirOperation parent = mlirBlockGetParentOperation(block);
  if (mlirRegionEqual(region, walk->body->region))
    walk->isLost = true;
  else
    followEdges(walk, parent, regionNumber(parent, region), element);
}

/// Returns true if the transfer goes on behind the op.
static bool passEvent(Walk *walk, MlirOperation op,
                      const BerthDmaElement *element) {
  BerthDma dma;
  bool isDma = berthOpGetDma(op, &dma);
  if (isDma && !dma.isStart)
    return !berthDmaElementIs(element, op) &&
           !berthIsBroken(walk->breakRule, "any-dma-wait");
  walk->isLost |= !isDma || !berthDmaElementIsNot(element, op);
  return !walk->isLost;
}

/// The tag's first event from this point on; BERTH_NONE if there is none below
/// the end.
static int64_t nextEvent(const Tag *tag, int64_t point, int64_t end) {
  size_t low = 0, high = tag->numEvents;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (tag->events[middle] < point)
      low = middle + 1;
    else
      high = middle;
  }
  return low < tag->numEvents && tag->events[low] < end ? tag->events[low]
                                                        : BERTH_NONE;
}

static void followVisit(Walk *walk, Visit visit) {
  const BerthPoints *points = &walk->body->points;
  MlirRegion region = mlirBlockGetParentRegion(visit.block);
  BerthSegment span = berthPointsBlockSpan(points, visit.block);
  int64_t point = visit.point, event;
  while ((event = nextEvent(walk->tag, point, span.upper)) != BERTH_NONE) {
    MlirOperation op = points->opAt[event];
    MlirOperation top = berthAncestorInRegion(op, region);
    berthSegmentsAdd(&walk->segments, point, berthPointsLower(points, top) + 1);
    if (!mlirOperationEqual(op, top)) {
      followEdges(walk, top, BERTH_PARENT, &visit.element);
      return;
    }
    if (!passEvent(walk, op, &visit.element))
      return;
    point = berthPointsLower(points, top) + 1;
  }
  berthSegmentsAdd(&walk->segments, point, span.upper);
  leaveBlock(walk, visit.block, &visit.element);
}

static void followStart(Walk *walk, MlirOperation start) {
  BerthDmaElement element;
  walk->isLost = !berthDmaElementOf(start, &element);
  goTo(walk, mlirOperationGetBlock(start),
       berthPointsUpper(&walk->body->points, start), &element);
  for (size_t i = 0; i < walk->numVisits && !walk->isLost; ++i)
    followVisit(walk, walk->visits[i]);
}

//===----------------------------------------------------------------------===//
// All starts of a body
//===----------------------------------------------------------------------===//

static void addRun(BerthDmaTable *table, MlirOperation start, Walk *walk) {
  table->runs = berthGrow(table->runs, table->numRuns, &table->capacity,
                          sizeof *table->runs);
  berthPointerMapInsert(&table->runOf, start.ptr, table->numRuns);
  BerthDmaRun *run = &table->runs[table->numRuns++];
  run->isAwaited = !walk->isLost;
  run->numSegments =
      berthJoinSegments(walk->segments.segments, walk->segments.count);
  run->segments = berthNewCopy(&table->memory, walk->segments.segments,
                               run->numSegments, sizeof *run->segments);
}

static bool isStartOf(const Body *body, const Tag *tag, size_t event) {
  BerthDma dma;
  return tag->events[event] != BERTH_NONE &&
         berthOpGetDma(body->points.opAt[tag->events[event]], &dma) &&
         dma.isStart;
}

/// One way that comes to no wait, and no wait of the tag counts.
static void followTag(BerthDmaTable *table, const Body *body, Tag *tag) {
  size_t firstRun = table->numRuns;
  for (size_t i = 0; i < tag->numEvents; ++i) {
    if (!isStartOf(body, tag, i))
      continue;
    MlirOperation start = body->points.opAt[tag->events[i]];
    Walk walk = {.body = body, .tag = tag, .breakRule = table->breakRule};
    if (tag->isTrusted)
      followStart(&walk, start);
    walk.isLost |= !tag->isTrusted;
    addRun(table, start, &walk);
    free(walk.visits);
    free(walk.segments.segments);
  }
  bool areAwaited = true;
  for (size_t i = firstRun; i < table->numRuns; ++i)
    areAwaited &= table->runs[i].isAwaited;
  for (size_t i = firstRun; i < table->numRuns; ++i)
    table->runs[i].isAwaited = areAwaited;
}

static void followBody(BerthDmaTable *table, MlirRegion region) {
  BerthMemory memory = {0};
  Body body = {.region = region, .points = berthPointsCreate(region, &memory)};
  for (int64_t point = 0; point < body.points.count; ++point) {
    MlirOperation op = body.points.opAt[point];
    if (!berthOpIsTransfer(op) || !mlirRegionEqual(berthDmaBody(op), region))
      continue;
    MlirValue root = tagRoot(op);
    if (!berthPointerMapInsert(&body.tagOf, root.ptr, body.numTags))
      continue;
    body.tags =
        berthGrow(body.tags, body.numTags, &body.capacity, sizeof *body.tags);
    body.tags[body.numTags++] = makeTag(&body, root);
  }
  for (size_t i = 0; i < body.numTags; ++i) {
    followTag(table, &body, &body.tags[i]);
    free(body.tags[i].events);
  }
  free(body.tags);
  berthPointerMapFree(&body.tagOf);
  berthPointsFree(&body.points);
  berthMemoryFree(&memory);
}

const BerthDmaRun *berthDmaGetRun(BerthDmaTable *table, MlirOperation start) {
  static const BerthDmaRun neverAwaited = {0};
  MlirRegion region = berthDmaBody(start);
  if (berthPointerMapInsert(&table->bodies, region.ptr, 1))
    followBody(table, region);
  size_t index = berthPointerMapFind(&table->runOf, start.ptr);
  return index == BERTH_NOT_FOUND ? &neverAwaited : &table->runs[index];
}

void berthDmaTableFree(BerthDmaTable *table) {
  berthMemoryFree(&table->memory);
  berthPointerMapFree(&table->bodies);
  berthPointerMapFree(&table->runOf);
  free(table->runs);
}
