// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Described types and layouts need their bytes, too.

// RUN: not %berth-opt %s --allow-unregistered-dialect -o /dev/null --berth-target=%S/Inputs/short-places.json --pass-pipeline='builtin.module(berth-verify)' 2>&1 | FileCheck %s --implicit-check-not=error:

func.func @layouts() {
  // CHECK: [[#@LINE+1]]:{{.*}}error: has berth.size = 32, fewer bytes than the 64 it needs [berth-E174]
  %a = memref.alloc() {berth.offset = 0 : i64, berth.size = 32 : i64} : memref<8x8xi8, #npu.tiled<[8] -> (8), [8] -> (1)>, "L1">
  // CHECK: [[#@LINE+1]]:{{.*}}error: has berth.size = 255, fewer bytes than the 256 it needs [berth-E174]
  %b = memref.alloc() {berth.offset = 256 : i64, berth.size = 255 : i64} : memref<8x8xi32, #npu.dense, "L1">
  return
}

func.func @types() {
  // CHECK: [[#@LINE+1]]:{{.*}}error: has berth.size = 32, fewer bytes than the 64 it needs [berth-E174]
  %a = "npu.tile"() {berth.offset = 0 : i64, berth.size = 32 : i64} : () -> !npu.tensor<8x8xi8>
  // CHECK: [[#@LINE+1]]:{{.*}}error: has berth.size = 32, fewer bytes than the 64 it needs [berth-E174]
  %b = "npu.tile"() {berth.offset = 64 : i64, berth.size = 32 : i64} : () -> !npu.line
  return
}
