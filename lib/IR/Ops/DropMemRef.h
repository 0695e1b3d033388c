//===- DropMemRef.h - Less for a bufferization.dealloc ---- C -------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_OPS_DROPMEMREF_H
#define BERTH_LIB_IR_OPS_DROPMEMREF_H

#include "mlir-c/IR.h"

/// Removes operand `index` (below berthDeallocNumMemRefs) and its condition
/// from a bufferization.dealloc, and the op itself when nothing is left to
/// free: what it retains is then owned by nobody.
void berthDeallocDropMemRef(MlirOperation op, intptr_t index);

#endif // BERTH_LIB_IR_OPS_DROPMEMREF_H
