// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Input that stock verifiers reject: what was wrong before is left alone, what is
// wrong only behind the passes is not.

// RUN: split-file %s %t
// RUN: not %berth-opt %t/global.mlir 2>&1 | FileCheck %s --check-prefix=STOCK
// STOCK: 'memref.get_global' op result type
// RUN: %berth-opt %t/global.mlir --berth-unverified-input --pass-pipeline='builtin.module(berth-arena{in-place=false})' | FileCheck %s
// CHECK: "memref.get_global"() <{name = @weights}> : () -> memref<4xi8, "L3">
// CHECK: "memref.view"
// RUN: not %berth-opt %t/global.mlir --berth-unverified-input -o %t/none --pass-pipeline='builtin.module(symbol-dce,foo)' 2>&1 | FileCheck %s --check-prefix=PIPELINE
// PIPELINE: error: 'foo' does not refer to a registered pass
// An op is the one that was wrong before by its name and place; without places it
// is a new one.
// RUN: not %berth-opt %t/global.mlir --berth-unverified-input -o %t/none --pass-pipeline='builtin.module(strip-debuginfo)' 2>&1 | FileCheck %s --check-prefix=STOCK
// RUN: not ls %t/none

//--- global.mlir
memref.global "private" constant @weights : memref<4xi8> = dense<1>
func.func @f(%x: memref<4xi8>) {
  %w = memref.get_global @weights : memref<4xi8, "L3">
  %a = memref.alloc() : memref<4xi8>
  memref.copy %w, %a : memref<4xi8, "L3"> to memref<4xi8>
  memref.copy %a, %x : memref<4xi8> to memref<4xi8>
  return
}
