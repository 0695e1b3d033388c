// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two tiles, each loaded for the next time behind its last use in the turn, under a condition
// that asks whether there is one: `%k + 2 < 6`, in scf.if. Behind the loop no load is under way,
// and the scratch buffer takes the bytes of both.
// RUN: %race %s | FileCheck %s
// CHECK: buffers: 3 of 3, bytes: 1024 -> 512, barriers inserted: 0
// CHECK-NEXT: equal, no race
//
// Without the conditions both are held to the end, and with the rule broken the scratch buffer
// meets a load.
// RUN: sed 's/scf.if %more /scf.if %odd /' %s > %t.mlir
// RUN: %race %t.mlir | FileCheck %s --check-prefix=HELD
// RUN: %status 1 %race %t.mlir --arena='test-break-rule=loads-of-no-turn verify=false' 2>&1 | FileCheck %s --check-prefix=BROKEN
// RUN: %status 2 %race %t.mlir --arena='test-break-rule=loads-of-no-turn' 2>&1 | FileCheck %s --check-prefix=REFUSED
// HELD: buffers: 3 of 3, bytes: 1024 -> 1024, barriers inserted: 0
// HELD-NEXT: equal, no race
// BROKEN: bytes: 1024 -> 512,
// BROKEN: race.sh: {{a race in the planned kernel|the planned kernel computes something else}}
// REFUSED: error: touches bytes of the arena that something asynchronous may still use through another buffer

!tile = memref<8x8xf32, #gpu.address_space<workgroup>>
!scratch = memref<128xf32, #gpu.address_space<workgroup>>
!map = !nvgpu.tensormap.descriptor<tensor = !tile, swizzle = none, l2promo = none, oob = zero, interleave = none>
!mbarriers = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 2>
!in = memref<8x96xf32>
!row = memref<64xf32>

gpu.module @kernels {
  llvm.func @race_map(!llvm.ptr, i64, i64, i64, i64) -> !llvm.ptr
  gpu.func @prefetch(%in: !in, %out: !row) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
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
    %c6 = arith.constant 6 : index
    %c8 = arith.constant 8 : index
    %c63 = arith.constant 63 : index
    %bytes = arith.constant 256 : index
    %zero = arith.constant 0.0 : f32
    %even = arith.constant false
    %odd = arith.constant true
    %first = arith.cmpi eq, %t, %c0 : index
    %u = arith.subi %c63, %t : index
    %r = arith.remui %u, %c8 : index
    %q = arith.divui %u, %c8 : index
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %y = memref.alloc() {alignment = 128 : i64} : !tile
    %s = memref.alloc() : !scratch
    %m = nvgpu.mbarrier.create -> !mbarriers
    nvgpu.mbarrier.init %m[%c0], %c1, predicate = %first : !mbarriers
    nvgpu.mbarrier.init %m[%c1], %c1, predicate = %first : !mbarriers
    gpu.barrier
    nvgpu.mbarrier.arrive.expect_tx %m[%c0], %bytes, predicate = %first : !mbarriers
    nvgpu.tma.async.load %map[%c0, %c0], %m[%c0] to %x, predicate = %first : !map, !mbarriers -> !tile
    nvgpu.mbarrier.arrive.expect_tx %m[%c1], %bytes, predicate = %first : !mbarriers
    nvgpu.tma.async.load %map[%c8, %c0], %m[%c1] to %y, predicate = %first : !map, !mbarriers -> !tile
    %sum, %last = scf.for %k = %c0 to %c6 step %c2 iter_args(%before = %zero, %parity = %even) -> (f32, i1) {
      %next = arith.addi %k, %c2 : index
      %more = arith.cmpi slt, %next, %c6 : index
      %column = arith.muli %next, %c8 : index
      %other = arith.addi %column, %c8 : index
      nvgpu.mbarrier.try_wait.parity %m[%c0], %parity, %t : !mbarriers
      %e = memref.load %x[%r, %q] : !tile
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
      gpu.barrier
      scf.if %more {
        nvgpu.mbarrier.arrive.expect_tx %m[%c0], %bytes, predicate = %first : !mbarriers
        nvgpu.tma.async.load %map[%column, %c0], %m[%c0] to %x, predicate = %first : !map, !mbarriers -> !tile
      }
      nvgpu.mbarrier.try_wait.parity %m[%c1], %parity, %t : !mbarriers
      %f = memref.load %y[%q, %r] : !tile
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
      gpu.barrier
      scf.if %more {
        nvgpu.mbarrier.arrive.expect_tx %m[%c1], %bytes, predicate = %first : !mbarriers
        nvgpu.tma.async.load %map[%other, %c0], %m[%c1] to %y, predicate = %first : !map, !mbarriers -> !tile
      }
      %g = arith.subf %e, %f : f32
      %doubled = arith.addf %before, %before : f32
      %sum = arith.addf %doubled, %g : f32
      %turned = arith.xori %parity, %odd : i1
      scf.yield %sum, %turned : f32, i1
    }
    %mine = arith.muli %t, %c2 : index
    %its = arith.muli %u, %c2 : index
    memref.store %sum, %s[%mine] : !scratch
    gpu.barrier
    %v = memref.load %s[%its] : !scratch
    memref.store %v, %out[%t] : !row
    gpu.return
  }
}
