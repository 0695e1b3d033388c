//===- HeapText.h - The heap's MLIR functions as text -------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// The .mlir files of this folder, embedded by the build. Each is a list of
// functions over the type alias `!heap`, which the reader must define first.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_HEAP_HEAPTEXT_H
#define BERTH_LIB_HEAP_HEAPTEXT_H

extern const char berthHeapText[];          ///< Heap.mlir
extern const char berthHeapCheckText[];     ///< HeapCheck.mlir, or else:
extern const char berthHeapUncheckedText[]; ///< HeapUnchecked.mlir
extern const char berthHeapLockText[];      ///< HeapLock.mlir
extern const char berthHeapSizeText[];      ///< HeapSize.mlir
extern const char berthHeapHostText[];      ///< HeapHost.mlir, or else:
extern const char berthHeapKernelText[];    ///< HeapKernel.mlir, or else:
extern const char berthHeapDeviceText[];    ///< HeapDevice.mlir, with one of:
extern const char berthHeapNvvmText[];      ///< HeapNvvm.mlir
extern const char berthHeapRocdlText[];     ///< HeapRocdl.mlir
extern const char berthHeapSpirvText[];     ///< HeapSpirv.mlir

#endif // BERTH_LIB_HEAP_HEAPTEXT_H
