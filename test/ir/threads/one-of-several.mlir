// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// In LLVM 19 gpu.thread_id is no index of affine.load.
// A value that is one of several shared buffers: these have one offset where all
// threads agree which it is, and no barrier is missing between them.
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(gpu.module(gpu.func(berth-arena)))' %s | FileCheck %s
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(gpu.module(gpu.func(berth-arena{barriers=existing})))' %s | FileCheck %s --check-prefix=EXISTING
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(gpu.module(gpu.func(berth-arena{arena=annotate})))' %s | FileCheck %s --check-prefix=PLACES
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-merge)' %s | FileCheck %s --check-prefix=MERGED
// Ways on which a name becomes another buffer have to be followed, and
// berth-verify tells. All threads have to agree on a choice.
// RUN: not %mlir-opt-berth --pass-pipeline='builtin.module(gpu.module(gpu.func(berth-arena{barriers=existing test-break-rule=names-stay})))' %s -o %t 2>&1 | FileCheck %s --check-prefix=STAY
// RUN: not %mlir-opt-berth --pass-pipeline='builtin.module(gpu.module(gpu.func(berth-arena{test-break-rule=one-choice})))' %s -o %t 2>&1 | FileCheck %s --check-prefix=CHOICE
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(gpu.module(gpu.func(berth-arena{barriers=existing test-break-rule=no-names})))' %s | FileCheck %s --check-prefix=APART
// STAY: error: touches bytes of the arena that other threads may still use
// CHOICE: error: reads a buffer whose bytes in the arena may have been overwritten

