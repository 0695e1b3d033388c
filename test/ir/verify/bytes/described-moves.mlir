// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Content that a described op moves: over with the op, or with the wait for its
// token. The first programs are right; each other one has one thing changed, and is
// refused.

// RUN: split-file %s %t
// RUN: %berth-opt %t/right.mlir --berth-target=%S/Inputs/moves.json -o %t/out --pass-pipeline='builtin.module(berth-verify)'
// DEFINE: %{file} =
// DEFINE: %{refused} = not %berth-opt %t/%{file}.mlir --berth-target=%S/Inputs/moves.json -o %t/out --pass-pipeline='builtin.module(berth-verify)' 2>&1 | FileCheck %t/%{file}.mlir
// REDEFINE: %{file} = read-early
// RUN: %{refused}
// REDEFINE: %{file} = source-written
// RUN: %{refused}
// REDEFINE: %{file} = target-freed
// RUN: %{refused}
// REDEFINE: %{file} = not-awaited
// RUN: %{refused}
// REDEFINE: %{file} = waited-twice
// RUN: %{refused}
// REDEFINE: %{file} = other-token
// RUN: %{refused}
// REDEFINE: %{file} = other-shape
// RUN: %{refused}
// REDEFINE: %{file} = wrong-way
// RUN: %{refused}
// REDEFINE: %{file} = no-copy
// RUN: %{refused}

