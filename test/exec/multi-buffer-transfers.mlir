// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transfers that are started some turns before they are waited for bring the same,
// though they come as late as can be. In an arena the memory that they fill is free
// for others once the loop is over.
// REQUIRES: llvm-22
// RUN: %same-output --late=%late --forget-space=2 --pipeline='berth-multi-buffer{space=2},berth-arena{space=2},berth-arena' --pipeline='berth-multi-buffer{space=2 factor=3},canonicalize,cse,berth-arena{space=2 poison=true}' --pipeline='berth-multi-buffer{space=2 factor=9},generate-runtime-verification' --pipeline='berth-multi-buffer{space=2 ahead=false},berth-arena{space=2}' %S/Inputs/prelude.mlir %s | FileCheck %s
// RUN: cat %S/Inputs/prelude.mlir %s > %t.mlir
// RUN: %mlir-opt-berth %t.mlir --pass-pipeline='builtin.module(berth-multi-buffer{space=2},berth-arena{space=2})' | FileCheck %s --check-prefix=ARENA
// Each rule is needed.
// DEFINE: %{rule} =
// DEFINE: %{breaks} = not %same-output --late=%late --forget-space=2 --pipeline='berth-multi-buffer{space=2 verify=false test-break-rule=%{rule}},generate-runtime-verification' %S/Inputs/prelude.mlir %s 2>&1 | FileCheck %s --check-prefix=BROKEN
// BROKEN: the {{output differs|program does not run}}
// REDEFINE: %{rule} = sources-stay
// RUN: %{breaks}
// REDEFINE: %{rule} = turns-follow
// RUN: %{breaks}
// REDEFINE: %{rule} = content-ends-with-block
// RUN: %{breaks}
// CHECK: {{[1-9][0-9]*}} lines

// Two tiles with tags of their own in one loop, and one that takes their place: two
// slots of 32 bytes each.
// ARENA-LABEL: @two(
// ARENA: memref.alloc() {{.*}} : memref<128xi8, 2>
func.func @two(%x: memref<64xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %c56 = arith.constant 56 : index
  %c57 = arith.constant 57 : index
  %c0_i32 = arith.constant 0 : i32
  %c3_i32 = arith.constant 3 : i32
  %m = memref.alloc() : memref<8xi32>
  %a = memref.alloc() : memref<8xi32, 2>
  %b = memref.alloc() : memref<8xi32, 2>
  %tag = memref.alloc() : memref<2xi32>
  linalg.fill ins(%c0_i32 : i32) outs(%m : memref<8xi32>)
  %sum, %count = scf.for %i = %c1 to %c57 step %c8 iter_args(%s = %c0_i32, %k = %c3) -> (i32, index) {
    %p = memref.subview %x[%i] [8] [1] : memref<64xi32> to memref<8xi32, strided<[1], offset: ?>>
    memref.dma_start %p[%c0], %a[%c0], %c8, %tag[%c0] : memref<8xi32, strided<[1], offset: ?>>, memref<8xi32, 2>, memref<2xi32>
    %o = arith.subi %c56, %i : index
    memref.dma_start %x[%o], %b[%c0], %c8, %tag[%c1] : memref<64xi32>, memref<8xi32, 2>, memref<2xi32>
    memref.dma_wait %tag[%c0], %c8 : memref<2xi32>
    memref.dma_wait %tag[%c1], %c8 : memref<2xi32>
    linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (7 - d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%a, %b : memref<8xi32, 2>, memref<8xi32, 2>) outs(%m : memref<8xi32>) {
    ^bb0(%u: i32, %r: i32, %t: i32):
      %v = arith.muli %t, %c3_i32 : i32
      %w = arith.addi %v, %u : i32
      %z = arith.subi %w, %r : i32
      linalg.yield %z : i32
    }
    %f = memref.load %b[%c3] : memref<8xi32, 2>
    %g = arith.addi %s, %f : i32
    %h = arith.addi %k, %k : index
    scf.yield %g, %h : i32, index
  }
  func.call @show(%m) : (memref<8xi32>) -> ()
  vector.print %sum : i32
  vector.print %count : index
  memref.dealloc %tag : memref<2xi32>
  %c = memref.alloc() : memref<32xi32, 2>
  linalg.fill ins(%c3_i32 : i32) outs(%c : memref<32xi32, 2>)
  %v = memref.load %c[%c3] : memref<32xi32, 2>
  vector.print %v : i32
  memref.dealloc %c : memref<32xi32, 2>
  return
}

