// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// A wait that lets n groups pend ends the copies whose group is followed by n
// others on every path. X, Y and Z have 256 bytes each.
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{barriers=existing})' %s | FileCheck %s
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{barriers=existing verify=false test-break-rule=no-pending-groups})' %s | FileCheck %s --check-prefix=BROKEN
// RUN: not %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{barriers=existing test-break-rule=no-pending-groups})' %s 2>&1 | FileCheck %s --check-prefix=REFUSED

!shared = memref<64xf32, #gpu.address_space<workgroup>>
!row = memref<64xf32>

// REFUSED: error: touches bytes of the arena that something asynchronous may still use through another buffer
gpu.module @kernels {
  // Z's group pends, X's is older: Y takes X's bytes.
  // CHECK-LABEL: gpu.func @older(
  // CHECK-SAME: memref<512xi8,
  // BROKEN-LABEL: gpu.func @older(
  // BROKEN-SAME: memref<512xi8,
  gpu.func @older(%in: !row, %out: !row, %v: f32, %c: i1, %n: index) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %z = memref.alloc() : !shared
    %c0 = nvgpu.device_async_copy %in[%t], %x[%t], 1 : !row to !shared
    %g0 = nvgpu.device_async_create_group %c0
    %c1 = nvgpu.device_async_copy %in[%t], %z[%t], 1 : !row to !shared
    %g1 = nvgpu.device_async_create_group %c1
    nvgpu.device_async_wait %g0 {numGroups = 1 : i32}
    gpu.barrier
    affine.store %v, %y[%t] : !shared
    %b = affine.load %y[%t] : !shared
    affine.store %b, %out[%t] : !row
    gpu.barrier
    nvgpu.device_async_wait %g1
    gpu.barrier
    %w = affine.load %z[63 - %t] : !shared
    affine.store %w, %out[%t] : !row
    gpu.return
  }

  // Only X's group is there: it may be the one that pends.
  // CHECK-LABEL: gpu.func @newest(
  // CHECK-SAME: memref<512xi8,
  // BROKEN-LABEL: gpu.func @newest(
  // BROKEN-SAME: memref<256xi8,
  gpu.func @newest(%in: !row, %out: !row, %v: f32, %c: i1, %n: index) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %c0 = nvgpu.device_async_copy %in[%t], %x[%t], 1 : !row to !shared
    %g0 = nvgpu.device_async_create_group %c0
    nvgpu.device_async_wait %g0 {numGroups = 1 : i32}
    gpu.barrier
    affine.store %v, %y[%t] : !shared
    %b = affine.load %y[%t] : !shared
    affine.store %b, %out[%t] : !row
    gpu.return
  }

  // Two may pend, and two are newer.
  // CHECK-LABEL: gpu.func @two_newer(
  // CHECK-SAME: memref<768xi8,
  gpu.func @two_newer(%in: !row, %out: !row, %v: f32, %c: i1, %n: index) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %z = memref.alloc() : !shared
    %u = memref.alloc() : !shared
    %c0 = nvgpu.device_async_copy %in[%t], %x[%t], 1 : !row to !shared
    %g0 = nvgpu.device_async_create_group %c0
    %c1 = nvgpu.device_async_copy %in[%t], %z[%t], 1 : !row to !shared
    %g1 = nvgpu.device_async_create_group %c1
    %c2 = nvgpu.device_async_copy %in[%t], %u[%t], 1 : !row to !shared
    %g2 = nvgpu.device_async_create_group %c2
    nvgpu.device_async_wait %g0 {numGroups = 2 : i32}
    gpu.barrier
    affine.store %v, %y[%t] : !shared
    %b = affine.load %y[%t] : !shared
    affine.store %b, %out[%t] : !row
    gpu.barrier
    nvgpu.device_async_wait %g2
    gpu.barrier
    %w = affine.load %z[63 - %t] : !shared
    affine.store %w, %out[%t] : !row
    %q = affine.load %u[63 - %t] : !shared
    affine.store %q, %out[%t] : !row
    gpu.return
  }

  // Two may pend, and one is newer.
  // CHECK-LABEL: gpu.func @one_too_few(
  // CHECK-SAME: memref<768xi8,
  // BROKEN-LABEL: gpu.func @one_too_few(
  // BROKEN-SAME: memref<512xi8,
  gpu.func @one_too_few(%in: !row, %out: !row, %v: f32, %c: i1, %n: index) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %z = memref.alloc() : !shared
    %c0 = nvgpu.device_async_copy %in[%t], %x[%t], 1 : !row to !shared
    %g0 = nvgpu.device_async_create_group %c0
    %c1 = nvgpu.device_async_copy %in[%t], %z[%t], 1 : !row to !shared
    %g1 = nvgpu.device_async_create_group %c1
    nvgpu.device_async_wait %g0 {numGroups = 2 : i32}
    gpu.barrier
    affine.store %v, %y[%t] : !shared
    %b = affine.load %y[%t] : !shared
    affine.store %b, %out[%t] : !row
    gpu.barrier
    nvgpu.device_async_wait %g1
    gpu.barrier
    %w = affine.load %z[63 - %t] : !shared
    affine.store %w, %out[%t] : !row
    gpu.return
  }

  // An empty group counts.
  // CHECK-LABEL: gpu.func @empty_groups(
  // CHECK-SAME: memref<256xi8,
  gpu.func @empty_groups(%in: !row, %out: !row, %v: f32, %c: i1, %n: index) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %c0 = nvgpu.device_async_copy %in[%t], %x[%t], 1 : !row to !shared
    %g0 = nvgpu.device_async_create_group %c0
    %e = "nvgpu.device_async_create_group"() : () -> !nvgpu.device.async.token
    nvgpu.device_async_wait %g0 {numGroups = 1 : i32}
    gpu.barrier
    affine.store %v, %y[%t] : !shared
    %b = affine.load %y[%t] : !shared
    affine.store %b, %out[%t] : !row
    gpu.return
  }

  // A copy that is in no group yet is not waited for.
  // CHECK-LABEL: gpu.func @in_no_group(
  // CHECK-SAME: memref<512xi8,
  gpu.func @in_no_group(%in: !row, %out: !row, %v: f32, %c: i1, %n: index) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %e = "nvgpu.device_async_create_group"() : () -> !nvgpu.device.async.token
    %c0 = nvgpu.device_async_copy %in[%t], %x[%t], 1 : !row to !shared
    nvgpu.device_async_wait %e {numGroups = 1 : i32}
    gpu.barrier
    affine.store %v, %y[%t] : !shared
    %b = affine.load %y[%t] : !shared
    affine.store %b, %out[%t] : !row
    gpu.barrier
    %g0 = nvgpu.device_async_create_group %c0
    nvgpu.device_async_wait %g0
    gpu.return
  }

  // On one way there is no newer group.
  // CHECK-LABEL: gpu.func @one_way(
  // CHECK-SAME: memref<512xi8,
  // BROKEN-LABEL: gpu.func @one_way(
  // BROKEN-SAME: memref<256xi8,
  gpu.func @one_way(%in: !row, %out: !row, %v: f32, %c: i1, %n: index) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %c0 = nvgpu.device_async_copy %in[%t], %x[%t], 1 : !row to !shared
    %g0 = nvgpu.device_async_create_group %c0
    scf.if %c {
      %e1 = "nvgpu.device_async_create_group"() : () -> !nvgpu.device.async.token
    }
    nvgpu.device_async_wait %g0 {numGroups = 1 : i32}
    gpu.barrier
    affine.store %v, %y[%t] : !shared
    %b = affine.load %y[%t] : !shared
    affine.store %b, %out[%t] : !row
    gpu.return
  }

  // On both ways there is.
  // CHECK-LABEL: gpu.func @both_ways(
  // CHECK-SAME: memref<256xi8,
  gpu.func @both_ways(%in: !row, %out: !row, %v: f32, %c: i1, %n: index) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %c0 = nvgpu.device_async_copy %in[%t], %x[%t], 1 : !row to !shared
    %g0 = nvgpu.device_async_create_group %c0
    scf.if %c {
      %e1 = "nvgpu.device_async_create_group"() : () -> !nvgpu.device.async.token
    } else {
      %e2 = "nvgpu.device_async_create_group"() : () -> !nvgpu.device.async.token
      %e3 = "nvgpu.device_async_create_group"() : () -> !nvgpu.device.async.token
    }
    nvgpu.device_async_wait %g0 {numGroups = 1 : i32}
    gpu.barrier
    affine.store %v, %y[%t] : !shared
    %b = affine.load %y[%t] : !shared
    affine.store %b, %out[%t] : !row
    gpu.return
  }

  // The loop may have no turn.
  // CHECK-LABEL: gpu.func @perhaps_no_turn(
  // CHECK-SAME: memref<512xi8,
  // BROKEN-LABEL: gpu.func @perhaps_no_turn(
  // BROKEN-SAME: memref<256xi8,
  gpu.func @perhaps_no_turn(%in: !row, %out: !row, %v: f32, %c: i1, %n: index) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %c0 = nvgpu.device_async_copy %in[%t], %x[%t], 1 : !row to !shared
    %g0 = nvgpu.device_async_create_group %c0
    scf.for %i = %zero to %n step %one {
      %e1 = "nvgpu.device_async_create_group"() : () -> !nvgpu.device.async.token
    }
    nvgpu.device_async_wait %g0 {numGroups = 1 : i32}
    gpu.barrier
    affine.store %v, %y[%t] : !shared
    %b = affine.load %y[%t] : !shared
    affine.store %b, %out[%t] : !row
    gpu.return
  }

  // The last turn's copy is in the newest group.
  // CHECK-LABEL: gpu.func @last_turn(
  // CHECK-SAME: memref<512xi8,
  // BROKEN-LABEL: gpu.func @last_turn(
  // BROKEN-SAME: memref<256xi8,
  gpu.func @last_turn(%in: !row, %out: !row, %v: f32, %c: i1, %n: index) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    affine.for %i = 0 to 4 {
      %c0 = nvgpu.device_async_copy %in[%t], %x[%t], 1 : !row to !shared
      %g0 = nvgpu.device_async_create_group %c0
      nvgpu.device_async_wait %g0 {numGroups = 1 : i32}
    }
    gpu.barrier
    affine.store %v, %y[%t] : !shared
    %b = affine.load %y[%t] : !shared
    affine.store %b, %out[%t] : !row
    gpu.return
  }

  // A group is made in front of the wait in each turn, so X has ended there; Z
  // pends from one turn to the next.
  // CHECK-LABEL: gpu.func @before_the_loop(
  // CHECK-SAME: memref<512xi8,
  gpu.func @before_the_loop(%in: !row, %out: !row, %v: f32, %c: i1, %n: index) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %z = memref.alloc() : !shared
    %c0 = nvgpu.device_async_copy %in[%t], %x[%t], 1 : !row to !shared
    %g0 = nvgpu.device_async_create_group %c0
    affine.for %i = 0 to 4 {
      %y = memref.alloc() : !shared
      %c1 = nvgpu.device_async_copy %in[%t], %z[%t], 1 : !row to !shared
      %g1 = nvgpu.device_async_create_group %c1
      nvgpu.device_async_wait %g1 {numGroups = 1 : i32}
      gpu.barrier
      affine.store %v, %y[%t] : !shared
      %b = affine.load %y[%t] : !shared
      affine.store %b, %out[%t] : !row
      gpu.barrier
    }
    %e = "nvgpu.device_async_create_group"() : () -> !nvgpu.device.async.token
    nvgpu.device_async_wait %e
    gpu.barrier
    %w = affine.load %z[63 - %t] : !shared
    affine.store %w, %out[%t] : !row
    gpu.return
  }

  // The wait comes before the turn's group: in the first turn X is the newest.
  // CHECK-LABEL: gpu.func @behind_the_wait(
  // CHECK-SAME: memref<768xi8,
  // BROKEN-LABEL: gpu.func @behind_the_wait(
  // BROKEN-SAME: memref<512xi8,
  gpu.func @behind_the_wait(%in: !row, %out: !row, %v: f32, %c: i1, %n: index) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %z = memref.alloc() : !shared
    %c0 = nvgpu.device_async_copy %in[%t], %x[%t], 1 : !row to !shared
    %g0 = nvgpu.device_async_create_group %c0
    affine.for %i = 0 to 4 {
      %y = memref.alloc() : !shared
      nvgpu.device_async_wait %g0 {numGroups = 1 : i32}
      gpu.barrier
      affine.store %v, %y[%t] : !shared
      %b = affine.load %y[%t] : !shared
      affine.store %b, %out[%t] : !row
      %c1 = nvgpu.device_async_copy %in[%t], %z[%t], 1 : !row to !shared
      %g1 = nvgpu.device_async_create_group %c1
      gpu.barrier
    }
    %e = "nvgpu.device_async_create_group"() : () -> !nvgpu.device.async.token
    nvgpu.device_async_wait %e
    gpu.barrier
    %w = affine.load %z[63 - %t] : !shared
    affine.store %w, %out[%t] : !row
    gpu.return
  }

  // Groups are counted up to eight.
  // CHECK-LABEL: gpu.func @eight_newer(
  // CHECK-SAME: memref<256xi8,
  gpu.func @eight_newer(%in: !row, %out: !row, %v: f32, %c: i1, %n: index) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %c0 = nvgpu.device_async_copy %in[%t], %x[%t], 1 : !row to !shared
    %g0 = nvgpu.device_async_create_group %c0
    %e0 = "nvgpu.device_async_create_group"() : () -> !nvgpu.device.async.token
    %e1 = "nvgpu.device_async_create_group"() : () -> !nvgpu.device.async.token
    %e2 = "nvgpu.device_async_create_group"() : () -> !nvgpu.device.async.token
    %e3 = "nvgpu.device_async_create_group"() : () -> !nvgpu.device.async.token
    %e4 = "nvgpu.device_async_create_group"() : () -> !nvgpu.device.async.token
    %e5 = "nvgpu.device_async_create_group"() : () -> !nvgpu.device.async.token
    %e6 = "nvgpu.device_async_create_group"() : () -> !nvgpu.device.async.token
    %e7 = "nvgpu.device_async_create_group"() : () -> !nvgpu.device.async.token
    %e8 = "nvgpu.device_async_create_group"() : () -> !nvgpu.device.async.token
    nvgpu.device_async_wait %g0 {numGroups = 8 : i32}
    gpu.barrier
    affine.store %v, %y[%t] : !shared
    %b = affine.load %y[%t] : !shared
    affine.store %b, %out[%t] : !row
    gpu.return
  }

  // More are not told apart.
  // CHECK-LABEL: gpu.func @nine_newer(
  // CHECK-SAME: memref<512xi8,
  // BROKEN-LABEL: gpu.func @nine_newer(
  // BROKEN-SAME: memref<256xi8,
  gpu.func @nine_newer(%in: !row, %out: !row, %v: f32, %c: i1, %n: index) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %c0 = nvgpu.device_async_copy %in[%t], %x[%t], 1 : !row to !shared
    %g0 = nvgpu.device_async_create_group %c0
    %e0 = "nvgpu.device_async_create_group"() : () -> !nvgpu.device.async.token
    %e1 = "nvgpu.device_async_create_group"() : () -> !nvgpu.device.async.token
    %e2 = "nvgpu.device_async_create_group"() : () -> !nvgpu.device.async.token
    %e3 = "nvgpu.device_async_create_group"() : () -> !nvgpu.device.async.token
    %e4 = "nvgpu.device_async_create_group"() : () -> !nvgpu.device.async.token
    %e5 = "nvgpu.device_async_create_group"() : () -> !nvgpu.device.async.token
    %e6 = "nvgpu.device_async_create_group"() : () -> !nvgpu.device.async.token
    %e7 = "nvgpu.device_async_create_group"() : () -> !nvgpu.device.async.token
    %e8 = "nvgpu.device_async_create_group"() : () -> !nvgpu.device.async.token
    nvgpu.device_async_wait %g0 {numGroups = 9 : i32}
    gpu.barrier
    affine.store %v, %y[%t] : !shared
    %b = affine.load %y[%t] : !shared
    affine.store %b, %out[%t] : !row
    gpu.return
  }

  // The wait is one thread's own: others may not have come to it.
  // CHECK-LABEL: gpu.func @no_barrier(
  // CHECK-SAME: memref<768xi8,
  gpu.func @no_barrier(%in: !row, %out: !row, %v: f32, %c: i1, %n: index) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %z = memref.alloc() : !shared
    %c0 = nvgpu.device_async_copy %in[%t], %x[%t], 1 : !row to !shared
    %g0 = nvgpu.device_async_create_group %c0
    %c1 = nvgpu.device_async_copy %in[%t], %z[%t], 1 : !row to !shared
    %g1 = nvgpu.device_async_create_group %c1
    gpu.barrier
    nvgpu.device_async_wait %g0 {numGroups = 1 : i32}
    affine.store %v, %y[%t] : !shared
    %b = affine.load %y[%t] : !shared
    affine.store %b, %out[%t] : !row
    gpu.barrier
    nvgpu.device_async_wait %g1
    gpu.barrier
    %w = affine.load %z[63 - %t] : !shared
    affine.store %w, %out[%t] : !row
    gpu.return
  }

  // Groups and waits in code of unknown order end nothing, and what pends goes on
  // behind it.
  // CHECK-LABEL: gpu.func @unknown_order(
  // CHECK-SAME: memref<512xi8,
  gpu.func @unknown_order(%in: !row, %out: !row, %v: f32, %c: i1, %n: index) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %c0 = nvgpu.device_async_copy %in[%t], %x[%t], 1 : !row to !shared
    %g0 = nvgpu.device_async_create_group %c0
    scf.parallel (%i) = (%zero) to (%one) step (%one) {
      %e1 = "nvgpu.device_async_create_group"() : () -> !nvgpu.device.async.token
      nvgpu.device_async_wait %e1 {numGroups = 1 : i32}
    }
    gpu.barrier
    affine.store %v, %y[%t] : !shared
    %b = affine.load %y[%t] : !shared
    affine.store %b, %out[%t] : !row
    gpu.return
  }
}
