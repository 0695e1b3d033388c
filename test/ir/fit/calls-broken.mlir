// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a function may do with memory elsewhere is looked at in the function: without that
// a loop would begin with memory of another type than it hands on, and MLIR refuses it.
// RUN: not %berth-opt %s --pass-pipeline='builtin.module(berth-fit{space=default backing=77 capacity=32 access=1 test-break-rule=any-callee})' 2>&1 | FileCheck %s --check-prefix=BROKEN
// BROKEN: error: 'scf.for' op
// RUN: not %berth-opt %s --pass-pipeline='builtin.module(berth-fit{space=default backing=77 capacity=32 access=1})' 2>&1 | FileCheck %s
// CHECK: error: what this op uses has to be in default together with what stays there: 64 bytes, the capacity is 32
// CHECK: (an op needs it in the memory that it is in (scf.for at line 13))

func.func private @handed(%m: memref<8xi32>, %p: memref<8xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %m, %y = %p) -> (memref<8xi32>, memref<8xi32>) {
    linalg.add ins(%x, %y : memref<8xi32>, memref<8xi32>) outs(%x : memref<8xi32>)
    scf.yield %y, %x : memref<8xi32>, memref<8xi32>
  }
  return
}

func.func @f(%x: memref<8xi32, 77>, %n: index) {
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  linalg.add ins(%x, %x : memref<8xi32, 77>, memref<8xi32, 77>) outs(%a : memref<8xi32>)
  linalg.add ins(%x, %x : memref<8xi32, 77>, memref<8xi32, 77>) outs(%b : memref<8xi32>)
  func.call @handed(%a, %b, %n) : (memref<8xi32>, memref<8xi32>, index) -> ()
  linalg.add ins(%a, %b : memref<8xi32>, memref<8xi32>) outs(%x : memref<8xi32, 77>)
  return
}
