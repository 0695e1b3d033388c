// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Workgroup memory has more names than one, and of a space that nobody knows
// nothing tells whether threads share it.
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{space=#spirv.storage_class<Workgroup>},berth-verify)' %s | FileCheck %s
// RUN: not %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{space=#spirv.storage_class<Workgroup> barriers=none},berth-verify)' %s 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: %mlir-opt-berth --remarks-filter='berth.*' --pass-pipeline='builtin.module(berth-arena{space=7})' %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{space=7 barriers=none})' %s | FileCheck %s --check-prefix=OWN
// RUN: not %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{space=7 barriers=none},berth-verify)' %s 2>&1 | FileCheck %s --check-prefix=REFUSED

// REFUSED: error: touches bytes of the arena that other threads may still use through another buffer
gpu.module @kernels {
  // CHECK-LABEL: gpu.func @spirv(
  // CHECK-SAME: workgroup(%{{.*}} : memref<256xi8, #spirv.storage_class<Workgroup>> {llvm.align = 16 : i64})
  // CHECK: memref.load
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: memref.store
  gpu.func @spirv(%out: memref<64xf32>, %v: f32) kernel {
    %tid = gpu.thread_id x
    %x = memref.alloc() : memref<64xf32, #spirv.storage_class<Workgroup>>
    %y = memref.alloc() : memref<64xf32, #spirv.storage_class<Workgroup>>
    memref.store %v, %x[%tid] : memref<64xf32, #spirv.storage_class<Workgroup>>
    %a = memref.load %x[%tid] : memref<64xf32, #spirv.storage_class<Workgroup>>
    memref.store %a, %y[%tid] : memref<64xf32, #spirv.storage_class<Workgroup>>
    %b = memref.load %y[%tid] : memref<64xf32, #spirv.storage_class<Workgroup>>
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.return
  }

  // OWN-LABEL: gpu.func @seven(
  // OWN: memref.alloca() {{.*}} : memref<256xi8, 7>
  gpu.func @seven(%out: memref<64xf32>, %v: f32) kernel {
    %tid = gpu.thread_id x
    // UNKNOWN: :[[#@LINE+1]]:{{.*}}"not placed: nothing tells whether threads share memory of its space: barriers=none if each has its own"
    %x = memref.alloc() : memref<64xf32, 7>
    %y = memref.alloc() : memref<64xf32, 7>
    memref.store %v, %x[%tid] : memref<64xf32, 7>
    %a = memref.load %x[%tid] : memref<64xf32, 7>
    memref.store %a, %y[%tid] : memref<64xf32, 7>
    %b = memref.load %y[%tid] : memref<64xf32, 7>
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.return
  }
}

// In code for the host it is a memory like any other.
// UNKNOWN-LABEL: func.func @host(
// UNKNOWN: memref.alloc() {{.*}} : memref<256xi8, 7>
func.func @host(%out: memref<64xf32>, %v: f32, %i: index) {
  %x = memref.alloc() : memref<64xf32, 7>
  %y = memref.alloc() : memref<64xf32, 7>
  memref.store %v, %x[%i] : memref<64xf32, 7>
  %a = memref.load %x[%i] : memref<64xf32, 7>
  memref.store %a, %y[%i] : memref<64xf32, 7>
  %b = memref.load %y[%i] : memref<64xf32, 7>
  memref.store %b, %out[%i] : memref<64xf32>
  return
}
