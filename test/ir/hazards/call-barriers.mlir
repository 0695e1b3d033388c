// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers in a called function count for its callers, and those between its
// calls for itself. In each kernel X, the callee's bytes and Y follow each other
// in the same 256 bytes.
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{report=-})' %s 2>&1 >/dev/null | FileCheck %s
// In nested runs no callee is seen: its calls touch all that they are given.
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(gpu.module(gpu.func(berth-arena{report=-})))' %s 2>&1 >/dev/null | FileCheck %s --check-prefix=NESTED

!shared = memref<64xf32, #gpu.address_space<workgroup>>
!tile = memref<8x8xf32, #gpu.address_space<workgroup>>
!map = !nvgpu.tensormap.descriptor<tensor = !tile, swizzle = none, l2promo = none, oob = zero, interleave = none>
!mbarrier = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>

//===----------------------------------------------------------------------===//
// What a callee does at its ends
//===----------------------------------------------------------------------===//

gpu.module @ends {
  func.func @bare(%v: f32) -> f32 {
    %t = gpu.thread_id x
    %y = memref.alloc() : !shared
    memref.store %v, %y[%t] : !shared
    %a = memref.load %y[%t] : !shared
    return %a : f32
  }
  func.func @begins(%v: f32) -> f32 {
    %t = gpu.thread_id x
    %y = memref.alloc() : !shared
    gpu.barrier
    memref.store %v, %y[%t] : !shared
    %a = memref.load %y[%t] : !shared
    return %a : f32
  }
  func.func @ends(%v: f32) -> f32 {
    %t = gpu.thread_id x
    %y = memref.alloc() : !shared
    memref.store %v, %y[%t] : !shared
    %a = memref.load %y[%t] : !shared
    gpu.barrier
    return %a : f32
  }
  func.func @both(%v: f32) -> f32 {
    %t = gpu.thread_id x
    %y = memref.alloc() : !shared
    gpu.barrier
    memref.store %v, %y[%t] : !shared
    %a = memref.load %y[%t] : !shared
    gpu.barrier
    return %a : f32
  }
  // CHECK: {"scope": "k_bare",{{.*}} "bytes_after": 256,{{.*}}"barriers": {"inserted": 2,
  gpu.func @k_bare(%v: f32) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    memref.store %v, %x[%t] : !shared
    %a = func.call @bare(%v) : (f32) -> f32
    %z = memref.alloc() : !shared
    memref.store %a, %z[%t] : !shared
    gpu.return
  }
  // CHECK: {"scope": "k_begins",{{.*}} "bytes_after": 256,{{.*}}"barriers": {"inserted": 1,
  gpu.func @k_begins(%v: f32) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    memref.store %v, %x[%t] : !shared
    %a = func.call @begins(%v) : (f32) -> f32
    %z = memref.alloc() : !shared
    memref.store %a, %z[%t] : !shared
    gpu.return
  }
  // CHECK: {"scope": "k_ends",{{.*}} "bytes_after": 256,{{.*}}"barriers": {"inserted": 1,
  gpu.func @k_ends(%v: f32) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    memref.store %v, %x[%t] : !shared
    %a = func.call @ends(%v) : (f32) -> f32
    %z = memref.alloc() : !shared
    memref.store %a, %z[%t] : !shared
    gpu.return
  }
  // CHECK: {"scope": "k_both",{{.*}} "bytes_after": 256,{{.*}}"barriers": {"inserted": 0,
  gpu.func @k_both(%v: f32) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    memref.store %v, %x[%t] : !shared
    %a = func.call @both(%v) : (f32) -> f32
    %z = memref.alloc() : !shared
    memref.store %a, %z[%t] : !shared
    gpu.return
  }
  // Where some threads call it, all that it does is done at once, without
  // barriers.
  // CHECK: {"scope": "k_some",{{.*}} "bytes_after": 512,{{.*}}"barriers": {"inserted": 0,
  func.func @called_by_some(%x: !shared) {
    %t = gpu.thread_id x
    %a = memref.load %x[%t] : !shared
    gpu.barrier
    return
  }
  gpu.func @k_some(%v: f32) kernel {
    %t = gpu.thread_id x
    %c8 = arith.constant 8 : index
    %p = arith.cmpi ult, %t, %c8 : index
    %x = memref.alloc() : !shared
    %z = memref.alloc() : !shared
    memref.store %v, %x[%t] : !shared
    gpu.barrier
    scf.if %p {
      func.call @called_by_some(%x) : (!shared) -> ()
    } else {
      memref.store %v, %z[%t] : !shared
    }
    gpu.return
  }
}

