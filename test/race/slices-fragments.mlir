// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a subgroup loads of a buffer is a matrix, of its upper half: other threads may
// write over the lower half meanwhile.
// RUN: %race --arena=barriers=existing %s | FileCheck %s
// RUN: %status 1 %race %s --arena="barriers=existing test-break-rule=no-hazards verify=false" 2>&1 | FileCheck %s --check-prefix=RACE

// CHECK: buffers: 2 of 2, bytes: 1280 -> 1024, barriers inserted: 0
// CHECK-NEXT: equal, no race
// RACE: race.sh: a race in the planned kernel

!tile = memref<32x16xf16, #gpu.address_space<workgroup>>
!line = memref<64xf32, #gpu.address_space<workgroup>>
!a = !gpu.mma_matrix<16x16xf16, "AOp">
!b = !gpu.mma_matrix<16x16xf16, "BOp">
!c = !gpu.mma_matrix<16x16xf32, "COp">

gpu.module @kernels {
  gpu.func @square(%x: memref<32x16xf32>, %out: memref<16x16xf32>, %sums: memref<64xf32>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c512 = arith.constant 512 : index
    %zero = arith.constant 0.0 : f32
    %none = gpu.subgroup_mma_constant_matrix %zero : !c
    %isFirst = arith.cmpi ult, %t, %c32 : index
    %tile = memref.alloc() {alignment = 16 : i64} : !tile
    %line = memref.alloc() {alignment = 16 : i64} : !line
    scf.for %i = %t to %c512 step %c64 {
      %r = arith.divui %i, %c16 : index
      %c = arith.remui %i, %c16 : index
      %v = memref.load %x[%r, %c] : memref<32x16xf32>
      %h = arith.truncf %v : f32 to f16
      memref.store %h, %tile[%r, %c] : !tile
    }
    gpu.barrier
    %lower = affine.load %tile[16, 0] : !tile
    %first = arith.extf %lower : f16 to f32
    gpu.barrier
    scf.if %isFirst {
      %f = gpu.subgroup_mma_load_matrix %tile[%c0, %c0] {leadDimension = 16 : index} : !tile -> !a
      %g = gpu.subgroup_mma_load_matrix %tile[%c0, %c0] {leadDimension = 16 : index} : !tile -> !b
      %p = gpu.subgroup_mma_compute %f, %g, %none : !a, !b -> !c
      gpu.subgroup_mma_store_matrix %p, %out[%c0, %c0] {leadDimension = 16 : index} : !c, memref<16x16xf32>
    } else {
      memref.store %first, %line[%t] : !line
    }
    gpu.barrier
    %other = affine.load %line[32 + (63 - %t) mod 32] : !line
    memref.store %other, %sums[%t] : memref<64xf32>
    gpu.return
  }
}
