//===- HeapSelect.c - Which allocations move, and who frees them ---------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A heap asks less of an allocation than a plan does: any number of instances
// may live at once, and nobody needs to know for how long. What must hold:
//
//   1. its words can be computed and viewed: memref.alloc or alloca, identity
//      layout or static strides, an element of fixed size;
//   2. no pointer to it outlives the arena;
//   3. each instance is freed once: by its own memref.deallocs, if every one of
//      them can only ever be given moved buffers; or, without any, behind its
//      last use, if no use leaves the block that it is allocated in;
//   4. calls into the heap do not race: outside of parallel regions, or with
//      the lock; in kernels, where all threads of the workgroup pass together.
//
// In kernels with a heap in global memory each thread calls for itself, under
// the lock, so 4 asks nothing of them but that nobody waits for a thread which
// got no memory. And 2 and 3 let a block stay behind when a slot holds it.
//
// Rule 3 makes buffers depend on each other (a dealloc may be given either of
// two), so it is repeated until nothing changes.
//
//===----------------------------------------------------------------------===//

#include "IR/Heap/HeapSelect.h"
#include "IR/Facts/Versions.h"
#include "IR/Heap/HeapArena.h"
#include "IR/Heap/HeapDevice.h"
#include "IR/Heap/HeapSources.h"
#include "IR/Heap/HeapWords.h"
#include "IR/Ops/Build.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Pointers/CallSummary.h"
#include "IR/Pointers/LoopCarried.h"
#include "IR/Pointers/Tokens.h"
#include "IR/Scope/Points.h"
#include "IR/Threads/Uniformity.h"

static void refuse(BerthHeapBuffer *buffer, const char *reason,
                   MlirOperation at) {
  if (buffer->reason)
    return;
  buffer->reason = reason;
  buffer->reasonAt = at;
}

//===----------------------------------------------------------------------===//
// 1. Words
//===----------------------------------------------------------------------===//

static bool isDynamic(const BerthBufferInfo *info) {
  BerthTypeSize size;
  return berthMemRefGetSize(mlirValueGetType(info->value), info->alloc,
                            &size) == BERTH_SIZE_DYNAMIC;
}

/// Where all strides and the offset are constants.
static bool hasKnownStrides(MlirType type) {
  int64_t strides[64], offset;
  int64_t rank = mlirShapedTypeGetRank(type);
  if (rank > 64 || mlirLogicalResultIsFailure(mlirMemRefTypeGetStridesAndOffset(
                       type, strides, &offset)))
    return false;
  bool known = !mlirShapedTypeIsDynamicStrideOrOffset(offset);
  for (int64_t i = 0; i < rank; ++i)
    known &= !mlirShapedTypeIsDynamicStrideOrOffset(strides[i]);
  return known;
}

static bool hasIdentityLayout(MlirType type) {
  return mlirAffineMapIsIdentity(mlirMemRefTypeGetAffineMap(type));
}

static int64_t numDynamicExtents(MlirType type) {
  int64_t count = 0;
  for (int64_t i = 0; i < mlirShapedTypeGetRank(type); ++i)
    count += mlirShapedTypeIsDynamicDim(type, i);
  return count;
}

static void checkShape(BerthHeapBuffer *buffer) {
  MlirOperation alloc = buffer->info->alloc;
  MlirType type = mlirValueGetType(buffer->info->value);
  bool isPlain = berthOpIsPlainAllocation(alloc);
  if (!isPlain)
    refuse(buffer, "only memref.alloc and memref.alloca can be replaced",
           alloc);
  else if (!hasIdentityLayout(type) && !hasKnownStrides(type))
    refuse(buffer, "its strides are known only at run time", alloc);
  else if (mlirOperationGetNumOperands(alloc) != numDynamicExtents(type))
    refuse(buffer, "its layout has symbols", alloc);
}

//===----------------------------------------------------------------------===//
// 2. Escapes
//===----------------------------------------------------------------------===//

static void ignoreAlias(MlirValue alias, bool isView, bool isWhole,
                        void *userData) {
  (void)alias;
  (void)isView;
  (void)isWhole;
  (void)userData;
}

typedef void (*UseCallback)(BerthHeapBuffer *buffer, MlirOpOperand use,
                            void *userData);

