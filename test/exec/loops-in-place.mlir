// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %same-output %S/Inputs/prelude.mlir %s | FileCheck %s
// Nests of loops that write each element of a new buffer over the one that they
// have read of a dying buffer, and what looks alike but reads an element that
// would be overwritten by then.

// CHECK-LABEL: sequential: 32
func.func @sequential() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %three = arith.constant 3 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xf32>
  %c = memref.alloc() : memref<8xi32>
  %d = memref.alloc() : memref<8xi32>
  call @count(%a, %three) : (memref<8xi32>, i32) -> ()
  scf.for %i = %c0 to %c8 step %c1 {
    %v = memref.load %a[%i] : memref<8xi32>
    %w = arith.sitofp %v : i32 to f32
    memref.store %w, %b[%i] : memref<8xf32>
  }
  affine.for %i = 0 to 8 {
    %v = affine.load %b[%i] : memref<8xf32>
    %w = arith.fptosi %v : f32 to i32
    affine.store %w, %c[%i] : memref<8xi32>
  }
  // What has been written may be read again.
  %from = memref.expand_shape %c [[0, 1]] output_shape [2, 4] : memref<8xi32> into memref<2x4xi32>
  %to = memref.expand_shape %d [[0, 1]] output_shape [2, 4] : memref<8xi32> into memref<2x4xi32>
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 4 {
      %v = affine.load %from[%i, %j] : memref<2x4xi32>
      %w = arith.addi %v, %three : i32
      affine.store %w, %to[%i, %j] : memref<2x4xi32>
      %x = affine.load %to[%i, %j] : memref<2x4xi32>
      %y = arith.muli %x, %three : i32
      affine.store %y, %to[%i, %j] : memref<2x4xi32>
    }
  }
  call @show(%d) : (memref<8xi32>) -> ()
  return
}

// CHECK-LABEL: parallel: 32
func.func @parallel() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %three = arith.constant 3 : i32
  %a = memref.alloc() : memref<2x4xi32>
  %b = memref.alloc() : memref<2x4xi32>
  %c = memref.alloc() : memref<2x4xi32>
  %d = memref.alloc() : memref<2x4xi32>
  %e = memref.alloc() : memref<2x4xi32>
  %start = memref.collapse_shape %a [[0, 1]] : memref<2x4xi32> into memref<8xi32>
  call @count(%start, %three) : (memref<8xi32>, i32) -> ()
  scf.parallel (%i, %j) = (%c0, %c0) to (%c2, %c4) step (%c1, %c1) {
    %v = memref.load %a[%i, %j] : memref<2x4xi32>
    %w = arith.addi %v, %three : i32
    memref.store %w, %b[%i, %j] : memref<2x4xi32>
  }
  affine.parallel (%i, %j) = (0, 0) to (2, 4) {
    %v = affine.load %b[%i, %j] : memref<2x4xi32>
    %w = arith.muli %v, %three : i32
    affine.store %w, %c[%i, %j] : memref<2x4xi32>
  }
  scf.forall (%i, %j) in (2, 4) {
    %v = memref.load %c[%i, %j] : memref<2x4xi32>
    %w = arith.addi %v, %v : i32
    memref.store %w, %d[%i, %j] : memref<2x4xi32>
  }
  scf.for %i = %c0 to %c2 step %c1 {
    scf.parallel (%j) = (%c0) to (%c4) step (%c1) {
      %v = memref.load %d[%i, %j] : memref<2x4xi32>
      %w = arith.subi %v, %three : i32
      memref.store %w, %e[%i, %j] : memref<2x4xi32>
    }
  }
  %end = memref.collapse_shape %e [[0, 1]] : memref<2x4xi32> into memref<8xi32>
  call @show(%end) : (memref<8xi32>) -> ()
  return
}

// In each turn of the outer loop, with bounds that nobody knows: no nest
// overwrites all, and in no turn anything of an earlier one is wanted.
// CHECK-LABEL: again_and_again: 32
func.func @again_and_again(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %three = arith.constant 3 : i32
  scf.for %k = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<8xi32>
    %b = memref.alloc() : memref<8xi32>
    %x = arith.index_cast %k : index to i32
    func.call @count(%a, %x) : (memref<8xi32>, i32) -> ()
    scf.for %i = %c0 to %n step %c1 {
      %v = memref.load %a[%i] : memref<8xi32>
      %w = arith.muli %v, %three : i32
      memref.store %w, %b[%i] : memref<8xi32>
    }
    func.call @show(%b) : (memref<8xi32>) -> ()
  }
  return
}

