// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A barrier on every way through a function separates what stands on both sides
// of its calls: whatever it does in there, and in whichever of its branches the
// barrier stands.
// RUN: %race %s --blocks=2 | FileCheck %s

// CHECK: buffers: 3 of 3, bytes: 768 -> 256, barriers inserted: 0
// CHECK-NEXT: equal, no race
// CHECK-NOT: {{.}}

!line = memref<64xi32, #gpu.address_space<workgroup>>
!row = memref<64xi32>

gpu.module @kernels {
  func.func private @meet() {
    gpu.barrier
    return
  }
  func.func private @meet_in_branches() {
    %c0 = arith.constant 0 : index
    %b = gpu.block_id x
    %p = arith.cmpi eq, %b, %c0 : index
    scf.if %p {
      gpu.barrier
    } else {
      func.call @meet() : () -> ()
    }
    return
  }
  gpu.func @calls(%in: !row, %out: !row) kernel {
    %t = gpu.thread_id x
    %v = memref.load %in[%t] : !row
    %x = memref.alloc() : !line
    memref.store %v, %x[%t] : !line
    gpu.barrier
    %a = affine.load %x[(%t + 1) mod 64] : !line
    func.call @meet() : () -> ()
    %y = memref.alloc() : !line
    memref.store %a, %y[%t] : !line
    gpu.barrier
    %b = affine.load %y[(%t + 2) mod 64] : !line
    func.call @meet_in_branches() : () -> ()
    %z = memref.alloc() : !line
    memref.store %b, %z[%t] : !line
    gpu.barrier
    %r = affine.load %z[(%t + 3) mod 64] : !line
    memref.store %r, %out[%t] : !row
    gpu.return
  }
}
