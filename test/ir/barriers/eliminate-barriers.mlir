// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// gpu-eliminate-barriers deletes a barrier that no buffer needs so far: between
// the read of %a and the write of %b. It belongs behind Berth.
//
// Behind: the barrier separates views of one arena by then, and stays.
// RUN: %mlir-opt-berth %s --pass-pipeline='builtin.module(berth-arena{barriers=existing},func.func(gpu-eliminate-barriers),berth-verify)' | FileCheck %s --check-prefixes=SHARED,THREE
// Parts do not change that.
// RUN: %mlir-opt-berth %s --pass-pipeline='builtin.module(berth-arena{barriers=existing split-arenas=true},func.func(gpu-eliminate-barriers),berth-verify)' | FileCheck %s --check-prefixes=SHARED,THREE
// In front: it goes. Berth has to do without sharing, or to put it back.
// RUN: %mlir-opt-berth %s --pass-pipeline='builtin.module(func.func(gpu-eliminate-barriers),berth-arena{barriers=existing})' | FileCheck %s --check-prefixes=APART,TWO
// RUN: %mlir-opt-berth %s --pass-pipeline='builtin.module(func.func(gpu-eliminate-barriers),berth-arena{report=-})' 2>&1 | FileCheck %s --check-prefixes=INSERTED
// RUN: %mlir-opt-berth %s --pass-pipeline='builtin.module(func.func(gpu-eliminate-barriers),berth-arena)' | FileCheck %s --check-prefixes=SHARED,THREE
//
// And on, to a kernel.
// RUN: %shared-bytes --forms=global --behind='func.func(gpu-eliminate-barriers),gpu-kernel-outlining' %s | FileCheck %s --check-prefix=BYTES
// BYTES: global: 128 bytes, aligned to 16

// INSERTED: "inserted": 1
// SHARED: memref.global {{.*}} : memref<128xi8
// APART: memref.global {{.*}} : memref<256xi8
// THREE-COUNT-3: gpu.barrier
// TWO-COUNT-2: gpu.barrier
// TWO-NOT: gpu.barrier

#workgroup = #gpu.address_space<workgroup>

func.func @host(%out: memref<32xf32>) {
  %c1 = arith.constant 1 : index
  %c31 = arith.constant 31 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%block, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%thread, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %a = memref.alloc() : memref<32xf32, #workgroup>
    %b = memref.alloc() : memref<32xf32, #workgroup>
    %other = arith.subi %c31, %thread : index
    %x = memref.load %out[%thread] : memref<32xf32>
    memref.store %x, %a[%thread] : memref<32xf32, #workgroup>
    gpu.barrier
    %y = memref.load %a[%other] : memref<32xf32, #workgroup>
    gpu.barrier
    memref.store %y, %b[%thread] : memref<32xf32, #workgroup>
    gpu.barrier
    %z = memref.load %b[%other] : memref<32xf32, #workgroup>
    memref.store %z, %out[%thread] : memref<32xf32>
    gpu.terminator
  }
  return
}
