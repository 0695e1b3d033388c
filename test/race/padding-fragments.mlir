// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A product of fragments, of which each step's operands and the result have tiles of
// their own. Rows of all of them are padded; the fragments are told the new distance.
// RUN: %race --arena=padding=auto %s 32 | FileCheck %s
// RUN: %status 1 %race %s 32 --arena="padding=auto test-break-rule=lead-dimensions verify=false" 2>&1 | FileCheck %s --check-prefix=BROKEN
// RUN: %berth-opt %s --remarks-filter=berth-arena --pass-pipeline='builtin.module(berth-arena{padding=auto})' -o %t.mlir 2>&1 | FileCheck %s --check-prefix=WHY
// RUN: FileCheck %s --check-prefix=IR < %t.mlir

// CHECK: buffers: 3 of 3, bytes: 3584 -> 2560, barriers inserted: 0
// CHECK-NEXT: equal, no race
// BROKEN: race.sh: {{a race in the planned kernel|the planned kernel computes something else}}
// WHY: passes over the banks
// IR: gpu.subgroup_mma_load_matrix {{.*}}leadDimension

!left = memref<16x32xf16, #gpu.address_space<workgroup>>
!right = memref<32x16xf16, #gpu.address_space<workgroup>>
!result = memref<16x16xf32, #gpu.address_space<workgroup>>

gpu.module @kernels {
  gpu.func @product(%x: memref<16x64xf32>, %y: memref<64x16xf32>, %out: memref<16x16xf32>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0.0 : f32
    %a = memref.alloc() {alignment = 16 : i64} : !left
    %b = memref.alloc() {alignment = 16 : i64} : !right
    %d = memref.alloc() {alignment = 16 : i64} : !result
    %none = gpu.subgroup_mma_constant_matrix %zero : !gpu.mma_matrix<16x16xf32, "COp">
    %sum = scf.for %k = %c0 to %c64 step %c32 iter_args(%s = %none) -> !gpu.mma_matrix<16x16xf32, "COp"> {
      gpu.barrier
      scf.for %i = %c0 to %c16 step %c1 {
        %kt = arith.addi %k, %t : index
        %v = memref.load %x[%i, %kt] : memref<16x64xf32>
        %h = arith.truncf %v : f32 to f16
        memref.store %h, %a[%i, %t] : !left
        %w = memref.load %y[%kt, %i] : memref<64x16xf32>
        %g = arith.truncf %w : f32 to f16
        memref.store %g, %b[%t, %i] : !right
      }
      gpu.barrier
      %next = scf.for %j = %c0 to %c32 step %c16 iter_args(%n = %s) -> !gpu.mma_matrix<16x16xf32, "COp"> {
        %f = gpu.subgroup_mma_load_matrix %a[%c0, %j] {leadDimension = 32 : index} : !left -> !gpu.mma_matrix<16x16xf16, "AOp">
        %g = gpu.subgroup_mma_load_matrix %b[%j, %c0] {leadDimension = 16 : index} : !right -> !gpu.mma_matrix<16x16xf16, "BOp">
        %p = gpu.subgroup_mma_compute %f, %g, %n : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
        scf.yield %p : !gpu.mma_matrix<16x16xf32, "COp">
      }
      scf.yield %next : !gpu.mma_matrix<16x16xf32, "COp">
    }
    gpu.barrier
    gpu.subgroup_mma_store_matrix %sum, %d[%c0, %c0] {leadDimension = 16 : index} : !gpu.mma_matrix<16x16xf32, "COp">, !result
    gpu.barrier
    %row = arith.divui %t, %c2 : index
    %half = arith.remui %t, %c2 : index
    scf.for %i = %half to %c16 step %c2 {
      %v = memref.load %d[%i, %row] : !result
      memref.store %v, %out[%row, %i] : memref<16x16xf32>
    }
    gpu.return
  }
}
