// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// Which fences and barriers let TMA have the bytes of ordinary accesses. X and Y
// have 256 bytes each.
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{barriers=existing})' %s | FileCheck %s
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{barriers=existing verify=false test-break-rule=no-proxy-fences})' %s | FileCheck %s --check-prefix=UNFENCED
// RUN: not %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{barriers=existing test-break-rule=no-proxy-fences})' %s 2>&1 | FileCheck %s --check-prefix=REFUSED-UNFENCED

// REFUSED-UNFENCED: error: touches bytes of the arena by TMA or wgmma that threads have used through another buffer by loads and stores

!line = memref<64xf32, #gpu.address_space<workgroup>>
!tile = memref<8x8xf32, #gpu.address_space<workgroup>>
!map = !nvgpu.tensormap.descriptor<tensor = !tile, swizzle = none, l2promo = none, oob = zero, interleave = none>
!mbarriers = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 2>
!row = memref<64xf32>

gpu.module @kernels {
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
}
