// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sequential loops write narrower elements over those that they have read.
// REQUIRES: mlir
// RUN: %same-output --pipeline='berth-arena' --pipeline='berth-arena{poison=true}' --pipeline='berth-arena{arena=alloca split-arenas=true poison=true}' %S/Inputs/prelude.mlir %s | FileCheck %s
// RUN: %same-output --pipeline='berth-arena{overlap=off}' %S/Inputs/prelude.mlir %s | FileCheck %s --check-prefix=OFF

memref.global "private" @number : memref<1xindex> = dense<4>

func.func private @fill(%m: memref<4x4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c7 = arith.constant 7 : index
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %k = %c0 to %c4 step %c1 {
      %r = arith.muli %i, %c7 : index
      %s = arith.addi %r, %k : index
      %t = arith.index_cast %s : index to i32
      memref.store %t, %m[%i, %k] : memref<4x4xi32>
    }
  }
  return
}

func.func private @print(%m: memref<4x4xi8>) {
  %c0 = arith.constant 0 : index
  %p = arith.constant 0 : i8
  %v = vector.transfer_read %m[%c0, %c0], %p {in_bounds = [true, true]} : memref<4x4xi8>, vector<4x4xi8>
  vector.print %v : vector<4x4xi8>
  return
}

// CHECK: rows: 64
// OFF: rows: 80
func.func @rows() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<4x4xi32>
  %b = memref.alloc() : memref<4x4xi8>
  call @fill(%a) : (memref<4x4xi32>) -> ()
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %k = %c0 to %c4 step %c1 {
      %x = memref.load %a[%i, %k] : memref<4x4xi32>
      %y = arith.trunci %x : i32 to i8
      memref.store %y, %b[%i, %k] : memref<4x4xi8>
    }
  }
  call @print(%b) : (memref<4x4xi8>) -> ()
  return
}

// CHECK: columns: 80
func.func @columns() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<4x4xi32>
  %b = memref.alloc() : memref<4x4xi8>
  call @fill(%a) : (memref<4x4xi32>) -> ()
  scf.for %k = %c0 to %c4 step %c1 {
    scf.for %i = %c0 to %c4 step %c1 {
      %x = memref.load %a[%i, %k] : memref<4x4xi32>
      %y = arith.trunci %x : i32 to i8
      memref.store %y, %b[%i, %k] : memref<4x4xi8>
    }
  }
  call @print(%b) : (memref<4x4xi8>) -> ()
  return
}

// CHECK: run_time: 64
func.func @run_time() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %g = memref.get_global @number : memref<1xindex>
  %n = memref.load %g[%c0] : memref<1xindex>
  %a = memref.alloc() : memref<4x4xi32>
  %b = memref.alloc() : memref<4x4xi8>
  call @fill(%a) : (memref<4x4xi32>) -> ()
  scf.for %i = %c0 to %n step %c1 {
    scf.for %k = %c0 to %n step %c1 {
      %x = memref.load %a[%i, %k] : memref<4x4xi32>
      %y = arith.trunci %x : i32 to i8
      memref.store %y, %b[%i, %k] : memref<4x4xi8>
    }
  }
  call @print(%b) : (memref<4x4xi8>) -> ()
  return
}

// CHECK: vectors: 64
func.func @vectors() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<4x4xi32>
  %b = memref.alloc() : memref<4x4xi8>
  call @fill(%a) : (memref<4x4xi32>) -> ()
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %k = %c0 to %c4 step %c2 {
      %x = vector.load %a[%i, %k] : memref<4x4xi32>, vector<2xi32>
      %y = arith.trunci %x : vector<2xi32> to vector<2xi8>
      vector.store %y, %b[%i, %k] : memref<4x4xi8>, vector<2xi8>
    }
  }
  call @print(%b) : (memref<4x4xi8>) -> ()
  return
}

// One is read ahead of the store, the other one behind it.
// CHECK: in_branches: 64
func.func @in_branches() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<4x4xi32>
  %b = memref.alloc() : memref<4x4xi8>
  call @fill(%a) : (memref<4x4xi32>) -> ()
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %k = %c0 to %c4 step %c1 {
      %c = arith.cmpi slt, %i, %k : index
      scf.if %c {
        %x = memref.load %a[%i, %k] : memref<4x4xi32>
        %y = arith.trunci %x : i32 to i8
        memref.store %y, %b[%i, %k] : memref<4x4xi8>
      } else {
        %x = memref.load %a[%i, %k] : memref<4x4xi32>
        %s = arith.addi %x, %x : i32
        %y = arith.trunci %s : i32 to i8
        memref.store %y, %b[%i, %k] : memref<4x4xi8>
      }
    }
  }
  call @print(%b) : (memref<4x4xi8>) -> ()
  return
}

// CHECK: behind_store: 80
func.func @behind_store() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1 : i8
  %a = memref.alloc() : memref<4x4xi32>
  %b = memref.alloc() : memref<4x4xi8>
  call @fill(%a) : (memref<4x4xi32>) -> ()
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %k = %c0 to %c4 step %c1 {
      memref.store %one, %b[%i, %k] : memref<4x4xi8>
      %x = memref.load %a[%i, %k] : memref<4x4xi32>
      %y = arith.trunci %x : i32 to i8
      memref.store %y, %b[%i, %k] : memref<4x4xi8>
    }
  }
  call @print(%b) : (memref<4x4xi8>) -> ()
  return
}

func.func @main() {
  call @rows() : () -> ()
  call @columns() : () -> ()
  call @run_time() : () -> ()
  call @vectors() : () -> ()
  call @in_branches() : () -> ()
  call @behind_store() : () -> ()
  return
}
