// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-print-interference)' \
// RUN:   -o %t 2>&1 | FileCheck %s

// What overwrites a buffer piece by piece, and what does not. In each function %a
// and %t share exactly if all of %a is overwritten before it is read again.

func.func private @show(memref<8xi32>)

func.func private @put_and_read(%m: memref<8xi32>, %x: i32) {
  affine.for %i = 0 to 8 {
    affine.store %x, %m[%i] : memref<8xi32>
  }
  %y = affine.load %m[3] : memref<8xi32>
  vector.print %y : i32
  return
}

func.func private @read_and_put(%m: memref<8xi32>, %x: i32) {
  %y = affine.load %m[3] : memref<8xi32>
  vector.print %y : i32
  affine.for %i = 0 to 8 {
    affine.store %x, %m[%i] : memref<8xi32>
  }
  return
}

func.func private @put_perhaps(%m: memref<8xi32>, %x: i32) {
  %three = arith.constant 3 : i32
  %is = arith.cmpi sgt, %x, %three : i32
  scf.if %is {
    affine.for %i = 0 to 8 {
      affine.store %x, %m[%i] : memref<8xi32>
    }
  }
  return
}

// Tiles of 3, 3 and 2.
// CHECK-LABEL: interference of @tiles_with_tail
// CHECK-NOT:   both live
func.func @tiles_with_tail() {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %a = memref.alloc() : memref<8xi32>
  %t = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  call @show(%a) : (memref<8xi32>) -> ()
  linalg.fill ins(%two : i32) outs(%t : memref<8xi32>)
  call @show(%t) : (memref<8xi32>) -> ()
  scf.for %i = %c0 to %c8 step %c3 {
    %s = affine.min affine_map<(d0) -> (3, 8 - d0)>(%i)
    %p = memref.subview %a[%i] [%s] [1] : memref<8xi32> to memref<?xi32, strided<[1], offset: ?>>
    linalg.fill ins(%two : i32) outs(%p : memref<?xi32, strided<[1], offset: ?>>)
  }
  call @show(%a) : (memref<8xi32>) -> ()
  return
}

// Each third element stays.
// CHECK-LABEL: interference of @tiles_with_gaps
// CHECK:       both live
func.func @tiles_with_gaps() {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %a = memref.alloc() : memref<8xi32>
  %t = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  call @show(%a) : (memref<8xi32>) -> ()
  linalg.fill ins(%two : i32) outs(%t : memref<8xi32>)
  call @show(%t) : (memref<8xi32>) -> ()
  scf.for %i = %c0 to %c8 step %c3 {
    %s = affine.min affine_map<(d0) -> (2, 8 - d0)>(%i)
    %p = memref.subview %a[%i] [%s] [1] : memref<8xi32> to memref<?xi32, strided<[1], offset: ?>>
    linalg.fill ins(%two : i32) outs(%p : memref<?xi32, strided<[1], offset: ?>>)
  }
  call @show(%a) : (memref<8xi32>) -> ()
  return
}

// The last element stays.
// CHECK-LABEL: interference of @tail_left_out
// CHECK:       both live
func.func @tail_left_out() {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %a = memref.alloc() : memref<8xi32>
  %t = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  call @show(%a) : (memref<8xi32>) -> ()
  linalg.fill ins(%two : i32) outs(%t : memref<8xi32>)
  call @show(%t) : (memref<8xi32>) -> ()
  scf.for %i = %c0 to %c7 step %c1 {
    memref.store %two, %a[%i] : memref<8xi32>
  }
  call @show(%a) : (memref<8xi32>) -> ()
  return
}

// A loop of no turns overwrites nothing.
// CHECK-LABEL: interference of @no_turns
// CHECK:       both live
func.func @no_turns() {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %a = memref.alloc() : memref<8xi32>
  %t = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  call @show(%a) : (memref<8xi32>) -> ()
  linalg.fill ins(%two : i32) outs(%t : memref<8xi32>)
  call @show(%t) : (memref<8xi32>) -> ()
  scf.for %i = %c8 to %c8 step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      memref.store %two, %a[%j] : memref<8xi32>
    }
  }
  call @show(%a) : (memref<8xi32>) -> ()
  return
}

