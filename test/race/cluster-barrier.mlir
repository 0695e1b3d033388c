// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// The barrier of a cluster is one of the workgroup where threads wait at once; one
// that is relaxed, or whose halves stand apart, is not. (The cluster is one
// workgroup.)
// RUN: %race %s | FileCheck %s
// RUN: %status 1 %race %s --arena="test-break-rule=any-cluster-wait verify=false" 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: not %berth-opt %s --pass-pipeline='builtin.module(berth-arena{test-break-rule=any-cluster-wait})' 2>&1 | FileCheck %s --check-prefix=REFUSED

// CHECK: buffers: 3 of 3, bytes: 768 -> 256, barriers inserted: 2
// CHECK-NEXT: equal, no race
// CHECK-NEXT: without barrier 1: race
// CHECK-NEXT: without barrier 2: race
// RACE: race.sh: {{a race in the planned kernel|the planned kernel computes something else}}
// REFUSED: error: touches bytes of the arena that other threads may still use

!line = memref<64xi32, #gpu.address_space<workgroup>>
!row = memref<64xi32>

gpu.module @kernels {
  gpu.func @clusters(%in: !row, %out: !row) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !line
    %y = memref.alloc() : !line
    %z = memref.alloc() : !line
    %v = memref.load %in[%t] : !row
    memref.store %v, %x[%t] : !line
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    %a = affine.load %x[63 - %t] : !line
    nvvm.cluster.arrive.relaxed {aligned}
    nvvm.cluster.wait {aligned}
    memref.store %a, %y[%t] : !line
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    nvvm.cluster.arrive {aligned}
    %b = affine.load %y[63 - %t] : !line
    nvvm.cluster.wait {aligned}
    memref.store %b, %z[%t] : !line
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    %c = affine.load %z[(%t + 1) mod 64] : !line
    %s = arith.addi %a, %b : i32
    %r = arith.addi %s, %c : i32
    memref.store %r, %out[%t] : !row
    gpu.return
  }
}
