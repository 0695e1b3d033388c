// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// Two workgroups of a cluster, at the same time: each reads what the other one has
// written to its X. Y and Z are nobody else's, and share.
// RUN: %race --cluster=2 %s 32 | FileCheck %s
// RUN: %status 1 %race --cluster=2 %s 32 --arena="test-break-rule=no-escapes verify=false" 2>&1 | FileCheck %s --check-prefix=RACE

// CHECK: buffers: 3 of 3, bytes: 384 -> 256, barriers inserted: 1
// CHECK-NEXT: equal, no race
// CHECK-NEXT: without barrier 1: race
// RACE: race.sh: {{a race in the planned kernel|the planned kernel computes something else}}

!line = memref<32xi32, #gpu.address_space<workgroup>>
!row = memref<64xi32>
!struct = !llvm.struct<(ptr<3>, ptr<3>, i64, array<1 x i64>, array<1 x i64>)>

gpu.module @kernels {
  gpu.func @cluster(%in: !row, %out: !row) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %one = arith.constant 1 : i32
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %base = arith.muli %b, %c32 : index
    %g = arith.addi %base, %t : index
    %i = arith.index_cast %t : index to i64
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %peer = arith.xori %rank, %one : i32
    %x = memref.alloc() : !line
    %y = memref.alloc() : !line
    %z = memref.alloc() : !line
    %v = memref.load %in[%g] : !row
    memref.store %v, %x[%t] : !line
    %d = builtin.unrealized_conversion_cast %x : !line to !struct
    %p = llvm.extractvalue %d[1] : !struct
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    %q = nvvm.mapa %p, %peer : !llvm.ptr<3> -> !llvm.ptr<7>
    %e = llvm.getelementptr %q[%i] : (!llvm.ptr<7>, i64) -> !llvm.ptr<7>, i32
    %w = llvm.load %e : !llvm.ptr<7> -> i32
    memref.store %w, %y[%t] : !line
    gpu.barrier
    %a = affine.load %y[31 - %t] : !line
    memref.store %a, %z[%t] : !line
    gpu.barrier
    %c = affine.load %z[(%t + 1) mod 32] : !line
    %s = arith.addi %c, %v : i32
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    memref.store %s, %out[%g] : !row
    gpu.return
  }
}
