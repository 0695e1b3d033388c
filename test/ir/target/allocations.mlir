// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops that a description calls allocations, whatever they return.

// RUN: %berth-opt %s --berth-target=%S/Inputs/allocations.json --mlir-print-op-generic --remarks-filter='berth.*' --pass-pipeline='builtin.module(berth-arena{space=L1 arena=annotate in-place=false})' > %t 2>&1
// RUN: FileCheck %s < %t
// RUN: FileCheck %s --check-prefix=WHY < %t
// What has no type of a view is a cast of one.
// RUN: %berth-opt %s --berth-target=%S/Inputs/allocations.json --remarks-filter='berth.*' --pass-pipeline='builtin.module(berth-arena{space=L1})' 2>&1 | FileCheck %s --check-prefix=VIEWS

!near = memref<16xi32, "L1">
!far = memref<16xi32>

// Sizes and alignments from operands, attributes and types; what is dead gives
// its bytes away.
// CHECK-LABEL: sym_name = "sources"
// CHECK: "npu.alloc"({{.*}}berth.address = 4160 : i64, berth.offset = 64 : i64, berth.size = 64 : i64
// CHECK: "tile.buffer"() {berth.address = 4096 : i64, berth.offset = 0 : i64, berth.size = 64 : i64
// CHECK: "npu.local"() {{.*}}berth.offset = 64 : i64, berth.size = 48 : i64
// CHECK: berth.arena_size = 128 : i64
// VIEWS: %[[VIEW:.*]] = memref.view %alloc[{{.*}}][] {berth.buffer = 0 : i64} : memref<128xi8, "L1"> to memref<64xi8, "L1">
// VIEWS-NEXT: builtin.unrealized_conversion_cast %[[VIEW]] : memref<64xi8, "L1"> to !npu.window
// VIEWS: memref.view %alloc[{{.*}}][] {berth.buffer = 1 : i64} : memref<128xi8, "L1"> to memref<16xi32, "L1">
func.func @sources(%x: !far, %y: !far) {
  %n = arith.constant 64 : index
  %a = "npu.alloc"(%n) {memory_space = "L1", align = 64 : i64} : (index) -> !npu.window
  %b = "tile.buffer"() : () -> !near
  %c = "npu.local"() {bytes = 48 : i64} : () -> memref<12xi32, "L1">
  "npu.add"(%x, %x, %a) : (!far, !far, !npu.window) -> ()
  %v = "npu.view"(%a) : (!npu.window) -> !npu.window
  "npu.add"(%x, %v, %b) : (!far, !npu.window, !near) -> ()
  "npu.add"(%x, %b, %c) : (!far, !near, memref<12xi32, "L1">) -> ()
  "npu.add"(%c, %b, %y) : (memref<12xi32, "L1">, !near, !far) -> ()
  return
}

// WHY: [[@LINE+6]]:8: {{.*}}not placed: its size is known only at run time
// WHY: [[@LINE+6]]:8: {{.*}}not placed: no target description or berth.size tells its bytes
// WHY: [[@LINE+6]]:8: {{.*}}placed at offset 0, 24 bytes
// Another memory.
// WHY-NOT: [[@LINE+5]]:8
func.func @unknown(%n: index) {
  %a = "npu.alloc"(%n) {memory_space = "L1"} : (index) -> !npu.window
  %b = "tile.buffer"() : () -> !npu.window
  %c = "tile.buffer"() {berth.size = 24 : i64} : () -> !npu.window
  %d = "npu.alloc"(%n) {memory_space = "L3"} : (index) -> !npu.window
  "npu.add"(%a, %b, %c) : (!npu.window, !npu.window, !npu.window) -> ()
  return
}

// By what the description says of the type; berth.size comes before that.
// CHECK-LABEL: sym_name = "types"
// CHECK: "tile.buffer"() {{.*}}berth.size = 2048 : i64{{.*}} -> !npu.tensor<16x32xf32, row>
// CHECK: "tile.buffer"() {{.*}}berth.size = 3 : i64{{.*}} -> !npu.tensor<3xi1>
// CHECK: "tile.buffer"() {{.*}}berth.size = 96 : i64{{.*}} -> !npu.tensor<8xbf16, padded>
// CHECK: "tile.buffer"() {{.*}}berth.size = 64 : i64{{.*}} -> !npu.line
// WHY: [[@LINE+7]]:9: {{.*}}not placed: its type !npu.tensor<?xi8> is not dense, as the target description has it (<16x32xi8...> expected), and no berth.size tells its bytes
// WHY: [[@LINE+7]]:9: {{.*}}not placed: no target description or berth.size tells its bytes
func.func @types() {
  %a = "tile.buffer"() : () -> !npu.tensor<16x32xf32, row>
  %b = "tile.buffer"() : () -> !npu.tensor<3xi1>
  %c = "tile.buffer"() {berth.size = 96 : i64} : () -> !npu.tensor<8xbf16, padded>
  %d = "tile.buffer"() : () -> !npu.line
  %e1 = "tile.buffer"() : () -> !npu.tensor<?xi8>
  %e2 = "tile.buffer"() : () -> !npu.unsized
  return
}

// A byte of 200 is no -56, and an alignment that only the run tells is not taken
// for none.
// WHY: [[@LINE+6]]:11: {{.*}}placed at offset {{[0-9]+}}, 200 bytes
// WHY: [[@LINE+6]]:13: {{.*}}not placed: its alignment is known only at run time
func.func @widths(%n: index) {
  // Without the attribute it may lie anywhere.
  %d = arith.constant 4 : index
  %y = "npu.alloc"(%d) {memory_space = "L1"} : (index) -> !npu.window
  %tall = "npu.local"() {bytes = 200 : ui8} : () -> memref<200xi8, "L1">
  %turned = "npu.aligned"(%n) : (index) -> memref<4xi8, "L1">
  return
}
