// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// Bytes of a buffer that other workgroups of the cluster reach are free behind a full
// barrier of the cluster that all of them come to. X and Y have 256 bytes each.
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena)' %s | FileCheck %s
// RUN: not %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{test-break-rule=clusters-agree})' %s 2>&1 | FileCheck %s --check-prefix=REFUSED

!shared = memref<64xf32, #gpu.address_space<workgroup>>
!struct = !llvm.struct<(ptr<3>, ptr<3>, i64, array<1 x i64>, array<1 x i64>)>

gpu.module @clusters {
  // CHECK-LABEL: gpu.func @free(
  // CHECK-SAME: memref<256xi8,
  gpu.func @free(%out: memref<64xf32>, %v: f32, %rank: i32) kernel {
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %tid = gpu.thread_id x
    %d = builtin.unrealized_conversion_cast %x : !shared to !struct
    %p = llvm.extractvalue %d[1] : !struct
    %q = nvvm.mapa %p, %rank : !llvm.ptr<3> -> !llvm.ptr<7>
    llvm.store %v, %q : f32, !llvm.ptr<7>
    nvvm.cluster.arrive
    nvvm.cluster.wait
    %b = memref.load %x[%tid] : !shared
    nvvm.cluster.arrive
    nvvm.cluster.wait
    memref.store %b, %y[%tid] : !shared
    gpu.barrier
    %c = memref.load %y[%tid] : !shared
    memref.store %c, %out[%tid] : memref<64xf32>
    gpu.return
  }

  // A loop all of whose phases may lie between two accesses, but what comes behind it.
  // CHECK-LABEL: gpu.func @loop(
  // CHECK-SAME: memref<512xi8,
  gpu.func @loop(%out: memref<64xf32>, %v: f32, %rank: i32, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %z = memref.alloc() : !shared
    %tid = gpu.thread_id x
    %d = builtin.unrealized_conversion_cast %x : !shared to !struct
    %p = llvm.extractvalue %d[1] : !struct
    %q = nvvm.mapa %p, %rank : !llvm.ptr<3> -> !llvm.ptr<7>
    scf.for %i = %c0 to %n step %c1 {
      nvvm.cluster.arrive
      nvvm.cluster.wait
      llvm.store %v, %q : f32, !llvm.ptr<7>
      nvvm.cluster.arrive
      nvvm.cluster.wait
      memref.store %v, %y[%tid] : !shared
      gpu.barrier
      %c = memref.load %y[%tid] : !shared
      memref.store %c, %out[%tid] : memref<64xf32>
    }
    nvvm.cluster.arrive
    nvvm.cluster.wait
    memref.store %v, %z[%tid] : !shared
    gpu.barrier
    %e = memref.load %z[%tid] : !shared
    memref.store %e, %out[%tid] : memref<64xf32>
    gpu.return
  }

  // One that only the workgroups come to whose number says so.
  // CHECK-LABEL: gpu.func @missed(
  // CHECK-SAME: memref<512xi8,
  gpu.func @missed(%out: memref<64xf32>, %v: f32, %rank: i32) kernel {
    %c0 = arith.constant 0 : index
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %tid = gpu.thread_id x
    %id = gpu.block_id x
    %isFirst = arith.cmpi eq, %id, %c0 : index
    %d = builtin.unrealized_conversion_cast %x : !shared to !struct
    %p = llvm.extractvalue %d[1] : !struct
    %q = nvvm.mapa %p, %rank : !llvm.ptr<3> -> !llvm.ptr<7>
    llvm.store %v, %q : f32, !llvm.ptr<7>
    nvvm.cluster.arrive
    nvvm.cluster.wait
    scf.if %isFirst {
      nvvm.cluster.arrive
      nvvm.cluster.wait
    }
    // REFUSED: :[[@LINE+1]]:{{.*}}error: touches bytes of the arena that something no barrier orders
    memref.store %v, %y[%tid] : !shared
    gpu.barrier
    %c = memref.load %y[%tid] : !shared
    memref.store %c, %out[%tid] : memref<64xf32>
    gpu.return
  }

  // A flag is read from memory of the workgroup: all its threads agree, the cluster
  // does not.
  // CHECK-LABEL: gpu.func @flag(
  // CHECK-SAME: memref<512xi8,
  gpu.func @flag(%out: memref<64xf32>, %v: f32, %rank: i32, %w: i1) kernel {
    %c0 = arith.constant 0 : index
    %flag = memref.alloc() : memref<1xi1, #gpu.address_space<workgroup>>
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %tid = gpu.thread_id x
    memref.store %w, %flag[%c0] : memref<1xi1, #gpu.address_space<workgroup>>
    gpu.barrier
    %isSet = memref.load %flag[%c0] : memref<1xi1, #gpu.address_space<workgroup>>
    gpu.barrier
    %d = builtin.unrealized_conversion_cast %x : !shared to !struct
    %p = llvm.extractvalue %d[1] : !struct
    %q = nvvm.mapa %p, %rank : !llvm.ptr<3> -> !llvm.ptr<7>
    llvm.store %v, %q : f32, !llvm.ptr<7>
    scf.if %isSet {
      nvvm.cluster.arrive
      nvvm.cluster.wait
    }
    nvvm.cluster.arrive
    nvvm.cluster.wait
    memref.store %v, %y[%tid] : !shared
    gpu.barrier
    %c = memref.load %y[%tid] : !shared
    memref.store %c, %out[%tid] : memref<64xf32>
    gpu.return
  }

  // Text may wait for the cluster, too.
  // CHECK-LABEL: gpu.func @text(
  // CHECK-SAME: memref<512xi8,
  gpu.func @text(%out: memref<64xf32>, %v: f32, %rank: i32) kernel {
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %tid = gpu.thread_id x
    %d = builtin.unrealized_conversion_cast %x : !shared to !struct
    %p = llvm.extractvalue %d[1] : !struct
    %q = nvvm.mapa %p, %rank : !llvm.ptr<3> -> !llvm.ptr<7>
    llvm.store %v, %q : f32, !llvm.ptr<7>
    nvvm.inline_ptx "nanosleep.u32 $0;" ro(%rank : i32)
    nvvm.cluster.arrive
    nvvm.cluster.wait
    memref.store %v, %y[%tid] : !shared
    gpu.barrier
    %c = memref.load %y[%tid] : !shared
    memref.store %c, %out[%tid] : memref<64xf32>
    gpu.return
  }

  // A copy that has not ended keeps its own bytes.
  // CHECK-LABEL: gpu.func @copied(
  // CHECK-SAME: memref<512xi8,
  gpu.func @copied(%in: memref<64xf32>, %out: memref<64xf32>, %v: f32, %rank: i32) kernel {
    %c0 = arith.constant 0 : index
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %tid = gpu.thread_id x
    %d = builtin.unrealized_conversion_cast %x : !shared to !struct
    %p = llvm.extractvalue %d[1] : !struct
    %q = nvvm.mapa %p, %rank : !llvm.ptr<3> -> !llvm.ptr<7>
    llvm.store %v, %q : f32, !llvm.ptr<7>
    nvvm.cluster.arrive
    nvvm.cluster.wait
    %t = nvgpu.device_async_copy %in[%c0], %y[%c0], 4 : memref<64xf32> to !shared
    %g = nvgpu.device_async_create_group %t
    nvgpu.device_async_wait %g
    gpu.barrier
    %c = memref.load %y[%tid] : !shared
    memref.store %c, %out[%tid] : memref<64xf32>
    gpu.return
  }
}
