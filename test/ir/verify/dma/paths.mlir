// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt-berth %s --split-input-file --allow-unregistered-dialect --verify-diagnostics --pass-pipeline='builtin.module(berth-verify)' -o /dev/null
// berth-verify on plans with transfers, made by hand: branches, loops, blocks, and
// regions that run at the same time. %a and %b have bytes in common; each wrong
// use of %b is caught, with the transfer named.

// A wait in one branch.
func.func @one_way(%x: memref<8xi32>, %v: i32, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %arena = memref.alloc() : memref<96xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<96xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<96xi8> to memref<8xi32>
  %tag = memref.view %arena[%c64][] {berth.buffer = 2} : memref<96xi8> to memref<2xi32>
  // expected-error @+2 {{may still use a buffer of the arena when its function returns}}
  // expected-note @+1 {{started here, and on some way not waited for}}
  memref.dma_start %a[%c0], %x[%c0], %c8, %tag[%c0] : memref<8xi32>, memref<8xi32>, memref<2xi32>
  scf.if %c {
    memref.dma_wait %tag[%c0], %c8 : memref<2xi32>
  }
  // expected-error @+1 {{touches bytes of the arena that a transfer may still use through another buffer}}
  linalg.fill ins(%v : i32) outs(%b : memref<8xi32>)
  return
}

// -----

// In both.
func.func @both_ways(%x: memref<8xi32>, %v: i32, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %arena = memref.alloc() : memref<96xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<96xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<96xi8> to memref<8xi32>
  %tag = memref.view %arena[%c64][] {berth.buffer = 2} : memref<96xi8> to memref<2xi32>
  memref.dma_start %a[%c0], %x[%c0], %c8, %tag[%c0] : memref<8xi32>, memref<8xi32>, memref<2xi32>
  scf.if %c {
    memref.dma_wait %tag[%c0], %c8 : memref<2xi32>
  } else {
    memref.dma_wait %tag[%c0], %c8 : memref<2xi32>
  }
  linalg.fill ins(%v : i32) outs(%b : memref<8xi32>)
  return
}

// -----

// Two on one element: a wait may be for either.
func.func @two_at_once(%x: memref<8xi32>, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %arena = memref.alloc() : memref<96xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<96xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<96xi8> to memref<8xi32>
  %tag = memref.view %arena[%c64][] {berth.buffer = 2} : memref<96xi8> to memref<2xi32>
  // expected-error @+2 {{may still use a buffer of the arena when its function returns}}
  // expected-note @+1 {{started here, and on some way not waited for}}
  memref.dma_start %a[%c0], %x[%c0], %c8, %tag[%c0] : memref<8xi32>, memref<8xi32>, memref<2xi32>
  // expected-error @+1 {{may still use a buffer of the arena when its function returns}}
  memref.dma_start %x[%c0], %x[%c0], %c8, %tag[%c0] : memref<8xi32>, memref<8xi32>, memref<2xi32>
  memref.dma_wait %tag[%c0], %c8 : memref<2xi32>
  memref.dma_wait %tag[%c0], %c8 : memref<2xi32>
  // expected-error @+1 {{touches bytes of the arena that a transfer may still use through another buffer}}
  linalg.fill ins(%v : i32) outs(%b : memref<8xi32>)
  return
}

// -----

// On two elements each has its own.
func.func @two_elements(%x: memref<8xi32>, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %arena = memref.alloc() : memref<96xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<96xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<96xi8> to memref<8xi32>
  %tag = memref.view %arena[%c64][] {berth.buffer = 2} : memref<96xi8> to memref<2xi32>
  memref.dma_start %a[%c0], %x[%c0], %c8, %tag[%c0] : memref<8xi32>, memref<8xi32>, memref<2xi32>
  memref.dma_start %x[%c0], %x[%c0], %c8, %tag[%c1] : memref<8xi32>, memref<8xi32>, memref<2xi32>
  memref.dma_wait %tag[%c0], %c8 : memref<2xi32>
  linalg.fill ins(%v : i32) outs(%b : memref<8xi32>)
  memref.dma_wait %tag[%c1], %c8 : memref<2xi32>
  return
}

// -----

