// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt-berth %s -o /dev/null --pass-pipeline='builtin.module(berth-arena)'
// RUN: not %mlir-opt-berth %s -o /dev/null --pass-pipeline='builtin.module(berth-arena{test-break-rule=no-alignments})' 2>&1 | FileCheck %s
// A called function takes the bytes that it is given for vectors.

// CHECK: error: gives a function an address in an arena that is taken there for a multiple of something that it is not

func.func private @views(%m: memref<64xi8>) {
  %c0 = arith.constant 0 : index
  %x = arith.constant dense<1.0> : vector<4xf32>
  %v = memref.view %m[%c0][] : memref<64xi8> to memref<4xvector<4xf32>>
  memref.store %x, %v[%c0] : memref<4xvector<4xf32>>
  return
}

func.func @main(%y: i8, %o: memref<3xi8>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<67xi8>
  %b = memref.alloc() : memref<64xi8>
  memref.store %y, %a[%c0] : memref<67xi8>
  memref.store %y, %b[%c0] : memref<64xi8>
  call @views(%b) : (memref<64xi8>) -> ()
  %z = memref.load %b[%c0] : memref<64xi8>
  %w = memref.load %a[%c0] : memref<67xi8>
  memref.store %z, %o[%c0] : memref<3xi8>
  memref.store %w, %o[%c0] : memref<3xi8>
  return
}
