// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first half waits at a barrier of its own for the second, which comes there
// behind its store to Y. The barrier that lets Y take X's bytes stands in front of
// the wait; behind it the halves would wait for each other for ever.
// RUN: %race %s | FileCheck %s
// RUN: %status 1 %race %s --arena=test-break-rule=no-waits 2>&1 | FileCheck %s --check-prefix=STUCK

// CHECK: buffers: 2 of 2, bytes: 512 -> 256, barriers inserted: 1
// CHECK-NEXT: equal, no race
// CHECK-NEXT: without barrier 1: race
// STUCK: race.sh: the planned kernel does not end

!line = memref<64xi32, #gpu.address_space<workgroup>>
!row = memref<64xi32>

gpu.module @kernels {
  gpu.func @named(%in: !row, %out: !row) kernel {
    %id = arith.constant 1 : i32
    %all = arith.constant 64 : i32
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    %x = memref.alloc() : !line
    %y = memref.alloc() : !line
    %v = memref.load %in[%t] : !row
    memref.store %v, %x[%t] : !line
    gpu.barrier
    %a = affine.load %x[63 - %t] : !line
    %first = arith.cmpi ult, %t, %c32 : index
    scf.if %first {
      nvvm.barrier id = %id number_of_threads = %all
    }
    memref.store %a, %y[%t] : !line
    %second = arith.cmpi uge, %t, %c32 : index
    scf.if %second {
      nvvm.barrier id = %id number_of_threads = %all
    }
    gpu.barrier
    %b = affine.load %y[63 - %t] : !line
    %s = arith.addi %a, %b : i32
    memref.store %s, %out[%t] : !row
    gpu.return
  }
}
