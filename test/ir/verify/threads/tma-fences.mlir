// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// The kernels of hazards/tma-fences.mlir with two of their buffers at the same
// bytes, whether that is right or not: berth-verify tells which are wrong.
// RUN: not %mlir-opt-berth --pass-pipeline='builtin.module(berth-verify)' %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=error:

!line = memref<64xf32, #gpu.address_space<workgroup>>
!tile = memref<8x8xf32, #gpu.address_space<workgroup>>
!map = !nvgpu.tensormap.descriptor<tensor = !tile, swizzle = none, l2promo = none, oob = zero, interleave = none>
!mbarriers = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 2>
!row = memref<64xf32>

gpu.module @kernels {
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
}
