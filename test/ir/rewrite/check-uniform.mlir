// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// check-uniform stops the kernel where a berth.uniform is wrong.
// RUN: %mlir-opt-berth %s --pass-pipeline='builtin.module(berth-arena{check-uniform})' --remarks-filter='berth.*' 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// REMARK-DAG: check-uniform does not check this: not all threads of the workgroup provably come here together
// REMARK-DAG: check-uniform does not check this: its type is neither an integer nor a float
// RUN: %mlir-opt-berth %s --pass-pipeline='builtin.module(berth-arena)' | FileCheck %s --check-prefix=NONE
// NONE-NOT: all_reduce
//
// Static and dynamic shared memory do not go together.
// RUN: %mlir-opt-berth %s --pass-pipeline='builtin.module(berth-arena{check-uniform arena=dynamic})' --remarks-filter='berth.*' 2>&1 | FileCheck %s --check-prefix=DYNAMIC
// DYNAMIC: check-uniform does not check this: the check takes static shared memory, and the arena is dynamic
//
// It comes to a trap of the device.
// RUN: %mlir-opt-berth %s --pass-pipeline='builtin.module(berth-arena{check-uniform},gpu.module(convert-scf-to-cf,expand-strided-metadata,convert-gpu-to-nvvm,convert-arith-to-llvm,reconcile-unrealized-casts))' | FileCheck %s --check-prefix=NVVM
// NVVM: llvm.func @__assertfail
// NVVM: llvm.call @__assertfail

#workgroup = #gpu.address_space<workgroup>

gpu.module @kernels {
  // CHECK: gpu.func @kernel
  // CHECK: %[[N:.*]] = memref.load %{{.*}} {berth.uniform}
  // CHECK-NEXT: %[[BITS:.*]] = arith.index_cast %[[N]] : index to i64
  // CHECK-NEXT: %[[MIN:.*]] = gpu.all_reduce  minui %[[BITS]] uniform
  // CHECK: %[[MAX:.*]] = gpu.all_reduce  maxui %[[BITS]] uniform
  // CHECK: %[[SAME:.*]] = arith.cmpi eq, %[[MIN]], %[[MAX]] : i64
  // CHECK-NEXT: cf.assert %[[SAME]], "berth.uniform: the threads of a workgroup got different values"
  // CHECK: memref.load %{{.*}} {berth.uniform} : memref<64xf16>
  // CHECK-NEXT: arith.bitcast %{{.*}} : f16 to i16
  // CHECK-NEXT: arith.extui %{{.*}} : i16 to i32
  // CHECK: scf.if
  // CHECK: {berth.uniform}
  // CHECK-NEXT: memref.store
  gpu.func @kernel(%lengths: memref<64xindex>, %halves: memref<64xf16>,
                   %rows: memref<64xvector<2xf32>>, %out: memref<64xf32>,
                   %x: f32) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c7 = arith.constant 7 : index
    %a = memref.alloc() : memref<64xf32, #workgroup>
    memref.store %x, %a[%t] : memref<64xf32, #workgroup>
    %n = memref.load %lengths[%c0] {berth.uniform} : memref<64xindex>
    %h = memref.load %halves[%c0] {berth.uniform} : memref<64xf16>
    %v = memref.load %rows[%c0] {berth.uniform} : memref<64xvector<2xf32>>
    %isLow = arith.cmpi ult, %t, %c7 : index
    scf.if %isLow {
      %m = memref.load %lengths[%c7] {berth.uniform} : memref<64xindex>
      memref.store %x, %out[%m] : memref<64xf32>
    }
    gpu.return
  }
}
