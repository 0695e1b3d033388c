// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Slots for what the threads of a kernel copy in each turn: two buffers in a group
// each, one of them by two copies through a swizzle, in a loop that begins at 3 and
// stands in another one. What the loop reads was written by other
// threads in front of it, with a barrier in the loop only. The scratch buffer
// behind it takes bytes of the slots, for all copies have been drained.
// RUN: %race --before='berth-multi-buffer' %s | FileCheck %s
// RUN: %race --keep-barriers --before='berth-multi-buffer{factor=3}' %s | FileCheck %s --check-prefix=THREE
// RUN: %race --keep-barriers --before='berth-multi-buffer{factor=3 ahead=false}' %s | FileCheck %s --check-prefix=THREE-BEHIND
//
// Each rule is needed.
// DEFINE: %{rule} =
// DEFINE: %{breaks} = %status 1 %race --keep-barriers --before='berth-multi-buffer{factor=3 verify=false test-break-rule=%{rule}}' %s 2>&1 | FileCheck %s --check-prefix=BROKEN
// BROKEN: race.sh: {{the planned kernel computes something else|a race in the planned kernel}}
// REDEFINE: %{rule} = groups-stay
// RUN: %{breaks}
// REDEFINE: %{rule} = turns-from-zero
// RUN: %{breaks}
// REDEFINE: %{rule} = settled-sources
// RUN: %{breaks}

// One barrier stands in front of the copies of the first turns, one behind the loop.
// CHECK: buffers: 3 of 3, bytes: 3072 -> 1536, barriers inserted: 2
// CHECK-NEXT: equal, no race
// CHECK-NEXT: without barrier 1: race
// CHECK-NEXT: without barrier 2: race
// THREE: buffers: 3 of 3, bytes: 3840 -> 2304, barriers inserted: 2
// THREE-NEXT: equal, no race
// THREE-BEHIND: equal, no race

!tile = memref<64xf32, #gpu.address_space<workgroup>>
!wide = memref<128xf32, #gpu.address_space<workgroup>>
!scratch = memref<384xf32, #gpu.address_space<workgroup>>
!in = memref<20x64xf32>
!other = memref<20x128xf32>
!row = memref<64xf32>

gpu.module @kernels {
  gpu.func @pipeline(%in: !in, %other: !other {llvm.noalias, llvm.readonly}, %out: !row) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c5 = arith.constant 5 : index
    %c17 = arith.constant 17 : index
    %c64 = arith.constant 64 : index
    %c63 = arith.constant 63 : index
    %u = arith.subi %c63, %t : index
    %high = arith.addi %t, %c64 : index
    %lower = arith.xori %t, %c5 : index
    %upper = arith.xori %high, %c5 : index
    %zero = arith.constant 0.0 : f32
    %a = memref.alloc() : !tile
    %b = memref.alloc() : !wide
    %scratch = memref.alloc() : !scratch
    %total = scf.for %o = %c0 to %c2 step %c1 iter_args(%begin = %zero) -> f32 {
      memref.store %begin, %in[%c3, %u] : !in
      %sum = scf.for %k = %c3 to %c17 step %c5 iter_args(%s = %begin) -> f32 {
        gpu.barrier
        %ca = nvgpu.device_async_copy %in[%k, %t], %a[%t], 1 : !in to !tile
        %ga = nvgpu.device_async_create_group %ca
        %cl = nvgpu.device_async_copy %other[%k, %t], %b[%lower], 1 : !other to !wide
        %ch = nvgpu.device_async_copy %other[%k, %high], %b[%upper], 1 : !other to !wide
        %gb = nvgpu.device_async_create_group %cl, %ch
        nvgpu.device_async_wait %ga {numGroups = 1 : i32}
        gpu.barrier
        %e = memref.load %a[%u] : !tile
        %s1 = arith.addf %s, %e : f32
        nvgpu.device_async_wait %gb {numGroups = 0 : i32}
        gpu.barrier
        %f = memref.load %b[%upper] : !wide
        %s2 = arith.addf %s1, %f : f32
        scf.yield %s2 : f32
      }
      scf.yield %sum : f32
    }
    %c6 = arith.constant 6 : index
    %mine = arith.muli %t, %c6 : index
    %its = arith.muli %u, %c6 : index
    memref.store %total, %scratch[%mine] : !scratch
    gpu.barrier
    %turned = memref.load %scratch[%its] : !scratch
    memref.store %turned, %out[%t] : !row
    gpu.return
  }
}
