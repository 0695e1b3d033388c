// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 19 inlines what is refused behind 22.
// REQUIRES: llvm-22
// What passes behind Berth hide from berth-verify, and the ways out that
// docs/messages.md tells.

// In place is seen of loops, and no longer of blocks.
// RUN: split-file %s %t
// RUN: berth-opt %t/chain.mlir --pass-pipeline='builtin.module(berth-arena,convert-linalg-to-loops,berth-arena,berth-verify,convert-scf-to-cf)' -o /dev/null
// RUN: not berth-opt %t/chain.mlir --pass-pipeline='builtin.module(berth-arena,convert-linalg-to-loops,convert-scf-to-cf,berth-arena)' -o /dev/null 2>&1 | FileCheck %s --check-prefix=READ
// RUN: berth-opt %t/chain.mlir --pass-pipeline='builtin.module(berth-arena{in-place=false},convert-linalg-to-loops,convert-scf-to-cf,berth-arena)' -o /dev/null
// READ: error: reads a buffer whose bytes in the arena may have been overwritten by another buffer's [berth-E027]

// Frames that are inlined are seen of one call, and not of several in a loop.
// RUN: berth-opt %t/frame.mlir --pass-pipeline='builtin.module(berth-arena{frames=true},inline,berth-verify,berth-arena)' -o /dev/null
// RUN: berth-opt %t/frames.mlir --pass-pipeline='builtin.module(inline,berth-arena,berth-verify)' -o /dev/null
// RUN: berth-opt %t/frames.mlir --pass-pipeline='builtin.module(berth-arena{frames=true},berth-verify,inline)' -o /dev/null
// RUN: not berth-opt %t/frames.mlir --pass-pipeline='builtin.module(berth-arena{frames=true},inline,berth-verify)' -o /dev/null 2>&1 | FileCheck %s --check-prefix=READ

// A heap that is its whole arena.
// RUN: berth-opt %t/heap.mlir --pass-pipeline='builtin.module(berth-heap,canonicalize,berth-arena,berth-verify,berth-arena)' -o /dev/null
// RUN: not berth-opt %t/heap.mlir --pass-pipeline='builtin.module(berth-heap,berth-arena,canonicalize,berth-verify)' -o /dev/null 2>&1 | FileCheck %s --check-prefix=READ

// RUN: berth-opt --explain-error=E027 | FileCheck %s --check-prefix=EXPLAINED
// RUN: berth-opt --explain-error=E114 | FileCheck %s --check-prefix=EXPLAINED
// EXPLAINED: inline behind frames=true
// EXPLAINED-SAME: Ways out: {{.*}}inline before Berth

//--- chain.mlir
func.func @chain(%x: memref<16xf32>, %y: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  linalg.sqrt ins(%a : memref<16xf32>) outs(%b : memref<16xf32>)
  memref.copy %b, %y : memref<16xf32> to memref<16xf32>
  return
}
//--- frame.mlir
func.func private @chain(%x: memref<16xf32>, %y: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  linalg.sqrt ins(%a : memref<16xf32>) outs(%b : memref<16xf32>)
  memref.copy %b, %y : memref<16xf32> to memref<16xf32>
  return
}
func.func @caller(%x: memref<16xf32>) {
  %t = memref.alloc() : memref<16xf32>
  func.call @chain(%x, %t) : (memref<16xf32>, memref<16xf32>) -> ()
  return
}
//--- frames.mlir
func.func private @chain(%x: memref<16xf32>, %y: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  linalg.sqrt ins(%a : memref<16xf32>) outs(%b : memref<16xf32>)
  memref.copy %b, %y : memref<16xf32> to memref<16xf32>
  return
}
func.func private @twice(%x: memref<16xf32>, %y: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  func.call @chain(%x, %a) : (memref<16xf32>, memref<16xf32>) -> ()
  func.call @chain(%a, %y) : (memref<16xf32>, memref<16xf32>) -> ()
  return
}
func.func @caller(%x: memref<16xf32>, %y: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c1 = arith.constant 1 : index
  %t = memref.alloc() : memref<16xf32>
  scf.for %i = %c0 to %c8 step %c1 {
    func.call @chain(%x, %t) : (memref<16xf32>, memref<16xf32>) -> ()
    func.call @twice(%t, %x) : (memref<16xf32>, memref<16xf32>) -> ()
  }
  return
}
//--- heap.mlir
func.func @f(%x: memref<8xindex>, %y: memref<8xf32>, %z: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %n = memref.load %x[%i] : memref<8xindex>
    %m = memref.alloc(%n) : memref<?xindex>
    memref.store %n, %m[%c0] : memref<?xindex>
    %r = memref.load %m[%c0] : memref<?xindex>
    memref.store %r, %x[%i] : memref<8xindex>
  }
  %a = memref.alloc() : memref<8xf32>
  linalg.exp ins(%y : memref<8xf32>) outs(%a : memref<8xf32>)
  linalg.exp ins(%a : memref<8xf32>) outs(%z : memref<8xf32>)
  linalg.exp ins(%a : memref<8xf32>) outs(%y : memref<8xf32>)
  return
}
