// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Three stages of TMA in one buffer, an mbarrier each, written by hand: loads are two turns
// ahead, by a predicate that asks for the turn. Behind the loop none is under way, and the
// scratch buffer takes bytes of the stages, with no barrier but those that stand.
// RUN: %race %s | FileCheck %s
// CHECK: buffers: 2 of 2, bytes: 1536 -> 768, barriers inserted: 0
// CHECK-NEXT: equal, no race
//
// Where the last turns load what no turn waits for, the stages are held to the end, and with the
// rule broken the scratch buffer meets a load.
// RUN: sed 's/predicate = %is_next/predicate = %first/' %s > %t.mlir
// RUN: %race %t.mlir | FileCheck %s --check-prefix=HELD
// RUN: %status 1 %race %t.mlir --arena='test-break-rule=loads-of-no-turn verify=false' 2>&1 | FileCheck %s --check-prefix=BROKEN
// RUN: %status 2 %race %t.mlir --arena='test-break-rule=loads-of-no-turn' 2>&1 | FileCheck %s --check-prefix=REFUSED
// HELD: buffers: 2 of 2, bytes: 1536 -> 1536, barriers inserted: 0
// HELD-NEXT: equal, no race
// BROKEN: bytes: 1536 -> 768,
// BROKEN: race.sh: {{a race in the planned kernel|the planned kernel computes something else}}
// REFUSED: error: touches bytes of the arena that something asynchronous may still use through another buffer

!stages = memref<3x8x8xf32, #gpu.address_space<workgroup>>
!tile = memref<8x8xf32, strided<[8, 1], offset: ?>, #gpu.address_space<workgroup>>
!box = memref<8x8xf32, #gpu.address_space<workgroup>>
!scratch = memref<192xf32, #gpu.address_space<workgroup>>
!map = !nvgpu.tensormap.descriptor<tensor = !box, swizzle = none, l2promo = none, oob = zero, interleave = none>
!mbarriers = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 3>
!in = memref<8x96xf32>
!row = memref<64xf32>

gpu.module @kernels {
  llvm.func @race_map(!llvm.ptr, i64, i64, i64, i64) -> !llvm.ptr
  gpu.func @ring(%in: !in, %out: !row) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %address = memref.extract_aligned_pointer_as_index %in : !in -> index
    %number = arith.index_cast %address : index to i64
    %base = llvm.inttoptr %number : i64 to !llvm.ptr
    %pitch = llvm.mlir.constant(96 : i64) : i64
    %four = llvm.mlir.constant(4 : i64) : i64
    %eight = llvm.mlir.constant(8 : i64) : i64
    %at = llvm.call @race_map(%base, %pitch, %four, %eight, %eight) : (!llvm.ptr, i64, i64, i64, i64) -> !llvm.ptr
    %map = builtin.unrealized_conversion_cast %at : !llvm.ptr to !map
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c8 = arith.constant 8 : index
    %c9 = arith.constant 9 : index
    %c63 = arith.constant 63 : index
    %bytes = arith.constant 256 : index
    %zero = arith.constant 0.0 : f32
    %first = arith.cmpi eq, %t, %c0 : index
    %u = arith.subi %c63, %t : index
    %r = arith.remui %u, %c8 : index
    %q = arith.divui %u, %c8 : index
    %x = memref.alloc() {alignment = 128 : i64} : !stages
    %s = memref.alloc() : !scratch
    %m = nvgpu.mbarrier.create -> !mbarriers
    nvgpu.mbarrier.init %m[%c0], %c1, predicate = %first : !mbarriers
    nvgpu.mbarrier.init %m[%c1], %c1, predicate = %first : !mbarriers
    nvgpu.mbarrier.init %m[%c2], %c1, predicate = %first : !mbarriers
    gpu.barrier
    %x0 = memref.subview %x[0, 0, 0] [1, 8, 8] [1, 1, 1] : !stages to memref<8x8xf32, strided<[8, 1]>, #gpu.address_space<workgroup>>
    %tile0 = memref.cast %x0 : memref<8x8xf32, strided<[8, 1]>, #gpu.address_space<workgroup>> to !tile
    nvgpu.mbarrier.arrive.expect_tx %m[%c0], %bytes, predicate = %first : !mbarriers
    nvgpu.tma.async.load %map[%c0, %c0], %m[%c0] to %tile0, predicate = %first : !map, !mbarriers -> !tile
    %x1 = memref.subview %x[1, 0, 0] [1, 8, 8] [1, 1, 1] : !stages to memref<8x8xf32, strided<[8, 1], offset: 64>, #gpu.address_space<workgroup>>
    %tile1 = memref.cast %x1 : memref<8x8xf32, strided<[8, 1], offset: 64>, #gpu.address_space<workgroup>> to !tile
    nvgpu.mbarrier.arrive.expect_tx %m[%c1], %bytes, predicate = %first : !mbarriers
    nvgpu.tma.async.load %map[%c8, %c0], %m[%c1] to %tile1, predicate = %first : !map, !mbarriers -> !tile
    %sum = scf.for %k = %c0 to %c9 step %c1 iter_args(%before = %zero) -> (f32) {
      %n = arith.remsi %k, %c3 : index
      %phase = arith.divsi %k, %c3 : index
      %bit = arith.remsi %phase, %c2 : index
      %parity = arith.cmpi eq, %bit, %c1 : index
      %next = arith.addi %k, %c2 : index
      %l = arith.remsi %next, %c3 : index
      %c8_last = arith.subi %c8, %k : index
      %more = arith.cmpi uge, %c8_last, %c2 : index
      %is_next = arith.andi %first, %more : i1
      %later = memref.subview %x[%l, 0, 0] [1, 8, 8] [1, 1, 1] : !stages to !tile
      %column = arith.muli %next, %c8 : index
      nvgpu.mbarrier.arrive.expect_tx %m[%l], %bytes, predicate = %is_next : !mbarriers
      nvgpu.tma.async.load %map[%column, %c0], %m[%l] to %later, predicate = %is_next : !map, !mbarriers -> !tile
      %slot = memref.subview %x[%n, 0, 0] [1, 8, 8] [1, 1, 1] : !stages to !tile
      nvgpu.mbarrier.try_wait.parity %m[%n], %parity, %t : !mbarriers
      %e = memref.load %slot[%r, %q] : !tile
      %doubled = arith.addf %before, %before : f32
      %sum = arith.addf %doubled, %e : f32
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
      gpu.barrier
      scf.yield %sum : f32
    }
    %mine = arith.muli %t, %c3 : index
    %its = arith.muli %u, %c3 : index
    memref.store %sum, %s[%mine] : !scratch
    gpu.barrier
    %v = memref.load %s[%its] : !scratch
    memref.store %v, %out[%t] : !row
    gpu.return
  }
}
