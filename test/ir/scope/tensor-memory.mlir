// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensor memory is planned by columns of 512 bytes. Loads and stores go on
// until their own wait; a barrier orders them only between its two fences.
//
// REQUIRES: llvm-22
// RUN: split-file %s %t
// DEFINE: %{arena} =
// DEFINE: %{plan} = %berth-opt --remarks-filter='berth.*' --pass-pipeline='builtin.module(berth-arena{space=tensor arena=annotate %{arena}},berth-verify)'
// RUN: %{plan} %t/plan.mlir 2>/dev/null | FileCheck %s --check-prefix=PLAN
// RUN: %{plan} %t/refused.mlir 2>&1 | FileCheck %s --check-prefix=LEFT
// RUN: not %{plan} %t/large.mlir 2>&1 | FileCheck %s --check-prefix=LARGE
// REDEFINE: %{arena} = capacity=16383
// RUN: not %{plan} %t/plan.mlir 2>&1 | FileCheck %s --check-prefix=CAPACITY
//
// The rules broken, berth-verify refuses the plan by code of its own.
// REDEFINE: %{arena} = test-break-rule=no-tensor-fences
// RUN: not %{plan} %t/plan.mlir 2>&1 | FileCheck %s --check-prefix=FENCES
// REDEFINE: %{arena} = test-break-rule=no-async
// RUN: not %{plan} %t/plan.mlir 2>&1 | FileCheck %s --check-prefix=WAITS
// REDEFINE: %{arena} = test-break-rule=own-proxies
// RUN: not %{plan} %t/plan.mlir 2>&1 | FileCheck %s --check-prefix=PRODUCTS
// RUN: not %berth-opt --pass-pipeline='builtin.module(berth-verify)' %t/claims.mlir 2>&1 | FileCheck %s --check-prefix=CLAIMS

//--- plan.mlir

