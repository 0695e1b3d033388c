//===- HeapArena.c - The arena that a scope's heap lives in --------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Either the scope's own (a memref.alloc at the entry of a function, freed at
// its exits; a memref.global of the gpu.module for kernels), opened at the
// entry; or the argument that is marked `berth.arena`, which whoever passes it
// has opened. Both ways the bytes get a second view as words, for the heap.
//
//===----------------------------------------------------------------------===//

#include "IR/Heap/HeapArena.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Allocations.h"
#include "IR/Ops/Build.h"
#include "berth-c/Heap.h"

#include <stdio.h>

/// Enough for any vector that a target loads at once.
enum { ArenaAlignment = 64 };

/// memref<?xi32>, what the heap's functions take.
static MlirType wordMemRef(const BerthHeapJob *job) {
  MlirContext context = mlirOperationGetContext(job->scope.op);
  int64_t shape[] = {mlirShapedTypeGetDynamicSize()};
  return mlirMemRefTypeContiguousGet(mlirIntegerTypeGet(context, 32), 1, shape,
                                     job->scope.space);
}

//===----------------------------------------------------------------------===//
// Which form
//===----------------------------------------------------------------------===//

/// The index of the first argument from `start` on that is marked
/// `berth.arena`, or -1.
static intptr_t findMarkFrom(MlirOperation function, intptr_t start) {
  MlirAttribute all = berthAttributeOf(function, "arg_attrs");
  if (mlirAttributeIsNull(all))
    return -1;
  MlirStringRef mark = mlirStringRefCreateFromCString("berth.arena");
  for (intptr_t i = start; i < mlirArrayAttrGetNumElements(all); ++i) {
    MlirAttribute one = mlirArrayAttrGetElement(all, i);
    if (!mlirAttributeIsNull(mlirDictionaryAttrGetElementByName(one, mark)))
      return i;
  }
  return -1;
}

static intptr_t findMark(MlirOperation function) {
  return findMarkFrom(function, 0);
}

/// The same, where it may be used. Kernels have none but for global memory:
/// workgroup memory cannot be passed to them.
static intptr_t markedArgument(const BerthHeapJob *job) {
  return job->isKernel && !job->isDevice ? -1 : findMark(job->scope.op);
}

static MlirValue argumentAt(const BerthHeapJob *job, intptr_t index) {
  return mlirBlockGetArgument(mlirRegionGetFirstBlock(job->scope.body), index);
}

static bool usesArgument(const BerthHeapJob *job) {
  return job->options->arena != BERTH_HEAP_ARENA_OWN &&
         markedArgument(job) >= 0;
}

static bool isWordArena(const BerthHeapJob *job, MlirType type) {
  return mlirTypeIsAMemRef(type) && mlirShapedTypeGetRank(type) == 1 &&
         mlirTypeIsAInteger(mlirShapedTypeGetElementType(type)) &&
         mlirTypeEqual(type, wordMemRef(job));
}

/// Bytes from end to end, in the memory space of what shall live there.
static bool isByteArena(const BerthHeapJob *job, MlirType type) {
  if (!mlirTypeIsAMemRef(type) || mlirShapedTypeGetRank(type) != 1)
    return false;
  MlirType bytes = berthByteMemRef(mlirTypeGetContext(type),
                                   mlirShapedTypeIsDynamicDim(type, 0)
                                       ? -1
                                       : mlirShapedTypeGetDimSize(type, 0),
                                   job->scope.space);
  return mlirTypeEqual(type, bytes);
}

/// A length that is known, of bytes, has room for the heap's own words, and no
/// more words than the heap can count.
static BerthStatus checkLength(const BerthHeapJob *job, intptr_t index,
                               BerthError *error) {
  MlirType type = mlirValueGetType(argumentAt(job, index));
  int64_t least = 4 * (int64_t)BERTH_HEAP_MIN_WORDS,
          most = 4 * (int64_t)BERTH_HEAP_MAX_WORDS;
  if (mlirShapedTypeIsDynamicDim(type, 0))
    return BERTH_SUCCESS;
  int64_t bytes = mlirShapedTypeGetDimSize(type, 0);
  if (bytes >= least && bytes / 4 * 4 <= most)
    return BERTH_SUCCESS;
  return berthErrorSet(error, BERTH_INVALID,
                       "argument %lld is marked berth.arena but has %lld "
                       "bytes: the heap takes from %lld (what it keeps for "
                       "itself) to %lld",
                       (long long)index, (long long)bytes, (long long)least,
                       (long long)most);
}

