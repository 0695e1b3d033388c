// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An arena is freed behind its last use, so what the function allocates for itself
// from there on may have its memory.
// REQUIRES: mlir
// RUN: %same-output %S/Inputs/prelude.mlir %s | FileCheck %s
// RUN: cat %S/Inputs/prelude.mlir %s > %t.mlir
// RUN: %mlir-opt-berth %t.mlir --pass-pipeline='builtin.module(berth-arena)' | FileCheck %s --check-prefix=PLANNED
// RUN: not %mlir-opt-berth %t.mlir --pass-pipeline='builtin.module(berth-arena{test-break-rule=early-end})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=BROKEN
// BROKEN: error: uses a buffer whose arena has been freed
// BROKEN: note: here

// CHECK: result: 32
// PLANNED-LABEL: @result
// PLANNED-COUNT-2: linalg.add
// PLANNED:         linalg.mul
// PLANNED-NEXT:    memref.dealloc
// PLANNED-NEXT:    memref.alloc
func.func private @result() -> (memref<8xi32>, memref<8xi32>) {
  %one = arith.constant 1 : i32
  %a = memref.alloc() : memref<8xi32>
  %r = memref.alloc() : memref<8xi32>
  %s = memref.alloc() : memref<8xi32>
  call @count(%a, %one) : (memref<8xi32>, i32) -> ()
  linalg.add ins(%a, %a : memref<8xi32>, memref<8xi32>) outs(%r : memref<8xi32>)
  linalg.add ins(%r, %r : memref<8xi32>, memref<8xi32>) outs(%s : memref<8xi32>)
  memref.dealloc %r : memref<8xi32>
  memref.dealloc %a : memref<8xi32>
  %u = memref.alloc() : memref<8xi32>
  linalg.mul ins(%s, %s : memref<8xi32>, memref<8xi32>) outs(%u : memref<8xi32>)
  memref.dealloc %s : memref<8xi32>
  %w = memref.alloc() : memref<8xi32>
  linalg.add ins(%u, %u : memref<8xi32>, memref<8xi32>) outs(%w : memref<8xi32>)
  return %u, %w : memref<8xi32>, memref<8xi32>
}

// What a loop hands on may be the arena's, and is used last.
// CHECK: handed_on: 64
// PLANNED-LABEL: @handed_on
// PLANNED:         call @show
// PLANNED-NEXT:    memref.dealloc
func.func @handed_on() {
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  call @count(%a, %one) : (memref<8xi32>, i32) -> ()
  call @count(%b, %one) : (memref<8xi32>, i32) -> ()
  %x, %y = scf.for %i = %c0 to %c3 step %c1 iter_args(%p = %a, %q = %b) -> (memref<8xi32>, memref<8xi32>) {
    linalg.add ins(%p, %q : memref<8xi32>, memref<8xi32>) outs(%q : memref<8xi32>)
    scf.yield %q, %p : memref<8xi32>, memref<8xi32>
  }
  vector.print str "behind the loop\n"
  call @show(%x) : (memref<8xi32>) -> ()
  return
}

func.func @main() {
  %s:2 = call @result() : () -> (memref<8xi32>, memref<8xi32>)
  call @show(%s#1) : (memref<8xi32>) -> ()
  memref.dealloc %s#0 : memref<8xi32>
  memref.dealloc %s#1 : memref<8xi32>
  call @handed_on() : () -> ()
  return
}
