// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A type of a foreign dialect that is a token: an op that is described, and
// returns one, works on until somebody waits for it, though no `token` says so.
// What carries the token elsewhere is no wait: its buffer is not placed. Nor is
// an op that nobody describes, though it is of the type's dialect.

// RUN: split-file %s %t
// RUN: %berth-opt %t/carried.mlir -o /dev/null --berth-target=%t/npu.json --remarks-filter='berth.*' --pass-pipeline='builtin.module(berth-arena{arena=annotate})' 2>&1 | FileCheck %t/carried.mlir
// The same by attributes of the op, beside the type of the description.
// RUN: sed 's/"npu.start"(%%x, %%[a-z]*)/& {berth.reads = [0], berth.writes = [1]}/' %t/carried.mlir | %berth-opt -o /dev/null --allow-unregistered-dialect --berth-target=%t/type.json --remarks-filter='berth.*' --pass-pipeline='builtin.module(berth-arena{arena=annotate})' 2>&1 | FileCheck %t/carried.mlir
// Placed by hand, where the other token may be the one that is waited for.
// RUN: not %berth-opt %t/placed.mlir -o /dev/null --berth-target=%t/npu.json --pass-pipeline='builtin.module(berth-verify)' 2>&1 | FileCheck %t/placed.mlir

// Planner and verifier each know it: without the planner's rule the verifier refuses.
// RUN: not %berth-opt %t/undescribed.mlir -o /dev/null --berth-target=%t/npu.json --pass-pipeline='builtin.module(berth-arena{arena=annotate verify=false test-break-rule=any-token-use},berth-verify)' 2>&1 | FileCheck %t/undescribed.mlir

//--- npu.json
{"ops": [
  {"name": "npu.start", "reads": [0], "writes": [1]},
  {"name": "npu.work", "reads": [0], "writes": [1]},
  {"name": "npu.wait", "waits": [0]}],
 "types": [{"name": "npu.tok", "token": true}]}
//--- type.json
{"ops": [
  {"name": "npu.work", "reads": [0], "writes": [1]},
  {"name": "npu.wait", "waits": [0]}],
 "types": [{"name": "npu.tok", "token": true}]}
