// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A memory that the target description does not tell of.

// RUN: not %berth-opt %s --berth-target=%S/Inputs/live-arenas.json -o /dev/null --split-input-file --pass-pipeline='builtin.module(berth-arena{arena=annotate})' 2>&1 | FileCheck %s --implicit-check-not=error:
// Without one there is nothing to hold it against.
// RUN: %berth-opt %s -o /dev/null --split-input-file --pass-pipeline='builtin.module(berth-arena{space=default arena=annotate})'

func.func @known() {
  %a = memref.alloc() {berth.space = "L3"} : memref<64xi8>
  return
}

// -----

// CHECK: error: berth.space = "default": the target description ({{.*}}live-arenas.json:{{[0-9:]+}}) tells of the memories L1, L3
// CHECK-NEXT: %a = memref.alloc() {berth.space = "default"}
func.func @default() {
  %a = memref.alloc() {berth.space = "default"} : memref<64xi8, "L1">
  return
}

// -----

// CHECK: error: berth.space = "L7": the target description ({{.*}}live-arenas.json:{{[0-9:]+}}) tells of the memories L1, L3
// CHECK-NEXT: %a = memref.alloc() {berth.space = "L7"}
func.func @unknown() {
  %a = memref.alloc() {berth.space = "L7"} : memref<64xi8>
  return
}

// -----

// CHECK: error: berth.space = "": the target description ({{.*}}live-arenas.json:{{[0-9:]+}}) tells of the memories L1, L3
// CHECK-NEXT: %a = memref.alloc() {berth.space = ""}
func.func @empty() {
  %a = memref.alloc() {berth.space = ""} : memref<64xi8>
  return
}
