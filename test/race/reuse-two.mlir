// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Three phases in a row, each in the bytes of the last: two barriers.
// RUN: %race %s | FileCheck %s
// With room for two none is inserted: the last and the first are apart already.
// RUN: %race %s --arena=capacity=512 | FileCheck %s --check-prefix=TWO
// RUN: %race %s --arena=barriers=existing | FileCheck %s --check-prefix=TWO

// CHECK: buffers: 3 of 3, bytes: 768 -> 256, barriers inserted: 2
// CHECK-NEXT: equal, no race
// CHECK-NEXT: without barrier 1: race
// CHECK-NEXT: without barrier 2: race
// TWO: buffers: 3 of 3, bytes: 768 -> 512, barriers inserted: 0
// TWO-NEXT: equal, no race
// TWO-NOT: {{.}}

!line = memref<64xi32, #gpu.address_space<workgroup>>
!row = memref<64xi32>

gpu.module @kernels {
  gpu.func @phases(%in: !row, %out: !row) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !line
    %y = memref.alloc() : !line
    %z = memref.alloc() : !line
    %v = affine.load %in[%t] : !row
    affine.store %v, %x[%t] : !line
    gpu.barrier
    %a = affine.load %x[63 - %t] : !line
    affine.store %a, %y[%t] : !line
    gpu.barrier
    %b = affine.load %y[(%t + 3) mod 64] : !line
    affine.store %b, %z[%t] : !line
    gpu.barrier
    %c = affine.load %z[(%t + 5) mod 64] : !line
    affine.store %c, %out[%t] : !row
    gpu.return
  }
}
