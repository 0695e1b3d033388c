//===- Parts.c - Each thread's part of a block of memory ------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Expand/Parts.h"
#include "IR/Facts/Facts.h"
#include "IR/Facts/Versions.h"
#include "IR/MultiBuffer/SlotBuffer.h"
#include "IR/Ops/EqualValues.h"
#include "IR/Ops/OpList.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/Rules.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

//===----------------------------------------------------------------------===//
// What is there
//===----------------------------------------------------------------------===//

/// True for the allocation that berth-arena makes: its views have numbers.
static bool isArena(MlirOperation op) {
  if (!berthOpIs(op, BERTH_OP_ALLOC))
    return false;
  for (MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(op, 0));
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation view = mlirOpOperandGetOwner(use);
    if (berthOpIs(view, BERTH_OP_VIEW) &&
        !mlirAttributeIsNull(berthAttributeOf(view, BERTH_BUFFER_NUMBER)))
      return true;
  }
  return false;
}

static MlirOperation findArena(MlirOperation kernel) {
  MlirBlock entry = mlirRegionGetFirstBlock(mlirOperationGetRegion(kernel, 0));
  MlirOperation op = mlirBlockGetFirstOperation(entry);
  while (!mlirOperationIsNull(op) && !isArena(op))
    op = mlirOperationGetNextInBlock(op);
  return op;
}

static int64_t alignmentOf(MlirOperation alloc) {
  MlirAttribute alignment = berthAttributeOf(alloc, "alignment");
  return mlirAttributeIsNull(alignment) ? BERTH_MALLOC_ALIGNMENT
                                        : mlirIntegerAttrGetValueInt(alignment);
}

//===----------------------------------------------------------------------===//
// Whether it can be interleaved
//===----------------------------------------------------------------------===//

static void stayInRow(BerthParts *parts, const char *why, MlirOperation at) {
  if (parts->whyInRow)
    return;
  parts->whyInRow = why;
  parts->whyAt = at;
}

/// Words that one access takes, of an element of 1 to 8 bytes.
static int64_t widthOf(MlirType type, MlirOperation at) {
  MlirType element = mlirShapedTypeGetElementType(type);
  bool isNumber = mlirTypeIsAInteger(element) || mlirTypeIsAFloat(element) ||
                  mlirTypeIsAIndex(element);
  BerthTypeSize size = {0};
  BerthSizeResult result = berthMemRefGetSize(type, at, &size);
  int64_t width = size.elementBytes;
  bool isPower = width > 0 && width <= 8 && !(width & (width - 1));
  bool isKnown = result == BERTH_SIZE_OK || result == BERTH_SIZE_DYNAMIC;
  return isNumber && isKnown && isPower ? width : 0;
}

/// Each element has strides of its own, but what is read at once is slow then.
static bool takesVectors(MlirOperation op) {
  bool found = false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    found |=
        mlirTypeIsAVector(mlirValueGetType(mlirOperationGetOperand(op, i)));
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    found |= mlirTypeIsAVector(mlirValueGetType(mlirOperationGetResult(op, i)));
  return found;
}

/// Ops to which it is all the same how far elements are apart.
static void checkUses(BerthParts *parts, MlirValue value,
                      const char *breakRule) {
  bool takesAll = berthIsBroken(breakRule, "parts-of-vectors");
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    BerthSubView part;
    if (berthSubViewGet(op, &part)) {
      checkUses(parts, mlirOperationGetResult(op, 0), breakRule);
      continue;
    }
    bool takesStrides =
        berthOpIs(op, BERTH_OP_DIM) || berthOpTakesAnyLayout(op) ||
        (berthOpIsElementAccess(op) &&
         mlirAttributeIsNull(berthAttributeOf(op, "alignment")));
    if (!takesStrides || (takesVectors(op) && !takesAll))
      stayInRow(parts,
                "an op may take more than a word at once, or needs them "
                "side by side",
                op);
  }
}

static void checkView(BerthParts *parts, MlirOperation view,
                      const char *breakRule) {
  MlirValue value = mlirOperationGetResult(view, 0);
  MlirType type = mlirValueGetType(value);
  int64_t width = widthOf(type, view);
  BerthMixed shift = berthMixedOf(mlirOperationGetOperand(view, 1));
  if (!width || mlirShapedTypeGetRank(type) > BERTH_SLICE_MAX_RANK)
    stayInRow(parts, "a buffer is not of numbers of 1, 2, 4 or 8 bytes", view);
  else if (parts->width && width != parts->width &&
           !berthIsBroken(breakRule, "one-width"))
    stayInRow(parts, "buffers have elements of different widths", view);
  else if (mlirValueIsNull(shift.value) && shift.number % width)
    stayInRow(parts, "a buffer does not begin at a multiple of its elements",
              view);
  if (!parts->width)
    parts->width = width;
  checkUses(parts, value, breakRule);
}

