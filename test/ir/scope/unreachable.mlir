// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks that nothing reaches: values may be used before they are made there,
// and go round in circles.

// RUN: %berth-opt %s -o %t.mlir --pass-pipeline='builtin.module(berth-arena)'
// RUN: FileCheck %s --check-prefix=ARENA < %t.mlir
// RUN: %berth-opt %t.mlir -o %t.again.mlir --pass-pipeline='builtin.module(berth-verify)'
// RUN: diff %t.mlir %t.again.mlir
// RUN: %berth-opt %s -o %t.poison.mlir --pass-pipeline='builtin.module(berth-arena{poison=true rotate=true})'
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-merge)' | FileCheck %s --check-prefix=MERGE
// RUN: %berth-opt %s -o %t.mlir --pass-pipeline='builtin.module(berth-print-liveness)' 2>&1 | FileCheck %s --check-prefix=LIVENESS
// RUN: %berth-opt %s -o %t.mlir --pass-pipeline='builtin.module(berth-print-interference)' 2>&1 | FileCheck %s --check-prefix=INTERFERENCE
// RUN: %if heap %{ %berth-opt %s -o %t.mlir --pass-pipeline='builtin.module(berth-heap{allocations=all})' %}

func.func private @use(memref<8xf32>)

// All three are never live together.
// ARENA-LABEL: @allocations
// ARENA:       memref.alloc() {{.*}} : memref<32xi8>
// MERGE-LABEL: @allocations
// MERGE:       memref.alloc()
// MERGE-NOT:   memref.alloc()
// MERGE:       @circles
// LIVENESS:    liveness of @allocations: 3 buffers
// LIVENESS-NOT: not placed
// INTERFERENCE: interference of @allocations: 3 buffers
// INTERFERENCE-NOT: both live
// INTERFERENCE: interference of @circles
func.func @allocations(%f: f32) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  call @use(%a) : (memref<8xf32>) -> ()
  return
^nowhere:
  %c = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%b : memref<8xf32>)
  call @use(%b) : (memref<8xf32>) -> ()
  call @use(%c) : (memref<8xf32>) -> ()
  cf.br ^nowhere
}

// ARENA-LABEL: @circles
// ARENA:       memref.alloc() {{.*}} : memref<32xi8>
func.func @circles(%f: f32) {
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  call @use(%a) : (memref<8xf32>) -> ()
  return
^nowhere:
  %c = memref.cast %d : memref<8xf32> to memref<?xf32>
  %d = memref.cast %c : memref<?xf32> to memref<8xf32>
  memref.copy %d, %a : memref<8xf32> to memref<8xf32>
  %s = arith.select %t, %a, %s : memref<8xf32>
  %t = arith.constant true
  memref.dealloc %c : memref<?xf32>
  cf.br ^nowhere
}

// An address is put in a table that is a view of itself: what becomes of it is
// unknown, so the buffer is not placed.
// ARENA-LABEL: @table_of_itself
// ARENA:       memref.alloc() {{.*}} : memref<32xi8>
// LIVENESS:    liveness of @table_of_itself
// LIVENESS:    not placed: its address is stored in memory (memref.store at line [[#@LINE+12]])
// INTERFERENCE: interference of @table_of_itself
func.func @table_of_itself(%f: f32, %i: index) {
  %a = memref.alloc() : memref<8xf32>
  %p = memref.extract_aligned_pointer_as_index %a : memref<8xf32> -> index
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%b : memref<8xf32>)
  call @use(%b) : (memref<8xf32>) -> ()
  return
^nowhere:
  %c = memref.cast %d : memref<8xindex> to memref<?xindex>
  %d = memref.cast %c : memref<?xindex> to memref<8xindex>
  memref.store %p, %d[%i] : memref<8xindex>
  cf.br ^nowhere
}

// Arenas and views of them that stand nowhere.
// ARENA-LABEL: @views_of_themselves
func.func @views_of_themselves(%k: index) {
  return
^nowhere:
  %x = memref.view %y[%k][] {berth.buffer = 0} : memref<64xi8> to memref<64xi8>
  %y = memref.view %x[%k][] {berth.buffer = 1} : memref<64xi8> to memref<64xi8>
  memref.copy %x, %y : memref<64xi8> to memref<64xi8>
  cf.br ^nowhere
}
