//===- HeapSpirv.h - What the conversion to SPIR-V leaves open ------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_HEAP_HEAPSPIRV_H
#define BERTH_LIB_IR_HEAP_HEAPSPIRV_H

#include "berth-c/Support.h"
#include "mlir-c/IR.h"

BERTH_EXTERN_C_BEGIN

/// Finishes every spirv.module in `root` that a heap in a storage buffer has
/// been converted to.
void berthHeapFinishSpirv(MlirOperation root);

BERTH_EXTERN_C_END

#endif // BERTH_LIB_IR_HEAP_HEAPSPIRV_H
