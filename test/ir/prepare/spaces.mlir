// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// On a chip of which it is known, memory space 3 is workgroup memory: its
// buffers share an arena with the others, behind a cast.
// RUN: %mlir-opt-berth %s --split-input-file --pass-pipeline='builtin.module(berth-arena{chip=sm_90})' | FileCheck %s
// RUN: %mlir-opt-berth %s --split-input-file --pass-pipeline='builtin.module(berth-arena{chip=gfx942})' | FileCheck %s
// The casts go again when it is lowered.
// RUN: %mlir-opt-berth %s --split-input-file --pass-pipeline='builtin.module(berth-arena{chip=sm_90},gpu.module(expand-strided-metadata,convert-gpu-to-nvvm,canonicalize,reconcile-unrealized-casts))' | FileCheck %s --check-prefix=NVVM
// RUN: %mlir-opt-berth %s --split-input-file --pass-pipeline='builtin.module(berth-arena{chip=gfx90a},gpu.module(expand-strided-metadata,convert-gpu-to-rocdl,canonicalize,reconcile-unrealized-casts))' | FileCheck %s --check-prefix=NVVM
// Elsewhere they are left alone, and told of.
// RUN: %mlir-opt-berth %s --split-input-file --remarks-filter='berth.*' --pass-pipeline='builtin.module(berth-arena)' 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: 1 buffer in memory that threads may share was not looked at: that is another memory space
// UNKNOWN: memref.alloc() {{.*}}: memref<64xf32, 3>

#workgroup = #gpu.address_space<workgroup>

// CHECK: gpu.func @both
// CHECK-SAME: workgroup(%[[ARENA:.*]] : memref<256xi8, #gpu.address_space<workgroup>>
// CHECK: memref.view %[[ARENA]][%c0][] {berth.buffer = 0
// CHECK: %[[B:.*]] = memref.view %[[ARENA]][%c0{{.*}}][] {berth.buffer = 1
// CHECK: memref.memory_space_cast %[[B]] : memref<64xf32, #gpu.address_space<workgroup>> to memref<64xf32, 3>
// NVVM-COUNT-1: llvm.mlir.global internal @{{.*}}addr_space = 3
// NVVM-NOT: memory_space_cast
// NVVM-NOT: addrspacecast
gpu.module @kernels {
  gpu.func @both(%x: f32, %out: memref<64xf32>) kernel {
    %t = gpu.thread_id x
    %a = memref.alloc() : memref<64xf32, #workgroup>
    %b = memref.alloc() {alignment = 16} : memref<64xf32, 3>
    memref.store %x, %a[%t] : memref<64xf32, #workgroup>
    gpu.barrier
    %v = memref.load %a[%t] : memref<64xf32, #workgroup>
    gpu.barrier
    memref.store %v, %b[%t] : memref<64xf32, 3>
    gpu.barrier
    %w = memref.load %b[%t] : memref<64xf32, 3>
    memref.store %w, %out[%t] : memref<64xf32>
    gpu.return
  }
}

// -----

// What is not placed is in its own space again.
// CHECK: gpu.func @stored
// CHECK: %[[A:.*]] = memref.alloc() {alignment = 32 : i64} : memref<8xf32, 3>
// CHECK-NEXT: memref.store %[[A]],
// NVVM: llvm.func @stored
// UNKNOWN: gpu.func @stored
gpu.module @kernels {
  gpu.func @stored(%table: memref<1xmemref<8xf32, 3>>) kernel {
    %c0 = arith.constant 0 : index
    %a = memref.alloc() {alignment = 32} : memref<8xf32, 3>
    memref.store %a, %table[%c0] : memref<1xmemref<8xf32, 3>>
    gpu.return
  }
}
