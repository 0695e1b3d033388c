// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows are padded where threads meet in a bank.
// RUN: %berth-opt %s --remarks-filter=berth-arena --pass-pipeline='builtin.module(berth-arena{padding=auto})' -o %t.out 2> %t.err
// RUN: FileCheck %s < %t.out
// RUN: FileCheck %s --check-prefix=WHY < %t.err
// Of a chip with known threads no room for a workgroup is given away, and no
// capacity is exceeded.
// RUN: %berth-opt %s --remarks-filter=berth-arena --pass-pipeline='builtin.module(berth-arena{padding=auto capacity=4096})' -o %t.out 2>&1 | FileCheck %s --check-prefix=FULL
// Nor is a barrier inserted for it.
// RUN: %berth-opt %s --remarks-filter=berth-arena --pass-pipeline='builtin.module(berth-arena{padding=auto capacity=8192})' 2>&1 | FileCheck %s --check-prefix=COST
// RUN: sed 's/^gpu.module @kernels/& [#nvvm.target<chip = "sm_80">]/' %s | %berth-opt --remarks-filter=berth-arena --pass-pipeline='builtin.module(berth-arena{padding=auto})' -o %t.out 2>&1 | FileCheck %s --check-prefix=RESIDENT
// RUN: not %berth-opt %s --pass-pipeline='builtin.module(berth-arena{padding=some})' 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: padding 'some' is neither auto nor none
//
// Who is told how far rows are apart is told anew.
// RUN: not %berth-opt %s --pass-pipeline='builtin.module(berth-arena{padding=auto test-break-rule=lead-dimensions})' -o %t.out 2>&1 | FileCheck %s --check-prefix=BROKEN
// BROKEN: error: is told another distance of rows than they have
// BROKEN: note: of these rows

