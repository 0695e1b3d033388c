// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles of a product, hoisted out of the loop over them: the operands are overwritten by
// all threads, element by element, the result by two subgroups, a matrix each.
// RUN: %race %s | FileCheck %s
// Half of the result is kept where only one of the subgroups stores.
// RUN: sed 's/scf.if %all/scf.if %first/' %s > %t.one.mlir
// RUN: %race %t.one.mlir --keep-barriers | FileCheck %s --check-prefix=KEPT
// RUN: %status 1 %race %t.one.mlir --arena="test-break-rule=partial-covers verify=false" 2>&1 | FileCheck %s --check-prefix=WRONG
// What a part of a subgroup stores is no matrix.
// RUN: sed 's/scf.if %all/scf.if %few/' %s > %t.few.mlir
// RUN: %race %t.few.mlir --keep-barriers | FileCheck %s --check-prefix=KEPT
// RUN: %status 1 %race %t.few.mlir --arena="test-break-rule=full-subgroups verify=false" 2>&1 | FileCheck %s --check-prefix=WRONG

// CHECK: buffers: 3 of 3, bytes: 3584 -> 2048, barriers inserted: 0
// CHECK-NEXT: equal, no race
// KEPT: bytes: 3584 -> 3584
// KEPT-NEXT: equal, no race
// WRONG: race.sh: the planned kernel computes something else

!left = memref<16x16xf16, #gpu.address_space<workgroup>>
!right = memref<16x32xf16, #gpu.address_space<workgroup>>
!result = memref<16x32xf32, #gpu.address_space<workgroup>>
!a = !gpu.mma_matrix<16x16xf16, "AOp">
!b = !gpu.mma_matrix<16x16xf16, "BOp">
!c = !gpu.mma_matrix<16x16xf32, "COp">

gpu.module @kernels {
  gpu.func @product(%x: memref<64x16xf32>, %y: memref<16x32xf32>, %out: memref<64x32xf32>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %c512 = arith.constant 512 : index
    %all = arith.constant true
    %half = arith.remui %t, %c32 : index
    %first = arith.cmpi ult, %t, %c32 : index
    %few = arith.cmpi ult, %half, %c16 : index
    %zero = arith.constant 0.0 : f32
    %none = gpu.subgroup_mma_constant_matrix %zero : !c
    %warp = arith.divui %t, %c32 : index
    %column = arith.muli %warp, %c16 : index
    %left = memref.alloc() {alignment = 16 : i64} : !left
    %right = memref.alloc() {alignment = 16 : i64} : !right
    %result = memref.alloc() {alignment = 16 : i64} : !result
    scf.for %i = %t to %c512 step %c64 {
      %r = arith.divui %i, %c32 : index
      %c = arith.remui %i, %c32 : index
      %v = memref.load %y[%r, %c] : memref<16x32xf32>
      memref.store %v, %result[%r, %c] : !result
    }
    gpu.barrier
    scf.for %k = %c0 to %c64 step %c16 {
      scf.for %i = %t to %c256 step %c64 {
        %r = arith.divui %i, %c16 : index
        %c = arith.remui %i, %c16 : index
        %kr = arith.addi %k, %r : index
        %v = memref.load %x[%kr, %c] : memref<64x16xf32>
        %h = arith.truncf %v : f32 to f16
        memref.store %h, %left[%r, %c] : !left
      }
      scf.for %i = %t to %c512 step %c64 {
        %r = arith.divui %i, %c32 : index
        %c = arith.remui %i, %c32 : index
        %v = memref.load %y[%r, %c] : memref<16x32xf32>
        %h = arith.truncf %v : f32 to f16
        memref.store %h, %right[%r, %c] : !right
      }
      gpu.barrier
      %f = gpu.subgroup_mma_load_matrix %left[%c0, %c0] {leadDimension = 16 : index} : !left -> !a
      %g = gpu.subgroup_mma_load_matrix %right[%c0, %column] {leadDimension = 32 : index} : !right -> !b
      %p = gpu.subgroup_mma_compute %f, %g, %none : !a, !b -> !c
      gpu.barrier
      scf.if %all {
        gpu.subgroup_mma_store_matrix %p, %result[%c0, %column] {leadDimension = 32 : index} : !c, !result
      }
      gpu.barrier
      scf.for %i = %t to %c512 step %c64 {
        %r = arith.divui %i, %c32 : index
        %c = arith.remui %i, %c32 : index
        %v = memref.load %result[%r, %c] : !result
        %kr = arith.addi %k, %r : index
        memref.store %v, %out[%kr, %c] : memref<64x32xf32>
      }
      gpu.barrier
    }
    gpu.return
  }
}
