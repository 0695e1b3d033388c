// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
!arena = memref<768xi8, #gpu.address_space<workgroup>>
!slots = memref<3x8x8xf32, #gpu.address_space<workgroup>>
!box = memref<8x8xf32, #gpu.address_space<workgroup>>
!slot = memref<8x8xf32, strided<[8, 1], offset: ?>, #gpu.address_space<workgroup>>
!scratch = memref<192xf32, #gpu.address_space<workgroup>>
!map = !nvgpu.tensormap.descriptor<tensor = !box, swizzle = none, l2promo = none, oob = zero, interleave = none>
!mbarriers = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 3>
gpu.module @kernels {
  gpu.func @ring(%map: !map, %out: memref<64xf32>, %lb: index, %ub: index, %s: index) workgroup(%arena: !arena {llvm.align = 128 : i64}) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %bytes = arith.constant 256 : index
    %true = arith.constant true
    %first = arith.cmpi eq, %t, %c0 : index
    %m = nvgpu.mbarrier.create -> !mbarriers
    %slots = memref.view %arena[%c0][] {berth.buffer = 0 : i64} : !arena to !slots
    %scratch = memref.view %arena[%c0][] {berth.buffer = 1 : i64} : !arena to !scratch
    nvgpu.mbarrier.init %m[%c0], %c1, predicate = %first : !mbarriers
    nvgpu.mbarrier.init %m[%c1], %c1, predicate = %first : !mbarriers
    nvgpu.mbarrier.init %m[%c2], %c1, predicate = %first : !mbarriers
    gpu.barrier
    %any = arith.cmpi slt, %lb, %ub : index
    scf.if %any {
      %slot0 = memref.subview %slots[%c0, 0, 0] [1, 8, 8] [1, 1, 1] : !slots to !slot
      nvgpu.mbarrier.arrive.expect_tx %m[%c0], %bytes, predicate = %first : !mbarriers
      nvgpu.tma.async.load %map[%lb, %c0], %m[%c0] to %slot0, predicate = %first : !map, !mbarriers -> !slot
    }
    %last = arith.subi %ub, %c1 : index
    %way0 = arith.subi %last, %lb : index
    %left0 = arith.divui %way0, %s : index
    %enough = arith.cmpi ule, %c1, %left0 : index
    %two = arith.andi %any, %enough : i1
    scf.if %two {
      %next = arith.addi %lb, %s : index
      %slot1 = memref.subview %slots[%c1, 0, 0] [1, 8, 8] [1, 1, 1] : !slots to !slot
      nvgpu.mbarrier.arrive.expect_tx %m[%c1], %bytes, predicate = %first : !mbarriers
      nvgpu.tma.async.load %map[%next, %c0], %m[%c1] to %slot1, predicate = %first : !map, !mbarriers -> !slot
    }
    scf.for %k = %lb to %ub step %s {
      %since = arith.subi %k, %lb : index
      %turn = arith.divui %since, %s : index
      %n = arith.remui %turn, %c3 : index
      %phase = arith.divui %turn, %c3 : index
      %bit = arith.remui %phase, %c2 : index
      %parity = arith.cmpi ne, %bit, %c0 : index
      %slot = memref.subview %slots[%n, 0, 0] [1, 8, 8] [1, 1, 1] : !slots to !slot
      %way = arith.subi %last, %k : index
      %left = arith.divui %way, %s : index
      %more = arith.cmpi ule, %c2, %left : index
      scf.if %more {
        %gone = arith.muli %s, %c2 : index
        %later = arith.addi %k, %gone : index
        %ahead = arith.addi %turn, %c2 : index
        %l = arith.remui %ahead, %c3 : index
        %slotl = memref.subview %slots[%l, 0, 0] [1, 8, 8] [1, 1, 1] : !slots to !slot
        nvgpu.mbarrier.arrive.expect_tx %m[%l], %bytes, predicate = %first : !mbarriers
        nvgpu.tma.async.load %map[%later, %c0], %m[%l] to %slotl, predicate = %first : !map, !mbarriers -> !slot
      }
      nvgpu.mbarrier.try_wait.parity %m[%n], %parity, %t : !mbarriers
      %e = memref.load %slot[%c0, %c1] : !slot
      memref.store %e, %out[%t] : memref<64xf32>
      gpu.barrier {end}
    }
    %zero = arith.constant 0.0 : f32
    memref.store %zero, %scratch[%t] : !scratch
    gpu.return
  }
}
