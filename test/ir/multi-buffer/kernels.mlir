// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the threads of a kernel copy in each turn gets slots, and why some of it gets
// none.
// RUN: %berth-opt %s --remarks-filter=berth-multi-buffer --pass-pipeline='builtin.module(berth-multi-buffer{factor=3})' -o %t.out 2> %t.err
// RUN: FileCheck %s < %t.out
// RUN: FileCheck %s --check-prefix=WHY < %t.err
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-multi-buffer{factor=3})' | %berth-opt --pass-pipeline='builtin.module(berth-arena)' -o /dev/null
// As many as fit, up to one more than the latency; or as leave as many workgroups
// resident as two do: 32 of 64 threads.
// RUN: %berth-opt %s --remarks-filter=berth-multi-buffer --pass-pipeline='builtin.module(berth-multi-buffer{latency=5 capacity=1024})' -o %t.out 2>&1 | FileCheck %s --check-prefix=FITS
// FITS: 4 slots of 256 bytes
// RUN: %berth-opt %s --remarks-filter=berth-multi-buffer --pass-pipeline='builtin.module(berth-multi-buffer{latency=2})' -o %t.out 2>&1 | FileCheck %s --check-prefix=LATENCY
// LATENCY: 3 slots of 256 bytes
// RUN: sed 's/^gpu.module @kernels/& [#nvvm.target<chip = "sm_80">]/' %s | %berth-opt --remarks-filter=berth-multi-buffer --pass-pipeline='builtin.module(berth-multi-buffer{latency=62})' -o %t.out 2>&1 | FileCheck %s --check-prefix=RESIDENT
// RESIDENT: 16 slots of 256 bytes
// RUN: not %berth-opt %s --pass-pipeline='builtin.module(berth-multi-buffer{latency=0})' 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: latency 0: expected a number of turns from 1 to 63 [berth-E384]
//
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-multi-buffer{factor=3 verify=false test-break-rule=turns-follow})' | not FileCheck %s

!tile = memref<64xf32, #gpu.address_space<workgroup>>
!wide = memref<128xf32, #gpu.address_space<workgroup>>
!in = memref<?x64xf32>

