// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What overwrites a buffer piece by piece. In each function %a is written and
// read, then perhaps overwritten, then read; %t is used in between and may have
// all the bytes of %a only if the overwrite is complete.
// REQUIRES: mlir
// RUN: %same-output %S/Inputs/prelude.mlir %s | FileCheck %s
// RUN: %same-output --pipeline='berth-arena{split-lives=false}' %S/Inputs/prelude.mlir %s | FileCheck %s

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
// CHECK: tiles_with_tail: 32
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
// CHECK: tiles_with_gaps: 64
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
// CHECK: tail_left_out: 64
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
// CHECK: no_turns: 64
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
// CHECK: stores_of_a_nest: 32
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
// CHECK: diagonal: 64
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
// CHECK: halves: 32
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

// The second half is made from the first: that is no cover, but the half that is
// overwritten is free up to there.
// CHECK: read_between_halves: 48
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
// CHECK: read_in_the_loop: 64
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
// CHECK: under_a_condition: 64
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
// CHECK: vectors: 32
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
// CHECK: masked_vectors: 64
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
// CHECK: iterations_at_once: 32
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
// CHECK: called: 32
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
// CHECK: called_too_late: 64
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
// CHECK: called_perhaps: 64
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
// CHECK: rows: 32
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
// CHECK: one_row: 64
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
// CHECK: in_another_shape: 32
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
// CHECK: reinterpreted: 32
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
// CHECK: shape_with_gap: 64
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
// CHECK: read_in_old_shape: 64
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

func.func @main() {
  call @tiles_with_tail() : () -> ()
  call @tiles_with_gaps() : () -> ()
  call @tail_left_out() : () -> ()
  call @no_turns() : () -> ()
  call @stores_of_a_nest() : () -> ()
  call @diagonal() : () -> ()
  call @halves() : () -> ()
  call @read_between_halves() : () -> ()
  call @read_in_the_loop() : () -> ()
  call @under_a_condition() : () -> ()
  call @vectors() : () -> ()
  call @masked_vectors() : () -> ()
  call @iterations_at_once() : () -> ()
  call @called() : () -> ()
  call @called_too_late() : () -> ()
  call @called_perhaps() : () -> ()
  call @rows() : () -> ()
  call @one_row() : () -> ()
  call @in_another_shape() : () -> ()
  call @reinterpreted() : () -> ()
  call @shape_with_gap() : () -> ()
  call @read_in_old_shape() : () -> ()
  return
}
