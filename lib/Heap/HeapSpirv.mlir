//===- HeapSpirv.mlir - What HeapDevice.mlir needs for SPIR-V -------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The barrier orders storage buffers that are Coherent: see HeapSpirv.c.
//
//===----------------------------------------------------------------------===//

func.func @berth_heap_fence() {
  spirv.MemoryBarrier <Device>, <AcquireRelease|UniformMemory>
  return
}

func.func @berth_heap_lanes() -> index {
  %lanes = gpu.subgroup_size : index
  return %lanes : index
}