// Under way where the next turn begins.
func.func @next_turn(%x: memref<8xi32>, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %arena = memref.alloc() : memref<96xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<96xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<96xi8> to memref<8xi32>
  %tag = memref.view %arena[%c64][] {berth.buffer = 2} : memref<96xi8> to memref<2xi32>
  scf.for %i = %c0 to %c8 step %c1 {
    // expected-error @+1 {{touches bytes of the arena that a transfer may still use through another buffer}}
    linalg.fill ins(%v : i32) outs(%b : memref<8xi32>)
    // expected-error @+2 {{may still use a buffer of the arena when its function returns}}
    // expected-note @+1 {{started here, and on some way not waited for}}
    memref.dma_start %a[%c0], %x[%c0], %c8, %tag[%c0] : memref<8xi32>, memref<8xi32>, memref<2xi32>
  }
  return
}

// -----

// Until the next turn waits.
func.func @waited_next_turn(%x: memref<8xi32>, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %arena = memref.alloc() : memref<96xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<96xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<96xi8> to memref<8xi32>
  %tag = memref.view %arena[%c64][] {berth.buffer = 2} : memref<96xi8> to memref<2xi32>
  memref.dma_start %a[%c0], %x[%c0], %c8, %tag[%c0] : memref<8xi32>, memref<8xi32>, memref<2xi32>
  scf.for %i = %c0 to %c8 step %c1 {
    memref.dma_wait %tag[%c0], %c8 : memref<2xi32>
    linalg.fill ins(%v : i32) outs(%b : memref<8xi32>)
    memref.dma_start %a[%c0], %x[%c0], %c8, %tag[%c0] : memref<8xi32>, memref<8xi32>, memref<2xi32>
  }
  memref.dma_wait %tag[%c0], %c8 : memref<2xi32>
  linalg.fill ins(%v : i32) outs(%b : memref<8xi32>)
  return
}

// -----

// Two numbers that a loop swaps.
func.func @swapped(%x: memref<8xi32>, %v: i32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %arena = memref.alloc() : memref<96xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<96xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<96xi8> to memref<8xi32>
  %tag = memref.view %arena[%c64][] {berth.buffer = 2} : memref<96xi8> to memref<2xi32>
  memref.dma_start %a[%c0], %x[%c0], %c8, %tag[%c0] : memref<8xi32>, memref<8xi32>, memref<2xi32>
  %e:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %c0, %q = %c1) -> (index, index) {
    memref.dma_start %a[%c0], %x[%c0], %c8, %tag[%q] : memref<8xi32>, memref<8xi32>, memref<2xi32>
    memref.dma_wait %tag[%p], %c8 : memref<2xi32>
    scf.yield %q, %p : index, index
  }
  memref.dma_wait %tag[%e#0], %c8 : memref<2xi32>
  linalg.fill ins(%v : i32) outs(%b : memref<8xi32>)
  return
}

// -----

// The same with the wait for the other one at the end.
func.func @not_swapped(%x: memref<8xi32>, %v: i32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %arena = memref.alloc() : memref<96xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<96xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<96xi8> to memref<8xi32>
  %tag = memref.view %arena[%c64][] {berth.buffer = 2} : memref<96xi8> to memref<2xi32>
  // expected-error @+2 {{may still use a buffer of the arena when its function returns}}
  // expected-note @+1 {{started here, and on some way not waited for}}
  memref.dma_start %a[%c0], %x[%c0], %c8, %tag[%c0] : memref<8xi32>, memref<8xi32>, memref<2xi32>
  %e:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %c0, %q = %c1) -> (index, index) {
    // expected-error @+1 {{may still use a buffer of the arena when its function returns}}
    memref.dma_start %a[%c0], %x[%c0], %c8, %tag[%q] : memref<8xi32>, memref<8xi32>, memref<2xi32>
    memref.dma_wait %tag[%p], %c8 : memref<2xi32>
    scf.yield %q, %p : index, index
  }
  memref.dma_wait %tag[%e#1], %c8 : memref<2xi32>
  // expected-error @+1 {{touches bytes of the arena that a transfer may still use through another buffer}}
  linalg.fill ins(%v : i32) outs(%b : memref<8xi32>)
  return
}

// -----

