// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attributes of Berth where they may stand, or once have stood; where they say
// nothing bad_attributes.py has them.

// RUN: split-file %s %t
// RUN: %berth-opt %t/told.mlir --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-arena{arena=annotate},berth-arena{arena=annotate},berth-verify)' 2>&1 | FileCheck %s --check-prefix=TOLD --implicit-check-not=warning
// TOLD: "npu.make"() {{.*}}berth.offset = 64 : i64
// RUN: not %berth-opt %t/untold.mlir --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-merge)' 2>&1 | FileCheck %s --check-prefix=UNTOLD
// UNTOLD: untold.mlir:2:8: error: berth.pin counts for nothing on 'npu.make': it belongs on an op that allocates [berth-E443]
// UNTOLD: untold.mlir:2:8: note: 'allocates' in a target description, or berth.allocates on the op, tells that an op of another dialect allocates
// Of a family without lists it is not told all.
// RUN: not %berth-opt %t/untold.mlir --allow-unregistered-dialect --berth-target=%t/family.json --pass-pipeline='builtin.module(berth-arena)' 2>&1 | FileCheck %s --check-prefix=FAMILY
// FAMILY: untold.mlir:2:8: note: it is told to allocate, but not what else it does to memory: "reads": [] beside 'allocates' says that it touches none
// What an earlier plan left on an op that has been lowered since is no error.
// RUN: %berth-opt %t/lowered.mlir --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-merge)' 2>&1 | FileCheck %s --check-prefix=LOWERED
// LOWERED-DAG: lowered.mlir:2:8: warning: berth.offset, which Berth itself writes, counts for nothing on 'npu.address'
// LOWERED-DAG: lowered.mlir:2:8: warning: berth.size, which Berth itself writes, counts for nothing on 'npu.address'
// LOWERED-DAG: "npu.address"() {berth.offset = 64 : i64, berth.size = 16 : i64}
// Nor is a mark of Berth's own where none of its passes puts it, and nobody
// reads it.
// RUN: %berth-opt %t/own.mlir --pass-pipeline='builtin.module(berth-arena)' -o /dev/null 2>&1 | FileCheck %s --check-prefix=OWN
// OWN-DAG: own.mlir:2:3: warning: berth.slots, which Berth itself writes, counts for nothing on 'memref.copy': it belongs on an op that makes a buffer or a view [berth-E488]
// OWN-DAG: own.mlir:2:3: warning: berth.loop, which Berth itself writes, counts
// OWN-DAG: own.mlir:2:3: warning: berth.content, which Berth itself writes, counts
// OWN-DAG: own.mlir:2:3: warning: berth.padded, which Berth itself writes, counts
// OWN-DAG: own.mlir:2:3: warning: berth.allocator, which Berth itself writes, counts
// OWN-DAG: own.mlir:3:3: warning: berth.ordered, which Berth itself writes, counts for nothing on 'memref.copy': it belongs on a loop
// OWN-DAG: own.mlir:3:3: warning: berth.arena_size, which Berth itself writes, counts for nothing on 'memref.copy': it belongs on a function
// OWN-NOT: warning: berth.move
// Each op with the same attributes is looked at by itself.
// RUN: not %berth-opt %t/each.mlir --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-arena)' 2>&1 | FileCheck %s --check-prefix=EACH --implicit-check-not=each.mlir:2
// EACH: each.mlir:3:8: error: berth.size = 16: the type of its buffer has 32 bytes [berth-E182]
// EACH: each.mlir:4:3: error: berth.no_reuse counts for nothing on 'memref.copy'

//--- told.mlir
func.func @f(%x: memref<16xi8>) {
  %a = "npu.make"() {berth.allocates = {}, berth.reads = [], berth.pin = 64, berth.no_reuse, berth.hint = 64} : () -> memref<16xi8>
  memref.copy %x, %a {berth.uniform} : memref<16xi8> to memref<16xi8>
  memref.copy %a, %x : memref<16xi8> to memref<16xi8>
  return
}

//--- untold.mlir
func.func @f(%x: memref<16xi8>) {
  %a = "npu.make"() {berth.pin = 64} : () -> memref<16xi8>
  memref.copy %x, %a : memref<16xi8> to memref<16xi8>
  return
}

//--- family.json
{"ops": [{"name": "npu.*", "allocates": {}}]}

//--- own.mlir
func.func @f(%x: memref<16xi8>, %y: memref<16xi8>) {
  memref.copy %x, %y {berth.slots = 2, berth.loop = [1], berth.content = 1, berth.padded, berth.allocator = "a"} : memref<16xi8> to memref<16xi8>
  memref.copy %y, %x {berth.ordered, berth.arena_size = 64} : memref<16xi8> to memref<16xi8>
  return
}
//--- lowered.mlir
func.func @f(%x: memref<16xi8>) attributes {berth.arena_size = 80} {
  %a = "npu.address"() {berth.offset = 64, berth.size = 16} : () -> i64
  return
}

//--- each.mlir
func.func @f(%x: memref<16xi8>, %y: memref<32xi8>) {
  %a = memref.alloc() {berth.size = 16, berth.no_reuse} : memref<16xi8>
  %b = memref.alloc() {berth.size = 16, berth.no_reuse} : memref<32xi8>
  memref.copy %a, %x {berth.size = 16, berth.no_reuse} : memref<16xi8> to memref<16xi8>
  return
}
