// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers in the input that not all threads reach: each is named, with what
// the threads may disagree on, and separates nothing. 256 bytes a buffer.
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{barriers=existing})' --remarks-filter='berth.*' %s 2>%t.txt | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --implicit-check-not='counts for nothing' < %t.txt

!shared = memref<64xf32, #gpu.address_space<workgroup>>

// CHECK-LABEL: gpu.module @kernels
gpu.module @kernels {
  // CHECK-LABEL: gpu.func @branch(
  // CHECK-SAME: memref<512xi8,
  gpu.func @branch(%out: memref<?xf32>, %v: f32, %n: index) kernel {
    %tid = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    memref.store %v, %x[%tid] : !shared
    %c = arith.cmpi ult, %tid, %n : index
    // REMARK: [[@LINE+2]]:{{[0-9]+}}: remark: {{.*}}counts for nothing: not all threads of the workgroup provably reach this barrier together (scf.if at line [[@LINE+1]])
    scf.if %c {
      gpu.barrier
    }
    memref.store %v, %y[%tid] : !shared
    gpu.return
  }
  // CHECK-LABEL: gpu.func @loop(
  // CHECK-SAME: memref<512xi8,
  gpu.func @loop(%out: memref<?xf32>, %v: f32, %n: index) kernel {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %tid = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    // REMARK: counts for nothing: {{.*}} (scf.for at line [[@LINE+1]])
    scf.for %i = %zero to %tid step %one {
      memref.store %v, %x[%tid] : !shared
      gpu.barrier
      memref.store %v, %y[%tid] : !shared
    }
    gpu.return
  }
  // CHECK-LABEL: gpu.func @blocks(
  // CHECK-SAME: memref<512xi8,
  gpu.func @blocks(%out: memref<?xf32>, %v: f32, %n: index) kernel {
    %tid = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    memref.store %v, %x[%tid] : !shared
    %c = arith.cmpi ult, %tid, %n : index
    cf.cond_br %c, ^wait, ^on
  ^wait:
    // REMARK: [[@LINE+1]]:{{[0-9]+}}: remark: {{.*}}counts for nothing: not all threads of the workgroup provably reach this barrier together{{$|[^(]}}
    gpu.barrier
    cf.br ^on
  ^on:
    memref.store %v, %y[%tid] : !shared
    gpu.return
  }
  // CHECK-LABEL: gpu.func @uniform(
  // CHECK-SAME: memref<256xi8,
  gpu.func @uniform(%out: memref<?xf32>, %v: f32, %n: index) kernel {
    %tid = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    memref.store %v, %x[%tid] : !shared
    gpu.barrier
    memref.store %v, %y[%tid] : !shared
    gpu.return
  }
}
