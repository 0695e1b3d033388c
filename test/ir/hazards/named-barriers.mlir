// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// Named barriers count where they provably wait for all threads of the block. X
// and Y have 256 bytes each.
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{barriers=existing})' %s | FileCheck %s
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{barriers=existing verify=false test-break-rule=some-threads})' %s | FileCheck %s --check-prefix=BROKEN
// RUN: not %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{barriers=existing test-break-rule=some-threads})' %s 2>&1 | FileCheck %s --check-prefix=REFUSED

// REFUSED: error: touches bytes of the arena that other threads may still use

!shared = memref<64xf32, #gpu.address_space<workgroup>>
!row = memref<64xf32>

gpu.module @kernels {
  func.func private @unseen()

  // All 32 x 2 threads.
  // CHECK-LABEL: gpu.func @all(
  // CHECK-SAME: memref<256xi8,
  gpu.func @all(%out: !row, %v: f32, %n: i32) kernel attributes {known_block_size = array<i32: 32, 2, 1>} {
    %t = gpu.thread_id x
    %c32 = arith.constant 32 : index
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %half = arith.constant 32 : i32
    %all = arith.constant 64 : i32
    %first = arith.cmpi ult, %t, %c32 : index
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    memref.store %v, %x[%t] : !shared
    %a = affine.load %x[63 - %t] : !shared
    nvvm.barrier id = %one number_of_threads = %all
    memref.store %a, %y[%t] : !shared
    %b = affine.load %y[63 - %t] : !shared
    memref.store %b, %out[%t] : !row
    gpu.return
  }

  // Half of them.
  // CHECK-LABEL: gpu.func @some(
  // CHECK-SAME: memref<512xi8,
  // BROKEN-LABEL: gpu.func @some(
  // BROKEN-SAME: memref<256xi8,
  gpu.func @some(%out: !row, %v: f32, %n: i32) kernel attributes {known_block_size = array<i32: 32, 2, 1>} {
    %t = gpu.thread_id x
    %c32 = arith.constant 32 : index
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %half = arith.constant 32 : i32
    %all = arith.constant 64 : i32
    %first = arith.cmpi ult, %t, %c32 : index
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    memref.store %v, %x[%t] : !shared
    %a = affine.load %x[63 - %t] : !shared
    nvvm.barrier id = %one number_of_threads = %half
    memref.store %a, %y[%t] : !shared
    %b = affine.load %y[63 - %t] : !shared
    memref.store %b, %out[%t] : !row
    gpu.return
  }

  // Nobody says how many there are.
  // CHECK-LABEL: gpu.func @unknown_block(
  // CHECK-SAME: memref<512xi8,
  // BROKEN-LABEL: gpu.func @unknown_block(
  // BROKEN-SAME: memref<256xi8,
  gpu.func @unknown_block(%out: !row, %v: f32, %n: i32) kernel {
    %t = gpu.thread_id x
    %c32 = arith.constant 32 : index
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %half = arith.constant 32 : i32
    %all = arith.constant 64 : i32
    %first = arith.cmpi ult, %t, %c32 : index
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    memref.store %v, %x[%t] : !shared
    %a = affine.load %x[63 - %t] : !shared
    nvvm.barrier id = %one number_of_threads = %all
    memref.store %a, %y[%t] : !shared
    %b = affine.load %y[63 - %t] : !shared
    memref.store %b, %out[%t] : !row
    gpu.return
  }

  // Nor how many are waited for.
  // CHECK-LABEL: gpu.func @unknown_count(
  // CHECK-SAME: memref<512xi8,
  // BROKEN-LABEL: gpu.func @unknown_count(
  // BROKEN-SAME: memref<256xi8,
  gpu.func @unknown_count(%out: !row, %v: f32, %n: i32) kernel attributes {known_block_size = array<i32: 32, 2, 1>} {
    %t = gpu.thread_id x
    %c32 = arith.constant 32 : index
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %half = arith.constant 32 : i32
    %all = arith.constant 64 : i32
    %first = arith.cmpi ult, %t, %c32 : index
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    memref.store %v, %x[%t] : !shared
    %a = affine.load %x[63 - %t] : !shared
    nvvm.barrier id = %one number_of_threads = %n
    memref.store %a, %y[%t] : !shared
    %b = affine.load %y[63 - %t] : !shared
    memref.store %b, %out[%t] : !row
    gpu.return
  }

  // Or which barrier it is.
  // CHECK-LABEL: gpu.func @unknown_number(
  // CHECK-SAME: memref<512xi8,
  // BROKEN-LABEL: gpu.func @unknown_number(
  // BROKEN-SAME: memref<256xi8,
  gpu.func @unknown_number(%out: !row, %v: f32, %n: i32) kernel attributes {known_block_size = array<i32: 32, 2, 1>} {
    %t = gpu.thread_id x
    %c32 = arith.constant 32 : index
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %half = arith.constant 32 : i32
    %all = arith.constant 64 : i32
    %first = arith.cmpi ult, %t, %c32 : index
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    memref.store %v, %x[%t] : !shared
    %a = affine.load %x[63 - %t] : !shared
    nvvm.barrier id = %n number_of_threads = %all
    memref.store %a, %y[%t] : !shared
    %b = affine.load %y[63 - %t] : !shared
    memref.store %b, %out[%t] : !row
    gpu.return
  }

  // Half of the threads come here.
  // CHECK-LABEL: gpu.func @divergent(
  // CHECK-SAME: memref<512xi8,
  gpu.func @divergent(%out: !row, %v: f32, %n: i32) kernel attributes {known_block_size = array<i32: 32, 2, 1>} {
    %t = gpu.thread_id x
    %c32 = arith.constant 32 : index
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %half = arith.constant 32 : i32
    %all = arith.constant 64 : i32
    %first = arith.cmpi ult, %t, %c32 : index
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    memref.store %v, %x[%t] : !shared
    %a = affine.load %x[63 - %t] : !shared
    scf.if %first {
      nvvm.barrier id = %one number_of_threads = %all
    }
    memref.store %a, %y[%t] : !shared
    %b = affine.load %y[63 - %t] : !shared
    memref.store %b, %out[%t] : !row
    gpu.return
  }

  // The first warp arrives twice: the second one need not come.
  // CHECK-LABEL: gpu.func @arrival(
  // CHECK-SAME: memref<512xi8,
  // BROKEN-LABEL: gpu.func @arrival(
  // BROKEN-SAME: memref<256xi8,
  gpu.func @arrival(%out: !row, %v: f32, %n: i32) kernel attributes {known_block_size = array<i32: 32, 2, 1>} {
    %t = gpu.thread_id x
    %c32 = arith.constant 32 : index
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %half = arith.constant 32 : i32
    %all = arith.constant 64 : i32
    %first = arith.cmpi ult, %t, %c32 : index
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    scf.if %first {
      nvvm.barrier.arrive id = %one number_of_threads = %all
    }
    memref.store %v, %x[%t] : !shared
    %a = affine.load %x[63 - %t] : !shared
    nvvm.barrier id = %one number_of_threads = %all
    memref.store %a, %y[%t] : !shared
    %b = affine.load %y[63 - %t] : !shared
    memref.store %b, %out[%t] : !row
    gpu.return
  }

  // Arrivals at another barrier do no harm.
  // CHECK-LABEL: gpu.func @other_arrival(
  // CHECK-SAME: memref<256xi8,
  gpu.func @other_arrival(%out: !row, %v: f32, %n: i32) kernel attributes {known_block_size = array<i32: 32, 2, 1>} {
    %t = gpu.thread_id x
    %c32 = arith.constant 32 : index
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %half = arith.constant 32 : i32
    %all = arith.constant 64 : i32
    %first = arith.cmpi ult, %t, %c32 : index
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    scf.if %first {
      nvvm.barrier.arrive id = %two number_of_threads = %all
    }
    memref.store %v, %x[%t] : !shared
    %a = affine.load %x[63 - %t] : !shared
    nvvm.barrier id = %one number_of_threads = %all
    memref.store %a, %y[%t] : !shared
    %b = affine.load %y[63 - %t] : !shared
    memref.store %b, %out[%t] : !row
    gpu.return
  }

  // The same barrier for fewer threads.
  // CHECK-LABEL: gpu.func @other_count(
  // CHECK-SAME: memref<512xi8,
  gpu.func @other_count(%out: !row, %v: f32, %n: i32) kernel attributes {known_block_size = array<i32: 32, 2, 1>} {
    %t = gpu.thread_id x
    %c32 = arith.constant 32 : index
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %half = arith.constant 32 : i32
    %all = arith.constant 64 : i32
    %first = arith.cmpi ult, %t, %c32 : index
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    memref.store %v, %x[%t] : !shared
    %a = affine.load %x[63 - %t] : !shared
    nvvm.barrier id = %one number_of_threads = %all
    memref.store %a, %y[%t] : !shared
    %b = affine.load %y[63 - %t] : !shared
    memref.store %b, %out[%t] : !row
    nvvm.barrier id = %one number_of_threads = %half
    gpu.return
  }

  // The same for as many.
  // CHECK-LABEL: gpu.func @twice(
  // CHECK-SAME: memref<256xi8,
  gpu.func @twice(%out: !row, %v: f32, %n: i32) kernel attributes {known_block_size = array<i32: 32, 2, 1>} {
    %t = gpu.thread_id x
    %c32 = arith.constant 32 : index
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %half = arith.constant 32 : i32
    %all = arith.constant 64 : i32
    %first = arith.cmpi ult, %t, %c32 : index
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    memref.store %v, %x[%t] : !shared
    %a = affine.load %x[63 - %t] : !shared
    nvvm.barrier id = %one number_of_threads = %all
    memref.store %a, %y[%t] : !shared
    %b = affine.load %y[63 - %t] : !shared
    memref.store %b, %out[%t] : !row
    nvvm.barrier id = %one number_of_threads = %all
    gpu.return
  }

  // What another function does with that barrier is not looked at.
  // CHECK-LABEL: gpu.func @call(
  // CHECK-SAME: memref<512xi8,
  // BROKEN-LABEL: gpu.func @call(
  // BROKEN-SAME: memref<256xi8,
  gpu.func @call(%out: !row, %v: f32, %n: i32) kernel attributes {known_block_size = array<i32: 32, 2, 1>} {
    %t = gpu.thread_id x
    %c32 = arith.constant 32 : index
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %half = arith.constant 32 : i32
    %all = arith.constant 64 : i32
    %first = arith.cmpi ult, %t, %c32 : index
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    func.call @unseen() : () -> ()
    memref.store %v, %x[%t] : !shared
    %a = affine.load %x[63 - %t] : !shared
    nvvm.barrier id = %one number_of_threads = %all
    memref.store %a, %y[%t] : !shared
    %b = affine.load %y[63 - %t] : !shared
    memref.store %b, %out[%t] : !row
    gpu.return
  }
}
