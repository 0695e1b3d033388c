// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of a buffer with lives of their own. In each function %a has 32 bytes and
// %b 16, which lie within %a's (32 in all) where some half of it is dead, and behind
// them (48) where that is not so.
// REQUIRES: mlir
// RUN: %same-output %S/Inputs/prelude.mlir %s | FileCheck %s
// RUN: %same-output --pipeline='berth-arena{arena=alloca}' \
// RUN:   --pipeline='berth-arena{split-arenas=true poison=true}' \
// RUN:   --pipeline='berth-arena{byte-ranges=false poison=true}' %S/Inputs/prelude.mlir %s

func.func private @print_low(%m: memref<4xi32, strided<[1]>>) {
  %c0 = arith.constant 0 : index
  %v = vector.load %m[%c0] : memref<4xi32, strided<[1]>>, vector<4xi32>
  vector.print %v : vector<4xi32>
  return
}

// Reads what stands behind its argument.
func.func private @print_behind(%m: memref<4xi32, strided<[1]>>) {
  %c0 = arith.constant 0 : index
  %n = memref.reinterpret_cast %m to offset: [4], sizes: [4], strides: [1]
      : memref<4xi32, strided<[1]>> to memref<4xi32, strided<[1], offset: 4>>
  %v = vector.load %n[%c0] : memref<4xi32, strided<[1], offset: 4>>, vector<4xi32>
  vector.print %v : vector<4xi32>
  return
}

// CHECK: first_half_dies: 32
func.func @first_half_dies() {
  %c0 = arith.constant 0 : index
  %ten = arith.constant 10 : i32
  %two = arith.constant 2 : i32
  %a = memref.alloc() : memref<8xi32>
  %lo = memref.subview %a[0] [4] [1] : memref<8xi32> to memref<4xi32, strided<[1]>>
  %hi = memref.subview %a[4] [4] [1] : memref<8xi32> to memref<4xi32, strided<[1], offset: 4>>
  call @count(%a, %ten) : (memref<8xi32>, i32) -> ()
  %v = vector.load %lo[%c0] : memref<4xi32, strided<[1]>>, vector<4xi32>
  vector.print %v : vector<4xi32>
  %b = memref.alloc() : memref<4xi32>
  linalg.fill ins(%two : i32) outs(%b : memref<4xi32>)
  call @show4(%b) : (memref<4xi32>) -> ()
  %w = vector.load %hi[%c0] : memref<4xi32, strided<[1], offset: 4>>, vector<4xi32>
  vector.print %w : vector<4xi32>
  call @show4(%b) : (memref<4xi32>) -> ()
  return
}

// The second half is made late, as in a concatenation.
// CHECK: second_half_comes: 32
func.func @second_half_comes() {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %a = memref.alloc() : memref<8xi32>
  %lo = memref.subview %a[0] [4] [1] : memref<8xi32> to memref<4xi32, strided<[1]>>
  %hi = memref.subview %a[4] [4] [1] : memref<8xi32> to memref<4xi32, strided<[1], offset: 4>>
  linalg.fill ins(%one : i32) outs(%lo : memref<4xi32, strided<[1]>>)
  %b = memref.alloc() : memref<4xi32>
  linalg.fill ins(%two : i32) outs(%b : memref<4xi32>)
  call @show4(%b) : (memref<4xi32>) -> ()
  linalg.fill ins(%two : i32) outs(%hi : memref<4xi32, strided<[1], offset: 4>>)
  call @show(%a) : (memref<8xi32>) -> ()
  return
}

// Rows of a matrix, by a view that drops a dimension, and a view of a view.
// CHECK: rows: 32
func.func @rows() {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %a = memref.alloc() : memref<2x2x2xi32>
  %row = memref.subview %a[0, 0, 0] [1, 2, 2] [1, 1, 1] : memref<2x2x2xi32> to memref<2x2xi32, strided<[2, 1]>>
  %next = memref.subview %a[1, 0, 0] [1, 2, 2] [1, 1, 1] : memref<2x2x2xi32> to memref<1x2x2xi32, strided<[4, 2, 1], offset: 4>>
  %pair = memref.subview %next[0, 1, 0] [1, 1, 2] [1, 1, 1] : memref<1x2x2xi32, strided<[4, 2, 1], offset: 4>> to memref<2xi32, strided<[1], offset: 6>>
  linalg.fill ins(%one : i32) outs(%a : memref<2x2x2xi32>)
  linalg.fill ins(%two : i32) outs(%pair : memref<2xi32, strided<[1], offset: 6>>)
  %x = memref.load %row[%c0, %c0] : memref<2x2xi32, strided<[2, 1]>>
  vector.print %x : i32
  %b = memref.alloc() : memref<4xi32>
  linalg.fill ins(%two : i32) outs(%b : memref<4xi32>)
  call @show4(%b) : (memref<4xi32>) -> ()
  %y = memref.load %next[%c0, %c0, %c0] : memref<1x2x2xi32, strided<[4, 2, 1], offset: 4>>
  vector.print %y : i32
  %z = memref.load %pair[%c0] : memref<2xi32, strided<[1], offset: 6>>
  vector.print %z : i32
  call @show4(%b) : (memref<4xi32>) -> ()
  return
}