//--- right.mlir
func.func @f(%x: memref<8xi32, 77>, %y: memref<8xi32, 77>, %k: i32) {
  %b = memref.alloc() : memref<8xi32>
  %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1], berth.content_places = 3} : memref<8xi32>
  linalg.copy ins(%x : memref<8xi32, 77>) outs(%a0 : memref<8xi32>)
  %s = memref.alloc() {berth.content = 1, berth.content_places = 3} : memref<8xi32, 77>
  %t = "npu.dma"(%a0, %s) : (memref<8xi32>, memref<8xi32, 77>) -> !npu.token
  linalg.copy ins(%a0 : memref<8xi32>) outs(%b : memref<8xi32>)
  "npu.wait"(%t) {berth.move = 1} : (!npu.token) -> ()
  %a1 = memref.alloc() {berth.content = 1, berth.content_places = 3} : memref<8xi32>
  %u = "npu.dma"(%s, %a1) : (memref<8xi32, 77>, memref<8xi32>) -> !npu.token
  linalg.fill ins(%k : i32) outs(%b : memref<8xi32>)
  "npu.wait"(%u) {berth.move = 1} : (!npu.token) -> ()
  linalg.copy ins(%a1 : memref<8xi32>) outs(%y : memref<8xi32, 77>)
  return
}
func.func @g(%x: memref<8xi32, 77>, %y: memref<8xi32, 77>) {
  %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1], berth.content_places = 3} : memref<8xi32>
  linalg.copy ins(%x : memref<8xi32, 77>) outs(%a0 : memref<8xi32>)
  %s = memref.alloc() {berth.content = 1, berth.content_places = 3} : memref<8xi32, 77>
  "npu.move"(%s, %a0) {berth.move = 1} : (memref<8xi32, 77>, memref<8xi32>) -> ()
  %a1 = memref.alloc() {berth.content = 1, berth.content_places = 3} : memref<8xi32>
  "npu.move"(%a1, %s) {berth.move = 1} : (memref<8xi32>, memref<8xi32, 77>) -> ()
  linalg.copy ins(%a1 : memref<8xi32>) outs(%y : memref<8xi32, 77>)
  return
}
//--- read-early.mlir
// CHECK: error: reads a place that may not hold its content
func.func @f(%x: memref<8xi32, 77>, %y: memref<8xi32, 77>, %k: i32) {
  %b = memref.alloc() : memref<8xi32>
  %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1], berth.content_places = 3} : memref<8xi32>
  linalg.copy ins(%x : memref<8xi32, 77>) outs(%a0 : memref<8xi32>)
  %s = memref.alloc() {berth.content = 1, berth.content_places = 3} : memref<8xi32, 77>
  %t = "npu.dma"(%a0, %s) : (memref<8xi32>, memref<8xi32, 77>) -> !npu.token
  linalg.copy ins(%a0 : memref<8xi32>) outs(%b : memref<8xi32>)
  "npu.wait"(%t) {berth.move = 1} : (!npu.token) -> ()
  %a1 = memref.alloc() {berth.content = 1, berth.content_places = 3} : memref<8xi32>
  %u = "npu.dma"(%s, %a1) : (memref<8xi32, 77>, memref<8xi32>) -> !npu.token
  linalg.copy ins(%a1 : memref<8xi32>) outs(%b : memref<8xi32>)
  "npu.wait"(%u) {berth.move = 1} : (!npu.token) -> ()
  linalg.copy ins(%a1 : memref<8xi32>) outs(%y : memref<8xi32, 77>)
  return
}
//--- source-written.mlir
// CHECK: error: touches what a transfer still uses
func.func @f(%x: memref<8xi32, 77>, %y: memref<8xi32, 77>, %k: i32) {
  %b = memref.alloc() : memref<8xi32>
  %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1], berth.content_places = 3} : memref<8xi32>
  linalg.copy ins(%x : memref<8xi32, 77>) outs(%a0 : memref<8xi32>)
  %s = memref.alloc() {berth.content = 1, berth.content_places = 3} : memref<8xi32, 77>
  %t = "npu.dma"(%a0, %s) : (memref<8xi32>, memref<8xi32, 77>) -> !npu.token
  linalg.fill ins(%k : i32) outs(%a0 : memref<8xi32>)
  linalg.copy ins(%a0 : memref<8xi32>) outs(%b : memref<8xi32>)
  "npu.wait"(%t) {berth.move = 1} : (!npu.token) -> ()
  %a1 = memref.alloc() {berth.content = 1, berth.content_places = 3} : memref<8xi32>
  %u = "npu.dma"(%s, %a1) : (memref<8xi32, 77>, memref<8xi32>) -> !npu.token
  linalg.fill ins(%k : i32) outs(%b : memref<8xi32>)
  "npu.wait"(%u) {berth.move = 1} : (!npu.token) -> ()
  linalg.copy ins(%a1 : memref<8xi32>) outs(%y : memref<8xi32, 77>)
  return
}
//--- target-freed.mlir
// CHECK: error: touches what a transfer still uses
func.func @f(%x: memref<8xi32, 77>, %y: memref<8xi32, 77>, %k: i32) {
  %b = memref.alloc() : memref<8xi32>
  %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1], berth.content_places = 3} : memref<8xi32>
  linalg.copy ins(%x : memref<8xi32, 77>) outs(%a0 : memref<8xi32>)
  %s = memref.alloc() {berth.content = 1, berth.content_places = 3} : memref<8xi32, 77>
  %t = "npu.dma"(%a0, %s) : (memref<8xi32>, memref<8xi32, 77>) -> !npu.token
  linalg.copy ins(%a0 : memref<8xi32>) outs(%b : memref<8xi32>)
  "npu.wait"(%t) {berth.move = 1} : (!npu.token) -> ()
  %a1 = memref.alloc() {berth.content = 1, berth.content_places = 3} : memref<8xi32>
  %u = "npu.dma"(%s, %a1) : (memref<8xi32, 77>, memref<8xi32>) -> !npu.token
  memref.dealloc %a1 : memref<8xi32>
  "npu.wait"(%u) {berth.move = 1} : (!npu.token) -> ()
  linalg.copy ins(%a1 : memref<8xi32>) outs(%y : memref<8xi32, 77>)
  return
}
//--- not-awaited.mlir
// CHECK: error: {{moves content from a place that may not hold it|writes one place of a content while it uses another one}}
func.func @f(%x: memref<8xi32, 77>, %y: memref<8xi32, 77>, %k: i32) {
  %b = memref.alloc() : memref<8xi32>
  %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1], berth.content_places = 3} : memref<8xi32>
  linalg.copy ins(%x : memref<8xi32, 77>) outs(%a0 : memref<8xi32>)
  %s = memref.alloc() {berth.content = 1, berth.content_places = 3} : memref<8xi32, 77>
  %t = "npu.dma"(%a0, %s) : (memref<8xi32>, memref<8xi32, 77>) -> !npu.token
  linalg.copy ins(%a0 : memref<8xi32>) outs(%b : memref<8xi32>)
  %a1 = memref.alloc() {berth.content = 1, berth.content_places = 3} : memref<8xi32>
  %u = "npu.dma"(%s, %a1) : (memref<8xi32, 77>, memref<8xi32>) -> !npu.token
  linalg.fill ins(%k : i32) outs(%b : memref<8xi32>)
  "npu.wait"(%u) {berth.move = 1} : (!npu.token) -> ()
  linalg.copy ins(%a1 : memref<8xi32>) outs(%y : memref<8xi32, 77>)
  return
}
//--- waited-twice.mlir
// CHECK: error: is marked as a move, and is neither
func.func @f(%x: memref<8xi32, 77>, %y: memref<8xi32, 77>, %k: i32) {
  %b = memref.alloc() : memref<8xi32>
  %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1], berth.content_places = 3} : memref<8xi32>
  linalg.copy ins(%x : memref<8xi32, 77>) outs(%a0 : memref<8xi32>)
  %s = memref.alloc() {berth.content = 1, berth.content_places = 3} : memref<8xi32, 77>
  %t = "npu.dma"(%a0, %s) : (memref<8xi32>, memref<8xi32, 77>) -> !npu.token
  linalg.copy ins(%a0 : memref<8xi32>) outs(%b : memref<8xi32>)
  "npu.wait"(%t) {berth.move = 1} : (!npu.token) -> ()
  %a1 = memref.alloc() {berth.content = 1, berth.content_places = 3} : memref<8xi32>
  %u = "npu.dma"(%s, %a1) : (memref<8xi32, 77>, memref<8xi32>) -> !npu.token
  linalg.fill ins(%k : i32) outs(%b : memref<8xi32>)
  "npu.wait"(%t) : (!npu.token) -> ()
  "npu.wait"(%u) {berth.move = 1} : (!npu.token) -> ()
  linalg.copy ins(%a1 : memref<8xi32>) outs(%y : memref<8xi32, 77>)
  return
}
//--- other-token.mlir
// CHECK: error: {{reads a place that may not hold its content|is marked as a move}}
func.func @f(%x: memref<8xi32, 77>, %y: memref<8xi32, 77>, %k: i32) {
  %b = memref.alloc() : memref<8xi32>
  %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1], berth.content_places = 3} : memref<8xi32>
  linalg.copy ins(%x : memref<8xi32, 77>) outs(%a0 : memref<8xi32>)
  %s = memref.alloc() {berth.content = 1, berth.content_places = 3} : memref<8xi32, 77>
  %t = "npu.dma"(%a0, %s) : (memref<8xi32>, memref<8xi32, 77>) -> !npu.token
  linalg.copy ins(%a0 : memref<8xi32>) outs(%b : memref<8xi32>)
  "npu.wait"(%t) {berth.move = 1} : (!npu.token) -> ()
  %a1 = memref.alloc() {berth.content = 1, berth.content_places = 3} : memref<8xi32>
  %u = "npu.dma"(%s, %a1) : (memref<8xi32, 77>, memref<8xi32>) -> !npu.token
  linalg.fill ins(%k : i32) outs(%b : memref<8xi32>)
  "npu.wait"(%t) {berth.move = 1} : (!npu.token) -> ()
  linalg.copy ins(%a1 : memref<8xi32>) outs(%y : memref<8xi32, 77>)
  return
}
//--- other-shape.mlir
// CHECK: error: transfers a part of a content
func.func @g(%x: memref<8xi32, 77>, %y: memref<8xi32, 77>) {
  %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1], berth.content_places = 3} : memref<8xi32>
  linalg.copy ins(%x : memref<8xi32, 77>) outs(%a0 : memref<8xi32>)
  %s = memref.alloc() {berth.content = 1, berth.content_places = 3} : memref<4xi32, 77>
  "npu.move"(%s, %a0) {berth.move = 1} : (memref<4xi32, 77>, memref<8xi32>) -> ()
  %a1 = memref.alloc() {berth.content = 1, berth.content_places = 3} : memref<8xi32>
  "npu.move"(%a1, %s) {berth.move = 1} : (memref<8xi32>, memref<4xi32, 77>) -> ()
  linalg.copy ins(%a1 : memref<8xi32>) outs(%y : memref<8xi32, 77>)
  return
}
//--- wrong-way.mlir
// CHECK: error: moves content from a place that may not hold it
func.func @g(%x: memref<8xi32, 77>, %y: memref<8xi32, 77>) {
  %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1], berth.content_places = 3} : memref<8xi32>
  linalg.copy ins(%x : memref<8xi32, 77>) outs(%a0 : memref<8xi32>)
  %s = memref.alloc() {berth.content = 1, berth.content_places = 3} : memref<8xi32, 77>
  "npu.move"(%s, %a0) {berth.move = 1} : (memref<8xi32, 77>, memref<8xi32>) -> ()
  %a1 = memref.alloc() {berth.content = 1, berth.content_places = 3} : memref<8xi32>
  "npu.move"(%s, %a1) {berth.move = 1} : (memref<8xi32, 77>, memref<8xi32>) -> ()
  linalg.copy ins(%a1 : memref<8xi32>) outs(%y : memref<8xi32, 77>)
  return
}
//--- no-copy.mlir
// CHECK: error: is marked as a move, and is neither
func.func @g(%x: memref<8xi32, 77>, %y: memref<8xi32, 77>) {
  %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1], berth.content_places = 3} : memref<8xi32>
  linalg.copy ins(%x : memref<8xi32, 77>) outs(%a0 : memref<8xi32>)
  %s = memref.alloc() {berth.content = 1, berth.content_places = 3} : memref<8xi32, 77>
  "npu.move"(%s, %a0) {berth.move = 1} : (memref<8xi32, 77>, memref<8xi32>) -> ()
  %a1 = memref.alloc() {berth.content = 1, berth.content_places = 3} : memref<8xi32>
  "npu.work"(%a1, %s) {berth.move = 1} : (memref<8xi32>, memref<8xi32, 77>) -> ()
  linalg.copy ins(%a1 : memref<8xi32>) outs(%y : memref<8xi32, 77>)
  return
}