gpu.module @kernels {
  // Copies of two turns in front of the loop, where there are so many; a group for
  // each in any case.
  // CHECK-LABEL: gpu.func @any_bounds
  // CHECK: %[[SLOTS:.*]] = memref.alloc() {berth.slots = 3 : i64} : memref<3x64xf32
  // CHECK: arith.cmpi slt
  // CHECK: scf.if
  // CHECK: nvgpu.device_async_copy
  // CHECK: nvgpu.device_async_create_group {berth.slots = 3 : i64}
  // CHECK: arith.andi
  // CHECK: scf.if
  // CHECK: nvgpu.device_async_copy
  // CHECK: nvgpu.device_async_create_group {berth.slots = 3 : i64}
  // CHECK: scf.for
  // CHECK: memref.subview %[[SLOTS]]
  // CHECK: %[[MORE:.*]] = arith.cmpi ule
  // CHECK: scf.if %[[MORE]]
  // CHECK: nvgpu.device_async_copy
  // CHECK: nvgpu.device_async_create_group {berth.slots = 3 : i64}
  // CHECK: nvgpu.device_async_wait %{{.*}} {numGroups = 2 : i32}
  // CHECK: gpu.barrier
  // CHECK: gpu.barrier
  // CHECK: }
  // CHECK: nvgpu.device_async_create_group
  // CHECK-NEXT: nvgpu.device_async_wait %{{[0-9]+$}}
  gpu.func @any_bounds(%in: !in, %n: index, %i: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c1 = arith.constant 1 : index
    // WHY: [[#@LINE+1]]:{{.*}}3 slots of 256 bytes for the turns of scf.for{{.*}}; 2 ahead
    %a = memref.alloc() : !tile
    scf.for %k = %i to %n step %c1 {
      %c = nvgpu.device_async_copy %in[%k, %t], %a[%t], 1 : !in to !tile
      %g = nvgpu.device_async_create_group %c
      nvgpu.device_async_wait %g
      gpu.barrier
      %e = memref.load %a[%i] : !tile
      gpu.barrier
    }
    gpu.return
  }
  // CHECK-LABEL: gpu.func @no_barrier
  // CHECK-NOT: berth.slots
  gpu.func @no_barrier(%in: !in, %n: index, %i: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c1 = arith.constant 1 : index
    scf.for %k = %i to %n step %c1 {
      // WHY: [[#@LINE+1]]:{{.*}}no barrier of all threads stands between its last use in a turn and the next copy
      %a = memref.alloc() : !tile
      %c = nvgpu.device_async_copy %in[%k, %t], %a[%t], 1 : !in to !tile
      %g = nvgpu.device_async_create_group %c
      nvgpu.device_async_wait %g
      gpu.barrier
      %e = memref.load %a[%i] : !tile
    }
    gpu.return
  }
  gpu.func @not_all_come(%in: !in, %n: index, %i: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c1 = arith.constant 1 : index
    // WHY: [[#@LINE+1]]:{{.*}}no barrier of all threads
    %a = memref.alloc() : !tile
    scf.for %k = %t to %n step %c1 {
      %c = nvgpu.device_async_copy %in[%k, %t], %a[%t], 1 : !in to !tile
      %g = nvgpu.device_async_create_group %c
      nvgpu.device_async_wait %g
      gpu.barrier
      %e = memref.load %a[%t] : !tile
      gpu.barrier
    }
    gpu.return
  }
  gpu.func @unknown_block(%in: !in, %n: index, %i: index) kernel {
    %t = gpu.thread_id x
    %c1 = arith.constant 1 : index
    // WHY: [[#@LINE+1]]:{{.*}}it is not seen that the copies of a turn fill all that is used there
    %a = memref.alloc() : !tile
    scf.for %k = %i to %n step %c1 {
      %c = nvgpu.device_async_copy %in[%k, %t], %a[%t], 1 : !in to !tile
      %g = nvgpu.device_async_create_group %c
      nvgpu.device_async_wait %g
      gpu.barrier
      %e = memref.load %a[%t] : !tile
      gpu.barrier
    }
    gpu.return
  }
  // A wait that lets the copy pend is none; the copy of the other buffer stays,
  // too, since the waits of a loop are for all.
  gpu.func @pending(%in: !in, %n: index, %i: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c1 = arith.constant 1 : index
    // WHY: [[#@LINE+1]]:{{.*}}no wait in the turn surely ends what is copied
    %a = memref.alloc() : !tile
    // WHY: [[#@LINE+1]]:{{.*}}the loop copies into another buffer that gets none
    %b = memref.alloc() : !tile
    scf.for %k = %i to %n step %c1 {
      %d = nvgpu.device_async_copy %in[%k, %t], %b[%t], 1 : !in to !tile
      %h = nvgpu.device_async_create_group %d
      %c = nvgpu.device_async_copy %in[%k, %t], %a[%t], 1 : !in to !tile
      %g = nvgpu.device_async_create_group %c
      nvgpu.device_async_wait %h {numGroups = 1 : i32}
      gpu.barrier
      %e = memref.load %a[%t] : !tile
      %f = memref.load %b[%i] : !tile
      gpu.barrier
    }
    gpu.return
  }
  gpu.func @some_turns(%in: !in, %n: index, %i: index, %is: i1) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c1 = arith.constant 1 : index
    // WHY: [[#@LINE+1]]:{{.*}}not every turn does all that the loop copies
    %a = memref.alloc() : !tile
    scf.for %k = %i to %n step %c1 {
      %d = nvgpu.device_async_copy %in[%k, %t], %a[%t], 1 : !in to !tile
      scf.if %is {
        %g = nvgpu.device_async_create_group
      }
      %h = nvgpu.device_async_create_group %d
      nvgpu.device_async_wait %h
      gpu.barrier
      %f = memref.load %a[%i] : !tile
      gpu.barrier
    }
    gpu.return
  }
}