// The lower half is made in each turn, the upper one lives through all.
// CHECK: turns: 32
func.func @turns() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<4xi32>
  %lo = memref.subview %a[0] [4] [1] : memref<8xi32> to memref<4xi32, strided<[1]>>
  %hi = memref.subview %a[4] [4] [1] : memref<8xi32> to memref<4xi32, strided<[1], offset: 4>>
  linalg.fill ins(%one : i32) outs(%hi : memref<4xi32, strided<[1], offset: 4>>)
  scf.for %i = %c0 to %c3 step %c1 {
    linalg.fill ins(%two : i32) outs(%lo : memref<4xi32, strided<[1]>>)
    linalg.add ins(%lo, %hi : memref<4xi32, strided<[1]>>, memref<4xi32, strided<[1], offset: 4>>)
               outs(%hi : memref<4xi32, strided<[1], offset: 4>>)
    linalg.fill ins(%one : i32) outs(%b : memref<4xi32>)
    linalg.add ins(%b, %hi : memref<4xi32>, memref<4xi32, strided<[1], offset: 4>>)
               outs(%hi : memref<4xi32, strided<[1], offset: 4>>)
  }
  %w = vector.load %hi[%c0] : memref<4xi32, strided<[1], offset: 4>>, vector<4xi32>
  vector.print %w : vector<4xi32>
  return
}

// In the branches other halves are wanted.
// CHECK: branches: 32
func.func @branches(%yes: i1) {
  %c0 = arith.constant 0 : index
  %ten = arith.constant 10 : i32
  %two = arith.constant 2 : i32
  %a = memref.alloc() : memref<8xi32>
  %lo = memref.subview %a[0] [4] [1] : memref<8xi32> to memref<4xi32, strided<[1]>>
  %hi = memref.subview %a[4] [4] [1] : memref<8xi32> to memref<4xi32, strided<[1], offset: 4>>
  call @count(%a, %ten) : (memref<8xi32>, i32) -> ()
  scf.if %yes {
    %b = memref.alloc() : memref<4xi32>
    linalg.fill ins(%two : i32) outs(%b : memref<4xi32>)
    func.call @show4(%b) : (memref<4xi32>) -> ()
    %v = vector.load %lo[%c0] : memref<4xi32, strided<[1]>>, vector<4xi32>
    vector.print %v : vector<4xi32>
    func.call @show4(%b) : (memref<4xi32>) -> ()
  } else {
    %b = memref.alloc() : memref<4xi32>
    linalg.fill ins(%two : i32) outs(%b : memref<4xi32>)
    func.call @show4(%b) : (memref<4xi32>) -> ()
    %w = vector.load %hi[%c0] : memref<4xi32, strided<[1], offset: 4>>, vector<4xi32>
    vector.print %w : vector<4xi32>
    func.call @show4(%b) : (memref<4xi32>) -> ()
  }
  return
}

// Written over in place by an op on the whole, with the upper half made late.
// CHECK: in_place: 32
func.func @in_place() {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %a = memref.alloc() : memref<8xi32>
  %r = memref.alloc() : memref<8xi32>
  %lo = memref.subview %a[0] [4] [1] : memref<8xi32> to memref<4xi32, strided<[1]>>
  %hi = memref.subview %a[4] [4] [1] : memref<8xi32> to memref<4xi32, strided<[1], offset: 4>>
  linalg.fill ins(%one : i32) outs(%lo : memref<4xi32, strided<[1]>>)
  %b = memref.alloc() : memref<4xi32>
  linalg.fill ins(%two : i32) outs(%b : memref<4xi32>)
  call @show4(%b) : (memref<4xi32>) -> ()
  linalg.fill ins(%two : i32) outs(%hi : memref<4xi32, strided<[1], offset: 4>>)
  linalg.add ins(%a, %a : memref<8xi32>, memref<8xi32>) outs(%r : memref<8xi32>)
  call @show(%r) : (memref<8xi32>) -> ()
  return
}

