//===- Alignments.c - The alignment that a buffer's uses need -------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Pointers/Alignments.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/OpTable.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

static void raise(BerthBufferInfo *buffer, int64_t alignment) {
  if (alignment > buffer->alignment)
    buffer->alignment = alignment;
}

void berthKeepPromisedAlignment(BerthBufferInfo *buffer) {
  raise(buffer, buffer->promisedAlignment);
}

/// The attribute is an integer wherever an op of LLVM or MLIR has it.
static void raiseByUse(BerthBufferInfo *buffer, MlirOperation op) {
  MlirAttribute alignment = mlirOperationGetAttributeByName(
      op, mlirStringRefCreateFromCString("alignment"));
  if (!mlirAttributeIsNull(alignment) && mlirAttributeIsAInteger(alignment))
    raise(buffer, mlirIntegerAttrGetValueInt(alignment));
  raise(buffer, berthOpGetAligned(op));
}

void berthRaiseAlignment(BerthBufferInfo *buffer, MlirValue alias) {
  MlirType type = mlirValueGetType(alias);
  if (mlirTypeIsAMemRef(type)) {
    BerthTypeSize size = {0, 0, 1};
    BerthSizeResult result = berthMemRefGetSize(type, buffer->alloc, &size);
    if (result == BERTH_SIZE_OK || result == BERTH_SIZE_DYNAMIC)
      raise(buffer, size.elementAlignment);
  } else if (!mlirTypeIsAUnrankedMemRef(type)) {
    berthKeepPromisedAlignment(buffer);
  }
  for (MlirOpOperand use = mlirValueGetFirstUse(alias);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    raiseByUse(buffer, mlirOpOperandGetOwner(use));
}