bool berthFindThreadParts(MlirOperation kernel, bool interleaves,
                          const char *breakRule, BerthParts *parts) {
  *parts = (BerthParts){.kernel = kernel, .arena = findArena(kernel)};
  if (mlirOperationIsNull(parts->arena))
    return false;
  MlirValue arena = mlirOperationGetResult(parts->arena, 0);
  MlirType type = mlirValueGetType(arena);
  parts->bytes = mlirShapedTypeHasStaticShape(type)
                     ? berthMixedNumber(mlirShapedTypeGetDimSize(type, 0))
                     : berthMixedOf(mlirOperationGetOperand(parts->arena, 0));
  for (MlirOpOperand use = mlirValueGetFirstUse(arena);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (berthOpIsFree(op))
      continue;
    if (!berthOpIs(op, BERTH_OP_VIEW))
      return false;
    ++parts->numViews;
    checkView(parts, op, breakRule);
  }
  if (parts->whyInRow || !interleaves)
    parts->width = 0;
  parts->unit = parts->width ? parts->width : alignmentOf(parts->arena);
  return true;
}

//===----------------------------------------------------------------------===//
// Which thread it is
//===----------------------------------------------------------------------===//

typedef struct Numbering {
  MlirOperation kernel;
  BerthInsertPoint at; ///< the entry
  BerthMixed extents[BERTH_NUM_EXTENTS];
  BerthMixed threads; ///< of all blocks together
  BerthMixed thread;  ///< the number of the one that runs it
} Numbering;

/// `position` is of a gpu.launch body's arguments: block ids, thread ids, sizes
/// of the grid, sizes of a block.
static MlirValue askKernel(const Numbering *numbering, const char *name,
                           int position) {
  static const char *const dimensions[] = {"#gpu<dim x>", "#gpu<dim y>",
                                           "#gpu<dim z>"};
  MlirContext context = mlirOperationGetContext(numbering->kernel);
  if (berthOpIs(numbering->kernel, BERTH_OP_LAUNCH))
    return mlirBlockGetArgument(
        mlirRegionGetFirstBlock(mlirOperationGetRegion(numbering->kernel, 0)),
        position);
  MlirNamedAttribute dimension =
      berthNamed(context, "dimension",
                 mlirAttributeParseGet(context, mlirStringRefCreateFromCString(
                                                    dimensions[position % 3])));
  return berthBuildValue(numbering->at, name, 0, NULL,
                         mlirIndexTypeGet(context), 1, &dimension);
}

static void findExtents(Numbering *numbering,
                        const int64_t known[BERTH_NUM_EXTENTS]) {
  for (int k = 0; k < BERTH_NUM_EXTENTS; ++k)
    if (known[k] >= 0)
      numbering->extents[k] = berthMixedNumber(known[k]);
    else
      numbering->extents[k].value = askKernel(
          numbering, k < 3 ? BERTH_NAME_GRID_SIZE : BERTH_NAME_BLOCK_SIZE,
          6 + k);
}

/// z * (size of y) + y, and so on, of blocks and then of threads in them.
static BerthMixed numberOf(const Numbering *numbering, const char *name,
                           int first, int firstExtent, BerthMixed start) {
  BerthMixed number = start;
  for (int k = 2; k >= 0; --k) {
    BerthMixed extent = numbering->extents[firstExtent + k];
    number = berthMixedMultiply(numbering->at, number, extent);
    if (berthMixedIs(extent, 1))
      continue;
    BerthMixed own = {.value = askKernel(numbering, name, first + k)};
    number = berthMixedAdd(numbering->at, number, own);
  }
  return number;
}

static Numbering numberThreads(const BerthParts *parts,
                               const int64_t known[BERTH_NUM_EXTENTS],
                               const char *breakRule) {
  Numbering numbering = {.kernel = parts->kernel,
                         .at = berthInsertBefore(parts->arena)};
  findExtents(&numbering, known);
  numbering.threads = berthMixedNumber(1);
  for (int k = 0; k < BERTH_NUM_EXTENTS; ++k)
    numbering.threads = berthMixedMultiply(numbering.at, numbering.threads,
                                           numbering.extents[k]);
  bool ofBlock = berthIsBroken(breakRule, "numbers-of-blocks");
  BerthMixed start = berthMixedNumber(0);
  if (!ofBlock)
    start = numberOf(&numbering, BERTH_NAME_BLOCK_ID, 0, 0, start);
  numbering.thread = numberOf(&numbering, BERTH_NAME_THREAD_ID, 3, 3, start);
  return numbering;
}