/// What kernels leave for later ones cannot be in workgroup memory.
static BerthStatus checkOutlives(intptr_t index, MlirType type,
                                 BerthError *error) {
  if (!mlirTypeIsAMemRef(type) ||
      !berthSpaceMayBeShared(mlirMemRefTypeGetMemorySpace(type)))
    return BERTH_SUCCESS;
  return berthErrorSet(error, BERTH_INVALID,
                       "argument %lld is marked berth.arena but is in "
                       "workgroup memory, which ends with the kernel: "
                       "arena=global-device needs global memory",
                       (long long)index);
}

static BerthStatus checkDeviceArena(const BerthHeapJob *job, intptr_t index,
                                    BerthError *error) {
  if (index < 0)
    return berthErrorSet(error, BERTH_INVALID,
                         "arena=global-device needs a kernel argument with the "
                         "attribute berth.arena");
  MlirType type = mlirValueGetType(argumentAt(job, index));
  BerthStatus status = checkOutlives(index, type, error);
  if (status != BERTH_SUCCESS)
    return status;
  if (isWordArena(job, type) ||
      (isByteArena(job, type) && job->lowering != BERTH_HEAP_LOWERING_SPIRV))
    return checkLength(job, index, error);
  return berthErrorSet(
      error, BERTH_INVALID,
      "argument %lld is marked berth.arena but is no "
      "memref<?xi32>%s in the memory space of the heap",
      (long long)index,
      job->lowering == BERTH_HEAP_LOWERING_SPIRV ? "" : " or memref<?xi8>");
}

bool berthHeapHasWordsOnly(const BerthHeapJob *job) {
  intptr_t index = markedArgument(job);
  return job->isDevice && index >= 0 &&
         isWordArena(job, mlirValueGetType(argumentAt(job, index)));
}

bool berthHeapFindArenaSpace(const BerthHeapJob *job, MlirAttribute *space) {
  intptr_t index = markedArgument(job);
  MlirType type =
      index < 0 ? (MlirType){NULL} : mlirValueGetType(argumentAt(job, index));
  if (index < 0 || !mlirTypeIsAMemRef(type))
    return false;
  *space = mlirMemRefTypeGetMemorySpace(type);
  return true;
}

/// Nothing says which of two is meant, and whoever passes them clears both.
static BerthStatus checkOneMark(const BerthHeapJob *job, intptr_t first,
                                BerthError *error) {
  intptr_t second = first < 0 ? -1 : findMarkFrom(job->scope.op, first + 1);
  if (second < 0 || !(job->isDevice || usesArgument(job)))
    return BERTH_SUCCESS;
  return berthErrorSet(error, BERTH_INVALID,
                       "arguments %lld and %lld are both marked berth.arena: "
                       "a heap has one arena",
                       (long long)first, (long long)second);
}

BerthStatus berthHeapCheckArena(const BerthHeapJob *job, BerthError *error) {
  intptr_t index = markedArgument(job);
  bool wantsArgument = job->options->arena == BERTH_HEAP_ARENA_ARGUMENT;
  int64_t most = berthIndexMax(job->scope.op);
  BerthStatus status = checkOneMark(job, index, error);
  if (status != BERTH_SUCCESS)
    return status;
  if (!usesArgument(job) && berthHeapArenaBytes(job) > most)
    return berthErrorSet(error, BERTH_INVALID,
                         "the heap would have %lld bytes, and an index of this "
                         "data layout holds no more than %lld: use size=",
                         (long long)berthHeapArenaBytes(job), (long long)most);
  if (wantsArgument && index < 0 && !job->isKernel)
    return berthErrorSet(error, BERTH_INVALID,
                         "arena=argument needs an argument with the attribute "
                         "berth.arena");
  if (job->isDevice)
    return checkDeviceArena(job, index, error);
  if (!usesArgument(job))
    return BERTH_SUCCESS;
  if (!isByteArena(job, mlirValueGetType(argumentAt(job, index))))
    return berthErrorSet(error, BERTH_INVALID,
                         "argument %lld is marked berth.arena but is no "
                         "memref<?xi8> in the memory space of the heap",
                         (long long)index);
  return checkLength(job, index, error);
}

void berthHeapWarnOfArena(const BerthHeapJob *job) {
  intptr_t index = findMark(job->scope.op);
  if (!job->isKernel || job->isDevice || job->numMoved > 0 || index < 0 ||
      job->options->arena == BERTH_HEAP_ARENA_OWN)
    return;
  char text[160];
  snprintf(text, sizeof text,
           "berth-heap leaves this kernel as it is: no allocation of it is in "
           "workgroup memory, and its argument %lld, berth.arena, is not used",
           (long long)index);
  berthEmitWarning(job->scope.op, text,
                   "arena=global-device makes the heap there");
}

