// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What nobody reads is in nobody's way: an allocation that is never used, and one that
// is only filled.
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-fit{space=2 backing=default capacity=320},berth-arena{space=2 capacity=320})' | FileCheck %s
// Where all fits nothing changes.
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-fit{space=2 backing=default capacity=1024})' | FileCheck %s --check-prefix=FITS
// CHECK-LABEL: func.func @f
// CHECK-NOT: linalg.fill
// CHECK: memref<256xi8, 2>
// FITS-COUNT-3: memref.alloc() : memref<64xi32, 2>
func.func @f(%x: memref<64xi32>, %y: memref<64xi32>) {
  %one = arith.constant 1 : i32
  %unused = memref.alloc() : memref<64xi32, 2>
  %a = memref.alloc() : memref<64xi32, 2>
  %filled = memref.alloc() : memref<64xi32, 2>
  memref.copy %x, %a : memref<64xi32> to memref<64xi32, 2>
  linalg.fill ins(%one : i32) outs(%filled : memref<64xi32, 2>)
  %v = memref.subview %unused[8] [8] [1] : memref<64xi32, 2> to memref<8xi32, strided<[1], offset: 8>, 2>
  linalg.add ins(%a, %a : memref<64xi32, 2>, memref<64xi32, 2>) outs(%y : memref<64xi32>)
  memref.dealloc %unused : memref<64xi32, 2>
  return
}
