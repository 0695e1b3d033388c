// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What goes on behind its op holds its buffers to the end of the scope.
// RUN: %mlir-opt-berth --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-print-liveness)' %s 2>&1 >/dev/null | FileCheck %s

// CHECK: liveness of @transfer
// CHECK: [0, [[END:[0-9]+]]) memref.alloc {{.*}} .. func.return
func.func @transfer(%x: memref<16xf32>, %tag: memref<1xi32>) {
  %a = memref.alloc() : memref<16xf32>
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  memref.dma_start %x[%c0], %a[%c0], %c16, %tag[%c0] : memref<16xf32>, memref<16xf32>, memref<1xi32>
  %v = memref.load %x[%c0] : memref<16xf32>
  return
}

// CHECK: liveness of @no_wait
// CHECK: memref.alloc {{.*}} .. func.return
func.func @no_wait() {
  %a = memref.alloc() : memref<16xf32>
  %t = "dev.start"(%a) : (memref<16xf32>) -> !llvm.ptr
  %c0 = arith.constant 0 : index
  return
}

// CHECK: liveness of @waited
// CHECK: dev.start {{.*}} .. dev.wait
func.func @waited() {
  %a = memref.alloc() : memref<16xf32>
  %t = "dev.start"(%a) : (memref<16xf32>) -> !llvm.ptr
  %c0 = arith.constant 0 : index
  "dev.wait"(%t) : (!llvm.ptr) -> ()
  %c1 = arith.constant 1 : index
  return
}
