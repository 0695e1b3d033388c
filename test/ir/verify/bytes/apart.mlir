// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not %berth-opt %s --pass-pipeline='builtin.module(berth-verify)' -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=error:

// %b lies in the second half of %a's bytes, and the loops read the first half.
// They take 2^28 steps, more than anybody runs: bounds of subscripts say it.
func.func @apart(%p: memref<1024xf32>, %q: memref<512xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c512 = arith.constant 512 : index
  %c262144 = arith.constant 262144 : index
  %c2048 = arith.constant 2048 : index
  %arena = memref.alloc() : memref<4096xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<4096xi8> to memref<1024xf32>
  memref.copy %p, %a : memref<1024xf32> to memref<1024xf32>
  %b = memref.view %arena[%c2048][] {berth.buffer = 1} : memref<4096xi8> to memref<512xf32>
  scf.for %r = %c0 to %c262144 step %c1 {
    scf.for %i = %c0 to %c512 step %c1 {
      %x = memref.load %a[%i] : memref<1024xf32>
      memref.store %x, %b[%i] : memref<512xf32>
    }
  }
  memref.copy %b, %q : memref<512xf32> to memref<512xf32>
  memref.dealloc %arena : memref<4096xi8>
  return
}

// One element farther on: the last one that is read is the first of %b.
func.func @meets(%p: memref<1024xf32>, %q: memref<512xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c512 = arith.constant 512 : index
  %c262144 = arith.constant 262144 : index
  %c2048 = arith.constant 2048 : index
  %arena = memref.alloc() : memref<4096xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<4096xi8> to memref<1024xf32>
  memref.copy %p, %a : memref<1024xf32> to memref<1024xf32>
  %b = memref.view %arena[%c2048][] {berth.buffer = 1} : memref<4096xi8> to memref<512xf32>
  scf.for %r = %c0 to %c262144 step %c1 {
    scf.for %i = %c0 to %c512 step %c1 {
      %k = arith.addi %i, %c1 : index
      // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: reads a buffer whose bytes
      %x = memref.load %a[%k] : memref<1024xf32>
      memref.store %x, %b[%i] : memref<512xf32>
    }
  }
  memref.copy %b, %q : memref<512xf32> to memref<512xf32>
  memref.dealloc %arena : memref<4096xi8>
  return
}
