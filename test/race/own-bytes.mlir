// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread writes where it, and nobody else, has read: no barrier is needed
// where both buffers begin at one byte. Not so where threads that differ in y
// alone read the same.
// RUN: %race %s 16x4 | FileCheck %s
// RUN: %race %s 16x4 --arena=barriers=existing | FileCheck %s --check-prefix=EXISTING
// RUN: %status 1 %race %s 16x4 --arena="test-break-rule=one-row verify=false" 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: %status 1 %race %s 16x4 --arena="test-break-rule=own-bytes verify=false" 2>&1 | FileCheck %s --check-prefix=RACE

// CHECK: buffers: 4 of 4, bytes: 640 -> 256, barriers inserted: 1
// CHECK-NEXT: equal, no race
// CHECK-NEXT: without barrier 1: race
// EXISTING: bytes: 640 -> 320, barriers inserted: 0
// EXISTING-NEXT: equal, no race
// RACE: race.sh: a race in the planned kernel

!line = memref<4x16xi32, #gpu.address_space<workgroup>>
!short = memref<16xi32, #gpu.address_space<workgroup>>
!row = memref<4x16xi32>

gpu.module @kernels {
  gpu.func @own_bytes(%in: !row, %out: !row) kernel
      attributes {known_block_size = array<i32: 16, 4, 1>} {
    %x = gpu.thread_id x
    %y = gpu.thread_id y
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c15 = arith.constant 15 : index
    %otherX = arith.subi %c15, %x : index
    %otherY = arith.subi %c3, %y : index
    %first = memref.alloc() : !line
    %second = memref.alloc() : !line
    %third = memref.alloc() : !short
    %fourth = memref.alloc() : !short
    %v = memref.load %in[%y, %x] : !row
    memref.store %v, %first[%y, %x] : !line
    gpu.barrier
    // Its own bytes, though not those that it wrote before.
    %a = memref.load %first[%otherY, %otherX] : !line
    %b = arith.addi %a, %v : i32
    memref.store %b, %second[%otherY, %otherX] : !line
    gpu.barrier
    %c = memref.load %second[%y, %x] : !line
    // One row of threads writes, all rows read, another row writes.
    %isFirst = arith.cmpi eq, %y, %c0 : index
    scf.if %isFirst {
      memref.store %c, %third[%otherX] : !short
    }
    gpu.barrier
    %d = memref.load %third[%x] : !short
    %isSecond = arith.cmpi eq, %y, %c1 : index
    scf.if %isSecond {
      memref.store %d, %fourth[%x] : !short
    }
    gpu.barrier
    %e = memref.load %fourth[%otherX] : !short
    %f = arith.addi %d, %e : i32
    memref.store %f, %out[%y, %x] : !row
    gpu.return
  }
}
