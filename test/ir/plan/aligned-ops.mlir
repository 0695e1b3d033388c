// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops that take more than an element at once want their operands at multiples of that, and get
// them, by Berth's own description or by one of a target.
// RUN: %berth-opt %s --split-input-file --pass-pipeline='builtin.module(berth-arena{space=#gpu.address_space<workgroup>})' | FileCheck %s
// RUN: sed 's/"x.mma"(%a)/& {berth.aligned = 64}/' %S/Inputs/aligned-own.mlir | %berth-opt --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-arena{arena=annotate})' | FileCheck %s --check-prefix=OWN
// RUN: not %berth-opt %S/Inputs/aligned-own.mlir --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-arena{target=%S/Inputs/aligned-wrong.json})' 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: aligned-wrong.json:1:39: 'aligned' 24 is not a power of two
//
// berth-verify looks for itself.
// RUN: not %berth-opt %s --split-input-file --pass-pipeline='builtin.module(berth-arena{space=#gpu.address_space<workgroup> test-break-rule=no-alignments})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=BROKEN
// BROKEN-COUNT-3: error: works on bytes in an arena that begin at no multiple of what it takes

#workgroup = #gpu.address_space<workgroup>

gpu.module @copies {
  // CHECK-LABEL: gpu.func @copy(
  // CHECK: %[[C16:.*]] = arith.constant 16 : index
  // CHECK: memref.view %{{.*}}[%[[C16]]][] {{.*}} to memref<128xf32
  gpu.func @copy(%v: i8, %in: memref<128xf32>, %out: memref<128xf32>, %bytes: memref<64xi8>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %t = gpu.thread_id x
    %at = arith.muli %t, %c4 : index
    %s = memref.alloc() {berth.pin = 0} : memref<4xi8, #workgroup>
    %a = memref.alloc() : memref<128xf32, #workgroup>
    memref.store %v, %s[%c0] : memref<4xi8, #workgroup>
    %token = nvgpu.device_async_copy %in[%at], %a[%at], 4 {bypassL1} : memref<128xf32> to memref<128xf32, #workgroup>
    %group = nvgpu.device_async_create_group %token
    nvgpu.device_async_wait %group
    gpu.barrier
    %x = memref.load %a[%t] : memref<128xf32, #workgroup>
    memref.store %x, %out[%t] : memref<128xf32>
    %w = memref.load %s[%c0] : memref<4xi8, #workgroup>
    memref.store %w, %bytes[%t] : memref<64xi8>
    gpu.return
  }
}

// -----

#workgroup = #gpu.address_space<workgroup>

gpu.module @rows {
  // CHECK-LABEL: gpu.func @rows(
  // CHECK: %[[C16:.*]] = arith.constant 16 : index
  // CHECK: memref.view %{{.*}}[%[[C16]]][] {{.*}} to memref<16x16xf16
  gpu.func @rows(%v: i8, %h: f16, %out: memref<16x16xf16>, %bytes: memref<64xi8>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %s = memref.alloc() {berth.pin = 0} : memref<4xi8, #workgroup>
    %a = memref.alloc() : memref<16x16xf16, #workgroup>
    memref.store %v, %s[%c0] : memref<4xi8, #workgroup>
    memref.store %h, %a[%c0, %c0] : memref<16x16xf16, #workgroup>
    gpu.barrier
    %tile = nvgpu.ldmatrix %a[%c0, %c0] {numTiles = 1 : i32, transpose = false} : memref<16x16xf16, #workgroup> -> vector<1x2xf16>
    %x = vector.extract %tile[0, 0] : f16 from vector<1x2xf16>
    memref.store %x, %out[%c0, %c0] : memref<16x16xf16>
    %w = memref.load %s[%c0] : memref<4xi8, #workgroup>
    memref.store %w, %bytes[%t] : memref<64xi8>
    gpu.return
  }
}

// -----

#workgroup = #gpu.address_space<workgroup>

gpu.module @fragments {
  // CHECK-LABEL: gpu.func @fragment(
  // CHECK: %[[C32:.*]] = arith.constant 32 : index
  // CHECK: memref.view %{{.*}}[%[[C32]]][] {{.*}} to memref<16x16xf16
  gpu.func @fragment(%v: i8, %h: f16, %out: memref<16x16xf16>, %bytes: memref<64xi8>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %s = memref.alloc() {berth.pin = 0} : memref<4xi8, #workgroup>
    %a = memref.alloc() : memref<16x16xf16, #workgroup>
    memref.store %v, %s[%c0] : memref<4xi8, #workgroup>
    memref.store %h, %a[%c0, %c0] : memref<16x16xf16, #workgroup>
    gpu.barrier
    %m = gpu.subgroup_mma_load_matrix %a[%c0, %c0] {leadDimension = 16 : index} : memref<16x16xf16, #workgroup> -> !gpu.mma_matrix<16x16xf16, "COp">
    gpu.subgroup_mma_store_matrix %m, %out[%c0, %c0] {leadDimension = 16 : index} : !gpu.mma_matrix<16x16xf16, "COp">, memref<16x16xf16>
    %w = memref.load %s[%c0] : memref<4xi8, #workgroup>
    memref.store %w, %bytes[%t] : memref<64xi8>
    gpu.return
  }
}

// OWN: memref.alloc() {{.*}}berth.offset = 0
// OWN: memref.alloc() {{.*}}berth.offset = 64
