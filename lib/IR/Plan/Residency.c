//===- Residency.c - Shared memory against resident workgroups ------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A processor holds so many workgroups as its shared memory has room for, as
// long as it has room for their threads. Memory is handed out in granules, so
// bytes are worth a barrier only where they make room for one workgroup more:
//
//   sm_80, 1 KiB of each     arena     up to 19968   22912   26880   32512 ...
//   workgroup is its own     resident            8       7       6       5
//
// Registers are not known here; where they end first, a barrier may have been
// bought for a workgroup that does not come.
//
//===----------------------------------------------------------------------===//

#include "IR/Plan/Residency.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/BlockShape.h"
#include "IR/Ops/Chips.h"
#include "IR/Ops/MBarriers.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "mlir-c/BuiltinTypes.h"

//===----------------------------------------------------------------------===//
// Other shared memory
//===----------------------------------------------------------------------===//

static int64_t bytesOf(MlirType type, MlirOperation at) {
  BerthTypeSize size;
  return mlirTypeIsAMemRef(type) &&
                 berthSpaceMayBeShared(mlirMemRefTypeGetMemorySpace(type)) &&
                 berthMemRefGetSize(type, at, &size) == BERTH_SIZE_OK
             ? size.bytes
             : 0;
}

typedef struct GlobalWalk {
  MlirOperation scope;
  MlirOperation at; ///< the use at hand
  bool isFirst;
  int64_t bytes;
} GlobalWalk;

static MlirWalkResult findEarlier(MlirOperation op, void *userData) {
  GlobalWalk *walk = userData;
  if (mlirOperationEqual(op, walk->at))
    return MlirWalkResultInterrupt;
  walk->isFirst &= !berthOpIs(op, BERTH_OP_GET_GLOBAL) ||
                   !mlirAttributeEqual(berthAttributeOf(op, "name"),
                                       berthAttributeOf(walk->at, "name"));
  return MlirWalkResultAdvance;
}

/// Each global counts where it is asked for first.
static MlirWalkResult addGlobal(MlirOperation op, void *userData) {
  GlobalWalk *walk = userData;
  if (!berthOpIs(op, BERTH_OP_GET_GLOBAL))
    return MlirWalkResultAdvance;
  walk->at = op;
  walk->isFirst = true;
  mlirOperationWalk(walk->scope, findEarlier, walk, MlirWalkPreOrder);
  if (walk->isFirst)
    walk->bytes += bytesOf(mlirValueGetType(mlirOperationGetResult(op, 0)), op);
  return MlirWalkResultAdvance;
}

/// Attributions and globals that the scope has besides its arena.
static int64_t otherBytes(const BerthScope *scope) {
  MlirBlock entry = mlirRegionGetFirstBlock(scope->body);
  MlirAttribute count = berthAttributeOf(scope->op, "workgroup_attributions");
  MlirAttribute type = berthAttributeOf(scope->op, "function_type");
  GlobalWalk walk = {.scope = scope->op};
  mlirOperationWalk(scope->op, addGlobal, &walk, MlirWalkPreOrder);
  intptr_t numAttributions =
      mlirAttributeIsNull(count) || mlirAttributeIsNull(type)
          ? 0
          : (intptr_t)mlirIntegerAttrGetValueInt(count);
  for (intptr_t i = 0; i < numAttributions; ++i) {
    intptr_t first = mlirFunctionTypeGetNumInputs(mlirTypeAttrGetValue(type));
    MlirValue value = mlirBlockGetArgument(entry, first + i);
    walk.bytes += bytesOf(mlirValueGetType(value), scope->op);
  }
  return walk.bytes;
}

static MlirWalkResult addMBarriers(MlirOperation op, void *userData) {
  enum { kBytesOfMBarrier = 8 };
  int64_t *bytes = userData;
  if (berthOpMakesMBarriers(op))
    *bytes +=
        kBytesOfMBarrier *
        berthCountMBarriers(mlirValueGetType(mlirOperationGetResult(op, 0)));
  return MlirWalkResultAdvance;
}

/// What mbarriers take: they are lowered to globals.
static int64_t mbarrierBytes(const BerthScope *scope) {
  int64_t bytes = 0;
  mlirOperationWalk(scope->op, addMBarriers, &bytes, MlirWalkPreOrder);
  return bytes;
}

