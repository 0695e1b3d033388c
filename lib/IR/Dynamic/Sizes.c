//===- Sizes.c - Values made again at a home ------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A size is computed where its buffer was allocated; its arena must know it
// earlier. Whatever has no effects and cannot go wrong is computed again there.
//
//===----------------------------------------------------------------------===//

#include "IR/Dynamic/Sizes.h"
#include "IR/Ops/EqualValues.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Rules.h"
#include "IR/Threads/HostValues.h"

#include <stdlib.h>

//===----------------------------------------------------------------------===//
// Dimensions of allocations are their operands
//===----------------------------------------------------------------------===//

static MlirValue skipCasts(MlirValue value) {
  while (mlirValueIsAOpResult(value) &&
         berthOpIs(mlirOpResultGetOwner(value), BERTH_OP_CAST))
    value = mlirOperationGetOperand(mlirOpResultGetOwner(value), 0);
  return value;
}

/// The operand of an allocation that is dimension `index` of its type.
static MlirValue dimensionOperand(MlirOperation alloc, int64_t index) {
  MlirType type = mlirValueGetType(mlirOperationGetResult(alloc, 0));
  intptr_t operand = 0;
  for (int64_t i = 0; i < index; ++i)
    operand += mlirShapedTypeIsDynamicDim(type, i);
  return mlirOperationGetOperand(alloc, operand);
}

/// memref.dim of a memref.alloc is the allocation's own operand, which may be
/// known where the allocation is not yet made.
static MlirValue resolve(MlirValue value) {
  while (mlirValueIsAOpResult(value)) {
    MlirOperation op = mlirOpResultGetOwner(value);
    int64_t index;
    if (!berthOpIs(op, BERTH_OP_DIM) ||
        !berthValueIsConstant(mlirOperationGetOperand(op, 1), &index))
      return value;
    MlirValue source = skipCasts(mlirOperationGetOperand(op, 0));
    MlirType type = mlirValueGetType(source);
    bool isAllocated = mlirValueIsAOpResult(source) &&
                       berthOpIsPlainAllocation(mlirOpResultGetOwner(source));
    if (!isAllocated || index < 0 || index >= mlirShapedTypeGetRank(type) ||
        !mlirShapedTypeIsDynamicDim(type, index))
      return value;
    value = dimensionOperand(mlirOpResultGetOwner(source), index);
  }
  return value;
}

//===----------------------------------------------------------------------===//
// What can be made
//===----------------------------------------------------------------------===//

static bool isEntryBlock(const BerthJob *job, MlirBlock block) {
  return mlirBlockEqual(block, mlirRegionGetFirstBlock(job->scope.body));
}

static MlirBlock definingBlock(MlirValue value) {
  return mlirValueIsABlockArgument(value)
             ? mlirBlockArgumentGetOwner(value)
             : mlirOperationGetBlock(mlirOpResultGetOwner(value));
}

/// True for what an iteration takes from the code around its loop.
static bool isFromOutside(const BerthJob *job, MlirBlock block) {
  if (!job->scope.isIteration && job->scope.kind != BERTH_SCOPE_LAUNCH)
    return false;
  MlirOperation parent = mlirBlockGetParentOperation(block);
  bool isInBody =
      mlirOperationEqual(parent, job->scope.op) ||
      !mlirOperationIsNull(berthAncestorInRegion(parent, job->scope.body));
  return !isInBody;
}

/// True if the value is defined above the home.
static bool isKnown(const BerthJob *job, const BerthHome *home,
                    MlirValue value) {
  bool isArgument = mlirValueIsABlockArgument(value);
  MlirBlock block = definingBlock(value);
  if ((isArgument && isEntryBlock(job, block)) || isFromOutside(job, block))
    return true;
  if (home->isEntry)
    return false;
  MlirRegion region = mlirBlockGetParentRegion(block);
  MlirOperation at = berthAncestorInRegion(home->before, region);
  if (mlirOperationIsNull(at))
    return false;
  if (!mlirBlockEqual(mlirOperationGetBlock(at), block))
    return mlirBlockEqual(block, mlirRegionGetFirstBlock(region));
  return isArgument ||
         berthPointsLower(&job->points, mlirOpResultGetOwner(value)) <
             berthPointsLower(&job->points, at);
}

