//===- HeapPass.c - The pass berth-heap, in C ----------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Passes/HeapPass.h"
#include "IR/Heap/HeapArena.h"
#include "IR/Heap/HeapDevice.h"
#include "IR/Heap/HeapInline.h"
#include "IR/Heap/HeapLink.h"
#include "IR/Heap/HeapRewrite.h"
#include "IR/Heap/HeapSelect.h"
#include "IR/Heap/HeapWords.h"
#include "IR/Ops/Build.h"
#include "IR/Ops/OpList.h"
#include "IR/Ops/Recursion.h"
#include "IR/Pointers/Aliases.h"
#include "IR/Scope/Points.h"
#include "IR/Scope/ScopeKind.h"
#include "IR/Threads/Uniformity.h"
#include "Support/Nearest.h"
#include "berth-c/Heap.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

static BerthStatus parseArena(const char *text, BerthHeapArena *arena,
                              BerthError *error) {
  static const char *const names[] = {"auto", "own", "argument",
                                      "global-device"};
  for (int i = 0; i < 4; ++i)
    if (strcmp(text, names[i]) == 0) {
      *arena = (BerthHeapArena)i;
      return BERTH_SUCCESS;
    }
  return berthErrorSet(
      error, BERTH_INVALID,
      "arena '%s' is none of auto, own, argument, global-device%s", text,
      berthNearest(text, names, 4).text);
}

static BerthStatus parseLowering(const char *text, BerthHeapLowering *lowering,
                                 BerthError *error) {
  static const char *const names[] = {"auto", "nvvm", "rocdl", "spirv"};
  for (int i = 0; i < 4; ++i)
    if (strcmp(text, names[i]) == 0) {
      *lowering = (BerthHeapLowering)i;
      return BERTH_SUCCESS;
    }
  return berthErrorSet(error, BERTH_INVALID,
                       "lowering '%s' is none of auto, nvvm, rocdl, spirv%s",
                       text, berthNearest(text, names, 4).text);
}

static BerthStatus parseAllocations(const char *text, bool *all,
                                    BerthError *error) {
  *all = strcmp(text, "all") == 0;
  if (*all || strcmp(text, "dynamic") == 0)
    return BERTH_SUCCESS;
  return berthErrorSet(error, BERTH_INVALID,
                       "allocations '%s' is neither dynamic nor all", text);
}

static BerthStatus checkSize(int64_t size, BerthError *error) {
  int64_t least = 4 * (int64_t)BERTH_HEAP_MIN_WORDS;
  int64_t most = 4 * (int64_t)BERTH_HEAP_MAX_WORDS;
  if (size == 0 || (size >= least && size <= most))
    return BERTH_SUCCESS;
  return berthErrorSet(error, BERTH_INVALID,
                       "size %" PRId64 " is not within %" PRId64 " (what the "
                       "heap's own bookkeeping takes) and %" PRId64 " bytes",
                       size, least, most);
}

BerthStatus berthHeapOptionsParse(MlirContext context, const char *space,
                                  const char *unknownOps, const char *arena,
                                  const char *lowering, const char *allocations,
                                  int64_t size, BerthHeapOptions *options,
                                  BerthError *error) {
  BerthStatus status =
      berthParseSpace(context, space, &options->collect, error);
  if (status == BERTH_SUCCESS)
    status =
        berthParseUnknownOps(unknownOps, &options->alias.unknownOps, error);
  if (status == BERTH_SUCCESS)
    status = parseArena(arena, &options->arena, error);
  if (status == BERTH_SUCCESS)
    status = parseLowering(lowering, &options->lowering, error);
  if (status == BERTH_SUCCESS)
    status = parseAllocations(allocations, &options->all, error);
  if (status == BERTH_SUCCESS)
    status = checkSize(size, error);
  options->size = size;
  return status;
}

//===----------------------------------------------------------------------===//
// One scope
//===----------------------------------------------------------------------===//

/// A size known at run time only is no reason for a heap.
static void forgetDynamicSizes(BerthScope *scope) {
  for (size_t i = 0; i < scope->numBuffers; ++i) {
    BerthBufferInfo *info = &scope->buffers[i];
    BerthTypeSize size;
    if (berthMemRefGetSize(mlirValueGetType(info->value), info->alloc, &size) ==
        BERTH_SIZE_DYNAMIC)
      info->reason = NULL;
  }
}

static const char *howFreed(const BerthHeapBuffer *buffer) {
  if (buffer->isKept && buffer->info->numFrees)
    return "allocated in the heap, put into a slot and freed by its deallocs";
  if (buffer->isKept)
    return "allocated in the heap, kept in a slot for later kernels";
  return buffer->info->numFrees
             ? "allocated in the heap, freed by its deallocs"
             : "allocated in the heap, freed behind its last use";
}

/// What the program says by slots may not be what was meant.
static void remarkSlots(const BerthHeapBuffer *buffer) {
  MlirOperation alloc = buffer->info->alloc;
  if (buffer->isKept && berthOpIs(alloc, BERTH_OP_ALLOCA))
    berthEmitRemark(alloc, BERTH_REMARK_ANALYSIS, "berth-heap",
                    "a slot holds what is allocated on the stack: in the heap "
                    "it does not end with the kernel, and a later one has to "
                    "free it");
  if (buffer->numSlotStores > 1)
    berthEmitRemark(alloc, BERTH_REMARK_ANALYSIS, "berth-heap",
                    "several stores put it into slots: kernels may free what "
                    "one of them holds only");
  for (size_t i = 0; buffer->isKept && i < buffer->info->numFrees; ++i)
    berthEmitRemark(buffer->info->frees[i], BERTH_REMARK_ANALYSIS, "berth-heap",
                    "a slot may still hold what is deallocated here: kernels "
                    "must not use what they find there, nor free it once more");
}

