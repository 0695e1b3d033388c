// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffers that were hoisted out of the loop, each overwritten by all threads in
// each turn: by elements with a tail, by copies, by halves of the block. They
// share as if they were allocated in the loop.
// RUN: %race %s | FileCheck %s
// RUN: %race %s --arena=barriers=existing | FileCheck %s --check-prefix=EXISTING
// One element that is left out is wanted in the next turn.
// RUN: sed 's/%end = arith.constant 200/%end = arith.constant 199/' %s > %t.short.mlir
// RUN: %race %t.short.mlir --keep-barriers | FileCheck %s --check-prefix=SHORT
// RUN: %status 1 %race %t.short.mlir --arena="test-break-rule=partial-covers verify=false" 2>&1 | FileCheck %s --check-prefix=WRONG

// CHECK: buffers: 3 of 3, bytes: 2624 -> 1024, barriers inserted: 0
// CHECK-NEXT: equal, no race
// EXISTING: bytes: 2624 -> 1024, barriers inserted: 0
// EXISTING-NEXT: equal, no race
// SHORT: bytes: 2624 -> 1824, barriers inserted: 0
// SHORT-NEXT: equal, no race
// WRONG: race.sh: the planned kernel computes something else

!tail = memref<200xf32, #gpu.address_space<workgroup>>
!tile = memref<4x64xf32, #gpu.address_space<workgroup>>
!half = memref<25x8xf32, #gpu.address_space<workgroup>>
!in = memref<4x256xf32>
!out = memref<4x64xf32>

gpu.module @kernels {
  gpu.func @hoisted(%in: !in, %out: !out) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c100 = arith.constant 100 : index
    %c200 = arith.constant 200 : index
    %end = arith.constant 200 : index
    %isFirst = arith.cmpi ult, %t, %c32 : index
    %row = arith.divui %t, %c16 : index
    %inRow = arith.remui %t, %c16 : index
    %column = arith.muli %inRow, %c4 : index
    %from = arith.muli %t, %c4 : index
    %tail = memref.alloc() : !tail
    %tile = memref.alloc() : !tile
    %half = memref.alloc() : !half
    scf.for %j = %t to %c200 step %c64 {
      %zero = arith.constant 0.0 : f32
      memref.store %zero, %tail[%j] : !tail
    }
    gpu.barrier
    scf.for %i = %c0 to %c4 step %c1 {
      %copy = nvgpu.device_async_copy %in[%i, %from], %tile[%row, %column], 4 : !in to !tile
      %group = nvgpu.device_async_create_group %copy
      nvgpu.device_async_wait %group
      gpu.barrier
      %x = affine.load %tile[3, 63 - %t] : !tile
      gpu.barrier
      scf.for %j = %t to %end step %c64 {
        memref.store %x, %tail[%j] : !tail
      }
      gpu.barrier
      %y = affine.load %tail[199 - %t] : !tail
      gpu.barrier
      scf.if %isFirst {
        scf.for %j = %t to %c100 step %c32 {
          %a = arith.divui %j, %c8 : index
          %b = arith.remui %j, %c8 : index
          memref.store %y, %half[%a, %b] : !half
        }
      } else {
        %other = arith.subi %t, %c32 : index
        %first = arith.addi %other, %c100 : index
        scf.for %j = %first to %c200 step %c32 {
          %a = arith.divui %j, %c8 : index
          %b = arith.remui %j, %c8 : index
          memref.store %x, %half[%a, %b] : !half
        }
      }
      gpu.barrier
      %z = affine.load %half[24 - %t floordiv 4, %t mod 8] : !half
      %sum = arith.addf %y, %z : f32
      memref.store %sum, %out[%i, %t] : !out
      gpu.barrier
    }
    gpu.return
  }
}
