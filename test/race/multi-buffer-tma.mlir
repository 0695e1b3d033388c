// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Slots for what TMA loads in each turn: two tiles with one mbarrier, in a loop whose
// bounds are known at run time only. With n slots there are n mbarriers, and each turn
// waits for its phase of its own. No load is under way behind the loop, so the scratch
// buffer takes bytes of the slots there.
// RUN: %race --keep-barriers --before='berth-multi-buffer' %s | FileCheck %s --check-prefix=TWO
// RUN: %race --keep-barriers --before='berth-multi-buffer{factor=3}' %s | FileCheck %s --check-prefix=THREE
// RUN: %race --keep-barriers --before='berth-multi-buffer{factor=5},canonicalize,cse' %s | FileCheck %s --check-prefix=FIVE
// TWO: buffers: 3 of 3, bytes: 1792 -> 1024, barriers inserted: 0
// TWO-NEXT: equal, no race
// THREE: buffers: 3 of 3, bytes: 2304 -> 1536, barriers inserted: 0
// THREE-NEXT: equal, no race
// FIVE: buffers: 3 of 3, bytes: 3328 -> 2560, barriers inserted: 0
// FIVE-NEXT: equal, no race
//
// Each rule is needed: with one broken a turn waits for another phase, for ever or not at all.
// DEFINE: %{rule} =
// DEFINE: %{breaks} = %status 1 %race --keep-barriers --before='berth-multi-buffer{factor=3 verify=false test-break-rule=%{rule}}' %s 2>&1 | FileCheck %s --check-prefix=BROKEN
// BROKEN: race.sh: {{the planned kernel computes something else|a race in the planned kernel|the planned kernel does not end}}
// REDEFINE: %{rule} = one-phase
// RUN: %{breaks}
// REDEFINE: %{rule} = turns-from-zero
// RUN: %{breaks}

!tile = memref<8x8xf32, #gpu.address_space<workgroup>>
!scratch = memref<192xf32, #gpu.address_space<workgroup>>
!map = !nvgpu.tensormap.descriptor<tensor = !tile, swizzle = none, l2promo = none, oob = zero, interleave = none>
!mbarrier = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
!in = memref<8x96xf32>
!row = memref<64xf32>

gpu.module @kernels {
  llvm.func @race_map(!llvm.ptr, i64, i64, i64, i64) -> !llvm.ptr
  gpu.func @tiles(%in: !in, %out: !row, %n: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
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
    %c63 = arith.constant 63 : index
    %c8 = arith.constant 8 : index
    %bytes = arith.constant 512 : index
    %zero = arith.constant 0.0 : f32
    %even = arith.constant false
    %odd = arith.constant true
    %first = arith.cmpi eq, %t, %c0 : index
    %u = arith.subi %c63, %t : index
    %r = arith.remui %u, %c8 : index
    %q = arith.divui %u, %c8 : index
    %lb = arith.addi %n, %c1 : index
    %n3 = arith.muli %n, %c3 : index
    %ub = arith.subi %n3, %c1 : index
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %y = memref.alloc() {alignment = 128 : i64} : !tile
    %s = memref.alloc() : !scratch
    %m = nvgpu.mbarrier.create -> !mbarrier
    nvgpu.mbarrier.init %m[%c0], %c1, predicate = %first : !mbarrier
    gpu.barrier
    %sum, %last = scf.for %k = %lb to %ub step %c1 iter_args(%before = %zero, %parity = %even) -> (f32, i1) {
      %column = arith.muli %k, %c8 : index
      %k1 = arith.subi %k, %c2 : index
      %other = arith.muli %k1, %c8 : index
      nvgpu.mbarrier.arrive.expect_tx %m[%c0], %bytes, predicate = %first : !mbarrier
      nvgpu.tma.async.load %map[%column, %c0], %m[%c0] to %x, predicate = %first : !map, !mbarrier -> !tile
      nvgpu.tma.async.load %map[%other, %c0], %m[%c0] to %y, predicate = %first : !map, !mbarrier -> !tile
      nvgpu.mbarrier.try_wait.parity %m[%c0], %parity, %t : !mbarrier
      %e = memref.load %x[%r, %q] : !tile
      %f = memref.load %y[%q, %r] : !tile
      %g = arith.subf %e, %f : f32
      %doubled = arith.addf %before, %before : f32
      %next = arith.addf %doubled, %g : f32
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
      gpu.barrier
      %turned = arith.xori %parity, %odd : i1
      scf.yield %next, %turned : f32, i1
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
