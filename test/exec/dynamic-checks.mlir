// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// UNSUPPORTED: sanitizer
// A size that is negative, too large, above its bound, or more than the
// capacity stops the program, and says where it was allocated. (An abort does
// not flush what was printed.)
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{capacity=4096 drop-unread=false},test-lower-to-llvm)' %s -o %t.mlir
// RUN: not --crash stdbuf -oL mlir-runner %t.mlir -e negative --entry-point-result=void %runner_libs 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not --crash stdbuf -oL mlir-runner %t.mlir -e overflow --entry-point-result=void %runner_libs 2>&1 | FileCheck %s --check-prefix=OVERFLOW
// RUN: not --crash stdbuf -oL mlir-runner %t.mlir -e above_bound --entry-point-result=void %runner_libs 2>&1 | FileCheck %s --check-prefix=BOUND
// RUN: not --crash stdbuf -oL mlir-runner %t.mlir -e above_capacity --entry-point-result=void %runner_libs 2>&1 | FileCheck %s --check-prefix=CAPACITY
// RUN: mlir-runner %t.mlir -e fine --entry-point-result=void %runner_libs | FileCheck %s --check-prefix=FINE
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{size-checks=false})' %s | FileCheck %s --check-prefix=OFF
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-merge,test-lower-to-llvm)' %s -o %t.merged.mlir
// RUN: not --crash stdbuf -oL mlir-runner %t.merged.mlir -e negative --entry-point-result=void %runner_libs 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// NEGATIVE: berth: the size of the buffer allocated at line [[#]], column 8 is negative or too large
// OVERFLOW: berth: the size of the buffer allocated at line [[#]], column 8 is negative or too large
// BOUND: berth: the size of the buffer allocated at line [[#]], column 8 is negative or exceeds its berth.upper_bound
// CAPACITY: berth: the arena exceeds the capacity of 4096 bytes
// FINE: 6
// OFF-NOT: cf.assert

func.func private @two(%n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %two = arith.constant 2 : i32
  %four = arith.constant 4 : i32
  %a = memref.alloc(%n, %m) : memref<?x?xi32>
  linalg.fill ins(%two : i32) outs(%a : memref<?x?xi32>)
  %x = memref.load %a[%c0, %c0] : memref<?x?xi32>
  %b = memref.alloc(%n, %m) : memref<?x?xi32>
  linalg.fill ins(%four : i32) outs(%b : memref<?x?xi32>)
  %y = memref.load %b[%c0, %c0] : memref<?x?xi32>
  %z = arith.addi %x, %y : i32
  vector.print %z : i32
  return
}

func.func private @one(%n: index) {
  %two = arith.constant 2 : i32
  %a = memref.alloc(%n) {berth.upper_bound = 400 : i64} : memref<?xi32>
  linalg.fill ins(%two : i32) outs(%a : memref<?xi32>)
  return
}

func.func @negative() {
  %n = arith.constant -3 : index
  %m = arith.constant 1 : index
  call @two(%m, %n) : (index, index) -> ()
  return
}

// The product is 4 modulo 2^64.
func.func @overflow() {
  %n = arith.constant 0x4000000000000001 : index
  %m = arith.constant 4 : index
  call @two(%n, %m) : (index, index) -> ()
  return
}

func.func @above_bound() {
  %n = arith.constant 101 : index
  call @one(%n) : (index) -> ()
  return
}

func.func @above_capacity() {
  %n = arith.constant 33 : index
  %m = arith.constant 32 : index
  call @two(%n, %m) : (index, index) -> ()
  return
}

func.func @fine() {
  %n = arith.constant 100 : index
  %m = arith.constant 10 : index
  call @one(%n) : (index) -> ()
  call @two(%n, %m) : (index, index) -> ()
  return
}