//===----------------------------------------------------------------------===//
// Ways through a callee
//===----------------------------------------------------------------------===//

gpu.module @ways {
  func.func @always() {
    %c0 = arith.constant 0 : index
    %b = gpu.block_id x
    %p = arith.cmpi eq, %b, %c0 : index
    scf.if %p {
      gpu.barrier
    } else {
      gpu.barrier
    }
    return
  }
  func.func @sometimes() {
    %c0 = arith.constant 0 : index
    %b = gpu.block_id x
    %p = arith.cmpi eq, %b, %c0 : index
    scf.if %p {
      gpu.barrier
    }
    return
  }
  func.func @through_another() {
    func.call @always() : () -> ()
    return
  }
  func.func @early(%c: i1) {
    cf.cond_br %c, ^out, ^on
  ^on:
    gpu.barrier
    return
  ^out:
    return
  }
  // CHECK: {"scope": "k_always",{{.*}} "bytes_after": 256,{{.*}}"barriers": {"inserted": 0,
  // NESTED: {"scope": "k_always",{{.*}} "bytes_after": 256,{{.*}}"barriers": {"inserted": 1,
  gpu.func @k_always(%v: f32) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    memref.store %v, %x[%t] : !shared
    func.call @always() : () -> ()
    %z = memref.alloc() : !shared
    memref.store %v, %z[%t] : !shared
    gpu.return
  }
  // CHECK: {"scope": "k_sometimes",{{.*}} "bytes_after": 256,{{.*}}"barriers": {"inserted": 1,
  gpu.func @k_sometimes(%v: f32) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    memref.store %v, %x[%t] : !shared
    func.call @sometimes() : () -> ()
    %z = memref.alloc() : !shared
    memref.store %v, %z[%t] : !shared
    gpu.return
  }
  // CHECK: {"scope": "k_another",{{.*}} "bytes_after": 256,{{.*}}"barriers": {"inserted": 0,
  gpu.func @k_another(%v: f32) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    memref.store %v, %x[%t] : !shared
    func.call @through_another() : () -> ()
    %z = memref.alloc() : !shared
    memref.store %v, %z[%t] : !shared
    gpu.return
  }
  // A way that returns in front of the barrier; on that branch threads may
  // disagree too.
  // CHECK: {"scope": "k_early",{{.*}} "bytes_after": 256,{{.*}}"barriers": {"inserted": 1,
  gpu.func @k_early(%v: f32, %c: i1) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    memref.store %v, %x[%t] : !shared
    func.call @early(%c) : (i1) -> ()
    %z = memref.alloc() : !shared
    memref.store %v, %z[%t] : !shared
    gpu.return
  }
}

//===----------------------------------------------------------------------===//
// Buffers that a callee is given
//===----------------------------------------------------------------------===//

