// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Content that a transfer moves is in its target from the wait on, and until then
// both ends are the transfer's. The program below is right; each other one has one
// thing changed, and is refused.

// RUN: split-file %s %t
// RUN: %berth-opt %t/right.mlir -o %t/out --pass-pipeline='builtin.module(berth-verify)'
// DEFINE: %{file} =
// DEFINE: %{refused} = not %berth-opt %t/%{file}.mlir -o %t/out --pass-pipeline='builtin.module(berth-verify)' 2>&1 | FileCheck %t/%{file}.mlir
// REDEFINE: %{file} = read-early
// RUN: %{refused}
// REDEFINE: %{file} = source-written
// RUN: %{refused}
// REDEFINE: %{file} = target-freed
// RUN: %{refused}
// REDEFINE: %{file} = never-spilled
// RUN: %{refused}
// REDEFINE: %{file} = not-awaited
// RUN: %{refused}
// REDEFINE: %{file} = part
// RUN: %{refused}
// REDEFINE: %{file} = argument-written
// RUN: %{refused}
// REDEFINE: %{file} = one-tag
// RUN: %{refused}
// REDEFINE: %{file} = crossing
// RUN: %{refused}

//--- right.mlir
func.func @f(%x: memref<8xi32, 77>, %y: memref<8xi32, 77>, %k: i32) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %t = memref.alloca() : memref<1xi32, 77>
  %u = memref.alloca() : memref<1xi32, 77>
  %b = memref.alloc() : memref<8xi32>
  %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1]} : memref<8xi32>
  linalg.copy ins(%x : memref<8xi32, 77>) outs(%a0 : memref<8xi32>)
  %s = memref.alloc() {berth.content = 1} : memref<8xi32, 77>
  memref.dma_start %a0[%c0], %s[%c0], %c8, %t[%c0] : memref<8xi32>, memref<8xi32, 77>, memref<1xi32, 77>
  linalg.copy ins(%a0 : memref<8xi32>) outs(%b : memref<8xi32>)
  memref.dma_wait %t[%c0], %c8 {berth.move = 1} : memref<1xi32, 77>
  %a1 = memref.alloc() {berth.content = 1} : memref<8xi32>
  memref.dma_start %s[%c0], %a1[%c0], %c8, %u[%c0] : memref<8xi32, 77>, memref<8xi32>, memref<1xi32, 77>
  linalg.fill ins(%k : i32) outs(%b : memref<8xi32>)
  memref.dma_wait %u[%c0], %c8 {berth.move = 1} : memref<1xi32, 77>
  linalg.copy ins(%a1 : memref<8xi32>) outs(%y : memref<8xi32, 77>)
  return
}
//--- read-early.mlir
func.func @f(%x: memref<8xi32, 77>, %y: memref<8xi32, 77>, %k: i32) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %t = memref.alloca() : memref<1xi32, 77>
  %u = memref.alloca() : memref<1xi32, 77>
  %b = memref.alloc() : memref<8xi32>
  %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1]} : memref<8xi32>
  linalg.copy ins(%x : memref<8xi32, 77>) outs(%a0 : memref<8xi32>)
  %s = memref.alloc() {berth.content = 1} : memref<8xi32, 77>
  memref.dma_start %a0[%c0], %s[%c0], %c8, %t[%c0] : memref<8xi32>, memref<8xi32, 77>, memref<1xi32, 77>
  linalg.copy ins(%a0 : memref<8xi32>) outs(%b : memref<8xi32>)
  memref.dma_wait %t[%c0], %c8 {berth.move = 1} : memref<1xi32, 77>
  %a1 = memref.alloc() {berth.content = 1} : memref<8xi32>
  memref.dma_start %s[%c0], %a1[%c0], %c8, %u[%c0] : memref<8xi32, 77>, memref<8xi32>, memref<1xi32, 77>
  linalg.fill ins(%k : i32) outs(%b : memref<8xi32>)
  // CHECK: read-early.mlir:18:3: error: reads a place that may not hold its content
  // CHECK: read-early.mlir:18:3: error: touches what a transfer still uses
  linalg.copy ins(%a1 : memref<8xi32>) outs(%b : memref<8xi32>)
  memref.dma_wait %u[%c0], %c8 {berth.move = 1} : memref<1xi32, 77>
  linalg.copy ins(%a1 : memref<8xi32>) outs(%y : memref<8xi32, 77>)
  return
}
//--- source-written.mlir
func.func @f(%x: memref<8xi32, 77>, %y: memref<8xi32, 77>, %k: i32) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %t = memref.alloca() : memref<1xi32, 77>
  %u = memref.alloca() : memref<1xi32, 77>
  %b = memref.alloc() : memref<8xi32>
  %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1]} : memref<8xi32>
  linalg.copy ins(%x : memref<8xi32, 77>) outs(%a0 : memref<8xi32>)
  %s = memref.alloc() {berth.content = 1} : memref<8xi32, 77>
  memref.dma_start %a0[%c0], %s[%c0], %c8, %t[%c0] : memref<8xi32>, memref<8xi32, 77>, memref<1xi32, 77>
  // CHECK: source-written.mlir:13:3: error: touches what a transfer still uses
  // CHECK: source-written.mlir:10:3: note: started here
  linalg.fill ins(%k : i32) outs(%a0 : memref<8xi32>)
  linalg.copy ins(%a0 : memref<8xi32>) outs(%b : memref<8xi32>)
  memref.dma_wait %t[%c0], %c8 {berth.move = 1} : memref<1xi32, 77>
  %a1 = memref.alloc() {berth.content = 1} : memref<8xi32>
  memref.dma_start %s[%c0], %a1[%c0], %c8, %u[%c0] : memref<8xi32, 77>, memref<8xi32>, memref<1xi32, 77>
  linalg.fill ins(%k : i32) outs(%b : memref<8xi32>)
  memref.dma_wait %u[%c0], %c8 {berth.move = 1} : memref<1xi32, 77>
  linalg.copy ins(%a1 : memref<8xi32>) outs(%y : memref<8xi32, 77>)
  return
}
//--- target-freed.mlir
func.func @f(%x: memref<8xi32, 77>, %y: memref<8xi32, 77>, %k: i32) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %t = memref.alloca() : memref<1xi32, 77>
  %u = memref.alloca() : memref<1xi32, 77>
  %b = memref.alloc() : memref<8xi32>
  %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1]} : memref<8xi32>
  linalg.copy ins(%x : memref<8xi32, 77>) outs(%a0 : memref<8xi32>)
  %s = memref.alloc() {berth.content = 1} : memref<8xi32, 77>
  memref.dma_start %a0[%c0], %s[%c0], %c8, %t[%c0] : memref<8xi32>, memref<8xi32, 77>, memref<1xi32, 77>
  linalg.copy ins(%a0 : memref<8xi32>) outs(%b : memref<8xi32>)
  memref.dma_wait %t[%c0], %c8 {berth.move = 1} : memref<1xi32, 77>
  %a1 = memref.alloc() {berth.content = 1} : memref<8xi32>
  memref.dma_start %s[%c0], %a1[%c0], %c8, %u[%c0] : memref<8xi32, 77>, memref<8xi32>, memref<1xi32, 77>
  linalg.fill ins(%k : i32) outs(%b : memref<8xi32>)
  // CHECK: error: touches what a transfer still uses
  memref.dealloc %a1 : memref<8xi32>
  memref.dma_wait %u[%c0], %c8 {berth.move = 1} : memref<1xi32, 77>
  linalg.copy ins(%a1 : memref<8xi32>) outs(%y : memref<8xi32, 77>)
  return
}
//--- never-spilled.mlir
func.func @f(%x: memref<8xi32, 77>, %y: memref<8xi32, 77>, %k: i32) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %t = memref.alloca() : memref<1xi32, 77>
  %u = memref.alloca() : memref<1xi32, 77>
  %b = memref.alloc() : memref<8xi32>
  %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1]} : memref<8xi32>
  linalg.copy ins(%x : memref<8xi32, 77>) outs(%a0 : memref<8xi32>)
  %s = memref.alloc() {berth.content = 1} : memref<8xi32, 77>
  linalg.copy ins(%a0 : memref<8xi32>) outs(%b : memref<8xi32>)
  // CHECK: error: moves content from a place that may not hold it
  %a1 = memref.alloc() {berth.content = 1} : memref<8xi32>
  memref.dma_start %s[%c0], %a1[%c0], %c8, %u[%c0] : memref<8xi32, 77>, memref<8xi32>, memref<1xi32, 77>
  linalg.fill ins(%k : i32) outs(%b : memref<8xi32>)
  memref.dma_wait %u[%c0], %c8 {berth.move = 1} : memref<1xi32, 77>
  linalg.copy ins(%a1 : memref<8xi32>) outs(%y : memref<8xi32, 77>)
  return
}
//--- not-awaited.mlir
func.func @f(%x: memref<8xi32, 77>, %y: memref<8xi32, 77>, %k: i32) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %t = memref.alloca() : memref<1xi32, 77>
  %u = memref.alloca() : memref<1xi32, 77>
  %b = memref.alloc() : memref<8xi32>
  %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1]} : memref<8xi32>
  linalg.copy ins(%x : memref<8xi32, 77>) outs(%a0 : memref<8xi32>)
  %s = memref.alloc() {berth.content = 1} : memref<8xi32, 77>
  memref.dma_start %a0[%c0], %s[%c0], %c8, %t[%c0] : memref<8xi32>, memref<8xi32, 77>, memref<1xi32, 77>
  linalg.copy ins(%a0 : memref<8xi32>) outs(%b : memref<8xi32>)
  // CHECK: error: {{writes one place of a content while it uses another|moves content from a place}}
  %a1 = memref.alloc() {berth.content = 1} : memref<8xi32>
  memref.dma_start %s[%c0], %a1[%c0], %c8, %u[%c0] : memref<8xi32, 77>, memref<8xi32>, memref<1xi32, 77>
  linalg.fill ins(%k : i32) outs(%b : memref<8xi32>)
  memref.dma_wait %u[%c0], %c8 {berth.move = 1} : memref<1xi32, 77>
  linalg.copy ins(%a1 : memref<8xi32>) outs(%y : memref<8xi32, 77>)
  return
}
//--- part.mlir
func.func @f(%x: memref<8xi32, 77>, %y: memref<8xi32, 77>, %k: i32) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 4 : index
  // CHECK: error: transfers a part of a content
  %t = memref.alloca() : memref<1xi32, 77>
  %u = memref.alloca() : memref<1xi32, 77>
  %b = memref.alloc() : memref<8xi32>
  %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1]} : memref<8xi32>
  linalg.copy ins(%x : memref<8xi32, 77>) outs(%a0 : memref<8xi32>)
  %s = memref.alloc() {berth.content = 1} : memref<8xi32, 77>
  memref.dma_start %a0[%c0], %s[%c0], %c8, %t[%c0] : memref<8xi32>, memref<8xi32, 77>, memref<1xi32, 77>
  linalg.copy ins(%a0 : memref<8xi32>) outs(%b : memref<8xi32>)
  memref.dma_wait %t[%c0], %c8 {berth.move = 1} : memref<1xi32, 77>
  %a1 = memref.alloc() {berth.content = 1} : memref<8xi32>
  memref.dma_start %s[%c0], %a1[%c0], %c8, %u[%c0] : memref<8xi32, 77>, memref<8xi32>, memref<1xi32, 77>
  linalg.fill ins(%k : i32) outs(%b : memref<8xi32>)
  memref.dma_wait %u[%c0], %c8 {berth.move = 1} : memref<1xi32, 77>
  linalg.copy ins(%a1 : memref<8xi32>) outs(%y : memref<8xi32, 77>)
  return
}
//--- crossing.mlir
func.func @f(%x: memref<8xi32, 77>, %y: memref<8xi32, 77>, %k: i32) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %t = memref.alloca() : memref<1xi32, 77>
  %u = memref.alloca() : memref<1xi32, 77>
  %b = memref.alloc() : memref<8xi32>
  %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1]} : memref<8xi32>
  linalg.copy ins(%x : memref<8xi32, 77>) outs(%a0 : memref<8xi32>)
  %s = memref.alloc() {berth.content = 1} : memref<8xi32, 77>
  memref.dma_start %a0[%c0], %s[%c0], %c8, %t[%c0] : memref<8xi32>, memref<8xi32, 77>, memref<1xi32, 77>
  linalg.copy ins(%a0 : memref<8xi32>) outs(%b : memref<8xi32>)
  %a1 = memref.alloc() {berth.content = 1} : memref<8xi32>
  memref.dma_start %s[%c0], %a1[%c0], %c8, %u[%c0] : memref<8xi32, 77>, memref<8xi32>, memref<1xi32, 77>
  linalg.fill ins(%k : i32) outs(%b : memref<8xi32>)
  // CHECK: error: {{touches what a transfer still uses|moves content from a place that may not hold it}}
  memref.dma_wait %t[%c0], %c8 {berth.move = 1} : memref<1xi32, 77>
  memref.dma_wait %u[%c0], %c8 {berth.move = 1} : memref<1xi32, 77>
  linalg.copy ins(%a1 : memref<8xi32>) outs(%y : memref<8xi32, 77>)
  return
}
//--- argument-written.mlir
func.func @f(%x: memref<8xi32, 77>, %y: memref<8xi32, 77>, %k: i32) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %t = memref.alloca() : memref<1xi32, 77>
  %a = memref.alloc() {berth.content = 1, berth.content_copied = [1]} : memref<8xi32>
  memref.dma_start %x[%c0], %a[%c0], %c8, %t[%c0] : memref<8xi32, 77>, memref<8xi32>, memref<1xi32, 77>
  // CHECK: argument-written.mlir:8:3: error: touches what a transfer still uses
  linalg.fill ins(%k : i32) outs(%x : memref<8xi32, 77>)
  memref.dma_wait %t[%c0], %c8 {berth.move = 1} : memref<1xi32, 77>
  linalg.copy ins(%a : memref<8xi32>) outs(%y : memref<8xi32, 77>)
  return
}
//--- one-tag.mlir
func.func @f(%x: memref<8xi32, 77>, %y: memref<8xi32, 77>, %k: i32) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %t = memref.alloca() : memref<1xi32, 77>
  %u = memref.alloca() : memref<1xi32, 77>
  %b = memref.alloc() : memref<8xi32>
  %a0 = memref.alloc() {berth.content = 1, berth.content_places = 3, berth.content_begins = [1]} : memref<8xi32>
  linalg.copy ins(%x : memref<8xi32, 77>) outs(%a0 : memref<8xi32>)
  %s = memref.alloc() {berth.content = 1, berth.content_places = 3} : memref<8xi32, 77>
  memref.dma_start %a0[%c0], %s[%c0], %c8, %t[%c0] : memref<8xi32>, memref<8xi32, 77>, memref<1xi32, 77>
  linalg.copy ins(%a0 : memref<8xi32>) outs(%b : memref<8xi32>)
  // CHECK: error: is marked as a move, and is neither copy nor transfer, nor the wait for one that has a tag or token of its own
  memref.dma_wait %t[%c0], %c8 {berth.move = 1} : memref<1xi32, 77>
  %a1 = memref.alloc() {berth.content = 1, berth.content_places = 3} : memref<8xi32>
  memref.dma_start %s[%c0], %a1[%c0], %c8, %t[%c0] : memref<8xi32, 77>, memref<8xi32>, memref<1xi32, 77>
  linalg.fill ins(%k : i32) outs(%b : memref<8xi32>)
  memref.dma_wait %t[%c0], %c8 {berth.move = 1} : memref<1xi32, 77>
  linalg.copy ins(%a1 : memref<8xi32>) outs(%y : memref<8xi32, 77>)
  return
}
