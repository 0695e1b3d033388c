//===- Attributes.h - Attributes of ops, by name ------------ C -----------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_OPS_ATTRIBUTES_H
#define BERTH_LIB_IR_OPS_ATTRIBUTES_H

#include "mlir-c/IR.h"

/// On an allocation of dynamic size: the most bytes that it ever has, by the
/// user's word. On its view too.
#define BERTH_UPPER_BOUND "berth.upper_bound"

/// On an allocation whose type does not tell its size: its bytes, by the user's
/// word. arena=annotate writes it on every allocation.
#define BERTH_SIZE "berth.size"

/// On a view of an arena that is a buffer: the buffer's number.
#define BERTH_BUFFER_NUMBER "berth.buffer"

/// Null if the op has none of that name.
static inline MlirAttribute berthAttributeOf(MlirOperation op,
                                             const char *name) {
  return mlirOperationGetAttributeByName(op,
                                         mlirStringRefCreateFromCString(name));
}

#endif // BERTH_LIB_IR_OPS_ATTRIBUTES_H