static void forEachUse(BerthHeapBuffer *buffer, UseCallback callback,
                       void *userData) {
  for (size_t i = 0; i < buffer->info->numAliases; ++i)
    for (MlirOpOperand use = mlirValueGetFirstUse(buffer->info->aliases[i]);
         !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
      callback(buffer, use, userData);
}

typedef struct EscapeCheck {
  const BerthHeapJob *job;
  BerthCallSummaries summaries;
} EscapeCheck;

static void checkUseEscapes(BerthHeapBuffer *buffer, MlirOpOperand use,
                            void *userData) {
  EscapeCheck *check = userData;
  MlirOperation op = mlirOpOperandGetOwner(use);
  BerthUse what = berthClassifyUse(use, &check->job->options->alias,
                                   &check->summaries, ignoreAlias, NULL);
  if (what.leak == BERTH_LEAK_OUT && !berthHeapIsSlotStore(check->job, use))
    refuse(buffer, what.reason, op);
  while (!mlirOperationIsNull(op) &&
         !mlirOperationEqual(op, check->job->scope.op)) {
    if (berthOpIsAsync(op))
      refuse(buffer, "async code uses it", op);
    bool isToldNow =
        check->job->options->alias.unknownOps == BERTH_UNKNOWN_USE &&
        !berthReturnsHandle(op);
    if (!isToldNow && berthOpMayRunLater(op))
      refuse(buffer, "an op that nobody knows may run its regions later", op);
    op = mlirOperationGetParentOperation(op);
  }
}

static void checkEscapes(const BerthHeapJob *job, BerthHeapBuffer *buffer) {
  const BerthAliasOptions *alias = &job->options->alias;
  EscapeCheck check = {.job = job,
                       .summaries = berthCallSummariesCreate(alias)};
  forEachUse(buffer, checkUseEscapes, &check);
  berthCallSummariesFree(&check.summaries);
}

//===----------------------------------------------------------------------===//
// 3. Frees
//===----------------------------------------------------------------------===//

static void checkFree(const BerthHeapJob *job, BerthHeapBuffer *buffer,
                      MlirOperation op) {
  if (!berthOpIs(op, BERTH_OP_FREE))
    refuse(buffer, "something other than memref.dealloc frees it", op);
  else if (!berthHeapComesFromMoved(job, mlirOperationGetOperand(op, 0)))
    refuse(buffer, "what is deallocated here may also be another buffer", op);
  else if (berthViewsLoseAddresses() &&
           !berthHeapOnlySource(job, mlirOperationGetOperand(op, 0)))
    refuse(buffer,
           "which buffer is deallocated here is known by its address only, and "
           "this MLIR loses the address of a view",
           op);
}

static void noteLastUse(BerthHeapBuffer *buffer, MlirOpOperand use,
                        void *userData) {
  const BerthHeapJob *job = userData;
  MlirOperation op = mlirOpOperandGetOwner(use);
  MlirBlock block = mlirOperationGetBlock(buffer->info->alloc);
  while (!mlirOperationIsNull(op) &&
         !mlirBlockEqual(mlirOperationGetBlock(op), block))
    op = mlirOperationEqual(op, job->scope.op)
             ? (MlirOperation){NULL}
             : mlirOperationGetParentOperation(op);
  bool leaves = mlirOperationIsNull(op) ||
                mlirOperationIsNull(mlirOperationGetNextInBlock(op));
  if (leaves)
    refuse(buffer,
           "nothing deallocates it, and its uses leave the block that it is "
           "allocated in",
           mlirOpOperandGetOwner(use));
  else if (berthPointsLower(&job->points, op) >
           berthPointsLower(&job->points, buffer->lastUse))
    buffer->lastUse = op;
}

/// Tokens and descriptors say that something goes on after the op.
static bool hasOtherAliases(const BerthBufferInfo *info) {
  for (size_t i = 0; i < info->numAliases; ++i) {
    MlirType type = mlirValueGetType(info->aliases[i]);
    if (!mlirTypeIsAMemRef(type) && !mlirTypeIsAUnrankedMemRef(type))
      return true;
  }
  return false;
}

static void findLastUse(BerthHeapJob *job, BerthHeapBuffer *buffer) {
  BerthBufferInfo *info = buffer->info;
  buffer->lastUse = info->alloc;
  if (info->leaks)
    refuse(buffer, "nothing deallocates it, and its address gets away",
           info->leaksAt);
  if (hasOtherAliases(info))
    refuse(buffer, "nothing deallocates it, and more than memrefs point to it",
           info->alloc);
  forEachUse(buffer, noteLastUse, job);
}

static void checkAddress(BerthHeapBuffer *buffer, MlirOpOperand use,
                         void *userData) {
  (void)userData;
  MlirOperation op = mlirOpOperandGetOwner(use);
  if (berthViewsLoseAddresses() && berthOpIs(op, BERTH_OP_ADDRESS))
    refuse(buffer, BERTH_ADDRESS_WOULD_BE_LOST, op);
}

static void checkFrees(BerthHeapJob *job, BerthHeapBuffer *buffer) {
  BerthBufferInfo *info = buffer->info;
  for (size_t i = 0; i < info->numFrees; ++i)
    checkFree(job, buffer, info->frees[i]);
  if (!info->numFrees && !buffer->isKept)
    findLastUse(job, buffer);
  forEachUse(buffer, checkAddress, NULL);
}

//===----------------------------------------------------------------------===//
// 4. Threads
//===----------------------------------------------------------------------===//

static void checkParallel(const BerthHeapJob *job, BerthHeapBuffer *buffer,
                          MlirOperation op) {
  for (op = mlirOperationGetParentOperation(op);
       !mlirOperationEqual(op, job->scope.op);
       op = mlirOperationGetParentOperation(op)) {
    size_t count;
    if (berthOpIsAsync(op))
      refuse(buffer, "it is allocated or freed in async code", op);
    else if ((berthOpIsParallel(op) ||
              !berthPointsSteps(&job->points, op, &count)) &&
             !job->options->locked)
      refuse(buffer,
             "it is allocated or freed in a region that may run many times at "
             "once (see the option locked)",
             op);
  }
}

static void checkUniformPlace(const BerthHeapJob *job, BerthHeapBuffer *buffer,
                              MlirOperation op) {
  MlirOperation because;
  if (!berthControlIsUniform(&job->scope, op, &because))
    refuse(buffer,
           "not all threads of the workgroup provably reach the place where "
           "it is allocated or freed",
           because);
}

/// The rest of the block is skipped when the heap is exhausted, so nobody may
/// wait for what the block yields, and no other block may use what it defines.
static void checkKernelBlock(BerthHeapBuffer *buffer) {
  MlirOperation alloc = buffer->info->alloc;
  MlirBlock block = mlirOperationGetBlock(alloc);
  MlirOperation end = mlirBlockGetTerminator(block);
  MlirRegion region = mlirBlockGetParentRegion(block);
  MlirBlock first = mlirRegionGetFirstBlock(region);
  if (!mlirBlockIsNull(mlirBlockGetNextInRegion(first)))
    refuse(buffer,
           "other blocks follow its own, which must not run if the heap is "
           "exhausted",
           alloc);
  if (mlirOperationIsNull(end) || mlirOperationGetNumOperands(end) > 0)
    refuse(buffer,
           "its block yields values, which there are none of if the heap is "
           "exhausted",
           alloc);
}

/// A thread without memory skips the rest of the block, so the others may not
/// wait for it there.
static void checkNobodyWaits(BerthHeapBuffer *buffer) {
  MlirOperation waits = berthHeapFindWait(buffer->info->alloc);
  if (!mlirOperationIsNull(waits))
    refuse(buffer,
           "threads may wait for each other behind it, and one that gets no "
           "memory would not come there",
           waits);
}

static void checkKernel(const BerthHeapJob *job, BerthHeapBuffer *buffer) {
  MlirOperation alloc = buffer->info->alloc;
  if (job->isDevice)
    checkNobodyWaits(buffer);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(alloc); ++i)
    if (!job->isDevice &&
        !berthValueIsUniform(&job->scope, mlirOperationGetOperand(alloc, i)))
      refuse(buffer, "its size may differ between the threads of the workgroup",
             alloc);
  if (buffer->info->alignment > berthHeapArenaAlignment(job))
    refuse(buffer, "it wants more alignment than the arena has", alloc);
  checkKernelBlock(buffer);
}

