// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a buffer would be written over another one, what is demanded of either
// comes first. Without demands each function here needs 64 bytes.
// RUN: split-file %s %t
// RUN: berth-opt %t/in.mlir --pass-pipeline='builtin.module(berth-arena{target=%t/banks.json},berth-verify)' | FileCheck %s

//--- banks.json
{"memories": [{"space": "L1", "capacity": 256, "banks": 2}]}
//--- in.mlir
#map = affine_map<(d0) -> (d0)>

// CHECK-LABEL: func @banks
// CHECK: %[[ZERO:.*]] = arith.constant 0
// CHECK: memref.view %{{.*}}[%[[ZERO]]][] {berth.buffer = 0
// CHECK: %[[AT:.*]] = arith.constant 128
// CHECK: memref.view %{{.*}}[%[[AT]]][] {berth.buffer = 1
func.func @banks(%x: memref<16xf32>) {
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() {berth.bank = 0} : memref<16xf32, "L1">
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32, "L1">)
  %b = memref.alloc() {berth.bank = 1} : memref<16xf32, "L1">
  linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%a : memref<16xf32, "L1">) outs(%b : memref<16xf32, "L1">) {
  ^bb0(%i: f32, %o: f32):
    %e = arith.mulf %i, %i : f32
    linalg.yield %e : f32
  }
  memref.copy %b, %x : memref<16xf32, "L1"> to memref<16xf32>
  return
}

// The pin is no multiple of the other one's alignment.
// CHECK-LABEL: func @alignment
// CHECK: arith.constant 64
// CHECK-NEXT: memref.view {{.*}} {berth.buffer = 0
// CHECK: arith.constant {{0|128}} : index
// CHECK-NEXT: memref.view {{.*}} {berth.buffer = 1
func.func @alignment(%x: memref<16xf32>) {
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() {berth.pin = 64} : memref<16xf32, "L1">
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32, "L1">)
  %b = memref.alloc() {alignment = 128} : memref<16xf32, "L1">
  linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%a : memref<16xf32, "L1">) outs(%b : memref<16xf32, "L1">) {
  ^bb0(%i: f32, %o: f32):
    %e = arith.mulf %i, %i : f32
    linalg.yield %e : f32
  }
  memref.copy %b, %x : memref<16xf32, "L1"> to memref<16xf32>
  return
}

// A buffer without bytes lies at its pin, and the arena reaches to it.
// CHECK-LABEL: func @empty
// CHECK: memref.alloc() {{.*}} : memref<96xi8, "L1">
// CHECK: arith.constant 96
// CHECK-NEXT: memref.view {{.*}} {berth.buffer = 0
func.func @empty(%x: memref<16xf32>) {
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() {berth.pin = 96} : memref<0xf32, "L1">
  linalg.fill ins(%f : f32) outs(%a : memref<0xf32, "L1">)
  %b = memref.alloc() : memref<16xf32, "L1">
  linalg.fill ins(%f : f32) outs(%b : memref<16xf32, "L1">)
  memref.copy %b, %x : memref<16xf32, "L1"> to memref<16xf32>
  return
}
