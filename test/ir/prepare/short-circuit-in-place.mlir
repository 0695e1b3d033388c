// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is written in place of another buffer has its bytes for itself once that
// is dead: they count as free where it is made in the larger buffer instead.
// RUN: berth-opt %s --pass-pipeline='builtin.module(berth-arena)' | FileCheck %s
// RUN: berth-opt %s --pass-pipeline='builtin.module(berth-arena{in-place=false})' | FileCheck %s

// CHECK-LABEL: func @behind_in_place
// CHECK: memref<128xi8>
// CHECK-NOT: memref.copy
// CHECK: return
func.func @behind_in_place(%x32: memref<32xf32>, %x8: memref<8xf32>, %o32: memref<32xf32>, %o16: memref<16xf32>, %o8: memref<8xf32>) {
  %big = memref.alloc() : memref<32xf32>
  linalg.exp ins(%x32 : memref<32xf32>) outs(%big : memref<32xf32>)
  linalg.sqrt ins(%big : memref<32xf32>) outs(%o32 : memref<32xf32>)
  %t = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x8 : memref<8xf32>) outs(%t : memref<8xf32>)
  %a = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x8 : memref<8xf32>) outs(%a : memref<8xf32>)
  %b = memref.alloc() : memref<8xf32>
  linalg.sqrt ins(%a : memref<8xf32>) outs(%b : memref<8xf32>)
  %u = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x8 : memref<8xf32>) outs(%u : memref<8xf32>)
  linalg.add ins(%t, %u : memref<8xf32>, memref<8xf32>) outs(%o8 : memref<8xf32>)
  %d = memref.alloc() : memref<16xf32>
  %p = memref.subview %d[8] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1], offset: 8>>
  %q = memref.subview %d[0] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1]>>
  memref.copy %b, %p : memref<8xf32> to memref<8xf32, strided<[1], offset: 8>>
  linalg.exp ins(%x8 : memref<8xf32>) outs(%q : memref<8xf32, strided<[1]>>)
  linalg.sqrt ins(%d : memref<16xf32>) outs(%o16 : memref<16xf32>)
  return
}
