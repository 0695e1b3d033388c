// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-arena{overlap=on})' --remarks-filter='berth.*' -o %t 2>%t.err && FileCheck %s < %t && FileCheck %s --check-prefix=REMARK < %t.err
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-arena)' | FileCheck %s --check-prefix=OFF
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-arena{overlap=on arena=annotate})' 2>/dev/null | FileCheck %s --check-prefix=OFF

// REMARK: in an arena of 260 bytes instead of 320 {{.*}}, 60 bytes less by 1 overlaps, 1 fills moved into loops
// CHECK-LABEL: func.func @sums(
// CHECK-NOT: linalg.fill
// CHECK: scf.for %[[I:.*]] =
// CHECK-NEXT: memref.store %{{.*}}, %{{.*}}[%[[I]]] : memref<16xf32>
// CHECK: scf.for
// OFF-LABEL: func.func @sums(
// OFF: linalg.fill
func.func @sums(%in: memref<16x4xf32>, %out: memref<16xf32>) {
  %zero = arith.constant 0.0 : f32
  %x = memref.alloc() : memref<16x4xf32>
  %y = memref.alloc() : memref<16xf32>
  memref.copy %in, %x : memref<16x4xf32> to memref<16x4xf32>
  linalg.fill ins(%zero : f32) outs(%y : memref<16xf32>)
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to 4 {
      %v = affine.load %x[%i, %j] : memref<16x4xf32>
      %a = affine.load %y[%i] : memref<16xf32>
      %t = arith.addf %a, %v : f32
      affine.store %t, %y[%i] : memref<16xf32>
    }
  }
  memref.copy %y, %out : memref<16xf32> to memref<16xf32>
  return
}

// Of two fills one has a use: the other one stays.
// REMARK: 1 fills moved into loops
// CHECK-LABEL: func.func @one_of_two(
// CHECK: linalg.fill
// CHECK: scf.for
// CHECK-NEXT: memref.store
func.func @one_of_two(%in: memref<16x4xf32>, %out: memref<16xf32>, %more: memref<2xf32>) {
  %zero = arith.constant 0.0 : f32
  %x = memref.alloc() : memref<16x4xf32>
  %y = memref.alloc() : memref<16xf32>
  %small = memref.alloc() : memref<2xf32>
  %s = memref.alloc() : memref<2xf32>
  memref.copy %more, %small : memref<2xf32> to memref<2xf32>
  linalg.fill ins(%zero : f32) outs(%s : memref<2xf32>)
  affine.for %i = 0 to 2 {
    %v = affine.load %small[%i] : memref<2xf32>
    %u = affine.load %small[1 - %i] : memref<2xf32>
    %a = affine.load %s[%i] : memref<2xf32>
    %t = arith.addf %a, %v : f32
    %w = arith.addf %t, %u : f32
    affine.store %w, %s[%i] : memref<2xf32>
  }
  memref.copy %s, %more : memref<2xf32> to memref<2xf32>
  memref.copy %in, %x : memref<16x4xf32> to memref<16x4xf32>
  linalg.fill ins(%zero : f32) outs(%y : memref<16xf32>)
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to 4 {
      %v = affine.load %x[%i, %j] : memref<16x4xf32>
      %a = affine.load %y[%i] : memref<16xf32>
      %t = arith.addf %a, %v : f32
      affine.store %t, %y[%i] : memref<16xf32>
    }
  }
  memref.copy %y, %out : memref<16xf32> to memref<16xf32>
  return
}

// Nothing gained: all stays where it is.
// CHECK-LABEL: func.func @nothing(
// CHECK: linalg.fill
// CHECK: affine.for
// CHECK-NEXT: affine.for
// CHECK-NEXT: affine.load
func.func @nothing(%in: memref<4x16xf32>, %out: memref<16xf32>) {
  %zero = arith.constant 0.0 : f32
  %x = memref.alloc() : memref<4x16xf32>
  %y = memref.alloc() : memref<16xf32>
  memref.copy %in, %x : memref<4x16xf32> to memref<4x16xf32>
  linalg.fill ins(%zero : f32) outs(%y : memref<16xf32>)
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 16 {
      %v = affine.load %x[%i, %j] : memref<4x16xf32>
      %a = affine.load %y[%j] : memref<16xf32>
      %t = arith.addf %a, %v : f32
      affine.store %t, %y[%j] : memref<16xf32>
    }
  }
  memref.copy %y, %out : memref<16xf32> to memref<16xf32>
  return
}
