// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread makes turns of its own number. The flag that they carry changes
// alike in all of them, turn by turn, but they leave with different ones: what
// it decides behind the loop runs side by side.
// RUN: %race %s | FileCheck %s
// RUN: mlir-opt --lower-affine --convert-scf-to-cf %s -o %t.mlir
// RUN: %race %t.mlir | FileCheck %s
// RUN: not %race --arena="verify=false test-break-rule=uniform-merges" %s 2>&1 | FileCheck %s --check-prefix=BROKEN

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
    %true = arith.constant true
    %t = gpu.thread_id x
    %x = memref.alloc() : !line
    %y = memref.alloc() : !line
    %v = memref.load %in[%t] : !row
    %own = affine.apply affine_map<(d0) -> (d0 mod 4)>(%t)
    %isEven = scf.for %i = %c0 to %own step %c1 iter_args(%flag = %true) -> i1 {
      %other = arith.xori %flag, %true : i1
      scf.yield %other : i1
    }
    %place = affine.apply affine_map<(d0) -> ((d0 * 7 + 1) mod 64)>(%t)
    %w = scf.if %isEven -> (i32) {
      memref.store %v, %x[%place] : !line
      %a = memref.load %x[%place] : !line
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