/// The most ops that a size may take along. That of a called function's arena
/// (FrameSizes.h) is made of the sizes of all that lies there.
enum { kMostOps = 64, kMostOpsOfFrame = 4096 };

typedef struct Making {
  const BerthJob *job;
  const BerthHome *home;
  BerthPointerMap made; ///< values that can be
  int budget;
} Making;

static bool canMake(Making *making, MlirValue value) {
  const BerthJob *job = making->job;
  value = resolve(value);
  if (berthSizesAreForHost(job) &&
      !berthHostMayKnow(job->scope.op, value, job->options->alias.breakRule))
    return false;
  if (isKnown(job, making->home, value) ||
      berthPointerMapFind(&making->made, value.ptr) != BERTH_NOT_FOUND)
    return true;
  if (mlirValueIsABlockArgument(value) || --making->budget < 0)
    return false;
  MlirOperation op = mlirOpResultGetOwner(value);
  if (!berthOpIsSpeculatable(op))
    return false;
  intptr_t count = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < count; ++i)
    if (!canMake(making, mlirOperationGetOperand(op, i)))
      return false;
  berthPointerMapInsert(&making->made, value.ptr, 1);
  return true;
}

static bool canMakeWith(const BerthJob *job, const BerthHome *home,
                        MlirValue value, int budget) {
  Making making = {.job = job, .home = home, .budget = budget};
  bool result = canMake(&making, value);
  berthPointerMapFree(&making.made);
  return result;
}

bool berthCanMake(const BerthJob *job, const BerthHome *home, MlirValue value) {
  return canMakeWith(job, home, value, kMostOps);
}

