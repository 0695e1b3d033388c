// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where ops may work on the memory behind at a price, each buffer gets the level
// that costs least: some stay out for all of their lives, others come in.

// RUN: %berth-opt %s --remarks-filter='berth-fit' --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-fit{target=%S/Inputs/npu.json recompute=0})' 2> %t | FileCheck %s
// RUN: FileCheck %s --check-prefix=TELLS < %t

// What is used once goes, what is used ten times comes in.
// TELLS: fitted into 512 bytes of L1
func.func @homes(%x: memref<8x8xf32, "L3">, %y: memref<8x8xf32, "L3">) {
  %rare = memref.alloc() : memref<8x8xf32, "L1">
  %b = memref.alloc() : memref<8x8xf32, "L1">
  %hot = memref.alloc() : memref<8x8xf32, "L3">
  linalg.exp ins(%x : memref<8x8xf32, "L3">) outs(%rare : memref<8x8xf32, "L1">)
  linalg.exp ins(%x : memref<8x8xf32, "L3">) outs(%hot : memref<8x8xf32, "L3">)
  linalg.transpose ins(%hot : memref<8x8xf32, "L3">) outs(%b : memref<8x8xf32, "L1">) permutation = [1, 0]
  linalg.transpose ins(%b : memref<8x8xf32, "L1">) outs(%hot : memref<8x8xf32, "L3">) permutation = [1, 0]
  linalg.transpose ins(%hot : memref<8x8xf32, "L3">) outs(%b : memref<8x8xf32, "L1">) permutation = [1, 0]
  linalg.transpose ins(%b : memref<8x8xf32, "L1">) outs(%hot : memref<8x8xf32, "L3">) permutation = [1, 0]
  linalg.add ins(%rare, %hot : memref<8x8xf32, "L1">, memref<8x8xf32, "L3">) outs(%y : memref<8x8xf32, "L3">)
  return
}
// CHECK-LABEL: func.func @homes
// CHECK: linalg.exp {{.*}} outs(%[[RARE:.*]] : memref<8x8xf32, "L3">)
// CHECK: linalg.exp {{.*}} outs(%{{.*}} : memref<8x8xf32, "L1">)
// CHECK: linalg.add ins(%[[RARE]], %{{.*}} : memref<8x8xf32, "L3">, memref<8x8xf32, "L1">)

// An engine that a description tells of needs its operands where they are.
func.func @engine(%x: memref<8x8xf32, "L3">, %y: memref<8x8xf32, "L3">) {
  %a = memref.alloc() : memref<8x8xf32, "L1">
  %b = memref.alloc() : memref<8x8xf32, "L1">
  %c = memref.alloc() : memref<8x8xf32, "L1">
  linalg.exp ins(%x : memref<8x8xf32, "L3">) outs(%a : memref<8x8xf32, "L1">)
  "npu.engine"(%a, %b) : (memref<8x8xf32, "L1">, memref<8x8xf32, "L1">) -> ()
  linalg.transpose ins(%b : memref<8x8xf32, "L1">) outs(%c : memref<8x8xf32, "L1">) permutation = [1, 0]
  linalg.transpose ins(%c : memref<8x8xf32, "L1">) outs(%b : memref<8x8xf32, "L1">) permutation = [1, 0]
  "npu.engine"(%a, %b) : (memref<8x8xf32, "L1">, memref<8x8xf32, "L1">) -> ()
  linalg.add ins(%b, %c : memref<8x8xf32, "L1">, memref<8x8xf32, "L1">) outs(%y : memref<8x8xf32, "L3">)
  return
}
// CHECK-LABEL: func.func @engine
// CHECK-COUNT-2: "npu.engine"({{.*}}) : (memref<8x8xf32, "L1">, memref<8x8xf32, "L1">)
