// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt-berth --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-print-liveness)' %s 2>&1 >/dev/null | FileCheck %s
// A transfer is under way from its start to the wait that is surely for it. The
// first buffer of each function is one that a transfer reads.

// One tag, one element.
// CHECK-LABEL: liveness of @waited
// CHECK: memref.alloc {{.*}}memref<16xf32>
// CHECK-NEXT: dma_start {{.*}} .. {{(memref|affine)}}.dma_wait{{.*}}
func.func @waited(%x: memref<16xf32>, %c0: index, %c16: index) {
  %a = memref.alloc() : memref<16xf32>
  %tag = memref.alloc() : memref<1xi32>
  memref.dma_start %a[%c0], %x[%c0], %c16, %tag[%c0] : memref<16xf32>, memref<16xf32>, memref<1xi32>
  memref.dma_wait %tag[%c0], %c16 : memref<1xi32>
  %last = memref.load %x[%c0] : memref<16xf32>
  return
}

// Nobody knows which element, but it is the same one.
// CHECK-LABEL: liveness of @one_value
// CHECK: memref.alloc {{.*}}memref<16xf32>
// CHECK-NEXT: dma_start {{.*}} .. {{(memref|affine)}}.dma_wait{{.*}}
func.func @one_value(%x: memref<16xf32>, %c0: index, %c16: index, %i: index) {
  %a = memref.alloc() : memref<16xf32>
  %tag = memref.alloc() : memref<2xi32>
  memref.dma_start %a[%c0], %x[%c0], %c16, %tag[%i] : memref<16xf32>, memref<16xf32>, memref<2xi32>
  memref.dma_wait %tag[%i], %c16 : memref<2xi32>
  %last = memref.load %x[%c0] : memref<16xf32>
  return
}

// Equal numbers of equal values.
// CHECK-LABEL: liveness of @arithmetic
// CHECK: memref.alloc {{.*}}memref<16xf32>
// CHECK-NEXT: dma_start {{.*}} .. {{(memref|affine)}}.dma_wait{{.*}}
func.func @arithmetic(%x: memref<16xf32>, %c0: index, %c16: index, %i: index) {
  %k0 = arith.constant 0 : index
  %k1 = arith.constant 1 : index
  %k2 = arith.constant 2 : index
  %k8 = arith.constant 8 : index
  %a = memref.alloc() : memref<16xf32>
  %tag = memref.alloc() : memref<2xi32>
  %p = arith.addi %i, %k1 : index
  %q = arith.addi %k1, %i : index
  %r = arith.remui %p, %k2 : index
  %t = arith.andi %q, %k1 : index
  memref.dma_start %a[%c0], %x[%c0], %c16, %tag[%r] : memref<16xf32>, memref<16xf32>, memref<2xi32>
  memref.dma_wait %tag[%t], %c16 : memref<2xi32>
  %last = memref.load %x[%c0] : memref<16xf32>
  return
}

// All indices count.
// CHECK-LABEL: liveness of @two_indices
// CHECK: memref.alloc {{.*}}memref<16xf32>
// CHECK-NEXT: dma_start {{.*}} .. {{(memref|affine)}}.dma_wait{{.*}}
func.func @two_indices(%x: memref<16xf32>, %c0: index, %c16: index, %i: index) {
  %a = memref.alloc() : memref<16xf32>
  %tag = memref.alloc() : memref<2x2xi32>
  memref.dma_start %a[%c0], %x[%c0], %c16, %tag[%c0, %i] : memref<16xf32>, memref<16xf32>, memref<2x2xi32>
  memref.dma_wait %tag[%c0, %i], %c16 : memref<2x2xi32>
  %last = memref.load %x[%c0] : memref<16xf32>
  return
}

