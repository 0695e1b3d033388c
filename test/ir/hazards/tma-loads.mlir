// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// TMA loads: how long they hold their buffers. X, Y and Z have 256 bytes each.
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{barriers=existing})' %s | FileCheck %s
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{barriers=existing verify=false test-break-rule=untouched-loads})' %s | FileCheck %s --check-prefix=UNTOUCHED
// RUN: not %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{barriers=existing test-break-rule=untouched-loads})' %s 2>&1 | FileCheck %s --check-prefix=REFUSED-UNTOUCHED

// REFUSED-UNTOUCHED: error: touches bytes of the arena that something asynchronous may still use

!line = memref<64xf32, #gpu.address_space<workgroup>>
!tile = memref<8x8xf32, #gpu.address_space<workgroup>>
!tiles = memref<16x8xf32, #gpu.address_space<workgroup>>
!upper = memref<8x8xf32, strided<[8, 1]>, #gpu.address_space<workgroup>>
!lower = memref<8x8xf32, strided<[8, 1], offset: 64>, #gpu.address_space<workgroup>>
!map = !nvgpu.tensormap.descriptor<tensor = !tile, swizzle = none, l2promo = none, oob = zero, interleave = none>
!mbarriers = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 2>
!row = memref<64xf32>

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