// The number of the turn, by its remainder.
func.func @by_the_turn(%x: memref<8xi32>, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %arena = memref.alloc() : memref<96xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<96xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<96xi8> to memref<8xi32>
  %tag = memref.view %arena[%c64][] {berth.buffer = 2} : memref<96xi8> to memref<2xi32>
  affine.dma_start %a[0], %x[0], %tag[0], %c8 : memref<8xi32>, memref<8xi32>, memref<2xi32>
  affine.for %i = 8 to 32 step 8 {
    affine.dma_start %a[0], %x[0], %tag[(%i floordiv 8) mod 2], %c8 : memref<8xi32>, memref<8xi32>, memref<2xi32>
    affine.dma_wait %tag[((%i - 8) floordiv 8) mod 2], %c8 : memref<2xi32>
  }
  affine.dma_wait %tag[1], %c8 : memref<2xi32>
  linalg.fill ins(%v : i32) outs(%b : memref<8xi32>)
  return
}

// -----

// One turn too few.
func.func @by_the_wrong_turn(%x: memref<8xi32>, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %arena = memref.alloc() : memref<96xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<96xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<96xi8> to memref<8xi32>
  %tag = memref.view %arena[%c64][] {berth.buffer = 2} : memref<96xi8> to memref<2xi32>
  affine.dma_start %a[0], %x[0], %tag[0], %c8 : memref<8xi32>, memref<8xi32>, memref<2xi32>
  affine.for %i = 8 to 40 step 8 {
    // expected-error @+2 {{may still use a buffer of the arena when its function returns}}
    // expected-note @+1 {{started here, and on some way not waited for}}
    affine.dma_start %a[0], %x[0], %tag[(%i floordiv 8) mod 2], %c8 : memref<8xi32>, memref<8xi32>, memref<2xi32>
    affine.dma_wait %tag[((%i - 8) floordiv 8) mod 2], %c8 : memref<2xi32>
  }
  affine.dma_wait %tag[1], %c8 : memref<2xi32>
  // expected-error @+1 {{touches bytes of the arena that a transfer may still use through another buffer}}
  linalg.fill ins(%v : i32) outs(%b : memref<8xi32>)
  return
}

// -----

// Between blocks.
func.func @blocks(%x: memref<8xi32>, %v: i32, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %arena = memref.alloc() : memref<96xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<96xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<96xi8> to memref<8xi32>
  %tag = memref.view %arena[%c64][] {berth.buffer = 2} : memref<96xi8> to memref<2xi32>
  memref.dma_start %a[%c0], %x[%c0], %c8, %tag[%c0] : memref<8xi32>, memref<8xi32>, memref<2xi32>
  cf.br ^turn(%c0 : index)
  ^turn(%p: index):
  %q = arith.xori %p, %c1 : index
  memref.dma_start %a[%c0], %x[%c0], %c8, %tag[%q] : memref<8xi32>, memref<8xi32>, memref<2xi32>
  memref.dma_wait %tag[%p], %c8 : memref<2xi32>
  cf.cond_br %c, ^turn(%q : index), ^end(%q : index)
  ^end(%e: index):
  memref.dma_wait %tag[%e], %c8 : memref<2xi32>
  linalg.fill ins(%v : i32) outs(%b : memref<8xi32>)
  return
}

// -----

// Between blocks, without the last wait.
func.func @blocks_without_wait(%x: memref<8xi32>, %v: i32, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %arena = memref.alloc() : memref<96xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<96xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<96xi8> to memref<8xi32>
  %tag = memref.view %arena[%c64][] {berth.buffer = 2} : memref<96xi8> to memref<2xi32>
  memref.dma_start %a[%c0], %x[%c0], %c8, %tag[%c0] : memref<8xi32>, memref<8xi32>, memref<2xi32>
  cf.br ^turn(%c0 : index)
  ^turn(%p: index):
  %q = arith.xori %p, %c1 : index
  // expected-error @+2 {{may still use a buffer of the arena when its function returns}}
  // expected-note @+1 {{started here, and on some way not waited for}}
  memref.dma_start %a[%c0], %x[%c0], %c8, %tag[%q] : memref<8xi32>, memref<8xi32>, memref<2xi32>
  memref.dma_wait %tag[%p], %c8 : memref<2xi32>
  cf.cond_br %c, ^turn(%q : index), ^end(%q : index)
  ^end(%e: index):
  // expected-error @+1 {{touches bytes of the arena that a transfer may still use through another buffer}}
  linalg.fill ins(%v : i32) outs(%b : memref<8xi32>)
  return
}

