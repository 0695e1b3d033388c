// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// Two workgroups of a cluster, at the same time: each writes to the other one's X, and
// reads the other one's Y. A full barrier of the cluster stands between the last access
// to X, by whomever, and the first to Y, so Y has the bytes of X.
// RUN: %race --cluster=2 %s 32 | FileCheck %s
// A barrier of the workgroup does not end what other workgroups do, nor does one that is
// relaxed, or whose halves stand apart.
// RUN: %status 1 %race --cluster=2 %s 32 --arena="test-break-rule=lone-workgroups verify=false" 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: %status 1 %race --cluster=2 %s 32 --arena="test-break-rule=any-cluster-wait verify=false" 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: not %berth-opt %s --pass-pipeline='builtin.module(berth-arena{test-break-rule=lone-workgroups})' 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: not %berth-opt %s --pass-pipeline='builtin.module(berth-arena{test-break-rule=any-cluster-wait})' 2>&1 | FileCheck %s --check-prefix=REFUSED

// X, Y and W follow each other behind full barriers; Z and U come when the other
// workgroup may still read Y or W, and share with each other.
// CHECK: buffers: 5 of 5, bytes: 640 -> 256, barriers inserted: 0
// CHECK-NEXT: equal, no race
// RACE: race.sh: {{a race in the planned kernel|the planned kernel computes something else}}
// REFUSED: error: touches bytes of the arena that

!line = memref<32xi32, #gpu.address_space<workgroup>>
!row = memref<64xi32>
!struct = !llvm.struct<(ptr<3>, ptr<3>, i64, array<1 x i64>, array<1 x i64>)>

gpu.module @kernels {
  gpu.func @exchange(%in: !row, %out: !row) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
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
    %w = memref.alloc() : !line
    %u = memref.alloc() : !line
    %v = memref.load %in[%g] : !row

    // X of the other workgroup is written.
    %dx = builtin.unrealized_conversion_cast %x : !line to !struct
    %px = llvm.extractvalue %dx[1] : !struct
    %qx = nvvm.mapa %px, %peer : !llvm.ptr<3> -> !llvm.ptr<7>
    %ex = llvm.getelementptr %qx[%i] : (!llvm.ptr<7>, i64) -> !llvm.ptr<7>, i32
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    llvm.store %v, %ex : i32, !llvm.ptr<7>
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    %a = affine.load %x[31 - %t] : !line

    // Y: written here, read there. A relaxed barrier brings no reads that were done
    // before it.
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    memref.store %a, %y[%t] : !line
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    %dy = builtin.unrealized_conversion_cast %y : !line to !struct
    %py = llvm.extractvalue %dy[1] : !struct
    %qy = nvvm.mapa %py, %peer : !llvm.ptr<3> -> !llvm.ptr<7>
    %ey = llvm.getelementptr %qy[%i] : (!llvm.ptr<7>, i64) -> !llvm.ptr<7>, i32
    %r = llvm.load %ey : !llvm.ptr<7> -> i32
    nvvm.cluster.arrive.relaxed {aligned}
    nvvm.cluster.wait {aligned}
    gpu.barrier
    memref.store %r, %z[%t] : !line
    gpu.barrier
    %c = affine.load %z[(%t + 1) mod 32] : !line

    // W: what is read between the halves of a barrier may come behind it.
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    memref.store %c, %w[%t] : !line
    %dw = builtin.unrealized_conversion_cast %w : !line to !struct
    %pw = llvm.extractvalue %dw[1] : !struct
    %qw = nvvm.mapa %pw, %peer : !llvm.ptr<3> -> !llvm.ptr<7>
    %ew = llvm.getelementptr %qw[%i] : (!llvm.ptr<7>, i64) -> !llvm.ptr<7>, i32
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    nvvm.cluster.arrive {aligned}
    %f = llvm.load %ew : !llvm.ptr<7> -> i32
    nvvm.cluster.wait {aligned}
    gpu.barrier
    memref.store %f, %u[%t] : !line
    gpu.barrier
    %d = affine.load %u[31 - %t] : !line
    %s = arith.addi %c, %d : i32
    memref.store %s, %out[%g] : !row
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    gpu.return
  }
}
