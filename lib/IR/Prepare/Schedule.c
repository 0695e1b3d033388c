//===- Schedule.c - Ops in an order that needs fewer bytes ----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The ops of a block are of three kinds. *Steps* touch memory, or may do
// anything else: they get an order. *Values* have no effects, or make a buffer:
// they stand in front of the first step that needs them. *Frees* of placed
// buffers go to the end: they are erased with the plan.
//
// Steps depend on each other by what they hand on and by the memory they touch:
// each placed buffer by its accesses, as the aliases tell, and all other memory
// as one.
//
//===----------------------------------------------------------------------===//

#include "IR/Prepare/Schedule.h"
#include "IR/Liveness/Groups.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/PointerMap.h"
#include "IR/Ops/Rules.h"
#include "IR/Prepare/OrderSearch.h"
#include "IR/Scope/Segments.h"

#include <stdlib.h>

typedef enum Kind { kStep, kValue, kFree } Kind;

typedef struct BlockOp {
  MlirOperation op;
  Kind kind;
  uint32_t step; ///< its number, if it is one
  bool readsOther;
  bool writesOther; ///< memory that is no placed buffer's
  bool isEmitted;
  size_t stamp; ///< of the last walk that met it
} BlockOp;

typedef struct Block {
  BerthJob *job;
  MlirBlock block;
  const BerthPointerMap *bufferOf; ///< value -> its buffer
  BerthPointerMap numberOf;        ///< op of the block -> index
  size_t numOps;
  BlockOp *ops; ///< without the terminator
  uint32_t numSteps;
  size_t *opOf; ///< step -> op
  BerthOrderEdge *edges;
  size_t numEdges, edgeCapacity;
  BerthOrderTouch *touches;
  size_t numTouches, touchCapacity;
  BerthOrderReuse *reuses;
  size_t numReuses, reuseCapacity;
  BerthOrderBuffer *buffers; ///< by the scope's numbers
  size_t walks;
} Block;

typedef struct OldOrder {
  MlirBlock block;
  size_t count;
  MlirOperation *ops; ///< with the terminator
} OldOrder;

struct BerthSchedule {
  OldOrder *blocks;
  size_t count, capacity;
};

//===----------------------------------------------------------------------===//
// What may move
//===----------------------------------------------------------------------===//

/// Buffers of which everything is known that touches them.
static bool isKnown(const BerthBufferInfo *buffer) {
  return !buffer->reason && !buffer->leaks &&
         mlirOperationIsNull(buffer->callee);
}

/// The known buffer that a memref is a view of, and of nothing else.
static size_t ownerOf(const Block *block, MlirValue value) {
  size_t buffer;
  while ((buffer = berthPointerMapFind(block->bufferOf, value.ptr)) ==
             BERTH_NOT_FOUND &&
         mlirValueIsAOpResult(value)) {
    value = berthViewGetSource(mlirOpResultGetOwner(value));
    if (mlirValueIsNull(value))
      break;
  }
  return buffer;
}

typedef struct EffectWalk {
  const Block *block;
  BlockOp *op;
  bool hasAny;
} EffectWalk;

/// Accesses of known buffers are told by their aliases; all else is other
/// memory.
static void noteEffect(BerthEffect effect, void *userData) {
  EffectWalk *walk = userData;
  walk->hasAny = true;
  bool isOfKnown = !mlirValueIsNull(effect.value) &&
                   ownerOf(walk->block, effect.value) != BERTH_NOT_FOUND;
  if (isOfKnown)
    return;
  walk->op->readsOther = true;
  walk->op->writesOther |= effect.kind != BERTH_EFFECT_READ;
}

static MlirWalkResult noteEffects(MlirOperation op, void *userData) {
  EffectWalk *walk = userData;
  if (berthOpGetEffects(op, noteEffect, walk) || berthOpIsRegionBranch(op))
    return MlirWalkResultAdvance;
  walk->hasAny = walk->op->readsOther = walk->op->writesOther = true;
  return MlirWalkResultAdvance;
}

