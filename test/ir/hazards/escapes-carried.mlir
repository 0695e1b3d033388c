// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// An address that comes to nvvm.mapa by detours is one of the cluster's, too: round a
// loop, through the bits of a float, as one of two, or anew in each turn.
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena)' %s | FileCheck %s

!shared = memref<64xf32, #gpu.address_space<workgroup>>

gpu.module @escapes {
  // CHECK-LABEL: gpu.func @carried(
  // CHECK-SAME: memref<512xi8,
  gpu.func @carried(%out: memref<64xf32>, %n: index, %rank: i32, %f: f32) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %z = arith.constant 0 : i64
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    memref.store %f, %y[%t] : !shared
    gpu.barrier
    %w = memref.load %y[%t] : !shared
    memref.store %w, %out[%t] : memref<64xf32>
    gpu.barrier
    %i = memref.extract_aligned_pointer_as_index %x : !shared -> index
    %j = arith.index_cast %i : index to i64
    %q = scf.for %k = %c0 to %n step %c1 iter_args(%s = %z) -> i64 {
      %m = arith.maxui %s, %j : i64
      scf.yield %m : i64
    }
    %p = llvm.inttoptr %q : i64 to !llvm.ptr<3>
    %r = nvvm.mapa %p, %rank : !llvm.ptr<3> -> !llvm.ptr<7>
    llvm.store %f, %r : f32, !llvm.ptr<7>
    nvvm.cluster.arrive
    nvvm.cluster.wait
    %v = memref.load %x[%t] : !shared
    memref.store %v, %out[%t] : memref<64xf32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @bits(
  // CHECK-SAME: memref<512xi8,
  gpu.func @bits(%out: memref<64xf32>, %rank: i32, %f: f32) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    memref.store %f, %y[%t] : !shared
    gpu.barrier
    %w = memref.load %y[%t] : !shared
    memref.store %w, %out[%t] : memref<64xf32>
    gpu.barrier
    %i = memref.extract_aligned_pointer_as_index %x : !shared -> index
    %j = arith.index_cast %i : index to i64
    %d = arith.bitcast %j : i64 to f64
    %e = arith.bitcast %d : f64 to i64
    %p = llvm.inttoptr %e : i64 to !llvm.ptr<3>
    %r = nvvm.mapa %p, %rank : !llvm.ptr<3> -> !llvm.ptr<7>
    llvm.store %f, %r : f32, !llvm.ptr<7>
    nvvm.cluster.arrive
    nvvm.cluster.wait
    %v = memref.load %x[%t] : !shared
    memref.store %v, %out[%t] : memref<64xf32>
    gpu.return
  }

  // A half of one of two; behind a full cluster barrier Z has the bytes of one.
  // CHECK-LABEL: gpu.func @either(
  // CHECK-SAME: memref<512xi8,
  gpu.func @either(%out: memref<64xf32>, %c: i1, %rank: i32, %f: f32) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %z = memref.alloc() : !shared
    memref.store %f, %x[%t] : !shared
    memref.store %f, %y[%t] : !shared
    %s = arith.select %c, %x, %y : !shared
    %h = memref.subview %s[32] [32] [1] : !shared to memref<32xf32, strided<[1], offset: 32>, #gpu.address_space<workgroup>>
    %i = memref.extract_aligned_pointer_as_index %h : memref<32xf32, strided<[1], offset: 32>, #gpu.address_space<workgroup>> -> index
    %j = arith.index_cast %i : index to i64
    %p = llvm.inttoptr %j : i64 to !llvm.ptr<3>
    %r = nvvm.mapa %p, %rank : !llvm.ptr<3> -> !llvm.ptr<7>
    nvvm.cluster.arrive
    nvvm.cluster.wait
    %v = llvm.load %r : !llvm.ptr<7> -> f32
    nvvm.cluster.arrive
    nvvm.cluster.wait
    memref.store %v, %z[%t] : !shared
    gpu.barrier
    %w = memref.load %z[%t] : !shared
    memref.store %w, %out[%t] : memref<64xf32>
    gpu.return
  }

  // Each turn would allocate it anew while a peer uses the last one.
  // CHECK-LABEL: gpu.func @turns(
  // CHECK-SAME: memref<256xi8,
  // CHECK: memref.alloc
  gpu.func @turns(%out: memref<64xf32>, %n: index, %rank: i32, %f: f32) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %k = %c0 to %n step %c1 {
      %x = memref.alloc() : !shared
      %y = memref.alloc() : !shared
      memref.store %f, %y[%t] : !shared
      gpu.barrier
      %w = memref.load %y[%t] : !shared
      memref.store %w, %out[%t] : memref<64xf32>
      gpu.barrier
      %i = memref.extract_aligned_pointer_as_index %x : !shared -> index
      %j = arith.index_cast %i : index to i64
      %p = llvm.inttoptr %j : i64 to !llvm.ptr<3>
      %r = nvvm.mapa %p, %rank : !llvm.ptr<3> -> !llvm.ptr<7>
      llvm.store %f, %r : f32, !llvm.ptr<7>
      nvvm.cluster.arrive.relaxed
      nvvm.cluster.wait
      %v = memref.load %x[%t] : !shared
      memref.store %v, %out[%t] : memref<64xf32>
    }
    gpu.return
  }
}
