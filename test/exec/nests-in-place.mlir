// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %same-output %S/Inputs/prelude.mlir %s | FileCheck %s
// RUN: cat %S/Inputs/prelude.mlir %s > %t.mlir
// RUN: %mlir-opt-berth %t.mlir --pass-pipeline='builtin.module(berth-arena)' | FileCheck %s --check-prefix=IR
// Nests that write over what they have read: some elements farther, in branches,
// vector by vector, of sizes known at run time only; and what looks alike.

#next = affine_map<(d0) -> (d0 + 1)>

// Both one element farther, in three spellings.
// CHECK-LABEL: shifted: 36
func.func @shifted() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %three = arith.constant 3 : i32
  %a = memref.alloc() : memref<9xi32>
  %b = memref.alloc() : memref<9xi32>
  %c = memref.alloc() : memref<9xi32>
  linalg.fill ins(%three : i32) outs(%a : memref<9xi32>)
  scf.for %i = %c0 to %c8 step %c1 {
    %k = arith.addi %i, %c1 : index
    %v = memref.load %a[%k] : memref<9xi32>
    %x = arith.index_cast %i : index to i32
    %w = arith.muli %v, %x : i32
    %l = affine.apply #next(%i)
    memref.store %w, %b[%l] : memref<9xi32>
  }
  affine.for %i = 0 to 8 {
    %v = affine.load %b[%i + 1] : memref<9xi32>
    %w = arith.addi %v, %three : i32
    affine.store %w, %c[%i + 1] : memref<9xi32>
  }
  %part = memref.subview %c[1] [8] [1] : memref<9xi32> to memref<8xi32, strided<[1], offset: 1>>
  %v = vector.load %part[%c0] : memref<8xi32, strided<[1], offset: 1>>, vector<8xi32>
  vector.print %v : vector<8xi32>
  return
}

// One element farther than it was read: the next turn would read it.
// CHECK-LABEL: shifted_once: 72
func.func @shifted_once() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %three = arith.constant 3 : i32
  %a = memref.alloc() : memref<9xi32>
  %b = memref.alloc() : memref<9xi32>
  linalg.fill ins(%three : i32) outs(%a : memref<9xi32>)
  scf.for %i = %c0 to %c8 step %c1 {
    %v = memref.load %a[%i] : memref<9xi32>
    %w = arith.addi %v, %three : i32
    %k = arith.addi %i, %c1 : index
    memref.store %w, %b[%k] : memref<9xi32>
  }
  %v = vector.load %b[%c1] : memref<9xi32>, vector<8xi32>
  vector.print %v : vector<8xi32>
  return
}

// Each way reads ahead of its own write.
// CHECK-LABEL: either_way: 32
func.func @either_way() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %three = arith.constant 3 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  call @count(%a, %three) : (memref<8xi32>, i32) -> ()
  scf.for %i = %c0 to %c8 step %c1 {
    %is = arith.cmpi ult, %i, %c4 : index
    scf.if %is {
      %v = memref.load %a[%i] : memref<8xi32>
      %w = arith.addi %v, %three : i32
      memref.store %w, %b[%i] : memref<8xi32>
    } else {
      %v = memref.load %a[%i] : memref<8xi32>
      %w = arith.muli %v, %three : i32
      memref.store %w, %b[%i] : memref<8xi32>
    }
  }
  call @show(%b) : (memref<8xi32>) -> ()
  return
}

// On one way it reads behind the write.
// CHECK-LABEL: one_way_late: 64
func.func @one_way_late() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %three = arith.constant 3 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  call @count(%a, %three) : (memref<8xi32>, i32) -> ()
  scf.for %i = %c0 to %c8 step %c1 {
    %v = memref.load %a[%i] : memref<8xi32>
    %is = arith.cmpi ult, %i, %c4 : index
    scf.if %is {
      %w = arith.addi %v, %three : i32
      memref.store %w, %b[%i] : memref<8xi32>
    }
    %x = memref.load %a[%i] : memref<8xi32>
    %y = arith.muli %x, %v : i32
    memref.store %y, %b[%i] : memref<8xi32>
  }
  call @show(%b) : (memref<8xi32>) -> ()
  return
}

