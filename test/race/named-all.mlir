// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A barrier with a number that waits for all threads of the block is one of the
// workgroup; one that waits for half of them lets X be read while Y is written.
// RUN: %race %s | FileCheck %s
// RUN: %status 1 %race %s --arena="test-break-rule=some-threads verify=false" 2>&1 | FileCheck %s --check-prefix=RACE

// CHECK: buffers: 3 of 3, bytes: 768 -> 256, barriers inserted: 1
// CHECK-NEXT: equal, no race
// CHECK-NEXT: without barrier 1: race
// RACE: race.sh: {{a race in the planned kernel|the planned kernel computes something else}}

!line = memref<64xi32, #gpu.address_space<workgroup>>
!row = memref<64xi32>

gpu.module @kernels {
  gpu.func @named(%in: !row, %out: !row) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %half = arith.constant 32 : i32
    %all = arith.constant 64 : i32
    %t = gpu.thread_id x
    %x = memref.alloc() : !line
    %y = memref.alloc() : !line
    %z = memref.alloc() : !line
    %v = memref.load %in[%t] : !row
    memref.store %v, %x[%t] : !line
    nvvm.barrier id = %one number_of_threads = %all
    %a = affine.load %x[63 - %t] : !line
    nvvm.barrier id = %one number_of_threads = %all
    memref.store %a, %y[%t] : !line
    nvvm.barrier id = %one number_of_threads = %all
    %b = affine.load %y[63 - %t] : !line
    // One warp after the other.
    nvvm.barrier id = %two number_of_threads = %half
    memref.store %b, %z[%t] : !line
    nvvm.barrier id = %one number_of_threads = %all
    %c = affine.load %z[(%t + 1) mod 64] : !line
    %s = arith.addi %a, %b : i32
    %r = arith.addi %s, %c : i32
    memref.store %r, %out[%t] : !row
    gpu.return
  }
}
