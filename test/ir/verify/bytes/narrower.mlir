// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not %berth-opt %s --pass-pipeline='builtin.module(berth-verify)' -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=error:

// Loops of unknown bounds that write narrower elements over those that they have
// read, in the order of memory.
func.func @behind(%p: memref<8x8xf32>, %q: memref<8x8xi8>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %arena = memref.alloc() : memref<256xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<256xi8> to memref<8x8xf32>
  %b = memref.view %arena[%c3][] {berth.buffer = 1} : memref<256xi8> to memref<8x8xi8>
  memref.copy %p, %a : memref<8x8xf32> to memref<8x8xf32>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %k = %c0 to %n step %c1 {
      %x = memref.load %a[%i, %k] : memref<8x8xf32>
      %y = arith.fptosi %x : f32 to i8
      memref.store %y, %b[%i, %k] : memref<8x8xi8>
    }
  }
  %v = memref.load %b[%c0, %c0] : memref<8x8xi8>
  memref.store %v, %q[%c0, %c0] : memref<8x8xi8>
  memref.dealloc %arena : memref<256xi8>
  return
}

func.func @one_byte_too_far(%p: memref<8x8xf32>, %q: memref<8x8xi8>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %arena = memref.alloc() : memref<256xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<256xi8> to memref<8x8xf32>
  %b = memref.view %arena[%c4][] {berth.buffer = 1} : memref<256xi8> to memref<8x8xi8>
  memref.copy %p, %a : memref<8x8xf32> to memref<8x8xf32>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %k = %c0 to %n step %c1 {
      // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: reads a buffer whose bytes
      %x = memref.load %a[%i, %k] : memref<8x8xf32>
      %y = arith.fptosi %x : f32 to i8
      memref.store %y, %b[%i, %k] : memref<8x8xi8>
    }
  }
  memref.dealloc %arena : memref<256xi8>
  return
}

func.func @by_columns(%p: memref<8x8xf32>, %q: memref<8x8xi8>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memref.alloc() : memref<256xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<256xi8> to memref<8x8xf32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<256xi8> to memref<8x8xi8>
  memref.copy %p, %a : memref<8x8xf32> to memref<8x8xf32>
  scf.for %k = %c0 to %n step %c1 {
    scf.for %i = %c0 to %n step %c1 {
      // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: reads a buffer whose bytes
      %x = memref.load %a[%i, %k] : memref<8x8xf32>
      %y = arith.fptosi %x : f32 to i8
      memref.store %y, %b[%i, %k] : memref<8x8xi8>
    }
  }
  memref.dealloc %arena : memref<256xi8>
  return
}

// As some pass may have made it.
func.func @in_parallel(%p: memref<8x8xf32>, %q: memref<8x8xi8>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memref.alloc() : memref<256xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<256xi8> to memref<8x8xf32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<256xi8> to memref<8x8xi8>
  memref.copy %p, %a : memref<8x8xf32> to memref<8x8xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    scf.for %k = %c0 to %n step %c1 {
      // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: reads a buffer whose bytes
      %x = memref.load %a[%i, %k] : memref<8x8xf32>
      %y = arith.fptosi %x : f32 to i8
      memref.store %y, %b[%i, %k] : memref<8x8xi8>
    }
  }
  memref.dealloc %arena : memref<256xi8>
  return
}

// The next element, read behind the store; and a subscript that jumps.
func.func @reads_ahead(%p: memref<64xf32>, %r: memref<8xindex>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memref.alloc() : memref<256xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<256xi8> to memref<64xf32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<256xi8> to memref<64xi8>
  memref.copy %p, %a : memref<64xf32> to memref<64xf32>
  scf.for %i = %c0 to %n step %c1 {
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: reads a buffer whose bytes
    %x = memref.load %a[%i] : memref<64xf32>
    %y = arith.fptosi %x : f32 to i8
    memref.store %y, %b[%i] : memref<64xi8>
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: reads a buffer whose bytes
    %again = memref.load %a[%i] : memref<64xf32>
  }
  memref.copy %p, %a : memref<64xf32> to memref<64xf32>
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %r[%i] : memref<8xindex>
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: reads a buffer whose bytes
    %x = memref.load %a[%k] : memref<64xf32>
    %y = arith.fptosi %x : f32 to i8
    memref.store %y, %b[%k] : memref<64xi8>
  }
  memref.dealloc %arena : memref<256xi8>
  return
}
