// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function whose allocations stay, since they take fewer bytes at once than an arena
// would, computes the same, and so does one that has to have an arena.
// REQUIRES: mlir
// RUN: %same-output --pipeline='berth-arena' --pipeline='berth-arena{never-worse=false poison=true}' %S/Inputs/prelude.mlir %s | FileCheck %s --check-prefix=ALONE
// RUN: %same-output --pipeline='berth-arena{never-worse=false poison=true}' %S/Inputs/prelude.mlir %s | FileCheck %s --check-prefix=MADE

// ALONE-NOT: late:
// MADE:      late: 32
func.func private @late() -> memref<8xi32> {
  %one = arith.constant 1 : i32
  %c7 = arith.constant 7 : index
  %a = memref.alloc() : memref<8xi32>
  call @count(%a, %one) : (memref<8xi32>, i32) -> ()
  %s = memref.load %a[%c7] : memref<8xi32>
  memref.dealloc %a : memref<8xi32>
  %r = memref.alloc() : memref<8xi32>
  call @count(%r, %s) : (memref<8xi32>, i32) -> ()
  %b = memref.alloc() : memref<1xi32>
  %c0 = arith.constant 0 : index
  memref.store %s, %b[%c0] : memref<1xi32>
  %t = memref.load %b[%c0] : memref<1xi32>
  memref.store %t, %r[%c0] : memref<8xi32>
  memref.dealloc %b : memref<1xi32>
  return %r : memref<8xi32>
}

func.func @main() {
  %r = call @late() : () -> memref<8xi32>
  call @show(%r) : (memref<8xi32>) -> ()
  memref.dealloc %r : memref<8xi32>
  return
}
