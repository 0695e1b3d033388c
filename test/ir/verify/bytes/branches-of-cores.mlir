// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where cores have branches of their own, the order of the text says nothing,
// and contents are followed barrier by barrier. What one op does by itself is
// asked there as well: it reads no buffer while it writes another one at the
// same bytes, unless it works in place. So is what a core does to its own
// earlier instances of a buffer that it makes anew.

// RUN: split-file %s %t
// RUN: not %berth-opt %t/wrong.mlir -o /dev/null --berth-target=%t/npu.json --pass-pipeline='builtin.module(berth-verify)' 2>&1 | FileCheck %t/wrong.mlir --implicit-check-not=error:
// RUN: %berth-opt %t/right.mlir -o /dev/null --berth-target=%t/npu.json --pass-pipeline='builtin.module(berth-verify)'

//--- npu.json
{"ops": [
  {"name": "npu.use", "reads": [0], "writes": [1]},
  {"name": "npu.mm", "reads": [0], "writes": [1], "unit": "array", "once": true},
  {"name": "npu.barrier", "barrier": true}],
 "functions": [{"name": "core", "cores": 2}],
 "memories": [{"space": "L1"}]}

//--- wrong.mlir
func.func private @core() -> i32
func.func @use(%x: memref<16xi8, "L1">, %y: memref<16xi8, "L1">) {
  %zero = arith.constant 0 : i32
  %core = call @core() : () -> i32
  %is = arith.cmpi eq, %core, %zero : i32
  %a = memref.alloc() {berth.offset = 0, berth.size = 16} : memref<16xi8, "L1">
  %b = memref.alloc() {berth.offset = 8, berth.size = 16} : memref<16xi8, "L1">
  scf.if %is {
    "npu.use"(%x, %a) : (memref<16xi8, "L1">, memref<16xi8, "L1">) -> ()
    "npu.barrier"() : () -> ()
  } else {
    "npu.barrier"() : () -> ()
    // CHECK: :[[#@LINE+1]]:5: error: reads a buffer while it writes another one
    "npu.use"(%a, %b) : (memref<16xi8, "L1">, memref<16xi8, "L1">) -> ()
    "npu.use"(%b, %y) : (memref<16xi8, "L1">, memref<16xi8, "L1">) -> ()
  }
  "npu.barrier"() : () -> ()
  return
}
// On a unit.
func.func @unit(%x: memref<16xi8, "L1">, %y: memref<16xi8, "L1">) {
  %zero = arith.constant 0 : i32
  %core = call @core() : () -> i32
  %is = arith.cmpi eq, %core, %zero : i32
  %a = memref.alloc() {berth.offset = 0, berth.size = 16} : memref<16xi8, "L1">
  %b = memref.alloc() {berth.offset = 0, berth.size = 16} : memref<16xi8, "L1">
  "npu.mm"(%x, %a) : (memref<16xi8, "L1">, memref<16xi8, "L1">) -> ()
  "npu.barrier"() : () -> ()
  scf.if %is {
    // CHECK: :[[#@LINE+1]]:5: error: reads a buffer while it writes another one
    "npu.mm"(%a, %b) : (memref<16xi8, "L1">, memref<16xi8, "L1">) -> ()
  }
  "npu.barrier"() : () -> ()
  "npu.use"(%b, %y) : (memref<16xi8, "L1">, memref<16xi8, "L1">) -> ()
  "npu.barrier"() : () -> ()
  return
}
// Not element for element.
func.func @transpose(%x: memref<4x4xi8, "L1">, %y: memref<4x4xi8, "L1">) {
  %zero = arith.constant 0 : i32
  %core = call @core() : () -> i32
  %is = arith.cmpi eq, %core, %zero : i32
  %a = memref.alloc() {berth.offset = 0, berth.size = 16} : memref<4x4xi8, "L1">
  %b = memref.alloc() {berth.offset = 0, berth.size = 16} : memref<4x4xi8, "L1">
  scf.if %is {
    "npu.use"(%x, %a) : (memref<4x4xi8, "L1">, memref<4x4xi8, "L1">) -> ()
    "npu.barrier"() : () -> ()
  } else {
    "npu.barrier"() : () -> ()
    // CHECK: :[[#@LINE+1]]:5: error: reads a buffer while it writes another one
    linalg.transpose ins(%a : memref<4x4xi8, "L1">) outs(%b : memref<4x4xi8, "L1">) permutation = [1, 0]
    "npu.use"(%b, %y) : (memref<4x4xi8, "L1">, memref<4x4xi8, "L1">) -> ()
  }
  "npu.barrier"() : () -> ()
  return
}
// Through a call.
func.func private @callee(%p: memref<16xi8, "L1">, %q: memref<16xi8, "L1">) {
  "npu.use"(%p, %q) : (memref<16xi8, "L1">, memref<16xi8, "L1">) -> ()
  return
}
func.func @called(%x: memref<16xi8, "L1">, %y: memref<16xi8, "L1">) {
  %zero = arith.constant 0 : i32
  %core = call @core() : () -> i32
  %is = arith.cmpi eq, %core, %zero : i32
  %a = memref.alloc() {berth.offset = 0, berth.size = 16} : memref<16xi8, "L1">
  %b = memref.alloc() {berth.offset = 0, berth.size = 16} : memref<16xi8, "L1">
  scf.if %is {
    "npu.use"(%x, %a) : (memref<16xi8, "L1">, memref<16xi8, "L1">) -> ()
    "npu.barrier"() : () -> ()
  } else {
    "npu.barrier"() : () -> ()
    // CHECK: :[[#@LINE+1]]:5: error: reads a buffer while it writes another one
    func.call @callee(%a, %b) : (memref<16xi8, "L1">, memref<16xi8, "L1">) -> ()
    "npu.use"(%b, %y) : (memref<16xi8, "L1">, memref<16xi8, "L1">) -> ()
  }
  "npu.barrier"() : () -> ()
  return
}
// Made anew while the loop still holds the one before. What the cores do to
// other buffers does not matter.
func.func @instances(%x: memref<16xi8, "L1">, %y: memref<16xi8, "L1">) {
  %zero = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %core = call @core() : () -> i32
  %is = arith.cmpi eq, %core, %zero : i32
  %b = memref.alloc() {berth.offset = 0, berth.size = 16} : memref<16xi8, "L1">
  %c = memref.alloc() {berth.offset = 0, berth.size = 16} : memref<16xi8, "L1">
  scf.if %is {
    "npu.use"(%x, %b) : (memref<16xi8, "L1">, memref<16xi8, "L1">) -> ()
    %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%p = %b) -> memref<16xi8, "L1"> {
      %a = memref.alloc() {berth.offset = 32, berth.size = 16} : memref<16xi8, "L1">
      "npu.use"(%x, %a) : (memref<16xi8, "L1">, memref<16xi8, "L1">) -> ()
      // CHECK: :[[#@LINE+1]]:7: error: reads a buffer whose bytes in the arena may have been overwritten
      "npu.use"(%p, %y) : (memref<16xi8, "L1">, memref<16xi8, "L1">) -> ()
      scf.yield %a : memref<16xi8, "L1">
    }
    "npu.barrier"() : () -> ()
  } else {
    "npu.barrier"() : () -> ()
    "npu.use"(%x, %c) : (memref<16xi8, "L1">, memref<16xi8, "L1">) -> ()
    "npu.use"(%c, %y) : (memref<16xi8, "L1">, memref<16xi8, "L1">) -> ()
  }
  "npu.barrier"() : () -> ()
  return
}