!tile = memref<32x32xf32, #gpu.address_space<workgroup>>
!half = memref<16x64xf16, #gpu.address_space<workgroup>>
!in = memref<32x32xf32>

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @transpose(
  // CHECK-SAME: workgroup(%{{.*}} : memref<4224xi8,
  // CHECK: memref.view {{.*}} to memref<32x33xf32
  // CHECK: memref.subview {{.*}}[0, 0] [32, 32] [1, 1]
  // CHECK-SAME: strided<[33, 1]>
  gpu.func @transpose(%in: !in, %out: !in) kernel attributes {known_block_size = array<i32: 32, 8, 1>} {
    %x = gpu.thread_id x
    %y = gpu.thread_id y
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    // FULL-DAG: [[#@LINE+3]]:{{.*}}its rows stay as they are: what would help exceeds the capacity, takes room for a workgroup, or needs a barrier more
    // RESIDENT-DAG: [[#@LINE+2]]:{{.*}}rows of 32 elements, 33 apart
    // WHY-DAG: [[#@LINE+1]]:{{.*}}rows of 32 elements, 33 apart: 128 bytes more
    %a = memref.alloc() : !tile
    scf.for %i = %y to %c32 step %c8 {
      %v = memref.load %in[%i, %x] : !in
      // WHY-DAG: [[#@LINE+1]]:{{.*}}passes over the banks: 1, before: 1
      memref.store %v, %a[%i, %x] : !tile
    }
    gpu.barrier
    scf.for %i = %y to %c32 step %c8 {
      // WHY-DAG: [[#@LINE+1]]:{{.*}}passes over the banks: 1, before: 32
      %v = memref.load %a[%x, %i] : !tile
      memref.store %v, %out[%i, %x] : !in
    }
    gpu.return
  }

  // No conflict, no padding.
  // CHECK-LABEL: gpu.func @straight(
  // CHECK-SAME: workgroup(%{{.*}} : memref<4096xi8,
  gpu.func @straight(%in: !in, %out: !in) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    // WHY-DAG: [[#@LINE+1]]:{{.*}}no padding leaves fewer passes over the banks
    %a = memref.alloc() : !tile
    %v = memref.load %in[%c0, %x] : !in
    // WHY-DAG: [[#@LINE+1]]:{{.*}}passes over the banks: 1"
    memref.store %v, %a[%c0, %x] : !tile
    %w = memref.load %a[%c0, %x] : !tile
    memref.store %w, %out[%c0, %x] : !in
    gpu.return
  }

  // Vectors of 16 bytes keep their alignment: rows are 36 apart, not 33. They go
  // eight threads at a time.
  // CHECK-LABEL: gpu.func @vectors(
  // CHECK: to memref<32x36xf32
  gpu.func @vectors(%in: !in, %out: !in) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %a = memref.alloc() : !tile
    %v = vector.load %in[%x, %c0] : !in, vector<4xf32>
    // WHY-DAG: [[#@LINE+1]]:{{.*}}passes over the banks: 4, before: 32
    vector.store %v, %a[%x, %c0] : !tile, vector<4xf32>
    %w = vector.load %a[%x, %c0] : !tile, vector<4xf32>
    vector.store %w, %out[%x, %c0] : !in, vector<4xf32>
    gpu.return
  }

  // A fragment is taken in rows of 16 bytes, eight at a time, each of which begins at a multiple of
  // 32. It is told the rows' distance.
  // CHECK-LABEL: gpu.func @fragments(
  // CHECK: to memref<16x80xf16
  // CHECK: gpu.subgroup_mma_load_matrix {{.*}}leadDimension = 80 : index
  gpu.func @fragments(%in: memref<16x64xf16>, %out: memref<16x16xf16>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %row = arith.divui %x, %c2 : index
    %a = memref.alloc() : !half
    %v = vector.load %in[%row, %c0] : memref<16x64xf16>, vector<8xf16>
    vector.store %v, %a[%row, %c0] : !half, vector<8xf16>
    gpu.barrier
    // WHY-DAG: [[#@LINE+1]]:{{.*}}passes over the banks: 8, before: 32
    %f = gpu.subgroup_mma_load_matrix %a[%c0, %c0] {leadDimension = 64 : index} : !half -> !gpu.mma_matrix<16x16xf16, "AOp">
    // An accumulator: two elements a lane, four lanes in a row.
    // WHY-DAG: [[#@LINE+1]]:{{.*}}passes over the banks: 8, before: 32
    %s = gpu.subgroup_mma_load_matrix %a[%c0, %c0] {leadDimension = 64 : index} : !half -> !gpu.mma_matrix<16x16xf16, "COp">
    gpu.subgroup_mma_store_matrix %s, %out[%c0, %c0] {leadDimension = 16 : index} : !gpu.mma_matrix<16x16xf16, "COp">, memref<16x16xf16>
    // Of what is turned nobody knows which thread takes what.
    // WHY-DAG: [[#@LINE+1]]:{{.*}}its addresses are not known by threads
    %t = gpu.subgroup_mma_load_matrix %a[%c0, %c0] {leadDimension = 64 : index, transpose} : !half -> !gpu.mma_matrix<16x16xf16, "BOp">
    gpu.return
  }

  // Each of 32 lanes tells where a row of 16 bytes lies, of 16 for two matrices.
  // CHECK-LABEL: gpu.func @matrices(
  // CHECK: to memref<16x72xf16
  gpu.func @matrices(%in: memref<16x64xf16>, %out: memref<16x2xf16>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %low = arith.remui %x, %c16 : index
    %high = arith.divui %x, %c16 : index
    %column = arith.muli %high, %c8 : index
    %row = arith.divui %x, %c8 : index
    %part = arith.remui %x, %c8 : index
    %at = arith.muli %part, %c8 : index
    %a = memref.alloc() {alignment = 16 : i64} : !half
    // WHY-DAG: [[#@LINE+1]]:{{.*}}passes over the banks: 4, before: 4
    %c = nvgpu.device_async_copy %in[%row, %at], %a[%row, %at], 8 : memref<16x64xf16> to !half
    %g = nvgpu.device_async_create_group %c
    nvgpu.device_async_wait %g
    gpu.barrier
    // WHY-DAG: [[#@LINE+1]]:{{.*}}passes over the banks: 4, before: 32
    %f = nvgpu.ldmatrix %a[%low, %column] {numTiles = 4 : i32, transpose = false} : !half -> vector<4x2xf16>
    // WHY-DAG: [[#@LINE+1]]:{{.*}}passes over the banks: 2, before: 16
    %h = nvgpu.ldmatrix %a[%low, %c0] {numTiles = 2 : i32, transpose = true} : !half -> vector<2x2xf16>
    %e = vector.extract %f[0] : vector<2xf16> from vector<4x2xf16>
    vector.store %e, %out[%low, %c0] : memref<16x2xf16>, vector<2xf16>
    gpu.return
  }


  // Rows of the one tile farther apart, both fit only if they share, behind a barrier.
  // CHECK-LABEL: gpu.func @barrier(
  gpu.func @barrier(%in: !in, %out: !in) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    // COST: [[#@LINE+1]]:{{.*}}its rows stay as they are: what would help exceeds the capacity, takes room for a workgroup, or needs a barrier more
    %a = memref.alloc() : !tile
    %b = memref.alloc() : !tile
    %v = memref.load %in[%c0, %x] : !in
    memref.store %v, %a[%c0, %x] : !tile
    gpu.barrier
    %w = scf.for %i = %c0 to %c32 step %c1 iter_args(%s = %v) -> f32 {
      %e = memref.load %a[%x, %i] : !tile
      %n = arith.addf %s, %e : f32
      scf.yield %n : f32
    }
    scf.for %i = %c0 to %c32 step %c1 {
      memref.store %w, %b[%i, %x] : !tile
    }
    gpu.barrier
    %u = memref.load %b[%c0, %c0] : !tile
    memref.store %u, %out[%c0, %x] : !in
    gpu.return
    // COST: gpu.func @barrier({{.*}} workgroup(%{{.*}} : memref<8192xi8,
    // COST: scf.yield
    // COST-NEXT: }
    // COST-NEXT: scf.for
  }

  // A copy of four elements takes two rows at once.
  // CHECK-LABEL: gpu.func @across(
  // CHECK-SAME: workgroup(%{{.*}} : memref<512xi8,
  gpu.func @across(%in: memref<128xf32>, %out: memref<64x2xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %row = arith.muli %x, %c2 : index
    %at = arith.muli %x, %c4 : index
    // WHY-DAG: [[#@LINE+1]]:{{.*}}an op may take the end of a row and the next one at once (nvgpu.device_async_copy
    %a = memref.alloc() {alignment = 16 : i64} : memref<64x2xf32, #gpu.address_space<workgroup>>
    %c = nvgpu.device_async_copy %in[%at], %a[%row, %c0], 4 : memref<128xf32> to memref<64x2xf32, #gpu.address_space<workgroup>>
    %g = nvgpu.device_async_create_group %c
    nvgpu.device_async_wait %g
    gpu.barrier
    %v = memref.load %a[%row, %c0] : memref<64x2xf32, #gpu.address_space<workgroup>>
    memref.store %v, %out[%row, %c0] : memref<64x2xf32>
    gpu.return
  }

  // A view that needs the elements of all rows one after the other.
  // CHECK-LABEL: gpu.func @collapsed(
  // CHECK-SAME: workgroup(%{{.*}} : memref<4096xi8,
  gpu.func @collapsed(%in: !in, %out: !in) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    // WHY-DAG: [[#@LINE+1]]:{{.*}}an op needs its rows as they are (memref.collapse_shape
    %a = memref.alloc() : !tile
    %flat = memref.collapse_shape %a [[0, 1]] : !tile into memref<1024xf32, #gpu.address_space<workgroup>>
    %v = memref.load %in[%x, %c0] : !in
    memref.store %v, %a[%x, %c0] : !tile
    %w = memref.load %flat[%x] : memref<1024xf32, #gpu.address_space<workgroup>>
    memref.store %w, %out[%x, %c0] : !in
    gpu.return
  }

  // Nobody comes to an access in a loop that never turns, and it has no part in what is chosen.
  // CHECK-LABEL: gpu.func @never(
  // CHECK-SAME: workgroup(%{{.*}} : memref<4096xi8,
  gpu.func @never(%v: f32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %x = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %a = memref.alloc() : !tile
    scf.for %j = %c0 to %c2 step %c1 {
      scf.for %i = %c1 to %c1 step %c1 {
        memref.store %v, %a[%x, %c0] : !tile
      }
    }
    gpu.return
  }
}
