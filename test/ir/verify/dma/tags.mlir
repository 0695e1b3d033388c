// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt-berth %s --split-input-file --allow-unregistered-dialect --verify-diagnostics --pass-pipeline='builtin.module(berth-verify)' -o /dev/null
// berth-verify on plans with transfers, made by hand: which wait is for which
// transfer. %a and %b have bytes in common; each wrong use of %b is caught, with
// the transfer named.

// Behind the wait the bytes are free.
func.func @behind_the_wait(%x: memref<8xi32>, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %arena = memref.alloc() : memref<96xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<96xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<96xi8> to memref<8xi32>
  %tag = memref.view %arena[%c64][] {berth.buffer = 2} : memref<96xi8> to memref<2xi32>
  memref.dma_start %a[%c0], %x[%c0], %c8, %tag[%c0] : memref<8xi32>, memref<8xi32>, memref<2xi32>
  memref.dma_wait %tag[%c0], %c8 : memref<2xi32>
  linalg.fill ins(%v : i32) outs(%b : memref<8xi32>)
  return
}

// -----

// In front of it they are not, though nobody reads %a any more.
func.func @before_the_wait(%x: memref<8xi32>, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %arena = memref.alloc() : memref<96xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<96xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<96xi8> to memref<8xi32>
  %tag = memref.view %arena[%c64][] {berth.buffer = 2} : memref<96xi8> to memref<2xi32>
  // expected-note @+1 {{started here, and on some way not waited for}}
  memref.dma_start %a[%c0], %x[%c0], %c8, %tag[%c0] : memref<8xi32>, memref<8xi32>, memref<2xi32>
  // expected-error @+1 {{touches bytes of the arena that a transfer may still use through another buffer}}
  linalg.fill ins(%v : i32) outs(%b : memref<8xi32>)
  memref.dma_wait %tag[%c0], %c8 : memref<2xi32>
  return
}

// -----

// Nor are those of a target that nobody reads.
func.func @target(%x: memref<8xi32>, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %arena = memref.alloc() : memref<96xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<96xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<96xi8> to memref<8xi32>
  %tag = memref.view %arena[%c64][] {berth.buffer = 2} : memref<96xi8> to memref<2xi32>
  // expected-note @+1 {{started here, and on some way not waited for}}
  memref.dma_start %x[%c0], %a[%c0], %c8, %tag[%c0] : memref<8xi32>, memref<8xi32>, memref<2xi32>
  // expected-error @+1 {{touches bytes of the arena that a transfer may still use through another buffer}}
  linalg.fill ins(%v : i32) outs(%b : memref<8xi32>)
  memref.dma_wait %tag[%c0], %c8 : memref<2xi32>
  return
}

// -----

// The same in the affine dialect.
func.func @target_affine(%x: memref<8xi32>, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %arena = memref.alloc() : memref<96xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<96xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<96xi8> to memref<8xi32>
  %tag = memref.view %arena[%c64][] {berth.buffer = 2} : memref<96xi8> to memref<2xi32>
  // expected-note @+1 {{started here, and on some way not waited for}}
  affine.dma_start %x[0], %a[0], %tag[1], %c8 : memref<8xi32>, memref<8xi32>, memref<2xi32>
  // expected-error @+1 {{touches bytes of the arena that a transfer may still use through another buffer}}
  linalg.fill ins(%v : i32) outs(%b : memref<8xi32>)
  affine.dma_wait %tag[1], %c8 : memref<2xi32>
  return
}

// -----

// A tag has its bytes for itself as well.
func.func @tag(%x: memref<8xi32>, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %arena = memref.alloc() : memref<96xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<96xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<96xi8> to memref<8xi32>
  %tag = memref.view %arena[%c64][] {berth.buffer = 2} : memref<96xi8> to memref<2xi32>
  %t = memref.view %arena[%c64][] {berth.buffer = 3} : memref<96xi8> to memref<8xi32>
  // expected-note @+1 {{started here, and on some way not waited for}}
  memref.dma_start %a[%c0], %x[%c0], %c8, %tag[%c0] : memref<8xi32>, memref<8xi32>, memref<2xi32>
  // expected-error @+1 {{touches bytes of the arena that a transfer may still use through another buffer}}
  linalg.fill ins(%v : i32) outs(%t : memref<8xi32>)
  // expected-error @+2 {{reads a buffer whose bytes}}
  // expected-note @-2 {{by this write}}
  memref.dma_wait %tag[%c0], %c8 : memref<2xi32>
  return
}

// -----

// A wait for another element.
func.func @another_element(%x: memref<8xi32>, %v: i32) {
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
  memref.dma_wait %tag[%c1], %c8 : memref<2xi32>
  // expected-error @+1 {{touches bytes of the arena that a transfer may still use through another buffer}}
  linalg.fill ins(%v : i32) outs(%b : memref<8xi32>)
  return
}

// -----