bool berthCanMakeSizes(const BerthJob *job, const BerthHome *home,
                       MlirOperation alloc) {
  bool isFrame = !mlirAttributeIsNull(berthAttributeOf(alloc, BERTH_FRAME));
  intptr_t count = mlirOperationGetNumOperands(alloc);
  for (intptr_t i = 0; i < count; ++i)
    if (!canMakeWith(job, home, mlirOperationGetOperand(alloc, i),
                     isFrame ? kMostOpsOfFrame : kMostOps))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Making it
//===----------------------------------------------------------------------===//

BerthMaker berthMakerCreate(const BerthJob *job, const BerthHome *home) {
  return (BerthMaker){.job = job, .home = home};
}

void berthMakerFree(BerthMaker *maker) {
  berthPointerMapFree(&maker->indexOf);
  free(maker->made);
}

BerthInsertPoint berthMakerPoint(const BerthMaker *maker) {
  if (!mlirOperationIsNull(maker->call))
    return berthInsertBefore(maker->call);
  return (BerthInsertPoint){maker->home->block, maker->home->before,
                            mlirOperationGetLocation(maker->home->before)};
}

/// What the call gives for an argument of the function; null: it is none.
static MlirValue givenFor(const BerthMaker *maker, MlirValue value) {
  if (mlirOperationIsNull(maker->call) || !mlirValueIsABlockArgument(value) ||
      !isEntryBlock(maker->job, mlirBlockArgumentGetOwner(value)))
    return (MlirValue){NULL};
  intptr_t number = mlirBlockArgumentGetArgNumber(value);
  if (berthIsBroken(maker->job->options->alias.breakRule, "any-operand"))
    for (number = 0; !mlirTypeEqual(
             mlirValueGetType(value),
             mlirValueGetType(mlirOperationGetOperand(maker->call, number)));)
      ++number;
  return mlirOperationGetOperand(maker->call, number);
}

static void remember(BerthMaker *maker, MlirValue value, MlirValue made) {
  maker->made = berthGrow(maker->made, maker->numMade, &maker->capacity,
                          sizeof *maker->made);
  berthPointerMapInsert(&maker->indexOf, value.ptr, maker->numMade);
  maker->made[maker->numMade++] = made;
}

static MlirValue makeClone(BerthMaker *maker, MlirValue value) {
  MlirOperation clone = mlirOperationClone(mlirOpResultGetOwner(value));
  intptr_t count = mlirOperationGetNumOperands(clone);
  for (intptr_t i = 0; i < count; ++i)
    mlirOperationSetOperand(
        clone, i, berthMake(maker, mlirOperationGetOperand(clone, i)));
  BerthInsertPoint at = berthMakerPoint(maker);
  mlirBlockInsertOwnedOperationBefore(at.block, at.before, clone);
  return mlirOperationGetResult(clone, mlirOpResultGetResultNumber(value));
}

MlirValue berthMake(BerthMaker *maker, MlirValue value) {
  if (maker->home->isAllocation)
    return value;
  value = resolve(value);
  MlirValue given = givenFor(maker, value);
  if (!mlirValueIsNull(given))
    return given;
  if (isKnown(maker->job, maker->home, value))
    return value;
  size_t index = berthPointerMapFind(&maker->indexOf, value.ptr);
  if (index != BERTH_NOT_FOUND)
    return maker->made[index];
  MlirValue made = makeClone(maker, value);
  remember(maker, value, made);
  return made;
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

static intptr_t regionIndex(MlirOperation op, MlirRegion region) {
  intptr_t index = 0;
  while (!mlirRegionEqual(mlirOperationGetRegion(op, index), region))
    ++index;
  return index;
}

static bool canMakeCondition(const BerthJob *job, const BerthHome *home,
                             const BerthCondition *condition) {
  switch (condition->runs) {
  case BERTH_RUNS_ALWAYS:
    return true;
  case BERTH_RUNS_WHEN_TRUE:
  case BERTH_RUNS_WHEN_FALSE:
    return berthCanMake(job, home, condition->values[0]);
  case BERTH_RUNS_WHEN_LESS:
  case BERTH_RUNS_WHEN_LESS_UNSIGNED:
    return berthCanMake(job, home, condition->values[0]) &&
           berthCanMake(job, home, condition->values[1]);
  case BERTH_RUNS_UNKNOWN:
    break;
  }
  return false;
}

bool berthFindConditions(const BerthJob *job, const BerthHome *home,
                         MlirOperation alloc, BerthCondition *conditions,
                         size_t *count) {
  *count = 0;
  MlirOperation op = alloc;
  while (!mlirBlockEqual(mlirOperationGetBlock(op), home->block)) {
    MlirBlock block = mlirOperationGetBlock(op);
    MlirRegion region = mlirBlockGetParentRegion(block);
    MlirOperation parent = mlirOperationGetParentOperation(op);
    bool isFirst = mlirBlockEqual(block, mlirRegionGetFirstBlock(region));
    if (mlirOperationEqual(parent, job->scope.op) || !isFirst ||
        *count == BERTH_MAX_CONDITIONS)
      return false;
    BerthCondition condition;
    condition.runs = berthRegionGetCondition(
        parent, regionIndex(parent, region), condition.values);
    if (!canMakeCondition(job, home, &condition))
      return false;
    if (condition.runs != BERTH_RUNS_ALWAYS)
      conditions[(*count)++] = condition;
    op = parent;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Equal sizes
//===----------------------------------------------------------------------===//

bool berthHaveSameSizes(const BerthBufferInfo *a, const BerthBufferInfo *b) {
  intptr_t count = mlirOperationGetNumOperands(a->alloc);
  if (a->unitBytes != b->unitBytes ||
      count != mlirOperationGetNumOperands(b->alloc))
    return false;
  for (intptr_t i = 0; i < count; ++i)
    if (!berthIsSameValue(resolve(mlirOperationGetOperand(a->alloc, i)),
                          resolve(mlirOperationGetOperand(b->alloc, i))))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Samples
//===----------------------------------------------------------------------===//

/// Keeps products of a few dimensions far from overflow.
static const int64_t largestSample = INT64_C(1) << 40;

static int64_t leafSample(size_t leaf, int sample) {
  switch (sample) {
  case 0:
    return 256;
  case 1:
    return 64 + 48 * (int64_t)(leaf % 16);
  case 2:
    return leaf % 2 ? 1024 : 16;
  default:
    return leaf % 2 ? 16 : 1024;
  }
}

static int64_t sampleLeaf(BerthSampler *sampler, MlirValue value, int sample) {
  size_t i = 0;
  while (i < sampler->numLeaves && !berthIsSameValue(sampler->leaves[i], value))
    ++i;
  if (i == sampler->numLeaves) {
    sampler->leaves =
        berthGrow(sampler->leaves, i, &sampler->capacity, sizeof(MlirValue));
    sampler->leaves[sampler->numLeaves++] = value;
  }
  return leafSample(i, sample);
}

static int64_t clamp(int64_t value) {
  if (value < 0)
    return 0;
  return value > largestSample ? largestSample : value;
}

/// What a called function's arena is made of (Emit.c): sums, products and
/// maxima, rounded up, and sizes that count only if an allocation runs. Null
/// operands: it is none of these.
static void findOperands(MlirOperation op, MlirValue *operands) {
  bool isBinary =
      berthOpIs(op, BERTH_OP_SUM) || berthOpIs(op, BERTH_OP_PRODUCT) ||
      berthOpIs(op, BERTH_OP_UNSIGNED_MAX) || berthOpIs(op, BERTH_OP_AND);
  bool isChoice = berthOpGetRole(op, 1) == BERTH_OPERAND_CHOSEN &&
                  berthOpGetRole(op, 2) == BERTH_OPERAND_CHOSEN;
  operands[0] = operands[1] = (MlirValue){NULL};
  for (int i = 0; (isBinary || isChoice) && i < 2; ++i)
    operands[i] = mlirOperationGetOperand(op, isChoice ? i + 1 : i);
}

static int64_t sampleValue(BerthSampler *sampler, MlirValue value, int sample,
                           int depth) {
  value = resolve(value);
  int64_t constant, product;
  MlirValue operands[2] = {{NULL}, {NULL}};
  if (berthValueIsConstant(value, &constant))
    return clamp(constant);
  if (depth > 0 && mlirValueIsAOpResult(value))
    findOperands(mlirOpResultGetOwner(value), operands);
  if (mlirValueIsNull(operands[0]))
    return sampleLeaf(sampler, value, sample);
  MlirOperation op = mlirOpResultGetOwner(value);
  int64_t a = sampleValue(sampler, operands[0], sample, depth - 1);
  if (berthOpIs(op, BERTH_OP_AND))
    return a;
  int64_t b = sampleValue(sampler, operands[1], sample, depth - 1);
  if (berthOpIs(op, BERTH_OP_SUM))
    return clamp(a + b);
  if (!berthOpIs(op, BERTH_OP_PRODUCT))
    return a > b ? a : b;
  return __builtin_mul_overflow(a, b, &product) ? largestSample
                                                : clamp(product);
}

int64_t berthSampleSize(BerthSampler *sampler, const BerthBufferInfo *buffer,
                        int sample) {
  int64_t size = clamp(buffer->unitBytes);
  intptr_t count = mlirOperationGetNumOperands(buffer->alloc);
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue operand = mlirOperationGetOperand(buffer->alloc, i);
    int64_t extent = sampleValue(sampler, operand, sample, 12);
    if (__builtin_mul_overflow(size, extent, &size))
      size = largestSample;
    size = clamp(size);
  }
  return size;
}

void berthSamplerFree(BerthSampler *sampler) { free(sampler->leaves); }
