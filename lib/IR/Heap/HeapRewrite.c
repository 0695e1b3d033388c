//===- HeapRewrite.c - Allocations become calls into the heap ------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %m = memref.alloc(%n) : memref<?xf32>
//
// becomes, outside of kernels,
//
//   %b = call @berth_heap_scale(%c4, %n)        bytes; not a size if negative
//   %w = call @berth_heap_words(%b)
//   %status, %shift, %handle = call @berth_heap_take(%words, %w, %alignment)
//   cf.assert ...                               on the status, naming the line
//   %m = memref.view %arena[%shift][%n] : memref<Nxi8> to memref<?xf32>
//
// and a dealloc becomes @berth_heap_give(%words, %handle) with an assertion.
// The handle is %handle where the value is a view of one allocation, and else
// found from the value's address: the tag lies in front of the payload.
//
// In kernels, where nothing can be asserted, the rest of the block goes into an
// scf.if on the status: a workgroup whose heap is exhausted does no more there.
//
//===----------------------------------------------------------------------===//

#include "IR/Heap/HeapRewrite.h"
#include "IR/Heap/HeapArena.h"
#include "IR/Heap/HeapSources.h"
#include "IR/Heap/HeapWords.h"
#include "IR/Ops/Build.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Text.h"
#include "Support/Checked.h"
#include "berth-c/Heap.h"

#include <stdlib.h>

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

typedef struct Types {
  MlirType i1;
  MlirType i32;
  MlirType i64;
  MlirType index;
} Types;

static Types typesOf(const BerthHeapJob *job) {
  MlirContext context = mlirOperationGetContext(job->scope.op);
  return (Types){mlirIntegerTypeGet(context, 1),
                 mlirIntegerTypeGet(context, 32),
                 mlirIntegerTypeGet(context, 64), mlirIndexTypeGet(context)};
}

static MlirValue callValue(BerthInsertPoint at, const char *name,
                           intptr_t numOperands, const MlirValue *operands,
                           MlirType result) {
  return mlirOperationGetResult(
      berthBuildCall(at, name, numOperands, operands, 1, &result), 0);
}

/// arith.cmpi against a constant.
static MlirValue compare(const BerthHeapJob *job, BerthInsertPoint at,
                         int64_t predicate, MlirValue value, int64_t with) {
  return berthBuildCompare(at, predicate, value,
                           berthBuildInteger(at, typesOf(job).i32, with));
}

/// Asserts that the status is none of those that this op can end with; `about`
/// is the op as the user wrote it.
static void assertNot(const BerthHeapJob *job, BerthInsertPoint at,
                      MlirOperation about, MlirValue status,
                      BerthHeapStatus failure) {
  BerthText text = {0};
  berthTextAppend(&text, "berth-heap: ");
  berthTextAppendOp(&text, about);
  berthTextAppend(&text, ": %s", berthHeapStatusString(failure));
  MlirValue holds = compare(job, at, BERTH_NOT_EQUAL, status, (int64_t)failure);
  berthBuildAssert(at, holds, text.data);
  berthTextFree(&text);
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

static MlirValue scale(const BerthHeapJob *job, BerthInsertPoint at,
                       MlirValue size, MlirValue extent) {
  MlirValue operands[] = {size, extent};
  return callValue(at, "berth_heap_scale", 2, operands, typesOf(job).i64);
}

/// Beyond any arena; what the emitted functions saturate at.
static int64_t cap(int64_t size) {
  return size > UINT32_MAX ? (int64_t)UINT32_MAX : size;
}

/// Words of a dense buffer in an arena of words, which has no 64-bit integers.
static MlirValue denseWords(const BerthHeapJob *job, BerthInsertPoint at,
                            MlirOperation alloc, MlirType type) {
  int64_t words = 1;
  for (int64_t i = 0; i < mlirShapedTypeGetRank(type); ++i)
    if (!mlirShapedTypeIsDynamicDim(type, i))
      words = berthMultiplySaturating(words, mlirShapedTypeGetDimSize(type, i));
  MlirType i32 = typesOf(job).i32;
  MlirValue size = berthBuildInteger(at, i32, (int32_t)cap(words));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(alloc); ++i) {
    MlirValue operands[] = {size, mlirOperationGetOperand(alloc, i)};
    size = callValue(at, "berth_heap_scale_words", 2, operands, i32);
  }
  return size;
}

