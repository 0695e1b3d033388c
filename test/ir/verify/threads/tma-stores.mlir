// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// The kernels of hazards/tma-stores.mlir with two of their buffers at the same
// bytes, whether that is right or not: berth-verify tells which are wrong.
// RUN: not %mlir-opt-berth --pass-pipeline='builtin.module(berth-verify)' %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=error:

!line = memref<64xf32, #gpu.address_space<workgroup>>
!tile = memref<8x8xf32, #gpu.address_space<workgroup>>
!map = !nvgpu.tensormap.descriptor<tensor = !tile, swizzle = none, l2promo = none, oob = zero, interleave = none>
!mbarriers = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 2>
!row = memref<64xf32>

gpu.module @kernels {
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
}
