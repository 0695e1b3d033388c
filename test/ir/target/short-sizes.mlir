// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A size below what the description, or a memref's type, tells is not believed.

// RUN: not %berth-opt %s --allow-unregistered-dialect -o /dev/null --split-input-file --berth-target=%S/Inputs/short-sizes.json --pass-pipeline='builtin.module(berth-arena{space=L1 arena=annotate})' 2>&1 | FileCheck %s --implicit-check-not=error:
// RUN: %berth-opt %S/Inputs/short-sizes-again.mlir --allow-unregistered-dialect --berth-target=%S/Inputs/short-sizes.json --pass-pipeline='builtin.module(berth-arena{space=L1 arena=annotate},berth-verify)' | FileCheck %S/Inputs/short-sizes-again.mlir

func.func @bounds() {
  // CHECK: error: berth.size = 32: the type of its buffer has 64 bytes [berth-E182]
  // CHECK-NEXT: %a = memref.alloc() {berth.size = 32}
  %a = memref.alloc() {berth.size = 32} : memref<8x8xi8, #npu.tiled<[8] -> (8), [8] -> (1)>, "L1">
  return
}

// -----

func.func @dense() {
  // CHECK: error: berth.size = 255: the type of its buffer has 256 bytes [berth-E182]
  // CHECK-NEXT: %a = memref.alloc() {berth.size = 255}
  %a = memref.alloc() {berth.size = 255} : memref<8x8xi32, #npu.dense, "L1">
  return
}

// -----

func.func @type() {
  // CHECK: error: berth.size = 32: the type of its buffer has 64 bytes [berth-E182]
  // CHECK-NEXT: %a = "npu.tile"() {berth.size = 32}
  %a = "npu.tile"() {berth.size = 32} : () -> !npu.tensor<8x8xi8>
  return
}

// -----

func.func @number() {
  // CHECK: error: berth.size = 32: the type of its buffer has 64 bytes [berth-E182]
  // CHECK-NEXT: %a = "npu.tile"() {berth.size = 32}
  %a = "npu.tile"() {berth.size = 32} : () -> !npu.line
  return
}

// -----

// The op's own attribute.
func.func @told() {
  // CHECK: error: is told to allocate 32 bytes: the type of its buffer has 64 bytes [berth-E182]
  // CHECK-NEXT: %a = "npu.alloc"() {bytes = 32
  %a = "npu.alloc"() {bytes = 32 : i64} : () -> memref<8x8xi8, "L1">
  return
}

// -----

func.func @told_line() {
  // CHECK: error: is told to allocate 63 bytes: the type of its buffer has 64 bytes [berth-E182]
  // CHECK-NEXT: %a = "npu.alloc"() {bytes = 63
  %a = "npu.alloc"() {bytes = 63 : i64} : () -> !npu.line
  return
}

// -----

// More is padding.
func.func @more() {
  %a = memref.alloc() {berth.size = 100} : memref<8x8xi8, #npu.tiled<[8] -> (8), [8] -> (1)>, "L1">
  %b = "npu.alloc"() {bytes = 100 : i64} : () -> memref<8x8xi8, "L1">
  return
}
