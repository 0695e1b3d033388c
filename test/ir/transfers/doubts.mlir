// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// RUN: %mlir-opt-berth --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-print-liveness)' %s 2>&1 >/dev/null | FileCheck %s
// If it is in doubt which wait is for a transfer, it is under way to the end of
// the function, and behind that, where its memory is another's. The first buffer of each function is one that a transfer reads.

// In doubt: the caller may have started others on this tag.
// CHECK-LABEL: liveness of @of_the_caller
// CHECK: memref.alloc {{.*}}memref<16xf32>
// CHECK-NEXT: not placed: a transfer that nothing surely waits for may still use it
func.func @of_the_caller(%x: memref<16xf32>, %c0: index, %c16: index, %tag: memref<2xi32>) {
  %a = memref.alloc() : memref<16xf32>
  memref.dma_start %a[%c0], %x[%c0], %c16, %tag[%c0] : memref<16xf32>, memref<16xf32>, memref<2xi32>
  memref.dma_wait %tag[%c0], %c16 : memref<2xi32>
  %last = memref.load %x[%c0] : memref<16xf32>
  return
}

// In doubt: whether these are the same element.
// CHECK-LABEL: liveness of @another_value
// CHECK: memref.alloc {{.*}}memref<16xf32>
// CHECK-NEXT: not placed: a transfer that nothing surely waits for may still use it
func.func @another_value(%x: memref<16xf32>, %c0: index, %c16: index, %i: index, %j: index) {
  %a = memref.alloc() : memref<16xf32>
  %tag = memref.alloc() : memref<2xi32>
  memref.dma_start %a[%c0], %x[%c0], %c16, %tag[%i] : memref<16xf32>, memref<16xf32>, memref<2xi32>
  memref.dma_wait %tag[%j], %c16 : memref<2xi32>
  %last = memref.load %x[%c0] : memref<16xf32>
  return
}

// Nobody waits for this element.
// CHECK-LABEL: liveness of @another_element
// CHECK: memref.alloc {{.*}}memref<16xf32>
// CHECK-NEXT: not placed: a transfer that nothing surely waits for may still use it
func.func @another_element(%x: memref<16xf32>, %c0: index, %c16: index) {
  %k0 = arith.constant 0 : index
  %k1 = arith.constant 1 : index
  %k2 = arith.constant 2 : index
  %k8 = arith.constant 8 : index
  %a = memref.alloc() : memref<16xf32>
  %tag = memref.alloc() : memref<2xi32>
  memref.dma_start %a[%c0], %x[%c0], %c16, %tag[%k0] : memref<16xf32>, memref<16xf32>, memref<2xi32>
  memref.dma_wait %tag[%k1], %c16 : memref<2xi32>
  %last = memref.load %x[%c0] : memref<16xf32>
  return
}

// Nor for this tag.
// CHECK-LABEL: liveness of @another_tag
// CHECK: memref.alloc {{.*}}memref<16xf32>
// CHECK-NEXT: not placed: a transfer that nothing surely waits for may still use it
func.func @another_tag(%x: memref<16xf32>, %c0: index, %c16: index) {
  %a = memref.alloc() : memref<16xf32>
  %tag = memref.alloc() : memref<2xi32>
  memref.dma_start %a[%c0], %x[%c0], %c16, %tag[%c0] : memref<16xf32>, memref<16xf32>, memref<2xi32>
  %other = memref.alloc() : memref<2xi32>
  memref.dma_wait %other[%c0], %c16 : memref<2xi32>
  %last = memref.load %x[%c0] : memref<16xf32>
  return
}

