// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// On its own output berth-arena plans again: an arena is a buffer, and its views
// become views of the new one, never views of views.

// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-arena,berth-arena)' | FileCheck %s
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-arena,inline,berth-arena)' | FileCheck %s --check-prefix=INLINED
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-arena,berth-arena{arena=global})' | FileCheck %s --check-prefix=GLOBAL

// Whoever builds no arena leaves those that there are as they are.
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-arena)' -o %t.mlir
// RUN: %berth-opt %t.mlir --pass-pipeline='builtin.module(berth-arena{arena=annotate})' --remarks-filter='berth.*' -o %t.annotated.mlir 2>&1 | FileCheck %s --check-prefix=KEPT
// RUN: diff %t.mlir %t.annotated.mlir
// RUN: %berth-opt %t.mlir --pass-pipeline='builtin.module(berth-merge)' -o %t.merged.mlir
// RUN: diff %t.mlir %t.merged.mlir
// KEPT: not placed: it is an arena of an earlier run of berth-arena

// Places by attributes are forgotten where others are made, or none: an op that was
// in place need not be, and an arena that is allocated is not the function's.
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-arena{arena=annotate},berth-arena)' -o %t.again.mlir
// RUN: diff %t.mlir %t.again.mlir
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-arena{arena=annotate in-place=false})' -o %t.apart.mlir
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-arena{arena=annotate},berth-arena{arena=annotate in-place=false})' -o %t.again.mlir
// RUN: diff %t.apart.mlir %t.again.mlir

// Programs of other tests.
// RUN: %python %S/../passes/Inputs/again.py berth-opt berth-arena,berth-arena -- %S/../liveness %S/../scope/iterations.mlir | FileCheck %s --check-prefix=TAKEN
// TAKEN: {{^[1-9][0-9]* taken, 0 failed}}

// CHECK-LABEL: @chain
// CHECK:       %[[ARENA:.*]] = memref.alloc() {{.*}} : memref<4096xi8>
// CHECK:       %[[A:.*]] = memref.view %[[ARENA]]
// CHECK-NOT:   memref.alloc
// CHECK:       %[[B:.*]] = memref.view %[[ARENA]]
// CHECK:       linalg.sqrt ins(%[[A]] : {{.*}}) outs(%[[B]]
// CHECK:       memref.dealloc %[[ARENA]]
// GLOBAL-LABEL: @chain
// GLOBAL:       %[[ARENA:.*]] = memref.get_global @berth_arena_chain
// GLOBAL-COUNT-2: memref.view %[[ARENA]]
// GLOBAL-NOT:   memref.alloc
// GLOBAL:       return
func.func @chain(%x: memref<1024xf32>, %y: memref<1024xf32>) {
  %a = memref.alloc() : memref<1024xf32>
  %b = memref.alloc() : memref<1024xf32>
  linalg.exp ins(%x : memref<1024xf32>) outs(%a : memref<1024xf32>)
  linalg.sqrt ins(%a : memref<1024xf32>) outs(%b : memref<1024xf32>)
  memref.copy %b, %y : memref<1024xf32> to memref<1024xf32>
  return
}

// The arenas of two calls that were inlined share bytes: 8192, not 12288.
// INLINED-LABEL: @twice
// INLINED:       %[[ARENA:.*]] = memref.alloc() {{.*}} : memref<8192xi8>
// INLINED-COUNT-5: memref.view %[[ARENA]]
// INLINED-NOT:   memref.{{view|alloc}}
// INLINED:       return
func.func @twice(%x: memref<1024xf32>, %y: memref<1024xf32>) {
  %a = memref.alloc() : memref<1024xf32>
  call @chain(%x, %a) : (memref<1024xf32>, memref<1024xf32>) -> ()
  call @chain(%a, %y) : (memref<1024xf32>, memref<1024xf32>) -> ()
  return
}

// At offsets that are computed the buffers stay where they are.
// CHECK-LABEL: @computed
// CHECK:       %[[ARENA:.*]] = memref.alloc(%{{.*}}) {{.*}} : memref<?xi8>
// CHECK-COUNT-2: memref.view %[[ARENA]]
// CHECK-NOT:   memref.view
// CHECK:       return
func.func @computed(%x: memref<?xf32>, %y: memref<?xf32>, %n: index, %f: f32) {
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<?xf32>)
  %b = memref.alloc(%n) : memref<?xf32>
  linalg.add ins(%a, %x : memref<?xf32>, memref<?xf32>) outs(%b : memref<?xf32>)
  linalg.add ins(%a, %b : memref<?xf32>, memref<?xf32>) outs(%y : memref<?xf32>)
  return
}