!tensor = memref<128x64xf32, #nvvm.memory_space<tensor>>
gpu.module @m [#nvvm.target<chip = "sm_100a">] {
  // 64 columns for both, and 16 for rows of 32 halves: 128 columns at least.
  // PLAN-LABEL: gpu.func @ordered(
  // PLAN-SAME: berth.arena_size = 65536
  // PLAN: memref.alloc() {berth.offset = [[AT:[0-9]+]] : i64, berth.size = 32768 : i64}
  // PLAN: memref.alloc() {berth.offset = {{[0-9]+}} : i64, berth.size = 8192 : i64}
  // PLAN: memref.alloc() {berth.offset = [[AT]] : i64, berth.size = 32768 : i64}
  gpu.func @ordered(%v: vector<64xi32>, %w: vector<16xi32>) kernel {
    %a = memref.alloc() : !tensor
    %half = memref.alloc() : memref<64x32xf16, #nvvm.memory_space<tensor>>
    %0 = memref.extract_aligned_pointer_as_index %a : !tensor -> index
    %1 = arith.index_cast %0 : index to i32
    %ap = llvm.inttoptr %1 : i32 to !llvm.ptr<6>
    %2 = memref.extract_aligned_pointer_as_index %half : memref<64x32xf16, #nvvm.memory_space<tensor>> -> index
    %3 = arith.index_cast %2 : index to i32
    %hp = llvm.inttoptr %3 : i32 to !llvm.ptr<6>
    nvvm.tcgen05.st %ap, %v {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<64xi32>
    nvvm.tcgen05.st %hp, %w {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<16xi32>
    nvvm.tcgen05.wait <store>
    %x = nvvm.tcgen05.ld %ap {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<64xi32>
    nvvm.tcgen05.wait <load>
    nvvm.tcgen05.fence <before>
    gpu.barrier
    nvvm.tcgen05.fence <after>
    %b = memref.alloc() : !tensor
    %4 = memref.extract_aligned_pointer_as_index %b : !tensor -> index
    %5 = arith.index_cast %4 : index to i32
    %bp = llvm.inttoptr %5 : i32 to !llvm.ptr<6>
    nvvm.tcgen05.st %bp, %x {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<64xi32>
    nvvm.tcgen05.wait <store>
    %y = nvvm.tcgen05.ld %bp {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<64xi32>
    %z = nvvm.tcgen05.ld %hp {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<16xi32>
    nvvm.tcgen05.wait <load>
    gpu.return
  }

  // The same without fences.
  // PLAN-LABEL: gpu.func @bare(
  // PLAN: memref.alloc() {berth.offset = 0 : i64
  // PLAN: memref.alloc() {berth.offset = 32768 : i64
  // FENCES: error: touches bytes of the arena that other threads may still use through another buffer: there is a way here without a barrier
  gpu.func @bare(%v: vector<64xi32>) kernel {
    %a = memref.alloc() : !tensor
    %0 = memref.extract_aligned_pointer_as_index %a : !tensor -> index
    %1 = arith.index_cast %0 : index to i32
    %ap = llvm.inttoptr %1 : i32 to !llvm.ptr<6>
    nvvm.tcgen05.st %ap, %v {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<64xi32>
    nvvm.tcgen05.wait <store>
    gpu.barrier
    %b = memref.alloc() : !tensor
    %2 = memref.extract_aligned_pointer_as_index %b : !tensor -> index
    %3 = arith.index_cast %2 : index to i32
    %bp = llvm.inttoptr %3 : i32 to !llvm.ptr<6>
    nvvm.tcgen05.st %bp, %v {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<64xi32>
    nvvm.tcgen05.wait <store>
    gpu.return
  }

  // A wait for stores does not end a load.
  // PLAN-LABEL: gpu.func @other_wait(
  // PLAN: memref.alloc() {berth.offset = 0 : i64
  // PLAN: memref.alloc() {berth.offset = 32768 : i64
  // WAITS: error: touches bytes of the arena that something asynchronous may still use through another buffer
  gpu.func @other_wait(%v: vector<64xi32>) kernel {
    %a = memref.alloc() : !tensor
    %0 = memref.extract_aligned_pointer_as_index %a : !tensor -> index
    %1 = arith.index_cast %0 : index to i32
    %ap = llvm.inttoptr %1 : i32 to !llvm.ptr<6>
    %x = nvvm.tcgen05.ld %ap {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<64xi32>
    nvvm.tcgen05.wait <store>
    nvvm.tcgen05.fence <before>
    gpu.barrier
    nvvm.tcgen05.fence <after>
    %b = memref.alloc() : !tensor
    %2 = memref.extract_aligned_pointer_as_index %b : !tensor -> index
    %3 = arith.index_cast %2 : index to i32
    %bp = llvm.inttoptr %3 : i32 to !llvm.ptr<6>
    nvvm.tcgen05.st %bp, %v {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<64xi32>
    nvvm.tcgen05.wait <store>
    gpu.return
  }

  // What a copy from shared memory fills nothing known ends.
  // PLAN-LABEL: gpu.func @copied(
  // PLAN: memref.alloc() {berth.offset = 0 : i64
  // PLAN: memref.alloc() {berth.offset = 32768 : i64
  // PRODUCTS: error: touches bytes of the arena that something no barrier orders may still use through another buffer
  gpu.func @copied(%v: vector<64xi32>, %d: i64) kernel {
    %a = memref.alloc() : !tensor
    %0 = memref.extract_aligned_pointer_as_index %a : !tensor -> index
    %1 = arith.index_cast %0 : index to i32
    %ap = llvm.inttoptr %1 : i32 to !llvm.ptr<6>
    nvvm.tcgen05.cp %ap, %d {shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}
    nvvm.tcgen05.wait <store>
    nvvm.tcgen05.fence <before>
    gpu.barrier
    nvvm.tcgen05.fence <after>
    %b = memref.alloc() : !tensor
    %2 = memref.extract_aligned_pointer_as_index %b : !tensor -> index
    %3 = arith.index_cast %2 : index to i32
    %bp = llvm.inttoptr %3 : i32 to !llvm.ptr<6>
    nvvm.tcgen05.st %bp, %v {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<64xi32>
    nvvm.tcgen05.wait <store>
    gpu.return
  }
}
// CAPACITY: capacity 16383: tensor memory is allocated by 32 columns or more, which have 16384 bytes

//--- refused.mlir

gpu.module @m [#nvvm.target<chip = "sm_100a">] {
  gpu.func @left() kernel {
    // LEFT: not placed: {{.*}}used otherwise than by its address
    %a = memref.alloc() : memref<128x64xf32, #nvvm.memory_space<tensor>>
    %s = memref.subview %a[0, 0] [128, 32] [1, 1] : memref<128x64xf32, #nvvm.memory_space<tensor>> to memref<128x32xf32, strided<[64, 1]>, #nvvm.memory_space<tensor>>
    // LEFT: not placed: {{.*}}more rows than the 128 lanes
    %b = memref.alloc() : memref<129x64xf32, #nvvm.memory_space<tensor>>
    // LEFT: not placed: {{.*}}only static rows and columns
    %c = memref.alloc() : memref<64xf32, #nvvm.memory_space<tensor>>
    gpu.return
  }
}
gpu.module @older [#nvvm.target<chip = "sm_90a">] {
  gpu.func @left() kernel {
    // LEFT: not placed: {{.*}}names a chip that has it
    %a = memref.alloc() : memref<128x64xf32, #nvvm.memory_space<tensor>>
    gpu.return
  }
}

//--- large.mlir

gpu.module @m [#nvvm.target<chip = "sm_100a">] {
  gpu.func @large(%v: vector<64xi32>) kernel {
    // LARGE: error: {{.*}}the buffers do not fit: they need 262656 bytes{{.*}}is 262144 bytes
    %a = memref.alloc() : memref<128x513xf32, #nvvm.memory_space<tensor>>
    %0 = memref.extract_aligned_pointer_as_index %a : memref<128x513xf32, #nvvm.memory_space<tensor>> -> index
    %1 = arith.index_cast %0 : index to i32
    %ap = llvm.inttoptr %1 : i32 to !llvm.ptr<6>
    nvvm.tcgen05.st %ap, %v {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<64xi32>
    nvvm.tcgen05.wait <store>
    gpu.return
  }
}

//--- claims.mlir

gpu.module @m [#nvvm.target<chip = "sm_100a">] {
  gpu.func @claims() kernel attributes {berth.arena_size = 24576 : i64} {
    // CLAIMS: lies in 24576 bytes of tensor memory, which no tcgen05.alloc could have: 32, 64, 128, 256 or 512 columns
    %a = memref.alloc() {berth.offset = 0 : i64, berth.size = 16384 : i64} : memref<128x32xf32, #nvvm.memory_space<tensor>>
    gpu.return
  }
  gpu.func @columns() kernel attributes {berth.arena_size = 32768 : i64} {
    // CLAIMS: has berth.offset = 256 and berth.size = 16384, which are no whole columns
    %a = memref.alloc() {berth.offset = 256 : i64, berth.size = 16384 : i64} : memref<128x32xf32, #nvvm.memory_space<tensor>>
    // CLAIMS: has 16 columns of tensor memory for rows of 128 bytes
    %b = memref.alloc() {berth.offset = 16384 : i64, berth.size = 8192 : i64} : memref<64x32xf32, #nvvm.memory_space<tensor>>
    gpu.return
  }
  gpu.func @lanes() kernel attributes {berth.arena_size = 32768 : i64} {
    // CLAIMS: is no block of at most 128 lanes of tensor memory
    %a = memref.alloc() {berth.offset = 0 : i64, berth.size = 32768 : i64} : memref<256x32xf32, #nvvm.memory_space<tensor>>
    gpu.return
  }
}
