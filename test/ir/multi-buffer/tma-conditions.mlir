// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// Conditions around TMA loads stay as they are where the loop's loads cannot move.
// RUN: %berth-opt %s -o %t.before
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-multi-buffer)' -o %t.after
// RUN: diff %t.before %t.after

!tile = memref<8x8xf32, #gpu.address_space<workgroup>>
!map = !nvgpu.tensormap.descriptor<tensor = !tile, swizzle = none, l2promo = none, oob = zero, interleave = none>
!mbarriers = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>

gpu.module @kernels {
  gpu.func @waits_twice(%d: !map, %out: memref<64xf32>, %l: index, %u: index, %s: index, %c: i1) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %bytes = arith.constant 256 : index
    %even = arith.constant false
    %odd = arith.constant true
    %zero = arith.constant 0.0 : f32
    %first = arith.cmpi eq, %t, %c0 : index
    %m = nvgpu.mbarrier.create -> !mbarriers
    nvgpu.mbarrier.init %m[%c0], %c1, predicate = %first : !mbarriers
    gpu.barrier
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %last = scf.for %i = %l to %u step %s iter_args(%parity = %even) -> (i1) {
      scf.if %first {
        nvgpu.mbarrier.arrive.expect_tx %m[%c0], %bytes : !mbarriers
        %column = arith.addi %i, %c1 : index
        nvgpu.tma.async.load %d[%column, %c0], %m[%c0] to %x : !map, !mbarriers -> !tile
      }
      nvgpu.mbarrier.try_wait.parity %m[%c0], %parity, %t : !mbarriers
      nvgpu.mbarrier.try_wait.parity %m[%c0], %parity, %t : !mbarriers
      %r = memref.load %x[%c0, %c0] : !tile
      gpu.barrier
      %next = arith.xori %parity, %odd : i1
      scf.yield %next : i1
    }
    gpu.return
  }
  gpu.func @waits_twice_by_predicate(%d: !map, %out: memref<64xf32>, %l: index, %u: index, %s: index, %c: i1) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %bytes = arith.constant 256 : index
    %even = arith.constant false
    %odd = arith.constant true
    %zero = arith.constant 0.0 : f32
    %first = arith.cmpi eq, %t, %c0 : index
    %m = nvgpu.mbarrier.create -> !mbarriers
    nvgpu.mbarrier.init %m[%c0], %c1, predicate = %first : !mbarriers
    gpu.barrier
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %last = scf.for %i = %l to %u step %s iter_args(%parity = %even) -> (i1) {
      scf.if %first {
        nvgpu.mbarrier.arrive.expect_tx %m[%c0], %bytes, predicate = %c : !mbarriers
        %column = arith.addi %i, %c1 : index
        nvgpu.tma.async.load %d[%column, %c0], %m[%c0] to %x, predicate = %c : !map, !mbarriers -> !tile
      }
      nvgpu.mbarrier.try_wait.parity %m[%c0], %parity, %t : !mbarriers
      nvgpu.mbarrier.try_wait.parity %m[%c0], %parity, %t : !mbarriers
      %r = memref.load %x[%c0, %c0] : !tile
      gpu.barrier
      %next = arith.xori %parity, %odd : i1
      scf.yield %next : i1
    }
    gpu.return
  }
  gpu.func @in_some_turns(%d: !map, %out: memref<64xf32>, %l: index, %u: index, %s: index, %c: i1) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %bytes = arith.constant 256 : index
    %even = arith.constant false
    %odd = arith.constant true
    %zero = arith.constant 0.0 : f32
    %first = arith.cmpi eq, %t, %c0 : index
    %m = nvgpu.mbarrier.create -> !mbarriers
    nvgpu.mbarrier.init %m[%c0], %c1, predicate = %first : !mbarriers
    gpu.barrier
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %last = scf.for %i = %l to %u step %s iter_args(%parity = %even) -> (i1) {
      %some = arith.cmpi eq, %i, %c1 : index
      scf.if %some {
        nvgpu.mbarrier.arrive.expect_tx %m[%c0], %bytes, predicate = %first : !mbarriers
        %column = arith.addi %i, %c1 : index
        nvgpu.tma.async.load %d[%column, %c0], %m[%c0] to %x, predicate = %first : !map, !mbarriers -> !tile
      }
      nvgpu.mbarrier.try_wait.parity %m[%c0], %parity, %t : !mbarriers
      
      %r = memref.load %x[%c0, %c0] : !tile
      gpu.barrier
      %next = arith.xori %parity, %odd : i1
      scf.yield %next : i1
    }
    gpu.return
  }
  gpu.func @by_another_predicate(%d: !map, %out: memref<64xf32>, %l: index, %u: index, %s: index, %c: i1) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %bytes = arith.constant 256 : index
    %even = arith.constant false
    %odd = arith.constant true
    %zero = arith.constant 0.0 : f32
    %first = arith.cmpi eq, %t, %c0 : index
    %m = nvgpu.mbarrier.create -> !mbarriers
    nvgpu.mbarrier.init %m[%c0], %c1, predicate = %first : !mbarriers
    gpu.barrier
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %last = scf.for %i = %l to %u step %s iter_args(%parity = %even) -> (i1) {
      %some = arith.cmpi eq, %i, %c1 : index
      scf.if %first {
        nvgpu.mbarrier.arrive.expect_tx %m[%c0], %bytes, predicate = %some : !mbarriers
        %column = arith.addi %i, %c1 : index
        nvgpu.tma.async.load %d[%column, %c0], %m[%c0] to %x, predicate = %some : !map, !mbarriers -> !tile
      }
      nvgpu.mbarrier.try_wait.parity %m[%c0], %parity, %t : !mbarriers
      
      %r = memref.load %x[%c0, %c0] : !tile
      gpu.barrier
      %next = arith.xori %parity, %odd : i1
      scf.yield %next : i1
    }
    gpu.return
  }
  gpu.func @or_else(%d: !map, %out: memref<64xf32>, %l: index, %u: index, %s: index, %c: i1) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %bytes = arith.constant 256 : index
    %even = arith.constant false
    %odd = arith.constant true
    %zero = arith.constant 0.0 : f32
    %first = arith.cmpi eq, %t, %c0 : index
    %m = nvgpu.mbarrier.create -> !mbarriers
    nvgpu.mbarrier.init %m[%c0], %c1, predicate = %first : !mbarriers
    gpu.barrier
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %last = scf.for %i = %l to %u step %s iter_args(%parity = %even) -> (i1) {
      scf.if %first {
        nvgpu.mbarrier.arrive.expect_tx %m[%c0], %bytes : !mbarriers
        %column = arith.addi %i, %c1 : index
        nvgpu.tma.async.load %d[%column, %c0], %m[%c0] to %x : !map, !mbarriers -> !tile
      } else {
        memref.store %zero, %out[%c0] : memref<64xf32>
      }
      nvgpu.mbarrier.try_wait.parity %m[%c0], %parity, %t : !mbarriers
      
      %r = memref.load %x[%c0, %c0] : !tile
      gpu.barrier
      %next = arith.xori %parity, %odd : i1
      scf.yield %next : i1
    }
    gpu.return
  }
  gpu.func @stores_too(%d: !map, %out: memref<64xf32>, %l: index, %u: index, %s: index, %c: i1) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %bytes = arith.constant 256 : index
    %even = arith.constant false
    %odd = arith.constant true
    %zero = arith.constant 0.0 : f32
    %first = arith.cmpi eq, %t, %c0 : index
    %m = nvgpu.mbarrier.create -> !mbarriers
    nvgpu.mbarrier.init %m[%c0], %c1, predicate = %first : !mbarriers
    gpu.barrier
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %last = scf.for %i = %l to %u step %s iter_args(%parity = %even) -> (i1) {
      scf.if %first {
        nvgpu.mbarrier.arrive.expect_tx %m[%c0], %bytes : !mbarriers
        %column = arith.addi %i, %c1 : index
        nvgpu.tma.async.load %d[%column, %c0], %m[%c0] to %x : !map, !mbarriers -> !tile
        memref.store %zero, %out[%c0] : memref<64xf32>
      }
      nvgpu.mbarrier.try_wait.parity %m[%c0], %parity, %t : !mbarriers
      
      %r = memref.load %x[%c0, %c0] : !tile
      gpu.barrier
      %next = arith.xori %parity, %odd : i1
      scf.yield %next : i1
    }
    gpu.return
  }
  gpu.func @divides(%d: !map, %out: memref<64xf32>, %l: index, %u: index, %s: index, %c: i1) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %bytes = arith.constant 256 : index
    %even = arith.constant false
    %odd = arith.constant true
    %zero = arith.constant 0.0 : f32
    %first = arith.cmpi eq, %t, %c0 : index
    %m = nvgpu.mbarrier.create -> !mbarriers
    nvgpu.mbarrier.init %m[%c0], %c1, predicate = %first : !mbarriers
    gpu.barrier
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %last = scf.for %i = %l to %u step %s iter_args(%parity = %even) -> (i1) {
      scf.if %first {
        %q = arith.divui %i, %s : index
        nvgpu.mbarrier.arrive.expect_tx %m[%c0], %bytes : !mbarriers
        %column = arith.addi %i, %c1 : index
        nvgpu.tma.async.load %d[%q, %c0], %m[%c0] to %x : !map, !mbarriers -> !tile
      }
      nvgpu.mbarrier.try_wait.parity %m[%c0], %parity, %t : !mbarriers
      
      %r = memref.load %x[%c0, %c0] : !tile
      gpu.barrier
      %next = arith.xori %parity, %odd : i1
      scf.yield %next : i1
    }
    gpu.return
  }
}
