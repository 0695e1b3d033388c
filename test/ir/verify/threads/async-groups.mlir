// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// The kernels of hazards/async-groups.mlir with two of their buffers at the same
// bytes, whether that is right or not: berth-verify tells which are wrong.
// RUN: not %mlir-opt-berth --pass-pipeline='builtin.module(berth-verify)' %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=error:

!shared = memref<64xf32, #gpu.address_space<workgroup>>
!row = memref<64xf32>

gpu.module @kernels {
  // Z's group pends, X's is older: Y takes X's bytes.
  gpu.func @older(%in: !row, %out: !row, %v: f32, %c: i1, %n: index) workgroup(%arena : memref<512xi8, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %at_x = arith.constant 0 : index
    %x = memref.view %arena[%at_x][] {berth.buffer = 0 : i64} : memref<512xi8, #gpu.address_space<workgroup>> to !shared
    %at_y = arith.constant 0 : index
    %y = memref.view %arena[%at_y][] {berth.buffer = 1 : i64} : memref<512xi8, #gpu.address_space<workgroup>> to !shared
    %at_z = arith.constant 256 : index
    %z = memref.view %arena[%at_z][] {berth.buffer = 2 : i64} : memref<512xi8, #gpu.address_space<workgroup>> to !shared
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
  gpu.func @newest(%in: !row, %out: !row, %v: f32, %c: i1, %n: index) workgroup(%arena : memref<256xi8, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %at_x = arith.constant 0 : index
    %x = memref.view %arena[%at_x][] {berth.buffer = 0 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !shared
    %at_y = arith.constant 0 : index
    %y = memref.view %arena[%at_y][] {berth.buffer = 1 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !shared
    %c0 = nvgpu.device_async_copy %in[%t], %x[%t], 1 : !row to !shared
    %g0 = nvgpu.device_async_create_group %c0
    nvgpu.device_async_wait %g0 {numGroups = 1 : i32}
    gpu.barrier
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: touches bytes of the arena that something asynchronous may still use through another buffer
    affine.store %v, %y[%t] : !shared
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: touches bytes of the arena that something asynchronous may still use through another buffer
    %b = affine.load %y[%t] : !shared
    affine.store %b, %out[%t] : !row
    gpu.return
  }

  // Two may pend, and two are newer.
  gpu.func @two_newer(%in: !row, %out: !row, %v: f32, %c: i1, %n: index) workgroup(%arena : memref<768xi8, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %at_x = arith.constant 0 : index
    %x = memref.view %arena[%at_x][] {berth.buffer = 0 : i64} : memref<768xi8, #gpu.address_space<workgroup>> to !shared
    %at_y = arith.constant 0 : index
    %y = memref.view %arena[%at_y][] {berth.buffer = 1 : i64} : memref<768xi8, #gpu.address_space<workgroup>> to !shared
    %at_z = arith.constant 256 : index
    %z = memref.view %arena[%at_z][] {berth.buffer = 2 : i64} : memref<768xi8, #gpu.address_space<workgroup>> to !shared
    %at_u = arith.constant 512 : index
    %u = memref.view %arena[%at_u][] {berth.buffer = 3 : i64} : memref<768xi8, #gpu.address_space<workgroup>> to !shared
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
  gpu.func @one_too_few(%in: !row, %out: !row, %v: f32, %c: i1, %n: index) workgroup(%arena : memref<512xi8, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %at_x = arith.constant 0 : index
    %x = memref.view %arena[%at_x][] {berth.buffer = 0 : i64} : memref<512xi8, #gpu.address_space<workgroup>> to !shared
    %at_y = arith.constant 0 : index
    %y = memref.view %arena[%at_y][] {berth.buffer = 1 : i64} : memref<512xi8, #gpu.address_space<workgroup>> to !shared
    %at_z = arith.constant 256 : index
    %z = memref.view %arena[%at_z][] {berth.buffer = 2 : i64} : memref<512xi8, #gpu.address_space<workgroup>> to !shared
    %c0 = nvgpu.device_async_copy %in[%t], %x[%t], 1 : !row to !shared
    %g0 = nvgpu.device_async_create_group %c0
    %c1 = nvgpu.device_async_copy %in[%t], %z[%t], 1 : !row to !shared
    %g1 = nvgpu.device_async_create_group %c1
    nvgpu.device_async_wait %g0 {numGroups = 2 : i32}
    gpu.barrier
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: touches bytes of the arena that something asynchronous may still use through another buffer
    affine.store %v, %y[%t] : !shared
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: touches bytes of the arena that something asynchronous may still use through another buffer
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
  gpu.func @empty_groups(%in: !row, %out: !row, %v: f32, %c: i1, %n: index) workgroup(%arena : memref<256xi8, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %at_x = arith.constant 0 : index
    %x = memref.view %arena[%at_x][] {berth.buffer = 0 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !shared
    %at_y = arith.constant 0 : index
    %y = memref.view %arena[%at_y][] {berth.buffer = 1 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !shared
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
  gpu.func @in_no_group(%in: !row, %out: !row, %v: f32, %c: i1, %n: index) workgroup(%arena : memref<256xi8, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %at_x = arith.constant 0 : index
    %x = memref.view %arena[%at_x][] {berth.buffer = 0 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !shared
    %at_y = arith.constant 0 : index
    %y = memref.view %arena[%at_y][] {berth.buffer = 1 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !shared
    %e = "nvgpu.device_async_create_group"() : () -> !nvgpu.device.async.token
    %c0 = nvgpu.device_async_copy %in[%t], %x[%t], 1 : !row to !shared
    nvgpu.device_async_wait %e {numGroups = 1 : i32}
    gpu.barrier
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: touches bytes of the arena that something asynchronous may still use through another buffer
    affine.store %v, %y[%t] : !shared
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: touches bytes of the arena that something asynchronous may still use through another buffer
    %b = affine.load %y[%t] : !shared
    affine.store %b, %out[%t] : !row
    gpu.barrier
    %g0 = nvgpu.device_async_create_group %c0
    nvgpu.device_async_wait %g0
    gpu.return
  }

  // On one way there is no newer group.
  gpu.func @one_way(%in: !row, %out: !row, %v: f32, %c: i1, %n: index) workgroup(%arena : memref<256xi8, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %at_x = arith.constant 0 : index
    %x = memref.view %arena[%at_x][] {berth.buffer = 0 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !shared
    %at_y = arith.constant 0 : index
    %y = memref.view %arena[%at_y][] {berth.buffer = 1 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !shared
    %c0 = nvgpu.device_async_copy %in[%t], %x[%t], 1 : !row to !shared
    %g0 = nvgpu.device_async_create_group %c0
    scf.if %c {
      %e1 = "nvgpu.device_async_create_group"() : () -> !nvgpu.device.async.token
    }
    nvgpu.device_async_wait %g0 {numGroups = 1 : i32}
    gpu.barrier
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: touches bytes of the arena that something asynchronous may still use through another buffer
    affine.store %v, %y[%t] : !shared
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: touches bytes of the arena that something asynchronous may still use through another buffer
    %b = affine.load %y[%t] : !shared
    affine.store %b, %out[%t] : !row
    gpu.return
  }

  // On both ways there is.
  gpu.func @both_ways(%in: !row, %out: !row, %v: f32, %c: i1, %n: index) workgroup(%arena : memref<256xi8, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %at_x = arith.constant 0 : index
    %x = memref.view %arena[%at_x][] {berth.buffer = 0 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !shared
    %at_y = arith.constant 0 : index
    %y = memref.view %arena[%at_y][] {berth.buffer = 1 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !shared
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
  gpu.func @perhaps_no_turn(%in: !row, %out: !row, %v: f32, %c: i1, %n: index) workgroup(%arena : memref<256xi8, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %at_x = arith.constant 0 : index
    %x = memref.view %arena[%at_x][] {berth.buffer = 0 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !shared
    %at_y = arith.constant 0 : index
    %y = memref.view %arena[%at_y][] {berth.buffer = 1 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !shared
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %c0 = nvgpu.device_async_copy %in[%t], %x[%t], 1 : !row to !shared
    %g0 = nvgpu.device_async_create_group %c0
    scf.for %i = %zero to %n step %one {
      %e1 = "nvgpu.device_async_create_group"() : () -> !nvgpu.device.async.token
    }
    nvgpu.device_async_wait %g0 {numGroups = 1 : i32}
    gpu.barrier
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: touches bytes of the arena that something asynchronous may still use through another buffer
    affine.store %v, %y[%t] : !shared
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: touches bytes of the arena that something asynchronous may still use through another buffer
    %b = affine.load %y[%t] : !shared
    affine.store %b, %out[%t] : !row
    gpu.return
  }

  // The last turn's copy is in the newest group.
  gpu.func @last_turn(%in: !row, %out: !row, %v: f32, %c: i1, %n: index) workgroup(%arena : memref<256xi8, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %at_x = arith.constant 0 : index
    %x = memref.view %arena[%at_x][] {berth.buffer = 0 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !shared
    %at_y = arith.constant 0 : index
    %y = memref.view %arena[%at_y][] {berth.buffer = 1 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !shared
    affine.for %i = 0 to 4 {
      %c0 = nvgpu.device_async_copy %in[%t], %x[%t], 1 : !row to !shared
      %g0 = nvgpu.device_async_create_group %c0
      nvgpu.device_async_wait %g0 {numGroups = 1 : i32}
    }
    gpu.barrier
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: touches bytes of the arena that something asynchronous may still use through another buffer
    affine.store %v, %y[%t] : !shared
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: touches bytes of the arena that something asynchronous may still use through another buffer
    %b = affine.load %y[%t] : !shared
    affine.store %b, %out[%t] : !row
    gpu.return
  }

  // A group is made in front of the wait in each turn, so X has ended there; Z
  // pends from one turn to the next.
  gpu.func @before_the_loop(%in: !row, %out: !row, %v: f32, %c: i1, %n: index) workgroup(%arena : memref<512xi8, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %at_x = arith.constant 0 : index
    %x = memref.view %arena[%at_x][] {berth.buffer = 0 : i64} : memref<512xi8, #gpu.address_space<workgroup>> to !shared
    %at_z = arith.constant 256 : index
    %z = memref.view %arena[%at_z][] {berth.buffer = 1 : i64} : memref<512xi8, #gpu.address_space<workgroup>> to !shared
    %c0 = nvgpu.device_async_copy %in[%t], %x[%t], 1 : !row to !shared
    %g0 = nvgpu.device_async_create_group %c0
    affine.for %i = 0 to 4 {
      %at_y = arith.constant 0 : index
      %y = memref.view %arena[%at_y][] {berth.buffer = 2 : i64} : memref<512xi8, #gpu.address_space<workgroup>> to !shared
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
  gpu.func @behind_the_wait(%in: !row, %out: !row, %v: f32, %c: i1, %n: index) workgroup(%arena : memref<512xi8, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %at_x = arith.constant 0 : index
    %x = memref.view %arena[%at_x][] {berth.buffer = 0 : i64} : memref<512xi8, #gpu.address_space<workgroup>> to !shared
    %at_z = arith.constant 256 : index
    %z = memref.view %arena[%at_z][] {berth.buffer = 1 : i64} : memref<512xi8, #gpu.address_space<workgroup>> to !shared
    %c0 = nvgpu.device_async_copy %in[%t], %x[%t], 1 : !row to !shared
    %g0 = nvgpu.device_async_create_group %c0
    affine.for %i = 0 to 4 {
      %at_y = arith.constant 0 : index
      %y = memref.view %arena[%at_y][] {berth.buffer = 2 : i64} : memref<512xi8, #gpu.address_space<workgroup>> to !shared
      nvgpu.device_async_wait %g0 {numGroups = 1 : i32}
      gpu.barrier
      // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: touches bytes of the arena that something asynchronous may still use through another buffer
      affine.store %v, %y[%t] : !shared
      // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: touches bytes of the arena that something asynchronous may still use through another buffer
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
  gpu.func @eight_newer(%in: !row, %out: !row, %v: f32, %c: i1, %n: index) workgroup(%arena : memref<256xi8, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %at_x = arith.constant 0 : index
    %x = memref.view %arena[%at_x][] {berth.buffer = 0 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !shared
    %at_y = arith.constant 0 : index
    %y = memref.view %arena[%at_y][] {berth.buffer = 1 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !shared
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
  gpu.func @nine_newer(%in: !row, %out: !row, %v: f32, %c: i1, %n: index) workgroup(%arena : memref<256xi8, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %at_x = arith.constant 0 : index
    %x = memref.view %arena[%at_x][] {berth.buffer = 0 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !shared
    %at_y = arith.constant 0 : index
    %y = memref.view %arena[%at_y][] {berth.buffer = 1 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !shared
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
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: touches bytes of the arena that something asynchronous may still use through another buffer
    affine.store %v, %y[%t] : !shared
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: touches bytes of the arena that something asynchronous may still use through another buffer
    %b = affine.load %y[%t] : !shared
    affine.store %b, %out[%t] : !row
    gpu.return
  }

  // The wait is one thread's own: others may not have come to it.
  gpu.func @no_barrier(%in: !row, %out: !row, %v: f32, %c: i1, %n: index) workgroup(%arena : memref<512xi8, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %at_x = arith.constant 0 : index
    %x = memref.view %arena[%at_x][] {berth.buffer = 0 : i64} : memref<512xi8, #gpu.address_space<workgroup>> to !shared
    %at_y = arith.constant 0 : index
    %y = memref.view %arena[%at_y][] {berth.buffer = 1 : i64} : memref<512xi8, #gpu.address_space<workgroup>> to !shared
    %at_z = arith.constant 256 : index
    %z = memref.view %arena[%at_z][] {berth.buffer = 2 : i64} : memref<512xi8, #gpu.address_space<workgroup>> to !shared
    %c0 = nvgpu.device_async_copy %in[%t], %x[%t], 1 : !row to !shared
    %g0 = nvgpu.device_async_create_group %c0
    %c1 = nvgpu.device_async_copy %in[%t], %z[%t], 1 : !row to !shared
    %g1 = nvgpu.device_async_create_group %c1
    gpu.barrier
    nvgpu.device_async_wait %g0 {numGroups = 1 : i32}
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: touches bytes of the arena that other threads may still use through another buffer
    affine.store %v, %y[%t] : !shared
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: touches bytes of the arena that other threads may still use through another buffer
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
  gpu.func @unknown_order(%in: !row, %out: !row, %v: f32, %c: i1, %n: index) workgroup(%arena : memref<256xi8, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %at_x = arith.constant 0 : index
    %x = memref.view %arena[%at_x][] {berth.buffer = 0 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !shared
    %at_y = arith.constant 0 : index
    %y = memref.view %arena[%at_y][] {berth.buffer = 1 : i64} : memref<256xi8, #gpu.address_space<workgroup>> to !shared
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %c0 = nvgpu.device_async_copy %in[%t], %x[%t], 1 : !row to !shared
    %g0 = nvgpu.device_async_create_group %c0
    scf.parallel (%i) = (%zero) to (%one) step (%one) {
      %e1 = "nvgpu.device_async_create_group"() : () -> !nvgpu.device.async.token
      nvgpu.device_async_wait %e1 {numGroups = 1 : i32}
    }
    gpu.barrier
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: touches bytes of the arena that something asynchronous may still use through another buffer
    affine.store %v, %y[%t] : !shared
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: touches bytes of the arena that something asynchronous may still use through another buffer
    %b = affine.load %y[%t] : !shared
    affine.store %b, %out[%t] : !row
    gpu.return
  }
}
