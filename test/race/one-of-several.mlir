// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A value that is one of three buffers, from turn to turn another one: they have
// one offset, since all threads agree which it is, and all barriers stand.
// RUN: %race %s | FileCheck %s
// RUN: %race %s --arena=barriers=existing | FileCheck %s
// Without the last one the next turn's buffer is another one, while slow threads
// still read that of the last.
// RUN: sed '/LAST/d' %s > %t.open.mlir
// RUN: %race %t.open.mlir | FileCheck %s --check-prefix=OPEN
// Where threads disagree, each has another one in mind.
// RUN: sed 's/arith.remui %i, %c3/arith.remui %me, %c3/' %s > %t.apart.mlir
// RUN: %race %t.apart.mlir | FileCheck %s --check-prefix=APART
// RUN: %status 1 %race %t.apart.mlir --arena="test-break-rule=one-choice verify=false" 2>&1 | FileCheck %s --check-prefix=WRONG

// CHECK: buffers: 3 of 3, bytes: 768 -> 256, barriers inserted: 0
// CHECK-NEXT: equal, no race
// OPEN: buffers: 3 of 3, bytes: 768 -> 256, barriers inserted: 1
// OPEN-NEXT: equal, no race
// OPEN-NEXT: without barrier 1: race
// APART: buffers: 3 of 3, bytes: 768 -> 768, barriers inserted: 0
// APART-NEXT: equal, no race
// WRONG: race.sh:

!line = memref<64xi32, #gpu.address_space<workgroup>>
!row = memref<64xi32>
!out = memref<7x64xi32>

gpu.module @kernels {
  gpu.func @turns(%in: !row, %out: !out) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c7 = arith.constant 7 : index
    %me = gpu.thread_id x
    %v = memref.load %in[%me] : !row
    scf.for %i = %c0 to %c7 step %c1 {
      %which = arith.remui %i, %c3 : index
      %k = arith.index_cast %i : index to i32
      %first = arith.addi %v, %k : i32
      %r = scf.index_switch %which -> !line
      case 0 {
        %a = memref.alloc() : !line
        scf.yield %a : !line
      }
      case 1 {
        %b = memref.alloc() : !line
        scf.yield %b : !line
      }
      default {
        %c = memref.alloc() : !line
        scf.yield %c : !line
      }
      memref.store %first, %r[%me] : !line
      gpu.barrier
      %x = affine.load %r[63 - %me] : !line
      gpu.barrier
      affine.store %x, %r[(%me + 3) mod 64] : !line
      gpu.barrier
      %y = affine.load %r[(%me + 7) mod 64] : !line
      gpu.barrier // LAST
      %sum = arith.addi %x, %y : i32
      memref.store %sum, %out[%i, %me] : !out
    }
    gpu.return
  }
}
