// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not %berth-opt %s --pass-pipeline='builtin.module(berth-verify)' -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=error:

// Loops over tiles write %b over what they read of %a: subscripts are sums of
// variables, the last tile is what is left, and a tile may be a view.

#last = affine_map<(d0) -> (4, 10 - d0)>

func.func @right(%p: memref<10xf32>, %q: memref<10xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c10 = arith.constant 10 : index
  %arena = memref.alloc() : memref<40xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<40xi8> to memref<10xf32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<40xi8> to memref<10xf32>
  memref.copy %p, %a : memref<10xf32> to memref<10xf32>
  scf.parallel (%t) = (%c0) to (%c10) step (%c4) {
    %n = affine.min #last(%t)
    %at = memref.subview %a[%t] [%n] [1] : memref<10xf32> to memref<?xf32, strided<[1], offset: ?>>
    scf.parallel (%i) = (%c0) to (%n) step (%c1) {
      %x = memref.load %at[%i] : memref<?xf32, strided<[1], offset: ?>>
      %y = arith.addf %x, %x : f32
      %k = arith.addi %t, %i : index
      memref.store %y, %b[%k] : memref<10xf32>
    }
  }
  memref.copy %b, %q : memref<10xf32> to memref<10xf32>
  memref.dealloc %arena : memref<40xi8>
  return
}

// A tile reads the first element of the next one, which may have come before.
func.func @reads_next_tile(%p: memref<10xf32>, %q: memref<10xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c9 = arith.constant 9 : index
  %c10 = arith.constant 10 : index
  %arena = memref.alloc() : memref<40xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<40xi8> to memref<10xf32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<40xi8> to memref<10xf32>
  memref.copy %p, %a : memref<10xf32> to memref<10xf32>
  scf.parallel (%t) = (%c0) to (%c10) step (%c5) {
    scf.for %i = %c0 to %c5 step %c1 {
      %k = arith.addi %t, %i : index
      %m = arith.addi %k, %c1 : index
      %n = arith.minsi %m, %c9 : index
      // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: reads a buffer whose bytes
      %x = memref.load %a[%n] : memref<10xf32>
      memref.store %x, %b[%k] : memref<10xf32>
    }
  }
  memref.copy %b, %q : memref<10xf32> to memref<10xf32>
  memref.dealloc %arena : memref<40xi8>
  return
}

// In a loop whose turns follow each other that is right.
func.func @in_turn(%p: memref<10xf32>, %q: memref<10xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c9 = arith.constant 9 : index
  %c10 = arith.constant 10 : index
  %arena = memref.alloc() : memref<40xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<40xi8> to memref<10xf32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<40xi8> to memref<10xf32>
  memref.copy %p, %a : memref<10xf32> to memref<10xf32>
  scf.for %t = %c0 to %c10 step %c5 {
    scf.for %i = %c0 to %c5 step %c1 {
      %k = arith.addi %t, %i : index
      %m = arith.addi %k, %c1 : index
      %n = arith.minsi %m, %c9 : index
      %x = memref.load %a[%n] : memref<10xf32>
      memref.store %x, %b[%k] : memref<10xf32>
    }
  }
  memref.copy %b, %q : memref<10xf32> to memref<10xf32>
  memref.dealloc %arena : memref<40xi8>
  return
}

// Tiles that overlap: the second one reads what the first one has written.
func.func @long_tiles(%p: memref<12xf32>, %q: memref<12xf32>) {
  %arena = memref.alloc() : memref<48xi8>
  %c0 = arith.constant 0 : index
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<48xi8> to memref<12xf32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<48xi8> to memref<12xf32>
  memref.copy %p, %a : memref<12xf32> to memref<12xf32>
  affine.for %t = 0 to 12 step 4 {
    affine.for %i = affine_map<(d0) -> (d0)>(%t) to min affine_map<(d0) -> (d0 + 5, 12)>(%t) {
      // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: reads a buffer whose bytes
      %x = affine.load %a[%i] : memref<12xf32>
      affine.store %x, %b[%i] : memref<12xf32>
    }
  }
  memref.copy %b, %q : memref<12xf32> to memref<12xf32>
  memref.dealloc %arena : memref<48xi8>
  return
}

// The same with tiles that do not, and with a branch instead of the last one.
func.func @branch(%p: memref<10xf32>, %q: memref<10xf32>) {
  %arena = memref.alloc() : memref<40xi8>
  %c0 = arith.constant 0 : index
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<40xi8> to memref<10xf32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<40xi8> to memref<10xf32>
  memref.copy %p, %a : memref<10xf32> to memref<10xf32>
  affine.parallel (%t) = (0) to (10) step (4) {
    affine.for %i = 0 to 4 {
      affine.if affine_set<(d0, d1) : (9 - d0 - d1 >= 0)>(%t, %i) {
        %x = affine.load %a[%t + %i] : memref<10xf32>
        affine.store %x, %b[%t + %i] : memref<10xf32>
      }
    }
  }
  memref.copy %b, %q : memref<10xf32> to memref<10xf32>
  memref.dealloc %arena : memref<40xi8>
  return
}

// The part that is read begins an element behind the one that is written.
func.func @shifted_part(%p: memref<12xf32>, %q: memref<8xf32>) {
  %arena = memref.alloc() : memref<48xi8>
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<48xi8> to memref<12xf32>
  %b = memref.view %arena[%c8][] {berth.buffer = 1} : memref<48xi8> to memref<8xf32>
  memref.copy %p, %a : memref<12xf32> to memref<12xf32>
  affine.for %t = 0 to 8 step 4 {
    %part = memref.subview %a[%t] [4] [1] : memref<12xf32> to memref<4xf32, strided<[1], offset: ?>>
    %rows = memref.expand_shape %part [[0, 1]] output_shape [2, 2] : memref<4xf32, strided<[1], offset: ?>> into memref<2x2xf32, strided<[2, 1], offset: ?>>
    affine.for %i = 0 to 2 {
      affine.for %j = 0 to 2 {
        // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: reads a buffer whose bytes
        %x = affine.load %rows[%i, %j] : memref<2x2xf32, strided<[2, 1], offset: ?>>
        affine.store %x, %b[%t + 2 * %i + %j] : memref<8xf32>
      }
    }
  }
  memref.copy %b, %q : memref<8xf32> to memref<8xf32>
  memref.dealloc %arena : memref<48xi8>
  return
}

// Through the first two rows of what is read, by another layout: two elements
// ahead of the write.
func.func @layouts(%p: memref<12xf32>, %q: memref<8xf32>) {
  %arena = memref.alloc() : memref<48xi8>
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<48xi8> to memref<12xf32>
  %b = memref.view %arena[%c8][] {berth.buffer = 1} : memref<48xi8> to memref<8xf32>
  memref.copy %p, %a : memref<12xf32> to memref<12xf32>
  %late = memref.reinterpret_cast %a to offset: [2], sizes: [2, 4], strides: [4, 1] : memref<12xf32> to memref<2x4xf32, strided<[4, 1], offset: 2>>
  %any = memref.cast %late : memref<2x4xf32, strided<[4, 1], offset: 2>> to memref<?x?xf32, strided<[?, ?], offset: ?>>
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 4 {
      %x = affine.load %any[%i, %j] : memref<?x?xf32, strided<[?, ?], offset: ?>>
      affine.store %x, %b[4 * %i + %j] : memref<8xf32>
    }
  }
  memref.copy %b, %q : memref<8xf32> to memref<8xf32>
  memref.dealloc %arena : memref<48xi8>
  return
}
