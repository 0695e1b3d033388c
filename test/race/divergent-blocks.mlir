// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same in plain control flow: blocks between a divergent branch and the
// place where its ways meet run at the same time.
// RUN: %race %s | FileCheck %s

// CHECK: buffers: 2 of 2, bytes: 256 -> 256, barriers inserted: 0
// CHECK-NEXT: equal, no race
// CHECK-NOT: {{.}}

!half = memref<32xi32, #gpu.address_space<workgroup>>
!row = memref<64xi32>

gpu.module @kernels {
  gpu.func @blocks(%in: !row, %out: !row) kernel {
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    %x = memref.alloc() : !half
    %y = memref.alloc() : !half
    %v = memref.load %in[%t] : !row
    %first = arith.cmpi ult, %t, %c32 : index
    cf.cond_br %first, ^low, ^high
  ^low:
    memref.store %v, %x[%t] : !half
    %a = memref.load %x[%t] : !half
    cf.br ^end(%a : i32)
  ^high:
    %at = arith.subi %t, %c32 : index
    memref.store %v, %y[%at] : !half
    %b = memref.load %y[%at] : !half
    %negative = arith.subi %v, %b : i32
    cf.br ^end(%negative : i32)
  ^end(%w: i32):
    memref.store %w, %out[%t] : !row
    gpu.return
  }
}
