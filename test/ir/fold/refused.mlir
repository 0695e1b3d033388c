// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every refusal is a remark at the op that stands in the way; the array stays.
// RUN: %berth-opt %s --berth-fold --remarks-filter='berth.*' -o %t 2>&1 | FileCheck %s
// RUN: mlir-opt %s -o %t.same && diff %t %t.same

func.func private @use(memref<8xf32>)

// CHECK: [[@LINE+4]]:3: remark: {{.*}}not folded: used by func.call
func.func @escapes() {
  %a = memref.alloc() : memref<8xf32>
  // The call may read anything.
  call @use(%a) : (memref<8xf32>) -> ()
  return
}

// CHECK: [[@LINE+3]]:8: remark: {{.*}}not folded: used by memref.subview
func.func @view() {
  %a = memref.alloc() : memref<8xf32>
  %s = memref.subview %a[0] [4] [1] : memref<8xf32> to memref<4xf32>
  return
}

// CHECK: [[@LINE+5]]:10: remark: {{.*}}not folded: may read what nothing has written
func.func @no_source(%out: memref<8xf32>) {
  %a = memref.alloc() : memref<8x8xf32>
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
    %v = affine.load %a[%i, %j] : memref<8x8xf32>
    affine.store %v, %out[%i] : memref<8xf32>
    }
  }
  return
}

// CHECK: [[@LINE+6]]:5: remark: {{.*}}not folded: its subscripts are not affine
func.func @subscript(%p: memref<8xindex>, %x: f32) {
  %a = memref.alloc() : memref<8x8xf32>
  affine.for %i = 0 to 8 {
    %j = affine.load %p[%i] : memref<8xindex>
    // Nobody knows where this goes.
    memref.store %x, %a[%i, %j] : memref<8x8xf32>
  }
  return
}

// CHECK: [[@LINE+6]]:5: remark: {{.*}}not folded: the loop's bounds or step are not affine
func.func @bounds(%p: memref<8xindex>, %x: f32) {
  %a = memref.alloc() : memref<8x8xf32>
  affine.for %i = 0 to 8 {
    %c0 = arith.constant 0 : index %c1 = arith.constant 1 : index
    %n = memref.load %p[%i] : memref<8xindex>
    scf.for %j = %c0 to %n step %c1 {
      memref.store %x, %a[%i, %j] : memref<8x8xf32>
    }
  }
  return
}

// CHECK: [[@LINE+6]]:{{[0-9]+}}: remark: {{.*}}not folded: accessed inside scf.parallel
func.func @parallel(%x: f32) {
  %a = memref.alloc() : memref<8x8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) { memref.store %x, %a[%i, %i] : memref<8x8xf32> }
  return
}

// CHECK: [[@LINE+2]]:8: remark: {{.*}}not folded: its cells are live together
func.func @all_live(%out: memref<8xf32>, %x: f32) {
  %a = memref.alloc() : memref<8xf32>
  affine.for %i = 0 to 8 {
    affine.store %x, %a[%i] : memref<8xf32>
  }
  affine.for %i = 0 to 8 {
    %v = affine.load %a[%i] : memref<8xf32>
    affine.store %v, %out[%i] : memref<8xf32>
  }
  return
}