static MlirWalkResult findDynamic(MlirOperation op, void *userData) {
  bool *found = userData;
  *found = berthOpIs(op, BERTH_OP_DYNAMIC_SHARED);
  return *found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

bool berthUsesDynamicShared(MlirOperation root) {
  bool isDynamic = false;
  mlirOperationWalk(root, findDynamic, &isDynamic, MlirWalkPreOrder);
  return isDynamic;
}

bool berthDeclaresShared(const BerthScope *scope) {
  return berthUsesDynamicShared(scope->op) || otherBytes(scope) > 0;
}

//===----------------------------------------------------------------------===//
// Sizes worth reaching
//===----------------------------------------------------------------------===//

static int64_t toAlign(const BerthJob *job, int64_t alignment) {
  return job->form == BERTH_ARENA_DYNAMIC && alignment > BERTH_DYNAMIC_ALIGNMENT
             ? alignment - BERTH_DYNAMIC_ALIGNMENT
             : 0;
}

int64_t berthLaunchBytes(const BerthJob *job) {
  return job->arenaSize + toAlign(job, job->arenaAlignment);
}

static int64_t largestAlignment(const BerthScope *scope) {
  int64_t largest = 1;
  for (size_t i = 0; i < scope->numBuffers; ++i)
    if (!scope->buffers[i].reason && scope->buffers[i].alignment > largest)
      largest = scope->buffers[i].alignment;
  return largest;
}

/// How many workgroups the threads alone leave room for.
static int64_t mostWorkgroups(const BerthChip *chip, const int64_t shape[3]) {
  int64_t threads = shape[0] * shape[1] * shape[2];
  int64_t taken =
      (threads + chip->subgroup - 1) / chip->subgroup * chip->subgroup;
  int64_t count = chip->maxThreads / taken;
  return count < chip->maxWorkgroups ? count : chip->maxWorkgroups;
}

/// What a backend makes of arena=annotate nobody knows.
static int64_t limitOf(const BerthJob *job) {
  bool isStatic =
      job->form != BERTH_ARENA_DYNAMIC && job->form != BERTH_ARENA_ANNOTATE;
  return isStatic ? job->chip->staticLimit : job->chip->dynamicLimit;
}

static void countWorkgroups(BerthJob *job, const int64_t shape[3]) {
  const BerthChip *chip = job->chip;
  int64_t most = mostWorkgroups(chip, shape);
  int64_t other = job->otherBytes + toAlign(job, largestAlignment(&job->scope));
  int64_t *sizes =
      BERTH_NEW(&job->memory, int64_t, most > 0 ? (size_t)most : 1);
  for (int64_t n = 1; n <= most; ++n) {
    int64_t granules = chip->total / n / chip->granule;
    int64_t size = granules * chip->granule - chip->reserved;
    size = (size < limitOf(job) ? size : limitOf(job)) - other;
    if (size > 0)
      sizes[job->numSizes++] = size;
  }
  job->sizes = sizes;
}

bool berthCountsWorkgroups(const BerthJob *job) {
  return job->numSizes && !job->options->numOccupancy;
}

size_t berthSizesReached(const BerthJob *job, int64_t bytes) {
  size_t count = 0;
  for (size_t i = 0; i < job->numSizes; ++i)
    count += bytes <= job->sizes[i];
  return count;
}

void berthFindResidency(BerthJob *job) {
  const BerthScope *scope = &job->scope;
  if (!berthScopeIsShared(scope) || berthScopeIsOfTensors(scope))
    return;
  int64_t shape[3];
  bool isKernel =
      scope->kind == BERTH_SCOPE_KERNEL || scope->kind == BERTH_SCOPE_LAUNCH;
  job->chip = job->options->chip ? job->options->chip : berthChipOf(scope->op);
  job->otherBytes = otherBytes(scope) + mbarrierBytes(scope);
  job->sizes = job->options->occupancy;
  job->numSizes = job->options->numOccupancy;
  if (!job->numSizes && job->chip && isKernel &&
      berthBlockShape(scope->op, shape))
    countWorkgroups(job, shape);
}