// One element of the lower half is new afterwards; the others are not.
// CHECK: old_elements: 48
func.func @old_elements() {
  %c0 = arith.constant 0 : index
  %ten = arith.constant 10 : i32
  %two = arith.constant 2 : i32
  %a = memref.alloc() : memref<8xi32>
  %lo = memref.subview %a[0] [4] [1] : memref<8xi32> to memref<4xi32, strided<[1]>>
  call @count(%a, %ten) : (memref<8xi32>, i32) -> ()
  %b = memref.alloc() : memref<4xi32>
  linalg.fill ins(%two : i32) outs(%b : memref<4xi32>)
  call @show4(%b) : (memref<4xi32>) -> ()
  memref.store %two, %lo[%c0] : memref<4xi32, strided<[1]>>
  call @show(%a) : (memref<8xi32>) -> ()
  return
}

// First and last quarter are live: from the one to the other nothing is free.
// CHECK: both_ends: 48
func.func @both_ends() {
  %c0 = arith.constant 0 : index
  %ten = arith.constant 10 : i32
  %two = arith.constant 2 : i32
  %a = memref.alloc() : memref<8xi32>
  %first = memref.subview %a[0] [2] [1] : memref<8xi32> to memref<2xi32, strided<[1]>>
  %last = memref.subview %a[6] [2] [1] : memref<8xi32> to memref<2xi32, strided<[1], offset: 6>>
  call @count(%a, %ten) : (memref<8xi32>, i32) -> ()
  %b = memref.alloc() : memref<4xi32>
  linalg.fill ins(%two : i32) outs(%b : memref<4xi32>)
  call @show4(%b) : (memref<4xi32>) -> ()
  %v = memref.load %first[%c0] : memref<2xi32, strided<[1]>>
  vector.print %v : i32
  %w = memref.load %last[%c0] : memref<2xi32, strided<[1], offset: 6>>
  vector.print %w : i32
  return
}

// Columns lie between one another, but for the last element.
// CHECK: columns: 44
func.func @columns() {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %a = memref.alloc() : memref<4x2xi32>
  %left = memref.subview %a[0, 0] [4, 1] [1, 1] : memref<4x2xi32> to memref<4xi32, strided<[2]>>
  %right = memref.subview %a[0, 1] [4, 1] [1, 1] : memref<4x2xi32> to memref<4xi32, strided<[2], offset: 1>>
  linalg.fill ins(%one : i32) outs(%left : memref<4xi32, strided<[2]>>)
  %b = memref.alloc() : memref<4xi32>
  linalg.fill ins(%two : i32) outs(%b : memref<4xi32>)
  call @show4(%b) : (memref<4xi32>) -> ()
  linalg.fill ins(%two : i32) outs(%right : memref<4xi32, strided<[2], offset: 1>>)
  %x = memref.load %a[%c3, %c0] : memref<4x2xi32>
  vector.print %x : i32
  return
}

// A function may get at more than it is given a view of.
// CHECK: behind_a_view: 48
func.func @behind_a_view() {
  %ten = arith.constant 10 : i32
  %two = arith.constant 2 : i32
  %a = memref.alloc() : memref<8xi32>
  %lo = memref.subview %a[0] [4] [1] : memref<8xi32> to memref<4xi32, strided<[1]>>
  call @count(%a, %ten) : (memref<8xi32>, i32) -> ()
  %b = memref.alloc() : memref<4xi32>
  linalg.fill ins(%two : i32) outs(%b : memref<4xi32>)
  call @show4(%b) : (memref<4xi32>) -> ()
  call @print_low(%lo) : (memref<4xi32, strided<[1]>>) -> ()
  call @print_behind(%lo) : (memref<4xi32, strided<[1]>>) -> ()
  return
}

func.func @main() {
  %yes = arith.constant true
  %no = arith.constant false
  call @first_half_dies() : () -> ()
  call @second_half_comes() : () -> ()
  call @rows() : () -> ()
  call @turns() : () -> ()
  call @branches(%yes) : (i1) -> ()
  call @branches(%no) : (i1) -> ()
  call @in_place() : () -> ()
  call @old_elements() : () -> ()
  call @both_ends() : () -> ()
  call @columns() : () -> ()
  call @behind_a_view() : () -> ()
  return
}