//===----------------------------------------------------------------------===//
// In a row
//===----------------------------------------------------------------------===//

static MlirValue viewInRow(MlirOperation view, MlirValue block,
                           BerthMixed start) {
  BerthInsertPoint at = berthInsertBefore(view);
  MlirOperation clone = mlirOperationClone(view);
  BerthMixed shift = berthMixedOf(mlirOperationGetOperand(view, 1));
  mlirOperationSetOperand(clone, 0, block);
  mlirOperationSetOperand(clone, 1,
                          berthMixedValue(at, berthMixedAdd(at, start, shift)));
  mlirOperationRemoveAttributeByName(
      clone, mlirStringRefCreateFromCString(BERTH_BUFFER_NUMBER));
  mlirOperationRemoveAttributeByName(
      clone, mlirStringRefCreateFromCString(BERTH_LOOP));
  mlirBlockInsertOwnedOperationBefore(at.block, view, clone);
  return mlirOperationGetResult(clone, 0);
}

//===----------------------------------------------------------------------===//
// Interleaved
//===----------------------------------------------------------------------===//

/// The block as words of the type of a buffer's elements.
static MlirValue wordsOf(BerthInsertPoint at, MlirValue block, MlirType type) {
  int64_t dynamic = mlirShapedTypeGetDynamicSize();
  MlirContext context = mlirTypeGetContext(type);
  MlirType index = mlirIndexTypeGet(context);
  MlirType words = mlirMemRefTypeContiguousGet(
      mlirShapedTypeGetElementType(type), 1, &dynamic, (MlirAttribute){NULL});
  MlirValue zero = berthBuildIndex(at, 0);
  MlirValue dim[] = {block, zero};
  MlirValue bytes = berthBuildValue(at, BERTH_NAME_DIM, 2, dim, index, 0, NULL);
  MlirOperation owner = mlirBlockGetParentOperation(at.block);
  int64_t width = widthOf(type, owner);
  if (width > 1)
    bytes = berthBuildBinary(at, BERTH_NAME_DIVIDE, bytes,
                             berthBuildIndex(at, width));
  MlirValue operands[] = {block, zero, bytes};
  return berthBuildValue(at, BERTH_NAME_VIEW, 3, operands, words, 0, NULL);
}

/// Offset, sizes and strides for memref.reinterpret_cast: numbers, and values
/// where these are not known.
typedef struct Listed {
  int64_t numbers[1 + 2 * BERTH_SLICE_MAX_RANK];
  MlirValue values[2 + 2 * BERTH_SLICE_MAX_RANK]; ///< behind the source
  intptr_t numNumbers, numValues;
} Listed;

static void list(Listed *listed, BerthMixed mixed) {
  bool isNumber = mlirValueIsNull(mixed.value);
  listed->numbers[listed->numNumbers++] =
      isNumber ? mixed.number : mlirShapedTypeGetDynamicStrideOrOffset();
  if (!isNumber)
    listed->values[listed->numValues++] = mixed.value;
}

static MlirValue reinterpret(BerthInsertPoint at, MlirValue words,
                             MlirType type, BerthMixed offset,
                             const BerthMixed *sizes,
                             const BerthMixed *strides) {
  MlirContext context = mlirTypeGetContext(type);
  intptr_t rank = (intptr_t)mlirShapedTypeGetRank(type);
  Listed all = {.values = {words}, .numValues = 1};
  int32_t segments[4] = {1, 0, 0, 0};
  list(&all, offset);
  segments[1] = (int32_t)all.numValues - 1;
  for (intptr_t d = 0; d < rank; ++d)
    list(&all, sizes[d]);
  segments[2] = (int32_t)all.numValues - 1 - segments[1];
  for (intptr_t d = 0; d < rank; ++d)
    list(&all, strides[d]);
  segments[3] = (int32_t)all.numValues - 1 - segments[1] - segments[2];
  int64_t *staticStrides = &all.numbers[1 + rank];
  MlirType result = berthMemRefWith(
      type,
      mlirStridedLayoutAttrGet(context, all.numbers[0], rank, staticStrides),
      (MlirAttribute){NULL});
  MlirNamedAttribute attributes[] = {
      berthNamed(context, "operandSegmentSizes",
                 berthI32Array(context, 4, segments)),
      berthNamed(context, "static_offsets",
                 mlirDenseI64ArrayGet(context, 1, all.numbers)),
      berthNamed(context, "static_sizes",
                 mlirDenseI64ArrayGet(context, rank, all.numbers + 1)),
      berthNamed(context, "static_strides",
                 mlirDenseI64ArrayGet(context, rank, staticStrides))};
  return berthBuildValue(at, BERTH_NAME_REINTERPRET, all.numValues, all.values,
                         result, 4, attributes);
}

