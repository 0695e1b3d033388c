// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// UNSUPPORTED: sanitizer
// REQUIRES: llvm-22
// Content that a described op moves. Here it is lowered to calls whose work comes
// as late as can be, and dead bytes hold a pattern.

// RUN: %cc -shared -fPIC -o %t.so %S/Inputs/tokens.c
// RUN: cat %S/Inputs/prelude.mlir %s > %t.mlir
// DEFINE: %{options} =
// DEFINE: %{file} = %t.mlir
// DEFINE: %{fit} = %berth-opt %t.mlir --berth-target=%S/Inputs/moves.json --pass-pipeline='builtin.module(berth-fit{%{options}},berth-arena{poison=true verify=false})' -o %t.fit.mlir
// DEFINE: %{run} = sed -e 's/, 77>/>/g' -e 's/"npu.dma"(/call @start(/' -e 's/"npu.wait"\(([^)]*)\) {[^}]*}/call @wait\1/' -e 's/!npu.token/i64/' %{file} | mlir-opt --pass-pipeline='builtin.module(test-lower-to-llvm)' | mlir-runner -e main --entry-point-result=void %runner_libs --shared-libs=%t.so
// RUN: %{run} | FileCheck %s
// REDEFINE: %{file} = %t.fit.mlir
// RUN: %{fit} && FileCheck %s --check-prefix=MOVES < %t.fit.mlir
// RUN: %{run} | FileCheck %s
// RUN: %berth-opt %t.mlir --berth-target=%S/Inputs/moves.json -o %t.out --pass-pipeline='builtin.module(berth-fit,berth-verify,berth-arena,berth-verify)'
// A spill goes on beside other ops.
// MOVES: "npu.dma"
// MOVES-NEXT: call @show
// MOVES: "npu.wait"

// Without the rule it prints something else, and the check refuses it.
// DEFINE: %{refused} = not %berth-opt %t.mlir --berth-target=%S/Inputs/moves.json -o %t.out --pass-pipeline='builtin.module(berth-fit{%{options}})' 2>&1 | FileCheck %s --check-prefix=REFUSED
// REFUSED: error: {{touches what a transfer still uses|reads a place that may not hold}}
// REDEFINE: %{options} = verify=false test-break-rule=awaited-targets
// RUN: %{fit} && %{run} | %status 1 FileCheck %s
// REDEFINE: %{options} = test-break-rule=awaited-targets
// RUN: %{refused}

func.func private @start(memref<8xi32>, memref<8xi32>) -> i64 attributes {llvm.emit_c_interface}
func.func private @wait(i64) attributes {llvm.emit_c_interface}

// d = b + c
func.func private @sum(%b: memref<8xi32>, %c: memref<8xi32>, %d: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %v = vector.load %b[%c0] : memref<8xi32>, vector<8xi32>
  %w = vector.load %c[%c0] : memref<8xi32>, vector<8xi32>
  %s = arith.addi %v, %w : vector<8xi32>
  vector.store %s, %d[%c0] : memref<8xi32>, vector<8xi32>
  return
}

// %a is out while three others are used together, twice, and changed in between.
// CHECK: 105, 107, 109
// CHECK: 110, 113, 116
// CHECK: 310, 315, 320
// CHECK: 205, 208, 211
// CHECK: 420, 428, 436
func.func @main() {
  %n = arith.constant 5 : i32
  %m = arith.constant 100 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  %c = memref.alloc() : memref<8xi32>
  %d = memref.alloc() : memref<8xi32>
  call @count(%a, %n) : (memref<8xi32>, i32) -> ()
  call @count(%b, %m) : (memref<8xi32>, i32) -> ()
  call @sum(%a, %b, %c) : (memref<8xi32>, memref<8xi32>, memref<8xi32>) -> ()
  call @show(%c) : (memref<8xi32>) -> ()
  call @sum(%b, %c, %d) : (memref<8xi32>, memref<8xi32>, memref<8xi32>) -> ()
  call @sum(%a, %c, %a) : (memref<8xi32>, memref<8xi32>, memref<8xi32>) -> ()
  call @show(%a) : (memref<8xi32>) -> ()
  call @sum(%c, %d, %b) : (memref<8xi32>, memref<8xi32>, memref<8xi32>) -> ()
  call @show(%b) : (memref<8xi32>) -> ()
  call @show(%d) : (memref<8xi32>) -> ()
  call @sum(%a, %b, %c) : (memref<8xi32>, memref<8xi32>, memref<8xi32>) -> ()
  call @show(%c) : (memref<8xi32>) -> ()
  return
}