int64_t berthHeapArenaBytes(const BerthHeapJob *job) {
  if (job->options->size)
    return job->options->size;
  return job->isKernel ? BERTH_HEAP_KERNEL_BYTES : BERTH_HEAP_FUNCTION_BYTES;
}

int64_t berthHeapArenaAlignment(const BerthHeapJob *job) {
  int64_t alignment = ArenaAlignment;
  for (size_t i = 0; i < job->scope.numBuffers && !job->isKernel; ++i)
    if (job->scope.buffers[i].alignment > alignment)
      alignment = job->scope.buffers[i].alignment;
  return alignment;
}

//===----------------------------------------------------------------------===//
// Making it
//===----------------------------------------------------------------------===//

static MlirValue createGlobal(const BerthHeapJob *job, BerthInsertPoint at) {
  MlirContext context = mlirOperationGetContext(job->scope.op);
  MlirType type =
      berthByteMemRef(context, berthHeapArenaBytes(job), job->scope.space);
  MlirNamedAttribute name = berthNamed(
      context, "name",
      mlirFlatSymbolRefAttrGet(
          context, mlirStringRefCreateFromCString("berth_heap_arena")));
  return berthBuildValue(at, BERTH_NAME_GET_GLOBAL, 0, NULL, type, 1, &name);
}

static void freeAtExits(const BerthHeapJob *job, MlirValue arena) {
  for (MlirBlock block = mlirRegionGetFirstBlock(job->scope.body);
       !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) {
    MlirOperation end = berthBlockGetLast(block);
    if (!mlirOperationIsNull(end) && berthOpIsReturn(end))
      berthBuild(berthInsertBefore(end), BERTH_NAME_DEALLOC, 1, &arena, 0, NULL,
                 0, NULL);
  }
}

static MlirValue createAlloc(const BerthHeapJob *job, BerthInsertPoint at) {
  MlirContext context = mlirOperationGetContext(job->scope.op);
  MlirType type =
      berthByteMemRef(context, berthHeapArenaBytes(job), job->scope.space);
  MlirValue arena =
      berthBuildAllocation(at, /*isOnHeap=*/true, type, (MlirValue){NULL},
                           berthHeapArenaAlignment(job), /*isFreed=*/false);
  freeAtExits(job, arena);
  return arena;
}

/// memref<?xi32> over all whole words of the bytes.
static MlirValue viewWords(const BerthHeapJob *job, BerthInsertPoint at) {
  MlirType index = mlirIndexTypeGet(mlirOperationGetContext(job->scope.op));
  MlirValue zero = berthBuildIndex(at, 0);
  MlirValue dim[] = {job->bytes, zero};
  MlirValue bytes = berthBuildValue(at, BERTH_NAME_DIM, 2, dim, index, 0, NULL);
  MlirValue word = berthBuildIndex(at, 4);
  MlirValue operands[] = {job->bytes, zero,
                          berthBuildBinary(at, BERTH_NAME_DIVIDE, bytes, word)};
  return berthBuildValue(at, BERTH_NAME_VIEW, 3, operands, wordMemRef(job), 0,
                         NULL);
}

static void open(const BerthHeapJob *job, BerthInsertPoint at) {
  MlirContext context = mlirOperationGetContext(job->scope.op);
  MlirType i32 = mlirIntegerTypeGet(context, 32);
  int64_t mode = (job->options->checked ? BERTH_HEAP_CHECKED : 0) |
                 (job->options->locked ? BERTH_HEAP_LOCKED : 0);
  MlirValue operands[] = {job->words, berthBuildInteger(at, i32, mode)};
  berthBuildCall(at, "berth_heap_open", 2, operands, 1, &i32);
}

void berthHeapCreateArena(BerthHeapJob *job) {
  BerthInsertPoint at = berthInsertAtEntry(
      job->scope.body, mlirOperationGetLocation(job->scope.op));
  bool isArgument = usesArgument(job);
  if (isArgument)
    job->bytes = argumentAt(job, markedArgument(job));
  else
    job->bytes = job->isKernel ? createGlobal(job, at) : createAlloc(job, at);
  job->words = job->hasWordsOnly ? job->bytes : viewWords(job, at);
  if (!isArgument)
    open(job, at);
}