// -----

// A buffer made anew while its last instance is under way.
func.func @made_again(%x: memref<8xi32>, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %arena = memref.alloc() : memref<96xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<96xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<96xi8> to memref<8xi32>
  %tag = memref.view %arena[%c64][] {berth.buffer = 2} : memref<96xi8> to memref<2xi32>
  scf.for %i = %c0 to %c8 step %c1 {
    // expected-error @+1 {{makes a buffer anew that a transfer may still use}}
    %s = memref.view %arena[%c0][] {berth.buffer = 5} : memref<96xi8> to memref<8xi32>
    // expected-error @+2 {{may still use a buffer of the arena when its function returns}}
    // expected-note @+1 {{started here, and on some way not waited for}}
    memref.dma_start %s[%c0], %x[%c0], %c8, %tag[%c0] : memref<8xi32>, memref<8xi32>, memref<2xi32>
  }
  return
}

// -----

// Iterations that run at the same time.
func.func @parallel(%x: memref<8xi32>, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %arena = memref.alloc() : memref<96xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<96xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<96xi8> to memref<8xi32>
  %tag = memref.view %arena[%c64][] {berth.buffer = 2} : memref<96xi8> to memref<2xi32>
  // expected-error @+1 {{reads a buffer while it writes another one}}
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %t = memref.alloca() : memref<2xi32>
    // expected-error @+1 {{touches bytes of the arena that a transfer may still use through another buffer}}
    linalg.fill ins(%v : i32) outs(%b : memref<8xi32>)
    // expected-note @+1 {{started here, and on some way not waited for}}
    memref.dma_start %a[%c0], %x[%c0], %c8, %t[%c0] : memref<8xi32>, memref<8xi32>, memref<2xi32>
    memref.dma_wait %t[%c0], %c8 : memref<2xi32>
    scf.reduce
  }
  return
}

// -----

// Behind them what each has waited for is over.
func.func @behind_parallel(%x: memref<8xi32>, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %arena = memref.alloc() : memref<96xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<96xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<96xi8> to memref<8xi32>
  %tag = memref.view %arena[%c64][] {berth.buffer = 2} : memref<96xi8> to memref<2xi32>
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %t = memref.alloca() : memref<2xi32>
    memref.dma_start %a[%c0], %x[%c0], %c8, %t[%c0] : memref<8xi32>, memref<8xi32>, memref<2xi32>
    memref.dma_wait %t[%c0], %c8 : memref<2xi32>
    scf.reduce
  }
  linalg.fill ins(%v : i32) outs(%b : memref<8xi32>)
  return
}

// -----

// What is under way outside meanwhile is waited for outside.
func.func @beside_parallel(%x: memref<8xi32>, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %arena = memref.alloc() : memref<96xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<96xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<96xi8> to memref<8xi32>
  %tag = memref.view %arena[%c64][] {berth.buffer = 2} : memref<96xi8> to memref<2xi32>
  memref.dma_start %x[%c0], %x[%c0], %c8, %tag[%c0] : memref<8xi32>, memref<8xi32>, memref<2xi32>
  memref.dma_start %a[%c0], %x[%c0], %c8, %tag[%c1] : memref<8xi32>, memref<8xi32>, memref<2xi32>
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %t = memref.alloca() : memref<2xi32>
    memref.dma_start %x[%c0], %x[%c0], %c8, %t[%c0] : memref<8xi32>, memref<8xi32>, memref<2xi32>
    memref.dma_wait %t[%c0], %c8 : memref<2xi32>
    scf.reduce
  }
  memref.dma_wait %tag[%c0], %c8 : memref<2xi32>
  memref.dma_wait %tag[%c1], %c8 : memref<2xi32>
  linalg.fill ins(%v : i32) outs(%b : memref<8xi32>)
  return
}

// -----

