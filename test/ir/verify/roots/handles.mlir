// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt-berth %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(berth-arena{verify=false},berth-verify)' -o /dev/null
// RUN: %mlir-opt-berth %s --split-input-file --pass-pipeline='builtin.module(berth-arena{verify=false})' | FileCheck %s
// What a function is given to call, or to keep an address in.

// Code keeps nothing.
// CHECK-LABEL: @apply
// CHECK: berth.buffer = 0
func.func @apply(%f: (memref<8xf32>) -> (), %x: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<8xf32>
    memref.copy %x, %a : memref<8xf32> to memref<8xf32>
    func.call_indirect %f(%a) : (memref<8xf32>) -> ()
  }
  func.call_indirect %f(%x) : (memref<8xf32>) -> ()
  return
}

// -----

// A box may keep it, and there is one instance to keep.
func.func private @keep(!llvm.ptr, memref<8xf32>)
func.func private @use(!llvm.ptr)
// CHECK-LABEL: @box
// CHECK: berth.buffer = 0
func.func @box(%box: !llvm.ptr, %x: memref<8xf32>, %c: i1) {
  scf.if %c {
    %a = memref.alloc() : memref<8xf32>
    memref.copy %x, %a : memref<8xf32> to memref<8xf32>
    func.call @keep(%box, %a) : (!llvm.ptr, memref<8xf32>) -> ()
  }
  func.call @use(%box) : (!llvm.ptr) -> ()
  return
}
