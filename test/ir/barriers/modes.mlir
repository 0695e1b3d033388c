// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// barriers= and capacity=: what each inserts. Three phases X, Y, Z of 256, 512
// and 256 bytes without a barrier; W (256 bytes) is live in all of them.
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(gpu.module(gpu.func(berth-arena{report=-})))' %s 2>%t.json | FileCheck %s --check-prefixes=CHECK,INSERT
// RUN: FileCheck %s --check-prefix=REPORT < %t.json
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(gpu.module(gpu.func(berth-arena{barriers=insert})))' %s | FileCheck %s --check-prefixes=CHECK,INSERT
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(gpu.module(gpu.func(berth-arena{barriers=existing})))' %s | FileCheck %s --check-prefixes=CHECK,EXISTING
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(gpu.module(gpu.func(berth-arena{barriers=none})))' %s | FileCheck %s --check-prefixes=CHECK,NONE
// Attributes only: nothing may be inserted, so the default is `existing`.
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(gpu.module(gpu.func(berth-arena{arena=annotate})))' %s | FileCheck %s --check-prefix=ANNOTATE
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(gpu.module(gpu.func(berth-arena{arena=annotate barriers=none})))' %s | FileCheck %s --check-prefix=ANNOTATE-NONE
// RUN: not %mlir-opt-berth --pass-pipeline='builtin.module(gpu.module(gpu.func(berth-arena{arena=annotate barriers=insert})))' %s 2>&1 | FileCheck %s --check-prefix=EXCLUDE
// RUN: not %mlir-opt-berth --pass-pipeline='builtin.module(gpu.module(gpu.func(berth-arena{barriers=some})))' %s 2>&1 | FileCheck %s --check-prefix=NAME
// A capacity buys as few barriers as fit it: none, one, or both.
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(gpu.module(gpu.func(berth-arena{capacity=1280})))' %s | FileCheck %s --check-prefix=ROOM
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(gpu.module(gpu.func(berth-arena{capacity=1024})))' %s | FileCheck %s --check-prefix=SOME
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(gpu.module(gpu.func(berth-arena{capacity=768})))' %s | FileCheck %s --check-prefix=FULL
// RUN: not %mlir-opt-berth --pass-pipeline='builtin.module(gpu.module(gpu.func(berth-arena{capacity=767})))' %s 2>&1 | FileCheck %s --check-prefix=SMALL
// What no barrier may help, none can be sold for.
// RUN: not %mlir-opt-berth --pass-pipeline='builtin.module(gpu.module(gpu.func(berth-arena{capacity=1279 barriers=existing})))' %s 2>&1 | FileCheck %s --check-prefix=APART

// EXCLUDE: error: barriers=insert changes code, arena=annotate does not
// NAME: error: berth-arena: barriers 'some' is none of insert, existing, none

!small = memref<64xf32, #gpu.address_space<workgroup>>
!large = memref<128xf32, #gpu.address_space<workgroup>>

// CHECK-LABEL: gpu.func @phases(
// INSERT-SAME: memref<768xi8,
// INSERT-COUNT-2: gpu.barrier
// INSERT-NOT: gpu.barrier
// EXISTING-SAME: memref<1280xi8,
// EXISTING-NOT: gpu.barrier
// NONE-SAME: memref<768xi8,
// NONE-NOT: gpu.barrier
// CHECK: gpu.return
// REPORT: "barriers": {"inserted": 2, "curve": [{"barriers": 0, "cost": 0, "bytes": 1280}, {"barriers": 1, "cost": 1, "bytes": 1024}, {"barriers": 2, "cost": 2, "bytes": 768}]}
// ANNOTATE-LABEL: gpu.func @phases(
// ANNOTATE-SAME: berth.arena_size = 1280
// ANNOTATE-NOT: gpu.barrier
// ANNOTATE: gpu.return
// ANNOTATE-NONE-LABEL: gpu.func @phases(
// ANNOTATE-NONE-SAME: berth.arena_size = 768
// ROOM-LABEL: gpu.func @phases(
// ROOM-NOT: gpu.barrier
// ROOM: gpu.return
// SOME-LABEL: gpu.func @phases(
// SOME-SAME: memref<1024xi8,
// SOME-COUNT-1: gpu.barrier
// SOME-NOT: gpu.barrier
// SOME: gpu.return
// FULL-LABEL: gpu.func @phases(
// FULL-SAME: memref<768xi8,
// FULL-COUNT-2: gpu.barrier
// FULL-NOT: gpu.barrier
// FULL: gpu.return
// SMALL: error: the buffers do not fit: they need 768 bytes{{.*}}, the capacity of memory #gpu.address_space<workgroup> is 767 bytes
// SMALL: note: 768 bytes are live here; the largest of them: {{.*}} with 512 bytes, {{.*}} with 256 bytes
// APART: error: the buffers do not fit: they need 1280 bytes{{.*}}, the capacity of memory #gpu.address_space<workgroup> is 1279 bytes
// APART: note: 768 bytes are live here; {{.*}}; and 3 pairs that no barrier separates are kept apart
gpu.module @kernels {
  gpu.func @phases(%out: memref<64xf32>, %v: f32) kernel {
    %tid = gpu.thread_id x
    %w = memref.alloc() : !small
    %x = memref.alloc() : !small
    %y = memref.alloc() : !large
    %z = memref.alloc() : !small
    memref.store %v, %w[%tid] : !small
    memref.store %v, %x[%tid] : !small
    %a = memref.load %x[%tid] : !small
    memref.store %a, %y[%tid] : !large
    %b = memref.load %y[%tid] : !large
    memref.store %b, %z[%tid] : !small
    %c = memref.load %z[%tid] : !small
    %d = memref.load %w[%tid] : !small
    %e = arith.addf %c, %d : f32
    memref.store %e, %out[%tid] : memref<64xf32>
    gpu.return
  }
}
