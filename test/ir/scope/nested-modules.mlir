// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of one name in modules in one another: each has its own arena, and
// a global one stands in the nearest module.
// RUN: %mlir-opt-berth %s --pass-pipeline='builtin.module(berth-arena)' | FileCheck %s --check-prefix=ALLOC
// RUN: %mlir-opt-berth %s --pass-pipeline='builtin.module(berth-arena{arena=global})' | FileCheck %s --check-prefix=GLOBAL
// RUN: %mlir-opt-berth %s --pass-pipeline='builtin.module(builtin.module(berth-arena{arena=argument}))' | FileCheck %s --check-prefix=INNER

// ALLOC:      memref.alloc() {{.*}} : memref<32xi8>
// ALLOC:      module @inner
// ALLOC:      memref.alloc() {{.*}} : memref<16xi8>
// ALLOC-NOT:  memref.alloc()

// GLOBAL:      memref.global "private" @berth_arena_f : memref<32xi8>
// GLOBAL:      memref.get_global @berth_arena_f : memref<32xi8>
// GLOBAL:      module @inner
// GLOBAL-NEXT: memref.global "private" @berth_arena_f : memref<16xi8>
// GLOBAL:      memref.get_global @berth_arena_f : memref<16xi8>

// A pass on the inner module changes its functions and their callers only.
// INNER:      func.func @f(%{{.*}}: memref<8xf32>) {
// INNER:      memref.alloc() : memref<8xf32>
// INNER:      module @inner
// INNER:      func.func @f(%{{.*}}: memref<4xf32>, %{{.*}}: memref<16xi8> {llvm.align = 4 : i64})
// INNER:      func.func @g
// INNER:      %[[ARENA:.*]] = memref.alloc() {{.*}} : memref<16xi8>
// INNER:      call @f(%{{.*}}, %[[ARENA]])
func.func @f(%x: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  memref.copy %a, %x : memref<8xf32> to memref<8xf32>
  return
}

module @inner {
  func.func @f(%x: memref<4xf32>) {
    %a = memref.alloc() : memref<4xf32>
    memref.copy %x, %a : memref<4xf32> to memref<4xf32>
    memref.copy %a, %x : memref<4xf32> to memref<4xf32>
    return
  }
  func.func @g(%x: memref<4xf32>) {
    call @f(%x) : (memref<4xf32>) -> ()
    return
  }
}
