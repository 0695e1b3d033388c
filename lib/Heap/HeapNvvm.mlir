//===- HeapNvvm.mlir - What HeapDevice.mlir needs for NVVM ----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// NVVM has no conversion for the size of a subgroup, which is 32 there.
//
//===----------------------------------------------------------------------===//

func.func @berth_heap_fence() {
  llvm.fence syncscope("device") acq_rel
  return
}

func.func @berth_heap_lanes() -> index {
  %lanes = arith.constant 32 : index
  return %lanes : index
}