gpu.module @given {
  func.func @reads_first(%x: !shared) -> f32 {
    %t = gpu.thread_id x
    %a = memref.load %x[%t] : !shared
    gpu.barrier
    return %a : f32
  }
  func.func @reads_last(%x: !shared) -> f32 {
    %t = gpu.thread_id x
    gpu.barrier
    %a = memref.load %x[%t] : !shared
    return %a : f32
  }
  func.func @hands_on(%x: !shared) -> f32 {
    %a = func.call @reads_last(%x) : (!shared) -> f32
    return %a : f32
  }
  func.func @views(%x: !shared) -> f32 {
    %c4 = arith.constant 4 : index
    gpu.barrier
    %s = memref.subview %x[0] [32] [1] : !shared to memref<32xf32, strided<[1]>, #gpu.address_space<workgroup>>
    %a = memref.load %s[%c4] : memref<32xf32, strided<[1]>, #gpu.address_space<workgroup>>
    return %a : f32
  }
  // CHECK: {"scope": "g_first",{{.*}} "bytes_after": 256,{{.*}}"barriers": {"inserted": 0,
  gpu.func @g_first(%v: f32) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    memref.store %v, %x[%t] : !shared
    %a = func.call @reads_first(%x) : (!shared) -> f32
    %z = memref.alloc() : !shared
    memref.store %a, %z[%t] : !shared
    gpu.return
  }
  // CHECK: {"scope": "g_last",{{.*}} "bytes_after": 256,{{.*}}"barriers": {"inserted": 1,
  gpu.func @g_last(%v: f32) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    memref.store %v, %x[%t] : !shared
    %a = func.call @reads_last(%x) : (!shared) -> f32
    %z = memref.alloc() : !shared
    memref.store %a, %z[%t] : !shared
    gpu.return
  }
  // CHECK: {"scope": "g_hands_on",{{.*}} "bytes_after": 256,{{.*}}"barriers": {"inserted": 1,
  gpu.func @g_hands_on(%v: f32) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    memref.store %v, %x[%t] : !shared
    %a = func.call @hands_on(%x) : (!shared) -> f32
    %z = memref.alloc() : !shared
    memref.store %a, %z[%t] : !shared
    gpu.return
  }
  // CHECK: {"scope": "g_views",{{.*}} "bytes_after": 256,{{.*}}"barriers": {"inserted": 1,
  gpu.func @g_views(%v: f32) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    memref.store %v, %x[%t] : !shared
    %a = func.call @views(%x) : (!shared) -> f32
    %z = memref.alloc() : !shared
    memref.store %a, %z[%t] : !shared
    gpu.return
  }
  // The same buffer by two operands: one is done with early, the other is not.
  func.func @two(%x: !shared, %y: !shared) -> f32 {
    %t = gpu.thread_id x
    %a = memref.load %x[%t] : !shared
    gpu.barrier
    %b = memref.load %y[%t] : !shared
    %c = arith.addf %a, %b : f32
    return %c : f32
  }
  // CHECK: {"scope": "g_two",{{.*}} "bytes_after": 256,{{.*}}"barriers": {"inserted": 1,
  gpu.func @g_two(%v: f32, %c: i1) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    memref.store %v, %x[%t] : !shared
    %s = memref.cast %x : !shared to memref<?xf32, #gpu.address_space<workgroup>>
    %w = memref.cast %s : memref<?xf32, #gpu.address_space<workgroup>> to !shared
    %a = func.call @two(%x, %w) : (!shared, !shared) -> f32
    %z = memref.alloc() : !shared
    memref.store %a, %z[%t] : !shared
    gpu.return
  }
}

//===----------------------------------------------------------------------===//
// Fences
//===----------------------------------------------------------------------===//

// In front of TMA a barrier is not enough, and fences are not looked for in what
// is called.
gpu.module @fences {
  func.func @writes_first(%v: f32, %y: !shared) {
    %t = gpu.thread_id x
    memref.store %v, %y[%t] : !shared
    gpu.barrier
    return
  }
  // CHECK: {"scope": "f_tma",{{.*}} "bytes_after": 512,{{.*}}"barriers": {"inserted": 0,
  gpu.func @f_tma(%d: !map, %out: memref<64xf32>, %v: f32) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %even = arith.constant false
    %m = nvgpu.mbarrier.create -> !mbarrier
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %y = memref.alloc() : !shared
    func.call @writes_first(%v, %y) : (f32, !shared) -> ()
    nvgpu.tma.async.load %d[%c0, %c0], %m[%c0] to %x : !map, !mbarrier -> !tile
    nvgpu.mbarrier.try_wait.parity %m[%c0], %even, %t : !mbarrier
    %r = memref.load %x[%c0, %c0] : !tile
    memref.store %r, %out[%t] : memref<64xf32>
    gpu.return
  }
}

//===----------------------------------------------------------------------===//
// Runs that follow each other
//===----------------------------------------------------------------------===//

