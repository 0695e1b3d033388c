// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// The kernels of hazards/wgmma.mlir with two of their buffers at the same
// bytes, whether that is right or not: berth-verify tells which are wrong.
// RUN: not %mlir-opt-berth --pass-pipeline='builtin.module(berth-verify)' %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=error:

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
  // The product has been waited for by itself.
  gpu.func @product(%da: !map_a, %db: !map_b, %dh: !map_half, %acc: !sum, %out: !row, %v: f32) workgroup(%arena : memref<24576xi8, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %at_a = arith.constant 0 : index
    %a = memref.view %arena[%at_a][] {berth.buffer = 0 : i64} : memref<24576xi8, #gpu.address_space<workgroup>> to !tile_a
    %at_b = arith.constant 16384 : index
    %b = memref.view %arena[%at_b][] {berth.buffer = 1 : i64} : memref<24576xi8, #gpu.address_space<workgroup>> to !tile_b
    %at_y = arith.constant 0 : index
    %y = memref.view %arena[%at_y][] {berth.buffer = 2 : i64} : memref<24576xi8, #gpu.address_space<workgroup>> to !line
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
  gpu.func @product_pends(%da: !map_a, %db: !map_b, %dh: !map_half, %acc: !sum, %out: !row, %v: f32) workgroup(%arena : memref<24576xi8, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %at_a = arith.constant 0 : index
    %a = memref.view %arena[%at_a][] {berth.buffer = 0 : i64} : memref<24576xi8, #gpu.address_space<workgroup>> to !tile_a
    %at_b = arith.constant 16384 : index
    %b = memref.view %arena[%at_b][] {berth.buffer = 1 : i64} : memref<24576xi8, #gpu.address_space<workgroup>> to !tile_b
    %at_y = arith.constant 0 : index
    %y = memref.view %arena[%at_y][] {berth.buffer = 2 : i64} : memref<24576xi8, #gpu.address_space<workgroup>> to !line
    nvgpu.tma.async.load %da[%c0, %c0], %m[%c0] to %a : !map_a, !mbarriers -> !tile_a
    nvgpu.tma.async.load %db[%c0, %c0], %m[%c0] to %b : !map_b, !mbarriers -> !tile_b
    nvgpu.mbarrier.try_wait.parity %m[%c0], %even, %t : !mbarriers
    %wa = nvgpu.warpgroup.generate.descriptor %a, %da : !tile_a, !map_a -> !nvgpu.warpgroup.descriptor<tensor = !tile_a>
    %wb = nvgpu.warpgroup.generate.descriptor %b, %db : !tile_b, !map_b -> !nvgpu.warpgroup.descriptor<tensor = !tile_b>
    %p = nvgpu.warpgroup.mma %wa, %wb, %acc {transposeB} : <tensor = !tile_a>, <tensor = !tile_b>, !sum -> !sum
    gpu.barrier
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: touches bytes of the arena that something asynchronous may still use through another buffer
    affine.store %v, %y[%t] : !line
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    gpu.return
  }

  // It is waited for later.
  gpu.func @product_waited(%da: !map_a, %db: !map_b, %dh: !map_half, %acc: !sum, %out: !row, %v: f32) workgroup(%arena : memref<24576xi8, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %at_a = arith.constant 0 : index
    %a = memref.view %arena[%at_a][] {berth.buffer = 0 : i64} : memref<24576xi8, #gpu.address_space<workgroup>> to !tile_a
    %at_b = arith.constant 16384 : index
    %b = memref.view %arena[%at_b][] {berth.buffer = 1 : i64} : memref<24576xi8, #gpu.address_space<workgroup>> to !tile_b
    %at_y = arith.constant 0 : index
    %y = memref.view %arena[%at_y][] {berth.buffer = 2 : i64} : memref<24576xi8, #gpu.address_space<workgroup>> to !line
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
  gpu.func @next_product(%da: !map_a, %db: !map_b, %dh: !map_half, %acc: !sum, %out: !row, %v: f32) workgroup(%arena : memref<49152xi8, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %at_a = arith.constant 0 : index
    %a = memref.view %arena[%at_a][] {berth.buffer = 0 : i64} : memref<49152xi8, #gpu.address_space<workgroup>> to !tile_a
    %at_b = arith.constant 16384 : index
    %b = memref.view %arena[%at_b][] {berth.buffer = 1 : i64} : memref<49152xi8, #gpu.address_space<workgroup>> to !tile_b
    %at_y = arith.constant 0 : index
    %y = memref.view %arena[%at_y][] {berth.buffer = 2 : i64} : memref<49152xi8, #gpu.address_space<workgroup>> to !line
    %at_a2 = arith.constant 24576 : index
    %a2 = memref.view %arena[%at_a2][] {berth.buffer = 3 : i64} : memref<49152xi8, #gpu.address_space<workgroup>> to !tile_a
    %at_b2 = arith.constant 40960 : index
    %b2 = memref.view %arena[%at_b2][] {berth.buffer = 4 : i64} : memref<49152xi8, #gpu.address_space<workgroup>> to !tile_b
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
  gpu.func @product_without_barrier(%da: !map_a, %db: !map_b, %dh: !map_half, %acc: !sum, %out: !row, %v: f32) workgroup(%arena : memref<24576xi8, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %at_a = arith.constant 0 : index
    %a = memref.view %arena[%at_a][] {berth.buffer = 0 : i64} : memref<24576xi8, #gpu.address_space<workgroup>> to !tile_a
    %at_b = arith.constant 16384 : index
    %b = memref.view %arena[%at_b][] {berth.buffer = 1 : i64} : memref<24576xi8, #gpu.address_space<workgroup>> to !tile_b
    %at_y = arith.constant 0 : index
    %y = memref.view %arena[%at_y][] {berth.buffer = 2 : i64} : memref<24576xi8, #gpu.address_space<workgroup>> to !line
    nvgpu.tma.async.load %da[%c0, %c0], %m[%c0] to %a : !map_a, !mbarriers -> !tile_a
    nvgpu.tma.async.load %db[%c0, %c0], %m[%c0] to %b : !map_b, !mbarriers -> !tile_b
    nvgpu.mbarrier.try_wait.parity %m[%c0], %even, %t : !mbarriers
    %wa = nvgpu.warpgroup.generate.descriptor %a, %da : !tile_a, !map_a -> !nvgpu.warpgroup.descriptor<tensor = !tile_a>
    %wb = nvgpu.warpgroup.generate.descriptor %b, %db : !tile_b, !map_b -> !nvgpu.warpgroup.descriptor<tensor = !tile_b>
    %p = nvgpu.warpgroup.mma %wa, %wb, %acc {transposeB, waitGroup = 0 : i64} : <tensor = !tile_a>, <tensor = !tile_b>, !sum -> !sum
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: touches bytes of the arena that other threads may still use through another buffer
    affine.store %v, %y[%t] : !line
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: touches bytes of the arena that other threads may still use through another buffer
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    gpu.return
  }

  // What was accumulated is in registers and holds no tensor.
  gpu.func @accumulator(%da: !map_a, %db: !map_b, %dh: !map_half, %acc: !sum, %out: !row, %v: f32) workgroup(%arena : memref<32768xi8, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %at_a = arith.constant 0 : index
    %a = memref.view %arena[%at_a][] {berth.buffer = 0 : i64} : memref<32768xi8, #gpu.address_space<workgroup>> to !tile_a
    %at_b = arith.constant 16384 : index
    %b = memref.view %arena[%at_b][] {berth.buffer = 1 : i64} : memref<32768xi8, #gpu.address_space<workgroup>> to !tile_b
    %at_y = arith.constant 0 : index
    %y = memref.view %arena[%at_y][] {berth.buffer = 2 : i64} : memref<32768xi8, #gpu.address_space<workgroup>> to memref<128x64xf32, #gpu.address_space<workgroup>>
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
  gpu.func @loads_in_halves(%da: !map_a, %db: !map_b, %dh: !map_half, %acc: !sum, %out: !row, %v: f32) workgroup(%arena : memref<24576xi8, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %at_a = arith.constant 0 : index
    %a = memref.view %arena[%at_a][] {berth.buffer = 0 : i64} : memref<24576xi8, #gpu.address_space<workgroup>> to !tile_a
    %at_b = arith.constant 16384 : index
    %b = memref.view %arena[%at_b][] {berth.buffer = 1 : i64} : memref<24576xi8, #gpu.address_space<workgroup>> to !tile_b
    %at_y = arith.constant 0 : index
    %y = memref.view %arena[%at_y][] {berth.buffer = 2 : i64} : memref<24576xi8, #gpu.address_space<workgroup>> to !line
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
  gpu.func @load_after_product(%da: !map_a, %db: !map_b, %dh: !map_half, %acc: !sum, %out: !row, %v: f32) workgroup(%arena : memref<24576xi8, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %at_a = arith.constant 0 : index
    %a = memref.view %arena[%at_a][] {berth.buffer = 0 : i64} : memref<24576xi8, #gpu.address_space<workgroup>> to !tile_a
    %at_b = arith.constant 16384 : index
    %b = memref.view %arena[%at_b][] {berth.buffer = 1 : i64} : memref<24576xi8, #gpu.address_space<workgroup>> to !tile_b
    %at_z = arith.constant 16384 : index
    %z = memref.view %arena[%at_z][] {berth.buffer = 2 : i64} : memref<24576xi8, #gpu.address_space<workgroup>> to !tile_b
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
  gpu.func @stores_before_product(%da: !map_a, %db: !map_b, %dh: !map_half, %acc: !sum, %out: !row, %v: f32) workgroup(%arena : memref<24576xi8, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %at_a = arith.constant 0 : index
    %a = memref.view %arena[%at_a][] {berth.buffer = 0 : i64} : memref<24576xi8, #gpu.address_space<workgroup>> to !tile_a
    %at_b = arith.constant 16384 : index
    %b = memref.view %arena[%at_b][] {berth.buffer = 1 : i64} : memref<24576xi8, #gpu.address_space<workgroup>> to !tile_b
    %at_y = arith.constant 0 : index
    %y = memref.view %arena[%at_y][] {berth.buffer = 2 : i64} : memref<24576xi8, #gpu.address_space<workgroup>> to !line
    affine.store %v, %y[%t] : !line
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    gpu.barrier
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: touches bytes of the arena by TMA or wgmma that threads have used through another buffer by loads and stores
    nvgpu.tma.async.load %da[%c0, %c0], %m[%c0] to %a : !map_a, !mbarriers -> !tile_a
    nvgpu.tma.async.load %db[%c0, %c0], %m[%c0] to %b : !map_b, !mbarriers -> !tile_b
    nvgpu.mbarrier.try_wait.parity %m[%c0], %even, %t : !mbarriers
    %wa = nvgpu.warpgroup.generate.descriptor %a, %da : !tile_a, !map_a -> !nvgpu.warpgroup.descriptor<tensor = !tile_a>
    %wb = nvgpu.warpgroup.generate.descriptor %b, %db : !tile_b, !map_b -> !nvgpu.warpgroup.descriptor<tensor = !tile_b>
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: touches bytes of the arena by TMA or wgmma that threads have used through another buffer by loads and stores
    %p = nvgpu.warpgroup.mma %wa, %wb, %acc {transposeB, waitGroup = 0 : i64} : <tensor = !tile_a>, <tensor = !tile_b>, !sum -> !sum
    gpu.return
  }
}