// A cast is the tag.
// CHECK-LABEL: liveness of @through_a_cast
// CHECK: memref.alloc {{.*}}memref<16xf32>
// CHECK-NEXT: dma_start {{.*}} .. {{(memref|affine)}}.dma_wait{{.*}}
func.func @through_a_cast(%x: memref<16xf32>, %c0: index, %c16: index) {
  %a = memref.alloc() : memref<16xf32>
  %tag = memref.alloc() : memref<2xi32>
  memref.dma_start %a[%c0], %x[%c0], %c16, %tag[%c0] : memref<16xf32>, memref<16xf32>, memref<2xi32>
  %other = memref.cast %tag : memref<2xi32> to memref<?xi32>
  memref.dma_wait %other[%c0], %c16 : memref<?xi32>
  %last = memref.load %x[%c0] : memref<16xf32>
  return
}

// Who reads the tag does not end anything.
// CHECK-LABEL: liveness of @looked_at
// CHECK: memref.alloc {{.*}}memref<16xf32>
// CHECK-NEXT: dma_start {{.*}} .. {{(memref|affine)}}.dma_wait{{.*}}
func.func @looked_at(%x: memref<16xf32>, %c0: index, %c16: index) {
  %a = memref.alloc() : memref<16xf32>
  %tag = memref.alloc() : memref<2xi32>
  memref.dma_start %a[%c0], %x[%c0], %c16, %tag[%c0] : memref<16xf32>, memref<16xf32>, memref<2xi32>
  %v = memref.load %tag[%c0] : memref<2xi32>
  memref.dma_wait %tag[%c0], %c16 : memref<2xi32>
  %last = memref.load %x[%c0] : memref<16xf32>
  return
}

// Nor who writes it before the start.
// CHECK-LABEL: liveness of @written_before
// CHECK: memref.alloc {{.*}}memref<16xf32>
// CHECK-NEXT: dma_start {{.*}} .. {{(memref|affine)}}.dma_wait{{.*}}
func.func @written_before(%x: memref<16xf32>, %c0: index, %c16: index, %v: i32) {
  %a = memref.alloc() : memref<16xf32>
  %tag = memref.alloc() : memref<2xi32>
  memref.store %v, %tag[%c0] : memref<2xi32>
  memref.dma_start %a[%c0], %x[%c0], %c16, %tag[%c0] : memref<16xf32>, memref<16xf32>, memref<2xi32>
  memref.dma_wait %tag[%c0], %c16 : memref<2xi32>
  %last = memref.load %x[%c0] : memref<16xf32>
  return
}

// Each way comes to a wait.
// CHECK-LABEL: liveness of @both_ways
// CHECK: memref.alloc {{.*}}memref<16xf32>
// CHECK-NEXT: dma_start {{.*}}
func.func @both_ways(%x: memref<16xf32>, %c0: index, %c16: index, %c: i1) {
  %a = memref.alloc() : memref<16xf32>
  %tag = memref.alloc() : memref<2xi32>
  memref.dma_start %a[%c0], %x[%c0], %c16, %tag[%c0] : memref<16xf32>, memref<16xf32>, memref<2xi32>
  scf.if %c {
    memref.dma_wait %tag[%c0], %c16 : memref<2xi32>
  } else {
    memref.dma_wait %tag[%c0], %c16 : memref<2xi32>
  }
  %last = memref.load %x[%c0] : memref<16xf32>
  return
}

// The same in the affine dialect.
// CHECK-LABEL: liveness of @affine
// CHECK: memref.alloc {{.*}}memref<16xf32>
// CHECK-NEXT: dma_start {{.*}} .. {{(memref|affine)}}.dma_wait{{.*}}
func.func @affine(%x: memref<16xf32>, %c0: index, %c16: index, %i: index) {
  %a = memref.alloc() : memref<16xf32>
  %tag = memref.alloc() : memref<2xi32>
  affine.dma_start %a[symbol(%c0)], %x[symbol(%c0)], %tag[symbol(%i) mod 2], %c16 : memref<16xf32>, memref<16xf32>, memref<2xi32>
  affine.dma_wait %tag[symbol(%i) mod 2], %c16 : memref<2xi32>
  %last = memref.load %x[%c0] : memref<16xf32>
  return
}