// From the last to the first of each half.
// CHECK-LABEL: interference of @stores_of_a_nest
// CHECK-NOT:   both live
func.func @stores_of_a_nest() {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %a = memref.alloc() : memref<8xi32>
  %t = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  call @show(%a) : (memref<8xi32>) -> ()
  linalg.fill ins(%two : i32) outs(%t : memref<8xi32>)
  call @show(%t) : (memref<8xi32>) -> ()
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 4 {
      affine.store %two, %a[4 * %i - %j + 3] : memref<8xi32>
    }
  }
  call @show(%a) : (memref<8xi32>) -> ()
  return
}

// One index for two dimensions.
// CHECK-LABEL: interference of @diagonal
// CHECK:       both live
func.func @diagonal() {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = memref.alloc() : memref<8xi32>
  %t = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  call @show(%a) : (memref<8xi32>) -> ()
  linalg.fill ins(%two : i32) outs(%t : memref<8xi32>)
  call @show(%t) : (memref<8xi32>) -> ()
  %w = memref.expand_shape %a [[0, 1]] output_shape [2, 4] : memref<8xi32> into memref<2x4xi32>
  scf.for %i = %c0 to %c2 step %c1 {
    memref.store %two, %w[%i, %i] : memref<2x4xi32>
  }
  call @show(%a) : (memref<8xi32>) -> ()
  return
}

// One after the other.
// CHECK-LABEL: interference of @halves
// CHECK-NOT:   both live
func.func @halves() {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %a = memref.alloc() : memref<8xi32>
  %t = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  call @show(%a) : (memref<8xi32>) -> ()
  linalg.fill ins(%two : i32) outs(%t : memref<8xi32>)
  call @show(%t) : (memref<8xi32>) -> ()
  %p = memref.subview %a[0] [4] [1] : memref<8xi32> to memref<4xi32, strided<[1]>>
  %q = memref.subview %a[4] [4] [1] : memref<8xi32> to memref<4xi32, strided<[1], offset: 4>>
  linalg.fill ins(%two : i32) outs(%q : memref<4xi32, strided<[1], offset: 4>>)
  linalg.fill ins(%one : i32) outs(%p : memref<4xi32, strided<[1]>>)
  call @show(%a) : (memref<8xi32>) -> ()
  return
}

// The second half is made from the first.
// CHECK-LABEL: interference of @read_between_halves
// CHECK:       both live
func.func @read_between_halves() {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xi32>
  %t = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  call @show(%a) : (memref<8xi32>) -> ()
  linalg.fill ins(%two : i32) outs(%t : memref<8xi32>)
  call @show(%t) : (memref<8xi32>) -> ()
  %p = memref.subview %a[0] [4] [1] : memref<8xi32> to memref<4xi32, strided<[1]>>
  %q = memref.subview %a[4] [4] [1] : memref<8xi32> to memref<4xi32, strided<[1], offset: 4>>
  linalg.fill ins(%two : i32) outs(%q : memref<4xi32, strided<[1], offset: 4>>)
  %x = memref.load %a[%c0] : memref<8xi32>
  linalg.fill ins(%x : i32) outs(%p : memref<4xi32, strided<[1]>>)
  call @show(%a) : (memref<8xi32>) -> ()
  return
}

// Each element is made from itself.
// CHECK-LABEL: interference of @read_in_the_loop
// CHECK:       both live
func.func @read_in_the_loop() {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %a = memref.alloc() : memref<8xi32>
  %t = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  call @show(%a) : (memref<8xi32>) -> ()
  linalg.fill ins(%two : i32) outs(%t : memref<8xi32>)
  call @show(%t) : (memref<8xi32>) -> ()
  scf.for %i = %c0 to %c8 step %c1 {
    %x = memref.load %a[%i] : memref<8xi32>
    %y = arith.addi %x, %one : i32
    memref.store %y, %a[%i] : memref<8xi32>
  }
  call @show(%a) : (memref<8xi32>) -> ()
  return
}

// Every second element.
// CHECK-LABEL: interference of @under_a_condition
// CHECK:       both live
func.func @under_a_condition() {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %a = memref.alloc() : memref<8xi32>
  %t = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  call @show(%a) : (memref<8xi32>) -> ()
  linalg.fill ins(%two : i32) outs(%t : memref<8xi32>)
  call @show(%t) : (memref<8xi32>) -> ()
  scf.for %i = %c0 to %c8 step %c1 {
    %even = arith.remui %i, %c2 : index
    %is = arith.cmpi eq, %even, %c0 : index
    scf.if %is {
      memref.store %two, %a[%i] : memref<8xi32>
    }
  }
  call @show(%a) : (memref<8xi32>) -> ()
  return
}

