// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each form of the arena, and what each refuses.
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{arena=alloc})' %s | FileCheck %s --check-prefix=ALLOC
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{arena=alloca})' %s | FileCheck %s --check-prefix=ALLOCA
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{arena=annotate})' %s | FileCheck %s --check-prefix=ANNOTATE
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{arena=global})' %s | FileCheck %s --check-prefix=MODULE
// RUN: not %mlir-opt-berth --pass-pipeline='builtin.module(func.func(berth-arena{arena=global}))' %s 2>&1 | FileCheck %s --check-prefix=GLOBAL
// RUN: not %mlir-opt-berth --pass-pipeline='builtin.module(func.func(berth-arena{arena=argument}))' %s 2>&1 | FileCheck %s --check-prefix=ARGUMENT
// RUN: not %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{arena=attribution})' %s 2>&1 | FileCheck %s --check-prefix=ATTRIBUTION
// RUN: not %mlir-opt-berth --pass-pipeline='builtin.module(func.func(berth-arena{capacity=8}))' %s 2>&1 | FileCheck %s --check-prefix=CAPACITY

// ALLOC: memref.alloc() {{.*}} : memref<64xi8>
// ALLOC: memref.view
// ALLOC: memref.dealloc {{.*}} : memref<64xi8>
// ALLOC-NEXT: return
// ALLOCA: memref.alloca() {{.*}} : memref<64xi8>
// ALLOCA: memref.view
// ALLOCA-NOT: dealloc
// ANNOTATE: berth.arena_size = 64
// ANNOTATE: memref.alloc() {{.*}}berth.offset = 0{{.*}} : memref<16xf32>
// The name that it would have is taken.
// MODULE: memref.global "private" @berth_arena_f_0 : memref<64xi8> = uninitialized {alignment = 4 : i64}
// MODULE: %[[ARENA:.*]] = memref.get_global @berth_arena_f_0 : memref<64xi8>
// MODULE: memref.view %[[ARENA]]
// MODULE-NOT: dealloc
// MODULE: return
// GLOBAL: error: arena=global adds to the module: run the pass on the module
// ARGUMENT: error: arena=argument changes the callers: run the pass on the module
// ATTRIBUTION: error: attributions are for workgroup memory of a gpu.func
// CAPACITY: error: the buffers do not fit: they need 64 bytes{{.*}}the capacity is 8 bytes
func.func @f(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16xf32>
  memref.store %x, %a[%c0] : memref<16xf32>
  %v = memref.load %a[%c0] : memref<16xf32>
  memref.dealloc %a : memref<16xf32>
  return %v : f32
}

memref.global "private" @berth_arena_f : memref<64xi8> = uninitialized
