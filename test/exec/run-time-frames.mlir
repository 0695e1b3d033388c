// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A frame is as long as the call's operands say; one that goes by another operand is
// too short, and berth-verify says so.
// RUN: %same-output --pipeline='berth-arena{frames=true}' --pipeline='berth-arena{frames=true poison=true}' --pipeline='berth-arena{frames=true arena=alloca}' --pipeline='berth-arena{frames=true size-checks=false poison=true}' --differs='berth-arena{frames=true verify=false test-break-rule=any-operand}' %s
// RUN: not %mlir-opt-berth %s -o %t.out --pass-pipeline='builtin.module(berth-arena{frames=true test-break-rule=any-operand})' 2>&1 | FileCheck %s --check-prefix=REFUSED
// REFUSED: error: hands a frame to a function that has a buffer there of which it is not proved that it ends in it
// REFUSED: note: this buffer

// The sums of what lies behind x[i], in y[i]. Two buffers, so that the frame is larger
// than what the caller keeps, which then lies above it.
func.func private @sums(%x: memref<?xi32>, %y: memref<?xi32>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %t = memref.alloc(%m) : memref<?xi32>
  memref.copy %x, %t : memref<?xi32> to memref<?xi32>
  %u = memref.alloc(%m) : memref<?xi32>
  scf.for %i = %c0 to %m step %c1 {
    %s = scf.for %k = %i to %m step %c1 iter_args(%s = %zero) -> (i32) {
      %v = memref.load %t[%k] : memref<?xi32>
      %w = arith.addi %s, %v : i32
      scf.yield %w : i32
    }
    memref.store %s, %u[%i] : memref<?xi32>
  }
  scf.for %i = %c0 to %m step %c1 {
    %v = memref.load %t[%i] : memref<?xi32>
    %s = memref.load %u[%i] : memref<?xi32>
    %w = arith.addi %v, %s : i32
    memref.store %w, %y[%i] : memref<?xi32>
  }
  return
}

// Twice, through buffers of its own; %kept is wanted behind the calls.
func.func private @twice(%x: memref<?xi32>, %y: memref<?xi32>, %m: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%m) : memref<?xi32>
  %kept = memref.alloc(%m) : memref<?xi32>
  memref.copy %x, %kept : memref<?xi32> to memref<?xi32>
  call @sums(%x, %a, %n, %m) : (memref<?xi32>, memref<?xi32>, index, index) -> ()
  call @sums(%a, %y, %n, %m) : (memref<?xi32>, memref<?xi32>, index, index) -> ()
  scf.for %i = %c0 to %m step %c1 {
    %v = memref.load %y[%i] : memref<?xi32>
    %k = memref.load %kept[%i] : memref<?xi32>
    %w = arith.addi %v, %k : i32
    memref.store %w, %y[%i] : memref<?xi32>
  }
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %x = memref.alloc(%c8) : memref<?xi32>
  %y = memref.alloc(%c8) : memref<?xi32>
  scf.for %i = %c0 to %c8 step %c1 {
    %k = arith.index_cast %i : index to i32
    memref.store %k, %x[%i] : memref<?xi32>
  }
  call @twice(%x, %y, %c8, %c1) : (memref<?xi32>, memref<?xi32>, index, index) -> ()
  %v = vector.load %y[%c0] : memref<?xi32>, vector<8xi32>
  vector.print %v : vector<8xi32>
  return
}