/// Where the scope fails nothing moves, but why a buffer cannot may be the
/// reason.
static void emitRemarks(const BerthHeapJob *job, bool succeeds,
                        BerthHeapFigures *figures) {
  for (size_t i = 0; i < job->scope.numBuffers; ++i) {
    const BerthHeapBuffer *buffer = &job->buffers[i];
    if (!buffer->isWanted)
      continue;
    if (buffer->reason) {
      ++figures->refused;
      berthEmitRemark(buffer->info->alloc, BERTH_REMARK_MISSED, "berth-heap",
                      buffer->reason);
      continue;
    }
    if (!succeeds)
      continue;
    ++figures->moved;
    berthEmitRemark(buffer->info->alloc, BERTH_REMARK_PASSED, "berth-heap",
                    howFreed(buffer));
    remarkSlots(buffer);
  }
}

static bool isToRewrite(const BerthHeapJob *job) {
  return job->numMoved || job->isMarked;
}

/// All that can fail, before anything is told of what is done.
static BerthStatus prepareScope(BerthHeapJob *job, BerthError *error) {
  if (!isToRewrite(job))
    return BERTH_SUCCESS;
  BerthStatus status = berthHeapCheckArena(job, error);
  if (status == BERTH_SUCCESS && job->isMarked)
    status = berthHeapCheckSlotStores(job, error);
  if (status == BERTH_SUCCESS && job->hasWordsOnly)
    status = berthHeapCheckSlots(job, error);
  if (status == BERTH_SUCCESS)
    status = berthHeapLink(job, error);
  return status;
}

static void rewriteScope(BerthHeapJob *job) {
  if (!isToRewrite(job))
    return;
  berthHeapCreateArena(job);
  berthHeapRewrite(job);
  if (job->lowering == BERTH_HEAP_LOWERING_SPIRV)
    berthHeapInline(job->scope.op);
}

static BerthStatus runScope(MlirOperation op, const BerthHeapOptions *options,
                            BerthHeapFigures *figures) {
  BerthHeapOptions ownOptions = *options;
  BerthHeapJob job = {.options = &ownOptions};
  BerthError error;
  job.scope = berthScopeOf(op, &options->collect);
  job.isKernel = job.scope.kind == BERTH_SCOPE_KERNEL;
  BerthStatus status = berthHeapPrepareDevice(&job, &ownOptions, &error);
  job.scope = berthScopeCollect(op, &ownOptions.collect, &job.memory);
  job.points = berthPointsCreate(job.scope.body, &job.memory);
  forgetDynamicSizes(&job.scope);
  berthScopeFindAliases(&job.scope, &job.points, &options->alias);
  if (job.isKernel)
    berthScopeFindUniformity(&job.scope, options->alias.breakRule);
  if (status == BERTH_SUCCESS) {
    berthHeapSelect(&job);
    status = prepareScope(&job, &error);
    emitRemarks(&job, status == BERTH_SUCCESS, figures);
  }
  if (status == BERTH_SUCCESS) {
    berthHeapWarnOfArena(&job);
    rewriteScope(&job);
  }
  if (status != BERTH_SUCCESS)
    berthEmitError(op, error.message, (MlirOperation){NULL}, NULL);
  berthPointerMapFree(&job.bufferOf);
  berthScopeFreeUniformity(&job.scope);
  berthPointsFree(&job.points);
  berthMemoryFree(&job.memory);
  return status;
}

//===----------------------------------------------------------------------===//
// All scopes
//===----------------------------------------------------------------------===//

static void addScope(MlirOperation op, void *userData) {
  if (!berthHeapIsLinked(op))
    berthOpListAdd(userData, op);
}

BerthStatus berthHeapRun(MlirOperation module, const BerthHeapOptions *options,
                         BerthHeapFigures *figures) {
  BerthHeapOptions rooted = *options;
  BerthNamedFunctions named = {0};
  rooted.alias.root = module;
  rooted.alias.named = &named;
  BerthPointerMap threadFunctions =
      berthFindThreadFunctions(module, &rooted.collect);
  rooted.collect.threadFunctions = &threadFunctions;
  options = &rooted;
  // Linking adds functions: all scopes are found first.
  BerthOpList list = {0};
  berthForEachScope(module, &options->collect, addScope, &list);
  BerthStatus status = BERTH_SUCCESS;
  for (size_t i = 0; i < list.count && status == BERTH_SUCCESS; ++i)
    status = runScope(list.ops[i], options, figures);
  for (size_t i = 0; i < list.count && status == BERTH_SUCCESS; ++i)
    berthHeapUnlinkInlined(list.ops[i]);
  free(list.ops);
  berthNamedFunctionsFree(&named);
  berthPointerMapFree(&threadFunctions);
  BerthError error;
  if (status == BERTH_SUCCESS) {
    status = berthHeapLinkDeclared(module, options, &error);
    if (status != BERTH_SUCCESS)
      berthEmitError(module, error.message, (MlirOperation){NULL}, NULL);
  }
  return status;
}
