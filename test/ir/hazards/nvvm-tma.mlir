// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// What TMA and wgmma of the nvvm dialect use, by pointers and numbers that hold addresses, shares
// its bytes with nobody: no wait or barrier is known to end it. berth-multi-buffer says so.
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-arena)' | FileCheck %s
// RUN: %berth-opt %s --remarks-filter=berth-multi-buffer --pass-pipeline='builtin.module(berth-multi-buffer)' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-arena{verify=false test-break-rule=own-proxies})' | FileCheck %s --check-prefix=BROKEN
// RUN: not %berth-opt %s --pass-pipeline='builtin.module(berth-arena{test-break-rule=own-proxies})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REFUSED
// REFUSED: error: touches bytes of the arena that something no barrier orders may still use through another buffer

!tile = memref<8x8xf32, #gpu.address_space<workgroup>>
!line = memref<64xf32, #gpu.address_space<workgroup>>
!bar = memref<1xi64, #gpu.address_space<workgroup>>
!a = memref<64x16xf16, #gpu.address_space<workgroup>>
!b = memref<16x8xf16, #gpu.address_space<workgroup>>
!long = memref<576xf32, #gpu.address_space<workgroup>>
!acc = !llvm.struct<(f32, f32, f32, f32)>

gpu.module @kernels {
  // 256 bytes of the tile, 8 of the mbarrier, 256 of the scratch buffer.
  // CHECK-LABEL: gpu.func @load
  // CHECK-SAME: memref<520xi8,
  // BROKEN-LABEL: gpu.func @load
  // BROKEN-SAME: memref<264xi8,
  gpu.func @load(%d: !llvm.ptr, %out: memref<64xf32>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %first = arith.cmpi eq, %t, %c0 : index
    %i0 = arith.constant 0 : i32
    %i1 = arith.constant 1 : i32
    %bytes = arith.constant 256 : i32
    %zero = arith.constant 0.0 : f32
    %ticks = arith.constant 1000 : i32
    // REMARK: :[[#@LINE+1]]:10: remark: [Missed] {{.*}}gets no slots: what fills or uses it goes on behind the op, and nothing known ends it (nvvm.cp.async.bulk.tensor
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %m = memref.alloc() : !bar
    %y = memref.alloc() : !line
    %ma = memref.extract_aligned_pointer_as_index %m : !bar -> index
    %mi = arith.index_cast %ma : index to i64
    %mp = llvm.inttoptr %mi : i64 to !llvm.ptr<3>
    %xa = memref.extract_aligned_pointer_as_index %x : !tile -> index
    %xi = arith.index_cast %xa : index to i64
    %xp = llvm.inttoptr %xi : i64 to !llvm.ptr<3>
    %xc = llvm.addrspacecast %xp : !llvm.ptr<3> to !llvm.ptr<7>
    nvvm.mbarrier.init %mp, %i1, predicate = %first : !llvm.ptr<3>, i32, i1
    gpu.barrier
    scf.for %k = %c0 to %c8 step %c1 {
      %col = arith.index_cast %k : index to i32
      nvvm.mbarrier.arrive.expect_tx %mp, %bytes, predicate = %first : !llvm.ptr<3>, i32, i1
      nvvm.cp.async.bulk.tensor.shared.cluster.global %xc, %d, %mp, box[%col, %i0] predicate = %first : !llvm.ptr<7>, !llvm.ptr
      nvvm.mbarrier.try_wait.parity %mp, %i0, %ticks : !llvm.ptr<3>, i32, i32
      %e = memref.load %x[%c0, %c1] : !tile
      memref.store %e, %out[%t] : memref<64xf32>
      gpu.barrier
    }
    memref.store %zero, %y[%t] : !line
    gpu.barrier
    %v = memref.load %y[%t] : !line
    memref.store %v, %out[%t] : memref<64xf32>
    gpu.return
  }

  // 2048 bytes of A, 256 of B, 2304 of the scratch buffer; the wait for the group, and the barrier
  // behind it, free nothing: numbers hold their addresses, and what reads by these is nobody's that is known.
  // CHECK-LABEL: gpu.func @product
  // CHECK-SAME: memref<4608xi8,
  gpu.func @product(%out: memref<64xf32>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %half = arith.constant 0.0 : f16
    %none = llvm.mlir.undef : !acc
    %a = memref.alloc() {alignment = 128 : i64} : !a
    %b = memref.alloc() {alignment = 128 : i64} : !b
    %y = memref.alloc() : !long
    memref.store %half, %a[%t, %c0] : !a
    memref.store %half, %b[%c0, %c0] : !b
    %aa = memref.extract_aligned_pointer_as_index %a : !a -> index
    %ai = arith.index_cast %aa : index to i64
    %ba = memref.extract_aligned_pointer_as_index %b : !b -> index
    %bi = arith.index_cast %ba : index to i64
    %mask = arith.constant 262143 : i64
    %four = arith.constant 4 : i64
    %layout = arith.constant 4611686293305294848 : i64
    %am = arith.andi %ai, %mask : i64
    %as = arith.shrui %am, %four : i64
    %da = arith.ori %as, %layout : i64
    %bm = arith.andi %bi, %mask : i64
    %bs = arith.shrui %bm, %four : i64
    %db = arith.ori %bs, %layout : i64
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    nvvm.wgmma.fence.aligned
    %r = nvvm.wgmma.mma_async %da, %db, %none, #nvvm.shape<m = 64, n = 8, k = 16>,
      D [<f32>, #nvvm.wgmma_scale_out<zero>], A [<f16>, #nvvm.wgmma_scale_in<one>, <row>], B [<f16>, #nvvm.wgmma_scale_in<one>, <col>]
      : !acc -> !acc
    nvvm.wgmma.commit.group.sync.aligned
    nvvm.wgmma.wait.group.sync.aligned 0
    gpu.barrier
    memref.store %zero, %y[%t] : !long
    gpu.barrier
    %v = memref.load %y[%t] : !long
    memref.store %v, %out[%t] : memref<64xf32>
    gpu.return
  }
}
