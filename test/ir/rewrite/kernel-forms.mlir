// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The forms of a kernel's arena, down to PTX (dynamic-shared.mlir has what they refuse).

// RUN: %mlir-opt-berth %s --pass-pipeline='builtin.module(berth-arena{arena=attribution space=workgroup})' -o %t.attribution.mlir
// RUN: FileCheck %s --check-prefix=ATTRIBUTION < %t.attribution.mlir
// RUN: %mlir-opt-berth %s --pass-pipeline='builtin.module(gpu.module(gpu.func(berth-arena)))' | FileCheck %s --check-prefix=ATTRIBUTION
// RUN: %mlir-opt-berth %s --pass-pipeline='builtin.module(berth-arena{arena=dynamic space=workgroup})' -o %t.dynamic.mlir
// RUN: FileCheck %s --check-prefix=DYNAMIC < %t.dynamic.mlir
// RUN: %mlir-opt-berth %s --pass-pipeline='builtin.module(berth-arena{arena=global space=workgroup})' -o %t.global.mlir
// RUN: FileCheck %s --check-prefix=GLOBAL < %t.global.mlir
// RUN: %mlir-opt-berth %s --pass-pipeline='builtin.module(berth-arena{arena=annotate space=workgroup})' | FileCheck %s --check-prefix=ANNOTATE

// DEFINE: %{ptx} = mlir-opt --pass-pipeline='builtin.module(gpu.module(expand-strided-metadata,convert-gpu-to-nvvm),nvvm-attach-target{chip=sm_90},gpu-to-llvm,reconcile-unrealized-casts,gpu-module-to-binary{format=isa})'
// RUN: %{ptx} %t.attribution.mlir | FileCheck %s --check-prefix=ATTRIBUTION-PTX
// RUN: %{ptx} %t.dynamic.mlir | FileCheck %s --check-prefix=DYNAMIC-PTX
// RUN: %{ptx} %t.global.mlir | FileCheck %s --check-prefix=GLOBAL-PTX

// ATTRIBUTION-PTX: .shared .align 16 .b8 {{[^;[]*}}[256];
// ATTRIBUTION-PTX-NOT: malloc
// ATTRIBUTION-PTX: llvm.func @main
// DYNAMIC-PTX: .shared .align 16 .b8 __dynamic_shmem__0;
// DYNAMIC-PTX-NOT: malloc
// DYNAMIC-PTX: llvm.func @main
// DYNAMIC-PTX: gpu.launch_func {{.*}} dynamic_shared_memory_size
// GLOBAL-PTX: .shared .align 16 .b8 berth_arena_k[256];
// GLOBAL-PTX-NOT: malloc
// GLOBAL-PTX: llvm.func @main

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // ATTRIBUTION: gpu.func @k
    // ATTRIBUTION-SAME: workgroup(%[[ARENA:.*]] : memref<256xi8, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}) kernel
    // ATTRIBUTION-COUNT-2: memref.view %[[ARENA]][%c0{{.*}}][]
    // ATTRIBUTION-NOT: memref.alloc
    // ATTRIBUTION: gpu.return
    // GLOBAL: memref.global "private" @berth_arena_k : memref<256xi8, #gpu.address_space<workgroup>> = uninitialized {alignment = 16 : i64}
    // GLOBAL: gpu.func @k
    // GLOBAL: %[[ARENA:.*]] = memref.get_global @berth_arena_k
    // GLOBAL-COUNT-2: memref.view %[[ARENA]][%c0{{.*}}][]
    // DYNAMIC: gpu.func @k
    // DYNAMIC: %[[ARENA:.*]] = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    // DYNAMIC-COUNT-2: memref.view %[[ARENA]][%c0{{.*}}][]
    // DYNAMIC-NOT: memref.alloc
    // DYNAMIC: gpu.return
    // ANNOTATE: gpu.func @k
    // ANNOTATE-SAME: berth.arena_size = 256
    // ANNOTATE-COUNT-2: memref.alloc() {berth.offset = 0 : i64, berth.size = 256 : i64}
    gpu.func @k(%x: memref<64xf32>, %y: memref<64xf32>) kernel {
      %t = gpu.thread_id x
      %a = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
      %b = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
      %v = memref.load %x[%t] : memref<64xf32>
      memref.store %v, %a[%t] : memref<64xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %w = memref.load %a[%t] : memref<64xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      memref.store %w, %b[%t] : memref<64xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %u = memref.load %b[%t] : memref<64xf32, #gpu.address_space<workgroup>>
      memref.store %u, %y[%t] : memref<64xf32>
      gpu.return
    }

    // Another kernel: its arena begins at 0 of its own launch's bytes, and does
    // not raise those of @k.
    // DYNAMIC: gpu.func @small
    // DYNAMIC: gpu.dynamic_shared_memory
    gpu.func @small(%y: memref<64xf32>, %f: f32) kernel {
      %c0 = arith.constant 0 : index
      %a = memref.alloc() : memref<4xf32, #gpu.address_space<workgroup>>
      memref.store %f, %a[%c0] : memref<4xf32, #gpu.address_space<workgroup>>
      %u = memref.load %a[%c0] : memref<4xf32, #gpu.address_space<workgroup>>
      memref.store %u, %y[%c0] : memref<64xf32>
      gpu.return
    }
  }

  // The default space of the host is not the arena's business.
  // DYNAMIC-LABEL: func.func @main
  // DYNAMIC: memref.alloc() : memref<64xf32>
  // DYNAMIC: gpu.launch_func @kernels::@k
  // DYNAMIC-SAME: dynamic_shared_memory_size %c256_i32
  // DYNAMIC: %[[MOST:.*]] = arith.maxui %{{.*}}, %c256_i32
  // DYNAMIC: gpu.launch_func async [%{{.*}}] @kernels::@k
  // DYNAMIC-SAME: dynamic_shared_memory_size %[[MOST]] args(
  // DYNAMIC: gpu.launch_func @kernels::@small
  // DYNAMIC-SAME: dynamic_shared_memory_size %c16_i32
  func.func @main(%x: memref<64xf32>, %f: f32, %bytes: i32) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %y = memref.alloc() : memref<64xf32>
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%x : memref<64xf32>, %y : memref<64xf32>)
    %start = gpu.wait async
    %token = gpu.launch_func async [%start] @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) dynamic_shared_memory_size %bytes args(%y : memref<64xf32>, %x : memref<64xf32>)
    gpu.wait [%token]
    gpu.launch_func @kernels::@small blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%y : memref<64xf32>, %f : f32)
    return
  }
}
