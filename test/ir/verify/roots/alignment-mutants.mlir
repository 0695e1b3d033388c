// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plans broken on purpose: no buffer, and no memory, may begin in front of what
// the elements of the buffers, or they themselves, are aligned to.

// RUN: echo '{"memories": [{"space": "L1", "start": 0}]}' > %t.json
// RUN: %berth-opt %s -o %t.planned --berth-target=%t.json --pass-pipeline='builtin.module(berth-arena{space=L1 arena=annotate in-place=false})'
// RUN: sed 's/berth.address = [0-9]* : i64, //' %t.planned > %t.mlir
// RUN: %python %S/Inputs/alignment-mutants.py %berth-opt %t.mlir %t.folder | FileCheck %s
// CHECK: 9 refused, 8 taken
func.func @f(%x: memref<8xf64>) {
  %a = memref.alloc() : memref<8xf64, "L1">
  %b = memref.alloc() : memref<8xi16, "L1">
  %c = memref.alloc() : memref<8xi32, "L1">
  %d = memref.alloc() : memref<2xvector<4xf32>, "L1">
  %e = memref.alloc() {alignment = 64 : i64} : memref<8xi8, "L1">
  %f = memref.alloc() : memref<3xcomplex<f64>, "L1">
  %g = memref.alloc() : memref<3xindex, "L1">
  %zero = arith.constant 0 : index
  %n = memref.load %g[%zero] : memref<3xindex, "L1">
  %v = memref.load %a[%n] : memref<8xf64, "L1">
  %w = memref.load %b[%n] : memref<8xi16, "L1">
  memref.store %w, %b[%zero] : memref<8xi16, "L1">
  %i = memref.load %c[%n] : memref<8xi32, "L1">
  memref.store %i, %c[%zero] : memref<8xi32, "L1">
  %p = memref.load %d[%n] : memref<2xvector<4xf32>, "L1">
  memref.store %p, %d[%zero] : memref<2xvector<4xf32>, "L1">
  %q = memref.load %e[%n] : memref<8xi8, "L1">
  memref.store %q, %e[%zero] : memref<8xi8, "L1">
  %z = memref.load %f[%n] : memref<3xcomplex<f64>, "L1">
  memref.store %z, %f[%zero] : memref<3xcomplex<f64>, "L1">
  memref.store %v, %x[%zero] : memref<8xf64>
  return
}
