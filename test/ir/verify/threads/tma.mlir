// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of hazards/tma.mlir with two of their buffers at the same bytes, whether
// that is right or not: berth-verify tells which are wrong.
// RUN: not %mlir-opt-berth --pass-pipeline='builtin.module(berth-verify)' %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=error:

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
  // Who has waited for the mbarrier and reads what was loaded knows that the load
  // has ended.
  gpu.func @load_read(%d: !map, %d2: !map, %out: !row, %v: f32, %c: i1, %mask: i16) workgroup(%arena : memref<256xi8, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %at_x = arith.constant 0 : index
    %x = memref.view %arena[%at_x][] {berth.buffer = 0 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !tile
    %at_y = arith.constant 0 : index
    %y = memref.view %arena[%at_y][] {berth.buffer = 1 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !line
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
  gpu.func @load_unread(%d: !map, %d2: !map, %out: !row, %v: f32, %c: i1, %mask: i16) workgroup(%arena : memref<256xi8, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %at_x = arith.constant 0 : index
    %x = memref.view %arena[%at_x][] {berth.buffer = 0 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !tile
    %at_y = arith.constant 0 : index
    %y = memref.view %arena[%at_y][] {berth.buffer = 1 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !line
    nvgpu.tma.async.load %d[%c0, %c0], %m[%c0] to %x : !map, !mbarriers -> !tile
    nvgpu.mbarrier.try_wait.parity %m[%c0], %even, %t : !mbarriers
    gpu.barrier
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: touches bytes of the arena that something asynchronous may still use through another buffer
    affine.store %v, %y[%t] : !line
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: touches bytes of the arena that something asynchronous may still use through another buffer
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    gpu.return
  }

  // A touch in front of the wait shows nothing.
  gpu.func @read_before_wait(%d: !map, %d2: !map, %out: !row, %v: f32, %c: i1, %mask: i16) workgroup(%arena : memref<256xi8, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %at_x = arith.constant 0 : index
    %x = memref.view %arena[%at_x][] {berth.buffer = 0 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !tile
    %at_y = arith.constant 0 : index
    %y = memref.view %arena[%at_y][] {berth.buffer = 1 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !line
    nvgpu.tma.async.load %d[%c0, %c0], %m[%c0] to %x : !map, !mbarriers -> !tile
    %r = memref.load %x[%c0, %c0] : !tile
    memref.store %r, %out[%t] : !row
    nvgpu.mbarrier.try_wait.parity %m[%c0], %even, %t : !mbarriers
    gpu.barrier
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: touches bytes of the arena that something asynchronous may still use through another buffer
    affine.store %v, %y[%t] : !line
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: touches bytes of the arena that something asynchronous may still use through another buffer
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    gpu.return
  }

  // One thread may read while another is at Y.
  gpu.func @read_without_barrier(%d: !map, %d2: !map, %out: !row, %v: f32, %c: i1, %mask: i16) workgroup(%arena : memref<256xi8, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %at_x = arith.constant 0 : index
    %x = memref.view %arena[%at_x][] {berth.buffer = 0 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !tile
    %at_y = arith.constant 0 : index
    %y = memref.view %arena[%at_y][] {berth.buffer = 1 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !line
    nvgpu.tma.async.load %d[%c0, %c0], %m[%c0] to %x : !map, !mbarriers -> !tile
    nvgpu.mbarrier.try_wait.parity %m[%c0], %even, %t : !mbarriers
    %r = memref.load %x[%c0, %c0] : !tile
    memref.store %r, %out[%t] : !row
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: touches bytes of the arena that other threads may still use through another buffer
    affine.store %v, %y[%t] : !line
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: touches bytes of the arena that other threads may still use through another buffer
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    gpu.return
  }

  // On one way nobody reads it.
  gpu.func @read_on_one_way(%d: !map, %d2: !map, %out: !row, %v: f32, %c: i1, %mask: i16) workgroup(%arena : memref<256xi8, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %at_x = arith.constant 0 : index
    %x = memref.view %arena[%at_x][] {berth.buffer = 0 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !tile
    %at_y = arith.constant 0 : index
    %y = memref.view %arena[%at_y][] {berth.buffer = 1 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !line
    nvgpu.tma.async.load %d[%c0, %c0], %m[%c0] to %x : !map, !mbarriers -> !tile
    nvgpu.mbarrier.try_wait.parity %m[%c0], %even, %t : !mbarriers
    scf.if %c {
      %r = memref.load %x[%c0, %c0] : !tile
      memref.store %r, %out[%t] : !row
    }
    gpu.barrier
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: touches bytes of the arena that something asynchronous may still use through another buffer
    affine.store %v, %y[%t] : !line
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: touches bytes of the arena that something asynchronous may still use through another buffer
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    gpu.return
  }

  // One thread starts the load. All wait and read, that thread too.
  gpu.func @one_thread_loads(%d: !map, %d2: !map, %out: !row, %v: f32, %c: i1, %mask: i16) workgroup(%arena : memref<256xi8, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %at_x = arith.constant 0 : index
    %x = memref.view %arena[%at_x][] {berth.buffer = 0 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !tile
    %at_y = arith.constant 0 : index
    %y = memref.view %arena[%at_y][] {berth.buffer = 1 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !line
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
  gpu.func @others_read(%d: !map, %d2: !map, %out: !row, %v: f32, %c: i1, %mask: i16) workgroup(%arena : memref<256xi8, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %at_x = arith.constant 0 : index
    %x = memref.view %arena[%at_x][] {berth.buffer = 0 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !tile
    %at_y = arith.constant 0 : index
    %y = memref.view %arena[%at_y][] {berth.buffer = 1 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !line
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
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: touches bytes of the arena that something asynchronous may still use through another buffer
    affine.store %v, %y[%t] : !line
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: touches bytes of the arena that something asynchronous may still use through another buffer
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    gpu.return
  }

  // Another constant of the same value names the same mbarrier.
  gpu.func @same_number(%d: !map, %d2: !map, %out: !row, %v: f32, %c: i1, %mask: i16) workgroup(%arena : memref<256xi8, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %at_x = arith.constant 0 : index
    %x = memref.view %arena[%at_x][] {berth.buffer = 0 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !tile
    %at_y = arith.constant 0 : index
    %y = memref.view %arena[%at_y][] {berth.buffer = 1 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !line
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
  gpu.func @other_number(%d: !map, %d2: !map, %out: !row, %v: f32, %c: i1, %mask: i16) workgroup(%arena : memref<256xi8, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %at_x = arith.constant 0 : index
    %x = memref.view %arena[%at_x][] {berth.buffer = 0 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !tile
    %at_y = arith.constant 0 : index
    %y = memref.view %arena[%at_y][] {berth.buffer = 1 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !line
    nvgpu.tma.async.load %d[%c0, %c0], %m[%c0] to %x : !map, !mbarriers -> !tile
    nvgpu.mbarrier.try_wait.parity %m[%c1], %even, %t : !mbarriers
    %r = memref.load %x[%c0, %c0] : !tile
    memref.store %r, %out[%t] : !row
    gpu.barrier
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: touches bytes of the arena that something asynchronous may still use through another buffer
    affine.store %v, %y[%t] : !line
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: touches bytes of the arena that something asynchronous may still use through another buffer
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    gpu.return
  }

  // Another group of mbarriers.
  gpu.func @other_group(%d: !map, %d2: !map, %out: !row, %v: f32, %c: i1, %mask: i16) workgroup(%arena : memref<256xi8, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %at_x = arith.constant 0 : index
    %x = memref.view %arena[%at_x][] {berth.buffer = 0 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !tile
    %at_y = arith.constant 0 : index
    %y = memref.view %arena[%at_y][] {berth.buffer = 1 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !line
    %n = nvgpu.mbarrier.create -> !mbarriers
    nvgpu.tma.async.load %d[%c0, %c0], %m[%c0] to %x : !map, !mbarriers -> !tile
    nvgpu.mbarrier.try_wait.parity %n[%c0], %even, %t : !mbarriers
    %r = memref.load %x[%c0, %c0] : !tile
    memref.store %r, %out[%t] : !row
    gpu.barrier
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: touches bytes of the arena that something asynchronous may still use through another buffer
    affine.store %v, %y[%t] : !line
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: touches bytes of the arena that something asynchronous may still use through another buffer
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    gpu.return
  }

  // Two loads that tell their ends to different mbarriers.
  gpu.func @two_mbarriers(%d: !map, %d2: !map, %out: !row, %v: f32, %c: i1, %mask: i16) workgroup(%arena : memref<256xi8, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %at_x = arith.constant 0 : index
    %x = memref.view %arena[%at_x][] {berth.buffer = 0 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !tile
    %at_y = arith.constant 0 : index
    %y = memref.view %arena[%at_y][] {berth.buffer = 1 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !line
    nvgpu.tma.async.load %d[%c0, %c0], %m[%c0] to %x : !map, !mbarriers -> !tile
    nvgpu.tma.async.load %d[%c0, %c0], %m[%c1] to %x : !map, !mbarriers -> !tile
    nvgpu.mbarrier.try_wait.parity %m[%c0], %even, %t : !mbarriers
    nvgpu.mbarrier.try_wait.parity %m[%c1], %even, %t : !mbarriers
    %r = memref.load %x[%c0, %c0] : !tile
    memref.store %r, %out[%t] : !row
    gpu.barrier
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: touches bytes of the arena that something asynchronous may still use through another buffer
    affine.store %v, %y[%t] : !line
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: touches bytes of the arena that something asynchronous may still use through another buffer
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    gpu.return
  }

  // test.wait does not wait.
  gpu.func @test_wait(%d: !map, %d2: !map, %out: !row, %v: f32, %c: i1, %mask: i16) workgroup(%arena : memref<256xi8, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %at_x = arith.constant 0 : index
    %x = memref.view %arena[%at_x][] {berth.buffer = 0 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !tile
    %at_y = arith.constant 0 : index
    %y = memref.view %arena[%at_y][] {berth.buffer = 1 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !line
    nvgpu.tma.async.load %d[%c0, %c0], %m[%c0] to %x : !map, !mbarriers -> !tile
    %token = nvgpu.mbarrier.arrive %m[%c0] : !mbarriers -> !nvgpu.mbarrier.token
    %done = nvgpu.mbarrier.test.wait %m[%c0], %token : !mbarriers, !nvgpu.mbarrier.token
    %r = memref.load %x[%c0, %c0] : !tile
    memref.store %r, %out[%t] : !row
    gpu.barrier
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: touches bytes of the arena that something asynchronous may still use through another buffer
    affine.store %v, %y[%t] : !line
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: touches bytes of the arena that something asynchronous may still use through another buffer
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    gpu.return
  }

  // In each turn, with a parity that is counted.
  gpu.func @in_turns(%d: !map, %d2: !map, %out: !row, %v: f32, %c: i1, %mask: i16) workgroup(%arena : memref<256xi8, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %at_x = arith.constant 0 : index
    %x = memref.view %arena[%at_x][] {berth.buffer = 0 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !tile
    affine.for %i = 0 to 4 {
      nvgpu.tma.async.load %d[%c0, %c0], %m[%c0] to %x : !map, !mbarriers -> !tile
      nvgpu.mbarrier.try_wait.parity %m[%c0], %even, %t : !mbarriers
      %r = memref.load %x[%c0, %c0] : !tile
      memref.store %r, %out[%t] : !row
      gpu.barrier
    }
    %at_y = arith.constant 0 : index
    %y = memref.view %arena[%at_y][] {berth.buffer = 1 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !line
    affine.store %v, %y[%t] : !line
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    gpu.return
  }

  // A read of some element does not meet the load into the other half.
  gpu.func @parts(%d: !map, %d2: !map, %out: !row, %v: f32, %c: i1, %mask: i16) workgroup(%arena : memref<512xi8, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %at_x = arith.constant 0 : index
    %x = memref.view %arena[%at_x][] {berth.buffer = 0 : i64} : memref<512xi8, #gpu.address_space<workgroup>> to !tiles
    %at_y = arith.constant 0 : index
    %y = memref.view %arena[%at_y][] {berth.buffer = 1 : i64} : memref<512xi8, #gpu.address_space<workgroup>> to !line
    %upper = memref.subview %x[0, 0] [8, 8] [1, 1] : !tiles to !upper
    %lower = memref.subview %x[8, 0] [8, 8] [1, 1] : !tiles to !lower
    nvgpu.tma.async.load %d[%c0, %c0], %m[%c0] to %upper : !map, !mbarriers -> !upper
    nvgpu.tma.async.load %d2[%c0, %c0], %m[%c0] to %lower : !map, !mbarriers -> !lower
    nvgpu.mbarrier.try_wait.parity %m[%c0], %even, %t : !mbarriers
    %r = memref.load %x[%c0, %c0] : !tiles
    memref.store %r, %out[%t] : !row
    gpu.barrier
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: touches bytes of the arena that something asynchronous may still use through another buffer
    affine.store %v, %y[%t] : !line
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: touches bytes of the arena that something asynchronous may still use through another buffer
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    gpu.return
  }

  // Loads that other workgroups write here come at any time.
  gpu.func @multicast(%d: !map, %d2: !map, %out: !row, %v: f32, %c: i1, %mask: i16) workgroup(%arena : memref<256xi8, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %at_x = arith.constant 0 : index
    %x = memref.view %arena[%at_x][] {berth.buffer = 0 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !tile
    %at_y = arith.constant 0 : index
    %y = memref.view %arena[%at_y][] {berth.buffer = 1 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !line
    nvgpu.tma.async.load %d[%c0, %c0], %m[%c0] to %x multicast_mask = %mask : !map, !mbarriers -> !tile
    nvgpu.mbarrier.try_wait.parity %m[%c0], %even, %t : !mbarriers
    %r = memref.load %x[%c0, %c0] : !tile
    memref.store %r, %out[%t] : !row
    gpu.barrier
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: touches bytes of the arena that something no barrier orders may still use through another buffer
    affine.store %v, %y[%t] : !line
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: touches bytes of the arena that something no barrier orders may still use through another buffer
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    gpu.return
  }

  // A barrier does not order a store and a TMA load.
  gpu.func @no_fence(%d: !map, %d2: !map, %out: !row, %v: f32, %c: i1, %mask: i16) workgroup(%arena : memref<256xi8, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %at_x = arith.constant 0 : index
    %x = memref.view %arena[%at_x][] {berth.buffer = 0 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !tile
    %at_y = arith.constant 0 : index
    %y = memref.view %arena[%at_y][] {berth.buffer = 1 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !line
    affine.store %v, %y[%t] : !line
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    gpu.barrier
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: touches bytes of the arena by TMA or wgmma that threads have used through another buffer by loads and stores
    nvgpu.tma.async.load %d[%c0, %c0], %m[%c0] to %x : !map, !mbarriers -> !tile
    nvgpu.mbarrier.try_wait.parity %m[%c0], %even, %t : !mbarriers
    %r = memref.load %x[%c0, %c0] : !tile
    memref.store %r, %out[%t] : !row
    gpu.return
  }

  // Each thread fences its accesses, then all meet.
  gpu.func @fence_then_barrier(%d: !map, %d2: !map, %out: !row, %v: f32, %c: i1, %mask: i16) workgroup(%arena : memref<256xi8, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %at_x = arith.constant 0 : index
    %x = memref.view %arena[%at_x][] {berth.buffer = 0 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !tile
    %at_y = arith.constant 0 : index
    %y = memref.view %arena[%at_y][] {berth.buffer = 1 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !line
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
  gpu.func @fence_of_all_spaces(%d: !map, %d2: !map, %out: !row, %v: f32, %c: i1, %mask: i16) workgroup(%arena : memref<256xi8, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %at_x = arith.constant 0 : index
    %x = memref.view %arena[%at_x][] {berth.buffer = 0 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !tile
    %at_y = arith.constant 0 : index
    %y = memref.view %arena[%at_y][] {berth.buffer = 1 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !line
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
  gpu.func @barrier_then_fence(%d: !map, %d2: !map, %out: !row, %v: f32, %c: i1, %mask: i16) workgroup(%arena : memref<256xi8, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %at_x = arith.constant 0 : index
    %x = memref.view %arena[%at_x][] {berth.buffer = 0 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !tile
    %at_y = arith.constant 0 : index
    %y = memref.view %arena[%at_y][] {berth.buffer = 1 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !line
    affine.store %v, %y[%t] : !line
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    gpu.barrier
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: touches bytes of the arena by TMA or wgmma that threads have used through another buffer by loads and stores
    nvgpu.tma.async.load %d[%c0, %c0], %m[%c0] to %x : !map, !mbarriers -> !tile
    nvgpu.mbarrier.try_wait.parity %m[%c0], %even, %t : !mbarriers
    %r = memref.load %x[%c0, %c0] : !tile
    memref.store %r, %out[%t] : !row
    gpu.return
  }

  // ... unless they meet again.
  gpu.func @two_barriers(%d: !map, %d2: !map, %out: !row, %v: f32, %c: i1, %mask: i16) workgroup(%arena : memref<256xi8, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %at_x = arith.constant 0 : index
    %x = memref.view %arena[%at_x][] {berth.buffer = 0 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !tile
    %at_y = arith.constant 0 : index
    %y = memref.view %arena[%at_y][] {berth.buffer = 1 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !line
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
  gpu.func @fence_before_access(%d: !map, %d2: !map, %out: !row, %v: f32, %c: i1, %mask: i16) workgroup(%arena : memref<256xi8, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %at_x = arith.constant 0 : index
    %x = memref.view %arena[%at_x][] {berth.buffer = 0 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !tile
    %at_y = arith.constant 0 : index
    %y = memref.view %arena[%at_y][] {berth.buffer = 1 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !line
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    affine.store %v, %y[%t] : !line
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    gpu.barrier
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: touches bytes of the arena by TMA or wgmma that threads have used through another buffer by loads and stores
    nvgpu.tma.async.load %d[%c0, %c0], %m[%c0] to %x : !map, !mbarriers -> !tile
    nvgpu.mbarrier.try_wait.parity %m[%c0], %even, %t : !mbarriers
    %r = memref.load %x[%c0, %c0] : !tile
    memref.store %r, %out[%t] : !row
    gpu.return
  }

  // Threads that go the other way do not fence.
  gpu.func @fence_on_one_way(%d: !map, %d2: !map, %out: !row, %v: f32, %c: i1, %mask: i16) workgroup(%arena : memref<256xi8, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %at_x = arith.constant 0 : index
    %x = memref.view %arena[%at_x][] {berth.buffer = 0 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !tile
    %at_y = arith.constant 0 : index
    %y = memref.view %arena[%at_y][] {berth.buffer = 1 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !line
    affine.store %v, %y[%t] : !line
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    scf.if %c {
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    }
    gpu.barrier
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: touches bytes of the arena by TMA or wgmma that threads have used through another buffer by loads and stores
    nvgpu.tma.async.load %d[%c0, %c0], %m[%c0] to %x : !map, !mbarriers -> !tile
    nvgpu.mbarrier.try_wait.parity %m[%c0], %even, %t : !mbarriers
    %r = memref.load %x[%c0, %c0] : !tile
    memref.store %r, %out[%t] : !row
    gpu.return
  }

  // Fences for other proxies.
  gpu.func @other_proxies(%d: !map, %d2: !map, %out: !row, %v: f32, %c: i1, %mask: i16) workgroup(%arena : memref<256xi8, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %at_x = arith.constant 0 : index
    %x = memref.view %arena[%at_x][] {berth.buffer = 0 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !tile
    %at_y = arith.constant 0 : index
    %y = memref.view %arena[%at_y][] {berth.buffer = 1 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !line
    affine.store %v, %y[%t] : !line
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<alias>}
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.global>}
    gpu.barrier
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: touches bytes of the arena by TMA or wgmma that threads have used through another buffer by loads and stores
    nvgpu.tma.async.load %d[%c0, %c0], %m[%c0] to %x : !map, !mbarriers -> !tile
    nvgpu.mbarrier.try_wait.parity %m[%c0], %even, %t : !mbarriers
    %r = memref.load %x[%c0, %c0] : !tile
    memref.store %r, %out[%t] : !row
    gpu.return
  }

  // No barrier at all.
  gpu.func @fence_without_barrier(%d: !map, %d2: !map, %out: !row, %v: f32, %c: i1, %mask: i16) workgroup(%arena : memref<256xi8, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %at_x = arith.constant 0 : index
    %x = memref.view %arena[%at_x][] {berth.buffer = 0 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !tile
    %at_y = arith.constant 0 : index
    %y = memref.view %arena[%at_y][] {berth.buffer = 1 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !line
    affine.store %v, %y[%t] : !line
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: touches bytes of the arena that other threads may still use through another buffer
    nvgpu.tma.async.load %d[%c0, %c0], %m[%c0] to %x : !map, !mbarriers -> !tile
    nvgpu.mbarrier.try_wait.parity %m[%c0], %even, %t : !mbarriers
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: touches bytes of the arena that other threads may still use through another buffer
    %r = memref.load %x[%c0, %c0] : !tile
    memref.store %r, %out[%t] : !row
    gpu.return
  }

  // What was read by loads takes a fence, too, before it is loaded over.
  gpu.func @load_after_load(%d: !map, %d2: !map, %out: !row, %v: f32, %c: i1, %mask: i16) workgroup(%arena : memref<256xi8, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %at_x = arith.constant 0 : index
    %x = memref.view %arena[%at_x][] {berth.buffer = 0 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !tile
    %at_z = arith.constant 0 : index
    %z = memref.view %arena[%at_z][] {berth.buffer = 1 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !tile
    nvgpu.tma.async.load %d[%c0, %c0], %m[%c0] to %x : !map, !mbarriers -> !tile
    nvgpu.mbarrier.try_wait.parity %m[%c0], %even, %t : !mbarriers
    %r = memref.load %x[%c0, %c0] : !tile
    memref.store %r, %out[%t] : !row
    gpu.barrier
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: touches bytes of the arena by TMA or wgmma that threads have used through another buffer by loads and stores
    nvgpu.tma.async.load %d2[%c0, %c0], %m[%c1] to %z : !map, !mbarriers -> !tile
    nvgpu.mbarrier.try_wait.parity %m[%c1], %even, %t : !mbarriers
    %q = memref.load %z[%c0, %c0] : !tile
    memref.store %q, %out[%t] : !row
    gpu.return
  }

  // The store has been read from X.
  gpu.func @store_waited(%d: !map, %d2: !map, %out: !row, %v: f32, %c: i1, %mask: i16) workgroup(%arena : memref<256xi8, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %at_x = arith.constant 0 : index
    %x = memref.view %arena[%at_x][] {berth.buffer = 0 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !tile
    %at_y = arith.constant 0 : index
    %y = memref.view %arena[%at_y][] {berth.buffer = 1 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !line
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
  gpu.func @store_done(%d: !map, %d2: !map, %out: !row, %v: f32, %c: i1, %mask: i16) workgroup(%arena : memref<256xi8, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %at_x = arith.constant 0 : index
    %x = memref.view %arena[%at_x][] {berth.buffer = 0 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !tile
    %at_y = arith.constant 0 : index
    %y = memref.view %arena[%at_y][] {berth.buffer = 1 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !line
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
  gpu.func @store_in_no_group(%d: !map, %d2: !map, %out: !row, %v: f32, %c: i1, %mask: i16) workgroup(%arena : memref<256xi8, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %at_x = arith.constant 0 : index
    %x = memref.view %arena[%at_x][] {berth.buffer = 0 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !tile
    %at_y = arith.constant 0 : index
    %y = memref.view %arena[%at_y][] {berth.buffer = 1 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !line
    memref.store %v, %x[%c0, %c0] : !tile
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    nvgpu.tma.async.store %x to %d[%c0, %c0] : !tile -> !map
    nvvm.cp.async.bulk.wait_group 0 {read}
    gpu.barrier
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: touches bytes of the arena that something asynchronous may still use through another buffer
    affine.store %v, %y[%t] : !line
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    gpu.return
  }

  // It may be the one that pends.
  gpu.func @store_pends(%d: !map, %d2: !map, %out: !row, %v: f32, %c: i1, %mask: i16) workgroup(%arena : memref<256xi8, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %at_x = arith.constant 0 : index
    %x = memref.view %arena[%at_x][] {berth.buffer = 0 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !tile
    %at_y = arith.constant 0 : index
    %y = memref.view %arena[%at_y][] {berth.buffer = 1 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !line
    memref.store %v, %x[%c0, %c0] : !tile
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    nvgpu.tma.async.store %x to %d[%c0, %c0] : !tile -> !map
    nvvm.cp.async.bulk.commit.group
    nvvm.cp.async.bulk.wait_group 1 {read}
    gpu.barrier
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: touches bytes of the arena that something asynchronous may still use through another buffer
    affine.store %v, %y[%t] : !line
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    gpu.return
  }

  // Z's store may pend, X's is older.
  gpu.func @older_store(%d: !map, %d2: !map, %out: !row, %v: f32, %c: i1, %mask: i16) workgroup(%arena : memref<512xi8, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %at_x = arith.constant 0 : index
    %x = memref.view %arena[%at_x][] {berth.buffer = 0 : i64} : memref<512xi8, #gpu.address_space<workgroup>> to !tile
    %at_y = arith.constant 0 : index
    %y = memref.view %arena[%at_y][] {berth.buffer = 1 : i64} : memref<512xi8, #gpu.address_space<workgroup>> to !line
    %at_z = arith.constant 256 : index
    %z = memref.view %arena[%at_z][] {berth.buffer = 2 : i64} : memref<512xi8, #gpu.address_space<workgroup>> to !tile
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
  gpu.func @store_without_barrier(%d: !map, %d2: !map, %out: !row, %v: f32, %c: i1, %mask: i16) workgroup(%arena : memref<256xi8, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %at_x = arith.constant 0 : index
    %x = memref.view %arena[%at_x][] {berth.buffer = 0 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !tile
    %at_y = arith.constant 0 : index
    %y = memref.view %arena[%at_y][] {berth.buffer = 1 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !line
    memref.store %v, %x[%c0, %c0] : !tile
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    nvgpu.tma.async.store %x to %d[%c0, %c0] : !tile -> !map
    nvvm.cp.async.bulk.commit.group
    nvvm.cp.async.bulk.wait_group 0 {read}
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: touches bytes of the arena that other threads may still use through another buffer
    affine.store %v, %y[%t] : !line
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    gpu.return
  }

  // Groups of other copies do not count.
  gpu.func @copies_are_apart(%d: !map, %d2: !map, %out: !row, %v: f32, %c: i1, %mask: i16) workgroup(%arena : memref<256xi8, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarriers
    %at_x = arith.constant 0 : index
    %x = memref.view %arena[%at_x][] {berth.buffer = 0 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !tile
    %at_y = arith.constant 0 : index
    %y = memref.view %arena[%at_y][] {berth.buffer = 1 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !line
    memref.store %v, %x[%c0, %c0] : !tile
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    nvgpu.tma.async.store %x to %d[%c0, %c0] : !tile -> !map
    %e = "nvgpu.device_async_create_group"() : () -> !nvgpu.device.async.token
    nvgpu.device_async_wait %e
    gpu.barrier
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: touches bytes of the arena that something asynchronous may still use through another buffer
    affine.store %v, %y[%t] : !line
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    gpu.return
  }

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
