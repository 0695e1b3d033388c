// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A size is for types that do not tell it.

// RUN: not %berth-opt %s -o /dev/null --pass-pipeline='builtin.module(berth-arena{arena=annotate})' 2>&1 | FileCheck %s --implicit-check-not=error:

func.func @more() {
  // CHECK: [[#@LINE+1]]:{{.*}}error: berth.size = 100: the type of its buffer has 64 bytes [berth-E182]
  %a = memref.alloc() {berth.size = 100} : memref<64xi8>
  return
}

func.func @less() {
  // CHECK: [[#@LINE+1]]:{{.*}}error: berth.size = 16: the type of its buffer has 64 bytes [berth-E182]
  %a = memref.alloc() {berth.size = 16} : memref<64xi8>
  return
}

// What an earlier plan has written is planned anew.
func.func @again() {
  %a = memref.alloc() {berth.offset = 0, berth.size = 16} : memref<64xi8>
  return
}

func.func @equal() {
  %a = memref.alloc() {berth.size = 64} : memref<64xi8>
  return
}