// CHECK-LABEL: vectors: 64
func.func @vectors(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i32
  %a = memref.alloc() : memref<4x4xi32>
  %b = memref.alloc() : memref<4x4xi32>
  %c = memref.alloc() : memref<4x4xi32>
  %three = arith.constant 3 : i32
  linalg.fill ins(%three : i32) outs(%a : memref<4x4xi32>)
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %c4 step %c2 {
      %v = vector.load %a[%i, %j] : memref<4x4xi32>, vector<2xi32>
      %w = arith.addi %v, %v : vector<2xi32>
      vector.store %w, %b[%i, %j] : memref<4x4xi32>, vector<2xi32>
    }
  }
  scf.parallel (%i, %j) = (%c0, %c0) to (%n, %c4) step (%c2, %c4) {
    %v = vector.transfer_read %b[%i, %j], %zero {in_bounds = [true, true]} : memref<4x4xi32>, vector<2x4xi32>
    %w = arith.muli %v, %v : vector<2x4xi32>
    vector.transfer_write %w, %c[%i, %j] {in_bounds = [true, true]} : vector<2x4xi32>, memref<4x4xi32>
  }
  %r = vector.transfer_read %c[%c0, %c0], %zero {in_bounds = [true, true]} : memref<4x4xi32>, vector<4x4xi32>
  vector.print %r : vector<4x4xi32>
  return
}

// A turn reads elements of the next one's, too.
// CHECK-LABEL: wide_vectors: 64
func.func @wide_vectors() {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %three = arith.constant 3 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  call @count(%a, %three) : (memref<8xi32>, i32) -> ()
  scf.for %i = %c0 to %c5 step %c2 {
    %v = vector.load %a[%i] : memref<8xi32>, vector<4xi32>
    %w = arith.addi %v, %v : vector<4xi32>
    vector.store %w, %b[%i] : memref<8xi32>, vector<4xi32>
  }
  call @show(%b) : (memref<8xi32>) -> ()
  return
}

// Of one size, which is known at run time only, and of two.
// IR-LABEL: @run_time
// IR: memref.view %[[ARENA:.*]][%[[AT:.*]]][%{{.*}}] {berth.buffer = 0 : i64}
// IR: memref.view %[[ARENA]][%[[AT]]][%{{.*}}] {berth.buffer = 1 : i64}
// IR: memref.view %[[ARENA]]
// IR-NOT: [%[[AT]]]
// IR-SAME: {berth.buffer = 2 : i64}
func.func @run_time(%n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n, %n) : memref<?x?xi32>
  %b = memref.alloc(%n, %n) : memref<?x?xi32>
  %c = memref.alloc(%n, %m) : memref<?x?xi32>
  scf.parallel (%i, %j) = (%c0, %c0) to (%n, %n) step (%c1, %c1) {
    %k = arith.muli %i, %n : index
    %l = arith.addi %k, %j : index
    %v = arith.index_cast %l : index to i32
    memref.store %v, %a[%i, %j] : memref<?x?xi32>
  }
  scf.parallel (%i, %j) = (%c0, %c0) to (%n, %n) step (%c1, %c1) {
    %v = memref.load %a[%i, %j] : memref<?x?xi32>
    %w = arith.muli %v, %v : i32
    memref.store %w, %b[%i, %j] : memref<?x?xi32>
  }
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %m step %c1 {
      %v = memref.load %b[%i, %j] : memref<?x?xi32>
      %w = arith.addi %v, %v : i32
      memref.store %w, %c[%i, %j] : memref<?x?xi32>
    }
  }
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %m step %c1 {
      %v = memref.load %c[%i, %j] : memref<?x?xi32>
      vector.print %v : i32
    }
  }
  return
}

// Vectors of affine loops; in the second nest they are longer than its step.
// CHECK-LABEL: affine_vectors: 64
func.func @affine_vectors() {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  %c = memref.alloc() : memref<8xi32>
  affine.for %i = 0 to 8 {
    %v = arith.index_cast %i : index to i32
    affine.store %v, %a[%i] : memref<8xi32>
  }
  affine.for %i = 0 to 8 step 4 {
    %v = affine.vector_load %a[%i] : memref<8xi32>, vector<4xi32>
    %w = arith.addi %v, %v : vector<4xi32>
    affine.vector_store %w, %b[%i] : memref<8xi32>, vector<4xi32>
  }
  affine.for %i = 0 to 6 step 2 {
    %v = affine.vector_load %b[%i] : memref<8xi32>, vector<4xi32>
    %w = arith.muli %v, %v : vector<4xi32>
    affine.vector_store %w, %c[%i] : memref<8xi32>, vector<4xi32>
  }
  %r = vector.load %c[%c0] : memref<8xi32>, vector<8xi32>
  vector.print %r : vector<8xi32>
  return
}

func.func @main() {
  call @affine_vectors() : () -> ()
  %c3 = arith.constant 3 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  call @shifted() : () -> ()
  call @shifted_once() : () -> ()
  call @either_way() : () -> ()
  call @one_way_late() : () -> ()
  call @vectors(%c4) : (index) -> ()
  call @wide_vectors() : () -> ()
  call @run_time(%c4, %c3) : (index, index) -> ()
  call @run_time(%c3, %c2) : (index, index) -> ()
  return
}
