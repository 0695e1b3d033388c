// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// (The fragments' ops are LLVM 22's.)
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-print-interference)' \
// RUN:   -o %t 2>&1 | FileCheck %s
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-arena{barriers=existing})' -o %t

// Matrices that subgroups store. In each kernel %a and %b share exactly if all of %a is
// overwritten in each turn, and nobody reads it in the same phase.

#w = #gpu.address_space<workgroup>
!a = memref<32x32xf32, #w>
!b = memref<64xf32, #w>
!out = memref<64xf32>
!m = !gpu.mma_matrix<16x16xf32, "COp">
!n = !gpu.mma_matrix<8x32xf32, "COp">

gpu.module @kernels {
// Four subgroups, each a quarter.
// CHECK-LABEL: interference of @quarters
// CHECK-NOT:   both live
  gpu.func @quarters(%m: !m, %n: index, %out: !out) kernel
      attributes {known_block_size = array<i32: 32, 4, 1>} {
    %t = gpu.thread_id x
    %u = gpu.thread_id y
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = memref.alloc() : !a
    %b = memref.alloc() : !b
    scf.for %i = %c0 to %n step %c1 {
      %row = affine.apply affine_map<(d0) -> (d0 floordiv 2 * 16)>(%u)
      %column = affine.apply affine_map<(d0) -> (d0 mod 2 * 16)>(%u)
      gpu.subgroup_mma_store_matrix %m, %a[%row, %column] {leadDimension = 32 : index} : !m, !a
      gpu.barrier
      %x = affine.load %a[3, %t] : !a
      gpu.barrier
      linalg.fill ins(%x : f32) outs(%b : !b)
      memref.copy %b, %out : !b to !out
    }
    gpu.return
  }

// In turns of a loop, from its transposed form, through a view.
// CHECK-LABEL: interference of @transposed
// CHECK-NOT:   both live
  gpu.func @transposed(%m: !n, %n: index, %out: !out) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %warp = arith.divui %t, %c32 : index
    %first = arith.muli %warp, %c8 : index
    %a = memref.alloc() : !a
    %b = memref.alloc() : !b
    scf.for %i = %c0 to %n step %c1 {
      scf.for %j = %first to %c32 step %c16 {
        %part = memref.subview %a[0, %j] [32, 8] [1, 1] : !a to memref<32x8xf32, strided<[32, 1], offset: ?>, #w>
        gpu.subgroup_mma_store_matrix %m, %part[%c0, %c0] {leadDimension = 32 : index, transpose} : !n, memref<32x8xf32, strided<[32, 1], offset: ?>, #w>
      }
      gpu.barrier
      %x = affine.load %a[3, %t mod 32] : !a
      gpu.barrier
      linalg.fill ins(%x : f32) outs(%b : !b)
      memref.copy %b, %out : !b to !out
    }
    gpu.return
  }

// The same, not transposed: only rows at the top.
// CHECK-LABEL: interference of @straight
// CHECK:       both live
  gpu.func @straight(%m: !n, %n: index, %out: !out) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %warp = arith.divui %t, %c32 : index
    %first = arith.muli %warp, %c8 : index
    %a = memref.alloc() : !a
    %b = memref.alloc() : !b
    scf.for %i = %c0 to %n step %c1 {
      scf.for %j = %first to %c32 step %c16 {
        %part = memref.subview %a[0, %j] [32, 8] [1, 1] : !a to memref<32x8xf32, strided<[32, 1], offset: ?>, #w>
        gpu.subgroup_mma_store_matrix %m, %part[%c0, %c0] {leadDimension = 32 : index} : !n, memref<32x8xf32, strided<[32, 1], offset: ?>, #w>
      }
      gpu.barrier
      %x = affine.load %a[3, %t mod 32] : !a
      gpu.barrier
      linalg.fill ins(%x : f32) outs(%b : !b)
      memref.copy %b, %out : !b to !out
    }
    gpu.return
  }

