// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop that a flag in shared memory ends. All threads read it between two
// barriers, so they leave together, and the barriers in the loop count; what comes
// behind it may have the flag's bytes.
// RUN: %race %s | FileCheck %s

// CHECK: buffers: 4 of 4, bytes: 772 -> 260, barriers inserted: 1
// CHECK-NEXT: equal, no race
// CHECK-NEXT: without barrier 1: race
//
// RUN: %race --keep-barriers --arena=arena=dynamic %s | FileCheck %s --check-prefix=DYNAMIC
// DYNAMIC: bytes: 772 -> 260, barriers inserted: 1
// DYNAMIC-NEXT: equal, no race

!line = memref<64xi32, #gpu.address_space<workgroup>>
!flag = memref<1xi32, #gpu.address_space<workgroup>>
!row = memref<64xi32>

gpu.module @kernels {
  gpu.func @flag(%in: !row, %out: !row) kernel {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %three = arith.constant 3 : i32
    %t = gpu.thread_id x
    %first = arith.cmpi eq, %t, %c0 : index
    %flag = memref.alloc() : !flag
    scf.if %first {
      memref.store %three, %flag[%c0] : !flag
    }
    %start = memref.load %in[%t] : !row
    %end, %left = scf.while (%v = %start) : (i32) -> (i32, i32) {
      gpu.barrier
      %f = memref.load %flag[%c0] : !flag
      gpu.barrier
      %more = arith.cmpi sgt, %f, %zero : i32
      scf.condition(%more) %v, %f : i32, i32
    } do {
    ^bb0(%v: i32, %f: i32):
      %a = memref.alloc() : !line
      %b = memref.alloc() : !line
      memref.store %v, %a[%t] : !line
      gpu.barrier
      %u = affine.load %a[63 - %t] : !line
      memref.store %u, %b[%t] : !line
      gpu.barrier
      %w = affine.load %b[(%t + 5) mod 64] : !line
      %next = arith.addi %w, %one : i32
      %less = arith.subi %f, %one : i32
      scf.if %first {
        memref.store %less, %flag[%c0] : !flag
      }
      scf.yield %next : i32
    }
    %c = memref.alloc() : !line
    memref.store %end, %c[%t] : !line
    gpu.barrier
    %r = affine.load %c[63 - %t] : !line
    memref.store %r, %out[%t] : !row
    gpu.return
  }
}
