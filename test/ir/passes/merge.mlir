// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(func.func(berth-merge))' %s | FileCheck %s
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(func.func(berth-merge{may-merge=same-type}))' %s | FileCheck %s --check-prefix=TYPE
// RUN: not %mlir-opt-berth --pass-pipeline='builtin.module(func.func(berth-merge{may-merge=foo}))' %s 2>&1 | FileCheck %s --check-prefix=BAD
// BAD: error: berth-merge: may-merge 'foo' is none of same-type, same-size, any

// The first and the last are never live together; no view is needed.
// CHECK-LABEL: @chain
// CHECK-COUNT-2: memref.alloc()
// CHECK-NOT: memref.alloc()
// CHECK-LABEL: @types
func.func @chain(%x: memref<1024xf32>, %y: memref<1024xf32>) {
  %a = memref.alloc() : memref<1024xf32>
  %b = memref.alloc() : memref<1024xf32>
  %c = memref.alloc() : memref<1024xf32>
  linalg.exp ins(%x : memref<1024xf32>) outs(%a : memref<1024xf32>)
  linalg.sqrt ins(%a : memref<1024xf32>) outs(%b : memref<1024xf32>)
  linalg.tanh ins(%b : memref<1024xf32>) outs(%c : memref<1024xf32>)
  memref.copy %c, %y : memref<1024xf32> to memref<1024xf32>
  return
}

// Two types become views of the larger one's bytes, freed once.
// CHECK: %[[BLOCK:.*]] = memref.alloc() {{.*}} : memref<256xi8>
// CHECK: memref.view %[[BLOCK]]{{.*}} to memref<16xf32>
// CHECK: memref.view %[[BLOCK]]{{.*}} to memref<32xf64>
// CHECK: memref.dealloc %[[BLOCK]]
// CHECK-NOT: memref.dealloc
// CHECK: return
// TYPE-LABEL: @types
// TYPE: memref.alloc() : memref<16xf32>
// TYPE: memref.alloc() : memref<32xf64>
func.func @types(%x: memref<16xf32>, %y: memref<32xf64>) {
  %a = memref.alloc() : memref<16xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  memref.copy %a, %x : memref<16xf32> to memref<16xf32>
  memref.dealloc %a : memref<16xf32>
  %b = memref.alloc() : memref<32xf64>
  memref.copy %y, %b : memref<32xf64> to memref<32xf64>
  memref.copy %b, %y : memref<32xf64> to memref<32xf64>
  memref.dealloc %b : memref<32xf64>
  return
}

// A layout with a symbol: the operand that gives it may come too late.
// CHECK-LABEL: @symbols
// CHECK-COUNT-2: memref.alloc()[%{{.*}}] : memref<f32, #{{.*}}>
// CHECK: memref.dealloc
func.func @symbols(%x: index) {
  %s = arith.addi %x, %x : index
  %a = memref.alloc()[%s] : memref<f32, affine_map<()[s] -> (123)>>
  memref.dealloc %a : memref<f32, affine_map<()[s] -> (123)>>
  %b = memref.alloc()[%s] : memref<f32, affine_map<()[s] -> (123)>>
  memref.dealloc %b : memref<f32, affine_map<()[s] -> (123)>>
  return
}

// The op in front of which the run-time block is allocated is merged itself.
// CHECK-LABEL: @first_op_goes
// CHECK: memref.alloc(%{{.*}}) {{.*}} : memref<?xi8>
func.func @first_op_goes(%n: index) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %c = memref.alloc(%n) : memref<?xf32>
  %d = memref.alloc(%n) : memref<?xf32>
  return
}

// A value is one of two buffers: they are one.
// CHECK-LABEL: @one_of_two
// CHECK-COUNT-1: memref.alloc()
// CHECK-NOT: memref.alloc()
// CHECK: return
func.func @one_of_two(%p: i1, %x: f32, %y: memref<16xf32>) {
  %r = scf.if %p -> memref<16xf32> {
    %a = memref.alloc() : memref<16xf32>
    linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
    scf.yield %a : memref<16xf32>
  } else {
    %b = memref.alloc() : memref<16xf32>
    memref.copy %y, %b : memref<16xf32> to memref<16xf32>
    scf.yield %b : memref<16xf32>
  }
  memref.copy %r, %y : memref<16xf32> to memref<16xf32>
  return
}

// What a constraint binds stays as it is.
// CHECK-LABEL: @bound
// CHECK: memref.alloc() {berth.no_reuse}
// CHECK: memref.alloc() {berth.no_reuse = false}
func.func @bound(%one: i32) {
  %a = memref.alloc() {berth.no_reuse} : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  memref.copy %a, %a : memref<8xi32> to memref<8xi32>
  %b = memref.alloc() {berth.no_reuse = false} : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%b : memref<8xi32>)
  memref.copy %b, %b : memref<8xi32> to memref<8xi32>
  return
}
