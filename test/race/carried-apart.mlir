// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A flag that is another one in each half of the threads, and changes with each
// turn of a loop: the two buffers between which it decides are used side by side.
// RUN: %race %s | FileCheck %s
// RUN: mlir-opt --lower-affine --convert-scf-to-cf %s -o %t.mlir
// RUN: %race %t.mlir | FileCheck %s
// RUN: not %race --arena="verify=false test-break-rule=uniform-carried" %s 2>&1 | FileCheck %s --check-prefix=BROKEN

// CHECK: buffers: 2 of 2, bytes: 512 -> 512, barriers inserted: 0
// CHECK-NEXT: equal, no race
// CHECK-NOT: {{.}}
// BROKEN: a race in the planned kernel

!line = memref<64xi32, #gpu.address_space<workgroup>>
!row = memref<64xi32>

gpu.module @kernels {
  gpu.func @apart(%in: !row, %out: !row) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c32 = arith.constant 32 : index
    %true = arith.constant true
    %t = gpu.thread_id x
    %x = memref.alloc() : !line
    %y = memref.alloc() : !line
    %v = memref.load %in[%t] : !row
    %isLow = arith.cmpi ult, %t, %c32 : index
    %turned = affine.apply affine_map<(d0) -> (63 - d0)>(%t)
    %isMine = scf.for %i = %c0 to %c4 step %c1 iter_args(%flag = %isLow) -> i1 {
      %other = arith.xori %flag, %true : i1
      scf.yield %other : i1
    }
    %w = scf.if %isMine -> (i32) {
      memref.store %v, %x[%turned] : !line
      %a = memref.load %x[%turned] : !line
      scf.yield %a : i32
    } else {
      memref.store %v, %y[%t] : !line
      %a = memref.load %y[%t] : !line
      %b = arith.addi %a, %v : i32
      scf.yield %b : i32
    }
    memref.store %w, %out[%t] : !row
    gpu.return
  }
}