// Unsigned, the loop may step past 2^63 - 1, where the remainder of i is not
// followed by that of i + 1.
// CHECK-LABEL: liveness of @around_the_numbers
// CHECK: memref.alloc {{.*}}memref<16xf32>
// CHECK-NEXT: not placed: a transfer that nothing surely waits for may still use it
func.func @around_the_numbers(%x: memref<16xf32>, %c0: index, %c16: index, %lb: index, %ub: index) {
  %k1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  %tag = memref.alloc() : memref<3xi32>
  %s = affine.apply affine_map<(i) -> (i mod 3)>(%lb)
  memref.dma_start %a[%c0], %x[%c0], %c16, %tag[%s] : memref<16xf32>, memref<16xf32>, memref<3xi32>
  scf.for unsigned %i = %lb to %ub step %k1 {
    %t = affine.apply affine_map<(i) -> (i mod 3)>(%i)
    %n = affine.apply affine_map<(i) -> ((i + 1) mod 3)>(%i)
    memref.dma_wait %tag[%t], %c16 : memref<3xi32>
    memref.dma_start %a[%c0], %x[%c0], %c16, %tag[%n] : memref<16xf32>, memref<16xf32>, memref<3xi32>
  }
  %l = affine.apply affine_map<(i) -> (i mod 3)>(%ub)
  memref.dma_wait %tag[%l], %c16 : memref<3xi32>
  %last = memref.load %x[%c0] : memref<16xf32>
  return
}

// One way comes to no wait.
// CHECK-LABEL: liveness of @one_way
// CHECK: memref.alloc {{.*}}memref<16xf32>
// CHECK-NEXT: not placed: a transfer that nothing surely waits for may still use it
func.func @one_way(%x: memref<16xf32>, %c0: index, %c16: index, %c: i1) {
  %a = memref.alloc() : memref<16xf32>
  %tag = memref.alloc() : memref<2xi32>
  memref.dma_start %a[%c0], %x[%c0], %c16, %tag[%c0] : memref<16xf32>, memref<16xf32>, memref<2xi32>
  scf.if %c {
    memref.dma_wait %tag[%c0], %c16 : memref<2xi32>
  }
  %last = memref.load %x[%c0] : memref<16xf32>
  return
}

// Nor does the way past a loop without turns.
// CHECK-LABEL: liveness of @perhaps_no_turn
// CHECK: memref.alloc {{.*}}memref<16xf32>
// CHECK-NEXT: not placed: a transfer that nothing surely waits for may still use it
func.func @perhaps_no_turn(%x: memref<16xf32>, %c0: index, %c16: index, %n: index) {
  %k0 = arith.constant 0 : index
  %k1 = arith.constant 1 : index
  %k2 = arith.constant 2 : index
  %k8 = arith.constant 8 : index
  %a = memref.alloc() : memref<16xf32>
  %tag = memref.alloc() : memref<2xi32>
  memref.dma_start %a[%c0], %x[%c0], %c16, %tag[%c0] : memref<16xf32>, memref<16xf32>, memref<2xi32>
  scf.for %i = %k0 to %n step %k1 {
    memref.dma_wait %tag[%c0], %c16 : memref<2xi32>
  }
  %last = memref.load %x[%c0] : memref<16xf32>
  return
}

// Two on one element: a wait may be for either.
// CHECK-LABEL: liveness of @two_at_once
// CHECK: memref.alloc {{.*}}memref<16xf32>
// CHECK-NEXT: not placed: a transfer that nothing surely waits for may still use it
func.func @two_at_once(%x: memref<16xf32>, %c0: index, %c16: index) {
  %a = memref.alloc() : memref<16xf32>
  %tag = memref.alloc() : memref<2xi32>
  memref.dma_start %a[%c0], %x[%c0], %c16, %tag[%c0] : memref<16xf32>, memref<16xf32>, memref<2xi32>
  memref.dma_start %a[%c0], %x[%c0], %c16, %tag[%c0] : memref<16xf32>, memref<16xf32>, memref<2xi32>
  memref.dma_wait %tag[%c0], %c16 : memref<2xi32>
  memref.dma_wait %tag[%c0], %c16 : memref<2xi32>
  %last = memref.load %x[%c0] : memref<16xf32>
  return
}

// In doubt: whether these two are on one element.
// CHECK-LABEL: liveness of @perhaps_at_once
// CHECK: memref.alloc {{.*}}memref<16xf32>
// CHECK-NEXT: not placed: a transfer that nothing surely waits for may still use it
func.func @perhaps_at_once(%x: memref<16xf32>, %c0: index, %c16: index, %i: index, %j: index) {
  %a = memref.alloc() : memref<16xf32>
  %tag = memref.alloc() : memref<2xi32>
  memref.dma_start %a[%c0], %x[%c0], %c16, %tag[%i] : memref<16xf32>, memref<16xf32>, memref<2xi32>
  memref.dma_start %a[%c0], %x[%c0], %c16, %tag[%j] : memref<16xf32>, memref<16xf32>, memref<2xi32>
  memref.dma_wait %tag[%i], %c16 : memref<2xi32>
  memref.dma_wait %tag[%j], %c16 : memref<2xi32>
  %last = memref.load %x[%c0] : memref<16xf32>
  return
}

