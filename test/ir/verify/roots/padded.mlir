// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nobody may see what lies behind padded rows.
// RUN: %berth-opt %s --verify-diagnostics --pass-pipeline='builtin.module(berth-verify)'

!rows = memref<16x40xf16, 3>
!used = memref<16x32xf16, strided<[40, 1]>, 3>
!m = !gpu.mma_matrix<16x16xf16, "AOp">

func.func @right() -> !m {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {berth.padded = 32 : i64} : !rows
  %v = memref.subview %a[0, 0] [16, 32] [1, 1] : !rows to !used
  %f = gpu.subgroup_mma_load_matrix %v[%c0, %c0] {leadDimension = 40 : index} : !used -> !m
  memref.dealloc %a : !rows
  return %f : !m
}
func.func @told() -> !m {
  %c0 = arith.constant 0 : index
  // expected-note @+1 {{of these rows}}
  %a = memref.alloc() {berth.padded = 32 : i64} : !rows
  %v = memref.subview %a[0, 0] [16, 32] [1, 1] : !rows to !used
  // expected-error @+1 {{is told another distance of rows than they have}}
  %f = gpu.subgroup_mma_load_matrix %v[%c0, %c0] {leadDimension = 32 : index} : !used -> !m
  return %f : !m
}
func.func @shifted() -> f16 {
  %c0 = arith.constant 0 : index
  // expected-note @+1 {{of these rows}}
  %a = memref.alloc() {berth.padded = 32 : i64} : !rows
  // expected-error @+1 {{uses the padding of rows}}
  %v = memref.subview %a[0, 1] [16, 32] [1, 1] : !rows to memref<16x32xf16, strided<[40, 1], offset: 1>, 3>
  %e = memref.load %v[%c0, %c0] : memref<16x32xf16, strided<[40, 1], offset: 1>, 3>
  return %e : f16
}
func.func @whole() -> f16 {
  %c0 = arith.constant 0 : index
  // expected-note @+1 {{of these rows}}
  %a = memref.alloc() {berth.padded = 32 : i64} : !rows
  // expected-error @+1 {{uses the padding of rows}}
  %e = memref.load %a[%c0, %c0] : !rows
  return %e : f16
}
func.func @across(%in: memref<64xf16>) {
  %c0 = arith.constant 0 : index
  // expected-note @+1 {{of these rows}}
  %a = memref.alloc() {berth.padded = 4 : i64} : memref<16x6xf16, 3>
  %v = memref.subview %a[0, 0] [16, 4] [1, 1] : memref<16x6xf16, 3> to memref<16x4xf16, strided<[6, 1]>, 3>
  // expected-error @+1 {{may take the end of a row and the next one at once}}
  %e = vector.load %v[%c0, %c0] : memref<16x4xf16, strided<[6, 1]>, 3>, vector<8xf16>
  vector.store %e, %in[%c0] : memref<64xf16>, vector<8xf16>
  return
}
func.func @reinterpreted() -> f16 {
  %c0 = arith.constant 0 : index
  // expected-note @+1 {{of these rows}}
  %a = memref.alloc() {berth.padded = 32 : i64} : !rows
  %v = memref.subview %a[0, 0] [16, 32] [1, 1] : !rows to !used
  // expected-error @+1 {{needs rows without padding between them}}
  %w = memref.reinterpret_cast %v to offset: [0], sizes: [16, 32], strides: [32, 1] : !used to memref<16x32xf16, strided<[32, 1]>, 3>
  %e = memref.load %w[%c0, %c0] : memref<16x32xf16, strided<[32, 1]>, 3>
  return %e : f16
}
