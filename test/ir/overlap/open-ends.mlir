// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where only the running program knows how often loops run, they write over
// what they read in place and as narrower elements, and nothing else is proved.
// REQUIRES: llvm-22
// RUN: %berth-opt %s -o /dev/null --remarks-filter='berth.*' --pass-pipeline='builtin.module(berth-arena{overlap=on})' 2>&1 | FileCheck %s

// CHECK: open-ends.mlir:[[@LINE+11]]:3: remark: {{.*}}what the loops write lies apart from what they read: only the running program knows how often they run
// CHECK-NOT: only the running program
// CHECK: arena of 384 bytes instead of 384
func.func @pairs(%n: index, %src: memref<64xf32>, %dst: memref<32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %x = memref.alloc() : memref<64xf32>
  %y = memref.alloc() : memref<32xf32>
  memref.copy %src, %x : memref<64xf32> to memref<64xf32>
  // In the order of memory, two for one.
  scf.for %i = %c0 to %n step %c1 {
    %a = arith.muli %i, %c2 : index
    %b = arith.addi %a, %c1 : index
    %v = memref.load %x[%a] : memref<64xf32>
    %w = memref.load %x[%b] : memref<64xf32>
    %s = arith.addf %v, %w : f32
    memref.store %s, %y[%i] : memref<32xf32>
  }
  memref.copy %y, %dst : memref<32xf32> to memref<32xf32>
  return
}

// CHECK-NOT: only the running program
// CHECK: arena of 256 bytes instead of 512
func.func @in_place(%n: index, %src: memref<64xf32>, %dst: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.alloc() : memref<64xf32>
  %y = memref.alloc() : memref<64xf32>
  memref.copy %src, %x : memref<64xf32> to memref<64xf32>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[%i] : memref<64xf32>
    %s = arith.negf %v : f32
    memref.store %s, %y[%i] : memref<64xf32>
  }
  memref.copy %y, %dst : memref<64xf32> to memref<64xf32>
  return
}

// CHECK-NOT: only the running program
// CHECK: arena of 256 bytes instead of 320
func.func @narrower(%n: index, %src: memref<64xf32>, %dst: memref<64xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.alloc() : memref<64xf32>
  %y = memref.alloc() : memref<64xi8>
  memref.copy %src, %x : memref<64xf32> to memref<64xf32>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[%i] : memref<64xf32>
    %s = arith.fptosi %v : f32 to i8
    memref.store %s, %y[%i] : memref<64xi8>
  }
  memref.copy %y, %dst : memref<64xi8> to memref<64xi8>
  return
}
// CHECK-NOT: only the running program