// A tag in the arena of an iteration, which is checked by itself.
func.func @own_arena(%x: memref<8xi32>, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %arena = memref.alloc() : memref<96xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<96xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<96xi8> to memref<8xi32>
  %tag = memref.view %arena[%c64][] {berth.buffer = 2} : memref<96xi8> to memref<2xi32>
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %own = memref.alloc() : memref<96xi8>
    %t = memref.view %own[%c0][] {berth.buffer = 7} : memref<96xi8> to memref<2xi32>
    memref.dma_start %a[%c0], %x[%c0], %c8, %t[%c0] : memref<8xi32>, memref<8xi32>, memref<2xi32>
    memref.dma_wait %t[%c0], %c8 : memref<2xi32>
    memref.dealloc %own : memref<96xi8>
    scf.reduce
  }
  linalg.fill ins(%v : i32) outs(%b : memref<8xi32>)
  return
}

// -----

func.func private @move(%from: memref<8xi32>, %to: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %t = memref.alloca() : memref<2xi32>
  memref.dma_start %from[%c0], %to[%c0], %c8, %t[%c0] : memref<8xi32>, memref<8xi32>, memref<2xi32>
  memref.dma_wait %t[%c0], %c8 : memref<2xi32>
  return
}

// A function that waits leaves nothing.
func.func @called(%x: memref<8xi32>, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %arena = memref.alloc() : memref<96xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<96xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<96xi8> to memref<8xi32>
  %tag = memref.view %arena[%c64][] {berth.buffer = 2} : memref<96xi8> to memref<2xi32>
  func.call @move(%a, %x) : (memref<8xi32>, memref<8xi32>) -> ()
  linalg.fill ins(%v : i32) outs(%b : memref<8xi32>)
  return
}

// -----

func.func private @move(%from: memref<8xi32>, %to: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %t = memref.alloca() : memref<2xi32>
  memref.dma_start %from[%c0], %to[%c0], %c8, %t[%c0] : memref<8xi32>, memref<8xi32>, memref<2xi32>
  return
}

// One that does not does.
func.func @left_behind(%x: memref<8xi32>, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %arena = memref.alloc() : memref<96xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<96xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<96xi8> to memref<8xi32>
  %tag = memref.view %arena[%c64][] {berth.buffer = 2} : memref<96xi8> to memref<2xi32>
  // expected-error @+2 {{may still use a buffer of the arena when its function returns}}
  // expected-note @+1 {{started here, and on some way not waited for}}
  func.call @move(%a, %x) : (memref<8xi32>, memref<8xi32>) -> ()
  // expected-error @+1 {{touches bytes of the arena that a transfer may still use through another buffer}}
  linalg.fill ins(%v : i32) outs(%b : memref<8xi32>)
  return
}

// -----

// A start that may come later than a wait behind it.
func.func @some_time(%x: memref<8xi32>, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %arena = memref.alloc() : memref<96xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<96xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<96xi8> to memref<8xi32>
  %tag = memref.view %arena[%c64][] {berth.buffer = 2} : memref<96xi8> to memref<2xi32>
  %n = memref.dim %x, %c0 : memref<8xi32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    // expected-error @+2 {{may still use a buffer of the arena when its function returns}}
    // expected-note @+1 {{started here, and on some way not waited for}}
    memref.dma_start %a[%c0], %x[%c0], %c8, %tag[%c0] : memref<8xi32>, memref<8xi32>, memref<2xi32>
  }
  memref.dma_wait %tag[%c0], %c8 : memref<2xi32>
  // expected-error @+1 {{touches bytes of the arena that a transfer may still use through another buffer}}
  linalg.fill ins(%v : i32) outs(%b : memref<8xi32>)
  return
}

// -----

// A wait that may never come.
func.func @perhaps(%x: memref<8xi32>, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %arena = memref.alloc() : memref<96xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<96xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<96xi8> to memref<8xi32>
  %tag = memref.view %arena[%c64][] {berth.buffer = 2} : memref<96xi8> to memref<2xi32>
  // expected-error @+2 {{may still use a buffer of the arena when its function returns}}
  // expected-note @+1 {{started here, and on some way not waited for}}
  memref.dma_start %a[%c0], %x[%c0], %c8, %tag[%c0] : memref<8xi32>, memref<8xi32>, memref<2xi32>
  "some.op"() ({
    memref.dma_wait %tag[%c0], %c8 : memref<2xi32>
  }) : () -> ()
  // expected-error @+1 {{touches bytes of the arena that a transfer may still use through another buffer}}
  linalg.fill ins(%v : i32) outs(%b : memref<8xi32>)
  return
}

