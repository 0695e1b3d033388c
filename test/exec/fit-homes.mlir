// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What loops carry, branches return and selects choose lies in the memory behind for
// all of its life, with all values that may be it, where nothing else will do.
// RUN: %same-output --forget-space=77 --pipeline='berth-fit{space=default backing=77 capacity=32 access=1},berth-arena{capacity=32 poison=true},berth-arena{space=77 poison=true}' %S/Inputs/prelude.mlir %s
// RUN: cat %S/Inputs/prelude.mlir %s > %t.mlir
// RUN: %mlir-opt-berth %t.mlir --remarks-filter='berth-fit' --pass-pipeline='builtin.module(berth-fit{space=default backing=77 capacity=32 access=1})' 2> %t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=TELLS < %t.remarks
// Without a price of access it is an error.
// RUN: not %mlir-opt-berth %t.mlir --pass-pipeline='builtin.module(berth-fit{space=default backing=77 capacity=32})' 2>&1 | FileCheck %s --check-prefix=STAYS
// STAYS: error: what this op uses has to be in default
// STAYS: note: {{.*}}(stays: an op does something else with it than to read or write it (scf.for

func.func private @print(%v: i32) {
  vector.print %v : i32
  return
}

// Two buffers that a loop swaps, and what it ends with.
// TELLS: remark: {{.*}}64 bytes, of 2 buffers that control flow hands on: in the slow memory
// CHECK-LABEL: func.func @carried
// CHECK: scf.for {{.*}} -> (memref<8xi32, 77>, memref<8xi32, 77>)
func.func @carried(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  linalg.fill ins(%two : i32) outs(%b : memref<8xi32>)
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (memref<8xi32>, memref<8xi32>) {
    linalg.add ins(%x, %y : memref<8xi32>, memref<8xi32>) outs(%x : memref<8xi32>)
    scf.yield %y, %x : memref<8xi32>, memref<8xi32>
  }
  %part = memref.subview %r#0[2] [4] [1] : memref<8xi32> to memref<4xi32, strided<[1], offset: 2>>
  %v = memref.load %part[%c3] : memref<4xi32, strided<[1], offset: 2>>
  %w = memref.load %r#1[%c3] : memref<8xi32>
  func.call @print(%v) : (i32) -> ()
  func.call @print(%w) : (i32) -> ()
  return
}

// One of two, and one that a branch makes.
// TELLS: remark: {{.*}}96 bytes, of 3 buffers that control flow hands on: in the slow memory
// CHECK-LABEL: func.func @chosen
// CHECK: arith.select {{.*}} : memref<8xi32, 77>
// CHECK: scf.if {{.*}} -> (memref<8xi32, 77>)
func.func @chosen(%p: i1) {
  %c3 = arith.constant 3 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  linalg.fill ins(%two : i32) outs(%b : memref<8xi32>)
  %s = arith.select %p, %a, %b : memref<8xi32>
  %q = arith.xori %p, %p : i1
  %t = scf.if %q -> (memref<8xi32>) {
    scf.yield %s : memref<8xi32>
  } else {
    %c = memref.alloc() : memref<8xi32>
    linalg.add ins(%a, %s : memref<8xi32>, memref<8xi32>) outs(%c : memref<8xi32>)
    scf.yield %c : memref<8xi32>
  }
  linalg.add ins(%t, %b : memref<8xi32>, memref<8xi32>) outs(%b : memref<8xi32>)
  %v = memref.load %s[%c3] : memref<8xi32>
  %w = memref.load %b[%c3] : memref<8xi32>
  func.call @print(%v) : (i32) -> ()
  func.call @print(%w) : (i32) -> ()
  return
}

// Two that blocks are passed, which exchange them while a number counts.
// TELLS: remark: {{.*}}64 bytes, of 2 buffers that control flow hands on: in the slow memory
// CHECK-LABEL: func.func @blocks
// CHECK: ^bb1(%{{.*}}: memref<8xi32, 77>, %{{.*}}: memref<8xi32, 77>, %{{.*}}: i32)
func.func @blocks(%n: i32) {
  %c3 = arith.constant 3 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  linalg.fill ins(%two : i32) outs(%b : memref<8xi32>)
  cf.br ^turn(%a, %b, %one : memref<8xi32>, memref<8xi32>, i32)
^turn(%x: memref<8xi32>, %y: memref<8xi32>, %k: i32):
  linalg.add ins(%x, %y : memref<8xi32>, memref<8xi32>) outs(%x : memref<8xi32>)
  %next = arith.addi %k, %one : i32
  %more = arith.cmpi slt, %next, %n : i32
  cf.cond_br %more, ^turn(%y, %x, %next : memref<8xi32>, memref<8xi32>, i32), ^end(%y : memref<8xi32>)
^end(%z: memref<8xi32>):
  %v = memref.load %z[%c3] : memref<8xi32>
  %w = memref.load %a[%c3] : memref<8xi32>
  func.call @print(%v) : (i32) -> ()
  func.call @print(%w) : (i32) -> ()
  return
}

func.func @main() {
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %true = arith.constant true
  %false = arith.constant false
  func.call @carried(%c2) : (index) -> ()
  func.call @carried(%c5) : (index) -> ()
  func.call @chosen(%true) : (i1) -> ()
  func.call @chosen(%false) : (i1) -> ()
  %three = arith.constant 3 : i32
  %six = arith.constant 6 : i32
  func.call @blocks(%three) : (i32) -> ()
  func.call @blocks(%six) : (i32) -> ()
  return
}
