// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two arrays that overlap in one piece of memory: where one is not full yet or
// no more, the other one is.
// RUN: %berth-opt %s --berth-fold=max-operations=0 --remarks-filter=berth-fold -o /dev/null 2>&1 | FileCheck %s
// RUN: %same-output --pipeline='berth-fold{max-operations=0}' --pipeline='berth-fold{max-operations=0},berth-arena{poison=true},berth-verify' %s

// Each element of the first is read once and makes two of the second.
// CHECK: folded 2 arrays into one: A0[x0] -> [x0 mod 24] at 23, A1[x0] -> [x0 mod 48] at 0, 48 cells of 72
func.func @upsample(%in: memref<24xi64>, %out: memref<48xi64>) {
  %c3 = arith.constant 3 : i64
  %A = memref.alloc() : memref<24xi64>
  %B = memref.alloc() : memref<48xi64>
  affine.for %i = 0 to 24 {
    %x = affine.load %in[%i] : memref<24xi64>
    %v = arith.muli %x, %c3 : i64
    affine.store %v, %A[%i] : memref<24xi64>
  }
  affine.for %i = 0 to 24 {
    %x = affine.load %A[%i] : memref<24xi64>
    affine.store %x, %B[2 * %i] : memref<48xi64>
    %v = arith.muli %x, %c3 : i64
    affine.store %v, %B[2 * %i + 1] : memref<48xi64>
  }
  affine.for %i = 0 to 48 {
    %x = affine.load %B[47 - %i] : memref<48xi64>
    affine.store %x, %out[%i] : memref<48xi64>
  }
  memref.dealloc %A : memref<24xi64>
  memref.dealloc %B : memref<48xi64>
  return
}

// Subscripts that are no affine map, and another number of indices.
// CHECK: folded 2 arrays into one: {{.*}}, 31 cells of 60
func.func @pairs(%in: memref<24xi64>, %out: memref<48xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c30 = arith.constant 30 : index
  %c3 = arith.constant 3 : i64
  %A = memref.alloc() : memref<30xi64>
  %B = memref.alloc() : memref<15x2xi64>
  scf.for %i = %c0 to %c30 step %c1 {
    %x = arith.index_cast %i : index to i64
    %v = arith.muli %x, %c3 : i64
    memref.store %v, %A[%i] : memref<30xi64>
  }
  affine.for %i = 0 to 15 {
    %x = affine.load %A[29 - 2 * %i] : memref<30xi64>
    affine.store %x, %B[14 - %i, 0] : memref<15x2xi64>
    %y = affine.load %A[28 - 2 * %i] : memref<30xi64>
    affine.store %y, %B[14 - %i, 1] : memref<15x2xi64>
  }
  affine.for %i = 0 to 15 {
    affine.for %j = 0 to 2 {
      %x = affine.load %B[%i, %j] : memref<15x2xi64>
      affine.store %x, %out[%i + 20 * %j] : memref<48xi64>
    }
  }
  memref.dealloc %A : memref<30xi64>
  memref.dealloc %B : memref<15x2xi64>
  return
}

// What the second one may use of the first one is half of it.
// CHECK: folded 2 arrays into one: {{.*}}, 36 cells of 48
func.func @half(%in: memref<24xi64>, %out: memref<48xi64>) {
  %A = memref.alloc() : memref<24xi64>
  %B = memref.alloc() : memref<24xi64>
  affine.for %i = 0 to 24 {
    %x = affine.load %in[%i] : memref<24xi64>
    affine.store %x, %A[%i] : memref<24xi64>
  }
  affine.for %i = 0 to 12 {
    %x = affine.load %A[%i] : memref<24xi64>
    affine.store %x, %B[%i] : memref<24xi64>
  }
  affine.for %i = 12 to 24 {
    %x = affine.load %A[%i] : memref<24xi64>
    %y = affine.load %A[%i - 12] : memref<24xi64>
    %z = arith.addi %x, %y : i64
    affine.store %z, %B[%i] : memref<24xi64>
  }
  affine.for %i = 0 to 24 {
    %x = affine.load %B[23 - %i] : memref<24xi64>
    affine.store %x, %out[%i + 24] : memref<48xi64>
  }
  memref.dealloc %A : memref<24xi64>
  memref.dealloc %B : memref<24xi64>
  return
}

// The same beside a third one that can have all of the first one's place. In
// one array the two would live as long as either, and take more: they stay
// apart.
// CHECK-NOT: arrays into one
func.func @apart(%in: memref<24xi64>, %out: memref<48xi64>) {
  %A = memref.alloc() : memref<24xi64>
  %B = memref.alloc() : memref<24xi64>
  %C = memref.alloc() : memref<24xi64>
  affine.for %i = 0 to 24 {
    %x = affine.load %in[%i] : memref<24xi64>
    affine.store %x, %A[%i] : memref<24xi64>
  }
  affine.for %i = 0 to 12 {
    %x = affine.load %A[%i] : memref<24xi64>
    affine.store %x, %B[%i] : memref<24xi64>
  }
  affine.for %i = 12 to 24 {
    %x = affine.load %A[%i] : memref<24xi64>
    %y = affine.load %A[%i - 12] : memref<24xi64>
    %z = arith.addi %x, %y : i64
    affine.store %z, %B[%i] : memref<24xi64>
  }
  affine.for %i = 0 to 24 {
    %x = affine.load %in[%i] : memref<24xi64>
    affine.store %x, %C[%i] : memref<24xi64>
  }
  affine.for %i = 0 to 24 {
    %x = affine.load %C[23 - %i] : memref<24xi64>
    affine.store %x, %out[%i] : memref<48xi64>
  }
  affine.for %i = 0 to 24 {
    %x = affine.load %B[23 - %i] : memref<24xi64>
    affine.store %x, %out[%i + 24] : memref<48xi64>
  }
  memref.dealloc %A : memref<24xi64>
  memref.dealloc %B : memref<24xi64>
  memref.dealloc %C : memref<24xi64>
  return
}

func.func @print(%out: memref<48xi64>) {
  affine.for %i = 0 to 48 {
    %v = affine.load %out[%i] : memref<48xi64>
    vector.print %v : i64
  }
  return
}

func.func @main() {
  %zero = arith.constant 0 : i64
  %in = memref.alloc() : memref<24xi64>
  %out = memref.alloc() : memref<48xi64>
  affine.for %i = 0 to 48 {
    affine.store %zero, %out[%i] : memref<48xi64>
  }
  affine.for %i = 0 to 24 {
    %x = arith.index_cast %i : index to i64
    %v = arith.muli %x, %x : i64
    affine.store %v, %in[%i] : memref<24xi64>
  }
  call @upsample(%in, %out) : (memref<24xi64>, memref<48xi64>) -> ()
  call @print(%out) : (memref<48xi64>) -> ()
  call @pairs(%in, %out) : (memref<24xi64>, memref<48xi64>) -> ()
  call @print(%out) : (memref<48xi64>) -> ()
  call @half(%in, %out) : (memref<24xi64>, memref<48xi64>) -> ()
  call @print(%out) : (memref<48xi64>) -> ()
  call @apart(%in, %out) : (memref<24xi64>, memref<48xi64>) -> ()
  call @print(%out) : (memref<48xi64>) -> ()
  memref.dealloc %in : memref<24xi64>
  memref.dealloc %out : memref<48xi64>
  return
}
