// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A product in a pipeline of three stages of asynchronous copies. In the loop a
// group stays pending, so the stages are held up to the wait behind it.
// RUN: %race %s 8x8 | FileCheck %s

// CHECK: buffers: 3 of 3, bytes: 1792 -> 1536, barriers inserted: 1
// CHECK-NEXT: equal, no race
// CHECK-NEXT: without barrier 1: race

!stages = memref<3x8x8xf32, #gpu.address_space<workgroup>>
!tile = memref<8x8xf32, #gpu.address_space<workgroup>>
!a = memref<8x56xf32>
!b = memref<56x8xf32>
!c = memref<8x8xf32>

gpu.module @kernels {
  gpu.func @matmul(%a: !a, %b: !b, %ct: !c) kernel {
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %x = gpu.thread_id x
    %y = gpu.thread_id y
    %stages_a = memref.alloc() : !stages
    %stages_b = memref.alloc() : !stages
    %tile_c = memref.alloc() : !tile
    %x1 = affine.apply affine_map<(x) -> (x + 8)>(%x)
    %y1 = affine.apply affine_map<(y) -> (y + 8)>(%y)
    %ca0 = nvgpu.device_async_copy %a[%y, %x], %stages_a[%c0, %y, %x], 1 : !a to !stages
    %cb0 = nvgpu.device_async_copy %b[%y, %x], %stages_b[%c0, %y, %x], 1 : !b to !stages
    %group0 = nvgpu.device_async_create_group %ca0, %cb0
    %ca1 = nvgpu.device_async_copy %a[%y, %x1], %stages_a[%c1, %y, %x], 1 : !a to !stages
    %cb1 = nvgpu.device_async_copy %b[%y1, %x], %stages_b[%c1, %y, %x], 1 : !b to !stages
    %group1 = nvgpu.device_async_create_group %ca1, %cb1
    %sum, %older, %newer = affine.for %k = 0 to 7
        iter_args(%so_far = %zero, %due = %group0, %pending = %group1)
        -> (f32, !nvgpu.device.async.token, !nvgpu.device.async.token) {
      nvgpu.device_async_wait %due {numGroups = 1 : i32}
      gpu.barrier
      affine.if affine_set<(k) : (4 - k >= 0)>(%k) {
        %stage = affine.apply affine_map<(k) -> ((k + 2) mod 3)>(%k)
        %ax = affine.apply affine_map<(k, x) -> (8 * k + 16 + x)>(%k, %x)
        %by = affine.apply affine_map<(k, y) -> (8 * k + 16 + y)>(%k, %y)
        %ca = nvgpu.device_async_copy %a[%y, %ax], %stages_a[%stage, %y, %x], 1 : !a to !stages
        %cb = nvgpu.device_async_copy %b[%by, %x], %stages_b[%stage, %y, %x], 1 : !b to !stages
      }
      %part = affine.for %i = 0 to 8 iter_args(%acc = %so_far) -> f32 {
        %ea = affine.load %stages_a[%k mod 3, %y, %i] : !stages
        %eb = affine.load %stages_b[%k mod 3, %i, %x] : !stages
        %product = arith.mulf %ea, %eb : f32
        %next = arith.addf %acc, %product : f32
        affine.yield %next : f32
      }
      %group = nvgpu.device_async_create_group
      affine.yield %part, %pending, %group
          : f32, !nvgpu.device.async.token, !nvgpu.device.async.token
    }
    nvgpu.device_async_wait %newer
    affine.store %sum, %tile_c[%y, %x] : !tile
    gpu.barrier
    %turned = affine.load %tile_c[%x, %y] : !tile
    affine.store %turned, %ct[%y, %x] : !c
    gpu.return
  }
}
