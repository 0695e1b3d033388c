// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
!tile = memref<64xf32, #gpu.address_space<workgroup>>
!slots = memref<3x64xf32, #gpu.address_space<workgroup>>
!slot = memref<64xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
gpu.module @m {
  gpu.func @k(%in: memref<?x64xf32> {llvm.noalias, llvm.readonly}, %out: memref<64xf32>, %lb: index, %ub: index, %s: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c63 = arith.constant 63 : index
    %t = gpu.thread_id x
    %u = arith.subi %c63, %t : index
    %half = arith.shrui %t, %c1 : index
    %slots = memref.alloc() {berth.slots = 3 : i64} : !slots
    %any = arith.cmpi slt, %lb, %ub : index
    scf.if %any {
      %first = memref.subview %slots[%c0, 0] [1, 64] [1, 1] : !slots to !slot
      %ca = nvgpu.device_async_copy %in[%lb, %t], %first[%t], 1 : memref<?x64xf32> to !slot
    }
    %g0 = nvgpu.device_async_create_group {first}
    %last = arith.subi %ub, %c1 : index
    %way = arith.subi %last, %lb : index
    %left0 = arith.divui %way, %s : index
    %more0 = arith.cmpi ule, %c1, %left0 : index
    %two = arith.andi %any, %more0 : i1
    %next = arith.addi %lb, %s : index
    scf.if %two {
      %second = memref.subview %slots[%c1, 0] [1, 64] [1, 1] : !slots to !slot
      %cb = nvgpu.device_async_copy %in[%next, %t], %second[%t], 1 : memref<?x64xf32> to !slot
    }
    %g1 = nvgpu.device_async_create_group {second}
    scf.for %i = %lb to %ub step %s {
      %since = arith.subi %i, %lb : index
      %turn = arith.divui %since, %s : index
      %number = arith.remui %turn, %c3 : index
      %slot = memref.subview %slots[%number, 0] [1, 64] [1, 1] : !slots to !slot
      %rest = arith.subi %last, %i : index
      %left = arith.divui %rest, %s : index
      %more = arith.cmpi ule, %c2, %left : index
      %far = arith.muli %s, %c2 : index
      %later = arith.addi %i, %far : index
      %turnLater = arith.addi %turn, %c2 : index
      %numberLater = arith.remui %turnLater, %c3 : index
      scf.if %more {
        %ahead = memref.subview %slots[%numberLater, 0] [1, 64] [1, 1] : !slots to !slot
        %c = nvgpu.device_async_copy %in[%later, %t], %ahead[%t], 1 : memref<?x64xf32> to !slot
      }
      %g = nvgpu.device_async_create_group {ahead}
      nvgpu.device_async_wait %g {numGroups = 2 : i32}
      gpu.barrier
      %e = memref.load %slot[%u] : !slot
      memref.store %e, %out[%t] : memref<64xf32>
      gpu.barrier {end}
    }
    %g3 = nvgpu.device_async_create_group
    nvgpu.device_async_wait %g3
    gpu.return
  }
}