// -----

// A number that each turn finds anew is another one in the next turn.
func.func @found_anew(%x: memref<8xi32>, %v: i32, %y: memref<8xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %arena = memref.alloc() : memref<96xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<96xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<96xi8> to memref<8xi32>
  %tag = memref.view %arena[%c64][] {berth.buffer = 2} : memref<96xi8> to memref<2xi32>
  %e = scf.for %i = %c0 to %c8 step %c1 iter_args(%q = %c0) -> (index) {
    %p = memref.load %y[%i] : memref<8xindex>
    memref.dma_wait %tag[%p], %c8 : memref<2xi32>
    // expected-error @+1 {{touches bytes of the arena that a transfer may still use through another buffer}}
    linalg.fill ins(%v : i32) outs(%b : memref<8xi32>)
    // expected-error @+2 {{may still use a buffer of the arena when its function returns}}
    // expected-note @+1 {{started here, and on some way not waited for}}
    memref.dma_start %a[%c0], %x[%c0], %c8, %tag[%p] : memref<8xi32>, memref<8xi32>, memref<2xi32>
    scf.yield %p : index
  }
  memref.dma_wait %tag[%e], %c8 : memref<2xi32>
  return
}

// -----

// More and more of them, each on an element of its own.
func.func @ever_more(%x: memref<8xi32>, %v: i32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %arena = memref.alloc() : memref<1024xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<1024xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<1024xi8> to memref<8xi32>
  %tag = memref.view %arena[%c64][] {berth.buffer = 2} : memref<1024xi8> to memref<99xi32>
  scf.for %j = %c0 to %n step %c1 {
    scf.for %i = %c0 to %n step %c1 {
      // expected-error @+2 {{may still use a buffer of the arena when its function returns}}
      // expected-note @+1 {{started here, and on some way not waited for}}
      memref.dma_start %a[%c0], %x[%c0], %c8, %tag[%i] : memref<8xi32>, memref<8xi32>, memref<99xi32>
    }
  }
  memref.dma_wait %tag[%c0], %c8 : memref<99xi32>
  // expected-error @+1 {{touches bytes of the arena that a transfer may still use through another buffer}}
  linalg.fill ins(%v : i32) outs(%b : memref<8xi32>)
  return
}

// -----

// Another buffer of the same place is made while the transfer goes on, and used
// behind the wait; and in front of it.
func.func @same_place(%x: memref<8xi32>, %y: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %arena = memref.alloc() : memref<96xi8>
  %tag = memref.view %arena[%c64][] {berth.buffer = 2} : memref<96xi8> to memref<2xi32>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<96xi8> to memref<8xi32>
  memref.dma_start %x[%c0], %a[%c0], %c8, %tag[%c0] : memref<8xi32>, memref<8xi32>, memref<2xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 0} : memref<96xi8> to memref<8xi32>
  memref.dma_wait %tag[%c0], %c8 : memref<2xi32>
  linalg.add ins(%x, %x : memref<8xi32>, memref<8xi32>) outs(%b : memref<8xi32>)
  return
}
func.func @same_place_too_early(%x: memref<8xi32>, %y: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %arena = memref.alloc() : memref<96xi8>
  %tag = memref.view %arena[%c64][] {berth.buffer = 2} : memref<96xi8> to memref<2xi32>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<96xi8> to memref<8xi32>
  // expected-note @+1 {{started here, and on some way not waited for}}
  memref.dma_start %x[%c0], %a[%c0], %c8, %tag[%c0] : memref<8xi32>, memref<8xi32>, memref<2xi32>
  // expected-error @+1 {{makes a buffer anew that a transfer may still use}}
  %b = memref.view %arena[%c0][] {berth.buffer = 0} : memref<96xi8> to memref<8xi32>
  linalg.add ins(%x, %x : memref<8xi32>, memref<8xi32>) outs(%b : memref<8xi32>)
  memref.dma_wait %tag[%c0], %c8 : memref<2xi32>
  return
}