static void checkPlace(const BerthHeapJob *job, BerthHeapBuffer *buffer,
                       MlirOperation op) {
  if (!job->isKernel)
    checkParallel(job, buffer, op);
  else if (!job->isDevice)
    checkUniformPlace(job, buffer, op);
}

static void checkThreads(const BerthHeapJob *job, BerthHeapBuffer *buffer) {
  checkPlace(job, buffer, buffer->info->alloc);
  for (size_t i = 0; i < buffer->info->numFrees; ++i)
    checkPlace(job, buffer, buffer->info->frees[i]);
  if (job->isKernel)
    checkKernel(job, buffer);
}

//===----------------------------------------------------------------------===//
// Selection
//===----------------------------------------------------------------------===//

static void noteSlot(BerthHeapBuffer *buffer, MlirOpOperand use,
                     void *userData) {
  buffer->numSlotStores += berthHeapIsSlotStore(userData, use);
  buffer->isKept = buffer->numSlotStores > 0;
}

/// Static allocations are left to a plan unless two instances may live at once,
/// or one outlives the kernel.
static bool isWanted(const BerthHeapJob *job, const BerthHeapBuffer *buffer) {
  return job->options->all || buffer->isKept || isDynamic(buffer->info) ||
         berthIsCarried(&job->points, buffer->info, false,
                        (MlirOperation){NULL});
}

