// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nothing but the user can prove that one thread runs a function that allocates
// in memory that threads share. So whatever tells it of the threads (a barrier, a
// text, an intrinsic, a called function, an op that nobody knows, or nothing at
// all), it is taken for a kernel.
// RUN: %mlir-opt-berth --allow-unregistered-dialect --remarks-filter='berth.*' -o %t --pass-pipeline='builtin.module(berth-arena{space=3},berth-verify)' %s 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s < %t
// RUN: %mlir-opt-berth --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-arena{space=3 barriers=existing})' %s | FileCheck %s --check-prefix=EXISTING
// RUN: not %mlir-opt-berth --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-arena{space=3 test-break-rule=no-thread-numbers})' %s 2>&1 | FileCheck %s --check-prefix=REFUSED
// With one thread it is an ordinary function again.
// RUN: %mlir-opt-berth --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-arena{space=3 barriers=none})' %s | FileCheck %s --check-prefix=ONE
// Merging inserts no barriers.
// RUN: %mlir-opt-berth --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-merge{space=3},berth-verify)' %s | FileCheck %s --check-prefix=EXISTING

// REFUSED-COUNT-6: error: touches bytes of the arena that other threads may still use through another buffer
!three = memref<64xf32, 3>

// CHECK-LABEL: func.func @barrier(
// CHECK: memref.load
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: memref.store
// EXISTING-LABEL: func.func @barrier(
// EXISTING: gpu.barrier
// EXISTING-NOT: gpu.barrier
// ONE-LABEL: func.func @barrier(
// ONE: gpu.barrier
// ONE-NOT: gpu.barrier
func.func @barrier(%out: memref<64xf32>, %v: f32, %tid: index) {
  gpu.barrier
  %x = memref.alloc() : !three
  %y = memref.alloc() : !three
  memref.store %v, %x[%tid] : !three
  %a = memref.load %x[%tid] : !three
  memref.store %a, %y[%tid] : !three
  %b = memref.load %y[%tid] : !three
  memref.store %b, %out[%tid] : memref<64xf32>
  return
}

// CHECK-LABEL: func.func @text(
// CHECK: memref.load
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: memref.store
// EXISTING-LABEL: func.func @text(
// EXISTING-NOT: gpu.barrier
func.func @text(%out: memref<64xf32>, %v: f32) {
  %number = llvm.inline_asm "mov.u32 $0, %tid.x;", "=r" : () -> i32
  %tid = arith.index_cast %number : i32 to index
  %x = memref.alloc() : !three
  %y = memref.alloc() : !three
  memref.store %v, %x[%tid] : !three
  %a = memref.load %x[%tid] : !three
  memref.store %a, %y[%tid] : !three
  %b = memref.load %y[%tid] : !three
  memref.store %b, %out[%tid] : memref<64xf32>
  return
}

// CHECK-LABEL: func.func @intrinsic(
// CHECK: memref.load
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: memref.store
func.func @intrinsic(%out: memref<64xf32>, %v: f32) {
  %number = llvm.call_intrinsic "llvm.amdgcn.workitem.id.x"() : () -> i32
  %tid = arith.index_cast %number : i32 to index
  %x = memref.alloc() : !three
  %y = memref.alloc() : !three
  memref.store %v, %x[%tid] : !three
  %a = memref.load %x[%tid] : !three
  memref.store %a, %y[%tid] : !three
  %b = memref.load %y[%tid] : !three
  memref.store %b, %out[%tid] : memref<64xf32>
  return
}

func.func private @number() -> index {
  %number = func.call @inner_number() : () -> index
  return %number : index
}
func.func private @inner_number() -> index {
  %number = gpu.thread_id x
  return %number : index
}

// CHECK-LABEL: func.func @called(
// CHECK: memref.load
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: memref.store
func.func @called(%out: memref<64xf32>, %v: f32) {
  %tid = func.call @number() : () -> index
  %x = memref.alloc() : !three
  %y = memref.alloc() : !three
  memref.store %v, %x[%tid] : !three
  %a = memref.load %x[%tid] : !three
  memref.store %a, %y[%tid] : !three
  %b = memref.load %y[%tid] : !three
  memref.store %b, %out[%tid] : memref<64xf32>
  return
}

// REMARK: :[[#@LINE+5]]:1: remark: {{.*}}"taken for a kernel: threads share memory of this space, and nothing proves that one thread runs the function (barriers=none if one does)"
// CHECK-LABEL: func.func @unknown(
// CHECK: memref.load
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: memref.store
func.func @unknown(%out: memref<64xf32>, %v: f32) {
  %tid = "mychip.thread_number"() : () -> index
  %x = memref.alloc() : !three
  %y = memref.alloc() : !three
  memref.store %v, %x[%tid] : !three
  %a = memref.load %x[%tid] : !three
  memref.store %a, %y[%tid] : !three
  %b = memref.load %y[%tid] : !three
  memref.store %b, %out[%tid] : memref<64xf32>
  return
}

// Each thread may be given its number: the branch counts as divergent.
// REMARK: :[[#@LINE+3]]:1: remark: {{.*}}"taken for a kernel
// CHECK-LABEL: func.func @given(
// CHECK: memref.view {{.*}} : memref<512xi8, 3> to
func.func @given(%out: memref<64xf32>, %v: f32, %c: i1, %tid: index) {
  %x = memref.alloc() : !three
  %y = memref.alloc() : !three
  scf.if %c {
    memref.store %v, %x[%tid] : !three
    %a = memref.load %x[%tid] : !three
    memref.store %a, %out[%tid] : memref<64xf32>
  } else {
    memref.store %v, %y[%tid] : !three
    %a = memref.load %y[%tid] : !three
    memref.store %a, %out[%tid] : memref<64xf32>
  }
  return
}

// REMARK: "not placed: other threads may still use its previous instance when it is allocated again, in the next turn of a loop or the next call of the function: end the loop or the function with a barrier, or name the function (kernels=) if it is a kernel"
// REMARK: :[[#@LINE+1]]:1: remark: {{.*}}"taken for a function that threads call: they share memory of this space, and nothing proves that one thread runs it (barriers=none if one does, kernels=NAME if it is a kernel)"
func.func private @hidden(%out: memref<64xf32>, %v: f32, %tid: index) {
  %x = memref.alloc() : !three
  memref.store %v, %x[%tid] : !three
  %a = memref.load %x[%tid] : !three
  memref.store %a, %out[%tid] : memref<64xf32>
  return
}
