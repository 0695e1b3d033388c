// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// What TMA loads fill in each turn gets no slots, and is named with the reason.
// RUN: %berth-opt %s --remarks-filter=berth-multi-buffer --pass-pipeline='builtin.module(berth-multi-buffer)' -o %t.out 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=NONE < %t.out
// NONE-NOT: berth.slots

!tile = memref<8x8xf32, #gpu.address_space<workgroup>>
!map = !nvgpu.tensormap.descriptor<tensor = !tile, swizzle = none, l2promo = none, oob = zero, interleave = none>
!mbarriers = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 1>
!row = memref<64xf32>

gpu.module @kernels {
  gpu.func @loads(%d: !map, %out: !row, %n: index) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %bytes = arith.constant 256 : index
    %even = arith.constant false
    %odd = arith.constant true
    %m = nvgpu.mbarrier.create -> !mbarriers
    nvgpu.mbarrier.init %m[%c0], %c1 : !mbarriers
    gpu.barrier
    // CHECK: :[[#@LINE+1]]:10: remark: [Missed] {{.*}}gets no slots: a TMA load fills it: each slot would need an mbarrier, with a phase and expected bytes of its own, and these are not made (nvgpu.tma.async.load
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %last = scf.for %i = %c0 to %n step %c1 iter_args(%parity = %even) -> (i1) {
      nvgpu.mbarrier.arrive.expect_tx %m[%c0], %bytes : !mbarriers
      nvgpu.tma.async.load %d[%i, %c0], %m[%c0] to %x : !map, !mbarriers -> !tile
      nvgpu.mbarrier.try_wait.parity %m[%c0], %parity, %t : !mbarriers
      %r = memref.load %x[%c0, %c0] : !tile
      memref.store %r, %out[%t] : !row
      gpu.barrier
      %next = arith.xori %parity, %odd : i1
      scf.yield %next : i1
    }
    gpu.return
  }
}
