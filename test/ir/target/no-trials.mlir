// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of several memories in one run each plan sees the ops where they are: none
// moves, and no copy goes, for one memory's sake.
// RUN: echo '{"berth_target": 1, "memories": [{"space": "1 : i32"}, {"space": "2 : i32"}]}' > %t.json
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-arena{target=%t.json schedule=on})' | FileCheck %s
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-arena{space="1 : i32" schedule=on})' | FileCheck %s --check-prefix=ONE

// CHECK-LABEL: func @branches
// CHECK: linalg.fill
// CHECK: linalg.fill
// CHECK: linalg.fill
// CHECK: linalg.reduce
// ONE-LABEL: func @branches
// ONE: linalg.fill
// ONE: linalg.fill
// ONE: linalg.reduce
// ONE: linalg.fill
func.func @branches(%two: i32, %s: memref<i32, 2 : i32>, %t: memref<i32, 2 : i32>) {
  %a = memref.alloc() : memref<32xi32, 1 : i32>
  %b = memref.alloc() : memref<32xi32, 1 : i32>
  %c = memref.alloc() : memref<8xi32, 2 : i32>
  linalg.fill ins(%two : i32) outs(%a : memref<32xi32, 1 : i32>)
  linalg.fill ins(%two : i32) outs(%b : memref<32xi32, 1 : i32>)
  linalg.fill ins(%two : i32) outs(%c : memref<8xi32, 2 : i32>)
  linalg.reduce { arith.addi } ins(%a : memref<32xi32, 1 : i32>) outs(%s : memref<i32, 2 : i32>) dimensions = [0]
  linalg.reduce { arith.addi } ins(%b : memref<32xi32, 1 : i32>) outs(%t : memref<i32, 2 : i32>) dimensions = [0]
  linalg.reduce { arith.addi } ins(%c : memref<8xi32, 2 : i32>) outs(%t : memref<i32, 2 : i32>) dimensions = [0]
  return
}
