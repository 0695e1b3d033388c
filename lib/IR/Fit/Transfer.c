//===- Transfer.c - What begins a move and what waits for it --------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Fit/Transfer.h"
#include "IR/Facts/SliceFacts.h"
#include "IR/Ops/Allocations.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

bool berthFitIsPlain(MlirType type) {
  return mlirTypeIsAMemRef(type) && mlirShapedTypeHasStaticShape(type) &&
         mlirAffineMapIsIdentity(mlirMemRefTypeGetAffineMap(type));
}

/// Elements in rows of `length` without gaps, `count` of them, of which one
/// begins every `stride`. One row has no stride.
typedef struct Rows {
  int64_t length, stride, count;
} Rows;

/// False for anything else.
static bool findRows(MlirType type, Rows *rows) {
  int64_t strides[BERTH_SLICE_MAX_RANK], offset;
  if (!mlirTypeIsAMemRef(type) || !mlirShapedTypeHasStaticShape(type) ||
      !berthMemRefGetStrides(type, strides, &offset))
    return false;
  *rows = (Rows){.length = 1, .count = 1};
  for (int64_t d = mlirShapedTypeGetRank(type); d-- > 0;) {
    int64_t size = mlirShapedTypeGetDimSize(type, d);
    bool goesOn = strides[d] ==
                  (rows->stride ? rows->stride * rows->count : rows->length);
    if (size == 1)
      continue;
    if (!goesOn && (rows->stride || strides[d] <= 0))
      return false;
    if (!rows->stride && goesOn) {
      rows->length *= size;
      continue;
    }
    rows->stride = rows->stride ? rows->stride : strides[d];
    rows->count *= size;
  }
  return true;
}

/// As starts have it, where the higher number is that of the faster memory.
/// False where a memory has another name.
static bool numberOf(MlirAttribute space, int64_t *number) {
  bool isNone = mlirAttributeIsNull(space);
  bool isNumber = isNone || mlirAttributeIsAInteger(space);
  *number = isNumber && !isNone ? mlirIntegerAttrGetValueInt(space) : 0;
  return isNumber;
}

//===----------------------------------------------------------------------===//
// What the description names
//===----------------------------------------------------------------------===//

/// Builds the op; null, with nothing built, if no entry says that this very op
/// copies the one memory to the other.
static MlirOperation buildTold(const BerthFitLevel *level, BerthInsertPoint at,
                               MlirValue from, MlirValue to) {
  intptr_t source, target, isAsync = !mlirTypeIsNull(level->moveToken);
  for (int i = 0; i < 2; ++i) {
    const MlirValue operands[] = {i ? to : from, i ? from : to};
    MlirOperation op = berthBuild(at, level->moveOp, 2, operands, isAsync,
                                  &level->moveToken, 0, NULL);
    if (berthOpIsToldCopy(op, &source, &target) && source == i &&
        berthOpIsTokenResult(op, 0) == isAsync)
      return op;
    mlirOperationDestroy(op);
  }
  return (MlirOperation){NULL};
}

static BerthFitBegun buildToldAndWait(const BerthFitLevel *level,
                                      BerthInsertPoint at, MlirValue from,
                                      MlirValue to) {
  BerthFitBegun begun = {.start = buildTold(level, at, from, to)};
  if (level->moveWait) {
    MlirValue token = mlirOperationGetResult(begun.start, 0);
    begun.wait = berthBuild(at, level->moveWait, 1, &token, 0, NULL, 0, NULL);
  }
  return begun;
}

//===----------------------------------------------------------------------===//
// Starts with tags
//===----------------------------------------------------------------------===//

/// A tag of its own for each transfer: then nobody takes one's wait for
/// another's.
static MlirValue buildTag(BerthInsertPoint at, MlirAttribute space) {
  MlirContext context = mlirLocationGetContext(at.location);
  const int64_t one = 1;
  MlirType type = mlirMemRefTypeGet(mlirIntegerTypeGet(context, 32), 1, &one,
                                    mlirAttributeGetNull(), space);
  return berthBuildAllocation(at, false, type, (MlirValue){NULL}, 4, false);
}

