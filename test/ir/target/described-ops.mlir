// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops that only a description explains.

// RUN: %berth-opt %s --berth-target=%S/Inputs/npu.json --mlir-print-op-generic --pass-pipeline='builtin.module(berth-arena{space=L1 arena=annotate in-place=false})' | FileCheck %s
// The same by the option of the pass, for ops that need no parser's help.
// RUN: %berth-opt %s --allow-unregistered-dialect --mlir-print-op-generic --pass-pipeline='builtin.module(berth-arena{target=%S/Inputs/npu.json space=L1 arena=annotate in-place=false})' | FileCheck %s
// Without what is pending, buffers share too early.
// RUN: %berth-opt %s --berth-target=%S/Inputs/npu.json --mlir-print-op-generic --pass-pipeline='builtin.module(berth-arena{space=L1 arena=annotate in-place=false verify=false test-break-rule=no-async})' | FileCheck %s --check-prefix=BROKEN
// The verifier notices.
// RUN: not %berth-opt %s --berth-target=%S/Inputs/npu.json --pass-pipeline='builtin.module(berth-arena{space=L1 arena=annotate in-place=false test-break-rule=no-async})' 2>&1 | FileCheck %s --check-prefix=VERIFY
// VERIFY: error: touches bytes of the arena that another core or unit, or work under way, may use through another buffer before the next barrier

// What an op reads and writes is known, so the lives end where they end.
// CHECK-LABEL: sym_name = "sync"
// CHECK: "memref.alloc"() {{.*}}berth.address = 268435520 : i64, berth.offset = 64 : i64
// CHECK: "memref.alloc"() {{.*}}berth.address = 268435456 : i64, berth.offset = 0 : i64
// CHECK: "memref.alloc"() {{.*}}berth.address = 268435520 : i64, berth.offset = 64 : i64
// CHECK: berth.arena_size = 128 : i64
func.func @sync(%x: memref<64xi8>, %y: memref<64xi8>) {
  %a = memref.alloc() : memref<64xi8, "L1">
  %b = memref.alloc() : memref<64xi8, "L1">
  %c = memref.alloc() : memref<64xi8, "L1">
  "npu.add"(%x, %y, %a) : (memref<64xi8>, memref<64xi8>, memref<64xi8, "L1">) -> ()
  "npu.tick"() : () -> ()
  "npu.add"(%a, %x, %b) : (memref<64xi8, "L1">, memref<64xi8>, memref<64xi8, "L1">) -> ()
  "npu.add"(%b, %x, %c) : (memref<64xi8, "L1">, memref<64xi8>, memref<64xi8, "L1">) -> ()
  "npu.add"(%c, %x, %y) : (memref<64xi8, "L1">, memref<64xi8>, memref<64xi8>) -> ()
  return
}

// The product may still read %a when the next transfer starts: there is no
// barrier between the two. Behind the barrier %d may have its bytes.
// CHECK-LABEL: sym_name = "pending"
// CHECK: "memref.alloc"() {{.*}}berth.offset = [[A:[0-9]+]] : i64
// CHECK: "memref.alloc"() {{.*}}berth.offset = [[B:[0-9]+]] : i64
// CHECK-NOT: berth.offset = [[A]] :
// CHECK: "memref.alloc"() {{.*}}berth.offset = {{[0-9]+}} : i64
// CHECK: "memref.alloc"() {{.*}}berth.offset = [[A]] : i64
// CHECK: berth.arena_size = 192 : i64
// BROKEN-LABEL: sym_name = "pending"
// BROKEN: berth.arena_size = 128 : i64
"func.func"() <{sym_name = "pending", function_type = (memref<64xi8>, memref<64xi8>) -> ()}> ({
^bb0(%x: memref<64xi8>, %y: memref<64xi8>):
  %a = memref.alloc() : memref<64xi8, "L1">
  %b = memref.alloc() : memref<64xi8, "L1">
  %c = memref.alloc() : memref<64xi8, "L1">
  %d = memref.alloc() : memref<64xi8, "L1">
  "npu.dma"(%x, %a) : (memref<64xi8>, memref<64xi8, "L1">) -> ()
  "npu.barrier"() : () -> ()
  "npu.matmul"(%a, %b) ({
  ^bb0(%s: !npu.stream<i8>):
    "npu.yield"(%s) : (!npu.stream<i8>) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1>} : (memref<64xi8, "L1">, memref<64xi8, "L1">) -> ()
  "npu.dma"(%x, %c) : (memref<64xi8>, memref<64xi8, "L1">) -> ()
  "npu.barrier"() : () -> ()
  "npu.add"(%b, %c, %d) : (memref<64xi8, "L1">, memref<64xi8, "L1">, memref<64xi8, "L1">) -> ()
  "npu.dma"(%d, %y) : (memref<64xi8, "L1">, memref<64xi8>) -> ()
  "npu.barrier"() : () -> ()
  "func.return"() : () -> ()
}) : () -> ()

// A view is followed; what the description does not call a view is none, though
// it returns something.
// CHECK-LABEL: sym_name = "views"
// CHECK: berth.arena_size = 128 : i64
func.func @views(%x: memref<64xi8>, %y: memref<64xi8>) {
  %a = memref.alloc() : memref<64xi8, "L1">
  %b = memref.alloc() : memref<64xi8, "L1">
  "npu.add"(%x, %y, %a) : (memref<64xi8>, memref<64xi8>, memref<64xi8, "L1">) -> ()
  %v = "npu.slice"(%a) : (memref<64xi8, "L1">) -> !npu.window
  "npu.add"(%x, %y, %b) : (memref<64xi8>, memref<64xi8>, memref<64xi8, "L1">) -> ()
  "npu.add"(%b, %v, %y) : (memref<64xi8, "L1">, !npu.window, memref<64xi8>) -> ()
  return
}

// Barriers in the branches of two cores: nothing shares.
// CHECK-LABEL: sym_name = "cores"
// CHECK: berth.arena_size = 128 : i64
func.func @cores(%first: i1, %x: memref<64xi8>, %y: memref<64xi8>) {
  %a = memref.alloc() : memref<64xi8, "L1">
  %b = memref.alloc() : memref<64xi8, "L1">
  scf.if %first {
    "npu.dma"(%x, %a) : (memref<64xi8>, memref<64xi8, "L1">) -> ()
    "npu.barrier"() : () -> ()
  } else {
    "npu.add"(%x, %y, %b) : (memref<64xi8>, memref<64xi8>, memref<64xi8, "L1">) -> ()
    "npu.barrier"() : () -> ()
  }
  return
}
