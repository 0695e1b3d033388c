// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// Between ordinary accesses and TMA a barrier is inserted where a fence makes it
// worth one, and only behind the fence.
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena)' %s | FileCheck %s

!line = memref<64xf32, #gpu.address_space<workgroup>>
!tile = memref<8x8xf32, #gpu.address_space<workgroup>>
!map = !nvgpu.tensormap.descriptor<tensor = !tile, swizzle = none, l2promo = none, oob = zero, interleave = none>
!mbarrier = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
!row = memref<64xf32>

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @fenced(
  // CHECK-SAME: memref<256xi8,
  // CHECK: affine.load
  // CHECK: nvvm.fence.proxy
  // CHECK: gpu.barrier
  // CHECK: nvgpu.tma.async.load
  // CHECK-NOT: gpu.barrier
  // CHECK: gpu.return
  gpu.func @fenced(%d: !map, %out: !row, %v: f32) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarrier
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %y = memref.alloc() : !line
    affine.store %v, %y[%t] : !line
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvgpu.tma.async.load %d[%c0, %c0], %m[%c0] to %x : !map, !mbarrier -> !tile
    nvgpu.mbarrier.try_wait.parity %m[%c0], %even, %t : !mbarrier
    %r = memref.load %x[%c0, %c0] : !tile
    memref.store %r, %out[%t] : !row
    gpu.return
  }

  // CHECK-LABEL: gpu.func @not_fenced(
  // CHECK-SAME: memref<512xi8,
  // CHECK-NOT: gpu.barrier
  // CHECK: gpu.return
  gpu.func @not_fenced(%d: !map, %out: !row, %v: f32) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarrier
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %y = memref.alloc() : !line
    affine.store %v, %y[%t] : !line
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    nvgpu.tma.async.load %d[%c0, %c0], %m[%c0] to %x : !map, !mbarrier -> !tile
    nvgpu.mbarrier.try_wait.parity %m[%c0], %even, %t : !mbarrier
    %r = memref.load %x[%c0, %c0] : !tile
    memref.store %r, %out[%t] : !row
    gpu.return
  }

  // The other way round a barrier is enough, and may stand in front of a fence.
  // CHECK-LABEL: gpu.func @load_first(
  // CHECK-SAME: memref<256xi8,
  // CHECK: memref.load
  // CHECK: gpu.barrier
  // CHECK: affine.store
  gpu.func @load_first(%d: !map, %out: !row, %v: f32) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarrier
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %y = memref.alloc() : !line
    nvgpu.tma.async.load %d[%c0, %c0], %m[%c0] to %x : !map, !mbarrier -> !tile
    nvgpu.mbarrier.try_wait.parity %m[%c0], %even, %t : !mbarrier
    %r = memref.load %x[%c0, %c0] : !tile
    memref.store %r, %out[%t] : !row
    affine.store %v, %y[%t] : !line
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    gpu.return
  }

  // A buffer of a loop's turn: the next instance is loaded where the last one was
  // read by loads, so it takes a fence and a barrier in each turn.
  // CHECK-LABEL: gpu.func @instances(
  // CHECK-SAME: memref<256xi8,
  // CHECK: scf.for
  // CHECK: gpu.barrier
  // CHECK: nvgpu.tma.async.load
  // CHECK: nvvm.fence.proxy
  // CHECK: gpu.return
  gpu.func @instances(%d: !map, %out: !row, %v: f32) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarrier
    scf.for %i = %c0 to %c4 step %c1 {
      %x = memref.alloc() {alignment = 128 : i64} : !tile
      nvgpu.tma.async.load %d[%c0, %c0], %m[%c0] to %x : !map, !mbarrier -> !tile
      nvgpu.mbarrier.try_wait.parity %m[%c0], %even, %t : !mbarrier
      %r = memref.load %x[%c0, %c0] : !tile
      memref.store %r, %out[%t] : !row
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async>}
    }
    gpu.return
  }

  // Without a fence it stays what it is; a barrier would not be enough.
  // CHECK-LABEL: gpu.func @instances_not_fenced(
  // CHECK-NOT: memref.view
  // CHECK: gpu.return
  gpu.func @instances_not_fenced(%d: !map, %out: !row, %v: f32) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarrier
    scf.for %i = %c0 to %c4 step %c1 {
      %x = memref.alloc() {alignment = 128 : i64} : !tile
      nvgpu.tma.async.load %d[%c0, %c0], %m[%c0] to %x : !map, !mbarrier -> !tile
      nvgpu.mbarrier.try_wait.parity %m[%c0], %even, %t : !mbarrier
      %r = memref.load %x[%c0, %c0] : !tile
      memref.store %r, %out[%t] : !row
      gpu.barrier
    }
    gpu.return
  }

  // A load that nobody has seen the end of would meet the next instance.
  // CHECK-LABEL: gpu.func @instances_unread(
  // CHECK-NOT: memref.view
  // CHECK: gpu.return
  gpu.func @instances_unread(%d: !map, %out: !row, %v: f32) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarrier
    scf.for %i = %c0 to %c4 step %c1 {
      %x = memref.alloc() {alignment = 128 : i64} : !tile
      nvgpu.tma.async.load %d[%c0, %c0], %m[%c0] to %x : !map, !mbarrier -> !tile
      nvgpu.mbarrier.try_wait.parity %m[%c0], %even, %t : !mbarrier
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async>}
      gpu.barrier
    }
    gpu.return
  }
}