static void refuseByScope(const BerthHeapJob *job, BerthHeapBuffer *buffer) {
  BerthScopeKind kind = job->scope.kind;
  if (kind == BERTH_SCOPE_LAUNCH)
    refuse(buffer, "a gpu.launch body has no heap: outline it first",
           job->scope.op);
  else if (kind == BERTH_SCOPE_DEVICE_FUNCTION)
    refuse(buffer, "only kernels have a heap, not the functions they call",
           job->scope.op);
  else if (job->isDevice && berthScopeIsShared(&job->scope))
    refuse(buffer, "the arena is not in global memory", buffer->info->alloc);
  else if (job->isKernel && !job->isDevice && !berthScopeIsShared(&job->scope))
    refuse(buffer,
           "in kernels the heap lives in workgroup memory (see "
           "arena=global-device)",
           buffer->info->alloc);
}

/// Without pointers all that touches the buffer becomes an access of words.
static void checkWords(const BerthHeapJob *job, BerthHeapBuffer *buffer) {
  MlirOperation use = berthHeapFindOtherUse(job, buffer->info->value);
  if (!mlirOperationIsNull(use))
    refuse(buffer,
           "in an arena of words only loads and stores of 32-bit elements may "
           "use it",
           use);
}

static void checkAlone(BerthHeapJob *job, BerthHeapBuffer *buffer) {
  refuseByScope(job, buffer);
  checkShape(buffer);
  if (!buffer->reason)
    checkEscapes(job, buffer);
  if (!buffer->reason)
    checkThreads(job, buffer);
  if (!buffer->reason && job->hasWordsOnly)
    checkWords(job, buffer);
}

static size_t countMoved(const BerthHeapJob *job) {
  size_t count = 0;
  for (size_t i = 0; i < job->scope.numBuffers; ++i)
    count += berthHeapIsMoved(&job->buffers[i]);
  return count;
}

void berthHeapSelect(BerthHeapJob *job) {
  size_t count = job->scope.numBuffers;
  job->buffers = BERTH_NEW(&job->memory, BerthHeapBuffer, count);
  for (size_t i = 0; i < count; ++i) {
    BerthBufferInfo *info = &job->scope.buffers[i];
    BerthHeapBuffer *buffer = &job->buffers[i];
    *buffer = (BerthHeapBuffer){.info = info};
    forEachUse(buffer, noteSlot, job);
    buffer->isWanted = isWanted(job, buffer);
    berthPointerMapInsert(&job->bufferOf, info->value.ptr, i);
    if (buffer->isWanted)
      checkAlone(job, buffer);
  }
  size_t before;
  do {
    before = countMoved(job);
    for (size_t i = 0; i < count; ++i)
      if (berthHeapIsMoved(&job->buffers[i]))
        checkFrees(job, &job->buffers[i]);
  } while (countMoved(job) != before);
  job->numMoved = before;
}
