// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared memory that is declared: an attribution, a global, and two stretches of
// dynamic shared memory, of which one has a view of its upper half. With
// existing=pack they are buffers like others.
// RUN: %race --arena=existing=pack %s | FileCheck %s
// CHECK: buffers: 4 of 4, bytes: 1024 -> 256, barriers inserted: 2
// CHECK-NEXT: equal, no race
// CHECK-NEXT: without barrier 1: race
// CHECK-NEXT: without barrier 2: race
// As dynamic shared memory again.
// RUN: %race --arena="existing=pack arena=dynamic" %s | FileCheck %s --check-prefix=DYNAMIC
// DYNAMIC: bytes: 1024 -> 256, barriers inserted: 2
// DYNAMIC-NEXT: equal, no race
//
// Two views of the same bytes are one buffer: else what the one writes is not
// what the other reads.
// RUN: %status 1 %race --arena="existing=pack test-break-rule=apart-ranges verify=false" %s 2>&1 | FileCheck %s --check-prefix=APART
// APART: race.sh: the planned kernel computes something else
// RUN: not %mlir-opt-berth %s -o /dev/null --pass-pipeline='builtin.module(berth-arena{existing=pack test-break-rule=apart-ranges})' 2>&1 | FileCheck %s --check-prefix=VERIFY
// VERIFY: error: had bytes of the dynamic shared memory in common with another view, and has not the same ones in the arena

#workgroup = #gpu.address_space<workgroup>

gpu.module @kernels {
  memref.global "private" @g : memref<64xf32, #workgroup> {alignment = 16}
  gpu.func @existing(%in: memref<64xf32>, %out: memref<64xf32>)
      workgroup(%a: memref<64xf32, #workgroup>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c31 = arith.constant 31 : index
    %c63 = arith.constant 63 : index
    %c128 = arith.constant 128 : index
    %c512 = arith.constant 512 : index
    %back = arith.subi %c63, %t : index
    %low = arith.andi %t, %c31 : index
    %d = gpu.dynamic_shared_memory : memref<?xi8, #workgroup>
    %b = memref.view %d[%c0][] : memref<?xi8, #workgroup> to memref<64xf32, #workgroup>
    %upper = memref.view %d[%c128][] : memref<?xi8, #workgroup> to memref<32xf32, #workgroup>
    %c = memref.view %d[%c512][] : memref<?xi8, #workgroup> to memref<64xf32, #workgroup>
    %v = memref.load %in[%t] : memref<64xf32>
    memref.store %v, %a[%t] : memref<64xf32, #workgroup>
    gpu.barrier
    %w = memref.load %a[%back] : memref<64xf32, #workgroup>
    memref.store %w, %b[%t] : memref<64xf32, #workgroup>
    gpu.barrier
    %x = memref.load %upper[%low] : memref<32xf32, #workgroup>
    %y = memref.load %b[%back] : memref<64xf32, #workgroup>
    %g = memref.get_global @g : memref<64xf32, #workgroup>
    %s = arith.addf %x, %y : f32
    memref.store %s, %g[%t] : memref<64xf32, #workgroup>
    gpu.barrier
    %again = memref.get_global @g : memref<64xf32, #workgroup>
    %z = memref.load %again[%back] : memref<64xf32, #workgroup>
    gpu.barrier
    memref.store %z, %c[%back] : memref<64xf32, #workgroup>
    gpu.barrier
    %r = memref.load %c[%t] : memref<64xf32, #workgroup>
    memref.store %r, %out[%t] : memref<64xf32>
    gpu.return
  }
}
