// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A second run: what the first one brings is a content with a number already.

// DEFINE: %{fit} = berth-fit{space=default backing=77 capacity=48 must-fit=false}
// RUN: %berth-opt %s --pass-pipeline='builtin.module(%{fit})' -o %t.once
// RUN: %berth-opt %s --pass-pipeline='builtin.module(%{fit},%{fit},berth-verify)' -o %t.twice
// RUN: diff %t.once %t.twice
// RUN: FileCheck %s < %t.once
// No mark stands on what a pass takes away.
// RUN: %berth-opt %s --pass-pipeline='builtin.module(%{fit},canonicalize,cse,berth-verify)' -o %t.out

// From where it came is marked.
// CHECK: memref.alloc() {{.*}}berth.content_source = [1]{{.*}} : memref<16xi32, 77>
// CHECK: memref.copy {{.*}} {berth.move = 1
func.func @f(%y: memref<16xi32, 77>) {
  %n = arith.constant 5 : i32
  %s = memref.alloc() : memref<16xi32, 77>
  linalg.fill ins(%n : i32) outs(%s : memref<16xi32, 77>)
  %a = memref.alloc() : memref<16xi32>
  memref.copy %s, %a : memref<16xi32, 77> to memref<16xi32>
  %five = arith.constant 5 : i32
  linalg.fill ins(%five : i32) outs(%y : memref<16xi32, 77>)
  linalg.copy ins(%a : memref<16xi32>) outs(%y : memref<16xi32, 77>)
  linalg.copy ins(%a : memref<16xi32>) outs(%y : memref<16xi32, 77>)
  return
}