// Two vectors of four.
// CHECK-LABEL: interference of @vectors
// CHECK-NOT:   both live
func.func @vectors() {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %a = memref.alloc() : memref<8xi32>
  %t = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  call @show(%a) : (memref<8xi32>) -> ()
  linalg.fill ins(%two : i32) outs(%t : memref<8xi32>)
  call @show(%t) : (memref<8xi32>) -> ()
  %v = vector.broadcast %two : i32 to vector<4xi32>
  scf.for %i = %c0 to %c8 step %c4 {
    vector.transfer_write %v, %a[%i] {in_bounds = [true]} : vector<4xi32>, memref<8xi32>
  }
  call @show(%a) : (memref<8xi32>) -> ()
  return
}

// Half of each.
// CHECK-LABEL: interference of @masked_vectors
// CHECK:       both live
func.func @masked_vectors() {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %a = memref.alloc() : memref<8xi32>
  %t = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  call @show(%a) : (memref<8xi32>) -> ()
  linalg.fill ins(%two : i32) outs(%t : memref<8xi32>)
  call @show(%t) : (memref<8xi32>) -> ()
  %v = vector.broadcast %two : i32 to vector<4xi32>
  %m = vector.create_mask %c2 : vector<4xi1>
  scf.for %i = %c0 to %c8 step %c4 {
    vector.transfer_write %v, %a[%i], %m {in_bounds = [true]} : vector<4xi32>, memref<8xi32>
  }
  call @show(%a) : (memref<8xi32>) -> ()
  return
}

// In whatever order they come.
// CHECK-LABEL: interference of @iterations_at_once
// CHECK-NOT:   both live
func.func @iterations_at_once() {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %a = memref.alloc() : memref<8xi32>
  %t = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  call @show(%a) : (memref<8xi32>) -> ()
  linalg.fill ins(%two : i32) outs(%t : memref<8xi32>)
  call @show(%t) : (memref<8xi32>) -> ()
  scf.forall (%i) in (4) {
    %o = affine.apply affine_map<(d0) -> (d0 * 2)>(%i)
    %p = memref.subview %a[%o] [2] [1] : memref<8xi32> to memref<2xi32, strided<[1], offset: ?>>
    linalg.fill ins(%two : i32) outs(%p : memref<2xi32, strided<[1], offset: ?>>)
  }
  call @show(%a) : (memref<8xi32>) -> ()
  return
}

// What the function reads it has written.
// CHECK-LABEL: interference of @called
// CHECK-NOT:   both live
func.func @called() {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %a = memref.alloc() : memref<8xi32>
  %t = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  call @show(%a) : (memref<8xi32>) -> ()
  linalg.fill ins(%two : i32) outs(%t : memref<8xi32>)
  call @show(%t) : (memref<8xi32>) -> ()
  func.call @put_and_read(%a, %two) : (memref<8xi32>, i32) -> ()
  call @show(%a) : (memref<8xi32>) -> ()
  return
}

// It reads one element before.
// CHECK-LABEL: interference of @called_too_late
// CHECK:       both live
func.func @called_too_late() {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %a = memref.alloc() : memref<8xi32>
  %t = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  call @show(%a) : (memref<8xi32>) -> ()
  linalg.fill ins(%two : i32) outs(%t : memref<8xi32>)
  call @show(%t) : (memref<8xi32>) -> ()
  func.call @read_and_put(%a, %two) : (memref<8xi32>, i32) -> ()
  call @show(%a) : (memref<8xi32>) -> ()
  return
}

// It overwrites under a condition.
// CHECK-LABEL: interference of @called_perhaps
// CHECK:       both live
func.func @called_perhaps() {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %a = memref.alloc() : memref<8xi32>
  %t = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  call @show(%a) : (memref<8xi32>) -> ()
  linalg.fill ins(%two : i32) outs(%t : memref<8xi32>)
  call @show(%t) : (memref<8xi32>) -> ()
  func.call @put_perhaps(%a, %two) : (memref<8xi32>, i32) -> ()
  call @show(%a) : (memref<8xi32>) -> ()
  return
}

