// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel with a heap lowers to PTX and for ROCDL, with the tools of LLVM
// alone. The arena is one shared array of the size asked for.
// RUN: mlir-opt %s --load-pass-plugin=%berth_plugin --pass-pipeline='builtin.module(berth-heap{size=8192},gpu.module(inline,symbol-dce),convert-scf-to-cf,gpu.module(convert-gpu-to-nvvm,reconcile-unrealized-casts),nvvm-attach-target{chip=sm_90},gpu-module-to-binary{format=isa})' | FileCheck %s --check-prefix=PTX
// RUN: mlir-opt %s --load-pass-plugin=%berth_plugin --pass-pipeline='builtin.module(berth-heap{size=8192 checked=true},gpu.module(inline,symbol-dce),convert-scf-to-cf,gpu.module(convert-gpu-to-rocdl,reconcile-unrealized-casts))' | FileCheck %s --check-prefix=ROCDL

// PTX-DAG: .visible .global .align 4 .b8 berth_heap_status[4]
// PTX-DAG: .visible .entry reverse
// PTX-DAG: .shared .align 64 .b8 berth_heap_arena[8192]
// PTX-NOT: malloc

// ROCDL-NOT: malloc
// ROCDL-DAG: llvm.mlir.global private @berth_heap_arena() {addr_space = 3 : i32, alignment = 64 : i64{{.*}}} : !llvm.array<8192 x i8>
// ROCDL-DAG: llvm.func @reverse
// ROCDL-DAG: rocdl.barrier

gpu.module @kernels {
  gpu.func @reverse(%in: memref<?xf32>, %out: memref<?xf32>, %n: index) kernel {
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    %last = arith.subi %n, %c1 : index
    %row = memref.alloc(%n) : memref<?xf32, #gpu.address_space<workgroup>>
    %v = memref.load %in[%t] : memref<?xf32>
    memref.store %v, %row[%t] : memref<?xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %mirrored = arith.subi %last, %t : index
    %w = memref.load %row[%mirrored] : memref<?xf32, #gpu.address_space<workgroup>>
    memref.store %w, %out[%t] : memref<?xf32>
    memref.dealloc %row : memref<?xf32, #gpu.address_space<workgroup>>
    gpu.return
  }
}