// These have no barrier. An inserted one keeps their runs apart, where their
// callers do not.
gpu.module @once {
  // CHECK: {"scope": "once",{{.*}}"barriers": {"inserted": 0,
  func.func @once(%v: f32) {
    %t = gpu.thread_id x
    %y = memref.alloc() : !shared
    memref.store %v, %y[%t] : !shared
    return
  }
  gpu.func @k_once(%v: f32) kernel {
    func.call @once(%v) : (f32) -> ()
    gpu.return
  }
}
gpu.module @twice {
  // CHECK: {"scope": "twice",{{.*}}"barriers": {"inserted": 1,
  func.func @twice(%v: f32) {
    %t = gpu.thread_id x
    %y = memref.alloc() : !shared
    memref.store %v, %y[%t] : !shared
    return
  }
  gpu.func @k_twice(%v: f32) kernel {
    func.call @twice(%v) : (f32) -> ()
    func.call @twice(%v) : (f32) -> ()
    gpu.return
  }
}
gpu.module @barrier_between {
  // CHECK: {"scope": "between",{{.*}}"barriers": {"inserted": 0,
  func.func @between(%v: f32) {
    %t = gpu.thread_id x
    %y = memref.alloc() : !shared
    memref.store %v, %y[%t] : !shared
    return
  }
  func.func @meet() {
    gpu.barrier
    return
  }
  gpu.func @k_between(%v: f32, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    func.call @between(%v) : (f32) -> ()
    gpu.barrier
    scf.for %i = %c0 to %n step %c1 {
      func.call @between(%v) : (f32) -> ()
      func.call @meet() : () -> ()
    }
    gpu.return
  }
}
gpu.module @loop {
  // CHECK: {"scope": "in_loop",{{.*}}"barriers": {"inserted": 1,
  func.func @in_loop(%v: f32) {
    %t = gpu.thread_id x
    %y = memref.alloc() : !shared
    memref.store %v, %y[%t] : !shared
    return
  }
  gpu.func @k_loop(%v: f32, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    gpu.barrier
    scf.for %i = %c0 to %n step %c1 {
      func.call @in_loop(%v) : (f32) -> ()
    }
    gpu.barrier
    gpu.return
  }
}
// Each of two kernels calls it once, a run in each.
gpu.module @two_kernels {
  // CHECK: {"scope": "shared",{{.*}}"barriers": {"inserted": 0,
  func.func @shared(%v: f32) {
    %t = gpu.thread_id x
    %y = memref.alloc() : !shared
    memref.store %v, %y[%t] : !shared
    return
  }
  gpu.func @k_one(%v: f32) kernel {
    func.call @shared(%v) : (f32) -> ()
    gpu.return
  }
  gpu.func @k_two(%v: f32) kernel {
    func.call @shared(%v) : (f32) -> ()
    gpu.return
  }
}
// One run ends @left, the next one begins @entered, which follow each other.
gpu.module @through_others {
  // CHECK: {"scope": "deep",{{.*}}"barriers": {"inserted": 1,
  func.func @deep(%v: f32) {
    %t = gpu.thread_id x
    %y = memref.alloc() : !shared
    memref.store %v, %y[%t] : !shared
    return
  }
  func.func @left(%v: f32) {
    gpu.barrier
    func.call @deep(%v) : (f32) -> ()
    return
  }
  func.func @entered(%v: f32) {
    func.call @deep(%v) : (f32) -> ()
    gpu.barrier
    return
  }
  gpu.func @k_through(%v: f32) kernel {
    func.call @left(%v) : (f32) -> ()
    func.call @entered(%v) : (f32) -> ()
    gpu.return
  }
}
gpu.module @through_others_apart {
  // CHECK: {"scope": "deep_apart",{{.*}}"barriers": {"inserted": 0,
  func.func @deep_apart(%v: f32) {
    %t = gpu.thread_id x
    %y = memref.alloc() : !shared
    memref.store %v, %y[%t] : !shared
    return
  }
  func.func @left(%v: f32) {
    gpu.barrier
    func.call @deep_apart(%v) : (f32) -> ()
    return
  }
  func.func @entered(%v: f32) {
    func.call @deep_apart(%v) : (f32) -> ()
    gpu.barrier
    return
  }
  gpu.func @k_apart(%v: f32) kernel {
    func.call @entered(%v) : (f32) -> ()
    func.call @left(%v) : (f32) -> ()
    gpu.return
  }
}
// What a recursive function calls may run any number of times.
gpu.module @recursion {
  // CHECK: {"scope": "below",{{.*}}"placed": 0,{{.*}}"barriers": {"inserted": 0,
  func.func @below(%v: f32) {
    %t = gpu.thread_id x
    %y = memref.alloc() : !shared
    memref.store %v, %y[%t] : !shared
    return
  }
  func.func @itself(%v: f32) {
    %c0 = arith.constant 0 : index
    %b = gpu.block_id x
    %p = arith.cmpi eq, %b, %c0 : index
    func.call @below(%v) : (f32) -> ()
    gpu.barrier
    scf.if %p {
      func.call @itself(%v) : (f32) -> ()
    }
    return
  }
  gpu.func @k_recursion(%v: f32) kernel {
    func.call @itself(%v) : (f32) -> ()
    gpu.return
  }
}
