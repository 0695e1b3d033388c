// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kernels= marks functions that another flow launches: all threads come, their
// arguments are uniform, their workgroup memory is one scope. Without it they are
// taken for kernels for their memory, but each thread may get another argument.
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{kernels=copy,choose report=-})' %s 2>&1 >/dev/null | FileCheck %s --match-full-lines
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{space=workgroup report=-})' %s 2>&1 >/dev/null | FileCheck %s --check-prefix=PLAIN --match-full-lines
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{kernels=copy,choose})' %s | FileCheck %s --check-prefix=CODE
// RUN: not %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{kernels=copy,chose})' %s 2>&1 | FileCheck %s --check-prefix=NAME

// NAME: error: kernels: the module has no function 'chose'

!shared = memref<64xf32, #gpu.address_space<workgroup>>

// The arena is a global with its alignment.
// CODE-DAG: memref.global "private" @berth_arena_copy : memref<256xi8, #gpu.address_space<workgroup>> = uninitialized {alignment = 16 : i64}
// CODE-LABEL: func.func @copy(

// CHECK: {"scope": "copy",{{.*}}"arena": "global",{{.*}} "bytes_before": 512, "bytes_after": 256,{{.*}}"barriers": {"inserted": 1,{{.*}}
// PLAIN: {"scope": "copy",{{.*}}"arena": "global",{{.*}} "bytes_before": 512, "bytes_after": 256,{{.*}}"barriers": {"inserted": 1,{{.*}}
func.func @copy(%out: memref<64xf32>, %v: f32, %tid: index) {
  %x = memref.alloc() : !shared
  %y = memref.alloc() : !shared
  memref.store %v, %x[%tid] : !shared
  %a = memref.load %x[%tid] : !shared
  memref.store %a, %y[%tid] : !shared
  %b = memref.load %y[%tid] : !shared
  memref.store %b, %out[%tid] : memref<64xf32>
  return
}

// An argument decides: uniform in a kernel, divergent elsewhere.
// CHECK: {"scope": "choose",{{.*}} "bytes_before": 512, "bytes_after": 256,{{.*}}"barriers": {"inserted": 0,{{.*}}
// PLAIN: {"scope": "choose",{{.*}} "bytes_before": 512, "bytes_after": 512,{{.*}}"barriers": {"inserted": 0,{{.*}}
func.func @choose(%out: memref<64xf32>, %v: f32, %tid: index, %c: i1) {
  %x = memref.alloc() : !shared
  %y = memref.alloc() : !shared
  gpu.barrier
  scf.if %c {
    memref.store %v, %x[%tid] : !shared
    %a = memref.load %x[%tid] : !shared
    memref.store %a, %out[%tid] : memref<64xf32>
  } else {
    memref.store %v, %y[%tid] : !shared
    %a = memref.load %y[%tid] : !shared
    memref.store %a, %out[%tid] : memref<64xf32>
  }
  gpu.barrier
  return
}
