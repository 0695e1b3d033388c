//===- BufferSize.c - Bytes and alignment of a buffer ---------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// By its type, by what a target description or an attribute tells of it, or by
// the operands of its allocation, where the size is known only at run time.
//
//===----------------------------------------------------------------------===//

#include "IR/Scope/BufferSize.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/Text.h"
#include "IR/Target/ForeignLayout.h"
#include "IR/Target/ForeignType.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

/// Allocated by memref.alloc or memref.alloca with the identity layout: the
/// size is the product of the operands and the static dimensions.
static bool isProduct(const BerthBufferInfo *buffer) {
  MlirType type = mlirValueGetType(buffer->value);
  bool isKnownOp = berthOpIsPlainAllocation(buffer->alloc);
  MlirAttribute layout = mlirMemRefTypeGetLayout(type);
  return isKnownOp && mlirAttributeIsAAffineMap(layout) &&
         mlirAffineMapIsIdentity(mlirMemRefTypeGetAffineMap(type));
}

/// Sets `unitBytes`: all that is static of the product. False if it overflows.
static bool findUnit(BerthBufferInfo *buffer, int64_t elementBytes) {
  MlirType type = mlirValueGetType(buffer->value);
  int64_t rank = mlirShapedTypeGetRank(type);
  buffer->unitBytes = elementBytes;
  for (int64_t i = 0; i < rank; ++i)
    if (!mlirShapedTypeIsDynamicDim(type, i) &&
        __builtin_mul_overflow(buffer->unitBytes,
                               mlirShapedTypeGetDimSize(type, i),
                               &buffer->unitBytes))
      return false;
  return true;
}

/// The product with each operand at its largest.
static bool boundByOperands(const BerthBufferInfo *buffer, int64_t *size) {
  *size = buffer->unitBytes;
  intptr_t numOperands = mlirOperationGetNumOperands(buffer->alloc);
  for (intptr_t i = 0; i < numOperands; ++i) {
    int64_t bound;
    MlirValue operand = mlirOperationGetOperand(buffer->alloc, i);
    if (!berthValueGetUpperBound(operand, &bound) ||
        __builtin_mul_overflow(*size, bound, size))
      return false;
  }
  return true;
}

/// The attribute `berth.upper_bound`: bytes of the whole buffer.
static bool boundByAttribute(const BerthBufferInfo *buffer, int64_t *size) {
  MlirAttribute bound = mlirOperationGetAttributeByName(
      buffer->alloc, mlirStringRefCreateFromCString(BERTH_UPPER_BOUND));
  if (mlirAttributeIsNull(bound) || !mlirAttributeIsAInteger(bound))
    return false;
  *size = mlirIntegerAttrGetValueInt(bound);
  return *size > 0;
}

/// Makes a static or a dynamic buffer of one whose type does not tell its size.
/// False: it stays out.
static bool describeDynamic(const BerthCollectOptions *options,
                            BerthBufferInfo *buffer, int64_t elementBytes) {
  if (options->dynamic == BERTH_DYNAMIC_OFF || !isProduct(buffer) ||
      !findUnit(buffer, elementBytes))
    return false;
  int64_t size;
  // Whether an attribute is right a kernel cannot check; and 2^32 threads at
  // most, say, are no bound for memory that each of them has.
  enum { kMostOfThread = 1 << 20 };
  bool believes = mlirOperationIsNull(options->expanded);
  if ((believes && boundByAttribute(buffer, &size)) ||
      (boundByOperands(buffer, &size) && (believes || size <= kMostOfThread))) {
    buffer->size = size;
    buffer->isBounded = true;
    return true;
  }
  buffer->isDynamic = options->dynamic == BERTH_DYNAMIC_SYMBOLIC;
  return buffer->isDynamic;
}

static const char *sizeReason(BerthSizeResult result) {
  switch (result) {
  case BERTH_SIZE_OK:
    return NULL;
  case BERTH_SIZE_DYNAMIC:
    return "its size is known only at run time";
  case BERTH_SIZE_LAYOUT:
    return "its layout is not a strided one with non-negative strides, and no "
           "target description or berth.size tells its bytes";
  case BERTH_SIZE_TYPE:
    return "no target description or berth.size tells its bytes";
  case BERTH_SIZE_ELEMENT:
    return "its element type has no fixed size";
  case BERTH_SIZE_OVERFLOW:
    return "its size in bytes exceeds 2^63 - 1";
  }
  return "its size is unknown";
}

/// The attribute `berth.size`: bytes of a buffer whose type does not tell them.
/// What an earlier plan left there may be less than the description tells now.
static bool sizeByAttribute(MlirOperation alloc, MlirType type,
                            int64_t *bytes) {
  MlirAttribute size = berthAttributeOf(alloc, BERTH_SIZE);
  if (mlirAttributeIsNull(size) || !mlirAttributeIsAInteger(size))
    return false;
  int64_t written = mlirIntegerAttrGetValueInt(size);
  if (!berthTypeTellsBytes(type, alloc, bytes) || *bytes < written)
    *bytes = written;
  return written >= 0;
}

