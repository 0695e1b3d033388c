// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is planned, put into a heap and planned again prints what it did, with
// and without sizes that are known at run time only.
// RUN: %same-output --pipeline='berth-arena,berth-heap,berth-arena' --pipeline='berth-arena,berth-heap{allocations=all},berth-arena{poison=true}' --pipeline='berth-arena,berth-heap{allocations=all},canonicalize,cse,berth-arena,berth-verify' --pipeline='berth-heap{size=4096},berth-arena,berth-heap{allocations=all},berth-arena' %s | FileCheck %s
// CHECK: {{[0-9]+}} lines

// A first run that gets it wrong is seen through the heap, and prints else.
// RUN: not berth-opt %s --pass-pipeline='builtin.module(berth-arena{verify=false test-break-rule=in-any-order},berth-heap{allocations=all},berth-arena)' -o /dev/null 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: not %same-output --pipeline='berth-arena{verify=false test-break-rule=in-any-order},berth-heap{allocations=all},berth-arena{verify=false}' %s 2>&1 | FileCheck %s --check-prefix=DIFFERS
// WRONG: error: reads a buffer while it writes another one that has bytes of the arena in common with it
// DIFFERS: the output differs after

func.func private @show(%m: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %e = memref.load %m[%i] : memref<?xf32>
    vector.print %e : f32
  }
  return
}

func.func private @dynamic(%n: index, %x: memref<?xf32>) {
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  linalg.exp ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
  linalg.exp ins(%a : memref<?xf32>) outs(%b : memref<?xf32>)
  memref.copy %b, %x : memref<?xf32> to memref<?xf32>
  return
}

func.func private @static(%x: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %c = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  linalg.sqrt ins(%a : memref<8xf32>) outs(%b : memref<8xf32>)
  linalg.add ins(%a, %x : memref<8xf32>, memref<8xf32>) outs(%c : memref<8xf32>)
  linalg.sub ins(%c, %b : memref<8xf32>, memref<8xf32>) outs(%x : memref<8xf32>)
  return
}

func.func private @turned(%x: memref<2x4xf32>, %y: memref<4x2xf32>) {
  %a = memref.alloc() : memref<2x4xf32>
  %b = memref.alloc() : memref<4x2xf32>
  linalg.exp ins(%x : memref<2x4xf32>) outs(%a : memref<2x4xf32>)
  linalg.transpose ins(%a : memref<2x4xf32>) outs(%b : memref<4x2xf32>) permutation = [1, 0]
  memref.copy %b, %y : memref<4x2xf32> to memref<4x2xf32>
  return
}

func.func @main() {
  %n = arith.constant 5 : index
  %half = arith.constant 0.5 : f32
  %x = memref.alloc(%n) : memref<?xf32>
  %y = memref.alloc() : memref<8xf32>
  linalg.fill ins(%half : f32) outs(%x : memref<?xf32>)
  linalg.fill ins(%half : f32) outs(%y : memref<8xf32>)
  call @dynamic(%n, %x) : (index, memref<?xf32>) -> ()
  call @static(%y) : (memref<8xf32>) -> ()
  %c1 = arith.constant 1 : index
  memref.store %half, %y[%c1] : memref<8xf32>
  %wide = memref.expand_shape %y [[0, 1]] output_shape [2, 4] : memref<8xf32> into memref<2x4xf32>
  %long = memref.expand_shape %y [[0, 1]] output_shape [4, 2] : memref<8xf32> into memref<4x2xf32>
  call @turned(%wide, %long) : (memref<2x4xf32>, memref<4x2xf32>) -> ()
  %c8 = arith.constant 8 : index
  %z = memref.cast %y : memref<8xf32> to memref<?xf32>
  call @show(%x, %n) : (memref<?xf32>, index) -> ()
  call @show(%z, %c8) : (memref<?xf32>, index) -> ()
  memref.dealloc %x : memref<?xf32>
  memref.dealloc %y : memref<8xf32>
  return
}