static bool isFreeOfKnown(const Block *block, MlirOperation op) {
  return berthOpIsFree(op) && mlirOperationGetNumOperands(op) == 1 &&
         mlirOperationGetNumResults(op) == 0 &&
         berthPointerMapFind(block->bufferOf,
                             mlirOperationGetOperand(op, 0).ptr) !=
             BERTH_NOT_FOUND;
}

static Kind kindOf(const Block *block, BlockOp *op) {
  if (isFreeOfKnown(block, op->op))
    return kFree;
  bool makesKnown =
      berthOpIsPlainAllocation(op->op) && berthOpIs(op->op, BERTH_OP_ALLOC) &&
      ownerOf(block, mlirOperationGetResult(op->op, 0)) != BERTH_NOT_FOUND;
  if (makesKnown)
    return kValue;
  EffectWalk walk = {block, op, false};
  mlirOperationWalk(op->op, noteEffects, &walk, MlirWalkPreOrder);
  bool isPure = !walk.hasAny && mlirOperationGetNumRegions(op->op) == 0;
  return isPure ? kValue : kStep;
}

static void listOps(Block *block) {
  MlirOperation last = berthBlockGetLast(block->block);
  for (MlirOperation op = mlirBlockGetFirstOperation(block->block);
       !mlirOperationEqual(op, last); op = mlirOperationGetNextInBlock(op))
    ++block->numOps;
  block->ops = berthAllocateOrDie(block->numOps, sizeof *block->ops);
  block->opOf = berthAllocateOrDie(block->numOps, sizeof *block->opOf);
  MlirOperation op = mlirBlockGetFirstOperation(block->block);
  for (size_t i = 0; i < block->numOps; ++i) {
    block->ops[i].op = op;
    block->ops[i].kind = kindOf(block, &block->ops[i]);
    if (block->ops[i].kind == kStep) {
      block->ops[i].step = block->numSteps;
      block->opOf[block->numSteps++] = i;
    }
    berthPointerMapInsert(&block->numberOf, op.ptr, i);
    op = mlirOperationGetNextInBlock(op);
  }
}

//===----------------------------------------------------------------------===//
// What depends on what
//===----------------------------------------------------------------------===//

static void addEdge(Block *block, uint32_t before, uint32_t after) {
  if (before == after)
    return;
  block->edges = berthGrow(block->edges, block->numEdges, &block->edgeCapacity,
                           sizeof *block->edges);
  block->edges[block->numEdges++] = (BerthOrderEdge){before, after};
}

/// The op of the block that makes the value, or BERTH_NOT_FOUND.
static size_t makerOf(const Block *block, MlirValue value) {
  return mlirValueIsAOpResult(value)
             ? berthPointerMapFind(&block->numberOf,
                                   mlirOpResultGetOwner(value).ptr)
             : BERTH_NOT_FOUND;
}

typedef struct OperandWalk {
  Block *block;
  void (*callback)(Block *block, size_t maker, void *userData);
  void *userData;
} OperandWalk;

static MlirWalkResult visitOperands(MlirOperation op, void *userData) {
  OperandWalk *walk = userData;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    size_t maker = makerOf(walk->block, mlirOperationGetOperand(op, i));
    if (maker != BERTH_NOT_FOUND)
      walk->callback(walk->block, maker, walk->userData);
  }
  return MlirWalkResultAdvance;
}

/// Calls back for the ops of the block that make what the op, or one in it,
/// needs.
static void forEachMaker(Block *block, MlirOperation op,
                         void (*callback)(Block *, size_t, void *),
                         void *userData) {
  OperandWalk walk = {block, callback, userData};
  mlirOperationWalk(op, visitOperands, &walk, MlirWalkPreOrder);
}

/// Steps that make what a step needs, through values.
static void followMaker(Block *block, size_t maker, void *userData) {
  uint32_t step = *(uint32_t *)userData;
  BlockOp *op = &block->ops[maker];
  if (op->stamp == block->walks)
    return;
  op->stamp = block->walks;
  if (op->kind == kStep)
    addEdge(block, op->step, step);
  else
    forEachMaker(block, op->op, followMaker, userData);
}