!line = memref<64xf32, #gpu.address_space<workgroup>>

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @one_of_two(
  // CHECK-SAME: memref<256xi8,
  // CHECK-NOT: gpu.barrier
  // CHECK: scf.if
  // APART-LABEL: gpu.func @one_of_two(
  // APART-SAME: memref<512xi8,
  // EXISTING-LABEL: gpu.func @one_of_two(
  // EXISTING-SAME: memref<256xi8,
  // PLACES-LABEL: gpu.func @one_of_two(
  // PLACES-COUNT-2: memref.alloc() {berth.offset = 0
  // MERGED-LABEL: gpu.func @one_of_two(
  // MERGED-COUNT-1: memref.alloc(
  // MERGED-NOT: memref.alloc(
  gpu.func @one_of_two(%c: i1, %v: f32, %out: memref<64xf32>) kernel {
    %t = gpu.thread_id x
    %a = memref.alloc() : !line
    %b = memref.alloc() : !line
    %r = scf.if %c -> (!line) {
      memref.store %v, %a[%t] : !line
      scf.yield %a : !line
    } else {
      memref.store %v, %b[%t] : !line
      scf.yield %b : !line
    }
    gpu.barrier
    %x = affine.load %r[63 - %t] : !line
    memref.store %x, %out[%t] : memref<64xf32>
    gpu.return
  }

  // Threads disagree: each has another one in mind.
  // CHECK-LABEL: gpu.func @divergent(
  // CHECK-SAME: memref<512xi8,
  // EXISTING-LABEL: gpu.func @divergent(
  // EXISTING-SAME: memref<512xi8,
  // PLACES-LABEL: gpu.func @divergent(
  // PLACES: memref.alloc() {berth.offset = 0
  // PLACES: memref.alloc() {berth.offset = 256
  // MERGED-LABEL: gpu.func @divergent(
  // MERGED-COUNT-2: memref.alloc(
  gpu.func @divergent(%v: f32, %out: memref<64xf32>) kernel {
    %t = gpu.thread_id x
    %c32 = arith.constant 32 : index
    %c = arith.cmpi ult, %t, %c32 : index
    %a = memref.alloc() : !line
    %b = memref.alloc() : !line
    memref.store %v, %a[%t] : !line
    gpu.barrier
    %r = arith.select %c, %a, %b : !line
    memref.store %v, %r[%t] : !line
    gpu.barrier
    %x = affine.load %r[63 - %t] : !line
    memref.store %x, %out[%t] : memref<64xf32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @one_of_four(
  // CHECK-SAME: memref<256xi8,
  // CHECK-NOT: gpu.barrier
  // CHECK: scf.index_switch
  // EXISTING-LABEL: gpu.func @one_of_four(
  // EXISTING-SAME: memref<256xi8,
  // MERGED-LABEL: gpu.func @one_of_four(
  // MERGED-COUNT-1: memref.alloc(
  // MERGED-NOT: memref.alloc(
  gpu.func @one_of_four(%i: index, %v: f32, %out: memref<64xf32>) kernel {
    %t = gpu.thread_id x
    %r = scf.index_switch %i -> !line
    case 0 {
      %a = memref.alloc() : !line
      memref.store %v, %a[%t] : !line
      scf.yield %a : !line
    }
    case 1 {
      %b = memref.alloc() : !line
      affine.store %v, %b[63 - %t] : !line
      scf.yield %b : !line
    }
    case 2 {
      %c = memref.alloc() : !line
      affine.store %v, %c[(%t + 5) mod 64] : !line
      scf.yield %c : !line
    }
    default {
      %d = memref.alloc() : !line
      memref.store %v, %d[%t] : !line
      scf.yield %d : !line
    }
    gpu.barrier
    %x = affine.load %r[63 - %t] : !line
    gpu.barrier
    memref.store %x, %r[%t] : !line
    gpu.barrier
    %y = affine.load %r[63 - %t] : !line
    memref.store %y, %out[%t] : memref<64xf32>
    gpu.return
  }

  // In turns: what the last one reads through %r is %a while this one writes
  // %b, unless a barrier ends the turn.
  // CHECK-LABEL: gpu.func @in_turns(
  // CHECK-SAME: memref<256xi8,
  // CHECK: gpu.barrier
  // CHECK: gpu.barrier
  // EXISTING-LABEL: gpu.func @in_turns(
  // EXISTING-SAME: memref<512xi8,
  // MERGED-LABEL: gpu.func @in_turns(
  // MERGED-COUNT-2: memref.alloc(
  gpu.func @in_turns(%n: index, %v: f32, %out: memref<?x64xf32>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = memref.alloc() : !line
    %b = memref.alloc() : !line
    scf.for %i = %c0 to %n step %c1 {
      %odd = arith.andi %i, %c1 : index
      %c = arith.cmpi eq, %odd, %c0 : index
      %r = scf.if %c -> (!line) {
        linalg.fill ins(%v : f32) outs(%a : !line)
        scf.yield %a : !line
      } else {
        linalg.fill ins(%v : f32) outs(%b : !line)
        scf.yield %b : !line
      }
      gpu.barrier
      %x = affine.load %r[63 - %t] : !line
      memref.store %x, %out[%i, %t] : memref<?x64xf32>
    }
    gpu.return
  }

  // One of them keeps an allocation of its own, which is the same to all threads.
  // EXISTING-LABEL: gpu.func @one_is_not_placed(
  // EXISTING-SAME: memref<256xi8,
  // EXISTING: memref.alloc()
  gpu.func @one_is_not_placed(%c: i1, %n: index, %v: f32, %at: memref<64xindex>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %i = memref.load %at[%t] : memref<64xindex>
    %r = scf.if %c -> (!line) {
      %a = memref.alloc() : !line
      memref.store %v, %a[%i] : !line
      scf.yield %a : !line
    } else {
      %b = memref.alloc() : !line
      memref.store %v, %b[%i] : !line
      %last = scf.for %k = %c0 to %n step %c1 iter_args(%old = %b) -> (!line) {
        %new = memref.alloc() : !line
        %x = memref.load %old[%i] : !line
        memref.store %x, %new[%i] : !line
        scf.yield %new : !line
      }
      scf.yield %last : !line
    }
    %y = memref.load %r[%i] : !line
    memref.store %y, %r[%i] : !line
    gpu.return
  }
}