static intptr_t addIndexed(MlirValue *operands, intptr_t count, MlirValue value,
                           MlirValue zero) {
  operands[count++] = value;
  int64_t rank = mlirShapedTypeGetRank(mlirValueGetType(value));
  for (int64_t i = 0; i < rank; ++i)
    operands[count++] = zero;
  return count;
}

/// A start of all elements, and the wait for it. Where one end has rows with
/// gaps, it is the one in the slower memory.
static BerthFitBegun buildTagged(BerthInsertPoint at, MlirOperation scope,
                                 MlirValue from, MlirValue to,
                                 MlirAttribute tagSpace) {
  BerthInsertPoint entry =
      berthInsertAtEntry(mlirOperationGetRegion(scope, 0), at.location);
  Rows rows = {0}, other = {0};
  findRows(mlirValueGetType(from), &rows);
  findRows(mlirValueGetType(to), &other);
  rows = other.stride ? other : rows;
  int64_t rank = mlirShapedTypeGetRank(mlirValueGetType(from));
  MlirValue tag = buildTag(entry, tagSpace);
  MlirValue zero = berthBuildIndex(entry, 0);
  MlirValue number = berthBuildIndex(entry, rows.length * rows.count);
  MlirValue *operands =
      berthAllocateOrDie((size_t)(2 * rank + 7), sizeof *operands);
  intptr_t count = addIndexed(operands, 0, from, zero);
  count = addIndexed(operands, count, to, zero);
  operands[count++] = number;
  count = addIndexed(operands, count, tag, zero);
  if (rows.stride) {
    operands[count++] = berthBuildIndex(entry, rows.stride);
    operands[count++] = berthBuildIndex(entry, rows.length);
  }
  MlirOperation start =
      berthBuild(at, BERTH_NAME_DMA_START, count, operands, 0, NULL, 0, NULL);
  const MlirValue awaited[] = {tag, zero, number};
  MlirOperation wait =
      berthBuild(at, BERTH_NAME_DMA_WAIT, 3, awaited, 0, NULL, 0, NULL);
  free(operands);
  return (BerthFitBegun){start, wait};
}

//===----------------------------------------------------------------------===//
// Either
//===----------------------------------------------------------------------===//

/// True if a start tells where the elements of both lie.
static bool areRows(MlirValue from, MlirValue to, bool maySkip) {
  MlirType a = mlirValueGetType(from), b = mlirValueGetType(to);
  Rows rowsA, rowsB;
  int64_t numberA, numberB;
  if (!findRows(a, &rowsA) || !findRows(b, &rowsB))
    return false;
  if (!rowsA.stride && !rowsB.stride)
    return true;
  return maySkip && (!rowsA.stride || !rowsB.stride) &&
         numberOf(mlirMemRefTypeGetMemorySpace(a), &numberA) &&
         numberOf(mlirMemRefTypeGetMemorySpace(b), &numberB) &&
         (rowsA.stride ? numberA < numberB : numberB < numberA);
}

bool berthFitMayTransfer(const BerthFitLevel *level, BerthInsertPoint at,
                         MlirValue from, MlirValue to) {
  if (!level->hasTransfers || !areRows(from, to, !level->moveOp))
    return false;
  if (!level->moveOp)
    return true;
  MlirOperation op = buildTold(level, at, from, to);
  bool isTold = !mlirOperationIsNull(op);
  if (isTold)
    mlirOperationDestroy(op);
  return isTold;
}

BerthFitBegun berthFitBuildTransfer(const BerthFitLevel *level,
                                    BerthInsertPoint at, MlirOperation scope,
                                    MlirValue from, MlirValue to,
                                    MlirAttribute tagSpace) {
  return level->moveOp ? buildToldAndWait(level, at, from, to)
                       : buildTagged(at, scope, from, to, tagSpace);
}

bool berthFitIsAwaited(const BerthFitLevel *level) {
  return !level->moveOp || level->moveWait;
}