/// The steps that have touched some memory since it was last written.
typedef struct Memory {
  uint32_t writer; ///< BERTH_NO_STEP: none
  uint32_t *readers;
  size_t numReaders, capacity;
} Memory;

#define BERTH_NO_STEP UINT32_MAX

static void touch(Block *block, Memory *memory, uint32_t step, bool writes) {
  if (berthIsBroken(block->job->options->alias.breakRule, "free-order"))
    return;
  if (memory->writer != BERTH_NO_STEP)
    addEdge(block, memory->writer, step);
  if (!writes) {
    memory->readers = berthGrow(memory->readers, memory->numReaders,
                                &memory->capacity, sizeof *memory->readers);
    memory->readers[memory->numReaders++] = step;
    return;
  }
  for (size_t i = 0; i < memory->numReaders; ++i)
    addEdge(block, memory->readers[i], step);
  memory->numReaders = 0;
  memory->writer = step;
}

static void orderOtherMemory(Block *block) {
  Memory other = {.writer = BERTH_NO_STEP};
  for (uint32_t step = 0; step < block->numSteps; ++step) {
    const BlockOp *op = &block->ops[block->opOf[step]];
    if (op->readsOther || op->writesOther)
      touch(block, &other, step, op->writesOther);
  }
  free(other.readers);
}

/// The index of the block's op in which an access happens.
static size_t opOfAccess(const Block *block, const BerthAccess *access) {
  MlirOperation top =
      berthAncestorInRegion(access->op, mlirBlockGetParentRegion(block->block));
  return mlirOperationIsNull(top)
             ? BERTH_NOT_FOUND
             : berthPointerMapFind(&block->numberOf, top.ptr);
}

/// What the accesses of one buffer within one step amount to.
typedef struct StepUse {
  uint32_t step;
  bool writes;
} StepUse;

/// The steps that touch the buffer, in order, each once. False if something
/// touches it that cannot be moved.
static bool usesOf(const Block *block, const BerthBufferInfo *buffer,
                   StepUse *uses, size_t *count) {
  *count = 0;
  for (size_t i = 0; i < buffer->numAccesses; ++i) {
    const BerthAccess *access = &buffer->accesses[i];
    size_t op = opOfAccess(block, access);
    if (op == BERTH_NOT_FOUND)
      continue;
    if (block->ops[op].kind != kStep || !berthOpIsPlainAccess(access->op))
      return false;
    uint32_t step = block->ops[op].step;
    if (*count && uses[*count - 1].step > step)
      return false;
    if (!*count || uses[*count - 1].step != step)
      uses[(*count)++] = (StepUse){step, false};
    uses[*count - 1].writes |= access->writes;
  }
  return true;
}

static void describeBuffer(Block *block, size_t number) {
  const BerthPoints *points = &block->job->points;
  const BerthBufferInfo *buffer = &block->job->scope.buffers[number];
  BerthSegment span = berthPointsBlockSpan(points, block->block);
  BerthOrderBuffer *described = &block->buffers[number];
  described->size = buffer->isDynamic ? 0 : buffer->size;
  described->isLiveIn = span.lower > 0 &&
                        berthSegmentAt(buffer, span.lower - 1) &&
                        berthSegmentAt(buffer, span.lower);
  described->isLiveOut = berthSegmentAt(
      buffer, berthPointsLower(points, berthBlockGetLast(block->block)));
}

static bool orderBuffer(Block *block, size_t number) {
  const BerthBufferInfo *buffer = &block->job->scope.buffers[number];
  StepUse *uses = berthAllocateOrDie(buffer->numAccesses, sizeof *uses);
  size_t count;
  bool canMove = usesOf(block, buffer, uses, &count);
  Memory memory = {.writer = BERTH_NO_STEP};
  for (size_t i = 0; canMove && i < count; ++i) {
    touch(block, &memory, uses[i].step, uses[i].writes);
    block->touches = berthGrow(block->touches, block->numTouches,
                               &block->touchCapacity, sizeof *block->touches);
    block->touches[block->numTouches++] =
        (BerthOrderTouch){uses[i].step, (uint32_t)number};
  }
  free(memory.readers);
  free(uses);
  describeBuffer(block, number);
  return canMove;
}

