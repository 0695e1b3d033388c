// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TMA and wgmma: how long they hold their buffers, and which fences and barriers
// let ordinary accesses have the bytes. X, Y and Z have 256 bytes each, A has
// 16384, B 8192.
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{barriers=existing})' %s | FileCheck %s
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{barriers=existing verify=false test-break-rule=no-proxy-fences})' %s | FileCheck %s --check-prefix=UNFENCED
// RUN: not %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{barriers=existing test-break-rule=no-proxy-fences})' %s 2>&1 | FileCheck %s --check-prefix=REFUSED-UNFENCED
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{barriers=existing verify=false test-break-rule=untouched-loads})' %s | FileCheck %s --check-prefix=UNTOUCHED
// RUN: not %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{barriers=existing test-break-rule=untouched-loads})' %s 2>&1 | FileCheck %s --check-prefix=REFUSED-UNTOUCHED

// REFUSED-UNFENCED: error: touches bytes of the arena by TMA or wgmma that threads have used through another buffer by loads and stores
// REFUSED-UNTOUCHED: error: touches bytes of the arena that something asynchronous may still use

!line = memref<64xf32, #gpu.address_space<workgroup>>
!tile = memref<8x8xf32, #gpu.address_space<workgroup>>
!tiles = memref<16x8xf32, #gpu.address_space<workgroup>>
!upper = memref<8x8xf32, strided<[8, 1]>, #gpu.address_space<workgroup>>
!lower = memref<8x8xf32, strided<[8, 1], offset: 64>, #gpu.address_space<workgroup>>
!map = !nvgpu.tensormap.descriptor<tensor = !tile, swizzle = none, l2promo = none, oob = zero, interleave = none>
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
  // TMA loads
  //===--------------------------------------------------------------------===//

  // Who has waited for the mbarrier and reads what was loaded knows that the load
  // has ended.
  // CHECK-LABEL: gpu.func @load_read(
  // CHECK-SAME: memref<256xi8,
  gpu.func @load_read(%d: !map, %d2: !map, %out: !row, %v: f32, %c: i1, %mask: i16) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %y = memref.alloc() : !line
    nvgpu.tma.async.load %d[%c0, %c0], %m[%c0] to %x : !map, !mbarriers -> !tile
    nvgpu.mbarrier.try_wait.parity %m[%c0], %even, %t : !mbarriers
    %r = memref.load %x[%c0, %c0] : !tile
    memref.store %r, %out[%t] : !row
    gpu.barrier
    affine.store %v, %y[%t] : !line
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    gpu.return
  }

  // The wait alone may be for an earlier phase.
  // CHECK-LABEL: gpu.func @load_unread(
  // CHECK-SAME: memref<512xi8,
  // UNTOUCHED-LABEL: gpu.func @load_unread(
  // UNTOUCHED-SAME: memref<256xi8,
  gpu.func @load_unread(%d: !map, %d2: !map, %out: !row, %v: f32, %c: i1, %mask: i16) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %y = memref.alloc() : !line
    nvgpu.tma.async.load %d[%c0, %c0], %m[%c0] to %x : !map, !mbarriers -> !tile
    nvgpu.mbarrier.try_wait.parity %m[%c0], %even, %t : !mbarriers
    gpu.barrier
    affine.store %v, %y[%t] : !line
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    gpu.return
  }

  // A touch in front of the wait shows nothing.
  // CHECK-LABEL: gpu.func @read_before_wait(
  // CHECK-SAME: memref<512xi8,
  // UNTOUCHED-LABEL: gpu.func @read_before_wait(
  // UNTOUCHED-SAME: memref<256xi8,
  gpu.func @read_before_wait(%d: !map, %d2: !map, %out: !row, %v: f32, %c: i1, %mask: i16) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %y = memref.alloc() : !line
    nvgpu.tma.async.load %d[%c0, %c0], %m[%c0] to %x : !map, !mbarriers -> !tile
    %r = memref.load %x[%c0, %c0] : !tile
    memref.store %r, %out[%t] : !row
    nvgpu.mbarrier.try_wait.parity %m[%c0], %even, %t : !mbarriers
    gpu.barrier
    affine.store %v, %y[%t] : !line
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    gpu.return
  }

  // One thread may read while another is at Y.
  // CHECK-LABEL: gpu.func @read_without_barrier(
  // CHECK-SAME: memref<512xi8,
  gpu.func @read_without_barrier(%d: !map, %d2: !map, %out: !row, %v: f32, %c: i1, %mask: i16) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %y = memref.alloc() : !line
    nvgpu.tma.async.load %d[%c0, %c0], %m[%c0] to %x : !map, !mbarriers -> !tile
    nvgpu.mbarrier.try_wait.parity %m[%c0], %even, %t : !mbarriers
    %r = memref.load %x[%c0, %c0] : !tile
    memref.store %r, %out[%t] : !row
    affine.store %v, %y[%t] : !line
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    gpu.return
  }

  // On one way nobody reads it.
  // CHECK-LABEL: gpu.func @read_on_one_way(
  // CHECK-SAME: memref<512xi8,
  // UNTOUCHED-LABEL: gpu.func @read_on_one_way(
  // UNTOUCHED-SAME: memref<256xi8,
  gpu.func @read_on_one_way(%d: !map, %d2: !map, %out: !row, %v: f32, %c: i1, %mask: i16) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %y = memref.alloc() : !line
    nvgpu.tma.async.load %d[%c0, %c0], %m[%c0] to %x : !map, !mbarriers -> !tile
    nvgpu.mbarrier.try_wait.parity %m[%c0], %even, %t : !mbarriers
    scf.if %c {
      %r = memref.load %x[%c0, %c0] : !tile
      memref.store %r, %out[%t] : !row
    }
    gpu.barrier
    affine.store %v, %y[%t] : !line
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    gpu.return
  }

  // One thread starts the load. All wait and read, that thread too.
  // CHECK-LABEL: gpu.func @one_thread_loads(
  // CHECK-SAME: memref<256xi8,
  gpu.func @one_thread_loads(%d: !map, %d2: !map, %out: !row, %v: f32, %c: i1, %mask: i16) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %y = memref.alloc() : !line
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      nvgpu.tma.async.load %d[%c0, %c0], %m[%c0] to %x : !map, !mbarriers -> !tile
    }
    nvgpu.mbarrier.try_wait.parity %m[%c0], %even, %t : !mbarriers
    %r = memref.load %x[%c0, %c0] : !tile
    memref.store %r, %out[%t] : !row
    gpu.barrier
    affine.store %v, %y[%t] : !line
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    gpu.return
  }

  // The threads that read have not started it, so it may start behind their reads.
  // CHECK-LABEL: gpu.func @others_read(
  // CHECK-SAME: memref<512xi8,
  // UNTOUCHED-LABEL: gpu.func @others_read(
  // UNTOUCHED-SAME: memref<256xi8,
  gpu.func @others_read(%d: !map, %d2: !map, %out: !row, %v: f32, %c: i1, %mask: i16) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %y = memref.alloc() : !line
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      nvgpu.tma.async.load %d[%c0, %c0], %m[%c0] to %x : !map, !mbarriers -> !tile
    }
    nvgpu.mbarrier.try_wait.parity %m[%c0], %even, %t : !mbarriers
    scf.if %first {
    } else {
      %r = memref.load %x[%c0, %c0] : !tile
      memref.store %r, %out[%t] : !row
    }
    gpu.barrier
    affine.store %v, %y[%t] : !line
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    gpu.return
  }

  // Another constant of the same value names the same mbarrier.
  // CHECK-LABEL: gpu.func @same_number(
  // CHECK-SAME: memref<256xi8,
  gpu.func @same_number(%d: !map, %d2: !map, %out: !row, %v: f32, %c: i1, %mask: i16) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %y = memref.alloc() : !line
    %also = arith.constant 0 : index
    nvgpu.tma.async.load %d[%c0, %c0], %m[%c0] to %x : !map, !mbarriers -> !tile
    nvgpu.mbarrier.try_wait.parity %m[%also], %even, %t : !mbarriers
    %r = memref.load %x[%c0, %c0] : !tile
    memref.store %r, %out[%t] : !row
    gpu.barrier
    affine.store %v, %y[%t] : !line
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    gpu.return
  }

  // Another mbarrier of the group is waited for.
  // CHECK-LABEL: gpu.func @other_number(
  // CHECK-SAME: memref<512xi8,
  gpu.func @other_number(%d: !map, %d2: !map, %out: !row, %v: f32, %c: i1, %mask: i16) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %y = memref.alloc() : !line
    nvgpu.tma.async.load %d[%c0, %c0], %m[%c0] to %x : !map, !mbarriers -> !tile
    nvgpu.mbarrier.try_wait.parity %m[%c1], %even, %t : !mbarriers
    %r = memref.load %x[%c0, %c0] : !tile
    memref.store %r, %out[%t] : !row
    gpu.barrier
    affine.store %v, %y[%t] : !line
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    gpu.return
  }

  // Another group of mbarriers.
  // CHECK-LABEL: gpu.func @other_group(
  // CHECK-SAME: memref<512xi8,
  gpu.func @other_group(%d: !map, %d2: !map, %out: !row, %v: f32, %c: i1, %mask: i16) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %y = memref.alloc() : !line
    %n = nvgpu.mbarrier.create -> !mbarriers
    nvgpu.tma.async.load %d[%c0, %c0], %m[%c0] to %x : !map, !mbarriers -> !tile
    nvgpu.mbarrier.try_wait.parity %n[%c0], %even, %t : !mbarriers
    %r = memref.load %x[%c0, %c0] : !tile
    memref.store %r, %out[%t] : !row
    gpu.barrier
    affine.store %v, %y[%t] : !line
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    gpu.return
  }

  // Two loads that tell their ends to different mbarriers.
  // CHECK-LABEL: gpu.func @two_mbarriers(
  // CHECK-SAME: memref<512xi8,
  // UNTOUCHED-LABEL: gpu.func @two_mbarriers(
  // UNTOUCHED-SAME: memref<512xi8,
  gpu.func @two_mbarriers(%d: !map, %d2: !map, %out: !row, %v: f32, %c: i1, %mask: i16) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %y = memref.alloc() : !line
    nvgpu.tma.async.load %d[%c0, %c0], %m[%c0] to %x : !map, !mbarriers -> !tile
    nvgpu.tma.async.load %d[%c0, %c0], %m[%c1] to %x : !map, !mbarriers -> !tile
    nvgpu.mbarrier.try_wait.parity %m[%c0], %even, %t : !mbarriers
    nvgpu.mbarrier.try_wait.parity %m[%c1], %even, %t : !mbarriers
    %r = memref.load %x[%c0, %c0] : !tile
    memref.store %r, %out[%t] : !row
    gpu.barrier
    affine.store %v, %y[%t] : !line
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    gpu.return
  }

  // test.wait does not wait.
  // CHECK-LABEL: gpu.func @test_wait(
  // CHECK-SAME: memref<512xi8,
  gpu.func @test_wait(%d: !map, %d2: !map, %out: !row, %v: f32, %c: i1, %mask: i16) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %y = memref.alloc() : !line
    nvgpu.tma.async.load %d[%c0, %c0], %m[%c0] to %x : !map, !mbarriers -> !tile
    %token = nvgpu.mbarrier.arrive %m[%c0] : !mbarriers -> !nvgpu.mbarrier.token
    %done = nvgpu.mbarrier.test.wait %m[%c0], %token : !mbarriers, !nvgpu.mbarrier.token
    %r = memref.load %x[%c0, %c0] : !tile
    memref.store %r, %out[%t] : !row
    gpu.barrier
    affine.store %v, %y[%t] : !line
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    gpu.return
  }

  // In each turn, with a parity that is counted.
  // CHECK-LABEL: gpu.func @in_turns(
  // CHECK-SAME: memref<256xi8,
  gpu.func @in_turns(%d: !map, %d2: !map, %out: !row, %v: f32, %c: i1, %mask: i16) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    affine.for %i = 0 to 4 {
      nvgpu.tma.async.load %d[%c0, %c0], %m[%c0] to %x : !map, !mbarriers -> !tile
      nvgpu.mbarrier.try_wait.parity %m[%c0], %even, %t : !mbarriers
      %r = memref.load %x[%c0, %c0] : !tile
      memref.store %r, %out[%t] : !row
      gpu.barrier
    }
    %y = memref.alloc() : !line
    affine.store %v, %y[%t] : !line
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    gpu.return
  }

  // A read of some element does not meet the load into the other half.
  // CHECK-LABEL: gpu.func @parts(
  // CHECK-SAME: memref<768xi8,
  // UNTOUCHED-LABEL: gpu.func @parts(
  // UNTOUCHED-SAME: memref<512xi8,
  gpu.func @parts(%d: !map, %d2: !map, %out: !row, %v: f32, %c: i1, %mask: i16) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %x = memref.alloc() {alignment = 128 : i64} : !tiles
    %y = memref.alloc() : !line
    %upper = memref.subview %x[0, 0] [8, 8] [1, 1] : !tiles to !upper
    %lower = memref.subview %x[8, 0] [8, 8] [1, 1] : !tiles to !lower
    nvgpu.tma.async.load %d[%c0, %c0], %m[%c0] to %upper : !map, !mbarriers -> !upper
    nvgpu.tma.async.load %d2[%c0, %c0], %m[%c0] to %lower : !map, !mbarriers -> !lower
    nvgpu.mbarrier.try_wait.parity %m[%c0], %even, %t : !mbarriers
    %r = memref.load %x[%c0, %c0] : !tiles
    memref.store %r, %out[%t] : !row
    gpu.barrier
    affine.store %v, %y[%t] : !line
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    gpu.return
  }

  // Loads that other workgroups write here come at any time.
  // CHECK-LABEL: gpu.func @multicast(
  // CHECK-SAME: memref<512xi8,
  // UNTOUCHED-LABEL: gpu.func @multicast(
  // UNTOUCHED-SAME: memref<512xi8,
  gpu.func @multicast(%d: !map, %d2: !map, %out: !row, %v: f32, %c: i1, %mask: i16) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %y = memref.alloc() : !line
    nvgpu.tma.async.load %d[%c0, %c0], %m[%c0] to %x multicast_mask = %mask : !map, !mbarriers -> !tile
    nvgpu.mbarrier.try_wait.parity %m[%c0], %even, %t : !mbarriers
    %r = memref.load %x[%c0, %c0] : !tile
    memref.store %r, %out[%t] : !row
    gpu.barrier
    affine.store %v, %y[%t] : !line
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    gpu.return
  }

  //===--------------------------------------------------------------------===//
  // Ordinary accesses in front of TMA
  //===--------------------------------------------------------------------===//

  // A barrier does not order a store and a TMA load.
  // CHECK-LABEL: gpu.func @no_fence(
  // CHECK-SAME: memref<512xi8,
  // UNFENCED-LABEL: gpu.func @no_fence(
  // UNFENCED-SAME: memref<256xi8,
  gpu.func @no_fence(%d: !map, %d2: !map, %out: !row, %v: f32, %c: i1, %mask: i16) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %y = memref.alloc() : !line
    affine.store %v, %y[%t] : !line
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    gpu.barrier
    nvgpu.tma.async.load %d[%c0, %c0], %m[%c0] to %x : !map, !mbarriers -> !tile
    nvgpu.mbarrier.try_wait.parity %m[%c0], %even, %t : !mbarriers
    %r = memref.load %x[%c0, %c0] : !tile
    memref.store %r, %out[%t] : !row
    gpu.return
  }

  // Each thread fences its accesses, then all meet.
  // CHECK-LABEL: gpu.func @fence_then_barrier(
  // CHECK-SAME: memref<256xi8,
  gpu.func @fence_then_barrier(%d: !map, %d2: !map, %out: !row, %v: f32, %c: i1, %mask: i16) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %y = memref.alloc() : !line
    affine.store %v, %y[%t] : !line
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    nvgpu.tma.async.load %d[%c0, %c0], %m[%c0] to %x : !map, !mbarriers -> !tile
    nvgpu.mbarrier.try_wait.parity %m[%c0], %even, %t : !mbarriers
    %r = memref.load %x[%c0, %c0] : !tile
    memref.store %r, %out[%t] : !row
    gpu.return
  }

  // A fence for all spaces.
  // CHECK-LABEL: gpu.func @fence_of_all_spaces(
  // CHECK-SAME: memref<256xi8,
  gpu.func @fence_of_all_spaces(%d: !map, %d2: !map, %out: !row, %v: f32, %c: i1, %mask: i16) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %y = memref.alloc() : !line
    affine.store %v, %y[%t] : !line
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async>}
    gpu.barrier
    nvgpu.tma.async.load %d[%c0, %c0], %m[%c0] to %x : !map, !mbarriers -> !tile
    nvgpu.mbarrier.try_wait.parity %m[%c0], %even, %t : !mbarriers
    %r = memref.load %x[%c0, %c0] : !tile
    memref.store %r, %out[%t] : !row
    gpu.return
  }

  // Behind the barrier it is too late for the other threads' accesses.
  // CHECK-LABEL: gpu.func @barrier_then_fence(
  // CHECK-SAME: memref<512xi8,
  // UNFENCED-LABEL: gpu.func @barrier_then_fence(
  // UNFENCED-SAME: memref<256xi8,
  gpu.func @barrier_then_fence(%d: !map, %d2: !map, %out: !row, %v: f32, %c: i1, %mask: i16) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %y = memref.alloc() : !line
    affine.store %v, %y[%t] : !line
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    gpu.barrier
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvgpu.tma.async.load %d[%c0, %c0], %m[%c0] to %x : !map, !mbarriers -> !tile
    nvgpu.mbarrier.try_wait.parity %m[%c0], %even, %t : !mbarriers
    %r = memref.load %x[%c0, %c0] : !tile
    memref.store %r, %out[%t] : !row
    gpu.return
  }

  // ... unless they meet again.
  // CHECK-LABEL: gpu.func @two_barriers(
  // CHECK-SAME: memref<256xi8,
  gpu.func @two_barriers(%d: !map, %d2: !map, %out: !row, %v: f32, %c: i1, %mask: i16) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %y = memref.alloc() : !line
    affine.store %v, %y[%t] : !line
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    gpu.barrier
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    nvgpu.tma.async.load %d[%c0, %c0], %m[%c0] to %x : !map, !mbarriers -> !tile
    nvgpu.mbarrier.try_wait.parity %m[%c0], %even, %t : !mbarriers
    %r = memref.load %x[%c0, %c0] : !tile
    memref.store %r, %out[%t] : !row
    gpu.return
  }

  // In front of the access it is too early.
  // CHECK-LABEL: gpu.func @fence_before_access(
  // CHECK-SAME: memref<512xi8,
  // UNFENCED-LABEL: gpu.func @fence_before_access(
  // UNFENCED-SAME: memref<256xi8,
  gpu.func @fence_before_access(%d: !map, %d2: !map, %out: !row, %v: f32, %c: i1, %mask: i16) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %y = memref.alloc() : !line
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    affine.store %v, %y[%t] : !line
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    gpu.barrier
    nvgpu.tma.async.load %d[%c0, %c0], %m[%c0] to %x : !map, !mbarriers -> !tile
    nvgpu.mbarrier.try_wait.parity %m[%c0], %even, %t : !mbarriers
    %r = memref.load %x[%c0, %c0] : !tile
    memref.store %r, %out[%t] : !row
    gpu.return
  }

  // Threads that go the other way do not fence.
  // CHECK-LABEL: gpu.func @fence_on_one_way(
  // CHECK-SAME: memref<512xi8,
  // UNFENCED-LABEL: gpu.func @fence_on_one_way(
  // UNFENCED-SAME: memref<256xi8,
  gpu.func @fence_on_one_way(%d: !map, %d2: !map, %out: !row, %v: f32, %c: i1, %mask: i16) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %y = memref.alloc() : !line
    affine.store %v, %y[%t] : !line
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    scf.if %c {
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    }
    gpu.barrier
    nvgpu.tma.async.load %d[%c0, %c0], %m[%c0] to %x : !map, !mbarriers -> !tile
    nvgpu.mbarrier.try_wait.parity %m[%c0], %even, %t : !mbarriers
    %r = memref.load %x[%c0, %c0] : !tile
    memref.store %r, %out[%t] : !row
    gpu.return
  }

  // Fences for other proxies.
  // CHECK-LABEL: gpu.func @other_proxies(
  // CHECK-SAME: memref<512xi8,
  // UNFENCED-LABEL: gpu.func @other_proxies(
  // UNFENCED-SAME: memref<256xi8,
  gpu.func @other_proxies(%d: !map, %d2: !map, %out: !row, %v: f32, %c: i1, %mask: i16) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %y = memref.alloc() : !line
    affine.store %v, %y[%t] : !line
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<alias>}
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.global>}
    gpu.barrier
    nvgpu.tma.async.load %d[%c0, %c0], %m[%c0] to %x : !map, !mbarriers -> !tile
    nvgpu.mbarrier.try_wait.parity %m[%c0], %even, %t : !mbarriers
    %r = memref.load %x[%c0, %c0] : !tile
    memref.store %r, %out[%t] : !row
    gpu.return
  }

  // No barrier at all.
  // CHECK-LABEL: gpu.func @fence_without_barrier(
  // CHECK-SAME: memref<512xi8,
  gpu.func @fence_without_barrier(%d: !map, %d2: !map, %out: !row, %v: f32, %c: i1, %mask: i16) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %y = memref.alloc() : !line
    affine.store %v, %y[%t] : !line
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvgpu.tma.async.load %d[%c0, %c0], %m[%c0] to %x : !map, !mbarriers -> !tile
    nvgpu.mbarrier.try_wait.parity %m[%c0], %even, %t : !mbarriers
    %r = memref.load %x[%c0, %c0] : !tile
    memref.store %r, %out[%t] : !row
    gpu.return
  }

  // What was read by loads takes a fence, too, before it is loaded over.
  // CHECK-LABEL: gpu.func @load_after_load(
  // CHECK-SAME: memref<512xi8,
  // UNFENCED-LABEL: gpu.func @load_after_load(
  // UNFENCED-SAME: memref<256xi8,
  gpu.func @load_after_load(%d: !map, %d2: !map, %out: !row, %v: f32, %c: i1, %mask: i16) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %z = memref.alloc() {alignment = 128 : i64} : !tile
    nvgpu.tma.async.load %d[%c0, %c0], %m[%c0] to %x : !map, !mbarriers -> !tile
    nvgpu.mbarrier.try_wait.parity %m[%c0], %even, %t : !mbarriers
    %r = memref.load %x[%c0, %c0] : !tile
    memref.store %r, %out[%t] : !row
    gpu.barrier
    nvgpu.tma.async.load %d2[%c0, %c0], %m[%c1] to %z : !map, !mbarriers -> !tile
    nvgpu.mbarrier.try_wait.parity %m[%c1], %even, %t : !mbarriers
    %q = memref.load %z[%c0, %c0] : !tile
    memref.store %q, %out[%t] : !row
    gpu.return
  }

  //===--------------------------------------------------------------------===//
  // TMA stores
  //===--------------------------------------------------------------------===//

  // The store has been read from X.
  // CHECK-LABEL: gpu.func @store_waited(
  // CHECK-SAME: memref<256xi8,
  gpu.func @store_waited(%d: !map, %d2: !map, %out: !row, %v: f32, %c: i1, %mask: i16) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %y = memref.alloc() : !line
    memref.store %v, %x[%c0, %c0] : !tile
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    nvgpu.tma.async.store %x to %d[%c0, %c0] : !tile -> !map
    nvvm.cp.async.bulk.commit.group
    nvvm.cp.async.bulk.wait_group 0 {read}
    gpu.barrier
    affine.store %v, %y[%t] : !line
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    gpu.return
  }

  // It has been written.
  // CHECK-LABEL: gpu.func @store_done(
  // CHECK-SAME: memref<256xi8,
  gpu.func @store_done(%d: !map, %d2: !map, %out: !row, %v: f32, %c: i1, %mask: i16) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %y = memref.alloc() : !line
    memref.store %v, %x[%c0, %c0] : !tile
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    nvgpu.tma.async.store %x to %d[%c0, %c0] : !tile -> !map
    nvvm.cp.async.bulk.commit.group
    nvvm.cp.async.bulk.wait_group 0
    gpu.barrier
    affine.store %v, %y[%t] : !line
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    gpu.return
  }

  // In no group when it is waited for.
  // CHECK-LABEL: gpu.func @store_in_no_group(
  // CHECK-SAME: memref<512xi8,
  gpu.func @store_in_no_group(%d: !map, %d2: !map, %out: !row, %v: f32, %c: i1, %mask: i16) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %y = memref.alloc() : !line
    memref.store %v, %x[%c0, %c0] : !tile
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    nvgpu.tma.async.store %x to %d[%c0, %c0] : !tile -> !map
    nvvm.cp.async.bulk.wait_group 0 {read}
    gpu.barrier
    affine.store %v, %y[%t] : !line
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    gpu.return
  }

  // It may be the one that pends.
  // CHECK-LABEL: gpu.func @store_pends(
  // CHECK-SAME: memref<512xi8,
  gpu.func @store_pends(%d: !map, %d2: !map, %out: !row, %v: f32, %c: i1, %mask: i16) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %y = memref.alloc() : !line
    memref.store %v, %x[%c0, %c0] : !tile
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    nvgpu.tma.async.store %x to %d[%c0, %c0] : !tile -> !map
    nvvm.cp.async.bulk.commit.group
    nvvm.cp.async.bulk.wait_group 1 {read}
    gpu.barrier
    affine.store %v, %y[%t] : !line
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    gpu.return
  }

  // Z's store may pend, X's is older.
  // CHECK-LABEL: gpu.func @older_store(
  // CHECK-SAME: memref<512xi8,
  gpu.func @older_store(%d: !map, %d2: !map, %out: !row, %v: f32, %c: i1, %mask: i16) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %y = memref.alloc() : !line
    %z = memref.alloc() {alignment = 128 : i64} : !tile
    memref.store %v, %x[%c0, %c0] : !tile
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    memref.store %v, %z[%c0, %c0] : !tile
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    nvgpu.tma.async.store %x to %d[%c0, %c0] : !tile -> !map
    nvvm.cp.async.bulk.commit.group
    nvgpu.tma.async.store %z to %d2[%c0, %c0] : !tile -> !map
    nvvm.cp.async.bulk.commit.group
    nvvm.cp.async.bulk.wait_group 1 {read}
    gpu.barrier
    affine.store %v, %y[%t] : !line
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    gpu.return
  }

  // Others may be at Y while one thread waits.
  // CHECK-LABEL: gpu.func @store_without_barrier(
  // CHECK-SAME: memref<512xi8,
  gpu.func @store_without_barrier(%d: !map, %d2: !map, %out: !row, %v: f32, %c: i1, %mask: i16) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %y = memref.alloc() : !line
    memref.store %v, %x[%c0, %c0] : !tile
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    nvgpu.tma.async.store %x to %d[%c0, %c0] : !tile -> !map
    nvvm.cp.async.bulk.commit.group
    nvvm.cp.async.bulk.wait_group 0 {read}
    affine.store %v, %y[%t] : !line
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    gpu.return
  }

  // Groups of other copies do not count.
  // CHECK-LABEL: gpu.func @copies_are_apart(
  // CHECK-SAME: memref<512xi8,
  gpu.func @copies_are_apart(%d: !map, %d2: !map, %out: !row, %v: f32, %c: i1, %mask: i16) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %y = memref.alloc() : !line
    memref.store %v, %x[%c0, %c0] : !tile
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    nvgpu.tma.async.store %x to %d[%c0, %c0] : !tile -> !map
    %e = "nvgpu.device_async_create_group"() : () -> !nvgpu.device.async.token
    nvgpu.device_async_wait %e
    gpu.barrier
    affine.store %v, %y[%t] : !line
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    gpu.return
  }

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

  //===--------------------------------------------------------------------===//
  // Calls
  //===--------------------------------------------------------------------===//

  func.func private @meet() {
    gpu.barrier
    return
  }

  // Fences are not looked for in called functions, so next to TMA their barriers
  // do not count either.
  // CHECK-LABEL: gpu.func @barrier_in_call(
  // CHECK-SAME: memref<512xi8,
  gpu.func @barrier_in_call(%d: !map, %d2: !map, %out: !row, %v: f32, %c: i1, %mask: i16) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %y = memref.alloc() : !line
    affine.store %v, %y[%t] : !line
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async>}
    func.call @meet() : () -> ()
    nvgpu.tma.async.load %d[%c0, %c0], %m[%c0] to %x : !map, !mbarriers -> !tile
    nvgpu.mbarrier.try_wait.parity %m[%c0], %even, %t : !mbarriers
    %r = memref.load %x[%c0, %c0] : !tile
    memref.store %r, %out[%t] : !row
    gpu.return
  }

  // What a called function does by TMA is not followed to its end.
  // CHECK-LABEL: gpu.func @load_in_call(
  // CHECK-SAME: memref<512xi8,
  func.func private @load(%d: !map, %x: !tile) {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    nvgpu.tma.async.load %d[%c0, %c0], %m[%c0] to %x : !map, !mbarriers -> !tile
    nvgpu.mbarrier.try_wait.parity %m[%c0], %even, %t : !mbarriers
    return
  }
  gpu.func @load_in_call(%d: !map, %d2: !map, %out: !row, %v: f32, %c: i1, %mask: i16) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %y = memref.alloc() : !line
    func.call @load(%d, %x) : (!map, !tile) -> ()
    %r = memref.load %x[%c0, %c0] : !tile
    memref.store %r, %out[%t] : !row
    gpu.barrier
    affine.store %v, %y[%t] : !line
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    gpu.return
  }
}
