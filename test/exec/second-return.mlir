// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %same-output %S/Inputs/prelude.mlir %s
// RUN: cat %S/Inputs/prelude.mlir %s > %t.mlir
// RUN: %mlir-opt-berth %t.mlir --remarks-filter='berth.*' -o /dev/null --pass-pipeline='builtin.module(berth-arena)' 2>&1 | FileCheck %s
// RUN: not %mlir-opt-berth %t.mlir -o /dev/null --pass-pipeline='builtin.module(berth-arena{test-break-rule=no-branches})' 2>&1 | FileCheck %s --check-prefix=BROKEN
// RUN: not %same-output --pipeline='berth-arena{verify=false test-break-rule=no-branches}' %S/Inputs/prelude.mlir %s
// setjmp returns a second time, when another buffer has had the bytes.

// CHECK-COUNT-2: not placed: a function that is called here may return a second time
// BROKEN: error: has its buffers in an arena, and calls a function that may return a second time

llvm.func @_setjmp(!llvm.ptr) -> i32 attributes {passthrough = ["returns_twice"]}
llvm.func @longjmp(!llvm.ptr, i32)

func.func @main() {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %size = llvm.mlir.constant(64 : i64) : i64
  %state = llvm.alloca %size x i64 : (i64) -> !llvm.ptr
  %a = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  %r = llvm.call @_setjmp(%state) : (!llvm.ptr) -> i32
  call @show(%a) : (memref<8xi32>) -> ()
  %b = memref.alloc() : memref<8xi32>
  linalg.fill ins(%two : i32) outs(%b : memref<8xi32>)
  call @show(%b) : (memref<8xi32>) -> ()
  %isFirst = arith.cmpi eq, %r, %zero : i32
  scf.if %isFirst {
    llvm.call @longjmp(%state, %one) : (!llvm.ptr, i32) -> ()
  }
  return
}
