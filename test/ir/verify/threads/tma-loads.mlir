// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// The kernels of hazards/tma-loads.mlir with two of their buffers at the same
// bytes, whether that is right or not: berth-verify tells which are wrong.
// RUN: not %mlir-opt-berth --pass-pipeline='builtin.module(berth-verify)' %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=error:

!line = memref<64xf32, #gpu.address_space<workgroup>>
!tile = memref<8x8xf32, #gpu.address_space<workgroup>>
!tiles = memref<16x8xf32, #gpu.address_space<workgroup>>
!upper = memref<8x8xf32, strided<[8, 1]>, #gpu.address_space<workgroup>>
!lower = memref<8x8xf32, strided<[8, 1], offset: 64>, #gpu.address_space<workgroup>>
!map = !nvgpu.tensormap.descriptor<tensor = !tile, swizzle = none, l2promo = none, oob = zero, interleave = none>
!mbarriers = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 2>
!row = memref<64xf32>

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
}
