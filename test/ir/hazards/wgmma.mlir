// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// wgmma: how long it holds its buffers, and which fences let ordinary accesses
// have the bytes. A has 16384 bytes, B 8192.
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{barriers=existing})' %s | FileCheck %s
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{barriers=existing verify=false test-break-rule=no-proxy-fences})' %s | FileCheck %s --check-prefix=UNFENCED
// RUN: not %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{barriers=existing test-break-rule=no-proxy-fences})' %s 2>&1 | FileCheck %s --check-prefix=REFUSED-UNFENCED

// REFUSED-UNFENCED: error: touches bytes of the arena by TMA or wgmma that threads have used through another buffer by loads and stores

!line = memref<64xf32, #gpu.address_space<workgroup>>
!mbarriers = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 2>
!row = memref<64xf32>
!tile_a = memref<128x64xf16, #gpu.address_space<workgroup>>
!tile_b = memref<64x64xf16, #gpu.address_space<workgroup>>
!half_b = memref<32x64xf16, #gpu.address_space<workgroup>>
!upper_b = memref<32x64xf16, strided<[64, 1]>, #gpu.address_space<workgroup>>
!lower_b = memref<32x64xf16, strided<[64, 1], offset: 2048>, #gpu.address_space<workgroup>>
!map_a = !nvgpu.tensormap.descriptor<tensor = !tile_a, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
!map_b = !nvgpu.tensormap.descriptor<tensor = !tile_b, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
!map_half = !nvgpu.tensormap.descriptor<tensor = !half_b, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
!sum = !nvgpu.warpgroup.accumulator<fragmented = vector<128x64xf32>>