// Each turn waits for the transfer of the turn before.
// CHECK-LABEL: liveness of @next_turn
// CHECK: memref.alloc {{.*}}memref<16xf32>
// CHECK-NEXT: dma_start {{.*}} .. memref.dma_wait{{.*}}
func.func @next_turn(%x: memref<16xf32>, %c0: index, %c16: index, %n: index) {
  %k0 = arith.constant 0 : index
  %k1 = arith.constant 1 : index
  %k2 = arith.constant 2 : index
  %k8 = arith.constant 8 : index
  %a = memref.alloc() : memref<16xf32>
  %tag = memref.alloc() : memref<2xi32>
  memref.dma_start %a[%c0], %x[%c0], %c16, %tag[%k0] : memref<16xf32>, memref<16xf32>, memref<2xi32>
  scf.for %i = %k0 to %n step %k1 {
    memref.dma_wait %tag[%k0], %c16 : memref<2xi32>
    memref.dma_start %a[%c0], %x[%c0], %c16, %tag[%k0] : memref<16xf32>, memref<16xf32>, memref<2xi32>
  }
  memref.dma_wait %tag[%k0], %c16 : memref<2xi32>
  %last = memref.load %x[%c0] : memref<16xf32>
  return
}

// Two numbers that a loop swaps are never the same.
// CHECK-LABEL: liveness of @swapped
// CHECK: memref.alloc {{.*}}memref<16xf32>
// CHECK-NEXT: dma_start {{.*}} .. {{(memref|affine)}}.dma_wait{{.*}}
func.func @swapped(%x: memref<16xf32>, %c0: index, %c16: index, %n: index) {
  %k0 = arith.constant 0 : index
  %k1 = arith.constant 1 : index
  %k2 = arith.constant 2 : index
  %k8 = arith.constant 8 : index
  %a = memref.alloc() : memref<16xf32>
  %tag = memref.alloc() : memref<2xi32>
  memref.dma_start %a[%c0], %x[%c0], %c16, %tag[%k0] : memref<16xf32>, memref<16xf32>, memref<2xi32>
  %e:2 = scf.for %i = %k0 to %n step %k1 iter_args(%p = %k0, %q = %k1) -> (index, index) {
    memref.dma_start %a[%c0], %x[%c0], %c16, %tag[%q] : memref<16xf32>, memref<16xf32>, memref<2xi32>
    memref.dma_wait %tag[%p], %c16 : memref<2xi32>
    scf.yield %q, %p : index, index
  }
  memref.dma_wait %tag[%e#0], %c16 : memref<2xi32>
  %last = memref.load %x[%c0] : memref<16xf32>
  return
}

// Nor are a number and what flips it.
// CHECK-LABEL: liveness of @flipped
// CHECK: memref.alloc {{.*}}memref<16xf32>
// CHECK-NEXT: dma_start {{.*}} .. {{(memref|affine)}}.dma_wait{{.*}}
func.func @flipped(%x: memref<16xf32>, %c0: index, %c16: index, %n: index) {
  %k0 = arith.constant 0 : index
  %k1 = arith.constant 1 : index
  %k2 = arith.constant 2 : index
  %k8 = arith.constant 8 : index
  %a = memref.alloc() : memref<16xf32>
  %tag = memref.alloc() : memref<2xi32>
  memref.dma_start %a[%c0], %x[%c0], %c16, %tag[%k0] : memref<16xf32>, memref<16xf32>, memref<2xi32>
  %e = scf.for %i = %k0 to %n step %k1 iter_args(%p = %k0) -> (index) {
    %q = arith.xori %p, %k1 : index
    memref.dma_start %a[%c0], %x[%c0], %c16, %tag[%q] : memref<16xf32>, memref<16xf32>, memref<2xi32>
    memref.dma_wait %tag[%p], %c16 : memref<2xi32>
    scf.yield %q : index
  }
  memref.dma_wait %tag[%e], %c16 : memref<2xi32>
  %last = memref.load %x[%c0] : memref<16xf32>
  return
}

// The number of the turn, by its remainder.
// CHECK-LABEL: liveness of @by_the_turn
// CHECK: memref.alloc {{.*}}memref<16xf32>
// CHECK-NEXT: dma_start {{.*}} .. {{(memref|affine)}}.dma_wait{{.*}}
func.func @by_the_turn(%x: memref<16xf32>, %c0: index, %c16: index) {
  %k0 = arith.constant 0 : index
  %k1 = arith.constant 1 : index
  %k2 = arith.constant 2 : index
  %k8 = arith.constant 8 : index
  %a = memref.alloc() : memref<16xf32>
  %tag = memref.alloc() : memref<2xi32>
  memref.dma_start %a[%c0], %x[%c0], %c16, %tag[%k0] : memref<16xf32>, memref<16xf32>, memref<2xi32>
  scf.for %i = %k1 to %k8 step %k1 {
    %q = arith.remui %i, %k2 : index
    memref.dma_start %a[%c0], %x[%c0], %c16, %tag[%q] : memref<16xf32>, memref<16xf32>, memref<2xi32>
    %h = arith.subi %i, %k1 : index
    %p = arith.remui %h, %k2 : index
    memref.dma_wait %tag[%p], %c16 : memref<2xi32>
  }
  memref.dma_wait %tag[%k1], %c16 : memref<2xi32>
  %last = memref.load %x[%c0] : memref<16xf32>
  return
}

// What affine-pipeline-data-transfer makes of a loop over tiles.
// CHECK-LABEL: liveness of @by_the_tile
// CHECK: memref.alloc {{.*}}memref<16xf32>
// CHECK-NEXT: dma_start {{.*}} .. {{(memref|affine)}}.dma_wait{{.*}}
func.func @by_the_tile(%x: memref<16xf32>, %c0: index, %c16: index) {
  %a = memref.alloc() : memref<16xf32>
  %tag = memref.alloc() : memref<2xi32>
  affine.dma_start %a[0], %x[0], %tag[0], %c16 : memref<16xf32>, memref<16xf32>, memref<2xi32>
  affine.for %i = 16 to 64 step 16 {
    affine.dma_start %a[0], %x[0], %tag[(%i floordiv 16) mod 2], %c16 : memref<16xf32>, memref<16xf32>, memref<2xi32>
    affine.dma_wait %tag[((%i - 16) floordiv 16) mod 2], %c16 : memref<2xi32>
  }
  affine.dma_wait %tag[1], %c16 : memref<2xi32>
  %last = memref.load %x[%c0] : memref<16xf32>
  return
}

// A parallel body that waits for its own.
// CHECK-LABEL: liveness of @in_parallel
// CHECK: memref.alloc {{.*}}memref<16xf32>
// CHECK-NEXT: scf.parallel {{.*}}
func.func @in_parallel(%x: memref<16xf32>, %c0: index, %c16: index) {
  %k0 = arith.constant 0 : index
  %k1 = arith.constant 1 : index
  %k2 = arith.constant 2 : index
  %k8 = arith.constant 8 : index
  %a = memref.alloc() : memref<16xf32>
  %tag = memref.alloc() : memref<2xi32>
  scf.parallel (%i) = (%k0) to (%k8) step (%k1) {
    %own = memref.alloca() : memref<2xi32>
    memref.dma_start %a[%c0], %x[%c0], %c16, %own[%c0] : memref<16xf32>, memref<16xf32>, memref<2xi32>
    memref.dma_wait %own[%c0], %c16 : memref<2xi32>
  }
  %last = memref.load %x[%c0] : memref<16xf32>
  return
}
