//===- HeapDevice.c - Heaps in the global memory of a device --------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Such a heap is an argument of the kernel. Each thread calls it for itself,
// and what slots hold stays when the kernel has ended.
//
//===----------------------------------------------------------------------===//

#include "IR/Heap/HeapDevice.h"
#include "IR/Heap/HeapArena.h"
#include "IR/Heap/HeapSources.h"
#include "IR/Ops/Build.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/Text.h"

#include "mlir-c/BuiltinTypes.h"

#include <string.h>

//===----------------------------------------------------------------------===//
// The lowering
//===----------------------------------------------------------------------===//

static BerthHeapLowering loweringOf(MlirAttribute target) {
  if (mlirAttributeIsNull(target))
    return BERTH_HEAP_LOWERING_AUTO;
  BerthText text = {0};
  mlirAttributePrint(target, berthTextCallback, &text);
  BerthHeapLowering lowering = BERTH_HEAP_LOWERING_AUTO;
  if (strncmp(text.data, "#nvvm.", 6) == 0)
    lowering = BERTH_HEAP_LOWERING_NVVM;
  else if (strncmp(text.data, "#rocdl.", 7) == 0)
    lowering = BERTH_HEAP_LOWERING_ROCDL;
  else if (strncmp(text.data, "#spirv.", 7) == 0)
    lowering = BERTH_HEAP_LOWERING_SPIRV;
  berthTextFree(&text);
  return lowering;
}

/// As the targets of the gpu.module say, or an environment of SPIR-V around the
/// kernel.
static BerthHeapLowering findLowering(MlirOperation op) {
  BerthHeapLowering found = BERTH_HEAP_LOWERING_AUTO;
  while (!found &&
         !mlirOperationIsNull(op = mlirOperationGetParentOperation(op))) {
    found = loweringOf(berthAttributeOf(op, BERTH_SPIRV_TARGET));
    MlirAttribute targets = berthAttributeOf(op, "targets");
    if (!found && !mlirAttributeIsNull(targets) &&
        mlirAttributeIsAArray(targets) &&
        mlirArrayAttrGetNumElements(targets) > 0)
      found = loweringOf(mlirArrayAttrGetElement(targets, 0));
  }
  return found;
}

//===----------------------------------------------------------------------===//
// Waiting
//===----------------------------------------------------------------------===//

static bool startsWith(MlirStringRef name, const char *prefix) {
  size_t length = strlen(prefix);
  return name.length > length && strncmp(name.data, prefix, length) == 0;
}

/// Ops that take nothing and give a number: thread and block ids, sizes.
static bool isQuery(MlirOperation op) {
  return startsWith(mlirIdentifierStr(mlirOperationGetName(op)), "gpu.") &&
         mlirOperationGetNumOperands(op) == 0 &&
         mlirOperationGetNumRegions(op) == 0 &&
         mlirOperationGetNumResults(op) == 1 &&
         mlirTypeIsAIndex(mlirValueGetType(mlirOperationGetResult(op, 0)));
}

/// True for what a thread does for itself, whatever others do: ops of dialects
/// that know of no threads, and queries of its own number.
static bool isOfOneThread(MlirOperation op) {
  static const char *const dialects[] = {"affine.", "arith.",  "complex.",
                                         "index.",  "linalg.", "math.",
                                         "memref.", "scf.",    "vector."};
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  bool isPlain = false;
  for (size_t i = 0; i < sizeof dialects / sizeof *dialects; ++i)
    isPlain |= startsWith(name, dialects[i]);
  return isPlain || isQuery(op);
}

static MlirWalkResult checkWait(MlirOperation op, void *userData) {
  if (isOfOneThread(op))
    return MlirWalkResultAdvance;
  *(MlirOperation *)userData = op;
  return MlirWalkResultInterrupt;
}

MlirOperation berthHeapFindWait(MlirOperation op) {
  MlirOperation waits = {NULL};
  MlirOperation next = mlirOperationGetNextInBlock(op);
  while (mlirOperationIsNull(waits) && !mlirOperationIsNull(next) &&
         !mlirOperationIsNull(mlirOperationGetNextInBlock(next))) {
    mlirOperationWalk(next, checkWait, &waits, MlirWalkPreOrder);
    next = mlirOperationGetNextInBlock(next);
  }
  return waits;
}

//===----------------------------------------------------------------------===//
// The job
//===----------------------------------------------------------------------===//