// The next turn starts one on the same element.
// CHECK-LABEL: liveness of @again
// CHECK: memref.alloc {{.*}}memref<16xf32>
// CHECK-NEXT: not placed: a transfer that nothing surely waits for may still use it
func.func @again(%x: memref<16xf32>, %c0: index, %c16: index, %n: index) {
  %k0 = arith.constant 0 : index
  %k1 = arith.constant 1 : index
  %k2 = arith.constant 2 : index
  %k8 = arith.constant 8 : index
  %a = memref.alloc() : memref<16xf32>
  %tag = memref.alloc() : memref<2xi32>
  scf.for %i = %k0 to %n step %k1 {
    memref.dma_start %a[%c0], %x[%c0], %c16, %tag[%c0] : memref<16xf32>, memref<16xf32>, memref<2xi32>
  }
  memref.dma_wait %tag[%c0], %c16 : memref<2xi32>
  %last = memref.load %x[%c0] : memref<16xf32>
  return
}

// Both numbers begin as one.
// CHECK-LABEL: liveness of @not_swapped
// CHECK: memref.alloc {{.*}}memref<16xf32>
// CHECK-NEXT: not placed: a transfer that nothing surely waits for may still use it
func.func @not_swapped(%x: memref<16xf32>, %c0: index, %c16: index, %n: index) {
  %k0 = arith.constant 0 : index
  %k1 = arith.constant 1 : index
  %k2 = arith.constant 2 : index
  %k8 = arith.constant 8 : index
  %a = memref.alloc() : memref<16xf32>
  %tag = memref.alloc() : memref<2xi32>
  memref.dma_start %a[%c0], %x[%c0], %c16, %tag[%k0] : memref<16xf32>, memref<16xf32>, memref<2xi32>
  %e:2 = scf.for %i = %k0 to %n step %k1 iter_args(%p = %k0, %q = %k0) -> (index, index) {
    memref.dma_start %a[%c0], %x[%c0], %c16, %tag[%q] : memref<16xf32>, memref<16xf32>, memref<2xi32>
    memref.dma_wait %tag[%p], %c16 : memref<2xi32>
    scf.yield %q, %p : index, index
  }
  memref.dma_wait %tag[%e#0], %c16 : memref<2xi32>
  %last = memref.load %x[%c0] : memref<16xf32>
  return
}

// One number is handed on twice.
// CHECK-LABEL: liveness of @handed_on_twice
// CHECK: memref.alloc {{.*}}memref<16xf32>
// CHECK-NEXT: not placed: a transfer that nothing surely waits for may still use it
func.func @handed_on_twice(%x: memref<16xf32>, %c0: index, %c16: index, %n: index) {
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
    scf.yield %q, %q : index, index
  }
  memref.dma_wait %tag[%e#0], %c16 : memref<2xi32>
  %last = memref.load %x[%c0] : memref<16xf32>
  return
}

// The last turn is another one.
// CHECK-LABEL: liveness of @too_late
// CHECK: memref.alloc {{.*}}memref<16xf32>
// CHECK-NEXT: not placed: a transfer that nothing surely waits for may still use it
func.func @too_late(%x: memref<16xf32>, %c0: index, %c16: index) {
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
  memref.dma_wait %tag[%k0], %c16 : memref<2xi32>
  %last = memref.load %x[%c0] : memref<16xf32>
  return
}

// Three under way on two elements.
// CHECK-LABEL: liveness of @two_turns_before
// CHECK: memref.alloc {{.*}}memref<16xf32>
// CHECK-NEXT: not placed: a transfer that nothing surely waits for may still use it
func.func @two_turns_before(%x: memref<16xf32>, %c0: index, %c16: index) {
  %k0 = arith.constant 0 : index
  %k1 = arith.constant 1 : index
  %k2 = arith.constant 2 : index
  %k8 = arith.constant 8 : index
  %a = memref.alloc() : memref<16xf32>
  %tag = memref.alloc() : memref<2xi32>
  memref.dma_start %a[%c0], %x[%c0], %c16, %tag[%k0] : memref<16xf32>, memref<16xf32>, memref<2xi32>
  memref.dma_start %a[%c0], %x[%c0], %c16, %tag[%k1] : memref<16xf32>, memref<16xf32>, memref<2xi32>
  scf.for %i = %k2 to %k8 step %k1 {
    %q = arith.remui %i, %k2 : index
    memref.dma_start %a[%c0], %x[%c0], %c16, %tag[%q] : memref<16xf32>, memref<16xf32>, memref<2xi32>
    %h = arith.subi %i, %k2 : index
    %p = arith.remui %h, %k2 : index
    memref.dma_wait %tag[%p], %c16 : memref<2xi32>
  }
  memref.dma_wait %tag[%k0], %c16 : memref<2xi32>
  memref.dma_wait %tag[%k1], %c16 : memref<2xi32>
  %last = memref.load %x[%c0] : memref<16xf32>
  return
}

// In doubt: what others do with the tag.
// CHECK-LABEL: liveness of @given_away
// CHECK: memref.alloc {{.*}}memref<16xf32>
// CHECK-NEXT: not placed: a transfer that nothing surely waits for may still use it
func.func @given_away(%x: memref<16xf32>, %c0: index, %c16: index) {
  %a = memref.alloc() : memref<16xf32>
  %tag = memref.alloc() : memref<2xi32>
  memref.dma_start %a[%c0], %x[%c0], %c16, %tag[%c0] : memref<16xf32>, memref<16xf32>, memref<2xi32>
  "some.op"(%tag) : (memref<2xi32>) -> ()
  memref.dma_wait %tag[%c0], %c16 : memref<2xi32>
  %last = memref.load %x[%c0] : memref<16xf32>
  return
}

// The tag is written meanwhile.
// CHECK-LABEL: liveness of @written_meanwhile
// CHECK: memref.alloc {{.*}}memref<16xf32>
// CHECK-NEXT: not placed: a transfer that nothing surely waits for may still use it
func.func @written_meanwhile(%x: memref<16xf32>, %c0: index, %c16: index, %v: i32) {
  %a = memref.alloc() : memref<16xf32>
  %tag = memref.alloc() : memref<2xi32>
  memref.dma_start %a[%c0], %x[%c0], %c16, %tag[%c0] : memref<16xf32>, memref<16xf32>, memref<2xi32>
  memref.store %v, %tag[%c0] : memref<2xi32>
  memref.dma_wait %tag[%c0], %c16 : memref<2xi32>
  %last = memref.load %x[%c0] : memref<16xf32>
  return
}

// The tag is transferred itself.
// CHECK-LABEL: liveness of @transferred_itself
// CHECK: memref.alloc {{.*}}memref<16xf32>
// CHECK-NEXT: not placed: a transfer that nothing surely waits for may still use it
func.func @transferred_itself(%x: memref<16xf32>, %c0: index, %c16: index, %y: memref<2xi32>, %other: memref<2xi32>) {
  %a = memref.alloc() : memref<16xf32>
  %tag = memref.alloc() : memref<2xi32>
  memref.dma_start %a[%c0], %x[%c0], %c16, %tag[%c0] : memref<16xf32>, memref<16xf32>, memref<2xi32>
  memref.dma_start %tag[%c0], %y[%c0], %c0, %other[%c0] : memref<2xi32>, memref<2xi32>, memref<2xi32>
  memref.dma_wait %tag[%c0], %c16 : memref<2xi32>
  %last = memref.load %x[%c0] : memref<16xf32>
  return
}

// A parallel body may not run.
// CHECK-LABEL: liveness of @waited_in_parallel
// CHECK: memref.alloc {{.*}}memref<16xf32>
// CHECK-NEXT: not placed: a transfer that nothing surely waits for may still use it
func.func @waited_in_parallel(%x: memref<16xf32>, %c0: index, %c16: index) {
  %k0 = arith.constant 0 : index
  %k1 = arith.constant 1 : index
  %k2 = arith.constant 2 : index
  %k8 = arith.constant 8 : index
  %a = memref.alloc() : memref<16xf32>
  %tag = memref.alloc() : memref<2xi32>
  memref.dma_start %a[%c0], %x[%c0], %c16, %tag[%c0] : memref<16xf32>, memref<16xf32>, memref<2xi32>
  scf.parallel (%i) = (%k0) to (%k8) step (%k1) {
    memref.dma_wait %tag[%c0], %c16 : memref<2xi32>
  }
  %last = memref.load %x[%c0] : memref<16xf32>
  return
}

// A number that each turn finds anew is another one in the next turn.
// CHECK-LABEL: liveness of @found_anew
// CHECK: memref.alloc {{.*}}memref<16xf32>
// CHECK-NEXT: not placed: a transfer that nothing surely waits for may still use it
func.func @found_anew(%x: memref<16xf32>, %y: memref<8xindex>, %c0: index, %c16: index) {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %a = memref.alloc() : memref<16xf32>
  %tag = memref.alloc() : memref<2xi32>
  %e = scf.for %i = %c0 to %c8 step %c1 iter_args(%q = %c0) -> (index) {
    %p = memref.load %y[%i] : memref<8xindex>
    memref.dma_wait %tag[%p], %c16 : memref<2xi32>
    memref.dma_start %a[%c0], %x[%c0], %c16, %tag[%p] : memref<16xf32>, memref<16xf32>, memref<2xi32>
    scf.yield %p : index
  }
  memref.dma_wait %tag[%e], %c16 : memref<2xi32>
  return
}

// A tag that is the source too.
// CHECK-LABEL: liveness of @its_own_source
// CHECK: memref.alloc {{.*}}memref<16xf32>
// CHECK-NEXT: not placed: a transfer that nothing surely waits for may still use it
func.func @its_own_source(%x: memref<16xf32>, %c0: index, %c8: index) {
  %a = memref.alloc() : memref<16xf32>
  memref.dma_start %a[%c0], %x[%c0], %c8, %a[%c8] : memref<16xf32>, memref<16xf32>, memref<16xf32>
  memref.dma_wait %a[%c8], %c8 : memref<16xf32>
  %last = memref.load %x[%c0] : memref<16xf32>
  return
}

// In doubt: whether others know this tag.
// CHECK-LABEL: liveness of @from_somewhere
// CHECK: memref.alloc {{.*}}memref<16xf32>
// CHECK-NEXT: not placed: a transfer that nothing surely waits for may still use it
memref.global "private" @tag : memref<2xi32>
func.func @from_somewhere(%x: memref<16xf32>, %c0: index, %c8: index) {
  %a = memref.alloc() : memref<16xf32>
  %tag = memref.get_global @tag : memref<2xi32>
  memref.dma_start %a[%c0], %x[%c0], %c8, %tag[%c8] : memref<16xf32>, memref<16xf32>, memref<2xi32>
  memref.dma_wait %tag[%c8], %c8 : memref<2xi32>
  %last = memref.load %x[%c0] : memref<16xf32>
  return
}

// A tag that berth-arena has placed in its own memory before.
// CHECK-LABEL: liveness of @in_an_arena
// CHECK: memref.alloc {{.*}}memref<16xf32>
// CHECK-NEXT: dma_start {{.*}} .. memref.dma_wait{{.*}}
func.func @in_an_arena(%x: memref<16xf32>, %c0: index, %c4: index, %c8: index) {
  %a = memref.alloc() : memref<16xf32>
  %arena = memref.alloc() : memref<64xi8>
  %tag = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<2xi32>
  %b = memref.view %arena[%c4][] {berth.buffer = 1} : memref<64xi8> to memref<2xi32>
  memref.dma_start %a[%c0], %x[%c0], %c8, %tag[%c8] : memref<16xf32>, memref<16xf32>, memref<2xi32>
  memref.dma_wait %tag[%c8], %c8 : memref<2xi32>
  memref.dealloc %arena : memref<64xi8>
  return
}

// In doubt: which of two views is used.
// CHECK-LABEL: liveness of @twice_in_an_arena
// CHECK: memref.alloc {{.*}}memref<16xf32>
// CHECK-NEXT: not placed: a transfer that nothing surely waits for may still use it
func.func @twice_in_an_arena(%x: memref<16xf32>, %c0: index, %c4: index, %c8: index) {
  %a = memref.alloc() : memref<16xf32>
  %arena = memref.alloc() : memref<64xi8>
  %tag = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<2xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<2xi32>
  memref.dma_start %a[%c0], %x[%c0], %c8, %tag[%c8] : memref<16xf32>, memref<16xf32>, memref<2xi32>
  memref.dma_wait %tag[%c8], %c8 : memref<2xi32>
  memref.dealloc %arena : memref<64xi8>
  return
}

// In doubt: what else is done with the arena.
// CHECK-LABEL: liveness of @arena_given_away
// CHECK: memref.alloc {{.*}}memref<16xf32>
// CHECK-NEXT: not placed: a transfer that nothing surely waits for may still use it
func.func @arena_given_away(%x: memref<16xf32>, %c0: index, %c4: index, %c8: index) {
  %a = memref.alloc() : memref<16xf32>
  %arena = memref.alloc() : memref<64xi8>
  %tag = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<2xi32>
  "some.op"(%arena) : (memref<64xi8>) -> ()
  memref.dma_start %a[%c0], %x[%c0], %c8, %tag[%c8] : memref<16xf32>, memref<16xf32>, memref<2xi32>
  memref.dma_wait %tag[%c8], %c8 : memref<2xi32>
  memref.dealloc %arena : memref<64xi8>
  return
}

// One transfer of a tag that nobody waits for, and no wait of the tag counts.
// CHECK-LABEL: liveness of @one_of_two
// CHECK: memref.alloc {{.*}}memref<16xf32>
// CHECK-NEXT: not placed: a transfer that nothing surely waits for may still use it
func.func @one_of_two(%x: memref<16xf32>, %c0: index, %c16: index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = memref.alloc() : memref<16xf32>
  %tag = memref.alloc() : memref<4xi32>
  memref.dma_start %a[%c0], %x[%c0], %c16, %tag[%c1] : memref<16xf32>, memref<16xf32>, memref<4xi32>
  memref.dma_wait %tag[%c1], %c16 : memref<4xi32>
  memref.dma_start %x[%c0], %x[%c0], %c16, %tag[%c2] : memref<16xf32>, memref<16xf32>, memref<4xi32>
  return
}

// Under way where the buffer is made again, a transfer would meet the new one.
// CHECK-LABEL: liveness of @made_again
// CHECK: memref.alloc {{.*}}memref<16xf32>
// CHECK-NEXT: not placed: a transfer may still use its previous instance when it is allocated again: wait for it
func.func @made_again(%x: memref<16xf32>, %c0: index, %c16: index) {
  %c1 = arith.constant 1 : index
  %tag = memref.alloc() : memref<1xi32>
  memref.dma_start %x[%c0], %x[%c0], %c16, %tag[%c0] : memref<16xf32>, memref<16xf32>, memref<1xi32>
  scf.for %i = %c0 to %c16 step %c1 {
    %a = memref.alloc() : memref<16xf32>
    memref.dma_wait %tag[%c0], %c16 : memref<1xi32>
    memref.dma_start %a[%c0], %x[%c0], %c16, %tag[%c0] : memref<16xf32>, memref<16xf32>, memref<1xi32>
  }
  memref.dma_wait %tag[%c0], %c16 : memref<1xi32>
  return
}

// The same if nobody waits at all.
// CHECK-LABEL: liveness of @never
// CHECK: memref.alloc {{.*}}memref<16xf32>
// CHECK-NEXT: not placed: a transfer that nothing surely waits for may still use it (memref.dma_start at line [[#@LINE+6]])
func.func @never(%x: memref<16xf32>, %c0: index, %c16: index) {
  %c1 = arith.constant 1 : index
  %tag = memref.alloc() : memref<1xi32>
  scf.for %i = %c0 to %c16 step %c1 {
    %a = memref.alloc() : memref<16xf32>
    memref.dma_start %a[%c0], %x[%c0], %c16, %tag[%c0] : memref<16xf32>, memref<16xf32>, memref<1xi32>
  }
  return
}
