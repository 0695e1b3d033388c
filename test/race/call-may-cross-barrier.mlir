// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Some blocks come to the barrier in the function, others do not: the kernel needs
// one of its own. The loop has one in each turn, but there may be no turn, so what
// stands on its two sides is not apart; what it does itself is from what follows.
// RUN: %race %s --blocks=2 | FileCheck %s

// CHECK: buffers: 5 of 5, bytes: 1280 -> 512, barriers inserted: 2
// CHECK-NEXT: equal, no race
// CHECK-NEXT: without barrier 1: race
// CHECK-NEXT: without barrier 2: race
// CHECK-NOT: {{.}}

!line = memref<64xi32, #gpu.address_space<workgroup>>
!row = memref<64xi32>

gpu.module @kernels {
  func.func private @sometimes() {
    %c0 = arith.constant 0 : index
    %b = gpu.block_id x
    %p = arith.cmpi eq, %b, %c0 : index
    scf.if %p {
      gpu.barrier
    }
    return
  }
  func.func private @in_turns(%t: index, %v: i32) -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = gpu.block_id x
    %w = memref.alloc() : !line
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %v) -> i32 {
      memref.store %a, %w[%t] : !line
      gpu.barrier
      %b = affine.load %w[(%t + 7) mod 64] : !line
      gpu.barrier
      scf.yield %b : i32
    }
    return %r : i32
  }
  gpu.func @calls(%in: !row, %out: !row) kernel {
    %t = gpu.thread_id x
    %v = memref.load %in[%t] : !row
    %x = memref.alloc() : !line
    memref.store %v, %x[%t] : !line
    gpu.barrier
    %a = affine.load %x[(%t + 1) mod 64] : !line
    func.call @sometimes() : () -> ()
    %y = memref.alloc() : !line
    memref.store %a, %y[%t] : !line
    gpu.barrier
    %b = affine.load %y[(%t + 2) mod 64] : !line
    %c = func.call @in_turns(%t, %b) : (index, i32) -> i32
    %z = memref.alloc() : !line
    memref.store %c, %z[%t] : !line
    gpu.barrier
    %r = affine.load %z[(%t + 3) mod 64] : !line
    memref.store %r, %out[%t] : !row
    gpu.return
  }
}