static MlirWalkResult findSlotLoad(MlirOperation op, void *userData) {
  if (!berthOpIs(op, BERTH_OP_LOAD) ||
      !mlirTypeIsAMemRef(mlirValueGetType(mlirOperationGetResult(op, 0))))
    return MlirWalkResultAdvance;
  *(MlirOperation *)userData = op;
  return MlirWalkResultInterrupt;
}

/// A slot keeps what it held when the block for it could not be had, so a
/// kernel that reads slots had better do nothing once the heap has failed. That
/// takes a body of one block in which nobody waits for those that are skipped.
static bool isSkippable(const BerthHeapJob *job) {
  MlirOperation load = {NULL};
  mlirOperationWalk(job->scope.op, findSlotLoad, &load, MlirWalkPreOrder);
  if (mlirOperationIsNull(load))
    return false;
  MlirBlock entry = mlirRegionGetFirstBlock(job->scope.body);
  MlirOperation first = mlirBlockGetFirstOperation(entry);
  MlirOperation waits = {NULL};
  mlirOperationWalk(first, checkWait, &waits, MlirWalkPreOrder);
  if (mlirOperationIsNull(waits))
    waits = berthHeapFindWait(first);
  if (mlirOperationIsNull(waits) &&
      mlirBlockIsNull(mlirBlockGetNextInRegion(entry)))
    return true;
  berthEmitRemark(load, BERTH_REMARK_ANALYSIS, "berth-heap",
                  "what slots hold is taken for good though an earlier kernel "
                  "may have got no memory: read the heap's status word before "
                  "this kernel is launched");
  return false;
}

typedef struct StoreSearch {
  const BerthHeapJob *job;
  MlirOperation found;
} StoreSearch;

static MlirWalkResult findForeignStore(MlirOperation op, void *userData) {
  StoreSearch *search = userData;
  if (!berthOpIs(op, BERTH_OP_STORE))
    return MlirWalkResultAdvance;
  MlirValue stored = mlirOperationGetOperand(op, 0);
  if (!mlirTypeIsAMemRef(mlirValueGetType(stored)) ||
      berthHeapComesFromMoved(search->job, stored))
    return MlirWalkResultAdvance;
  search->found = op;
  return MlirWalkResultInterrupt;
}

static void appendSpace(BerthText *text, MlirAttribute space) {
  if (mlirAttributeIsNull(space))
    berthTextAppend(text, "the default space");
  else
    mlirAttributePrint(space, berthTextCallback, text);
}

BerthStatus berthHeapCheckSlotStores(const BerthHeapJob *job,
                                     BerthError *error) {
  StoreSearch search = {job, {NULL}};
  mlirOperationWalk(job->scope.op, findForeignStore, &search, MlirWalkPreOrder);
  if (mlirOperationIsNull(search.found))
    return BERTH_SUCCESS;
  MlirAttribute space = mlirMemRefTypeGetMemorySpace(
      mlirValueGetType(mlirOperationGetOperand(search.found, 0)));
  BerthText text = {0};
  berthTextAppendOp(&text, search.found);
  berthTextAppend(&text, ": what a slot is given must be in the heap, since "
                         "kernels free it there; ");
  if (mlirAttributeEqual(space, job->scope.space)) {
    berthTextAppend(&text, "--remarks-filter='berth.*' tells why it is not");
  } else {
    berthTextAppend(&text, "the heap is in the memory of its arena, ");
    appendSpace(&text, job->scope.space);
    berthTextAppend(&text, ", and this in ");
    appendSpace(&text, space);
  }
  berthErrorSet(error, BERTH_INVALID, "%s", text.data);
  berthTextFree(&text);
  return BERTH_INVALID;
}

BerthStatus berthHeapPrepareDevice(BerthHeapJob *job, BerthHeapOptions *options,
                                   BerthError *error) {
  job->isDevice =
      job->isKernel && options->arena == BERTH_HEAP_ARENA_GLOBAL_DEVICE;
  if (!job->isDevice)
    return BERTH_SUCCESS;
  job->isMarked = berthHeapFindArenaSpace(job, &options->collect.space);
  options->collect.hasSpace = true;
  job->isSkippable = job->isMarked && isSkippable(job);
  job->scope.space = options->collect.space;
  job->hasWordsOnly = berthHeapHasWordsOnly(job);
  job->lowering =
      options->lowering ? options->lowering : findLowering(job->scope.op);
  if (job->isMarked && !job->lowering)
    return berthErrorSet(error, BERTH_INVALID,
                         "nothing says what the kernel will be lowered to, and "
                         "so how its heap is to be fenced: attach a target to "
                         "the gpu.module, or use lowering=");
  return BERTH_SUCCESS;
}
