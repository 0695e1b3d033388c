// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// What other workgroups have of a device function's buffer they may still use when
// it has returned, and its caller's buffers, or its next run, have the bytes.
// RUN: %mlir-opt-berth --remarks-filter='berth.*' --pass-pipeline='builtin.module(berth-arena)' %s -o /dev/null 2>&1 | FileCheck %s

!shared = memref<64xf32, #gpu.address_space<workgroup>>
!struct = !llvm.struct<(ptr<3>, ptr<3>, i64, array<1 x i64>, array<1 x i64>)>

gpu.module @escapes {
  func.func private @device(%v: f32, %rank: i32) {
    // CHECK: :[[@LINE+1]]:{{.*}}not placed: other workgroups, or code that is not looked into, may use it at any time (nvvm.mapa
    %x = memref.alloc() : !shared
    %tid = gpu.thread_id x
    memref.store %v, %x[%tid] : !shared
    %d = builtin.unrealized_conversion_cast %x : !shared to !struct
    %p = llvm.extractvalue %d[1] : !struct
    %q = nvvm.mapa %p, %rank : !llvm.ptr<3> -> !llvm.ptr<7>
    llvm.store %v, %q : f32, !llvm.ptr<7>
    return
  }
  gpu.func @kernel(%out: memref<64xf32>, %v: f32, %rank: i32) kernel {
    %y = memref.alloc() : !shared
    %tid = gpu.thread_id x
    func.call @device(%v, %rank) : (f32, i32) -> ()
    gpu.barrier
    memref.store %v, %y[%tid] : !shared
    %a = memref.load %y[%tid] : !shared
    memref.store %a, %out[%tid] : memref<64xf32>
    gpu.return
  }
}
