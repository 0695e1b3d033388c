// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Results that the caller could provide: the upstream pass makes them arguments, and
// then they have places in the callers' arenas. (docs/berth-arena.md, results, says
// of which functions that is right.)
// REQUIRES: mlir, llvm-22
// RUN: %same-output --pipeline='buffer-results-to-out-params{hoist-static-allocs=true},berth-arena' \
// RUN:   --pipeline='buffer-results-to-out-params{hoist-static-allocs=true},berth-arena{poison=true}' \
// RUN:   %S/Inputs/prelude.mlir %s | FileCheck %s

// CHECK: layer: 32
func.func private @layer(%in: memref<8xi32>) -> memref<8xi32> {
  %t = memref.alloc() : memref<8xi32>
  %r = memref.alloc() : memref<8xi32>
  linalg.add ins(%in, %in : memref<8xi32>, memref<8xi32>) outs(%t : memref<8xi32>)
  linalg.add ins(%t, %in : memref<8xi32>, memref<8xi32>) outs(%r : memref<8xi32>)
  return %r : memref<8xi32>
}

// One of two, and an argument handed back: both are copied.
// CHECK: larger: 32
func.func private @larger(%in: memref<8xi32>, %is: i1) -> memref<8xi32> {
  %one = arith.constant 1 : i32
  %r = scf.if %is -> memref<8xi32> {
    %a = memref.alloc() : memref<8xi32>
    linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
    scf.yield %a : memref<8xi32>
  } else {
    scf.yield %in : memref<8xi32>
  }
  return %r : memref<8xi32>
}

// Of %x, the result of each call and what they are given.
// CHECK: main: 96
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %yes = arith.constant true
  %no = arith.constant false
  %ten = arith.constant 10 : i32
  %x = memref.alloc() : memref<8xi32>
  call @count(%x, %ten) : (memref<8xi32>, i32) -> ()
  %y = call @layer(%x) : (memref<8xi32>) -> memref<8xi32>
  call @show(%y) : (memref<8xi32>) -> ()
  %z = call @layer(%y) : (memref<8xi32>) -> memref<8xi32>
  call @show(%z) : (memref<8xi32>) -> ()
  scf.for %i = %c0 to %c3 step %c1 {
    %w = func.call @layer(%z) : (memref<8xi32>) -> memref<8xi32>
    func.call @show(%w) : (memref<8xi32>) -> ()
    %v = func.call @layer(%w) : (memref<8xi32>) -> memref<8xi32>
    func.call @show(%w) : (memref<8xi32>) -> ()
    func.call @show(%v) : (memref<8xi32>) -> ()
  }
  %p = call @larger(%z, %yes) : (memref<8xi32>, i1) -> memref<8xi32>
  %q = call @larger(%z, %no) : (memref<8xi32>, i1) -> memref<8xi32>
  call @show(%p) : (memref<8xi32>) -> ()
  call @show(%q) : (memref<8xi32>) -> ()
  call @show(%q) : (memref<8xi32>) -> ()
  return
}
