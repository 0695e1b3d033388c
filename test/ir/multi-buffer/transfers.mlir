// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transfers that are started a turn ahead, with a tag for each slot; the last turn, which
// starts none, stands behind the loop.
// RUN: %berth-opt %s --allow-unregistered-dialect --remarks-filter=berth-multi-buffer --pass-pipeline='builtin.module(berth-multi-buffer{space=2},canonicalize)' -o %t.out 2>%t.remarks
// RUN: FileCheck %s < %t.out
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks

// CHECK-LABEL: @tiles(
// CHECK-SAME: %[[X:.*]]: memref<64xf32>
// CHECK: %[[SLOTS:.*]] = memref.alloc() {berth.slots = 2 : i64} : memref<2x8xf32, 2>
// CHECK: %[[TAGS:.*]] = memref.alloc() : memref<2xi32>
// CHECK: %[[FIRST:.*]] = memref.subview %[[SLOTS]][0, 0]
// CHECK: memref.dma_start %[[X]][%c0], %[[FIRST]][%c0], %c8, %[[TAGS]][%c0]
// CHECK: scf.for %[[I:.*]] = %c0 to %c56 step %c8 {
// CHECK: %[[K:.*]] = affine.apply {{.*}}(%[[I]])
// CHECK: %[[A:.*]] = memref.subview %[[SLOTS]][%[[K]], 0]
// CHECK: %[[Q:.*]] = arith.addi %{{.*}}, %c1
// CHECK: %[[L:.*]] = affine.apply {{.*}}(%[[Q]])
// CHECK: %[[J:.*]] = arith.addi %[[I]], %c8
// CHECK: %[[LATER:.*]] = memref.subview %[[SLOTS]][%[[L]], 0]
// CHECK: memref.dma_start %[[X]][%[[J]]], %[[LATER]][%c0], %c8, %[[TAGS]][%[[L]]]
// CHECK: memref.dma_wait %[[TAGS]][%[[K]]], %c8
// CHECK: memref.load %[[A]]
// CHECK: }
// CHECK-NOT: memref.dma_start
// CHECK: memref.dma_wait %[[TAGS]][%c1], %c8
// CHECK: memref.load
// CHECK: memref.dealloc %[[TAGS]]
// CHECK: return
// REMARK: :[[#@LINE+5]]:8: remark: [Passed] {{.*}}2 slots of 32 bytes for the turns of scf.for at line {{[0-9]+}}; 1 ahead: memref.dma_start
func.func @tiles(%x: memref<64xf32>) -> memref<64xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %a = memref.alloc() : memref<8xf32, 2>
  %m = memref.alloc() : memref<64xf32>
  %tag = memref.alloc() : memref<1xi32>
  scf.for %i = %c0 to %c64 step %c8 {
    memref.dma_start %x[%i], %a[%c0], %c8, %tag[%c0] : memref<64xf32>, memref<8xf32, 2>, memref<1xi32>
    memref.dma_wait %tag[%c0], %c8 : memref<1xi32>
    %v = memref.load %a[%c0] : memref<8xf32, 2>
    memref.store %v, %m[%i] : memref<64xf32>
  }
  memref.dealloc %tag : memref<1xi32>
  return %m : memref<64xf32>
}

// REMARK: :[[#@LINE+4]]:8: remark: [Missed] {{.*}}how many turns the loop takes is no constant, so no wait would surely be for the last transfer (scf.for
func.func @turns(%x: memref<64xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %a = memref.alloc() : memref<8xf32, 2>
  %tag = memref.alloc() : memref<1xi32>
  scf.for %i = %c0 to %n step %c8 {
    memref.dma_start %x[%i], %a[%c0], %c8, %tag[%c0] : memref<64xf32>, memref<8xf32, 2>, memref<1xi32>
    memref.dma_wait %tag[%c0], %c8 : memref<1xi32>
  }
  return
}
// REMARK: :[[#@LINE+5]]:8: remark: [Missed] {{.*}}it is used before the transfer has ended (memref.load
func.func @early(%x: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %a = memref.alloc() : memref<8xf32, 2>
  %tag = memref.alloc() : memref<1xi32>
  scf.for %i = %c0 to %c64 step %c8 {
    memref.dma_start %x[%i], %a[%c0], %c8, %tag[%c0] : memref<64xf32>, memref<8xf32, 2>, memref<1xi32>
    %v = memref.load %a[%c0] : memref<8xf32, 2>
    memref.dma_wait %tag[%c0], %c8 : memref<1xi32>
  }
  return
}
// REMARK: :[[#@LINE+5]]:8: remark: [Missed] {{.*}}a transfer that nothing surely waits for may still use it (memref.dma_start
func.func @no_wait(%x: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %a = memref.alloc() : memref<8xf32, 2>
  %tag = memref.alloc() : memref<1xi32>
  scf.for %i = %c0 to %c64 step %c8 {
    memref.dma_start %x[%i], %a[%c0], %c8, %tag[%c0] : memref<64xf32>, memref<8xf32, 2>, memref<1xi32>
  }
  return
}
// Whose transfer the wait is for nobody can tell.
// REMARK: :[[#@LINE+5]]:8: remark: [Missed] {{.*}}a transfer that nothing surely waits for may still use it (memref.dma_start
func.func @shared_tag(%x: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %a = memref.alloc() : memref<8xf32, 2>
  %b = memref.alloc() : memref<8xf32>
  %tag = memref.alloc() : memref<1xi32>
  memref.dma_start %x[%c8], %b[%c0], %c8, %tag[%c0] : memref<64xf32>, memref<8xf32>, memref<1xi32>
  scf.for %i = %c0 to %c64 step %c8 {
    memref.dma_start %x[%i], %a[%c0], %c8, %tag[%c0] : memref<64xf32>, memref<8xf32, 2>, memref<1xi32>
    memref.dma_wait %tag[%c0], %c8 : memref<1xi32>
  }
  return
}
// REMARK: :[[#@LINE+5]]:8: remark: [Missed] {{.*}}a transfer that nothing surely waits for may still use it (memref.dma_start
func.func @given_tag(%x: memref<64xf32>, %tag: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %a = memref.alloc() : memref<8xf32, 2>
  scf.for %i = %c0 to %c64 step %c8 {
    memref.dma_start %x[%i], %a[%c0], %c8, %tag[%c0] : memref<64xf32>, memref<8xf32, 2>, memref<1xi32>
    memref.dma_wait %tag[%c0], %c8 : memref<1xi32>
  }
  return
}
// A transfer out of the loop's turn writes what is brought in the next one.
// REMARK: :[[#@LINE+5]]:8: remark: [Missed] {{.*}}the copy would pass an op that may do anything, or wait for it (memref.dma_start
func.func @written(%x: memref<64xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %a = memref.alloc() : memref<8xf32, 2>
  %tag = memref.alloc() : memref<1xi32>
  %c = memref.alloc() : memref<8xf32>
  %out = memref.alloc() : memref<1xi32>
  scf.for %i = %c0 to %c64 step %c8 {
    memref.dma_start %x[%i], %a[%c0], %c8, %tag[%c0] : memref<64xf32>, memref<8xf32, 2>, memref<1xi32>
    memref.dma_wait %tag[%c0], %c8 : memref<1xi32>
    memref.dma_start %c[%c0], %y[%i], %c8, %out[%c0] : memref<8xf32>, memref<64xf32>, memref<1xi32>
    memref.dma_wait %out[%c0], %c8 : memref<1xi32>
  }
  return
}
