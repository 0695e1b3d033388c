// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One thread loads under a condition in place of a predicate. It is the same in all turns, so
// berth-multi-buffer makes predicates of it, and slots.
// RUN: %race --keep-barriers --before='berth-multi-buffer{factor=3}' %s | FileCheck %s
// CHECK: buffers: 3 of 3, bytes: 2304 -> 1536, barriers inserted: 0
// CHECK-NEXT: equal, no race

!tile = memref<8x8xf32, #gpu.address_space<workgroup>>
!scratch = memref<192xf32, #gpu.address_space<workgroup>>
!map = !nvgpu.tensormap.descriptor<tensor = !tile, swizzle = none, l2promo = none, oob = zero, interleave = none>
!mbarrier = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
!in = memref<8x96xf32>
!row = memref<64xf32>

gpu.module @kernels {
  llvm.func @race_map(!llvm.ptr, i64, i64, i64, i64) -> !llvm.ptr
  gpu.func @tiles(%in: !in, %out: !row, %n: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %address = memref.extract_aligned_pointer_as_index %in : !in -> index
    %number = arith.index_cast %address : index to i64
    %base = llvm.inttoptr %number : i64 to !llvm.ptr
    %pitch = llvm.mlir.constant(96 : i64) : i64
    %four = llvm.mlir.constant(4 : i64) : i64
    %eight = llvm.mlir.constant(8 : i64) : i64
    %at = llvm.call @race_map(%base, %pitch, %four, %eight, %eight) : (!llvm.ptr, i64, i64, i64, i64) -> !llvm.ptr
    %map = builtin.unrealized_conversion_cast %at : !llvm.ptr to !map
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c63 = arith.constant 63 : index
    %c8 = arith.constant 8 : index
    %bytes = arith.constant 512 : index
    %zero = arith.constant 0.0 : f32
    %even = arith.constant false
    %odd = arith.constant true
    %first = arith.cmpi eq, %t, %c0 : index
    %u = arith.subi %c63, %t : index
    %r = arith.remui %u, %c8 : index
    %q = arith.divui %u, %c8 : index
    %lb = arith.addi %n, %c1 : index
    %n3 = arith.muli %n, %c3 : index
    %ub = arith.subi %n3, %c1 : index
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %y = memref.alloc() {alignment = 128 : i64} : !tile
    %s = memref.alloc() : !scratch
    %m = nvgpu.mbarrier.create -> !mbarrier
    nvgpu.mbarrier.init %m[%c0], %c1, predicate = %first : !mbarrier
    gpu.barrier
    %sum, %last = scf.for %k = %lb to %ub step %c1 iter_args(%before = %zero, %parity = %even) -> (f32, i1) {
      %column = arith.muli %k, %c8 : index
      %k1 = arith.subi %k, %c2 : index
      %other = arith.muli %k1, %c8 : index
      scf.if %first {
        nvgpu.mbarrier.arrive.expect_tx %m[%c0], %bytes, predicate = %odd : !mbarrier
        nvgpu.tma.async.load %map[%column, %c0], %m[%c0] to %x, predicate = %odd : !map, !mbarrier -> !tile
        nvgpu.tma.async.load %map[%other, %c0], %m[%c0] to %y, predicate = %odd : !map, !mbarrier -> !tile
      }
      nvgpu.mbarrier.try_wait.parity %m[%c0], %parity, %t : !mbarrier
      %e = memref.load %x[%r, %q] : !tile
      %f = memref.load %y[%q, %r] : !tile
      %g = arith.subf %e, %f : f32
      %doubled = arith.addf %before, %before : f32
      %next = arith.addf %doubled, %g : f32
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
      gpu.barrier
      %turned = arith.xori %parity, %odd : i1
      scf.yield %next, %turned : f32, i1
    }
    %mine = arith.muli %t, %c3 : index
    %its = arith.muli %u, %c3 : index
    memref.store %sum, %s[%mine] : !scratch
    gpu.barrier
    %v = memref.load %s[%its] : !scratch
    memref.store %v, %out[%t] : !row
    gpu.return
  }
}
