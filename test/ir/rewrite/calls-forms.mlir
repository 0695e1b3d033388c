// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The forms of a kernel's arena with a callee's in it, on the module and on the
// gpu.module; functions that are called from launches; a capacity.
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(gpu.module(berth-arena))' %s | FileCheck %s --check-prefix=AUTO
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(gpu.module(berth-arena{arena=attribution}))' %s | FileCheck %s --check-prefix=AUTO
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{arena=dynamic})' %s | FileCheck %s --check-prefix=DYNAMIC
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{arena=global space=workgroup})' %s | FileCheck %s --check-prefix=GLOBAL
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{arena=annotate})' %s | FileCheck %s --check-prefix=ANNOTATE
// RUN: not %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{capacity=511})' %s 2>&1 | FileCheck %s --check-prefix=CAPACITY
// RUN: mlir-opt --gpu-kernel-outlining %S/Inputs/launch-calls.mlir | %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena)' | FileCheck %s --check-prefix=OUTLINED
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{space=workgroup})' %S/Inputs/launch-calls.mlir | FileCheck %s --check-prefix=LAUNCH

// AUTO: func.func @f(%{{.*}}: f32, %{{.*}}: memref<256xi8, #gpu.address_space<workgroup>> {llvm.align = 16 : i64})
// AUTO: gpu.func @kernel({{.*}} workgroup(%{{.*}} : memref<512xi8,
// DYNAMIC: gpu.launch_func {{.*}} dynamic_shared_memory_size %c512_i32
// DYNAMIC: func.func @f(%{{.*}}: f32, %{{.*}}: memref<256xi8,
// DYNAMIC: gpu.dynamic_shared_memory : memref<?xi8,
// Asked for globals, each has its own.
// GLOBAL-DAG: memref.global "private" @berth_arena_f : memref<256xi8,
// GLOBAL-DAG: memref.global "private" @berth_arena_kernel : memref<256xi8,
// ANNOTATE: func.func @f(%{{[^,]*}}: f32) -> f32 attributes {berth.arena_size = 256
// ANNOTATE: gpu.func @kernel({{.*}}berth.arena_size = 256
// CAPACITY: error: the buffers do not fit: they need 512 bytes
// CAPACITY: note: 512 bytes are live here; the largest of them: {{.*}}@f (line {{[0-9]+}}, buffer 1) with 256 bytes
// OUTLINED: gpu.module
// OUTLINED: gpu.func {{.*}} workgroup(%{{.*}} : memref<256xi8,
// OUTLINED: call @turn(%{{.*}}, %{{.*}}, %{{.*}}) : (f32, index, memref<256xi8,
// LAUNCH: memref.global "private" @berth_arena_host : memref<256xi8,
// LAUNCH: func.func private @turn(%{{.*}}: f32, %{{.*}}: index, %{{.*}}: memref<256xi8,
// LAUNCH: gpu.launch
// LAUNCH: memref.get_global @berth_arena_host
// LAUNCH: call @turn(%{{.*}}, %{{.*}}, %{{.*}}) : (f32, index, memref<256xi8,

!shared = memref<64xf32, #gpu.address_space<workgroup>>

module attributes {gpu.container_module} {
  func.func @host(%v: f32, %out: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@kernel blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%v : f32, %out : memref<64xf32>)
    return
  }
  gpu.module @kernels {
    func.func @f(%v: f32) -> f32 {
      %tid = gpu.thread_id x
      %y = memref.alloc() : !shared
      memref.store %v, %y[%tid] : !shared
      gpu.barrier
      %a = memref.load %y[%tid] : !shared
      gpu.barrier
      return %a : f32
    }
    gpu.func @kernel(%v: f32, %out: memref<64xf32>) kernel {
      %tid = gpu.thread_id x
      %w = memref.alloc() : !shared
      memref.store %v, %w[%tid] : !shared
      gpu.barrier
      %b = func.call @f(%v) : (f32) -> f32
      %e = memref.load %w[%tid] : !shared
      memref.store %e, %out[%tid] : memref<64xf32>
      gpu.return
    }
  }
}
