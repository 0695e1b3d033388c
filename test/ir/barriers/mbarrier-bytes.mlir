// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mbarriers take 8 bytes of shared memory each, besides the arena.
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-arena{chip=sm_90 report=-})' -o /dev/null 2>&1 | FileCheck %s
// CHECK: "other_bytes": 40
!mbarriers = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>
!mbarrier = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
gpu.module @kernels {
  gpu.func @k(%out: memref<64xf32>, %v: f32) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %m = nvgpu.mbarrier.create -> !mbarriers
    %n = nvgpu.mbarrier.create -> !mbarrier
    %x = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %v, %x[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    %e = memref.load %x[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %e, %out[%t] : memref<64xf32>
    gpu.return
  }
}
