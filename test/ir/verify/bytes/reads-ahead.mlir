// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not %berth-opt %s --pass-pipeline='builtin.module(berth-verify)' -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=error:

// Loops that write %b over what they read of %a, at any distance: right if they
// read each byte before they write there.

// From the first element on: up to 3 bytes behind the input's start.
func.func @narrows(%p: memref<64xf32>, %q: memref<64xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  %arena = memref.alloc() : memref<256xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<256xi8> to memref<64xf32>
  %b = memref.view %arena[%c3][] {berth.buffer = 1} : memref<256xi8> to memref<64xi8>
  memref.copy %p, %a : memref<64xf32> to memref<64xf32>
  scf.for %i = %c0 to %c64 step %c1 {
    %x = memref.load %a[%i] : memref<64xf32>
    %y = arith.fptosi %x : f32 to i8
    memref.store %y, %b[%i] : memref<64xi8>
  }
  memref.copy %b, %q : memref<64xi8> to memref<64xi8>
  memref.dealloc %arena : memref<256xi8>
  return
}

func.func @one_byte_too_far(%p: memref<64xf32>, %q: memref<64xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %arena = memref.alloc() : memref<256xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<256xi8> to memref<64xf32>
  %b = memref.view %arena[%c4][] {berth.buffer = 1} : memref<256xi8> to memref<64xi8>
  memref.copy %p, %a : memref<64xf32> to memref<64xf32>
  scf.for %i = %c0 to %c64 step %c1 {
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: reads a buffer whose bytes
    %x = memref.load %a[%i] : memref<64xf32>
    %y = arith.fptosi %x : f32 to i8
    memref.store %y, %b[%i] : memref<64xi8>
  }
  memref.copy %b, %q : memref<64xi8> to memref<64xi8>
  memref.dealloc %arena : memref<256xi8>
  return
}

// What the loops write they may read; what they have written over is spoilt once
// they have ended.
func.func @adds_up(%p: memref<8x8xf32>, %q: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %arena = memref.alloc() : memref<288xi8>
  %c32 = arith.constant 32 : index
  %a = memref.view %arena[%c32][] {berth.buffer = 0} : memref<288xi8> to memref<8x8xf32>
  %b = memref.view %arena[%c32][] {berth.buffer = 1} : memref<288xi8> to memref<8xf32>
  %before = memref.view %arena[%c0][] {berth.buffer = 2} : memref<288xi8> to memref<8xf32>
  memref.copy %p, %a : memref<8x8xf32> to memref<8x8xf32>
  scf.for %i = %c0 to %c8 step %c1 {
    memref.store %zero, %before[%i] : memref<8xf32>
    scf.for %j = %c0 to %c8 step %c1 {
      %x = memref.load %a[%i, %j] : memref<8x8xf32>
      %sum = memref.load %before[%i] : memref<8xf32>
      %more = arith.addf %x, %sum : f32
      memref.store %more, %before[%i] : memref<8xf32>
    }
  }
  memref.copy %before, %q : memref<8xf32> to memref<8xf32>
  scf.for %i = %c0 to %c8 step %c1 {
    memref.store %zero, %b[%i] : memref<8xf32>
    scf.for %j = %c0 to %c8 step %c1 {
      // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: reads a buffer whose bytes
      %x = memref.load %a[%i, %j] : memref<8x8xf32>
      %sum = memref.load %b[%i] : memref<8xf32>
      %more = arith.addf %x, %sum : f32
      memref.store %more, %b[%i] : memref<8xf32>
    }
  }
  memref.copy %b, %q : memref<8xf32> to memref<8xf32>
  memref.dealloc %arena : memref<288xi8>
  return
}

func.func @read_later(%p: memref<64xf32>, %q: memref<64xi8>, %r: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %arena = memref.alloc() : memref<256xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<256xi8> to memref<64xf32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<256xi8> to memref<64xi8>
  memref.copy %p, %a : memref<64xf32> to memref<64xf32>
  scf.for %i = %c0 to %c64 step %c1 {
    %x = memref.load %a[%i] : memref<64xf32>
    %y = arith.fptosi %x : f32 to i8
    memref.store %y, %b[%i] : memref<64xi8>
  }
  memref.copy %b, %q : memref<64xi8> to memref<64xi8>
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: reads a buffer whose bytes
  memref.copy %a, %r : memref<64xf32> to memref<64xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// In no order, by a value that is not known, and under a condition: the write
// may happen.
func.func @unordered(%p: memref<64xf32>, %q: memref<64xi8>, %n: index, %k: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0 : i8
  %arena = memref.alloc() : memref<256xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<256xi8> to memref<64xf32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<256xi8> to memref<64xi8>
  memref.copy %p, %a : memref<64xf32> to memref<64xf32>
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: reads a buffer whose bytes
    %x = memref.load %a[%i] : memref<64xf32>
    %y = arith.fptosi %x : f32 to i8
    memref.store %y, %b[%i] : memref<64xi8>
  }
  memref.copy %b, %q : memref<64xi8> to memref<64xi8>
  memref.copy %p, %a : memref<64xf32> to memref<64xf32>
  // (How many turns there are nobody need know: narrower.mlir.)
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<64xf32>
    %y = arith.fptosi %x : f32 to i8
    memref.store %y, %b[%i] : memref<64xi8>
  }
  // Without any turn it is as it was, spoilt.
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: reads a buffer whose bytes
  memref.copy %b, %q : memref<64xi8> to memref<64xi8>
  memref.copy %p, %a : memref<64xf32> to memref<64xf32>
  scf.for %i = %c0 to %c64 step %c1 {
    scf.if %k {
      memref.store %zero, %b[%i] : memref<64xi8>
    }
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: reads a buffer whose bytes
    %x = memref.load %a[%i] : memref<64xf32>
    %y = arith.fptosi %x : f32 to i8
    memref.store %y, %b[%i] : memref<64xi8>
  }
  memref.copy %b, %q : memref<64xi8> to memref<64xi8>
  memref.dealloc %arena : memref<256xi8>
  return
}

// A loop without turns spoils nothing at its end, nor does one around it.
func.func @no_turns(%p: memref<64xf32>, %q: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0 : i8
  %arena = memref.alloc() : memref<256xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<256xi8> to memref<64xf32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<256xi8> to memref<256xi8>
  memref.copy %p, %a : memref<64xf32> to memref<64xf32>
  affine.for %i = 3 to 3 {
    %x = memref.load %a[%i] : memref<64xf32>
    affine.for %k = 0 to 256 {
      affine.store %zero, %b[%k] : memref<256xi8>
    }
  }
  scf.for %k = %c0 to %c2 step %c1 {
    affine.for %i = 3 to 3 {
      %x = memref.load %a[%i] : memref<64xf32>
      affine.store %zero, %b[%i] : memref<256xi8>
    }
  }
  memref.copy %a, %q : memref<64xf32> to memref<64xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

func.func @one_turn(%p: memref<64xf32>, %q: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i8
  %arena = memref.alloc() : memref<256xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<256xi8> to memref<64xf32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<256xi8> to memref<256xi8>
  memref.copy %p, %a : memref<64xf32> to memref<64xf32>
  affine.for %i = 3 to 4 {
    %x = memref.load %a[%i] : memref<64xf32>
    affine.for %k = 0 to 256 {
      affine.store %zero, %b[%k] : memref<256xi8>
    }
  }
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: reads a buffer whose bytes
  memref.copy %a, %q : memref<64xf32> to memref<64xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}
