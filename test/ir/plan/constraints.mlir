// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What users demand of single buffers, and how they are told that it cannot be.
// RUN: berth-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(berth-arena{arena=annotate})' | FileCheck %s
// RUN: not berth-opt %s --split-input-file --pass-pipeline='builtin.module(berth-arena{arena=annotate reserved=7})' 2>&1 | FileCheck %s --check-prefix=RANGE
// RANGE: error: berth-arena: reserved: '7' is no range of bytes, 'from-to'

// Without constraints all three would lie at 0.
// CHECK-LABEL: func @each
// CHECK-SAME: berth.arena_size = 256
// CHECK: berth.offset = 32
// CHECK: berth.offset = 128 {{.*}}berth.pin
// CHECK: berth.no_reuse, berth.offset = 0
func.func @each(%x: memref<16xf32>) {
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  memref.copy %a, %x : memref<16xf32> to memref<16xf32>
  %b = memref.alloc() {berth.pin = 128} : memref<32xf32>
  linalg.fill ins(%f : f32) outs(%b : memref<32xf32>)
  memref.copy %b, %b : memref<32xf32> to memref<32xf32>
  %c = memref.alloc() {berth.no_reuse} : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%c : memref<8xf32>)
  memref.copy %c, %c : memref<8xf32> to memref<8xf32>
  return
}

// A hint decides between plans of one size.
// CHECK-LABEL: func @hint
// CHECK-SAME: berth.arena_size = 128
// CHECK: berth.hint = 64 : i64, berth.offset = 64
func.func @hint(%x: memref<32xf32>) {
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() {berth.hint = 64} : memref<16xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  memref.copy %a, %a : memref<16xf32> to memref<16xf32>
  %b = memref.alloc() : memref<32xf32>
  linalg.fill ins(%f : f32) outs(%b : memref<32xf32>)
  memref.copy %b, %x : memref<32xf32> to memref<32xf32>
  return
}

// The best plan has %k at 0 and %b behind it.
// CHECK-LABEL: func @group
// CHECK: berth.group = 1 : i64, berth.offset = [[AT:[0-9]+]]
// CHECK: memref.alloc() {berth.offset
// CHECK: berth.group = 1 : i64, berth.offset = [[AT]] :
func.func @group(%x: memref<16xf32>) {
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() {berth.group = 1} : memref<16xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  memref.copy %a, %x : memref<16xf32> to memref<16xf32>
  %k = memref.alloc() : memref<16xf32>
  linalg.fill ins(%f : f32) outs(%k : memref<16xf32>)
  %b = memref.alloc() {berth.group = 1} : memref<32xf32>
  linalg.fill ins(%f : f32) outs(%b : memref<32xf32>)
  memref.copy %b, %b : memref<32xf32> to memref<32xf32>
  memref.copy %k, %x : memref<16xf32> to memref<16xf32>
  return
}

// A value is one of the two, which would lie in one place.
// CHECK-LABEL: func @alone
// CHECK-SAME: berth.arena_size = 64
func.func @alone(%p: i1, %x: memref<8xi32>) {
  %one = arith.constant 1 : i32
  %r = scf.if %p -> memref<8xi32> {
    %a = memref.alloc() {berth.no_reuse} : memref<8xi32>
    linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
    scf.yield %a : memref<8xi32>
  } else {
    %b = memref.alloc() : memref<8xi32>
    linalg.fill ins(%one : i32) outs(%b : memref<8xi32>)
    scf.yield %b : memref<8xi32>
  }
  memref.copy %r, %x : memref<8xi32> to memref<8xi32>
  return
}

// CHECK-LABEL: func @space
// CHECK-SAME: berth.arena_size = 64
// CHECK-NEXT: constant
// CHECK-NEXT: memref.alloc() {berth.offset
// CHECK-NEXT: memref.alloc() {berth.space = "L1"}
func.func @space() {
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() {berth.space = "L1"} : memref<16xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  memref.copy %a, %b : memref<16xf32> to memref<16xf32>
  return
}

// -----

func.func @together() {
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() {berth.group = 1} : memref<16xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  // expected-error @+1 {{berth.group = 1: the buffer is live together with the one allocated in line}}
  %b = memref.alloc() {berth.group = 1} : memref<16xf32>
  memref.copy %a, %b : memref<16xf32> to memref<16xf32>
  memref.copy %b, %a : memref<16xf32> to memref<16xf32>
  return
}

// -----

func.func @pins() {
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() {berth.pin = 0} : memref<16xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  // expected-error @+1 {{berth.pin = 32: the buffer's bytes [32, 96) of the arena overlap [0, 64)}}
  %b = memref.alloc() {berth.pin = 32} : memref<16xf32>
  memref.copy %a, %b : memref<16xf32> to memref<16xf32>
  memref.copy %b, %a : memref<16xf32> to memref<16xf32>
  return
}

// -----

func.func @aligned() {
  %f = arith.constant 1.0 : f32
  // expected-error @+1 {{berth.pin = 2 is no multiple of the buffer's alignment 4}}
  %a = memref.alloc() {berth.pin = 2} : memref<16xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  memref.copy %a, %a : memref<16xf32> to memref<16xf32>
  return
}

// -----

func.func @words() {
  // expected-error @+1 {{berth.pin = "low" is no whole number of at least 0}}
  %a = memref.alloc() {berth.pin = "low"} : memref<16xf32>
  return
}

// -----

func.func @negative() {
  // expected-error @+1 {{berth.hint = -4 : i64 is no whole number of at least 0}}
  %a = memref.alloc() {berth.hint = -4 : i64} : memref<16xf32>
  return
}

// -----

func.func @returned() -> memref<16xf32> {
  // expected-error @+1 {{berth.pin cannot be met: the buffer is not placed, since it is returned}}
  %a = memref.alloc() {berth.pin = 0} : memref<16xf32>
  return %a : memref<16xf32>
}

// -----

func.func @heavy() {
  // expected-error @+1 {{berth.weight = 1073741825 : i64 is above 2^30, the largest weight}}
  %a = memref.alloc() {berth.hint = 0 : i64, berth.weight = 1073741825 : i64} : memref<16xf32>
  return
}

// -----

func.func @flag() {
  // expected-error @+1 {{berth.no_reuse = 1 : i64 is neither a flag nor true nor false}}
  %a = memref.alloc() {berth.no_reuse = 1 : i64} : memref<16xf32>
  return
}

// -----

// CHECK-LABEL: func @unbound
// CHECK-SAME: berth.arena_size = 32
func.func @unbound(%x: memref<8xi32>) {
  %one = arith.constant 1 : i32
  %a = memref.alloc() {berth.no_reuse = false} : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  memref.copy %a, %x : memref<8xi32> to memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%b : memref<8xi32>)
  memref.copy %b, %x : memref<8xi32> to memref<8xi32>
  return
}
