// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Views of a placed buffer have the addresses that the description tells of: L2
// starts at 5124.

// RUN: not %berth-opt %s -o /dev/null --berth-target=%S/Inputs/placement.json --pass-pipeline='builtin.module(berth-verify)' 2>&1 | FileCheck %s --implicit-check-not=error:

func.func @views() {
  %zero = arith.constant 0 : index
  %a = memref.alloc() {berth.offset = 96 : i64, berth.size = 36 : i64} : memref<36xi8, "L2">
  // CHECK: [[#@LINE+1]]:{{.*}}error: takes an address in an arena for a multiple of something that it is not
  %b = memref.view %a[%zero][] : memref<36xi8, "L2"> to memref<4xf64, "L2">
  %c = memref.alloc() {berth.offset = 164 : i64, berth.size = 32 : i64} : memref<32xi8, "L2">
  %d = memref.view %c[%zero][] : memref<32xi8, "L2"> to memref<4xf64, "L2">
  return
}
