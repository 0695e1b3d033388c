// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// Direct loads to LDS, which a counter ends: X is free behind a wait that lets no load
// pend, and a barrier. Of W nobody reads what comes, until a waitcnt's word it comes all the
// same: Y is kept apart from it, Z is not.
// RUN: %race %s | FileCheck %s
// RUN: %status 1 %race %s --arena="test-break-rule=no-async verify=false" 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: not %berth-opt %s --pass-pipeline='builtin.module(berth-arena{test-break-rule=no-async})' -o %t.out 2>&1 | FileCheck %s --check-prefix=REFUSED
// CHECK: buffers: 4 of 4, bytes: 1024 -> 512, barriers inserted: 1
// CHECK-NEXT: equal, no race
// CHECK-NEXT: without barrier 1: race
// RACE: race.sh: {{a race in the planned kernel|the planned kernel computes something else}}
// REFUSED: error: touches bytes of the arena that

!shared = memref<64xf32, #gpu.address_space<workgroup>>
!global = memref<64xf32, #gpu.address_space<global>>
!row = memref<64xf32>

gpu.module @kernels {
  gpu.func @loads(%in: !row, %out: !row) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %from = memref.memory_space_cast %in : !row to !global
    %x = memref.alloc() : !shared
    %w = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %z = memref.alloc() : !shared
    amdgpu.gather_to_lds %from[%t], %x[%c0] : f32, !global, !shared
    amdgpu.memory_counter_wait load(0)
    gpu.barrier
    %a = affine.load %x[63 - %t] : !shared
    amdgpu.gather_to_lds %from[%t], %w[%c0] : f32, !global, !shared
    memref.store %a, %y[%t] : !shared
    gpu.barrier
    %b = affine.load %y[(%t + 1) mod 64] : !shared
    rocdl.s.waitcnt 112
    gpu.barrier
    amdgpu.gather_to_lds %from[%t], %z[%c0] : f32, !global, !shared
    rocdl.s.waitcnt 112
    gpu.barrier
    %c = affine.load %z[(%t + 5) mod 64] : !shared
    %s = arith.addf %b, %c : f32
    memref.store %s, %out[%t] : !row
    gpu.return
  }
}