// Through a cast that only spells the layout.
// CHECK-LABEL: interference of @rows
// CHECK-NOT:   both live
func.func @rows() {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<2x4xi32>
  %t = memref.alloc() : memref<8xi32>
  %flat = memref.collapse_shape %a [[0, 1]] : memref<2x4xi32> into memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<2x4xi32>)
  call @show(%flat) : (memref<8xi32>) -> ()
  linalg.fill ins(%two : i32) outs(%t : memref<8xi32>)
  call @show(%t) : (memref<8xi32>) -> ()
  %r = memref.reinterpret_cast %a to offset: [0], sizes: [2, 4], strides: [4, 1] : memref<2x4xi32> to memref<2x4xi32, strided<[4, 1]>>
  scf.for %i = %c0 to %c2 step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      memref.store %two, %r[%i, %j] : memref<2x4xi32, strided<[4, 1]>>
    }
  }
  call @show(%flat) : (memref<8xi32>) -> ()
  return
}

// The other row stays.
// CHECK-LABEL: interference of @one_row
// CHECK:       both live
func.func @one_row() {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<2x4xi32>
  %t = memref.alloc() : memref<8xi32>
  %flat = memref.collapse_shape %a [[0, 1]] : memref<2x4xi32> into memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<2x4xi32>)
  call @show(%flat) : (memref<8xi32>) -> ()
  linalg.fill ins(%two : i32) outs(%t : memref<8xi32>)
  call @show(%t) : (memref<8xi32>) -> ()
  %r = memref.reinterpret_cast %a to offset: [0], sizes: [2, 4], strides: [4, 1] : memref<2x4xi32> to memref<2x4xi32, strided<[4, 1]>>
  scf.for %i = %c0 to %c1 step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      memref.store %two, %r[%i, %j] : memref<2x4xi32, strided<[4, 1]>>
    }
  }
  call @show(%flat) : (memref<8xi32>) -> ()
  return
}

// In the shape of a view.
// CHECK-LABEL: interference of @in_another_shape
// CHECK-NOT:   both live
func.func @in_another_shape() {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<8xi32>
  %t = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  call @show(%a) : (memref<8xi32>) -> ()
  linalg.fill ins(%two : i32) outs(%t : memref<8xi32>)
  call @show(%t) : (memref<8xi32>) -> ()
  %r = memref.expand_shape %a [[0, 1]] output_shape [2, 4] : memref<8xi32> into memref<2x4xi32>
  scf.for %i = %c0 to %c2 step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      memref.store %two, %r[%i, %j] : memref<2x4xi32>
    }
  }
  call @show(%a) : (memref<8xi32>) -> ()
  return
}

// In a shape that it is given anew.
// CHECK-LABEL: interference of @reinterpreted
// CHECK-NOT:   both live
func.func @reinterpreted() {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<8xi32>
  %t = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  call @show(%a) : (memref<8xi32>) -> ()
  linalg.fill ins(%two : i32) outs(%t : memref<8xi32>)
  call @show(%t) : (memref<8xi32>) -> ()
  %r = memref.reinterpret_cast %a to offset: [0], sizes: [2, 4], strides: [4, 1] : memref<8xi32> to memref<2x4xi32>
  scf.for %i = %c0 to %c2 step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      memref.store %two, %r[%i, %j] : memref<2x4xi32>
    }
  }
  call @show(%a) : (memref<8xi32>) -> ()
  return
}

// The first row stays.
// CHECK-LABEL: interference of @shape_with_gap
// CHECK:       both live
func.func @shape_with_gap() {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<8xi32>
  %t = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  call @show(%a) : (memref<8xi32>) -> ()
  linalg.fill ins(%two : i32) outs(%t : memref<8xi32>)
  call @show(%t) : (memref<8xi32>) -> ()
  %r = memref.expand_shape %a [[0, 1]] output_shape [2, 4] : memref<8xi32> into memref<2x4xi32>
  scf.for %i = %c1 to %c2 step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      memref.store %two, %r[%i, %j] : memref<2x4xi32>
    }
  }
  call @show(%a) : (memref<8xi32>) -> ()
  return
}

// Read in its own shape meanwhile.
// CHECK-LABEL: interference of @read_in_old_shape
// CHECK:       both live
func.func @read_in_old_shape() {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<8xi32>
  %t = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  call @show(%a) : (memref<8xi32>) -> ()
  linalg.fill ins(%two : i32) outs(%t : memref<8xi32>)
  call @show(%t) : (memref<8xi32>) -> ()
  %r = memref.expand_shape %a [[0, 1]] output_shape [2, 4] : memref<8xi32> into memref<2x4xi32>
  scf.for %i = %c0 to %c2 step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      memref.store %two, %r[%i, %j] : memref<2x4xi32>
      %x = memref.load %a[%c1] : memref<8xi32>
      vector.print %x : i32
    }
  }
  call @show(%a) : (memref<8xi32>) -> ()
  return
}