static void addReuses(Block *block, size_t result) {
  const BerthScope *scope = &block->job->scope;
  const BerthBufferInfo *y = &scope->buffers[result];
  if (mlirOperationIsNull(y->writtenBy) || y->group == BERTH_NONE)
    return;
  size_t op = berthPointerMapFind(&block->numberOf, y->writtenBy.ptr);
  if (op == BERTH_NOT_FOUND)
    return;
  for (size_t x = y->nextInGroup; x != result;
       x = scope->buffers[x].nextInGroup)
    for (size_t i = 0; i < scope->buffers[x].numAccesses; ++i)
      if (mlirOperationEqual(scope->buffers[x].accesses[i].op, y->writtenBy)) {
        block->reuses = berthGrow(block->reuses, block->numReuses,
                                  &block->reuseCapacity, sizeof *block->reuses);
        block->reuses[block->numReuses++] = (BerthOrderReuse){
            block->ops[op].step, (uint32_t)x, (uint32_t)result};
        break;
      }
}

static int compareEdges(const void *left, const void *right) {
  const BerthOrderEdge *a = left, *b = right;
  if (a->before != b->before)
    return a->before < b->before ? -1 : 1;
  return a->after < b->after ? -1 : a->after > b->after;
}

static int compareTouches(const void *left, const void *right) {
  const BerthOrderTouch *a = left, *b = right;
  if (a->op != b->op)
    return a->op < b->op ? -1 : 1;
  return a->buffer < b->buffer ? -1 : a->buffer > b->buffer;
}

static int compareReuses(const void *left, const void *right) {
  const BerthOrderReuse *a = left, *b = right;
  if (a->op != b->op)
    return a->op < b->op ? -1 : 1;
  if (a->operand != b->operand)
    return a->operand < b->operand ? -1 : 1;
  return a->result < b->result ? -1 : a->result > b->result;
}

/// Fills in the block's problem. False if nothing may move.
static bool describe(Block *block) {
  const BerthScope *scope = &block->job->scope;
  block->buffers =
      berthAllocateOrDie(scope->numBuffers, sizeof *block->buffers);
  for (uint32_t step = 0; step < block->numSteps; ++step) {
    ++block->walks;
    forEachMaker(block, block->ops[block->opOf[step]].op, followMaker, &step);
  }
  orderOtherMemory(block);
  for (size_t i = 0; i < scope->numBuffers; ++i) {
    if (isKnown(&scope->buffers[i]) && !orderBuffer(block, i))
      return false;
    addReuses(block, i);
  }
  qsort(block->edges, block->numEdges, sizeof *block->edges, compareEdges);
  qsort(block->touches, block->numTouches, sizeof *block->touches,
        compareTouches);
  qsort(block->reuses, block->numReuses, sizeof *block->reuses, compareReuses);
  return true;
}

//===----------------------------------------------------------------------===//
// Rewriting, and back
//===----------------------------------------------------------------------===//

static void emit(Block *block, size_t number, MlirOperation end);

static void emitMaker(Block *block, size_t maker, void *userData) {
  emit(block, maker, *(MlirOperation *)userData);
}

/// Moves the op to the end, behind what it needs.
static void emit(Block *block, size_t number, MlirOperation end) {
  BlockOp *op = &block->ops[number];
  if (op->isEmitted)
    return;
  op->isEmitted = true;
  forEachMaker(block, op->op, emitMaker, &end);
  mlirOperationMoveBefore(op->op, end);
}

static void noteOrder(BerthSchedule *done, const Block *block) {
  done->blocks = berthGrow(done->blocks, done->count, &done->capacity,
                           sizeof *done->blocks);
  OldOrder *old = &done->blocks[done->count++];
  *old = (OldOrder){block->block, block->numOps + 1, NULL};
  old->ops = berthAllocateOrDie(old->count, sizeof *old->ops);
  for (size_t i = 0; i < block->numOps; ++i)
    old->ops[i] = block->ops[i].op;
  old->ops[block->numOps] = berthBlockGetLast(block->block);
}

