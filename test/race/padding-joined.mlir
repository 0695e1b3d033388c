// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of 64 bytes, which 8 threads write two at a time and read 16 bytes of each: two
// rows stay side by side, and 16 bytes go behind both. Behind each row they would put
// what is written at once into the same banks.
// RUN: %race --arena=padding=auto %s 32 | FileCheck %s
// RUN: %status 1 %race %s 32 --arena="padding=auto test-break-rule=rows-begin-anew verify=false" 2>&1 | FileCheck %s --check-prefix=BROKEN
// RUN: not %berth-opt %s --pass-pipeline='builtin.module(berth-arena{padding=auto test-break-rule=rows-begin-anew})' -o %t.mlir 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: %berth-opt %s --remarks-filter=berth-arena --pass-pipeline='builtin.module(berth-arena{padding=auto})' -o %t.mlir 2>&1 | FileCheck %s --check-prefix=WHY

// CHECK: buffers: 1 of 1, bytes: 1152 -> 1152
// CHECK-NEXT: equal, no race
// BROKEN: race.sh: {{a race in the planned kernel|the planned kernel computes something else}}
// REFUSED: error: is told another row than the one that it means
// REFUSED: note: of these rows
// WHY: 2 of its rows side by side, then the next: rows of 32 elements, 36 apart: 128 bytes more

!tile = memref<16x16xi32, #gpu.address_space<workgroup>>
!row = memref<256xi32>

gpu.module @kernels {
  gpu.func @kernel(%in: !row, %out: !row) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %t = gpu.thread_id x
    %a = memref.alloc() {alignment = 16 : i64} : !tile
    %down = arith.divui %t, %c4 : index
    %part = arith.remui %t, %c4 : index
    %column = arith.muli %part, %c4 : index
    scf.for %i = %c0 to %c16 step %c8 {
      %row = arith.addi %i, %down : index
      %begin = arith.muli %row, %c16 : index
      %from = arith.addi %begin, %column : index
      %v = vector.load %in[%from] : !row, vector<4xi32>
      vector.store %v, %a[%row, %column] : !tile, vector<4xi32>
    }
    gpu.barrier
    %low = arith.remui %t, %c16 : index
    %high = arith.divui %t, %c16 : index
    // One for each 8 threads.
    scf.for %k = %c0 to %c16 step %c8 {
      %half = arith.muli %high, %c4 : index
      %at = arith.addi %k, %half : index
      // WHY-DAG: [[#@LINE+1]]:{{.*}}passes over the banks: 4, before: 16
      %v = vector.load %a[%low, %at] : !tile, vector<4xi32>
      %begin = arith.muli %low, %c16 : index
      %to = arith.addi %begin, %at : index
      vector.store %v, %out[%to] : !row, vector<4xi32>
    }
    gpu.return
  }
}