//--- carried.mlir
func.func private @keep(!npu.tok) -> !npu.tok
func.func @select(%x: memref<64xi8>, %c: i1) {
  // CHECK: :[[@LINE+1]]:{{.*}}not placed: an asynchronous op may still use it later
  %a = memref.alloc() : memref<64xi8>
  %t = "npu.start"(%x, %a) : (memref<64xi8>, memref<64xi8>) -> !npu.tok
  %u = "npu.start"(%x, %x) : (memref<64xi8>, memref<64xi8>) -> !npu.tok
  %w = arith.select %c, %t, %u : !npu.tok
  "npu.wait"(%w) : (!npu.tok) -> ()
  return
}
func.func @loop(%x: memref<64xi8>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: :[[@LINE+1]]:{{.*}}not placed: an asynchronous op may still use it later
  %a = memref.alloc() : memref<64xi8>
  %t = "npu.start"(%x, %a) : (memref<64xi8>, memref<64xi8>) -> !npu.tok
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%k = %t) -> !npu.tok {
    scf.yield %k : !npu.tok
  }
  "npu.wait"(%r) : (!npu.tok) -> ()
  return
}
func.func @call(%x: memref<64xi8>) {
  // CHECK: :[[@LINE+1]]:{{.*}}not placed: an asynchronous op may still use it later
  %a = memref.alloc() : memref<64xi8>
  %t = "npu.start"(%x, %a) : (memref<64xi8>, memref<64xi8>) -> !npu.tok
  %r = call @keep(%t) : (!npu.tok) -> !npu.tok
  "npu.wait"(%r) : (!npu.tok) -> ()
  return
}
func.func @undescribed(%x: memref<64xi8>) {
  // CHECK: :[[@LINE+1]]:{{.*}}not placed: an asynchronous op may still use it later
  %a = memref.alloc() : memref<64xi8>
  %t = "npu.start"(%x, %a) : (memref<64xi8>, memref<64xi8>) -> !npu.tok
  %u = "npu.other"(%t) : (!npu.tok) -> !npu.tok
  "npu.wait"(%u) : (!npu.tok) -> ()
  return
}
func.func @undescribed_end(%x: memref<64xi8>) {
  // CHECK: :[[@LINE+1]]:{{.*}}not placed: an asynchronous op may still use it later
  %a = memref.alloc() : memref<64xi8>
  %t = "npu.start"(%x, %a) : (memref<64xi8>, memref<64xi8>) -> !npu.tok
  "npu.other"(%t) : (!npu.tok) -> ()
  return
}
func.func @waited(%x: memref<64xi8>) {
  // CHECK: :[[@LINE+1]]:{{.*}}placed at offset 0
  %a = memref.alloc() : memref<64xi8>
  %t = "npu.start"(%x, %a) : (memref<64xi8>, memref<64xi8>) -> !npu.tok
  "npu.wait"(%t) : (!npu.tok) -> ()
  // CHECK: :[[@LINE+1]]:{{.*}}placed at offset 0
  %b = memref.alloc() : memref<64xi8>
  "npu.work"(%x, %b) : (memref<64xi8>, memref<64xi8>) -> ()
  return
}
//--- placed.mlir
func.func @select(%x: memref<64xi8>, %c: i1) attributes {berth.arena_size = 64} {
  %a = memref.alloc() {berth.offset = 0, berth.size = 64} : memref<64xi8>
  %t = "npu.start"(%x, %a) : (memref<64xi8>, memref<64xi8>) -> !npu.tok
  %u = "npu.start"(%x, %x) : (memref<64xi8>, memref<64xi8>) -> !npu.tok
  %w = arith.select %c, %t, %u : !npu.tok
  "npu.wait"(%w) : (!npu.tok) -> ()
  %b = memref.alloc() {berth.offset = 0, berth.size = 64} : memref<64xi8>
  // CHECK: :[[@LINE+1]]:3: error: touches bytes of the arena that work still under way may use through another buffer
  "npu.work"(%x, %b) : (memref<64xi8>, memref<64xi8>) -> ()
  "npu.work"(%b, %x) : (memref<64xi8>, memref<64xi8>) -> ()
  return
}
//--- undescribed.mlir
func.func @handed(%x: memref<64xi8>, %y: memref<64xi8>) {
  %a = memref.alloc() : memref<64xi8>
  %b = memref.alloc() : memref<64xi8>
  "npu.work"(%x, %a) : (memref<64xi8>, memref<64xi8>) -> ()
  %t = "npu.start"(%a, %y) : (memref<64xi8>, memref<64xi8>) -> !npu.tok
  %u = "npu.other"(%t) : (!npu.tok) -> !npu.tok
  "npu.wait"(%u) : (!npu.tok) -> ()
  // CHECK: :[[@LINE+1]]:3: error: touches bytes of the arena that work still under way may use through another buffer
  "npu.work"(%x, %b) : (memref<64xi8>, memref<64xi8>) -> ()
  "npu.work"(%b, %y) : (memref<64xi8>, memref<64xi8>) -> ()
  return
}
func.func @given(%x: memref<64xi8>, %y: memref<64xi8>) {
  %a = memref.alloc() : memref<64xi8>
  %b = memref.alloc() : memref<64xi8>
  "npu.work"(%x, %a) : (memref<64xi8>, memref<64xi8>) -> ()
  %t = "npu.start"(%a, %y) : (memref<64xi8>, memref<64xi8>) -> !npu.tok
  "npu.other"(%t) : (!npu.tok) -> ()
  // CHECK: :[[@LINE+1]]:3: error: touches bytes of the arena that work still under way may use through another buffer
  "npu.work"(%x, %b) : (memref<64xi8>, memref<64xi8>) -> ()
  "npu.work"(%b, %y) : (memref<64xi8>, memref<64xi8>) -> ()
  return
}