// For what may be another element.
func.func @another_value(%x: memref<8xi32>, %v: i32, %i: index, %j: index) {
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
  memref.dma_start %a[%c0], %x[%c0], %c8, %tag[%i] : memref<8xi32>, memref<8xi32>, memref<2xi32>
  memref.dma_wait %tag[%j], %c8 : memref<2xi32>
  // expected-error @+1 {{touches bytes of the arena that a transfer may still use through another buffer}}
  linalg.fill ins(%v : i32) outs(%b : memref<8xi32>)
  return
}

// -----

// For another tag.
func.func @another_tag(%x: memref<8xi32>, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %arena = memref.alloc() : memref<96xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<96xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<96xi8> to memref<8xi32>
  %tag = memref.view %arena[%c64][] {berth.buffer = 2} : memref<96xi8> to memref<2xi32>
  %t = memref.alloc() : memref<2xi32>
  // expected-error @+2 {{may still use a buffer of the arena when its function returns}}
  // expected-note @+1 {{started here, and on some way not waited for}}
  memref.dma_start %a[%c0], %x[%c0], %c8, %tag[%c0] : memref<8xi32>, memref<8xi32>, memref<2xi32>
  memref.dma_wait %t[%c0], %c8 : memref<2xi32>
  // expected-error @+1 {{touches bytes of the arena that a transfer may still use through another buffer}}
  linalg.fill ins(%v : i32) outs(%b : memref<8xi32>)
  return
}

// -----

// A tag outside of the arena will do.
func.func @own_tag(%x: memref<8xi32>, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %arena = memref.alloc() : memref<96xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<96xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<96xi8> to memref<8xi32>
  %tag = memref.view %arena[%c64][] {berth.buffer = 2} : memref<96xi8> to memref<2xi32>
  %t = memref.alloc() : memref<2xi32>
  memref.dma_start %a[%c0], %x[%c0], %c8, %t[%c0] : memref<8xi32>, memref<8xi32>, memref<2xi32>
  memref.dma_wait %t[%c0], %c8 : memref<2xi32>
  linalg.fill ins(%v : i32) outs(%b : memref<8xi32>)
  return
}

// -----

// Not if others may use it.
func.func @own_tag_given_away(%x: memref<8xi32>, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %arena = memref.alloc() : memref<96xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<96xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<96xi8> to memref<8xi32>
  %tag = memref.view %arena[%c64][] {berth.buffer = 2} : memref<96xi8> to memref<2xi32>
  %t = memref.alloc() : memref<2xi32>
  "some.op"(%t) : (memref<2xi32>) -> ()
  // expected-error @+2 {{may still use a buffer of the arena when its function returns}}
  // expected-note @+1 {{started here, and on some way not waited for}}
  memref.dma_start %a[%c0], %x[%c0], %c8, %t[%c0] : memref<8xi32>, memref<8xi32>, memref<2xi32>
  memref.dma_wait %t[%c0], %c8 : memref<2xi32>
  // expected-error @+1 {{touches bytes of the arena that a transfer may still use through another buffer}}
  linalg.fill ins(%v : i32) outs(%b : memref<8xi32>)
  return
}

// -----

// Nor in the arena.
func.func @given_away(%x: memref<8xi32>, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %arena = memref.alloc() : memref<96xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<96xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<96xi8> to memref<8xi32>
  %tag = memref.view %arena[%c64][] {berth.buffer = 2} : memref<96xi8> to memref<2xi32>
  "some.op"(%tag) : (memref<2xi32>) -> ()
  // expected-error @+2 {{may still use a buffer of the arena when its function returns}}
  // expected-note @+1 {{started here, and on some way not waited for}}
  memref.dma_start %a[%c0], %x[%c0], %c8, %tag[%c0] : memref<8xi32>, memref<8xi32>, memref<2xi32>
  memref.dma_wait %tag[%c0], %c8 : memref<2xi32>
  // expected-error @+1 {{touches bytes of the arena that a transfer may still use through another buffer}}
  linalg.fill ins(%v : i32) outs(%b : memref<8xi32>)
  return
}

// -----

// Nor a caller's.
func.func @of_the_caller(%x: memref<8xi32>, %v: i32, %t: memref<2xi32>) {
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
  memref.dma_start %a[%c0], %x[%c0], %c8, %t[%c0] : memref<8xi32>, memref<8xi32>, memref<2xi32>
  memref.dma_wait %t[%c0], %c8 : memref<2xi32>
  // expected-error @+1 {{touches bytes of the arena that a transfer may still use through another buffer}}
  linalg.fill ins(%v : i32) outs(%b : memref<8xi32>)
  return
}

// -----

// Nor one that is written meanwhile.
func.func @written_meanwhile(%x: memref<8xi32>, %v: i32) {
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
  memref.store %v, %tag[%c0] : memref<2xi32>
  memref.dma_wait %tag[%c0], %c8 : memref<2xi32>
  // expected-error @+1 {{touches bytes of the arena that a transfer may still use through another buffer}}
  linalg.fill ins(%v : i32) outs(%b : memref<8xi32>)
  return
}