//--- right.mlir
func.func private @core() -> i32
// The one before is read before it is made anew.
func.func @instances(%x: memref<16xi8, "L1">, %y: memref<16xi8, "L1">) {
  %zero = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %core = call @core() : () -> i32
  %is = arith.cmpi eq, %core, %zero : i32
  %b = memref.alloc() {berth.offset = 0, berth.size = 16} : memref<16xi8, "L1">
  %c = memref.alloc() {berth.offset = 0, berth.size = 16} : memref<16xi8, "L1">
  scf.if %is {
    "npu.use"(%x, %b) : (memref<16xi8, "L1">, memref<16xi8, "L1">) -> ()
    %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%p = %b) -> memref<16xi8, "L1"> {
      "npu.use"(%p, %y) : (memref<16xi8, "L1">, memref<16xi8, "L1">) -> ()
      %a = memref.alloc() {berth.offset = 32, berth.size = 16} : memref<16xi8, "L1">
      "npu.use"(%x, %a) : (memref<16xi8, "L1">, memref<16xi8, "L1">) -> ()
      scf.yield %a : memref<16xi8, "L1">
    }
    "npu.barrier"() : () -> ()
  } else {
    "npu.barrier"() : () -> ()
    "npu.use"(%x, %c) : (memref<16xi8, "L1">, memref<16xi8, "L1">) -> ()
    "npu.use"(%c, %y) : (memref<16xi8, "L1">, memref<16xi8, "L1">) -> ()
  }
  "npu.barrier"() : () -> ()
  return
}
// Element for element, and in places of their own.
func.func @in_place(%x: memref<16xf32, "L1">, %y: memref<16xf32, "L1">) {
  %zero = arith.constant 0 : i32
  %core = call @core() : () -> i32
  %is = arith.cmpi eq, %core, %zero : i32
  %a = memref.alloc() {berth.offset = 0, berth.size = 64} : memref<16xf32, "L1">
  %b = memref.alloc() {berth.offset = 0, berth.size = 64} : memref<16xf32, "L1">
  %c = memref.alloc() {berth.offset = 64, berth.size = 64} : memref<16xf32, "L1">
  scf.if %is {
    "npu.use"(%x, %a) : (memref<16xf32, "L1">, memref<16xf32, "L1">) -> ()
    "npu.barrier"() : () -> ()
  } else {
    "npu.barrier"() : () -> ()
    linalg.exp ins(%a : memref<16xf32, "L1">) outs(%b : memref<16xf32, "L1">)
    "npu.use"(%b, %c) : (memref<16xf32, "L1">, memref<16xf32, "L1">) -> ()
    "npu.use"(%c, %y) : (memref<16xf32, "L1">, memref<16xf32, "L1">) -> ()
  }
  "npu.barrier"() : () -> ()
  return
}
