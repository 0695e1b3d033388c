// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffers that were hoisted out of the loop, overwritten by all threads in each
// turn; the barriers in between stand in a called function.
// RUN: %race %s | FileCheck %s
// RUN: %race %s --arena=barriers=existing | FileCheck %s
// Where the function may be passed without a barrier, nothing counts on it.
// RUN: sed 's/^    gpu.barrier/    scf.if %%c {\n    gpu.barrier\n    }/' %s > %t.open.mlir
// RUN: %race %t.open.mlir --arena=barriers=existing | FileCheck %s --check-prefix=OPEN
// RUN: not %mlir-opt-berth %t.open.mlir -o /dev/null --pass-pipeline='builtin.module(berth-arena{barriers=existing test-break-rule=closed-calls})' 2>&1 | FileCheck %s --check-prefix=REFUSED

// CHECK: buffers: 2 of 2, bytes: 656 -> 400, barriers inserted: 0
// CHECK-NEXT: equal, no race
// OPEN: buffers: 2 of 2, bytes: 656 -> 656, barriers inserted: 0
// OPEN-NEXT: equal, no race
// REFUSED: error: reads a buffer whose bytes in the arena may have been overwritten

#w = #gpu.address_space<workgroup>
!a = memref<100xi32, #w>
!b = memref<64xi32, #w>
!in = memref<64xi32>
!out = memref<4x64xi32>
gpu.module @kernels {
  func.func private @meet() {
    %block = gpu.block_id x
    %few = arith.constant 7 : index
    %c = arith.cmpi ult, %block, %few : index
    gpu.barrier
    return
  }
  gpu.func @hoisted(%in: !in, %out: !out) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c64 = arith.constant 64 : index
    %c100 = arith.constant 100 : index
    %v = memref.load %in[%t] : !in
    %a = memref.alloc() : !a
    %b = memref.alloc() : !b
    scf.for %i = %c0 to %c4 step %c1 {
      scf.for %j = %t to %c100 step %c64 {
        memref.store %v, %a[%j] : !a
      }
      func.call @meet() : () -> ()
      %x = affine.load %a[99 - %t] : !a
      func.call @meet() : () -> ()
      memref.store %x, %b[%t] : !b
      func.call @meet() : () -> ()
      %y = affine.load %b[63 - %t] : !b
      memref.store %y, %out[%i, %t] : !out
      func.call @meet() : () -> ()
    }
    gpu.return
  }
}