gpu.module @kernels {
  //===--------------------------------------------------------------------===//
  // wgmma
  //===--------------------------------------------------------------------===//

  // The product has been waited for by itself.
  // CHECK-LABEL: gpu.func @product(
  // CHECK-SAME: memref<24576xi8,
  gpu.func @product(%da: !map_a, %db: !map_b, %dh: !map_half, %acc: !sum, %out: !row, %v: f32) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %a = memref.alloc() {alignment = 1024 : i64} : !tile_a
    %b = memref.alloc() {alignment = 1024 : i64} : !tile_b
    %y = memref.alloc() : !line
    nvgpu.tma.async.load %da[%c0, %c0], %m[%c0] to %a : !map_a, !mbarriers -> !tile_a
    nvgpu.tma.async.load %db[%c0, %c0], %m[%c0] to %b : !map_b, !mbarriers -> !tile_b
    nvgpu.mbarrier.try_wait.parity %m[%c0], %even, %t : !mbarriers
    %wa = nvgpu.warpgroup.generate.descriptor %a, %da : !tile_a, !map_a -> !nvgpu.warpgroup.descriptor<tensor = !tile_a>
    %wb = nvgpu.warpgroup.generate.descriptor %b, %db : !tile_b, !map_b -> !nvgpu.warpgroup.descriptor<tensor = !tile_b>
    %p = nvgpu.warpgroup.mma %wa, %wb, %acc {transposeB, waitGroup = 0 : i64} : <tensor = !tile_a>, <tensor = !tile_b>, !sum -> !sum
    gpu.barrier
    affine.store %v, %y[%t] : !line
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    gpu.return
  }

  // By default one group may pend, the product itself.
  // CHECK-LABEL: gpu.func @product_pends(
  // CHECK-SAME: memref<24832xi8,
  gpu.func @product_pends(%da: !map_a, %db: !map_b, %dh: !map_half, %acc: !sum, %out: !row, %v: f32) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %a = memref.alloc() {alignment = 1024 : i64} : !tile_a
    %b = memref.alloc() {alignment = 1024 : i64} : !tile_b
    %y = memref.alloc() : !line
    nvgpu.tma.async.load %da[%c0, %c0], %m[%c0] to %a : !map_a, !mbarriers -> !tile_a
    nvgpu.tma.async.load %db[%c0, %c0], %m[%c0] to %b : !map_b, !mbarriers -> !tile_b
    nvgpu.mbarrier.try_wait.parity %m[%c0], %even, %t : !mbarriers
    %wa = nvgpu.warpgroup.generate.descriptor %a, %da : !tile_a, !map_a -> !nvgpu.warpgroup.descriptor<tensor = !tile_a>
    %wb = nvgpu.warpgroup.generate.descriptor %b, %db : !tile_b, !map_b -> !nvgpu.warpgroup.descriptor<tensor = !tile_b>
    %p = nvgpu.warpgroup.mma %wa, %wb, %acc {transposeB} : <tensor = !tile_a>, <tensor = !tile_b>, !sum -> !sum
    gpu.barrier
    affine.store %v, %y[%t] : !line
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    gpu.return
  }

  // It is waited for later.
  // CHECK-LABEL: gpu.func @product_waited(
  // CHECK-SAME: memref<24576xi8,
  gpu.func @product_waited(%da: !map_a, %db: !map_b, %dh: !map_half, %acc: !sum, %out: !row, %v: f32) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %a = memref.alloc() {alignment = 1024 : i64} : !tile_a
    %b = memref.alloc() {alignment = 1024 : i64} : !tile_b
    %y = memref.alloc() : !line
    nvgpu.tma.async.load %da[%c0, %c0], %m[%c0] to %a : !map_a, !mbarriers -> !tile_a
    nvgpu.tma.async.load %db[%c0, %c0], %m[%c0] to %b : !map_b, !mbarriers -> !tile_b
    nvgpu.mbarrier.try_wait.parity %m[%c0], %even, %t : !mbarriers
    %wa = nvgpu.warpgroup.generate.descriptor %a, %da : !tile_a, !map_a -> !nvgpu.warpgroup.descriptor<tensor = !tile_a>
    %wb = nvgpu.warpgroup.generate.descriptor %b, %db : !tile_b, !map_b -> !nvgpu.warpgroup.descriptor<tensor = !tile_b>
    %p = nvgpu.warpgroup.mma %wa, %wb, %acc {transposeB} : <tensor = !tile_a>, <tensor = !tile_b>, !sum -> !sum
    nvvm.wgmma.wait.group.sync.aligned 0
    gpu.barrier
    affine.store %v, %y[%t] : !line
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    gpu.return
  }

  // The next product's group is newer: the first one has ended, and only the second
  // holds its tensors.
  // CHECK-LABEL: gpu.func @next_product(
  // CHECK-SAME: memref<49152xi8,
  gpu.func @next_product(%da: !map_a, %db: !map_b, %dh: !map_half, %acc: !sum, %out: !row, %v: f32) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %a = memref.alloc() {alignment = 1024 : i64} : !tile_a
    %b = memref.alloc() {alignment = 1024 : i64} : !tile_b
    %y = memref.alloc() : !line
    %a2 = memref.alloc() {alignment = 1024 : i64} : !tile_a
    %b2 = memref.alloc() {alignment = 1024 : i64} : !tile_b
    nvgpu.tma.async.load %da[%c0, %c0], %m[%c0] to %a : !map_a, !mbarriers -> !tile_a
    nvgpu.tma.async.load %db[%c0, %c0], %m[%c0] to %b : !map_b, !mbarriers -> !tile_b
    nvgpu.mbarrier.try_wait.parity %m[%c0], %even, %t : !mbarriers
    %wa = nvgpu.warpgroup.generate.descriptor %a, %da : !tile_a, !map_a -> !nvgpu.warpgroup.descriptor<tensor = !tile_a>
    %wb = nvgpu.warpgroup.generate.descriptor %b, %db : !tile_b, !map_b -> !nvgpu.warpgroup.descriptor<tensor = !tile_b>
    nvgpu.tma.async.load %da[%c0, %c0], %m[%c1] to %a2 : !map_a, !mbarriers -> !tile_a
    nvgpu.tma.async.load %db[%c0, %c0], %m[%c1] to %b2 : !map_b, !mbarriers -> !tile_b
    nvgpu.mbarrier.try_wait.parity %m[%c1], %even, %t : !mbarriers
    %wa2 = nvgpu.warpgroup.generate.descriptor %a2, %da : !tile_a, !map_a -> !nvgpu.warpgroup.descriptor<tensor = !tile_a>
    %wb2 = nvgpu.warpgroup.generate.descriptor %b2, %db : !tile_b, !map_b -> !nvgpu.warpgroup.descriptor<tensor = !tile_b>
    %p = nvgpu.warpgroup.mma %wa, %wb, %acc {transposeB} : <tensor = !tile_a>, <tensor = !tile_b>, !sum -> !sum
    %p2 = nvgpu.warpgroup.mma %wa2, %wb2, %p {transposeB} : <tensor = !tile_a>, <tensor = !tile_b>, !sum -> !sum
    gpu.barrier
    affine.store %v, %y[%t] : !line
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    gpu.return
  }

  // Other warps may still be at theirs.
  // CHECK-LABEL: gpu.func @product_without_barrier(
  // CHECK-SAME: memref<24832xi8,
  gpu.func @product_without_barrier(%da: !map_a, %db: !map_b, %dh: !map_half, %acc: !sum, %out: !row, %v: f32) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %a = memref.alloc() {alignment = 1024 : i64} : !tile_a
    %b = memref.alloc() {alignment = 1024 : i64} : !tile_b
    %y = memref.alloc() : !line
    nvgpu.tma.async.load %da[%c0, %c0], %m[%c0] to %a : !map_a, !mbarriers -> !tile_a
    nvgpu.tma.async.load %db[%c0, %c0], %m[%c0] to %b : !map_b, !mbarriers -> !tile_b
    nvgpu.mbarrier.try_wait.parity %m[%c0], %even, %t : !mbarriers
    %wa = nvgpu.warpgroup.generate.descriptor %a, %da : !tile_a, !map_a -> !nvgpu.warpgroup.descriptor<tensor = !tile_a>
    %wb = nvgpu.warpgroup.generate.descriptor %b, %db : !tile_b, !map_b -> !nvgpu.warpgroup.descriptor<tensor = !tile_b>
    %p = nvgpu.warpgroup.mma %wa, %wb, %acc {transposeB, waitGroup = 0 : i64} : <tensor = !tile_a>, <tensor = !tile_b>, !sum -> !sum
    affine.store %v, %y[%t] : !line
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    gpu.return
  }

  // What was accumulated is in registers and holds no tensor.
  // CHECK-LABEL: gpu.func @accumulator(
  // CHECK-SAME: memref<32768xi8,
  gpu.func @accumulator(%da: !map_a, %db: !map_b, %dh: !map_half, %acc: !sum, %out: !row, %v: f32) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %a = memref.alloc() {alignment = 1024 : i64} : !tile_a
    %b = memref.alloc() {alignment = 1024 : i64} : !tile_b
    %y = memref.alloc() : memref<128x64xf32, #gpu.address_space<workgroup>>
    nvgpu.tma.async.load %da[%c0, %c0], %m[%c0] to %a : !map_a, !mbarriers -> !tile_a
    nvgpu.tma.async.load %db[%c0, %c0], %m[%c0] to %b : !map_b, !mbarriers -> !tile_b
    nvgpu.mbarrier.try_wait.parity %m[%c0], %even, %t : !mbarriers
    %wa = nvgpu.warpgroup.generate.descriptor %a, %da : !tile_a, !map_a -> !nvgpu.warpgroup.descriptor<tensor = !tile_a>
    %wb = nvgpu.warpgroup.generate.descriptor %b, %db : !tile_b, !map_b -> !nvgpu.warpgroup.descriptor<tensor = !tile_b>
    %p = nvgpu.warpgroup.mma %wa, %wb, %acc {transposeB, waitGroup = 0 : i64} : <tensor = !tile_a>, <tensor = !tile_b>, !sum -> !sum
    gpu.barrier
    nvgpu.warpgroup.mma.store %p, %y : !sum to memref<128x64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %w = memref.load %y[%c0, %c1] : memref<128x64xf32, #gpu.address_space<workgroup>>
    memref.store %w, %out[%t] : !row
    gpu.return
  }

  // A product reads all of B, so it meets the loads into both halves.
  // CHECK-LABEL: gpu.func @loads_in_halves(
  // CHECK-SAME: memref<24576xi8,
  gpu.func @loads_in_halves(%da: !map_a, %db: !map_b, %dh: !map_half, %acc: !sum, %out: !row, %v: f32) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %a = memref.alloc() {alignment = 1024 : i64} : !tile_a
    %b = memref.alloc() {alignment = 1024 : i64} : !tile_b
    %y = memref.alloc() : !line
    %upper = memref.subview %b[0, 0] [32, 64] [1, 1] : !tile_b to !upper_b
    %lower = memref.subview %b[32, 0] [32, 64] [1, 1] : !tile_b to !lower_b
    nvgpu.tma.async.load %da[%c0, %c0], %m[%c0] to %a : !map_a, !mbarriers -> !tile_a
    nvgpu.tma.async.load %dh[%c0, %c0], %m[%c0] to %upper : !map_half, !mbarriers -> !upper_b
    nvgpu.tma.async.load %dh[%c1, %c0], %m[%c0] to %lower : !map_half, !mbarriers -> !lower_b
    nvgpu.mbarrier.try_wait.parity %m[%c0], %even, %t : !mbarriers
    %wa = nvgpu.warpgroup.generate.descriptor %a, %da : !tile_a, !map_a -> !nvgpu.warpgroup.descriptor<tensor = !tile_a>
    %wb = nvgpu.warpgroup.generate.descriptor %b, %db : !tile_b, !map_b -> !nvgpu.warpgroup.descriptor<tensor = !tile_b>
    %p = nvgpu.warpgroup.mma %wa, %wb, %acc {transposeB, waitGroup = 0 : i64} : <tensor = !tile_a>, <tensor = !tile_b>, !sum -> !sum
    gpu.barrier
    affine.store %v, %y[%t] : !line
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    gpu.return
  }

  // TMA after wgmma: both go by the async proxy, and a barrier is enough.
  // CHECK-LABEL: gpu.func @load_after_product(
  // CHECK-SAME: memref<24576xi8,
  gpu.func @load_after_product(%da: !map_a, %db: !map_b, %dh: !map_half, %acc: !sum, %out: !row, %v: f32) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %a = memref.alloc() {alignment = 1024 : i64} : !tile_a
    %b = memref.alloc() {alignment = 1024 : i64} : !tile_b
    %z = memref.alloc() {alignment = 1024 : i64} : !tile_b
    nvgpu.tma.async.load %da[%c0, %c0], %m[%c0] to %a : !map_a, !mbarriers -> !tile_a
    nvgpu.tma.async.load %db[%c0, %c0], %m[%c0] to %b : !map_b, !mbarriers -> !tile_b
    nvgpu.mbarrier.try_wait.parity %m[%c0], %even, %t : !mbarriers
    %wa = nvgpu.warpgroup.generate.descriptor %a, %da : !tile_a, !map_a -> !nvgpu.warpgroup.descriptor<tensor = !tile_a>
    %wb = nvgpu.warpgroup.generate.descriptor %b, %db : !tile_b, !map_b -> !nvgpu.warpgroup.descriptor<tensor = !tile_b>
    %p = nvgpu.warpgroup.mma %wa, %wb, %acc {transposeB, waitGroup = 0 : i64} : <tensor = !tile_a>, <tensor = !tile_b>, !sum -> !sum
    gpu.barrier
    nvgpu.tma.async.load %db[%c0, %c0], %m[%c1] to %z : !map_b, !mbarriers -> !tile_b
    nvgpu.mbarrier.try_wait.parity %m[%c1], %even, %t : !mbarriers
    %ub = nvgpu.warpgroup.generate.descriptor %z, %db : !tile_b, !map_b -> !nvgpu.warpgroup.descriptor<tensor = !tile_b>
    %r = memref.load %z[%c0, %c0] : !tile_b
    %f = arith.extf %r : f16 to f32
    memref.store %f, %out[%t] : !row
    gpu.return
  }

  // wgmma reads another buffer than was stored to: a fence is missing.
  // CHECK-LABEL: gpu.func @stores_before_product(
  // CHECK-SAME: memref<24832xi8,
  // UNFENCED-LABEL: gpu.func @stores_before_product(
  // UNFENCED-SAME: memref<24576xi8,
  gpu.func @stores_before_product(%da: !map_a, %db: !map_b, %dh: !map_half, %acc: !sum, %out: !row, %v: f32) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %a = memref.alloc() {alignment = 1024 : i64} : !tile_a
    %b = memref.alloc() {alignment = 1024 : i64} : !tile_b
    %y = memref.alloc() : !line
    affine.store %v, %y[%t] : !line
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    gpu.barrier
    nvgpu.tma.async.load %da[%c0, %c0], %m[%c0] to %a : !map_a, !mbarriers -> !tile_a
    nvgpu.tma.async.load %db[%c0, %c0], %m[%c0] to %b : !map_b, !mbarriers -> !tile_b
    nvgpu.mbarrier.try_wait.parity %m[%c0], %even, %t : !mbarriers
    %wa = nvgpu.warpgroup.generate.descriptor %a, %da : !tile_a, !map_a -> !nvgpu.warpgroup.descriptor<tensor = !tile_a>
    %wb = nvgpu.warpgroup.generate.descriptor %b, %db : !tile_b, !map_b -> !nvgpu.warpgroup.descriptor<tensor = !tile_b>
    %p = nvgpu.warpgroup.mma %wa, %wb, %acc {transposeB, waitGroup = 0 : i64} : <tensor = !tile_a>, <tensor = !tile_b>, !sum -> !sum
    gpu.return
  }
}
