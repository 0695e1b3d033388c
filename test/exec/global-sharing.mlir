// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that have their arenas in one global: those that call each other have bytes
// of their own, others the same.
// RUN: %same-output --pipeline='berth-arena{arena=global global-sharing=entry},berth-verify' --pipeline='berth-arena{arena=global global-sharing=all poison=true}' %S/Inputs/prelude.mlir %s
// RUN: cat %S/Inputs/prelude.mlir %s | %berth-opt --pass-pipeline='builtin.module(berth-arena{arena=global global-sharing=entry})' | FileCheck %s --check-prefix=ENTRY
// ENTRY-DAG: memref.global "private" @berth_arena_main : memref<96xi8>
// ENTRY-DAG: memref.global "private" @berth_arena_other : memref<32xi8>
// ENTRY-NOT: memref.global
// RUN: cat %S/Inputs/prelude.mlir %s | %berth-opt --pass-pipeline='builtin.module(berth-arena{arena=global global-sharing=all})' | FileCheck %s --check-prefix=ALL
// ALL: memref.global "private" @berth_arena : memref<96xi8>
// ALL-NOT: memref.global

// Without bytes of their own, what a callee does is seen in its caller's buffers.
// RUN: not %same-output --pipeline='berth-arena{arena=global global-sharing=entry verify=false test-break-rule=lone-scopes}' %S/Inputs/prelude.mlir %s 2>&1 | FileCheck %s --check-prefix=BROKEN
// BROKEN: the output differs
// RUN: cat %S/Inputs/prelude.mlir %s | not %berth-opt -o %t --pass-pipeline='builtin.module(berth-arena{arena=global global-sharing=entry test-break-rule=lone-scopes},berth-verify)' 2>&1 | FileCheck %s --check-prefix=REFUSED
// REFUSED: error: reads a buffer whose bytes in the arena may have been overwritten

func.func private @leaf(%n: i32) {
  %a = memref.alloc() : memref<8xi32>
  call @count(%a, %n) : (memref<8xi32>, i32) -> ()
  call @show(%a) : (memref<8xi32>) -> ()
  return
}
func.func private @first(%n: i32) {
  %a = memref.alloc() : memref<8xi32>
  call @count(%a, %n) : (memref<8xi32>, i32) -> ()
  call @leaf(%n) : (i32) -> ()
  call @show(%a) : (memref<8xi32>) -> ()
  return
}
func.func private @second(%n: i32) {
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  %two = arith.constant 2 : i32
  call @count(%a, %n) : (memref<8xi32>, i32) -> ()
  call @count(%b, %two) : (memref<8xi32>, i32) -> ()
  call @show(%a) : (memref<8xi32>) -> ()
  call @show(%b) : (memref<8xi32>) -> ()
  return
}
func.func @other() {
  %c = arith.constant 70 : i32
  %a = memref.alloc() : memref<8xi32>
  call @count(%a, %c) : (memref<8xi32>, i32) -> ()
  call @show(%a) : (memref<8xi32>) -> ()
  return
}
func.func @main() {
  %ten = arith.constant 10 : i32
  %c20 = arith.constant 20 : i32
  %a = memref.alloc() : memref<8xi32>
  call @count(%a, %ten) : (memref<8xi32>, i32) -> ()
  call @first(%c20) : (i32) -> ()
  call @show(%a) : (memref<8xi32>) -> ()
  call @second(%ten) : (i32) -> ()
  call @leaf(%c20) : (i32) -> ()
  call @show(%a) : (memref<8xi32>) -> ()
  return
}
