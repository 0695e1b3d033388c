// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes and alignments of element types are those of the LLVM lowering; with
// them the remarks and the report that name each buffer's place.

// RUN: %mlir-opt-berth %s --pass-pipeline='builtin.module(berth-arena{report=-})' --remarks-filter='berth.*' -o %t.mlir 2>%t.txt
// RUN: FileCheck %s < %t.txt
// RUN: FileCheck %s --check-prefix=REMARK < %t.txt

// REMARK: elements.mlir:[[#@LINE+17]]:8: remark: [Passed] berth-arena | Category:berth-arena | Remark="placed at offset {{[0-9]+}}, 24 bytes"
// REMARK: Remark="placed at offset 0, 0 bytes"
// REMARK: remark: [Missed] {{.*}} Remark="not placed: its element type has no fixed size"
// REMARK: remark: [Missed] {{.*}} Remark="not placed: its element type has no fixed size"
// REMARK: [[#@LINE+11]]:1: remark: [Analysis] {{.*}} Remark="14 of 16 buffers in an arena of {{[0-9]+}} bytes instead of {{[0-9]+}} (load {{[0-9]+}}, optimal, packer auto)"

// CHECK: "scope": "elements", {{[^[]*}}"buffers": 16, "placed": 14, {{[^[]*}}"alignment": 16,
// It relies on nothing but the types.
func.func private @use(
    %a: memref<3xindex>, %b: memref<5xf16>, %c: memref<2xvector<4xf32>>, %d: memref<3xcomplex<f32>>,
    %e: memref<7xi1>, %f: memref<3xvector<3xf32>>, %g: memref<5xi4>, %h: memref<f64>,
    %i: memref<0xf32>, %j: memref<3xi128>, %k: memref<3xcomplex<f64>>,
    %l: memref<3xbf16>, %m: memref<2xf80>, %n: memref<3xi24>) {
  return
}
func.func @elements() {
  // CHECK-SAME: "type": "memref<3xindex>", {{[^}]*}}"size": 24, "alignment": 8,
  %a = memref.alloc() : memref<3xindex>
  // CHECK-SAME: "type": "memref<5xf16>", {{[^}]*}}"size": 10, "alignment": 2,
  %b = memref.alloc() : memref<5xf16>
  // CHECK-SAME: "type": "memref<2xvector<4xf32>>", {{[^}]*}}"size": 32, "alignment": 16,
  %c = memref.alloc() : memref<2xvector<4xf32>>
  // CHECK-SAME: "type": "memref<3xcomplex<f32>>", {{[^}]*}}"size": 24, "alignment": 4,
  %d = memref.alloc() : memref<3xcomplex<f32>>
  // CHECK-SAME: "type": "memref<7xi1>", {{[^}]*}}"size": 7, "alignment": 1,
  %e = memref.alloc() : memref<7xi1>
  // CHECK-SAME: "type": "memref<3xvector<3xf32>>", {{[^}]*}}"size": 48, "alignment": 16,
  %f = memref.alloc() : memref<3xvector<3xf32>>
  // CHECK-SAME: "type": "memref<5xi4>", {{[^}]*}}"size": 5, "alignment": 1,
  %g = memref.alloc() : memref<5xi4>
  // CHECK-SAME: "type": "memref<f64>", {{[^}]*}}"size": 8, "alignment": 8,
  %h = memref.alloc() : memref<f64>
  // CHECK-SAME: "type": "memref<0xf32>", {{[^}]*}}"size": 0, "alignment": 4,
  %i = memref.alloc() : memref<0xf32>
  // CHECK-SAME: "type": "memref<3xi128>", {{[^}]*}}"size": 48, "alignment": 16,
  %j = memref.alloc() : memref<3xi128>
  // CHECK-SAME: "type": "memref<3xcomplex<f64>>", {{[^}]*}}"size": 48, "alignment": 8,
  %k = memref.alloc() : memref<3xcomplex<f64>>
  // CHECK-SAME: "type": "memref<3xbf16>", {{[^}]*}}"size": 6, "alignment": 2,
  %l = memref.alloc() : memref<3xbf16>
  // CHECK-SAME: "type": "memref<2xf80>", {{[^}]*}}"size": 32, "alignment": 16,
  %m = memref.alloc() : memref<2xf80>
  // CHECK-SAME: "type": "memref<3xi24>", {{[^}]*}}"size": 12, "alignment": 4,
  %n = memref.alloc() : memref<3xi24>
  // CHECK-SAME: "type": "memref<2xvector<[4]xf32>>", {{[^}]*}}"placed": false, "reason": "its element type has no fixed size"
  %o = memref.alloc() : memref<2xvector<[4]xf32>>
  // CHECK-SAME: "type": "memref<2xmemref<4xf32>>", {{[^}]*}}"placed": false, "reason": "its element type has no fixed size"
  %p = memref.alloc() : memref<2xmemref<4xf32>>
  call @use(%a, %b, %c, %d, %e, %f, %g, %h, %i, %j, %k, %l, %m, %n) : (
      memref<3xindex>, memref<5xf16>, memref<2xvector<4xf32>>,
      memref<3xcomplex<f32>>, memref<7xi1>, memref<3xvector<3xf32>>,
      memref<5xi4>, memref<f64>, memref<0xf32>, memref<3xi128>,
      memref<3xcomplex<f64>>, memref<3xbf16>, memref<2xf80>, memref<3xi24>)
      -> ()
  return
}
