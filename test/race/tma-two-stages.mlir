// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pipeline of two stages of TMA, each with an mbarrier of its own. Behind the
// loop one has ended, and the scratch buffer takes its bytes while the other is
// still under way.
// RUN: %race %s | FileCheck %s

// CHECK: buffers: 3 of 3, bytes: 768 -> 512, barriers inserted: 0
// CHECK-NEXT: equal, no race

!tile = memref<8x8xf32, #gpu.address_space<workgroup>>
!line = memref<64xf32, #gpu.address_space<workgroup>>
!map = !nvgpu.tensormap.descriptor<tensor = !tile, swizzle = none, l2promo = none, oob = zero, interleave = none>
!mbarrier = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 2>
!in = memref<8x56xf32>
!row = memref<64xf32>

gpu.module @kernels {
  llvm.func @race_map(!llvm.ptr, i64, i64, i64, i64) -> !llvm.ptr
  gpu.func @stages(%in: !in, %out: !row) kernel {
    %address = memref.extract_aligned_pointer_as_index %in : !in -> index
    %number = arith.index_cast %address : index to i64
    %base = llvm.inttoptr %number : i64 to !llvm.ptr
    %pitch = llvm.mlir.constant(56 : i64) : i64
    %four = llvm.mlir.constant(4 : i64) : i64
    %eight = llvm.mlir.constant(8 : i64) : i64
    %at = llvm.call @race_map(%base, %pitch, %four, %eight, %eight) : (!llvm.ptr, i64, i64, i64, i64) -> !llvm.ptr
    %map = builtin.unrealized_conversion_cast %at : !llvm.ptr to !map
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %bytes = arith.constant 256 : index
    %zero = arith.constant 0.0 : f32
    %even = arith.constant false
    %odd = arith.constant true
    %first = arith.cmpi eq, %t, %c0 : index
    %x0 = memref.alloc() {alignment = 128 : i64} : !tile
    %x1 = memref.alloc() {alignment = 128 : i64} : !tile
    %y = memref.alloc() : !line
    %m = nvgpu.mbarrier.create -> !mbarrier
    nvgpu.mbarrier.init %m[%c0], %c1, predicate = %first : !mbarrier
    nvgpu.mbarrier.init %m[%c1], %c1, predicate = %first : !mbarrier
    gpu.barrier
    nvgpu.mbarrier.arrive.expect_tx %m[%c0], %bytes, predicate = %first : !mbarrier
    nvgpu.tma.async.load %map[%c0, %c0], %m[%c0] to %x0, predicate = %first : !map, !mbarrier -> !tile
    %sum, %last = affine.for %k = 0 to 6 step 2 iter_args(%before = %zero, %parity = %even) -> (f32, i1) {
      %odd_column = affine.apply affine_map<(k) -> (8 * k + 8)>(%k)
      nvgpu.mbarrier.arrive.expect_tx %m[%c1], %bytes, predicate = %first : !mbarrier
      nvgpu.tma.async.load %map[%odd_column, %c0], %m[%c1] to %x1, predicate = %first : !map, !mbarrier -> !tile
      nvgpu.mbarrier.try_wait.parity %m[%c0], %parity, %t : !mbarrier
      %a = affine.load %x0[%t mod 8, %t floordiv 8] : !tile
      %between = arith.addf %before, %a : f32
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
      gpu.barrier
      %even_column = affine.apply affine_map<(k) -> (8 * k + 16)>(%k)
      nvgpu.mbarrier.arrive.expect_tx %m[%c0], %bytes, predicate = %first : !mbarrier
      nvgpu.tma.async.load %map[%even_column, %c0], %m[%c0] to %x0, predicate = %first : !map, !mbarrier -> !tile
      nvgpu.mbarrier.try_wait.parity %m[%c1], %parity, %t : !mbarrier
      %b = affine.load %x1[%t mod 8, %t floordiv 8] : !tile
      %next = arith.addf %between, %b : f32
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
      gpu.barrier
      %other = arith.xori %parity, %odd : i1
      affine.yield %next, %other : f32, i1
    }
    affine.store %sum, %y[%t] : !line
    gpu.barrier
    %turned = affine.load %y[63 - %t] : !line
    nvgpu.mbarrier.try_wait.parity %m[%c0], %last, %t : !mbarrier
    %rest = affine.load %x0[%t floordiv 8, %t mod 8] : !tile
    %all = arith.addf %turned, %rest : f32
    affine.store %all, %out[%t] : !row
    gpu.return
  }
}
