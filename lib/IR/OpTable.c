//===- OpTable.c - The only op names that Berth knows ---------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/OpTable.h"
#include "mlir-c/BuiltinAttributes.h"

#include <string.h>

/// Ops whose regions have many instances at once. A name that ends in '*'
/// stands for all that begin so.
static const char *const parallelOps[] = {
    "scf.parallel", "scf.forall", "affine.parallel", "omp.*", "acc.*",
};

/// Not: omp's wrappers, which hold one op and nothing else, its work sharing,
/// which deals the ops of one region out to threads, and what goes to another
/// device.
static const char *const parallelBodies[] = {"scf.parallel", "scf.forall",
                                             "affine.parallel", "omp.parallel",
                                             "omp.loop_nest"};

/// Ops that are asynchronous if they return a token.
static const char *const asyncOps[] = {"async.execute", "gpu.launch"};
/// Ops that are asynchronous and return nothing that one could await.
static const char *const taskOps[] = {"omp.task", "omp.taskloop*"};
static const char *const someThreadsOps[] = {"gpu.warp_execute_on_lane_0"};
static const char *const awaitOps[] = {"async.await", "gpu.wait"};
static const char *const barrierOps[] = {"gpu.barrier", "amdgpu.lds_barrier",
                                         "rocdl.barrier", "nvvm.barrier0"};

/// Per kind: what starts it, what makes groups of it, what waits for these, and
/// the attribute that says how many groups may pend then.
static const struct {
  const char *start, *group, *wait, *mayPend;
} asyncOpsOf[BERTH_NUM_ASYNC_KINDS] = {
    {"nvgpu.device_async_copy", "nvgpu.device_async_create_group",
     "nvgpu.device_async_wait", "numGroups"}};

static const char *const pointerlessOps[] = {"nvgpu.device_async_copy",
                                             "nvgpu.device_async_create_group"};
static const char *const transferOps[] = {"memref.dma_start",
                                          "affine.dma_start"};
static const char *const otherProxyOps[] = {
    "nvgpu.tma.async.load",
    "nvgpu.tma.async.store",
    "nvgpu.warpgroup.generate.descriptor",
    "nvgpu.warpgroup.mma",
    "nvvm.cp.async.shared.global",
    "nvvm.cp.async.bulk.*",
    "nvvm.st.bulk",
    "nvvm.wgmma.mma_async",
    "amdgpu.gather_to_lds",
    "amdgpu.global_load_async_to_lds",
    "amdgpu.tensor_*",
    "amdgpu.make_dma_*",
    "amdgpu.make_gather_dma_*",
    "rocdl.load.to.lds",
    "rocdl.global.load.lds",
    "rocdl.global.load.async.to.lds.*",
    "rocdl.cluster.load.async.to.lds.*",
    "rocdl.raw.ptr.buffer.load.lds",
    "rocdl.tensor.*"};

/// Whole dialects of arithmetic, and values of the block or the grid.
static const char *const uniformOps[] = {"arith.*",
                                         "index.*",
                                         "math.*",
                                         "affine.apply",
                                         "affine.min",
                                         "affine.max",
                                         "gpu.block_id",
                                         "gpu.block_dim",
                                         "gpu.grid_dim",
                                         "memref.dim",
                                         "gpu.cluster_id",
                                         "gpu.cluster_dim",
                                         "gpu.cluster_dim_blocks"};

static MlirStringRef opName(MlirOperation op) {
  return mlirIdentifierStr(mlirOperationGetName(op));
}

static bool matches(MlirStringRef name, const char *pattern) {
  size_t length = strlen(pattern);
  bool isPrefix = pattern[length - 1] == '*';
  length -= isPrefix;
  return (isPrefix ? name.length > length : name.length == length) &&
         memcmp(name.data, pattern, length) == 0;
}

static bool isListed(MlirOperation op, const char *const *table, size_t count) {
  MlirStringRef name = opName(op);
  for (size_t i = 0; i < count; ++i)
    if (matches(name, table[i]))
      return true;
  return false;
}

#define IS_LISTED(op, table)                                                   \
  isListed(op, table, sizeof(table) / sizeof *(table))

bool berthOpIsParallel(MlirOperation op) { return IS_LISTED(op, parallelOps); }
bool berthOpIsParallelBody(MlirOperation op) {
  return IS_LISTED(op, parallelBodies);
}

bool berthOpIsAsync(MlirOperation op) {
  return IS_LISTED(op, taskOps) ||
         (mlirOperationGetNumResults(op) > 0 && IS_LISTED(op, asyncOps));
}
bool berthOpIsForSomeThreads(MlirOperation op) {
  return IS_LISTED(op, someThreadsOps);
}
bool berthOpIsAwait(MlirOperation op) { return IS_LISTED(op, awaitOps); }

/// nvvm.barrier's operands are an id, a thread count and a predicate.
static bool isWholeNvvmBarrier(MlirOperation op) {
  if (!matches(opName(op), "nvvm.barrier"))
    return false;
  MlirAttribute segments = mlirOperationGetAttributeByName(
      op, mlirStringRefCreateFromCString("operandSegmentSizes"));
  return !mlirAttributeIsNull(segments) &&
         mlirDenseI32ArrayGetElement(segments, 1) == 0;
}

bool berthOpIsBarrier(MlirOperation op) {
  return IS_LISTED(op, barrierOps) || isWholeNvvmBarrier(op);
}

bool berthOpStartsAsync(MlirOperation op, BerthAsyncKind kind) {
  return matches(opName(op), asyncOpsOf[kind].start);
}

bool berthOpMakesGroup(MlirOperation op, BerthAsyncKind kind) {
  return matches(opName(op), asyncOpsOf[kind].group);
}

bool berthOpWaitsForGroups(MlirOperation op, BerthAsyncKind kind,
                           int64_t *mayPend) {
  if (!matches(opName(op), asyncOpsOf[kind].wait))
    return false;
  MlirAttribute groups = mlirOperationGetAttributeByName(
      op, mlirStringRefCreateFromCString(asyncOpsOf[kind].mayPend));
  *mayPend =
      mlirAttributeIsNull(groups) ? 0 : mlirIntegerAttrGetValueInt(groups);
  return *mayPend >= 0;
}

bool berthOpIsAsyncCopy(MlirOperation op) {
  for (int kind = 0; kind < BERTH_NUM_ASYNC_KINDS; ++kind)
    if (berthOpStartsAsync(op, (BerthAsyncKind)kind))
      return true;
  return false;
}

bool berthOpReturnsNoPointer(MlirOperation op) {
  return IS_LISTED(op, pointerlessOps);
}

bool berthOpIsTransfer(MlirOperation op) { return IS_LISTED(op, transferOps); }

bool berthOpIsOtherProxy(MlirOperation op) {
  return IS_LISTED(op, otherProxyOps);
}

bool berthOpKeepsUniformity(MlirOperation op) {
  return IS_LISTED(op, uniformOps);
}

bool berthOpIsNamed(MlirOperation op, const char *name) {
  return matches(opName(op), name);
}
