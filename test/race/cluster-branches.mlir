// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// Two workgroups of a cluster: one reads the other's X, which meanwhile uses Y on the
// other branch. Within a workgroup all threads agree on the branch, but the cluster does
// not: they meet at two different barriers of the text, and none in the kernel counts.
// RUN: %race --cluster=2 %s 32 | FileCheck %s
// RUN: %status 1 %race --cluster=2 %s 32 --arena="test-break-rule=clusters-agree verify=false" 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: not %berth-opt %s --pass-pipeline='builtin.module(berth-arena{test-break-rule=clusters-agree})' 2>&1 | FileCheck %s --check-prefix=REFUSED

// CHECK: buffers: 2 of 2, bytes: 256 -> 256, barriers inserted: 0
// CHECK-NEXT: equal, no race
// RACE: race.sh: {{a race in the planned kernel|the planned kernel computes something else}}
// REFUSED: error: touches bytes of the arena that

!line = memref<32xi32, #gpu.address_space<workgroup>>
!row = memref<64xi32>
!struct = !llvm.struct<(ptr<3>, ptr<3>, i64, array<1 x i64>, array<1 x i64>)>

gpu.module @kernels {
  gpu.func @branches(%in: !row, %out: !row) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %base = arith.muli %b, %c32 : index
    %g = arith.addi %base, %t : index
    %i = arith.index_cast %t : index to i64
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %peer = arith.xori %rank, %one : i32
    %isFirst = arith.cmpi eq, %rank, %zero : i32
    %x = memref.alloc() : !line
    %y = memref.alloc() : !line
    %v = memref.load %in[%g] : !row
    memref.store %v, %x[%t] : !line
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    %r = scf.if %isFirst -> i32 {
      nvvm.cluster.arrive {aligned}
      nvvm.cluster.wait {aligned}
      %d = builtin.unrealized_conversion_cast %x : !line to !struct
      %p = llvm.extractvalue %d[1] : !struct
      %q = nvvm.mapa %p, %peer : !llvm.ptr<3> -> !llvm.ptr<7>
      %e = llvm.getelementptr %q[%i] : (!llvm.ptr<7>, i64) -> !llvm.ptr<7>, i32
      %w = llvm.load %e : !llvm.ptr<7> -> i32
      scf.yield %w : i32
    } else {
      nvvm.cluster.arrive {aligned}
      nvvm.cluster.wait {aligned}
      memref.store %v, %y[%t] : !line
      gpu.barrier
      %a = affine.load %y[31 - %t] : !line
      scf.yield %a : i32
    }
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    memref.store %r, %out[%g] : !row
    gpu.return
  }
}