static void reorder(Block *block, const uint32_t *order) {
  MlirOperation end = berthBlockGetLast(block->block);
  for (uint32_t i = 0; i < block->numSteps; ++i)
    emit(block, block->opOf[order[i]], end);
  for (size_t i = 0; i < block->numOps; ++i)
    emit(block, i, end);
}

void berthScheduleUndo(BerthSchedule *done) {
  for (size_t i = 0; i < done->count; ++i) {
    const OldOrder *old = &done->blocks[i];
    for (size_t k = 0; k + 1 < old->count; ++k)
      mlirOperationMoveBefore(old->ops[k], old->ops[old->count - 1]);
    free(old->ops);
  }
  free(done->blocks);
  free(done);
}

void berthScheduleKeep(BerthJob *job, BerthSchedule *done) {
  job->blocksOrdered += done->count;
  for (size_t i = 0; i < done->count; ++i)
    free(done->blocks[i].ops);
  free(done->blocks);
  free(done);
}

//===----------------------------------------------------------------------===//
// A scope
//===----------------------------------------------------------------------===//

/// Bounds the work on one block; a set of a thousand ops takes about as many.
enum { kSteps = 2000000, kMostOps = 20000 };

static void orderBlock(Block *block, BerthSchedule *done) {
  listOps(block);
  uint32_t *order = NULL;
  BerthOrderResult result;
  if (block->numSteps > 2 && block->numSteps <= kMostOps && describe(block)) {
    BerthOrderProblem problem = {.numOps = block->numSteps,
                                 .numBuffers =
                                     (uint32_t)block->job->scope.numBuffers,
                                 .buffers = block->buffers,
                                 .numEdges = block->numEdges,
                                 .edges = block->edges,
                                 .numTouches = block->numTouches,
                                 .touches = block->touches,
                                 .numReuses = block->numReuses,
                                 .reuses = block->reuses};
    order = berthAllocateOrDie(block->numSteps, sizeof *order);
    bool isDone = berthSearchOrder(&problem, kSteps, order, &result);
    block->job->blocksTried += isDone;
    block->job->blocksProven += isDone && result.isOptimal;
    if (isDone && result.peak < result.givenPeak) {
      berthBackupTake(block->job->backup, block->job->root);
      noteOrder(done, block);
      reorder(block, order);
    }
  }
  free(order);
  free(block->ops);
  free(block->opOf);
  free(block->edges);
  free(block->touches);
  free(block->reuses);
  free(block->buffers);
  berthPointerMapFree(&block->numberOf);
}

/// What happens in a region that runs who knows when is told of the op around
/// it only.
static bool isSeenThrough(const BerthJob *job, MlirOperation op) {
  return mlirOperationEqual(berthPointsOutermostOpaque(&job->points, op), op);
}

/// Blocks in which buffers are made: there are lives to be moved.
static void orderBlocks(BerthJob *job, const BerthPointerMap *bufferOf,
                        BerthSchedule *done) {
  BerthPointerMap seen = {0};
  for (size_t i = 0; i < job->scope.numBuffers; ++i) {
    const BerthBufferInfo *buffer = &job->scope.buffers[i];
    MlirBlock at = mlirOperationGetBlock(buffer->alloc);
    if (!isKnown(buffer) || !isSeenThrough(job, buffer->alloc) ||
        !berthPointerMapInsert(&seen, at.ptr, 1))
      continue;
    Block block = {.job = job, .block = at, .bufferOf = bufferOf};
    orderBlock(&block, done);
  }
  berthPointerMapFree(&seen);
}

BerthSchedule *berthScheduleOps(BerthJob *job) {
  if (!job->options->schedule)
    return NULL;
  BerthPointerMap bufferOf = {0};
  for (size_t i = 0; i < job->scope.numBuffers; ++i)
    if (isKnown(&job->scope.buffers[i]))
      berthPointerMapInsert(&bufferOf, job->scope.buffers[i].value.ptr, i);
  BerthSchedule *done = berthAllocateOrDie(1, sizeof *done);
  orderBlocks(job, &bufferOf, done);
  berthPointerMapFree(&bufferOf);
  if (done->count)
    return done;
  berthScheduleUndo(done);
  return NULL;
}
