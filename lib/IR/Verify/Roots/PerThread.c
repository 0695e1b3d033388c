//===- PerThread.c - Parts of blocks that threads have --------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Roots/PerThread.h"
#include "IR/Facts/SliceFacts.h"
#include "IR/Facts/Versions.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/EqualValues.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Verify/Roots/SampleNumbers.h"
#include "Support/Sort.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

/// Samples of launches whose sizes are not known, and of those with large
/// numbers; threads of each; elements of a view that are looked at; levels of
/// tokens that are followed.
enum {
  kNumSamples = 6,
  kNumLargeSamples = 24,
  kMostThreads = 48,
  kMostElements = 64,
  kMostTokens = 16
};

/// What a thread touches: bytes [lower, upper) of the block.
typedef struct Span {
  int64_t lower;
  int64_t upper;
  int32_t thread;
  MlirOperation view;
} Span;

typedef struct Check {
  MlirOperation root;
  MlirOperation alloc, launch, kernel;
  MlirValue block; ///< in the kernel
  BerthPointerMap leafOf;
  Span *spans; ///< of the sample at hand
  size_t numSpans, spanCapacity;
  size_t numErrors;
} Check;

static void tell(Check *check, MlirOperation op, const char *what,
                 MlirOperation noteAt, const char *note) {
  ++check->numErrors;
  berthEmitError(op, what, noteAt, note);
}

//===----------------------------------------------------------------------===//
// When it is there
//===----------------------------------------------------------------------===//

/// True if the token comes when the other one has come, or later.
static bool follows(MlirValue token, MlirValue other, int depth) {
  if (mlirValueEqual(token, other))
    return true;
  if (!mlirValueIsAOpResult(token) || depth == 0)
    return false;
  MlirOperation op = mlirOpResultGetOwner(token);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (berthTypeIsToken(mlirValueGetType(operand)) &&
        follows(operand, other, depth - 1))
      return true;
  }
  return false;
}

static bool hasSuch(MlirOperation op, MlirValue token) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (berthTypeIsToken(mlirValueGetType(operand)) &&
        follows(operand, token, kMostTokens))
      return true;
  }
  return false;
}

/// True if what the token stands for is over when `later` begins, which stands
/// behind `earlier` in its block: it waits for it, or the host has.
static bool isOver(MlirOperation earlier, MlirValue token,
                   MlirOperation later) {
  if (!mlirBlockEqual(mlirOperationGetBlock(earlier),
                      mlirOperationGetBlock(later)) ||
      !mlirOperationIsBeforeInBlock(earlier, later))
    return false;
  if (mlirValueIsNull(token) || hasSuch(later, token))
    return true;
  for (MlirOperation op = mlirOperationGetNextInBlock(earlier);
       !mlirOperationEqual(op, later); op = mlirOperationGetNextInBlock(op))
    if (mlirOperationGetNumResults(op) == 0 &&
        berthOpIsOfDialectOf(op, mlirValueGetType(token)) &&
        !berthOpIs(op, BERTH_OP_DEVICE_FREE) &&
        !berthOpIs(op, BERTH_OP_LAUNCH_FUNCTION) &&
        !berthOpIs(op, BERTH_OP_LAUNCH) && hasSuch(op, token))
      return true;
  return false;
}

/// What the op returns as a token, or null.
static MlirValue tokenOf(MlirOperation op) {
  intptr_t count = mlirOperationGetNumResults(op);
  MlirValue last = {NULL};
  if (count)
    last = mlirOperationGetResult(op, count - 1);
  return count && berthTypeIsToken(mlirValueGetType(last)) ? last
                                                           : (MlirValue){NULL};
}

/// The launch around an op, or the op itself.
static MlirOperation launchOf(MlirOperation op) {
  while (!mlirOperationIsNull(op) && !berthOpIs(op, BERTH_OP_LAUNCH) &&
         !berthOpIs(op, BERTH_OP_LAUNCH_FUNCTION))
    op = mlirOperationGetParentOperation(op);
  return op;
}

static void checkFree(Check *check, MlirOperation op) {
  if (mlirOperationIsNull(check->launch) ||
      !isOver(check->launch, tokenOf(check->launch), op))
    tell(check, op,
         "frees memory that the threads of a launch may still be using",
         check->alloc, "allocated here");
}

