//===- HeapInline.h - Kernels without calls of the heap ------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_HEAP_HEAPINLINE_H
#define BERTH_LIB_IR_HEAP_HEAPINLINE_H

#include "mlir-c/IR.h"

/// Inlines all calls of linked functions in a kernel.
void berthHeapInline(MlirOperation kernel);

#endif // BERTH_LIB_IR_HEAP_HEAPINLINE_H
