// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// A direct load to LDS holds its buffer until a wait that lets no load pend, and
// the barrier behind that. X and Y have 256 bytes each.
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{barriers=existing})' %s | FileCheck %s
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{barriers=existing verify=false test-break-rule=no-async})' %s | FileCheck %s --check-prefix=BROKEN
// RUN: not %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{barriers=existing test-break-rule=no-async})' %s 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{fences=insert})' %s | FileCheck %s --check-prefix=INSERT

// REFUSED: error: touches bytes of the arena that something asynchronous may still use through another buffer

!shared = memref<64xf32, #gpu.address_space<workgroup>>
!in = memref<64xf32, #gpu.address_space<global>>
!row = memref<64xf32>

gpu.module @kernels {
  // The wait ends the load, the barrier shows it to all.
  // CHECK-LABEL: gpu.func @waited(
  // CHECK-SAME: memref<256xi8,
  gpu.func @waited(%in: !in, %out: !row, %v: f32) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    amdgpu.gather_to_lds %in[%t], %x[%t] : f32, !in, !shared
    amdgpu.memory_counter_wait load(0)
    amdgpu.lds_barrier
    %r = memref.load %x[%t] : !shared
    memref.store %r, %out[%t] : !row
    amdgpu.lds_barrier
    memref.store %v, %y[%t] : !shared
    %b = memref.load %y[%t] : !shared
    memref.store %b, %out[%t] : !row
    gpu.return
  }

  // The same by the word of an s_waitcnt that counts no loads.
  // CHECK-LABEL: gpu.func @word(
  // CHECK-SAME: memref<256xi8,
  gpu.func @word(%in: !in, %out: !row, %v: f32) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    amdgpu.gather_to_lds %in[%t], %x[%t] : f32, !in, !shared
    rocdl.s.waitcnt 112
    amdgpu.lds_barrier
    %r = memref.load %x[%t] : !shared
    memref.store %r, %out[%t] : !row
    amdgpu.lds_barrier
    memref.store %v, %y[%t] : !shared
    %b = memref.load %y[%t] : !shared
    memref.store %b, %out[%t] : !row
    gpu.return
  }

  // This one waits for what else is counted, and lets loads pend.
  // CHECK-LABEL: gpu.func @word_of_others(
  // CHECK-SAME: memref<512xi8,
  // BROKEN-LABEL: gpu.func @word_of_others(
  // BROKEN-SAME: memref<256xi8,
  gpu.func @word_of_others(%in: !in, %out: !row, %v: f32) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    amdgpu.gather_to_lds %in[%t], %x[%t] : f32, !in, !shared
    rocdl.s.waitcnt 49279
    amdgpu.lds_barrier
    %r = memref.load %x[%t] : !shared
    memref.store %r, %out[%t] : !row
    amdgpu.lds_barrier
    memref.store %v, %y[%t] : !shared
    %b = memref.load %y[%t] : !shared
    memref.store %b, %out[%t] : !row
    gpu.return
  }

  // Loads to registers count too: one that pends may be this one.
  // CHECK-LABEL: gpu.func @one_pending(
  // CHECK-SAME: memref<512xi8,
  // BROKEN-LABEL: gpu.func @one_pending(
  // BROKEN-SAME: memref<256xi8,
  gpu.func @one_pending(%in: !in, %out: !row, %v: f32) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    amdgpu.gather_to_lds %in[%t], %x[%t] : f32, !in, !shared
    amdgpu.memory_counter_wait load(1)
    amdgpu.lds_barrier
    %r = memref.load %x[%t] : !shared
    memref.store %r, %out[%t] : !row
    amdgpu.lds_barrier
    memref.store %v, %y[%t] : !shared
    %b = memref.load %y[%t] : !shared
    memref.store %b, %out[%t] : !row
    gpu.return
  }

  // A wait for another counter.
  // CHECK-LABEL: gpu.func @other_counter(
  // CHECK-SAME: memref<512xi8,
  // BROKEN-LABEL: gpu.func @other_counter(
  // BROKEN-SAME: memref<256xi8,
  gpu.func @other_counter(%in: !in, %out: !row, %v: f32) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    amdgpu.gather_to_lds %in[%t], %x[%t] : f32, !in, !shared
    amdgpu.memory_counter_wait ds(0)
    amdgpu.lds_barrier
    %r = memref.load %x[%t] : !shared
    memref.store %r, %out[%t] : !row
    amdgpu.lds_barrier
    memref.store %v, %y[%t] : !shared
    %b = memref.load %y[%t] : !shared
    memref.store %b, %out[%t] : !row
    gpu.return
  }

  // A thread knows of its own loads only.
  // CHECK-LABEL: gpu.func @no_barrier(
  // CHECK-SAME: memref<512xi8,
  gpu.func @no_barrier(%in: !in, %out: !row, %v: f32) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    amdgpu.gather_to_lds %in[%t], %x[%t] : f32, !in, !shared
    amdgpu.memory_counter_wait load(0)
    %c = arith.constant 1 : index
    %r = memref.load %x[%c] : !shared
    memref.store %r, %out[%t] : !row
    memref.store %v, %y[%t] : !shared
    %b = memref.load %y[%t] : !shared
    memref.store %b, %out[%t] : !row
    gpu.return
  }

  // Nobody waits: with fences=insert a wait is put behind the load.
  // CHECK-LABEL: gpu.func @not_waited(
  // CHECK-SAME: memref<512xi8,
  // INSERT-LABEL: gpu.func @not_waited(
  // INSERT-SAME: memref<256xi8,
  // INSERT: amdgpu.gather_to_lds
  // INSERT-NEXT: amdgpu.memory_counter_wait load(0)
  // INSERT-NEXT: amdgpu.lds_barrier
  gpu.func @not_waited(%in: !in, %out: !row, %v: f32) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    amdgpu.gather_to_lds %in[%t], %x[%t] : f32, !in, !shared
    amdgpu.lds_barrier
    memref.store %v, %y[%t] : !shared
    %b = memref.load %y[%t] : !shared
    memref.store %b, %out[%t] : !row
    gpu.return
  }

  // The next instance in a loop comes after the wait and a barrier.
  // CHECK-LABEL: gpu.func @loop(
  // CHECK-SAME: memref<256xi8,
  gpu.func @loop(%in: !in, %out: !row, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    scf.for %i = %c0 to %n step %c1 {
      %x = memref.alloc() : !shared
      amdgpu.gather_to_lds %in[%t], %x[%t] : f32, !in, !shared
      amdgpu.memory_counter_wait load(0)
      amdgpu.lds_barrier
      %b = memref.load %x[%t] : !shared
      memref.store %b, %out[%t] : !row
      amdgpu.lds_barrier
    }
    gpu.return
  }

  // In front of the load a barrier is enough.
  // CHECK-LABEL: gpu.func @store_first(
  // CHECK-SAME: memref<256xi8,
  gpu.func @store_first(%in: !in, %out: !row, %v: f32) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    memref.store %v, %y[%t] : !shared
    %b = memref.load %y[%t] : !shared
    memref.store %b, %out[%t] : !row
    amdgpu.lds_barrier
    amdgpu.gather_to_lds %in[%t], %x[%t] : f32, !in, !shared
    amdgpu.memory_counter_wait load(0)
    amdgpu.lds_barrier
    %r = memref.load %x[%t] : !shared
    memref.store %r, %out[%t] : !row
    gpu.return
  }
}