/// All uses, through casts; finds the one launch. Frees are looked at last.
static void findLaunch(Check *check, MlirValue value, bool checksFrees) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    MlirOperation launch = launchOf(op);
    if (berthOpIsFree(op)) {
      if (checksFrees)
        checkFree(check, op);
    } else if (berthOpIs(op, BERTH_OP_CAST) && mlirOperationIsNull(launch)) {
      findLaunch(check, mlirOperationGetResult(op, 0), checksFrees);
    } else if (checksFrees) {
      continue;
    } else if (mlirOperationIsNull(launch) ||
               (!mlirOperationIsNull(check->launch) &&
                !mlirOperationEqual(launch, check->launch))) {
      tell(check, op,
           "uses memory of the threads of a launch, and is none of that "
           "launch",
           check->alloc, "allocated here");
    } else {
      check->launch = launch;
      check->block = value;
    }
  }
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

static bool isNamed(MlirOperation op, MlirStringRef name) {
  MlirAttribute own = berthAttributeOf(op, "sym_name");
  return !mlirAttributeIsNull(own) &&
         mlirStringRefEqual(mlirStringAttrGetValue(own), name);
}

static MlirWalkResult findKernel(MlirOperation op, void *userData) {
  Check *check = userData;
  MlirAttribute kernel = berthAttributeOf(check->launch, "kernel");
  if (berthOpIs(op, BERTH_OP_GPU_FUNCTION) &&
      isNamed(op, mlirSymbolRefAttrGetLeafReference(kernel)) &&
      isNamed(mlirOperationGetParentOperation(op),
              mlirSymbolRefAttrGetRootReference(kernel)))
    check->kernel = op;
  return mlirOperationIsNull(check->kernel) ? MlirWalkResultAdvance
                                            : MlirWalkResultInterrupt;
}

static intptr_t segment(MlirOperation op, intptr_t position) {
  return mlirDenseI32ArrayGetElement(
      berthAttributeOf(op, "operandSegmentSizes"), position);
}

/// Of a launch that names a function, the first operand that this gets.
static intptr_t firstArgument(MlirOperation launch) {
  intptr_t first = 0;
  for (intptr_t i = 0; berthOpIs(launch, BERTH_OP_LAUNCH_FUNCTION) && i < 11;
       ++i)
    first += segment(launch, i);
  return first;
}

/// The block as the kernel knows it; null where that is not seen.
static MlirValue blockInKernel(Check *check) {
  if (berthOpIs(check->launch, BERTH_OP_LAUNCH)) {
    check->kernel = check->launch;
    return check->block;
  }
  mlirOperationWalk(check->root, findKernel, check, MlirWalkPreOrder);
  if (mlirOperationIsNull(check->kernel))
    return (MlirValue){NULL};
  MlirBlock entry =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(check->kernel, 0));
  intptr_t first = firstArgument(check->launch);
  for (intptr_t i = 0; i < segment(check->launch, 11); ++i)
    if (mlirValueEqual(mlirOperationGetOperand(check->launch, first + i),
                       check->block))
      return mlirBlockGetArgument(entry, i);
  return (MlirValue){NULL};
}

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

static void addSpan(Check *check, Span span) {
  check->spans = berthGrow(check->spans, check->numSpans, &check->spanCapacity,
                           sizeof *check->spans);
  check->spans[check->numSpans++] = span;
}

static int64_t widthOf(MlirType type, MlirOperation at) {
  BerthTypeSize size = {0};
  berthMemRefGetSize(type, at, &size);
  return size.elementBytes;
}

/// A size, stride or offset of an op: `*next` is the operand where the list
/// says that it is one.
static int64_t mixed(BerthSample *sample, MlirOperation op, const char *list,
                     intptr_t position, intptr_t *next) {
  int64_t number =
      mlirDenseI64ArrayGetElement(berthAttributeOf(op, list), position);
  if (number != mlirShapedTypeGetDynamicStrideOrOffset())
    return number;
  return berthSampleNumber(sample, mlirOperationGetOperand(op, (*next)++));
}

// What is computed with large numbers wraps around as the program's does.
static int64_t times(int64_t a, int64_t b) {
  return (int64_t)((uint64_t)a * (uint64_t)b);
}

static int64_t plus(int64_t a, int64_t b) {
  return (int64_t)((uint64_t)a + (uint64_t)b);
}

/// Elements at these strides: the first and the last ones.
static void addElements(Check *check, Span span, int64_t width, intptr_t rank,
                        const int64_t *sizes, const int64_t *strides) {
  int64_t count = 1, start = span.lower;
  for (intptr_t d = 0; d < rank; ++d)
    if (__builtin_mul_overflow(count, sizes[d] < 0 ? 0 : sizes[d], &count))
      count = INT64_MAX;
  for (int64_t i = 0; i < count; ++i) {
    if (i == kMostElements / 2 && count > kMostElements)
      i = count - kMostElements / 2;
    int64_t rest = i, element = 0;
    for (intptr_t d = rank; d-- > 0; rest /= sizes[d])
      element = plus(element, times(rest % sizes[d], strides[d]));
    span.lower = plus(start, times(element, width));
    span.upper = plus(span.lower, width);
    addSpan(check, span);
  }
}

