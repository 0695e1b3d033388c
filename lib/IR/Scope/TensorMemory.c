//===- TensorMemory.c - Buffers in columns of 128 lanes -------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Scope/TensorMemory.h"
#include "IR/Ops/Chips.h"
#include "IR/Ops/OpTable.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

/// A view would have a place in lanes and columns that its offset in bytes does
/// not tell, so nothing but the buffer's address is asked for.
static bool isAddressedOnly(MlirValue buffer) {
  for (MlirOpOperand use = mlirValueGetFirstUse(buffer);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (!berthOpIs(user, BERTH_OP_ADDRESS) && !berthOpIs(user, BERTH_OP_FREE))
      return false;
  }
  return true;
}

static bool hasRowsAsLanes(MlirType type) {
  return mlirTypeIsAMemRef(type) && mlirShapedTypeGetRank(type) == 2 &&
         mlirShapedTypeHasStaticShape(type) &&
         mlirAttributeIsAAffineMap(mlirMemRefTypeGetLayout(type)) &&
         mlirAffineMapIsIdentity(mlirMemRefTypeGetAffineMap(type));
}

const char *berthDescribeTensor(const BerthScope *scope,
                                BerthBufferInfo *buffer) {
  MlirType type = mlirValueGetType(buffer->value);
  const BerthChip *chip = berthChipOf(scope->op);
  if (scope->kind != BERTH_SCOPE_KERNEL || !chip || !chip->tensorColumns)
    return "tensor memory is planned in kernels of a gpu.module only whose "
           "target names a chip that has it (sm_100a, for one)";
  if (buffer->isDynamic || buffer->isBounded || buffer->isForeign ||
      !hasRowsAsLanes(type))
    return "in tensor memory only static rows and columns without a layout are "
           "placed";
  int64_t lanes = mlirShapedTypeGetDimSize(type, 0);
  if (lanes > BERTH_TENSOR_LANES)
    return "it has more rows than the 128 lanes of tensor memory";
  if (buffer->alignment > BERTH_TENSOR_LEAST)
    return "its alignment is above the 32 columns that an allocation of tensor "
           "memory has";
  if (!isAddressedOnly(buffer->value))
    return "in tensor memory it is used otherwise than by its address "
           "(memref.extract_aligned_pointer_as_index)";
  int64_t row = lanes ? buffer->size / lanes : 0;
  buffer->size = (row + 3) / 4 * BERTH_TENSOR_COLUMN;
  if (buffer->alignment < BERTH_TENSOR_COLUMN)
    buffer->alignment = BERTH_TENSOR_COLUMN;
  return NULL;
}

BerthStatus berthLimitTensors(const BerthCollectOptions *options,
                              int64_t *capacity, BerthError *error) {
  if (!options->hasSpace ||
      berthSpaceGetUse(options->space) != BERTH_SPACE_TENSOR)
    return BERTH_SUCCESS;
  if (*capacity && *capacity < BERTH_TENSOR_LEAST)
    return berthErrorSet(error, BERTH_INVALID,
                         "capacity %lld: tensor memory is allocated by 32 "
                         "columns or more, which have %d bytes",
                         (long long)*capacity, BERTH_TENSOR_LEAST);
  int64_t limit = BERTH_TENSOR_BYTES;
  while (*capacity && limit > *capacity)
    limit /= 2;
  *capacity = limit;
  return BERTH_SUCCESS;
}

int64_t berthTensorArena(int64_t bytes) {
  int64_t arena = bytes ? BERTH_TENSOR_LEAST : 0;
  while (arena < bytes)
    arena *= 2;
  return arena;
}
