// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// UNSUPPORTED: sanitizer
// Functions of a target description that start transfers and return tokens. What
// they do comes as late as can be, so that whoever takes the bytes is noticed.

// RUN: %cc -shared -fPIC -o %t.so %S/Inputs/tokens.c
// RUN: cat %S/Inputs/prelude.mlir %s > %t.mlir
// DEFINE: %{options} =
// DEFINE: %{target} = %S/Inputs/tokens.json
// DEFINE: %{plan} = berth-arena{target=%{target} never-worse=false %{options}},
// DEFINE: %{run} = %mlir-opt-berth %t.mlir --pass-pipeline='builtin.module(%{plan}test-lower-to-llvm)' -o %t.lowered && mlir-runner %t.lowered -e main --entry-point-result=void %runner_libs --shared-libs=%t.so
// RUN: %{run} | FileCheck %s
// REDEFINE: %{options} = poison=true
// RUN: %{run} | FileCheck %s
// Without either rule somebody else's bytes arrive.
// REDEFINE: %{options} = verify=false test-break-rule=no-tokens
// RUN: %{run} | %status 1 FileCheck %s
// REDEFINE: %{options} = verify=false test-break-rule=work-returns
// RUN: %{run} | %status 1 FileCheck %s
// The same, where the transfers are a unit's.
// REDEFINE: %{target} = %S/Inputs/tokens-unit.json
// RUN: %{run} | %status 1 FileCheck %s
// REDEFINE: %{options} = verify=false test-break-rule=no-tokens
// RUN: %{run} | %status 1 FileCheck %s
// REDEFINE: %{options} =
// RUN: %{run} | FileCheck %s
// RUN: %berth-opt %t.mlir --pass-pipeline='builtin.module(berth-arena{target=%{target} never-worse=false})' | FileCheck %s --check-prefix=SHARED
// The program as it is.
// REDEFINE: %{plan} =
// RUN: %{run} | FileCheck %s

func.func private @start(memref<8xi32>, memref<8xi32>) -> i64 attributes {llvm.emit_c_interface}
func.func private @wait(i64) attributes {llvm.emit_c_interface}
func.func private @finish_all() attributes {llvm.emit_c_interface}

// The temporary between start and wait lies elsewhere.
func.func private @awaited(%result: memref<8xi32>) {
  %one = arith.constant 1 : i32
  %hundred = arith.constant 100 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  call @count(%a, %one) : (memref<8xi32>, i32) -> ()
  %t = call @start(%a, %result) : (memref<8xi32>, memref<8xi32>) -> i64
  call @count(%b, %hundred) : (memref<8xi32>, i32) -> ()
  call @show(%b) : (memref<8xi32>) -> ()
  call @wait(%t) : (i64) -> ()
  return
}

// The next rows are on their way while these are worked on: two of three.
// SHARED-LABEL: @ahead(
// SHARED: : memref<64xi8>
func.func private @ahead(%x: memref<8xi32>) {
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  %c = memref.alloc() : memref<8xi32>
  %s = call @start(%x, %a) : (memref<8xi32>, memref<8xi32>) -> i64
  %t = call @start(%x, %b) : (memref<8xi32>, memref<8xi32>) -> i64
  call @wait(%s) : (i64) -> ()
  call @show(%a) : (memref<8xi32>) -> ()
  %u = call @start(%x, %c) : (memref<8xi32>, memref<8xi32>) -> i64
  call @wait(%t) : (i64) -> ()
  call @show(%b) : (memref<8xi32>) -> ()
  call @wait(%u) : (i64) -> ()
  call @show(%c) : (memref<8xi32>) -> ()
  return
}

// What nobody waits for is no arena's that ends with the function.
func.func private @left(%from: i32, %result: memref<8xi32>) {
  %a = memref.alloc() : memref<8xi32>
  call @count(%a, %from) : (memref<8xi32>, i32) -> ()
  %t = call @start(%a, %result) : (memref<8xi32>, memref<8xi32>) -> i64
  return
}

// CHECK: 100, 101, 102
// CHECK: 1, 2, 3, 4, 5, 6, 7, 8
// CHECK-COUNT-3: 1, 2, 3, 4, 5, 6, 7, 8
// CHECK: 20, 21, 22, 23, 24, 25, 26, 27
// CHECK: 30, 31, 32, 33, 34, 35, 36, 37
func.func @main() {
  %c20 = arith.constant 20 : i32
  %c30 = arith.constant 30 : i32
  %r = memref.alloc() : memref<8xi32>
  %s = memref.alloc() : memref<8xi32>
  %u = memref.alloc() : memref<8xi32>
  call @awaited(%r) : (memref<8xi32>) -> ()
  call @show(%r) : (memref<8xi32>) -> ()
  call @ahead(%r) : (memref<8xi32>) -> ()
  call @left(%c20, %s) : (i32, memref<8xi32>) -> ()
  call @left(%c30, %u) : (i32, memref<8xi32>) -> ()
  call @finish_all() : () -> ()
  call @show(%s) : (memref<8xi32>) -> ()
  call @show(%u) : (memref<8xi32>) -> ()
  return
}