// Half of %b is written, and the rest is of the last turn.
// CHECK-LABEL: part_of_it: 64
func.func @part_of_it() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  call @count(%b, %one) : (memref<8xi32>, i32) -> ()
  scf.for %k = %c0 to %c4 step %c1 {
    %x = arith.index_cast %k : index to i32
    func.call @count(%a, %x) : (memref<8xi32>, i32) -> ()
    scf.parallel (%i) = (%c0) to (%k) step (%c1) {
      %v = memref.load %a[%i] : memref<8xi32>
      memref.store %v, %b[%i] : memref<8xi32>
    }
    func.call @show(%b) : (memref<8xi32>) -> ()
  }
  return
}

// The loop is first in its body, and %a is written behind it.
// CHECK-LABEL: turned_loop: 64
func.func @turned_loop() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  call @count(%a, %one) : (memref<8xi32>, i32) -> ()
  call @count(%b, %one) : (memref<8xi32>, i32) -> ()
  scf.for %k = %c0 to %c4 step %c1 {
    scf.parallel (%i) = (%c0) to (%k) step (%c1) {
      %v = memref.load %a[%i] : memref<8xi32>
      memref.store %v, %b[%i] : memref<8xi32>
    }
    %x = arith.index_cast %k : index to i32
    func.call @count(%a, %x) : (memref<8xi32>, i32) -> ()
  }
  call @show(%b) : (memref<8xi32>) -> ()
  return
}

// Each turn reads what another one has written over.
// CHECK-LABEL: backwards: 64
func.func @backwards() {
  %one = arith.constant 1 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  call @count(%a, %one) : (memref<8xi32>, i32) -> ()
  affine.for %i = 0 to 8 {
    %v = affine.load %a[7 - %i] : memref<8xi32>
    affine.store %v, %b[%i] : memref<8xi32>
  }
  call @show(%b) : (memref<8xi32>) -> ()
  return
}

// CHECK-LABEL: transposed: 64
func.func @transposed() {
  %one = arith.constant 1 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  call @count(%a, %one) : (memref<8xi32>, i32) -> ()
  %from = memref.expand_shape %a [[0, 1]] output_shape [2, 4] : memref<8xi32> into memref<2x4xi32>
  %to = memref.expand_shape %b [[0, 1]] output_shape [4, 2] : memref<8xi32> into memref<4x2xi32>
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 2 {
      %v = affine.load %from[%j, %i] : memref<2x4xi32>
      affine.store %v, %to[%i, %j] : memref<4x2xi32>
    }
  }
  call @show(%b) : (memref<8xi32>) -> ()
  return
}

// The loop of %k comes to each element again.
// CHECK-LABEL: again: 64
func.func @again() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  call @count(%a, %one) : (memref<8xi32>, i32) -> ()
  scf.for %k = %c0 to %c3 step %c1 {
    scf.for %i = %c0 to %c8 step %c1 {
      %v = memref.load %a[%i] : memref<8xi32>
      %w = arith.addi %v, %one : i32
      memref.store %w, %b[%i] : memref<8xi32>
    }
  }
  call @show(%b) : (memref<8xi32>) -> ()
  return
}

// The neighbour is read, too.
// CHECK-LABEL: neighbour: 64
func.func @neighbour() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  call @count(%a, %one) : (memref<8xi32>, i32) -> ()
  scf.for %i = %c0 to %c8 step %c1 {
    %v = memref.load %a[%i] : memref<8xi32>
    %before = arith.subi %i, %c1 : index
    %first = arith.maxsi %before, %c0 : index
    %x = memref.load %a[%first] : memref<8xi32>
    %w = arith.addi %v, %x : i32
    memref.store %w, %b[%i] : memref<8xi32>
  }
  call @show(%b) : (memref<8xi32>) -> ()
  return
}

// And behind the write.
// CHECK-LABEL: behind: 64
func.func @behind() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  call @count(%a, %one) : (memref<8xi32>, i32) -> ()
  scf.for %i = %c0 to %c8 step %c1 {
    %v = memref.load %a[%i] : memref<8xi32>
    %w = arith.addi %v, %one : i32
    memref.store %w, %b[%i] : memref<8xi32>
    %x = memref.load %a[%i] : memref<8xi32>
    vector.print %x : i32
  }
  call @show(%b) : (memref<8xi32>) -> ()
  return
}

func.func @main() {
  %c8 = arith.constant 8 : index
  call @sequential() : () -> ()
  call @parallel() : () -> ()
  call @again_and_again(%c8) : (index) -> ()
  call @part_of_it() : () -> ()
  call @turned_loop() : () -> ()
  call @backwards() : () -> ()
  call @transposed() : () -> ()
  call @again() : () -> ()
  call @neighbour() : () -> ()
  call @behind() : () -> ()
  return
}
