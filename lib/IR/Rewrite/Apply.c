//===- Apply.c - Rewriting a scope after its plan -------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The station that puts the plan into the IR. By now it is verified and every
// obstacle has been looked for, so nothing here can fail.
//
//===----------------------------------------------------------------------===//

#include "IR/Rewrite/Apply.h"
#include "IR/Dynamic/Checks.h"
#include "IR/Dynamic/Emit.h"
#include "IR/Dynamic/FrameSizes.h"
#include "IR/Liveness/InPlace.h"
#include "IR/Ops/ArenaViews.h"
#include "IR/Ops/Build.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Rules.h"
#include "IR/Plan/ArenaParts.h"
#include "IR/Rewrite/ArenaEnd.h"
#include "IR/Rewrite/CalleeArenas.h"
#include "IR/Rewrite/CreateArena.h"
#include "IR/Rewrite/EraseFrees.h"
#include "IR/Rewrite/LoopNames.h"
#include "IR/Rewrite/MoveViews.h"
#include "IR/Rewrite/Poison.h"
#include "IR/Rewrite/RunTimeFrames.h"
#include "mlir-c/BuiltinAttributes.h"

#include <stdlib.h>

/// The bytes of the arena; where several memories are planned, of each.
static MlirAttribute arenaSize(const BerthJob *job) {
  MlirContext context = mlirOperationGetContext(job->scope.op);
  MlirAttribute bytes = berthI64(context, job->arenaSize);
  if (!job->options->memory)
    return bytes;
  MlirAttribute others = berthAttributeOf(job->scope.op, BERTH_ARENA_SIZE);
  bool hasOthers =
      !mlirAttributeIsNull(others) && mlirAttributeIsADictionary(others);
  intptr_t count = hasOthers ? mlirDictionaryAttrGetNumElements(others) : 0;
  MlirNamedAttribute *sizes =
      berthAllocateOrDie((size_t)count + 1, sizeof *sizes);
  MlirNamedAttribute own = berthNamed(context, job->options->memory, bytes);
  intptr_t kept = 0;
  for (intptr_t i = 0; i < count; ++i) {
    MlirNamedAttribute other = mlirDictionaryAttrGetElement(others, i);
    if (!mlirIdentifierEqual(other.name, own.name))
      sizes[kept++] = other;
  }
  sizes[kept++] = own;
  MlirAttribute all = mlirDictionaryAttrGet(context, kept, sizes);
  free(sizes);
  return all;
}

static void forget(MlirOperation op, const char *attribute) {
  mlirOperationRemoveAttributeByName(op,
                                     mlirStringRefCreateFromCString(attribute));
}

/// Of the loops around what is done to a buffer that had a place by attributes.
/// (Views of an arena that becomes part of another one keep their distance.)
static void forgetOrder(const BerthJob *job, MlirOperation op) {
  for (op = mlirOperationGetParentOperation(op);
       !mlirOperationEqual(op, job->scope.op);
       op = mlirOperationGetParentOperation(op)) {
    forget(op, BERTH_ORDERED);
    forget(op, BERTH_IN_PLACE);
  }
}

void berthForgetPlaces(const BerthJob *job) {
  for (size_t i = 0; i < job->scope.numBuffers; ++i) {
    const BerthBufferInfo *buffer = &job->scope.buffers[i];
    if (!mlirOperationIsNull(buffer->callee))
      continue;
    bool isPlaced =
        !mlirAttributeIsNull(berthAttributeOf(buffer->alloc, BERTH_OFFSET));
    // berth.size stays: it may be the user's word.
    forget(buffer->alloc, BERTH_OFFSET);
    forget(buffer->alloc, "berth.address");
    forget(buffer->alloc, BERTH_OFFSETS);
    forget(buffer->alloc, BERTH_ADDRESSES);
    for (size_t k = 0; k < buffer->numAccesses; ++k)
      forget(buffer->accesses[k].op, BERTH_PASSES);
    for (size_t k = 0; k < buffer->numAccesses; ++k)
      if (buffer->accesses[k].writes) {
        forget(buffer->accesses[k].op, BERTH_IN_PLACE);
        if (isPlaced)
          forgetOrder(job, buffer->accesses[k].op);
      }
  }
}

