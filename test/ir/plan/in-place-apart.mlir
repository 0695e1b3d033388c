// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-arena{report=-})' -o %t 2>&1 | FileCheck %s
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-arena{in-place=false report=-})' -o %t 2>&1 | FileCheck %s

// %b and %c might be one buffer, which is live longer than either and would lie
// on top of all others (184 bytes). Apart each of them fits into a gap.
// CHECK: "bytes_after": 168,
func.func @apart(%o: memref<1x2xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c28 = arith.constant 28 : index
  %a = memref.alloc() : memref<28xi16>
  scf.for %i = %c0 to %c28 step %c1 {
    %x = arith.index_cast %i : index to i16
    memref.store %x, %a[%i] : memref<28xi16>
  }
  %i0 = memref.alloc() : memref<28xi16>
  memref.copy %a, %i0 : memref<28xi16> to memref<28xi16>
  %k = arith.constant 5 : i16
  %r = scf.for %t = %c0 to %n step %c1 iter_args(%p = %i0) -> (memref<28xi16>) {
    %q = memref.alloc() : memref<28xi16>
    scf.for %i = %c0 to %c28 step %c1 {
      %v = memref.load %p[%i] : memref<28xi16>
      %w = arith.xori %v, %k : i16
      memref.store %w, %q[%i] : memref<28xi16>
    }
    scf.yield %q : memref<28xi16>
  }
  %b = memref.alloc() : memref<4xf32>
  scf.for %i = %c0 to %c4 step %c1 {
    %v = memref.load %a[%i] : memref<28xi16>
    %w = arith.sitofp %v : i16 to f32
    memref.store %w, %b[%i] : memref<4xf32>
  }
  linalg.fill ins(%k : i16) outs(%a : memref<28xi16>)
  %c = memref.alloc() : memref<4xi32>
  scf.for %i = %c0 to %c4 step %c1 {
    %v = memref.load %b[%i] : memref<4xf32>
    %w = arith.fptosi %v : f32 to i32
    memref.store %w, %c[%i] : memref<4xi32>
  }
  linalg.fill ins(%k : i16) outs(%r : memref<28xi16>)
  scf.for %i = %c0 to %c2 step %c1 {
    %j = arith.muli %i, %c2 : index
    %v = memref.load %c[%j] : memref<4xi32>
    memref.store %v, %o[%c0, %i] : memref<1x2xi32>
  }
  return
}
