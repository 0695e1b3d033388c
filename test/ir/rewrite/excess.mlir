// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the allocations by themselves take fewer bytes at once than an arena, they
// stay, unless something is demanded of the arena.
// RUN: %mlir-opt-berth %s --split-input-file --pass-pipeline='builtin.module(berth-arena{report=-})' --remarks-filter='berth.*' 2>&1 | FileCheck %s
// RUN: %mlir-opt-berth %s --split-input-file --pass-pipeline='builtin.module(berth-arena{arena=alloc})' | FileCheck %s --check-prefix=ALONE
// RUN: %mlir-opt-berth %s --split-input-file --pass-pipeline='builtin.module(berth-arena{never-worse=false})' --remarks-filter='berth.*' 2>&1 | FileCheck %s --check-prefix=MADE
// RUN: %mlir-opt-berth %s --split-input-file --pass-pipeline='builtin.module(berth-arena{capacity=4K})' --remarks-filter='berth.*' 2>&1 | FileCheck %s --check-prefix=MADE
// RUN: %mlir-opt-berth %s --split-input-file --pass-pipeline='builtin.module(berth-arena{arena=alloca})' --remarks-filter='berth.*' 2>&1 | FileCheck %s --check-prefix=MADE

// CHECK:      "scope": "late", {{.*}} "placed": 0, {{.*}} "peak_apart": 1024, "excess": 256,
// CHECK:      no arena: where most is allocated, there would be 1280 bytes with one, and 1024 without (never-worse=false makes one)
// MADE:       where most is allocated, there are 1280 bytes with the arena, and 1024 without
// ALONE-LABEL: @late
// ALONE-NOT:     memref.view
// ALONE-COUNT-3: memref.alloc
// ALONE-NOT:     memref.view
// MADE:       2 of 3 buffers in an arena of 1024 bytes instead of 1088
func.func @late(%n: i32) -> memref<64xi32> {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<256xi32>
  linalg.fill ins(%n : i32) outs(%a : memref<256xi32>)
  %s = memref.load %a[%c0] : memref<256xi32>
  memref.dealloc %a : memref<256xi32>
  %r = memref.alloc() : memref<64xi32>
  linalg.fill ins(%s : i32) outs(%r : memref<64xi32>)
  %b = memref.alloc() : memref<16xi32>
  linalg.fill ins(%n : i32) outs(%b : memref<16xi32>)
  %t = memref.load %b[%c0] : memref<16xi32>
  memref.store %t, %r[%c0] : memref<64xi32>
  memref.dealloc %b : memref<16xi32>
  return %r : memref<64xi32>
}

// -----

// Nobody frees the first one ahead of the result: the deallocation pipeline would do
// so at the end of the block, and both peaks are those of all three.
// CHECK:       "scope": "unfreed", {{.*}} "placed": 2,
// CHECK-NOT:   "excess"
// ALONE-LABEL: @unfreed
// ALONE-COUNT-2: memref.view
func.func @unfreed(%n: i32) -> memref<64xi32> {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<256xi32>
  linalg.fill ins(%n : i32) outs(%a : memref<256xi32>)
  %s = memref.load %a[%c0] : memref<256xi32>
  %r = memref.alloc() : memref<64xi32>
  linalg.fill ins(%s : i32) outs(%r : memref<64xi32>)
  %b = memref.alloc() : memref<16xi32>
  linalg.fill ins(%n : i32) outs(%b : memref<16xi32>)
  %t = memref.load %b[%c0] : memref<16xi32>
  memref.store %t, %r[%c0] : memref<64xi32>
  return %r : memref<64xi32>
}

// -----

// Sizes are rounded up: 129 bytes are no more than twice 128.
// CHECK:       "scope": "padded", {{.*}} "bytes_before": 2, "bytes_after": 129,
// CHECK-NOT:   "excess"
// ALONE-LABEL: @padded
// ALONE-COUNT-2: memref.view
func.func @padded(%n: i8, %y: memref<i8>) {
  %a = memref.alloc() {alignment = 128 : i64} : memref<i8>
  %b = memref.alloc() {alignment = 128 : i64} : memref<i8>
  memref.store %n, %a[] : memref<i8>
  memref.store %n, %b[] : memref<i8>
  %s = memref.load %a[] : memref<i8>
  %t = memref.load %b[] : memref<i8>
  %u = arith.addi %s, %t : i8
  memref.store %u, %y[] : memref<i8>
  memref.dealloc %a : memref<i8>
  memref.dealloc %b : memref<i8>
  return
}
