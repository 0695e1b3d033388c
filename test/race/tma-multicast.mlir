// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// One workgroup of a cluster brings a tile to both: X may be written from outside while Y
// is still in use here, so nobody shares with X. Z may take the bytes of Y.
// RUN: %race --cluster=2 %s | FileCheck %s
// RUN: %status 1 %race --cluster=2 %s --arena="test-break-rule=own-proxies verify=false" 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: not %berth-opt %s --pass-pipeline='builtin.module(berth-arena{test-break-rule=own-proxies})' -o %t.out 2>&1 | FileCheck %s --check-prefix=REFUSED
// REFUSED: error: touches bytes of the arena that something no barrier orders may still use through another buffer

// CHECK: buffers: 3 of 3, bytes: 768 -> 512, barriers inserted: 1
// CHECK-NEXT: equal, no race
// CHECK-NEXT: without barrier 1: race
// RACE: race.sh: {{a race in the planned kernel|the planned kernel computes something else}}

!tile = memref<8x8xf32, #gpu.address_space<workgroup>>
!line = memref<64xf32, #gpu.address_space<workgroup>>
!map = !nvgpu.tensormap.descriptor<tensor = !tile, swizzle = none, l2promo = none, oob = zero, interleave = none>
!mbarrier = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
!in = memref<8x8xf32>
!row = memref<128xf32>

gpu.module @kernels {
  llvm.func @race_map(!llvm.ptr, i64, i64, i64, i64) -> !llvm.ptr
  gpu.func @tiles(%in: !in, %out: !row) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %address = memref.extract_aligned_pointer_as_index %in : !in -> index
    %number = arith.index_cast %address : index to i64
    %base = llvm.inttoptr %number : i64 to !llvm.ptr
    %eight = llvm.mlir.constant(8 : i64) : i64
    %four = llvm.mlir.constant(4 : i64) : i64
    %at = llvm.call @race_map(%base, %eight, %four, %eight, %eight) : (!llvm.ptr, i64, i64, i64, i64) -> !llvm.ptr
    %map = builtin.unrealized_conversion_cast %at : !llvm.ptr to !map
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %bytes = arith.constant 256 : index
    %both = arith.constant 3 : i16
    %even = arith.constant false
    %zero = arith.constant 0 : i32
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %first = arith.cmpi eq, %t, %c0 : index
    %leads = arith.cmpi eq, %rank, %zero : i32
    %brings = arith.andi %first, %leads : i1
    %start = arith.muli %b, %c64 : index
    %g = arith.addi %start, %t : index
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %y = memref.alloc() : !line
    %z = memref.alloc() : !line
    %m = nvgpu.mbarrier.create -> !mbarrier
    nvgpu.mbarrier.init %m[%c0], %c1, predicate = %first : !mbarrier
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    %v = affine.load %in[%t mod 8, %t floordiv 8] : !in
    affine.store %v, %y[%t] : !line
    gpu.barrier
    %a = affine.load %y[63 - %t] : !line
    affine.store %a, %z[%t] : !line
    gpu.barrier
    %c = affine.load %z[(%t + 1) mod 64] : !line
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    nvgpu.mbarrier.arrive.expect_tx %m[%c0], %bytes, predicate = %first : !mbarrier
    nvgpu.tma.async.load %map[%c0, %c0], %m[%c0] to %x multicast_mask = %both, predicate = %brings : !map, !mbarrier -> !tile
    nvgpu.mbarrier.try_wait.parity %m[%c0], %even, %t : !mbarrier
    %e = affine.load %x[%t mod 8, %t floordiv 8] : !tile
    %r = arith.addf %c, %e : f32
    memref.store %r, %out[%g] : !row
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    gpu.return
  }
}
