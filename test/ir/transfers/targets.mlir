// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt-berth --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-print-liveness)' %s 2>&1 >/dev/null | FileCheck %s
// RUN: %mlir-opt-berth --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-print-liveness{space=1})' %s 2>&1 >/dev/null | FileCheck %s --check-prefix=FAST
// What a transfer fills.

// A target that is filled from end to end needs nothing of what it held.
// CHECK-LABEL: liveness of @filled
// CHECK: memref.alloc {{.*}}memref<16xf32>
// CHECK-NEXT: dma_start {{.*}} .. memref.load{{.*}}
func.func @filled(%x: memref<16xf32>, %c0: index) {
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %a = memref.alloc() : memref<16xf32>
  %tag = memref.alloc() : memref<1xi32>
  scf.for %i = %c0 to %c16 step %c1 {
    memref.dma_start %x[%z], %a[%z], %c16, %tag[%z] : memref<16xf32>, memref<16xf32>, memref<1xi32>
    memref.dma_wait %tag[%z], %c16 : memref<1xi32>
    %v = memref.load %a[%z] : memref<16xf32>
  }
  return
}

// The same in the affine dialect.
// CHECK-LABEL: liveness of @filled_affine
// CHECK: memref.alloc {{.*}}memref<16xf32>
// CHECK-NEXT: dma_start {{.*}} .. memref.load{{.*}}
func.func @filled_affine(%x: memref<16xf32>, %c0: index) {
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %a = memref.alloc() : memref<16xf32>
  %tag = memref.alloc() : memref<1xi32>
  scf.for %i = %c0 to %c16 step %c1 {
    affine.dma_start %x[0], %a[0], %tag[0], %c16 : memref<16xf32>, memref<16xf32>, memref<1xi32>
    memref.dma_wait %tag[%z], %c16 : memref<1xi32>
    %v = memref.load %a[%z] : memref<16xf32>
  }
  return
}

// If some of it is left, it does.
// CHECK-LABEL: liveness of @filled_in_part
// CHECK: memref.alloc {{.*}}memref<16xf32>
// CHECK-NEXT: dma_start {{.*}} .. scf.yield{{.*}}
func.func @filled_in_part(%x: memref<16xf32>, %c0: index) {
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %a = memref.alloc() : memref<16xf32>
  %tag = memref.alloc() : memref<1xi32>
  scf.for %i = %c0 to %c16 step %c1 {
    memref.dma_start %x[%z], %a[%z], %c8, %tag[%z] : memref<16xf32>, memref<16xf32>, memref<1xi32>
    memref.dma_wait %tag[%z], %c16 : memref<1xi32>
    %v = memref.load %a[%z] : memref<16xf32>
  }
  return
}

// If nobody knows from where on, too.
// CHECK-LABEL: liveness of @filled_from_somewhere
// CHECK: memref.alloc {{.*}}memref<16xf32>
// CHECK-NEXT: dma_start {{.*}} .. scf.yield{{.*}}
func.func @filled_from_somewhere(%x: memref<16xf32>, %c0: index) {
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %a = memref.alloc() : memref<16xf32>
  %tag = memref.alloc() : memref<1xi32>
  scf.for %i = %c0 to %c16 step %c1 {
    memref.dma_start %x[%z], %a[%i], %c16, %tag[%z] : memref<16xf32>, memref<16xf32>, memref<1xi32>
    memref.dma_wait %tag[%z], %c16 : memref<1xi32>
    %v = memref.load %a[%z] : memref<16xf32>
  }
  return
}

// A stride is the one of the slower memory, with the lower number.
// CHECK-LABEL: liveness of @filled_with_gaps
// CHECK: memref.alloc {{.*}}memref<16xf32>
// CHECK-NEXT: dma_start {{.*}} .. scf.yield{{.*}}
func.func @filled_with_gaps(%x: memref<16xf32, 1>, %c0: index) {
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %a = memref.alloc() : memref<16xf32>
  %tag = memref.alloc() : memref<1xi32>
  scf.for %i = %c0 to %c16 step %c1 {
    memref.dma_start %x[%z], %a[%z], %c16, %tag[%z], %c16, %c8 : memref<16xf32, 1>, memref<16xf32>, memref<1xi32>
    memref.dma_wait %tag[%z], %c16 : memref<1xi32>
    %v = memref.load %a[%z] : memref<16xf32>
  }
  return
}

// In the faster one there are no gaps.
// FAST-LABEL: liveness of @filled_without_gaps
// FAST: memref.alloc {{.*}}memref<16xf32, 1>
// FAST-NEXT: dma_start {{.*}} .. memref.load{{.*}}
func.func @filled_without_gaps(%x: memref<16xf32>, %c0: index) {
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %a = memref.alloc() : memref<16xf32, 1>
  %tag = memref.alloc() : memref<1xi32>
  scf.for %i = %c0 to %c16 step %c1 {
    memref.dma_start %x[%z], %a[%z], %c16, %tag[%z], %c16, %c8 : memref<16xf32>, memref<16xf32, 1>, memref<1xi32>
    memref.dma_wait %tag[%z], %c16 : memref<1xi32>
    %v = memref.load %a[%z] : memref<16xf32, 1>
  }
  return
}
