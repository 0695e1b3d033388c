// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// fences=insert puts a fence in front of each new barrier that has to order loads
// and stores with TMA, and in front of a barrier that stands, where it lacks one.
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{fences=insert report=-})' %s 2>%t.report | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT < %t.report
// RUN: not %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{fences=insert test-break-rule=bare-barriers})' %s 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: not %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{fences=all})' %s 2>&1 | FileCheck %s --check-prefix=WORD
// RUN: not %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{fences=insert barriers=existing})' %s 2>&1 | FileCheck %s --check-prefix=EXISTING

// REFUSED: error: touches bytes of the arena by TMA or wgmma that threads have used through another buffer by loads and stores
// WORD: error: {{.*}}fences 'all' is neither insert nor existing
// EXISTING: error: {{.*}}fences=insert puts fences in front of barriers: it needs barriers=insert
// A fence and a barrier cost two, a fence alone one.
// REPORT: "barriers": {"inserted": 1, "curve": [{"barriers": 0, "cost": 0, "bytes": 512}, {"barriers": 1, "cost": 2, "bytes": 256}], "fences": 1}
// REPORT: "barriers": {"inserted": 0, "curve": [{"barriers": 0, "cost": 0, "bytes": 512}, {"barriers": 0, "cost": 1, "bytes": 256}], "fences": 1}

!line = memref<64xf32, #gpu.address_space<workgroup>>
!tile = memref<8x8xf32, #gpu.address_space<workgroup>>
!map = !nvgpu.tensormap.descriptor<tensor = !tile, swizzle = none, l2promo = none, oob = zero, interleave = none>
!mbarrier = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
!row = memref<64xf32>

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @neither(
  // CHECK-SAME: memref<256xi8,
  // CHECK: affine.load
  // CHECK: nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: nvgpu.tma.async.load
  gpu.func @neither(%d: !map, %out: !row, %v: f32) kernel {
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

  // The barrier stands; a fence behind it is too late for the other threads.
  // CHECK-LABEL: gpu.func @no_fence(
  // CHECK-SAME: memref<256xi8,
  // CHECK: affine.load
  // CHECK: nvvm.fence.proxy
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: nvvm.fence.proxy
  // CHECK-NEXT: nvgpu.tma.async.load
  // CHECK-NOT: gpu.barrier
  gpu.func @no_fence(%d: !map, %out: !row, %v: f32) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarrier
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %y = memref.alloc() : !line
    affine.store %v, %y[%t] : !line
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    gpu.barrier
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvgpu.tma.async.load %d[%c0, %c0], %m[%c0] to %x : !map, !mbarrier -> !tile
    nvgpu.mbarrier.try_wait.parity %m[%c0], %even, %t : !mbarrier
    %r = memref.load %x[%c0, %c0] : !tile
    memref.store %r, %out[%t] : !row
    gpu.return
  }

  // What TMA has done before needs no fence.
  // CHECK-LABEL: gpu.func @load_first(
  // CHECK-SAME: memref<256xi8,
  // CHECK-NOT: nvvm.fence.proxy
  // CHECK: gpu.barrier
  // CHECK-NEXT: affine.store
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

  // The next instance in a loop, whose turns a barrier ends.
  // CHECK-LABEL: gpu.func @instances(
  // CHECK-SAME: memref<256xi8,
  // CHECK: scf.for
  // CHECK: nvgpu.tma.async.load
  // CHECK: memref.load
  // CHECK: nvvm.fence.proxy
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: }
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
      gpu.barrier
    }
    gpu.return
  }

  // A barrier that threads do not reach together cannot be mended.
  // CHECK-LABEL: gpu.func @divergent(
  // CHECK-SAME: memref<512xi8,
  // CHECK-NOT: nvvm.fence.proxy
  // CHECK: gpu.return
  gpu.func @divergent(%d: !map, %out: !row, %v: f32) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarrier
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %y = memref.alloc() : !line
    %some = arith.cmpi ult, %t, %c32 : index
    scf.if %some {
      affine.store %v, %y[%t] : !line
      %w = affine.load %y[%t] : !line
      affine.store %w, %out[%t] : !row
      gpu.barrier
      nvgpu.tma.async.load %d[%c0, %c0], %m[%c0] to %x : !map, !mbarrier -> !tile
      nvgpu.mbarrier.try_wait.parity %m[%c0], %even, %t : !mbarrier
      %r = memref.load %x[%c0, %c0] : !tile
      memref.store %r, %out[%t] : !row
    }
    gpu.return
  }

  // Nobody waits until the stores have read: a wait goes behind the last one.
  // CHECK-LABEL: gpu.func @store_drained(
  // CHECK-SAME: memref<256xi8,
  // CHECK: scf.if
  // CHECK: nvgpu.tma.async.store
  // CHECK: }
  // CHECK-NEXT: nvvm.cp.async.bulk.commit.group
  // CHECK-NEXT: nvvm.cp.async.bulk.wait_group 0 {read}
  // CHECK: gpu.barrier
  // CHECK-NEXT: affine.store
  gpu.func @store_drained(%d: !map, %out: !row, %v: f32) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %y = memref.alloc() : !line
    memref.store %v, %x[%c0, %c0] : !tile
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      nvgpu.tma.async.store %x to %d[%c0, %c0] : !tile -> !map
    }
    affine.store %v, %y[%t] : !line
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    gpu.return
  }

  // A wait for an mbarrier is never inserted.
  // CHECK-LABEL: gpu.func @load_not_drained(
  // CHECK-SAME: memref<512xi8,
  // CHECK: gpu.return
  gpu.func @load_not_drained(%d: !map, %out: !row, %v: f32) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %m = nvgpu.mbarrier.create -> !mbarrier
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %y = memref.alloc() : !line
    nvgpu.tma.async.load %d[%c0, %c0], %m[%c0] to %x : !map, !mbarrier -> !tile
    affine.store %v, %y[%t] : !line
    %w = affine.load %y[%t] : !line
    affine.store %w, %out[%t] : !row
    gpu.return
  }
}