static MlirWalkResult findPlace(MlirOperation op, void *userData) {
  bool *found = userData;
  *found = !mlirAttributeIsNull(berthAttributeOf(op, BERTH_OFFSET));
  return *found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

/// Where nothing has a place by attributes any more, there is no such arena.
static void forgetArena(MlirOperation scope) {
  bool found = false;
  mlirOperationWalk(scope, findPlace, &found, MlirWalkPreOrder);
  if (found)
    return;
  forget(scope, BERTH_ARENA_SIZE);
  forget(scope, BERTH_ARENA_ALIGNMENT);
}

static void annotate(const BerthJob *job) {
  MlirContext context = mlirOperationGetContext(job->scope.op);
  for (size_t i = 0; i < job->scope.numBuffers; ++i) {
    const BerthBufferInfo *buffer = &job->scope.buffers[i];
    if (buffer->reason)
      continue;
    if (!mlirOperationIsNull(buffer->writtenBy))
      berthSetAttribute(buffer->writtenBy, BERTH_IN_PLACE,
                        mlirUnitAttrGet(context));
    berthSetAttribute(buffer->alloc, BERTH_OFFSET,
                      berthI64(context, buffer->offset));
    berthSetAttribute(buffer->alloc, BERTH_SIZE,
                      berthI64(context, buffer->size));
    if (job->options->hasAddress)
      berthSetAttribute(
          buffer->alloc, "berth.address",
          berthI64(context, job->options->collect.start + buffer->offset));
  }
  berthSetAttribute(job->scope.op, BERTH_ARENA_SIZE, arenaSize(job));
  if (!job->options->memory && job->arenaAlignment > BERTH_MALLOC_ALIGNMENT)
    berthSetAttribute(job->scope.op, BERTH_ARENA_ALIGNMENT,
                      berthI64(context, job->arenaAlignment));
}

/// The memref.view behind what was built.
static MlirOperation viewBehind(MlirValue value) {
  MlirOperation op = mlirOpResultGetOwner(value);
  while (!berthOpIs(op, BERTH_OP_VIEW))
    op = mlirOpResultGetOwner(mlirOperationGetOperand(op, 0));
  return op;
}

/// The buffer whose content this one takes over: where a copy was dropped, its
/// source's; else its own.
static size_t contentNumber(const BerthScope *scope, size_t number) {
  while (berthIsDroppableCopy(&scope->buffers[number])) {
    MlirValue source =
        mlirOperationGetOperand(scope->buffers[number].writtenBy, 0);
    size_t i = 0;
    while (!mlirValueEqual(scope->buffers[i].value, source))
      ++i;
    number = i;
  }
  return number;
}

/// Numbers of all buffers, while the copies still stand.
static size_t *contentNumbers(BerthJob *job) {
  size_t *numbers = BERTH_NEW(&job->memory, size_t, job->scope.numBuffers);
  for (size_t i = 0; i < job->scope.numBuffers; ++i)
    numbers[i] = contentNumber(&job->scope, i);
  return numbers;
}

/// A copy between buffers of the same bytes does nothing.
static void dropCopies(BerthJob *job) {
  for (size_t i = 0; i < job->scope.numBuffers; ++i)
    if (!job->scope.buffers[i].reason &&
        berthIsDroppableCopy(&job->scope.buffers[i]))
      mlirOperationDestroy(job->scope.buffers[i].writtenBy);
}

/// A buffer of dynamic size keeps the sizes that its allocation had.
static MlirValue buildDynamicView(const BerthBufferInfo *buffer,
                                  MlirValue arena, int64_t lower) {
  BerthInsertPoint at = berthInsertBefore(buffer->alloc);
  MlirValue shift = buffer->isDynamic
                        ? buffer->shift
                        : berthBuildIndex(at, buffer->offset - lower);
  MlirValue view = berthBuildDynamicView(at, arena, shift, buffer->alloc);
  MlirAttribute bound = berthAttributeOf(buffer->alloc, BERTH_UPPER_BOUND);
  if (!mlirAttributeIsNull(bound))
    berthSetAttribute(mlirOpResultGetOwner(view), BERTH_UPPER_BOUND, bound);
  return view;
}

/// Its operands are tokens and no sizes: the type is static.
static void keepWaitsOfAllocation(MlirOperation alloc) {
  MlirAttribute segments = berthAttributeOf(alloc, "operandSegmentSizes");
  berthKeepWaits(alloc, mlirDenseI32ArrayGetElement(segments, 0), 1);
}

static void eraseAllocation(const BerthBufferInfo *buffer) {
  if (berthOpIs(buffer->alloc, BERTH_OP_DEVICE_ALLOC))
    keepWaitsOfAllocation(buffer->alloc);
  mlirOperationDestroy(buffer->alloc);
}

/// Where a copy was dropped, the view goes on with what its source wrote.
static void numberView(BerthJob *job, MlirOperation view,
                       const BerthBufferInfo *buffer, size_t number) {
  berthNumberView(view, number, buffer->alloc);
  if (buffer != &job->scope.buffers[number])
    berthSetAttribute(view, BERTH_KEEPS,
                      mlirUnitAttrGet(mlirOperationGetContext(view)));
}

static void replaceAllocation(BerthJob *job, BerthBufferInfo *buffer,
                              size_t number, BerthNewNumbers *numbers,
                              BerthLoopNames *names) {
  bool hasSizes = buffer->isDynamic || buffer->isBounded;
  if (hasSizes)
    berthBuildSizeCheck(job, buffer);
  int64_t lower;
  MlirValue arena = berthArenaOf(job, buffer, &lower);
  if (berthIsArena(buffer->value) &&
      berthMoveViews(buffer, arena, buffer->offset - lower, numbers, names)) {
    eraseAllocation(buffer);
    buffer->value = arena;
    return;
  }
  MlirType type = mlirValueGetType(buffer->value);
  BerthInsertPoint at = berthInsertBefore(buffer->alloc);
  MlirValue view =
      hasSizes ? buildDynamicView(buffer, arena, lower)
      : buffer->isForeign
          ? berthBuildForeignView(at, arena, buffer->offset - lower,
                                  buffer->size, type)
          : berthBuildView(at, arena, buffer->offset - lower, type);
  numberView(job, viewBehind(view), buffer, number);
  berthNameLoopOf(names, viewBehind(view));
  mlirValueReplaceAllUsesOfWith(buffer->value, view);
  eraseAllocation(buffer);
  buffer->value = view;
}

/// Fences first: where both go, each thread fences before it meets the others.
static void insertBarriers(BerthJob *job) {
  bool isBare = berthIsBroken(job->options->alias.breakRule, "bare-barriers");
  for (size_t i = 0; i < job->numFences && !isBare; ++i)
    berthBuildProxyFence(berthInsertBefore(job->fences[i]));
  for (size_t i = 0; i < job->numBarriers; ++i)
    berthBuild(berthInsertBefore(job->barriers[i]), BERTH_NAME_BARRIER, 0, NULL,
               0, NULL, 0, NULL);
}

void berthApplyPlan(BerthJob *job) {
  MlirContext context = mlirOperationGetContext(job->scope.op);
  for (size_t i = 0; i < job->numOverlaps; ++i)
    berthSetAttribute(job->overlaps[i].nest, BERTH_ORDERED,
                      mlirUnitAttrGet(context));
  if (job->form == BERTH_ARENA_ANNOTATE) {
    annotate(job);
    return;
  }
  bool mayEndEarly = job->numPlaced && berthMayEndArenaEarly(job);
  insertBarriers(job);
  // Before anything is erased: homes stand in front of ops.
  if (job->numPlaced || berthHasEntryHome(job))
    berthCreateArena(job);
  berthBuildHomes(job);
  if (job->options->poison && !job->scope.isDevice)
    berthPoisonDeadBytes(job);
  berthEraseFrees(job);
  const size_t *numbers = contentNumbers(job);
  dropCopies(job);
  BerthNewNumbers newNumbers = {.next = job->scope.numBuffers};
  BerthLoopNames names = {.scope = job->scope.op};
  for (size_t i = 0; i < job->scope.numBuffers; ++i) {
    BerthBufferInfo *buffer = &job->scope.buffers[i];
    bool isPlacedFrame =
        !buffer->reason && !mlirOperationIsNull(buffer->callee);
    if (isPlacedFrame && buffer->isDynamic)
      berthHandOverFrame(job, buffer, numbers[i]);
    else if (isPlacedFrame)
      berthHandOverArena(job, buffer, numbers[i]);
    else if (!buffer->reason)
      replaceAllocation(job, buffer, numbers[i], &newNumbers, &names);
  }
  berthPointerMapFree(&newNumbers.of);
  // Only now is all that is made of the offsets there.
  if (!mlirValueIsNull(job->frameBytes))
    berthEraseUnused(job->frameBytes);
  if (mayEndEarly)
    berthEndArenaEarly(job);
  forgetArena(job->scope.op);
}