// Rows are as far apart as the op says, whatever the memref does: here every other one.
// CHECK-LABEL: interference of @lead
// CHECK:       both live
  gpu.func @lead(%m: !m, %n: index, %out: !out) kernel
      attributes {known_block_size = array<i32: 32, 4, 1>} {
    %t = gpu.thread_id x
    %u = gpu.thread_id y
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = memref.alloc() : !a
    %b = memref.alloc() : !b
    scf.for %i = %c0 to %n step %c1 {
      %row = affine.apply affine_map<(d0) -> (d0 floordiv 2 * 16)>(%u)
      %column = affine.apply affine_map<(d0) -> (d0 mod 2 * 16)>(%u)
      gpu.subgroup_mma_store_matrix %m, %a[%row, %column] {leadDimension = 64 : index} : !m, !a
      gpu.barrier
      %x = affine.load %a[3, %t] : !a
      gpu.barrier
      linalg.fill ins(%x : f32) outs(%b : !b)
      memref.copy %b, %out : !b to !out
    }
    gpu.return
  }

// The last subgroup lacks lanes.
// CHECK-LABEL: interference of @ragged
// CHECK:       both live
  gpu.func @ragged(%m: !m, %n: index, %out: !out) kernel
      attributes {known_block_size = array<i32: 112, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = memref.alloc() : !a
    %b = memref.alloc() : !b
    scf.for %i = %c0 to %n step %c1 {
      %row = affine.apply affine_map<(d0) -> (d0 floordiv 64 * 16)>(%t)
      %column = affine.apply affine_map<(d0) -> (d0 floordiv 32 mod 2 * 16)>(%t)
      gpu.subgroup_mma_store_matrix %m, %a[%row, %column] {leadDimension = 32 : index} : !m, !a
      gpu.barrier
      %x = affine.load %a[3, %t mod 32] : !a
      gpu.barrier
      linalg.fill ins(%x : f32) outs(%b : !b)
      memref.copy %b, %out : !b to !out
    }
    gpu.return
  }

// A subgroup reads what another one has just stored, which no barrier ahead of it lets
// it see.
// CHECK-LABEL: interference of @met
// CHECK:       both live
  gpu.func @met(%m: !m, %n: index, %out: !out) kernel
      attributes {known_block_size = array<i32: 32, 4, 1>} {
    %t = gpu.thread_id x
    %u = gpu.thread_id y
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = memref.alloc() : !a
    %b = memref.alloc() : !b
    scf.for %i = %c0 to %n step %c1 {
      %row = affine.apply affine_map<(d0) -> (d0 floordiv 2 * 16)>(%u)
      %column = affine.apply affine_map<(d0) -> (d0 mod 2 * 16)>(%u)
      gpu.subgroup_mma_store_matrix %m, %a[%row, %column] {leadDimension = 32 : index} : !m, !a
      %x = affine.load %a[3, %t] : !a
      gpu.barrier
      linalg.fill ins(%x : f32) outs(%b : !b)
      memref.copy %b, %out : !b to !out
    }
    gpu.return
  }

// Half of it by elements, half by a matrix.
// CHECK-LABEL: interference of @halves
// CHECK-NOT:   both live
  gpu.func @halves(%n: index, %out: !out) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %zero = arith.constant 0.0 : f32
    %none = gpu.subgroup_mma_constant_matrix %zero : !m
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %a = memref.alloc() : memref<32x16xf32, #w>
    %b = memref.alloc() : !b
    scf.for %i = %c0 to %n step %c1 {
      scf.for %j = %c0 to %c16 step %c1 {
        %r = arith.addi %j, %c16 : index
        scf.for %k = %t to %c16 step %c32 {
          memref.store %zero, %a[%r, %k] : memref<32x16xf32, #w>
        }
      }
      gpu.subgroup_mma_store_matrix %none, %a[%c0, %c0] {leadDimension = 16 : index} : !m, memref<32x16xf32, #w>
      gpu.barrier
      %f = gpu.subgroup_mma_load_matrix %a[%c16, %c0] {leadDimension = 16 : index} : memref<32x16xf32, #w> -> !m
      %x = affine.load %a[3, %t mod 16] : memref<32x16xf32, #w>
      gpu.barrier
      linalg.fill ins(%x : f32) outs(%b : !b)
      memref.copy %b, %out : !b to !out
    }
    gpu.return
  }
}