// In a loop, where all of it is made in the turn; bounds that are no multiples.
// ARENA-LABEL: @nested(
// ARENA: memref.alloc() {{.*}} : memref<64xi8, 2>
func.func @nested(%x: memref<64xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c0_i32 = arith.constant 0 : i32
  %c5 = arith.constant 5 : i32
  %all = scf.for %j = %c0 to %n step %c1 iter_args(%t = %c0_i32) -> (i32) {
    %sum = scf.for %i = %c2 to %c16 step %c3 iter_args(%s = %t) -> (i32) {
      %a = memref.alloc() : memref<8xi32, 2>
      %tag = memref.alloc() : memref<1xi32>
      %o = arith.addi %i, %j : index
      memref.dma_start %x[%o], %a[%c0], %c8, %tag[%c0] : memref<64xi32>, memref<8xi32, 2>, memref<1xi32>
      memref.dma_wait %tag[%c0], %c8 : memref<1xi32>
      %u = scf.for %k = %c0 to %c8 step %c1 iter_args(%r = %s) -> (i32) {
        %v = memref.load %a[%k] : memref<8xi32, 2>
        %w = arith.muli %r, %c5 : i32
        %z = arith.addi %w, %v : i32
        scf.yield %z : i32
      }
      memref.dealloc %a : memref<8xi32, 2>
      memref.dealloc %tag : memref<1xi32>
      scf.yield %u : i32
    }
    scf.yield %sum : i32
  }
  vector.print %all : i32
  return
}

// What is brought is written by the turn before.
func.func @written(%x: memref<64xi32>, %y: memref<64xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %a = memref.alloc() : memref<8xi32, 2>
  %tag = memref.alloc() : memref<1xi32>
  scf.for %i = %c0 to %c8 step %c1 {
    memref.dma_start %x[%i], %a[%c0], %c8, %tag[%c0] : memref<64xi32>, memref<8xi32, 2>, memref<1xi32>
    memref.dma_wait %tag[%c0], %c8 : memref<1xi32>
    %v = memref.load %a[%c1] : memref<8xi32, 2>
    %w = memref.load %a[%c0] : memref<8xi32, 2>
    %s = arith.addi %v, %w : i32
    %k = arith.addi %i, %c1 : index
    memref.store %s, %y[%k] : memref<64xi32>
  }
  %v = memref.load %x[%c8] : memref<64xi32>
  vector.print %v : i32
  return
}

// Half of it is what an earlier turn has left.
func.func @kept(%x: memref<64xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %c0_i32 = arith.constant 0 : i32
  %a = memref.alloc() : memref<8xi32, 2>
  %tag = memref.alloc() : memref<1xi32>
  %sum = scf.for %i = %c0 to %c8 step %c1 iter_args(%s = %c0_i32) -> (i32) {
    memref.dma_start %x[%i], %a[%c0], %c4, %tag[%c0] : memref<64xi32>, memref<8xi32, 2>, memref<1xi32>
    memref.dma_wait %tag[%c0], %c4 : memref<1xi32>
    %first = arith.cmpi eq, %i, %c0 : index
    scf.if %first {
      memref.store %c0_i32, %a[%c7] : memref<8xi32, 2>
    }
    %v = memref.load %a[%c0] : memref<8xi32, 2>
    %w = memref.load %a[%c7] : memref<8xi32, 2>
    %u = arith.addi %v, %w : i32
    memref.store %u, %a[%c7] : memref<8xi32, 2>
    scf.yield %u : i32
  }
  vector.print %sum : i32
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  %x = memref.alloc() : memref<64xi32>
  scf.for %i = %c0 to %c64 step %c1 {
    %s = arith.muli %i, %i : index
    %v = arith.index_cast %s : index to i32
    memref.store %v, %x[%i] : memref<64xi32>
  }
  func.call @two(%x) : (memref<64xi32>) -> ()
  func.call @nested(%x, %c0) : (memref<64xi32>, index) -> ()
  func.call @nested(%x, %c3) : (memref<64xi32>, index) -> ()
  func.call @kept(%x) : (memref<64xi32>) -> ()
  func.call @written(%x, %x) : (memref<64xi32>, memref<64xi32>) -> ()
  memref.dealloc %x : memref<64xi32>
  return
}
