// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a description says of ops of a name, attributes say of an op, or properties,
// or some the one and some the other.
// RUN: %berth-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-arena)' -o %t 2>/dev/null

// RUN: %berth-opt %s --allow-unregistered-dialect --remarks-filter='berth.*' --pass-pipeline='builtin.module(berth-print-interference)' -o /dev/null 2>&1 | FileCheck %s
// RUN: %berth-opt %s --allow-unregistered-dialect --mlir-print-op-generic | %berth-opt --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-print-interference)' -o /dev/null 2>&1 | FileCheck %s
// They are laid over the entry of a description.
// RUN: %berth-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-print-interference{target=%S/Inputs/npu.json})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=BOTH
// berth-verify reads them, too.
// RUN: %berth-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-arena{arena=annotate in-place=false space=default},berth-verify)' | FileCheck %s --check-prefix=PLACED

!b = memref<64xi8>

// CHECK-LABEL: @effects
// CHECK-NEXT: %alloc and %alloc_0:
// CHECK-NOT: %alloc and
// CHECK: %alloc_0 and %alloc_1:
// CHECK-NOT: %alloc
// PLACED-LABEL: @effects
func.func @effects(%x: !b) {
  %a = memref.alloc() : !b
  %b = memref.alloc() : !b
  %c = memref.alloc() : !b
  "npu.op"(%a) {berth.writes = [0]} : (!b) -> ()
  "npu.op"(%b, %a) {berth.writes = [0], berth.reads = array<i64: 1>} : (!b, !b) -> ()
  "npu.op"(%a) {berth.reads = []} : (!b) -> ()
  "npu.op"(%b, %c) <{berth.reads = [0]}> {berth.writes = [1 : i32]} : (!b, !b) -> ()
  "npu.op"(%c) {berth.reads = [0], berth.writes = [0]} : (!b) -> ()
  return
}

// CHECK-LABEL: @views
// CHECK-NEXT: %alloc and %alloc_0:
// CHECK-NOT: %alloc
func.func @views(%x: !b) {
  %a = memref.alloc() : !b
  %b = memref.alloc() : !b
  %v = "npu.op"(%a) {berth.views = [0]} : (!b) -> !npu.window
  "npu.op"(%a) {berth.writes = [0]} : (!b) -> ()
  %n = "npu.op"(%a) {berth.reads = [0]} : (!b) -> !npu.value
  "npu.op"(%b) {berth.writes = [0]} : (!b) -> ()
  "npu.op"(%v, %b) {berth.reads = [0, 1]} : (!npu.window, !b) -> ()
  "npu.op"(%b, %n) {berth.writes = [0]} : (!b, !npu.value) -> ()
  "npu.op"(%b) {berth.reads = [0]} : (!b) -> ()
  return
}

// Until the next barrier.
// CHECK-LABEL: @pending
// CHECK-NEXT: %alloc and %alloc_0:
// CHECK-NOT: %alloc
func.func @pending(%x: !b) {
  %a = memref.alloc() : !b
  %b = memref.alloc() : !b
  %c = memref.alloc() : !b
  "npu.op"(%a) {berth.writes = [0], berth.pending} : (!b) -> ()
  "npu.op"(%b) {berth.writes = [0]} : (!b) -> ()
  "npu.op"(%b) {berth.reads = [0]} : (!b) -> ()
  "npu.sync"() {berth.barrier} : () -> ()
  "npu.op"(%c) {berth.writes = [0]} : (!b) -> ()
  "npu.op"(%c) {berth.reads = [0]} : (!b) -> ()
  return
}

// CHECK-LABEL: @tokens
// CHECK-NEXT: %alloc and %alloc_0:
// CHECK-NOT: %alloc
func.func @tokens(%x: !b) {
  %a = memref.alloc() : !b
  %b = memref.alloc() : !b
  %c = memref.alloc() : !b
  %t = "npu.op"(%a) {berth.writes = [0], berth.token = 0} : (!b) -> i32
  "npu.op"(%b) {berth.writes = [0]} : (!b) -> ()
  "npu.op"(%b) {berth.reads = [0]} : (!b) -> ()
  "npu.op"(%t) {berth.waits = [0]} : (i32) -> ()
  "npu.op"(%c) {berth.writes = [0]} : (!b) -> ()
  "npu.op"(%c) {berth.reads = [0]} : (!b) -> ()
  return
}

// Units run beside each other between barriers.
// CHECK-LABEL: @units
// CHECK-NEXT: %alloc and %alloc_0:
// CHECK-NOT: %alloc
func.func @units(%x: !b) {
  %a = memref.alloc() : !b
  %b = memref.alloc() : !b
  %c = memref.alloc() : !b
  "npu.op"(%a) {berth.writes = [0], berth.unit = "dma"} : (!b) -> ()
  "npu.op"(%b) {berth.writes = [0], berth.unit = "array"} : (!b) -> ()
  "npu.sync"() {berth.barrier} : () -> ()
  "npu.op"(%c) {berth.writes = [0], berth.unit = "dma"} : (!b) -> ()
  "npu.sync"() {berth.barrier = true} : () -> ()
  return
}

// By segments; an allocation of bytes that an attribute tells.
// PLACED-LABEL: @segments
// PLACED: "npu.new"() {{.*}}berth.offset = {{[0-9]+}} : i64, berth.size = 48 : i64
func.func @segments(%x: !b) {
  %w = "npu.new"() {berth.allocates = {size = {attribute = "bytes"}, alignment = {attribute = "align"}}, bytes = 48 : i64, align = 16 : i64} : () -> !npu.window
  %a = memref.alloc() : !b
  "npu.op"(%w, %x, %a) {berth.segments, berth.writes = [0, 1], operandSegmentSizes = array<i32: 1, 2>} : (!npu.window, !b, !b) -> ()
  "npu.op"(%w, %a) {berth.reads = [0, 1]} : (!npu.window, !b) -> ()
  return
}

// The entry of npu.add says what it does; the attribute adds that it goes on.
// CHECK-LABEL: @entry
// BOTH-LABEL: @entry
// BOTH-NEXT: %alloc and %alloc_0:
// BOTH-NOT: %alloc
func.func @entry(%x: !b) {
  %a = memref.alloc() : !b
  %b = memref.alloc() : !b
  "npu.add"(%x, %x, %a) {berth.pending} : (!b, !b, !b) -> ()
  "npu.add"(%x, %x, %b) : (!b, !b, !b) -> ()
  "npu.barrier"() {berth.barrier} : () -> ()
  return
}

// Without a list the op is one that nobody describes: it does anything.
// CHECK-LABEL: @alone
// BOTH-LABEL: @alone
// CHECK-NEXT: %alloc and %alloc_0:
func.func @alone(%x: !b) {
  %a = memref.alloc() : !b
  %b = memref.alloc() : !b
  "npu.op"(%a, %b) {berth.unit = "dma"} : (!b, !b) -> ()
  "npu.barrier"() {berth.barrier} : () -> ()
  return
}