/// memref.reinterpret_cast of a view that begins at `start`.
static void addStrided(Check *check, BerthSample *sample, MlirOperation op,
                       int64_t start, int32_t thread) {
  int64_t sizes[BERTH_SLICE_MAX_RANK], strides[BERTH_SLICE_MAX_RANK];
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  intptr_t rank = (intptr_t)mlirShapedTypeGetRank(type), next = 1;
  int64_t width = widthOf(type, op);
  if (rank > BERTH_SLICE_MAX_RANK)
    return;
  int64_t offset = mixed(sample, op, "static_offsets", 0, &next);
  for (intptr_t d = 0; d < rank; ++d)
    sizes[d] = mixed(sample, op, "static_sizes", d, &next);
  for (intptr_t d = 0; d < rank; ++d)
    strides[d] = mixed(sample, op, "static_strides", d, &next);
  Span span = {plus(start, times(offset, width)), 0, thread, op};
  addElements(check, span, width, rank, sizes, strides);
}

/// True if the thread comes to the op, as far as conditions can be computed.
static bool comesTo(BerthSample *sample, MlirOperation op) {
  MlirOperation parent = mlirOperationGetParentOperation(op);
  for (; !mlirOperationEqual(parent, sample->kernel);
       op = parent, parent = mlirOperationGetParentOperation(op)) {
    MlirValue values[2];
    MlirRegion region = mlirBlockGetParentRegion(mlirOperationGetBlock(op));
    intptr_t index = 0;
    while (!mlirRegionEqual(mlirOperationGetRegion(parent, index), region))
      ++index;
    BerthRegionRuns runs = berthRegionGetCondition(parent, index, values);
    if (runs == BERTH_RUNS_ALWAYS || runs == BERTH_RUNS_UNKNOWN)
      continue;
    int64_t first = berthSampleNumber(sample, values[0]);
    bool isTruth =
        runs == BERTH_RUNS_WHEN_TRUE || runs == BERTH_RUNS_WHEN_FALSE;
    if (isTruth ? (first & 1) != (runs == BERTH_RUNS_WHEN_TRUE)
                : first >= berthSampleNumber(sample, values[1]))
      return false;
  }
  return true;
}

/// A view, or what its casts address, if it has no other users.
static void addView(Check *check, BerthSample *sample, MlirOperation view,
                    int32_t thread) {
  MlirValue result = mlirOperationGetResult(view, 0);
  MlirType type = mlirValueGetType(result);
  int64_t start = berthSampleNumber(sample, mlirOperationGetOperand(view, 1));
  int64_t bytes = widthOf(type, view);
  intptr_t next = 2;
  bool isTouched = false;
  for (MlirOpOperand use = mlirValueGetFirstUse(result);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (!berthOpIs(op, BERTH_OP_REINTERPRET))
      isTouched = true;
    else if (comesTo(sample, op))
      addStrided(check, sample, op, start, thread);
  }
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); ++d)
    bytes = times(
        bytes,
        mlirShapedTypeIsDynamicDim(type, d)
            ? berthSampleNumber(sample, mlirOperationGetOperand(view, next++))
            : mlirShapedTypeGetDimSize(type, d));
  if (isTouched)
    addSpan(check, (Span){start, plus(start, bytes), thread, view});
}

/// What the thread touches. False once an op is none that is known.
static bool addThread(Check *check, BerthSample *sample, int32_t thread) {
  for (MlirOpOperand use = mlirValueGetFirstUse(check->block);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (mlirOperationEqual(op, check->launch) || berthOpIsFree(op) ||
        berthOpIs(op, BERTH_OP_DIM))
      continue;
    if (!berthOpIs(op, BERTH_OP_VIEW)) {
      tell(check, op,
           "uses the memory of all threads, and is no view of a thread's part",
           check->alloc, "allocated here");
      return false;
    }
    if (comesTo(sample, op))
      addView(check, sample, op, thread);
  }
  return true;
}

