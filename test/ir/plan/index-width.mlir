// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// RUN: sed -e s/WIDTH/32/g -e s/BYTES/1073741824/g %s > %t.mlir
// RUN: not %mlir-opt-berth %t.mlir --pass-pipeline='builtin.module(berth-arena)' -o %t.out 2>&1 | FileCheck %s
// RUN: not %mlir-opt-berth %t.mlir --pass-pipeline='builtin.module(berth-arena{arena=annotate})' -o %t.out 2>&1 | FileCheck %s
// RUN: not %mlir-opt-berth %t.mlir --pass-pipeline='builtin.module(berth-arena{arena=global})' -o %t.out 2>&1 | FileCheck %s
// RUN: not %mlir-opt-berth %t.mlir --pass-pipeline='builtin.module(berth-arena{arena=argument})' -o %t.out 2>&1 | FileCheck %s
// RUN: not %mlir-opt-berth %t.mlir --pass-pipeline='builtin.module(berth-arena{split-arenas=true})' -o %t.out 2>&1 | FileCheck %s
// RUN: %mlir-opt-berth %t.mlir --pass-pipeline='builtin.module(berth-merge)' -o %t.out
// RUN: sed -e s/WIDTH/16/g -e s/BYTES/16384/g %s > %t.16.mlir
// RUN: not %mlir-opt-berth %t.16.mlir --pass-pipeline='builtin.module(berth-arena)' -o %t.out 2>&1 | FileCheck %s --check-prefix=SHORT
// RUN: sed -e s/WIDTH/16/g -e s/BYTES/16383/g %s > %t.fits.mlir
// RUN: %mlir-opt-berth %t.fits.mlir --pass-pipeline='builtin.module(berth-arena)' | FileCheck %s --check-prefix=FITS
// RUN: sed -e s/WIDTH/64/g -e s/BYTES/1073741824/g %s > %t.wide.mlir
// RUN: %mlir-opt-berth %t.wide.mlir --pass-pipeline='builtin.module(berth-arena)' | FileCheck %s --check-prefix=WIDE
// RUN: not %mlir-opt-berth %t.mlir --pass-pipeline='builtin.module(berth-arena{test-break-rule=wide-index})' -o %t.out 2>&1 | FileCheck %s --check-prefix=BROKEN
// RUN: not %mlir-opt-berth %t.16.mlir --pass-pipeline='builtin.module(berth-heap)' -o %t.out 2>&1 | FileCheck %s --check-prefix=HEAP
//
// Offsets and sizes are of the type index, which the data layout may give fewer
// bits than 64. An arena that it could not count is refused.

// CHECK: error: the arena would take 2147483648 bytes, and an index of this data layout holds no more than 2147483647
// SHORT: error: the arena would take 32768 bytes, and an index of this data layout holds no more than 32767
// FITS: arith.constant 16383 : index
// WIDE: memref<2147483648xi8>
// BROKEN: error: makes a buffer that ends beyond its arena, or beyond what an index of the data layout holds
// HEAP: error: {{.*}}an index of this data layout holds no more than 32767: use size=

module attributes {dlti.dl_spec = #dlti.dl_spec<index = WIDTH : i64>} {
func.func @two(%x: memref<BYTESxi8>, %y: memref<BYTESxi8>) {
  %a = memref.alloc() {alignment = 1 : i64} : memref<BYTESxi8>
  %b = memref.alloc() {alignment = 1 : i64} : memref<BYTESxi8>
  memref.copy %x, %a : memref<BYTESxi8> to memref<BYTESxi8>
  memref.copy %y, %b : memref<BYTESxi8> to memref<BYTESxi8>
  memref.copy %a, %y : memref<BYTESxi8> to memref<BYTESxi8>
  memref.copy %b, %x : memref<BYTESxi8> to memref<BYTESxi8>
  return
}

// The limit of sizes known at run time is lower, too.
// FITS: func.func @dynamic
// FITS: arith.constant {{[0-9][0-9]?[0-9]?[0-9]?[0-9]?}} : index
// FITS-NEXT: arith.cmpi ule
func.func @dynamic(%n: index, %x: memref<?xi8>, %y: memref<?xi8>) {
  %a = memref.alloc(%n) : memref<?xi8>
  %b = memref.alloc(%n) : memref<?xi8>
  memref.copy %x, %a : memref<?xi8> to memref<?xi8>
  memref.copy %y, %b : memref<?xi8> to memref<?xi8>
  memref.copy %a, %y : memref<?xi8> to memref<?xi8>
  memref.copy %b, %x : memref<?xi8> to memref<?xi8>
  return
}
}
