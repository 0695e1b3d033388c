// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TMA brings tile after tile, and the last one has ended behind the loop: the
// scratch buffer takes its bytes.
// RUN: %race %s | FileCheck %s
// RUN: %race %s --keep-barriers --arena=barriers=existing | FileCheck %s --check-prefix=EXISTING

// CHECK: buffers: 2 of 2, bytes: 512 -> 256, barriers inserted: 0
// CHECK-NEXT: equal, no race
// EXISTING: buffers: 2 of 2, bytes: 512 -> 256, barriers inserted: 0
// EXISTING: equal, no race

!tile = memref<8x8xf32, #gpu.address_space<workgroup>>
!line = memref<64xf32, #gpu.address_space<workgroup>>
!map = !nvgpu.tensormap.descriptor<tensor = !tile, swizzle = none, l2promo = none, oob = zero, interleave = none>
!mbarrier = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
!in = memref<8x32xf32>
!row = memref<64xf32>

gpu.module @kernels {
  llvm.func @race_map(!llvm.ptr, i64, i64, i64, i64) -> !llvm.ptr
  gpu.func @tiles(%in: !in, %out: !row) kernel {
    %address = memref.extract_aligned_pointer_as_index %in : !in -> index
    %number = arith.index_cast %address : index to i64
    %base = llvm.inttoptr %number : i64 to !llvm.ptr
    %pitch = llvm.mlir.constant(32 : i64) : i64
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
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %y = memref.alloc() : !line
    %m = nvgpu.mbarrier.create -> !mbarrier
    nvgpu.mbarrier.init %m[%c0], %c1, predicate = %first : !mbarrier
    gpu.barrier
    %sum, %last = affine.for %k = 0 to 4 iter_args(%before = %zero, %parity = %even) -> (f32, i1) {
      %column = affine.apply affine_map<(k) -> (8 * k)>(%k)
      nvgpu.mbarrier.arrive.expect_tx %m[%c0], %bytes, predicate = %first : !mbarrier
      nvgpu.tma.async.load %map[%column, %c0], %m[%c0] to %x, predicate = %first : !map, !mbarrier -> !tile
      nvgpu.mbarrier.try_wait.parity %m[%c0], %parity, %t : !mbarrier
      %e = affine.load %x[%t mod 8, %t floordiv 8] : !tile
      %next = arith.addf %before, %e : f32
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
      gpu.barrier
      %other = arith.xori %parity, %odd : i1
      affine.yield %next, %other : f32, i1
    }
    affine.store %sum, %y[%t] : !line
    gpu.barrier
    %turned = affine.load %y[63 - %t] : !line
    affine.store %turned, %out[%t] : !row
    gpu.return
  }
}