static MlirValue viewInterleaved(const BerthParts *parts, MlirOperation view,
                                 MlirValue block, const Numbering *numbering) {
  BerthInsertPoint at = berthInsertBefore(view);
  MlirType type = mlirValueGetType(mlirOperationGetResult(view, 0));
  intptr_t rank = (intptr_t)mlirShapedTypeGetRank(type), next = 2;
  BerthMixed sizes[BERTH_SLICE_MAX_RANK], strides[BERTH_SLICE_MAX_RANK];
  for (intptr_t d = 0; d < rank; ++d)
    sizes[d] =
        mlirShapedTypeIsDynamicDim(type, d)
            ? (BerthMixed){.value = mlirOperationGetOperand(view, next++)}
            : berthMixedNumber(mlirShapedTypeGetDimSize(type, d));
  BerthMixed distance = numbering->threads;
  for (intptr_t d = rank; d-- > 0;) {
    strides[d] = distance;
    distance = berthMixedMultiply(at, distance, sizes[d]);
  }
  BerthMixed word = berthMixedOf(mlirOperationGetOperand(view, 1));
  if (mlirValueIsNull(word.value))
    word.number /= parts->width;
  else if (parts->width > 1)
    word.value = berthBuildBinary(at, BERTH_NAME_DIVIDE, word.value,
                                  berthBuildIndex(at, parts->width));
  BerthMixed offset = berthMixedAdd(
      at, berthMixedMultiply(at, word, numbering->threads), numbering->thread);
  return reinterpret(at, wordsOf(at, block, type), type, offset, sizes,
                     strides);
}

//===----------------------------------------------------------------------===//
// All views
//===----------------------------------------------------------------------===//

typedef struct AssertWalk {
  MlirOperation arena;
  BerthOpList found;
} AssertWalk;

/// What is asked for in front of the arena is asked for by Berth: of sizes,
/// which the host has looked at.
static MlirWalkResult findAssert(MlirOperation op, void *userData) {
  AssertWalk *walk = userData;
  if (!berthOpIs(op, BERTH_OP_ASSERT))
    return MlirWalkResultAdvance;
  MlirValue condition = mlirOperationGetOperand(op, 0);
  if (!mlirValueIsAOpResult(condition))
    return MlirWalkResultAdvance;
  MlirOperation made = mlirOpResultGetOwner(condition);
  if (mlirBlockEqual(mlirOperationGetBlock(made),
                     mlirOperationGetBlock(walk->arena)) &&
      mlirOperationIsBeforeInBlock(made, walk->arena))
    berthOpListAdd(&walk->found, op);
  return MlirWalkResultAdvance;
}

static void eraseAsserts(const BerthParts *parts) {
  AssertWalk walk = {.arena = parts->arena};
  mlirOperationWalk(parts->kernel, findAssert, &walk, MlirWalkPreOrder);
  for (size_t i = 0; i < walk.found.count; ++i)
    mlirOperationDestroy(walk.found.ops[i]);
  free(walk.found.ops);
}

/// Destroys what uses the arena while going through the uses.
void berthUseThreadParts(const BerthParts *parts, MlirValue block,
                         const int64_t extents[BERTH_NUM_EXTENTS],
                         const char *breakRule) {
  eraseAsserts(parts);
  Numbering numbering = numberThreads(parts, extents, breakRule);
  BerthInsertPoint entry = berthInsertBefore(parts->arena);
  BerthMixed start = {{NULL}, 0};
  if (!parts->width)
    start =
        berthMixedMultiply(entry, numbering.thread,
                           berthMixedRoundUp(entry, parts->bytes, parts->unit));
  MlirValue arena = mlirOperationGetResult(parts->arena, 0);
  MlirOpOperand use;
  while (!mlirOpOperandIsNull(use = mlirValueGetFirstUse(arena))) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (berthOpIs(op, BERTH_OP_VIEW)) {
      MlirValue old = mlirOperationGetResult(op, 0);
      MlirValue made = parts->width
                           ? viewInterleaved(parts, op, block, &numbering)
                           : viewInRow(op, block, start);
      mlirValueReplaceAllUsesOfWith(old, made);
      if (parts->width)
        berthInferViews(made);
    }
    mlirOperationDestroy(op);
  }
  mlirOperationDestroy(parts->arena);
}
