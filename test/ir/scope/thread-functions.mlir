// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function that asks for the thread's number, or is mapped to threads, is run
// by many of them: the space 3 is shared then, as #gpu.address_space<workgroup>
// is everywhere.
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{space=3})' %s | FileCheck %s
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena)' %s | FileCheck %s --check-prefix=WORKGROUP
// RUN: not %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{space=3 test-break-rule=no-thread-numbers})' %s 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: %mlir-opt-berth --remarks-filter='berth.*' --pass-pipeline='builtin.module(berth-arena)' %s 2>&1 >/dev/null | FileCheck %s --check-prefix=SKIPPED

// SKIPPED: 2 buffers in memory that threads may share were not looked at: that is another memory space (space=)
// REFUSED: error: touches bytes of the arena that other threads may still use through another buffer
!three = memref<64xf32, 3>
!shared = memref<64xf32, #gpu.address_space<workgroup>>

// CHECK-LABEL: func.func @three(
// CHECK: memref.load
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: memref.store
func.func @three(%out: memref<64xf32>, %v: f32) {
  %tid = gpu.thread_id x
  %x = memref.alloc() : !three
  %y = memref.alloc() : !three
  memref.store %v, %x[%tid] : !three
  %a = memref.load %x[%tid] : !three
  memref.store %a, %y[%tid] : !three
  %b = memref.load %y[%tid] : !three
  memref.store %b, %out[%tid] : memref<64xf32>
  return
}

// WORKGROUP-LABEL: func.func @shared(
// WORKGROUP: memref.load
// WORKGROUP-NEXT: gpu.barrier
// WORKGROUP-NEXT: memref.store
func.func @shared(%out: memref<64xf32>, %v: f32) {
  %tid = gpu.thread_id x
  %x = memref.alloc() : !shared
  %y = memref.alloc() : !shared
  memref.store %v, %x[%tid] : !shared
  %a = memref.load %x[%tid] : !shared
  memref.store %a, %y[%tid] : !shared
  %b = memref.load %y[%tid] : !shared
  memref.store %b, %out[%tid] : memref<64xf32>
  return
}

// Between loops that are mapped to threads.
// CHECK-LABEL: func.func @mapped(
// CHECK: scf.forall
// CHECK: gpu.barrier
// CHECK: scf.forall
func.func @mapped(%out: memref<64xf32>, %v: f32) {
  %x = memref.alloc() : !three
  %y = memref.alloc() : !three
  scf.forall (%i) in (64) {
    memref.store %v, %x[%i] : !three
    %a = memref.load %x[%i] : !three
    memref.store %a, %out[%i] : memref<64xf32>
  } {mapping = [#gpu.thread<x>]}
  scf.forall (%i) in (64) {
    memref.store %v, %y[%i] : !three
    %a = memref.load %y[%i] : !three
    memref.store %a, %out[%i] : memref<64xf32>
  } {mapping = [#gpu.thread<x>]}
  return
}