/// The size where the layout is none that MLIR knows: by what a target
/// description says of it, or by the allocation's own attribute.
static BerthSizeResult foreignSize(const BerthBufferInfo *buffer,
                                   BerthTypeSize *size) {
  int64_t count;
  MlirAttribute layout =
      mlirMemRefTypeGetLayout(mlirValueGetType(buffer->value));
  if (mlirAttributeIsAAffineMap(layout) ||
      mlirAttributeIsAStridedLayout(layout))
    return BERTH_SIZE_LAYOUT;
  if (sizeByAttribute(buffer->alloc, mlirValueGetType(buffer->value),
                      &size->bytes))
    return BERTH_SIZE_OK;
  if (!berthForeignLayoutCount(mlirValueGetType(buffer->value), &count))
    return BERTH_SIZE_LAYOUT;
  return __builtin_mul_overflow(count, size->elementBytes, &size->bytes)
             ? BERTH_SIZE_OVERFLOW
             : BERTH_SIZE_OK;
}

static int64_t ownAlignment(MlirOperation alloc) {
  MlirAttribute attribute = mlirOperationGetAttributeByName(
      alloc, mlirStringRefCreateFromCString("alignment"));
  if (mlirAttributeIsNull(attribute) || !mlirAttributeIsAInteger(attribute))
    return 1;
  int64_t value = mlirIntegerAttrGetValueInt(attribute);
  return value > 0 ? value : 1;
}

static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

/// Malloc's alignment, or for less bytes than that what the size allows. Other
/// memories, and the stack, promise nothing.
static int64_t promisedAlignment(const BerthScope *scope,
                                 const BerthBufferInfo *buffer) {
  bool isHeap = berthOpIs(buffer->alloc, BERTH_OP_ALLOC) &&
                mlirAttributeIsNull(scope->space);
  int64_t alignment = isHeap ? BERTH_MALLOC_ALIGNMENT : 1;
  while (buffer->size > 0 && alignment > buffer->size)
    alignment /= 2;
  return alignment;
}

/// The size of what is called an allocation: where that is told, else by its
/// type, if that is a memref's, else by `berth.size`, or what a target
/// description says of the type.
static BerthSizeResult toldSize(const BerthBufferInfo *buffer,
                                const BerthToldAllocation *told,
                                BerthTypeSize *size) {
  MlirType type = mlirValueGetType(buffer->value);
  if (told->hasSize && told->size >= 0) {
    size->bytes = told->size;
    return BERTH_SIZE_OK;
  }
  bool isMemRef = mlirTypeIsAMemRef(type);
  BerthSizeResult byType = told->hasSize ? BERTH_SIZE_DYNAMIC
                           : isMemRef
                               ? berthMemRefGetSize(type, buffer->alloc, size)
                               : BERTH_SIZE_TYPE;
  bool isKnown = byType == BERTH_SIZE_OK || byType == BERTH_SIZE_LAYOUT;
  if (!isKnown && sizeByAttribute(buffer->alloc, type, &size->bytes))
    return BERTH_SIZE_OK;
  return byType == BERTH_SIZE_TYPE ? berthForeignTypeSize(type, size) : byType;
}

/// Why the size is not known, with the text that a rule of the description
/// cannot read.
static const char *unknownSize(const BerthScope *scope, MlirType type,
                               BerthSizeResult result) {
  BerthText why = {0};
  bool isBroken =
      (result == BERTH_SIZE_LAYOUT &&
       berthForeignLayoutBreaksRule(type, &why)) ||
      (result == BERTH_SIZE_TYPE && berthForeignTypeBreaksRule(type, &why));
  return isBroken ? berthTextKeep(scope->memory, &why) : sizeReason(result);
}

void berthDescribeSize(const BerthScope *scope,
                       const BerthCollectOptions *options,
                       BerthBufferInfo *buffer) {
  BerthTypeSize size = {0, 0, 1};
  BerthToldAllocation told = {.alignment = 0};
  MlirType type = mlirValueGetType(buffer->value);
  bool isTold = berthOpIsToldAllocation(buffer->alloc, &told);
  BerthSizeResult result = isTold
                               ? toldSize(buffer, &told, &size)
                               : berthMemRefGetSize(type, buffer->alloc, &size);
  // A view is what its type says, and no more.
  BerthTypeSize byType = {0, 0, 1};
  buffer->isForeign =
      isTold && result == BERTH_SIZE_OK &&
      (!mlirTypeIsAMemRef(type) ||
       berthMemRefGetSize(type, buffer->alloc, &byType) != BERTH_SIZE_OK ||
       byType.bytes != size.bytes);
  if (result == BERTH_SIZE_LAYOUT) {
    result = foreignSize(buffer, &size);
    buffer->isForeign = result == BERTH_SIZE_OK;
  }
  buffer->size = size.bytes;
  buffer->alignment =
      larger(larger(size.elementAlignment, 1),
             larger(larger(ownAlignment(buffer->alloc), told.alignment),
                    options->alignment));
  if (scope->isDevice)
    buffer->alignment = larger(buffer->alignment, BERTH_DEVICE_ALIGNMENT);
  buffer->promisedAlignment = promisedAlignment(scope, buffer);
  bool isPlaceable = result == BERTH_SIZE_DYNAMIC &&
                     describeDynamic(options, buffer, size.elementBytes);
  buffer->reason = isPlaceable ? NULL : unknownSize(scope, type, result);
  buffer->reasonAt = buffer->alloc;
  if (!buffer->reason && buffer->isForeign && !options->takesForeign)
    buffer->reason = "its type, or its layout, is none that a view can have: "
                     "use berth-arena";
  if (!buffer->reason && told.alignment < 0)
    buffer->reason = "its alignment is known only at run time";
}
