// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// Two workgroups of a cluster exchange buffers that a loop allocates: full barriers of
// the cluster stand between all that either does to X in one turn and in the next one.
// Y has the bytes of X in each turn, behind the barrier that ends what the peer reads.
// U's turns are not apart: the barrier at their end brings nothing that was done before,
// so that it is left alone.
// RUN: %race --cluster=2 %s 32 | FileCheck %s
// Believed to be apart it is written while the other workgroup still reads the last one.
// RUN: %status 1 %race --cluster=2 %s 32 --arena="test-break-rule=peers-are-done verify=false" 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: not %berth-opt %s --pass-pipeline='builtin.module(berth-arena{test-break-rule=peers-are-done})' 2>&1 | FileCheck %s --check-prefix=REFUSED

// CHECK: buffers: 3 of 4, bytes: 384 -> 256, barriers inserted: 0
// CHECK-NEXT: equal, no race
// RACE: race.sh: {{a race in the planned kernel|the planned kernel computes something else}}
// REFUSED: error: touches a buffer that has been made anew, and that other workgroups of the cluster may still use as it was

!line = memref<32xi32, #gpu.address_space<workgroup>>
!row = memref<64xi32>
!struct = !llvm.struct<(ptr<3>, ptr<3>, i64, array<1 x i64>, array<1 x i64>)>

gpu.module @kernels {
  gpu.func @turns(%in: !row, %out: !row) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %one = arith.constant 1 : i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %base = arith.muli %b, %c32 : index
    %g = arith.addi %base, %t : index
    %i = arith.index_cast %t : index to i64
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %peer = arith.xori %rank, %one : i32
    %v = memref.load %in[%g] : !row
    %w = scf.for %k = %c0 to %c3 step %c1 iter_args(%a = %v) -> (i32) {
      %x = memref.alloc() : !line
      %y = memref.alloc() : !line
      %z = memref.alloc() : !line
      memref.store %a, %x[%t] : !line
      nvvm.cluster.arrive {aligned}
      nvvm.cluster.wait {aligned}
      %dx = builtin.unrealized_conversion_cast %x : !line to !struct
      %px = llvm.extractvalue %dx[1] : !struct
      %qx = nvvm.mapa %px, %peer : !llvm.ptr<3> -> !llvm.ptr<7>
      %ex = llvm.getelementptr %qx[%i] : (!llvm.ptr<7>, i64) -> !llvm.ptr<7>, i32
      %r = llvm.load %ex : !llvm.ptr<7> -> i32
      memref.store %r, %z[%t] : !line
      nvvm.cluster.arrive {aligned}
      nvvm.cluster.wait {aligned}
      %s = affine.load %z[31 - %t] : !line
      memref.store %s, %y[%t] : !line
      gpu.barrier
      %d = affine.load %y[(%t + 5) mod 32] : !line
      %e = arith.addi %a, %d : i32
      nvvm.cluster.arrive {aligned}
      nvvm.cluster.wait {aligned}
      scf.yield %e : i32
    }
    %u = scf.for %k = %c0 to %c3 step %c1 iter_args(%a = %w) -> (i32) {
      %x = memref.alloc() : !line
      memref.store %a, %x[%t] : !line
      nvvm.cluster.arrive {aligned}
      nvvm.cluster.wait {aligned}
      %dx = builtin.unrealized_conversion_cast %x : !line to !struct
      %px = llvm.extractvalue %dx[1] : !struct
      %qx = nvvm.mapa %px, %peer : !llvm.ptr<3> -> !llvm.ptr<7>
      %ex = llvm.getelementptr %qx[%i] : (!llvm.ptr<7>, i64) -> !llvm.ptr<7>, i32
      %r = llvm.load %ex : !llvm.ptr<7> -> i32
      nvvm.cluster.arrive.relaxed {aligned}
      nvvm.cluster.wait {aligned}
      gpu.barrier
      scf.yield %r : i32
    }
    memref.store %u, %out[%g] : !row
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    gpu.return
  }
}