/// False if that is an error.
static bool checkSpans(Check *check, int64_t bytes) {
  qsort(check->spans, check->numSpans, sizeof *check->spans, berthCompareFirst);
  for (size_t i = 0; i < check->numSpans; ++i) {
    const Span *span = &check->spans[i];
    bool isInside = span->lower >= 0 && span->upper <= bytes;
    if (!isInside && span->lower < span->upper) {
      tell(check, span->view,
           "is of bytes that the memory of all threads does not have",
           check->alloc, "allocated here");
      return false;
    }
    for (size_t k = i + 1;
         k < check->numSpans && check->spans[k].lower < span->upper; ++k)
      if (check->spans[k].thread != span->thread &&
          check->spans[k].lower < check->spans[k].upper) {
        tell(check, span->view,
             "is of bytes that another thread's part of the memory has, too",
             check->spans[k].view, "the other one's view");
        return false;
      }
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Samples
//===----------------------------------------------------------------------===//

/// The first, the middle and the last ones, where there are many.
static void placeThread(BerthSample *sample, int32_t thread,
                        int64_t numThreads) {
  const int32_t third = kMostThreads / 3;
  int64_t number = thread;
  if (numThreads > kMostThreads && thread >= 2 * third)
    number = numThreads - kMostThreads + thread;
  else if (numThreads > kMostThreads && thread >= third)
    number = numThreads / 2 - third / 2 + (thread - third);
  // Threads in x first, then y, z, and blocks.
  static const int order[6] = {3, 4, 5, 0, 1, 2};
  for (int k = 0; k < 6; ++k) {
    sample->place[order[k]] = number % sample->extents[order[k]];
    number /= sample->extents[order[k]];
  }
}

static int64_t findExtents(Check *check, BerthSample *sample) {
  int64_t threads = 1;
  intptr_t first = segment(check->launch, 0);
  for (int k = 0; k < 6; ++k) {
    int64_t extent = berthSampleNumber(
        sample, mlirOperationGetOperand(check->launch, first + k));
    sample->extents[k] = extent > 0 ? extent : 1;
    if (__builtin_mul_overflow(threads, sample->extents[k], &threads))
      threads = INT64_MAX;
  }
  return threads;
}

/// True if the program stops in front of the allocation.
static bool stopsBefore(const Check *check, BerthSample *sample) {
  MlirBlock block = mlirOperationGetBlock(check->alloc);
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationEqual(op, check->alloc);
       op = mlirOperationGetNextInBlock(op))
    if (berthOpIs(op, BERTH_OP_ASSERT) &&
        !(berthSampleNumber(sample, mlirOperationGetOperand(op, 0)) & 1))
      return true;
  return false;
}

/// False if something is wrong. With large numbers a product may overflow: the
/// program has to stop before that, or the memory is too small.
static bool checkSample(Check *check, int number, bool isLarge) {
  BerthSample sample = {.number = number,
                        .isLarge = isLarge,
                        .launch = check->launch,
                        .kernel = check->kernel,
                        .firstArgument = firstArgument(check->launch),
                        .leafOf = &check->leafOf};
  int64_t threads = findExtents(check, &sample);
  MlirType type = mlirValueGetType(mlirOperationGetResult(check->alloc, 0));
  int64_t bytes =
      mlirShapedTypeHasStaticShape(type)
          ? mlirShapedTypeGetDimSize(type, 0)
          : berthSampleNumber(
                &sample, mlirOperationGetOperand(check->alloc,
                                                 segment(check->alloc, 0)));
  check->numSpans = 0;
  bool isRight = true;
  if (isLarge && stopsBefore(check, &sample))
    threads = 0;
  for (int32_t i = 0; i < threads && i < kMostThreads && isRight; ++i) {
    berthSampleForget(&sample);
    placeThread(&sample, i, threads);
    isRight = addThread(check, &sample, i);
  }
  isRight = isRight && checkSpans(check, bytes);
  berthSampleFree(&sample);
  return isRight;
}

static MlirWalkResult visit(MlirOperation op, void *userData) {
  Check *all = userData;
  if (!berthOpIs(op, BERTH_OP_DEVICE_ALLOC) ||
      mlirAttributeIsNull(berthAttributeOf(op, BERTH_PER_THREAD)))
    return MlirWalkResultAdvance;
  Check check = {.root = all->root, .alloc = op};
  MlirValue value = mlirOperationGetResult(op, 0);
  findLaunch(&check, value, false);
  findLaunch(&check, value, true);
  if (!mlirOperationIsNull(check.launch) &&
      !isOver(op, tokenOf(op), check.launch))
    tell(&check, check.launch, "begins before its threads' memory is there", op,
         "allocated here");
  if (!mlirOperationIsNull(check.launch))
    check.block = blockInKernel(&check);
  for (int i = 0;
       !mlirOperationIsNull(check.launch) && check.numErrors == 0 &&
       !mlirValueIsNull(check.block) && i < kNumSamples + kNumLargeSamples;
       ++i)
    checkSample(&check, i, i >= kNumSamples);
  berthPointerMapFree(&check.leafOf);
  free(check.spans);
  all->numErrors += check.numErrors;
  return MlirWalkResultAdvance;
}

size_t berthVerifyPerThread(MlirOperation root) {
  Check all = {.root = root};
  mlirOperationWalk(root, visit, &all, MlirWalkPreOrder);
  return all.numErrors;
}
