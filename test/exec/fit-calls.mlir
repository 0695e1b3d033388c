// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What lies in the memory behind is given to functions that are made for it: a private
// one of which no other call is left has changed its types, else there is a copy.
// RUN: %same-output --forget-space=77 --pipeline='berth-fit{space=default backing=77 capacity=128 access=1}' --pipeline='berth-fit{space=default backing=77 capacity=128 access=1},berth-verify,berth-arena{poison=true},berth-arena{space=77 poison=true},berth-verify' --pipeline='berth-fit{space=default backing=77 capacity=160 access=3},berth-arena{poison=true},berth-arena{space=77 poison=true}' --pipeline='berth-fit{space=default backing=77 capacity=128 access=1 transfers=copy},berth-fit{space=77 backing=78 capacity=128 access=1 must-fit=false},berth-arena{poison=true}' %S/Inputs/prelude.mlir %s
// RUN: cat %S/Inputs/prelude.mlir %s > %t.mlir
// RUN: %mlir-opt-berth %t.mlir --pass-pipeline='builtin.module(berth-fit{space=default backing=77 capacity=128 access=1})' | FileCheck %s

// Both calls of it leave with other types; of @twice, that is public, there is a copy.
// CHECK-NOT: @sum(
// CHECK: func.func @twice(%{{.*}}: memref<32xi32>)
func.func private @sum(%a: memref<32xi32>, %b: memref<32xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %v = memref.subview %a[16] [16] [1] : memref<32xi32> to memref<16xi32, strided<[1], offset: 16>>
  scf.for %i = %c0 to %c16 step %c1 {
    %x = memref.load %v[%i] : memref<16xi32, strided<[1], offset: 16>>
    %y = memref.load %b[%i] : memref<32xi32>
    %z = arith.addi %x, %y : i32
    memref.store %z, %b[%i] : memref<32xi32>
  }
  func.call @twice(%a) : (memref<32xi32>) -> ()
  return
}

func.func @twice(%m: memref<32xi32>) {
  linalg.add ins(%m, %m : memref<32xi32>, memref<32xi32>) outs(%m : memref<32xi32>)
  return
}

// Two of 128 bytes in 128.
// CHECK-LABEL: func.func @both
// CHECK: call @sum_elsewhere(%{{.*}}, %{{.*}}) : (memref<32xi32>, memref<32xi32, 77>)
func.func @both(%x: memref<32xi32, 77>, %y: memref<32xi32, 77>) {
  %a = memref.alloc() : memref<32xi32>
  %b = memref.alloc() : memref<32xi32>
  linalg.add ins(%x, %x : memref<32xi32, 77>, memref<32xi32, 77>) outs(%a : memref<32xi32>)
  linalg.mul ins(%x, %x : memref<32xi32, 77>, memref<32xi32, 77>) outs(%b : memref<32xi32>)
  func.call @sum(%a, %b) : (memref<32xi32>, memref<32xi32>) -> ()
  func.call @twice(%b) : (memref<32xi32>) -> ()
  linalg.add ins(%a, %b : memref<32xi32>, memref<32xi32>) outs(%y : memref<32xi32, 77>)
  return
}

// What a loop carries is given to a function in it: all of the family go.
// CHECK-LABEL: func.func @carried
// CHECK: scf.for {{.*}} -> (memref<32xi32, 77>, memref<32xi32, 77>)
// CHECK: call @sum_elsewhere_0(%{{.*}}, %{{.*}}) : (memref<32xi32, 77>, memref<32xi32, 77>)
func.func @carried(%n: index, %y: memref<32xi32, 77>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %a = memref.alloc() : memref<32xi32>
  %b = memref.alloc() : memref<32xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<32xi32>)
  linalg.fill ins(%two : i32) outs(%b : memref<32xi32>)
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b) -> (memref<32xi32>, memref<32xi32>) {
    func.call @sum(%p, %q) : (memref<32xi32>, memref<32xi32>) -> ()
    scf.yield %q, %p : memref<32xi32>, memref<32xi32>
  }
  linalg.sub ins(%r#0, %r#1 : memref<32xi32>, memref<32xi32>) outs(%y : memref<32xi32, 77>)
  return
}

// CHECK: func.func private @sum_elsewhere(%{{.*}}: memref<32xi32>, %{{.*}}: memref<32xi32, 77>)
// CHECK: call @twice(
// CHECK: func.func private @sum_elsewhere_0(%{{.*}}: memref<32xi32, 77>, %{{.*}}: memref<32xi32, 77>)
// CHECK: call @twice_elsewhere(
// CHECK: func.func private @twice_elsewhere(%{{.*}}: memref<32xi32, 77>)

func.func private @print(%m: memref<32xi32, 77>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %o = memref.alloc() : memref<8xi32>
  scf.for %i = %c0 to %c32 step %c8 {
    %v = memref.subview %m[%i] [8] [1] : memref<32xi32, 77> to memref<8xi32, strided<[1], offset: ?>, 77>
    memref.copy %v, %o : memref<8xi32, strided<[1], offset: ?>, 77> to memref<8xi32>
    func.call @show(%o) : (memref<8xi32>) -> ()
  }
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c32 = arith.constant 32 : index
  %x = memref.alloc() : memref<32xi32, 77>
  %y = memref.alloc() : memref<32xi32, 77>
  scf.for %i = %c0 to %c32 step %c1 {
    %k = arith.index_cast %i : index to i32
    memref.store %k, %x[%i] : memref<32xi32, 77>
  }
  call @both(%x, %y) : (memref<32xi32, 77>, memref<32xi32, 77>) -> ()
  call @print(%y) : (memref<32xi32, 77>) -> ()
  call @carried(%c3, %y) : (index, memref<32xi32, 77>) -> ()
  call @print(%y) : (memref<32xi32, 77>) -> ()
  call @carried(%c0, %y) : (index, memref<32xi32, 77>) -> ()
  call @print(%y) : (memref<32xi32, 77>) -> ()
  return
}
