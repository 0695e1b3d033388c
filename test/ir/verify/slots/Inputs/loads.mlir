// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
!tile = memref<8x8xf32, #gpu.address_space<workgroup>>
!slots = memref<3x8x8xf32, #gpu.address_space<workgroup>>
!slot = memref<8x8xf32, strided<[8, 1], offset: ?>, #gpu.address_space<workgroup>>
!map = !nvgpu.tensormap.descriptor<tensor = !tile, swizzle = none, l2promo = none, oob = zero, interleave = none>
!m = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 3>
gpu.module @m {
  gpu.func @k(%d: !map, %out: memref<64xf32>, %lb: index, %ub: index, %s: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %bytes = arith.constant 256 : index
    %zero = arith.constant 0.0 : f32
    %t = gpu.thread_id x
    %thread = arith.cmpi eq, %t, %c0 : index
    %slots = memref.alloc() {alignment = 128 : i64, berth.slots = 3 : i64} : !slots
    %m = nvgpu.mbarrier.create -> !m
    nvgpu.mbarrier.init %m[%c0], %c1, predicate = %thread : !m
    nvgpu.mbarrier.init %m[%c1], %c1, predicate = %thread : !m
    nvgpu.mbarrier.init %m[%c2], %c1, predicate = %thread : !m
    gpu.barrier {start}
    %any = arith.cmpi slt, %lb, %ub : index
    scf.if %any {
      %first = memref.subview %slots[%c0, 0, 0] [1, 8, 8] [1, 1, 1] : !slots to !slot
      nvgpu.mbarrier.arrive.expect_tx %m[%c0], %bytes, predicate = %thread : !m
      nvgpu.tma.async.load %d[%lb, %c0], %m[%c0] to %first, predicate = %thread : !map, !m -> !slot
    }
    %last = arith.subi %ub, %c1 : index
    %way = arith.subi %last, %lb : index
    %left0 = arith.divui %way, %s : index
    %more0 = arith.cmpi ule, %c1, %left0 : index
    %two = arith.andi %any, %more0 : i1
    %next = arith.addi %lb, %s : index
    scf.if %two {
      %second = memref.subview %slots[%c1, 0, 0] [1, 8, 8] [1, 1, 1] : !slots to !slot
      nvgpu.mbarrier.arrive.expect_tx %m[%c1], %bytes, predicate = %thread : !m
      nvgpu.tma.async.load %d[%next, %c0], %m[%c1] to %second, predicate = %thread : !map, !m -> !slot
    }
    %total = scf.for %i = %lb to %ub step %s iter_args(%sum = %zero) -> f32 {
      %since = arith.subi %i, %lb : index
      %turn = arith.divui %since, %s : index
      %number = arith.remui %turn, %c3 : index
      %slot = memref.subview %slots[%number, 0, 0] [1, 8, 8] [1, 1, 1] : !slots to !slot
      %phase = arith.divui %turn, %c3 : index
      %rest = arith.remui %phase, %c2 : index
      %parity = arith.cmpi ne, %rest, %c0 : index
      %behind = arith.subi %last, %i : index
      %left = arith.divui %behind, %s : index
      %more = arith.cmpi ule, %c2, %left : index
      %far = arith.muli %s, %c2 : index
      %later = arith.addi %i, %far : index
      %turnLater = arith.addi %turn, %c2 : index
      %numberLater = arith.remui %turnLater, %c3 : index
      scf.if %more {
        %ahead = memref.subview %slots[%numberLater, 0, 0] [1, 8, 8] [1, 1, 1] : !slots to !slot
        nvgpu.mbarrier.arrive.expect_tx %m[%numberLater], %bytes, predicate = %thread : !m
        nvgpu.tma.async.load %d[%later, %c0], %m[%numberLater] to %ahead, predicate = %thread : !map, !m -> !slot
      }
      nvgpu.mbarrier.try_wait.parity %m[%number], %parity, %t : !m
      %e = memref.load %slot[%c0, %c1] : !slot
      %new = arith.addf %sum, %e : f32
      gpu.barrier {end}
      scf.yield %new : f32
    }
    memref.store %total, %out[%t] : memref<64xf32>
    gpu.return
  }
}
