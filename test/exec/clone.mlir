// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %same-output --pipeline='berth-arena{never-worse=false}' \
// RUN:   --pipeline='berth-arena{never-worse=false poison=true}' %S/Inputs/prelude.mlir %s | FileCheck %s
// Allocations that copy: the deallocation passes put clones where they cannot
// tell who owns a buffer.

// The clone is what is left of %a; %t may take the bytes behind its last use.
// CHECK-LABEL: outlives: 32
func.func @outlives() {
  %one = arith.constant 1 : i32
  %nine = arith.constant 9 : i32
  %a = memref.alloc() : memref<8xi32>
  func.call @count(%a, %one) : (memref<8xi32>, i32) -> ()
  %b = bufferization.clone %a : memref<8xi32> to memref<8xi32>
  memref.dealloc %a : memref<8xi32>
  call @show(%b) : (memref<8xi32>) -> ()
  memref.dealloc %b : memref<8xi32>
  %t = memref.alloc() : memref<8xi32>
  linalg.fill ins(%nine : i32) outs(%t : memref<8xi32>)
  call @show(%t) : (memref<8xi32>) -> ()
  memref.dealloc %t : memref<8xi32>
  return
}

// Until then it may not: canonicalisation may drop the clone and read %a.
// CHECK-LABEL: in_use: 64
func.func @in_use() {
  %one = arith.constant 1 : i32
  %nine = arith.constant 9 : i32
  %a = memref.alloc() : memref<8xi32>
  func.call @count(%a, %one) : (memref<8xi32>, i32) -> ()
  %b = bufferization.clone %a : memref<8xi32> to memref<8xi32>
  memref.dealloc %a : memref<8xi32>
  %t = memref.alloc() : memref<8xi32>
  linalg.fill ins(%nine : i32) outs(%t : memref<8xi32>)
  call @show(%t) : (memref<8xi32>) -> ()
  memref.dealloc %t : memref<8xi32>
  call @show(%b) : (memref<8xi32>) -> ()
  memref.dealloc %b : memref<8xi32>
  return
}

// One that a loop hands on, as ownership-based deallocation writes it.
// CHECK-LABEL: carried: 32
func.func @carried() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1 : i32
  %a = memref.alloc() : memref<8xi32>
  func.call @count(%a, %one) : (memref<8xi32>, i32) -> ()
  %first = bufferization.clone %a : memref<8xi32> to memref<8xi32>
  %last = scf.for %i = %c0 to %c3 step %c1 iter_args(%m = %first) -> (memref<8xi32>) {
    %n = bufferization.clone %m : memref<8xi32> to memref<8xi32>
    memref.dealloc %m : memref<8xi32>
    memref.store %one, %n[%i] : memref<8xi32>
    scf.yield %n : memref<8xi32>
  }
  memref.dealloc %a : memref<8xi32>
  call @show(%last) : (memref<8xi32>) -> ()
  memref.dealloc %last : memref<8xi32>
  return
}

func.func @main() {
  call @outlives() : () -> ()
  call @in_use() : () -> ()
  call @carried() : () -> ()
  return
}