/// Bytes of a dense buffer: the static factors, then one call an extent.
static MlirValue denseBytes(const BerthHeapJob *job, BerthInsertPoint at,
                            MlirOperation alloc, MlirType type,
                            int64_t elementBytes) {
  int64_t bytes = elementBytes;
  for (int64_t i = 0; i < mlirShapedTypeGetRank(type); ++i)
    if (!mlirShapedTypeIsDynamicDim(type, i))
      bytes = berthMultiplySaturating(bytes, mlirShapedTypeGetDimSize(type, i));
  MlirValue size = berthBuildInteger(at, typesOf(job).i64, cap(bytes));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(alloc); ++i)
    size = scale(job, at, size, mlirOperationGetOperand(alloc, i));
  return size;
}

/// Elements from the start of a strided buffer to past its last one.
static MlirValue stridedElements(const BerthHeapJob *job, BerthInsertPoint at,
                                 MlirOperation alloc, MlirType type) {
  int64_t strides[64], elements;
  mlirMemRefTypeGetStridesAndOffset(type, strides, &elements);
  elements = berthAddSaturating(elements, 1);
  int64_t rank = mlirShapedTypeGetRank(type);
  for (int64_t i = 0; i < rank; ++i)
    if (!mlirShapedTypeIsDynamicDim(type, i) &&
        mlirShapedTypeGetDimSize(type, i) > 0)
      elements = berthAddSaturating(
          elements, berthMultiplySaturating(
                        mlirShapedTypeGetDimSize(type, i) - 1, strides[i]));
  MlirType i64 = typesOf(job).i64;
  MlirValue size = berthBuildInteger(at, i64, cap(elements));
  for (int64_t i = 0, operand = 0; i < rank; ++i) {
    if (!mlirShapedTypeIsDynamicDim(type, i))
      continue;
    MlirValue operands[] = {size, mlirOperationGetOperand(alloc, operand++),
                            berthBuildInteger(at, i64, strides[i])};
    size = callValue(at, "berth_heap_span", 3, operands, i64);
  }
  return size;
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

/// memref.view of the arena at `shift`; the extents are `numExtents` values.
static MlirValue view(const BerthHeapJob *job, BerthInsertPoint at,
                      MlirValue shift, MlirType type, intptr_t numExtents,
                      const MlirValue *extents) {
  MlirValue operands[66] = {job->bytes, shift};
  for (intptr_t i = 0; i < numExtents; ++i)
    operands[2 + i] = extents[i];
  return berthBuildValue(at, BERTH_NAME_VIEW, 2 + numExtents, operands, type, 0,
                         NULL);
}

/// A flat view of the elements, then a reinterpret_cast to the strides.
static MlirValue viewStrided(const BerthHeapJob *job, BerthInsertPoint at,
                             MlirValue shift, MlirType type, MlirValue elements,
                             intptr_t numExtents, const MlirValue *extents) {
  int64_t strides[64], offset;
  mlirMemRefTypeGetStridesAndOffset(type, strides, &offset);
  int64_t shape[] = {mlirShapedTypeGetDynamicSize()};
  MlirType flat = mlirMemRefTypeContiguousGet(
      mlirShapedTypeGetElementType(type), 1, shape, job->scope.space);
  MlirValue count = berthBuildValue(at, BERTH_NAME_INDEX_CAST, 1, &elements,
                                    typesOf(job).index, 0, NULL);
  MlirValue operands[65] = {view(job, at, shift, flat, 1, &count)};
  for (intptr_t i = 0; i < numExtents; ++i)
    operands[1 + i] = extents[i];
  return berthBuildReinterpret(at, type, offset, strides, 1 + numExtents,
                               operands);
}

//===----------------------------------------------------------------------===//
// Allocations
//===----------------------------------------------------------------------===//

typedef struct Taken {
  MlirValue status;
  MlirValue shift;
  MlirValue handle;
} Taken;

static Taken take(const BerthHeapJob *job, BerthInsertPoint at,
                  const BerthBufferInfo *info, MlirValue words) {
  Types types = typesOf(job);
  int64_t alignment = berthRoundUp(info->alignment, 4) / 4;
  MlirValue operands[] = {job->words, words,
                          berthBuildInteger(at, types.i32, alignment)};
  MlirType results[] = {types.i32, types.index, types.i32};
  MlirOperation op =
      berthBuildCall(at, "berth_heap_take", 3, operands, 3, results);
  Taken taken = {mlirOperationGetResult(op, 0), mlirOperationGetResult(op, 1),
                 mlirOperationGetResult(op, 2)};
  if (!job->isKernel) {
    assertNot(job, at, info->alloc, taken.status, BERTH_HEAP_BAD_SIZE);
    assertNot(job, at, info->alloc, taken.status, BERTH_HEAP_EXHAUSTED);
    assertNot(job, at, info->alloc, taken.status, BERTH_HEAP_BAD_TAG);
  }
  return taken;
}

/// Moves all that follows `after` in its block, up to the terminator, into an
/// scf.if on the status.
static void guardRest(const BerthHeapJob *job, MlirOperation after,
                      MlirValue status) {
  MlirOperation next = mlirOperationGetNextInBlock(after);
  BerthInsertPoint at = berthInsertBefore(next);
  MlirValue condition = compare(job, at, BERTH_EQUAL, status, BERTH_HEAP_OK);
  MlirOperation yield = berthBuildIf(at, condition).before;
  while (!mlirOperationIsNull(mlirOperationGetNextInBlock(next))) {
    MlirOperation following = mlirOperationGetNextInBlock(next);
    mlirOperationMoveBefore(next, yield);
    next = following;
  }
}

/// The block's words, for its payload.
static MlirValue sizeInWords(const BerthHeapJob *job, BerthInsertPoint at,
                             MlirValue bytes) {
  return callValue(at, "berth_heap_words", 1, &bytes, typesOf(job).i32);
}

/// Takes the block; its address is all there is in an arena of words.
static MlirOperation rewriteAllocInWords(BerthHeapJob *job,
                                         BerthHeapBuffer *buffer,
                                         MlirValue *status) {
  BerthBufferInfo *info = buffer->info;
  BerthInsertPoint at = berthInsertBefore(info->alloc);
  MlirType type = mlirValueGetType(info->value);
  Taken taken = take(job, at, info, denseWords(job, at, info->alloc, type));
  MlirValue one = berthBuildInteger(at, typesOf(job).i32, 1);
  buffer->handle = taken.handle;
  buffer->address = berthBuildBinary(at, BERTH_NAME_ADD, taken.handle, one);
  *status = taken.status;
  return mlirOpResultGetOwner(buffer->address);
}

/// The op after which everything relies on the buffer; `*status` is to be
/// guarded in kernels.
static MlirOperation rewriteAlloc(BerthHeapJob *job, BerthHeapBuffer *buffer,
                                  MlirValue *status) {
  BerthBufferInfo *info = buffer->info;
  MlirOperation alloc = info->alloc;
  MlirType type = mlirValueGetType(info->value);
  BerthInsertPoint at = berthInsertBefore(alloc);
  BerthTypeSize size = {0, 0, 1};
  berthMemRefGetSize(type, alloc, &size);
  MlirValue extents[64];
  intptr_t numExtents = mlirOperationGetNumOperands(alloc);
  for (intptr_t i = 0; i < numExtents; ++i)
    extents[i] = mlirOperationGetOperand(alloc, i);
  bool isDense = mlirAffineMapIsIdentity(mlirMemRefTypeGetAffineMap(type));
  MlirValue elements = {NULL}, bytes, result;
  if (isDense) {
    bytes = denseBytes(job, at, alloc, type, size.elementBytes);
  } else {
    elements = stridedElements(job, at, alloc, type);
    bytes = scale(job, at, elements, berthBuildIndex(at, size.elementBytes));
  }
  Taken taken = take(job, at, info, sizeInWords(job, at, bytes));
  result = isDense ? view(job, at, taken.shift, type, numExtents, extents)
                   : viewStrided(job, at, taken.shift, type, elements,
                                 numExtents, extents);
  buffer->handle = taken.handle;
  *status = taken.status;
  mlirValueReplaceAllUsesOfWith(info->value, result);
  return mlirOpResultGetOwner(result);
}

//===----------------------------------------------------------------------===//
// Deallocations
//===----------------------------------------------------------------------===//

static void give(const BerthHeapJob *job, BerthInsertPoint at,
                 MlirOperation about, MlirValue handle) {
  MlirValue operands[] = {job->words, handle};
  MlirValue status =
      callValue(at, "berth_heap_give", 2, operands, typesOf(job).i32);
  if (job->isKernel)
    return;
  assertNot(job, at, about, status, BERTH_HEAP_DOUBLE_FREE);
  assertNot(job, at, about, status, BERTH_HEAP_FOREIGN);
  assertNot(job, at, about, status, BERTH_HEAP_BAD_TAG);
}

/// The handle, from where the buffer begins. In an arena of words the value,
/// which a slot held, is about to become the address itself.
static MlirValue handleFromAddress(const BerthHeapJob *job, BerthInsertPoint at,
                                   MlirValue value) {
  Types types = typesOf(job);
  if (job->hasWordsOnly) {
    MlirValue parts[] = {value, berthBuildInteger(at, types.i32, 1)};
    return berthBuildValue(at, BERTH_NAME_SUBTRACT, 2, parts, types.i32, 0,
                           NULL);
  }
  MlirValue operands[] = {
      job->words,
      berthBuildValue(at, BERTH_NAME_ADDRESS, 1, &value, types.index, 0, NULL)};
  return callValue(at, "berth_heap_handle_at", 2, operands, types.i32);
}

/// One dealloc; `source` is NULL where it is known at run time only.
typedef struct Free {
  MlirOperation op;
  BerthHeapBuffer *source;
} Free;

typedef struct FreeList {
  Free *frees;
  size_t count;
} FreeList;

typedef struct FreeWalk {
  const BerthHeapJob *job;
  FreeList *list;
  size_t capacity;
} FreeWalk;

static MlirWalkResult collectFree(MlirOperation op, void *userData) {
  FreeWalk *walk = userData;
  if (!berthOpIs(op, BERTH_OP_FREE) ||
      !berthHeapComesFromMoved(walk->job, mlirOperationGetOperand(op, 0)))
    return MlirWalkResultAdvance;
  FreeList *list = walk->list;
  list->frees =
      berthGrow(list->frees, list->count, &walk->capacity, sizeof *list->frees);
  list->frees[list->count++] = (Free){
      op, berthHeapOnlySource(walk->job, mlirOperationGetOperand(op, 0))};
  return MlirWalkResultAdvance;
}

/// All deallocs of moved buffers, and of what slots hold, while the allocations
/// still stand.
static FreeList collectFrees(BerthHeapJob *job) {
  FreeList list = {0};
  FreeWalk walk = {job, &list, 0};
  mlirOperationWalk(job->scope.op, collectFree, &walk, MlirWalkPreOrder);
  return list;
}

static void rewriteFree(const BerthHeapJob *job, const Free *one) {
  BerthInsertPoint at = berthInsertBefore(one->op);
  MlirValue handle =
      one->source
          ? one->source->handle
          : handleFromAddress(job, at, mlirOperationGetOperand(one->op, 0));
  give(job, at, one->op, handle);
  mlirOperationDestroy(one->op);
}

static void freeAfterLastUse(const BerthHeapJob *job,
                             const BerthHeapBuffer *buffer) {
  MlirOperation alloc = buffer->info->alloc;
  bool isUnused = mlirOperationEqual(buffer->lastUse, alloc);
  MlirOperation before =
      isUnused ? alloc : mlirOperationGetNextInBlock(buffer->lastUse);
  give(job, berthInsertBefore(before), alloc, buffer->handle);
}

//===----------------------------------------------------------------------===//
// The scope
//===----------------------------------------------------------------------===//

/// A slot keeps what it held when the block for it could not be had, so a
/// kernel that reads slots does nothing once the heap has failed.
static void guardKernel(const BerthHeapJob *job) {
  MlirBlock entry = mlirRegionGetFirstBlock(job->scope.body);
  MlirOperation next =
      mlirValueIsABlockArgument(job->words)
          ? mlirBlockGetFirstOperation(entry)
          : mlirOperationGetNextInBlock(mlirOpResultGetOwner(job->words));
  BerthInsertPoint at = berthInsertBefore(next);
  MlirValue status =
      callValue(at, "berth_heap_status", 1, &job->words, typesOf(job).i32);
  guardRest(job, mlirOpResultGetOwner(status), status);
}

static void finishAlloc(const BerthHeapJob *job, const BerthHeapBuffer *buffer,
                        MlirOperation start, MlirValue status) {
  if (job->hasWordsOnly)
    berthHeapUseWords(job, buffer->info->value, buffer->address);
  mlirOperationDestroy(buffer->info->alloc);
  if (job->isKernel)
    guardRest(job, start, status);
}

void berthHeapRewrite(BerthHeapJob *job) {
  size_t count = job->scope.numBuffers;
  FreeList list = collectFrees(job);
  MlirOperation *starts = BERTH_NEW(&job->memory, MlirOperation, count);
  MlirValue *statuses = BERTH_NEW(&job->memory, MlirValue, count);
  for (size_t i = 0; i < count; ++i)
    if (berthHeapIsMoved(&job->buffers[i]))
      starts[i] = job->hasWordsOnly
                      ? rewriteAllocInWords(job, &job->buffers[i], &statuses[i])
                      : rewriteAlloc(job, &job->buffers[i], &statuses[i]);
  for (size_t i = 0; i < list.count; ++i)
    rewriteFree(job, &list.frees[i]);
  free(list.frees);
  for (size_t i = 0; i < count; ++i)
    if (berthHeapIsMoved(&job->buffers[i]) && !job->buffers[i].info->numFrees &&
        !job->buffers[i].isKept)
      freeAfterLastUse(job, &job->buffers[i]);
  for (size_t i = 0; i < count; ++i)
    if (berthHeapIsMoved(&job->buffers[i]))
      finishAlloc(job, &job->buffers[i], starts[i], statuses[i]);
  if (job->hasWordsOnly)
    berthHeapChangeSlots(job);
  if (job->isSkippable)
    guardKernel(job);
}
