//===- HeapRocdl.mlir - What HeapDevice.mlir needs for ROCDL --------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A device is an agent there.
//
//===----------------------------------------------------------------------===//

func.func @berth_heap_fence() {
  llvm.fence syncscope("agent") acq_rel
  return
}

func.func @berth_heap_lanes() -> index {
  %lanes = gpu.subgroup_size : index
  return %lanes : index
}
