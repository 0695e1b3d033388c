// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Content that berth-fit has moved is followed through its places. The program
// below is right; each other one has one thing changed, and is refused.

// RUN: split-file %s %t
// RUN: %berth-opt %t/right.mlir -o %t/out --pass-pipeline='builtin.module(berth-verify)'
// Once one place is placed, no more is followed.
// RUN: %berth-opt %t/right.mlir -o %t/out --pass-pipeline='builtin.module(berth-arena)'
// DEFINE: %{file} =
// DEFINE: %{refused} = not %berth-opt %t/%{file}.mlir -o %t/out --pass-pipeline='builtin.module(berth-verify)' 2>&1 | FileCheck %t/%{file}.mlir
// REDEFINE: %{file} = no-spill
// RUN: %{refused}
// REDEFINE: %{file} = no-fill
// RUN: %{refused}
// REDEFINE: %{file} = other-copy
// RUN: %{refused}
// REDEFINE: %{file} = spill-too-early
// RUN: %{refused}
// REDEFINE: %{file} = spill-in-branch
// RUN: %{refused}
// REDEFINE: %{file} = old-spill
// RUN: %{refused}
// REDEFINE: %{file} = back-edge
// RUN: %{refused}
// REDEFINE: %{file} = no-turn
// RUN: %{refused}
// REDEFINE: %{file} = source-written
// RUN: %{refused}
// REDEFINE: %{file} = source-elsewhere
// RUN: %{refused}
// REDEFINE: %{file} = source-part
// RUN: %{refused}
// REDEFINE: %{file} = source-argument
// RUN: %{refused}
// REDEFINE: %{file} = source-view
// RUN: %{refused}
// REDEFINE: %{file} = source-read
// RUN: %{refused}
// A cast that some pass has folded into the move is none of its source.
// RUN: %berth-opt %t/source-cast.mlir -o %t/out --pass-pipeline='builtin.module(berth-verify)'
// REDEFINE: %{file} = source-at-once
// RUN: %{refused}
// REDEFINE: %{file} = freed
// RUN: %{refused}
// REDEFINE: %{file} = two-places
// RUN: %{refused}
// REDEFINE: %{file} = parallel
// RUN: %{refused}
// REDEFINE: %{file} = part
// RUN: %{refused}
// REDEFINE: %{file} = third-level
// RUN: %{refused}
// REDEFINE: %{file} = from-argument
// RUN: %{refused}
// REDEFINE: %{file} = from-unmarked
// RUN: %{refused}
// REDEFINE: %{file} = to-unmarked
// RUN: %{refused}
// REDEFINE: %{file} = into-inner
// RUN: %{refused}
// Where fewer places are left than there were, some pass has put something else there.
// RUN: %berth-opt %t/place-gone.mlir -o %t/out --pass-pipeline='builtin.module(berth-verify)'

//--- right.mlir
func.func @straight(%x: memref<8xi32, 77>, %y: memref<8xi32, 77>) {
  %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1]} : memref<8xi32>
  linalg.copy ins(%x : memref<8xi32, 77>) outs(%a0 : memref<8xi32>)
  %s = memref.alloc() {berth.content = 1} : memref<8xi32, 77>
  memref.copy %a0, %s {berth.move = 1} : memref<8xi32> to memref<8xi32, 77>
  %a1 = memref.alloc() {berth.content = 1} : memref<8xi32>
  memref.copy %s, %a1 {berth.move = 1} : memref<8xi32, 77> to memref<8xi32>
  linalg.copy ins(%a1 : memref<8xi32>) outs(%y : memref<8xi32, 77>)
  return
}
func.func @twice(%x: memref<8xi32, 77>, %y: memref<8xi32, 77>) {
  %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1]} : memref<8xi32>
  linalg.copy ins(%x : memref<8xi32, 77>) outs(%a0 : memref<8xi32>)
  %s = memref.alloc() {berth.content = 1} : memref<8xi32, 77>
  memref.copy %a0, %s {berth.move = 1} : memref<8xi32> to memref<8xi32, 77>
  %a1 = memref.alloc() {berth.content = 1} : memref<8xi32>
  memref.copy %s, %a1 {berth.move = 1} : memref<8xi32, 77> to memref<8xi32>
  linalg.add ins(%x, %a1 : memref<8xi32, 77>, memref<8xi32>) outs(%a1 : memref<8xi32>)
  memref.copy %a1, %s {berth.move = 1} : memref<8xi32> to memref<8xi32, 77>
  linalg.copy ins(%s : memref<8xi32, 77>) outs(%y : memref<8xi32, 77>)
  return
}
// What is written on one way only, and read on that one, was never there on the
// other; with each turn it begins anew.
func.func @sometimes(%n: index, %p: i1, %y: memref<8xi32, 77>, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1]} : memref<8xi32>
    scf.if %p {
      linalg.fill ins(%v : i32) outs(%a0 : memref<8xi32>)
    }
    %s = memref.alloc() {berth.content = 1} : memref<8xi32, 77>
    memref.copy %a0, %s {berth.move = 1} : memref<8xi32> to memref<8xi32, 77>
    %a1 = memref.alloc() {berth.content = 1} : memref<8xi32>
    memref.copy %s, %a1 {berth.move = 1} : memref<8xi32, 77> to memref<8xi32>
    scf.if %p {
      linalg.copy ins(%a1 : memref<8xi32>) outs(%y : memref<8xi32, 77>)
    }
  }
  return
}
// Two halves are the whole, wherever each is written.
func.func @halves(%n: index, %x: memref<4xi32, 77>, %y: memref<8xi32, 77>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = memref.alloc() {berth.content = 1} : memref<8xi32, 77>
  scf.for %i = %c0 to %n step %c1 {
    %a0 = memref.alloc() {berth.content = 1} : memref<8xi32>
    %low = memref.subview %a0[0] [4] [1] : memref<8xi32> to memref<4xi32, strided<[1]>>
    memref.copy %x, %low : memref<4xi32, 77> to memref<4xi32, strided<[1]>>
    memref.copy %a0, %s {berth.move = 1} : memref<8xi32> to memref<8xi32, 77>
    %high = memref.subview %s[4] [4] [1] : memref<8xi32, 77> to memref<4xi32, strided<[1], offset: 4>, 77>
    memref.copy %x, %high : memref<4xi32, 77> to memref<4xi32, strided<[1], offset: 4>, 77>
    %a1 = memref.alloc() {berth.content = 1} : memref<8xi32>
    memref.copy %s, %a1 {berth.move = 1} : memref<8xi32, 77> to memref<8xi32>
    linalg.copy ins(%a1 : memref<8xi32>) outs(%y : memref<8xi32, 77>)
  }
  return
}
// A mark on an op with regions that nothing tells the order of is the op's own.
func.func @marked_generic() -> i32 {
  %c0 = arith.constant 0 : index
  %y = memref.alloc() : memref<8xi32>
  %w = memref.alloc() : memref<8xi32, 77>
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%y : memref<8xi32>) attrs = {berth.content_copied = [1]} {
  ^bb0(%out: i32):
    linalg.yield %out : i32
  }
  %a0 = memref.alloc() {berth.content = 1} : memref<8xi32>
  memref.copy %w, %a0 {berth.move = 1} : memref<8xi32, 77> to memref<8xi32>
  %v = memref.load %a0[%c0] : memref<8xi32>
  return %v : i32
}
func.func @source(%w: memref<8xi32, 77>, %y: memref<8xi32, 77>) {
  %a0 = memref.alloc() {berth.content = 1, berth.content_copied = [1]} : memref<8xi32>
  memref.copy %w, %a0 {berth.move = 1} : memref<8xi32, 77> to memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  linalg.copy ins(%a0 : memref<8xi32>) outs(%b : memref<8xi32>)
  linalg.copy {berth.content_read = [1, 0]} ins(%w : memref<8xi32, 77>) outs(%b : memref<8xi32>)
  %a1 = memref.alloc() {berth.content = 1} : memref<8xi32>
  memref.copy %w, %a1 {berth.move = 1} : memref<8xi32, 77> to memref<8xi32>
  linalg.add ins(%a1, %b : memref<8xi32>, memref<8xi32>) outs(%y : memref<8xi32, 77>)
  return
}
// The place in 77 has gone on to 78 itself.
func.func @levels(%x: memref<8xi32, 78>, %y: memref<8xi32, 78>) {
  %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1]} : memref<8xi32>
  linalg.copy ins(%x : memref<8xi32, 78>) outs(%a0 : memref<8xi32>)
  %s0 = memref.alloc() {berth.content = [2, 1], berth.content_begins = [2]} : memref<8xi32, 77>
  memref.copy %a0, %s0 {berth.move = 1} : memref<8xi32> to memref<8xi32, 77>
  %t = memref.alloc() {berth.content = [2, 1]} : memref<8xi32, 78>
  memref.copy %s0, %t {berth.move = 2} : memref<8xi32, 77> to memref<8xi32, 78>
  memref.dealloc %s0 : memref<8xi32, 77>
  %s1 = memref.alloc() {berth.content = [2, 1]} : memref<8xi32, 77>
  memref.copy %t, %s1 {berth.move = 2} : memref<8xi32, 78> to memref<8xi32, 77>
  memref.dealloc %t : memref<8xi32, 78>
  %a1 = memref.alloc() {berth.content = 1} : memref<8xi32>
  memref.copy %s1, %a1 {berth.move = 1} : memref<8xi32, 77> to memref<8xi32>
  %t1 = memref.alloc() {berth.content = [2, 1]} : memref<8xi32, 78>
  memref.copy %s1, %t1 {berth.move = 2} : memref<8xi32, 77> to memref<8xi32, 78>
  linalg.copy ins(%a1 : memref<8xi32>) outs(%y : memref<8xi32, 78>)
  return
}

//--- no-spill.mlir
func.func @straight(%x: memref<8xi32, 77>, %y: memref<8xi32, 77>) {
  %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1]} : memref<8xi32>
  linalg.copy ins(%x : memref<8xi32, 77>) outs(%a0 : memref<8xi32>)
  // CHECK: :[[#@LINE+3]]:3: error: moves content from a place that may not hold it
  %s = memref.alloc() {berth.content = 1} : memref<8xi32, 77>
  %a1 = memref.alloc() {berth.content = 1} : memref<8xi32>
  memref.copy %s, %a1 {berth.move = 1} : memref<8xi32, 77> to memref<8xi32>
  // CHECK: :[[#@LINE-3]]:8: note: made here, and not brought in
  linalg.copy ins(%a1 : memref<8xi32>) outs(%y : memref<8xi32, 77>)
  return
}
//--- no-fill.mlir
func.func @straight(%x: memref<8xi32, 77>, %y: memref<8xi32, 77>) {
  %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1]} : memref<8xi32>
  linalg.copy ins(%x : memref<8xi32, 77>) outs(%a0 : memref<8xi32>)
  %s = memref.alloc() {berth.content = 1} : memref<8xi32, 77>
  memref.copy %a0, %s {berth.move = 1} : memref<8xi32> to memref<8xi32, 77>
  %a1 = memref.alloc() {berth.content = 1} : memref<8xi32>
  // CHECK: :[[#@LINE+1]]:3: error: reads a place that may not hold its content
  linalg.copy ins(%a1 : memref<8xi32>) outs(%y : memref<8xi32, 77>)
  // CHECK: :[[#@LINE-3]]:9: note: made here, and not brought in
  return
}
//--- other-copy.mlir
func.func @straight(%x: memref<8xi32, 77>, %y: memref<8xi32, 77>) {
  %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1]} : memref<8xi32>
  linalg.copy ins(%x : memref<8xi32, 77>) outs(%a0 : memref<8xi32>)
  %s = memref.alloc() {berth.content = 1} : memref<8xi32, 77>
  memref.copy %a0, %s {berth.move = 1} : memref<8xi32> to memref<8xi32, 77>
  %b0 = memref.alloc() {berth.content = 2, berth.content_begins = [2]} : memref<8xi32>
  linalg.copy ins(%x : memref<8xi32, 77>) outs(%b0 : memref<8xi32>)
  %t = memref.alloc() {berth.content = 2} : memref<8xi32, 77>
  memref.copy %b0, %t {berth.move = 2} : memref<8xi32> to memref<8xi32, 77>
  %a1 = memref.alloc() {berth.content = 1} : memref<8xi32>
  // CHECK: :[[#@LINE+1]]:3: error: moves content from where it is not
  memref.copy %t, %a1 {berth.move = 1} : memref<8xi32, 77> to memref<8xi32>
  linalg.copy ins(%a1 : memref<8xi32>) outs(%y : memref<8xi32, 77>)
  return
}
//--- spill-too-early.mlir
func.func @straight(%x: memref<8xi32, 77>, %y: memref<8xi32, 77>) {
  %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1]} : memref<8xi32>
  linalg.copy ins(%x : memref<8xi32, 77>) outs(%a0 : memref<8xi32>)
  %s = memref.alloc() {berth.content = 1} : memref<8xi32, 77>
  memref.copy %a0, %s {berth.move = 1} : memref<8xi32> to memref<8xi32, 77>
  linalg.add ins(%x, %a0 : memref<8xi32, 77>, memref<8xi32>) outs(%a0 : memref<8xi32>)
  %a1 = memref.alloc() {berth.content = 1} : memref<8xi32>
  // CHECK: :[[#@LINE+1]]:3: error: moves content from a place that may not hold it
  memref.copy %s, %a1 {berth.move = 1} : memref<8xi32, 77> to memref<8xi32>
  // CHECK: :[[#@LINE-4]]:3: note: by this write
  linalg.copy ins(%a1 : memref<8xi32>) outs(%y : memref<8xi32, 77>)
  return
}
//--- spill-in-branch.mlir
func.func @straight(%x: memref<8xi32, 77>, %y: memref<8xi32, 77>, %p: i1) {
  %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1]} : memref<8xi32>
  linalg.copy ins(%x : memref<8xi32, 77>) outs(%a0 : memref<8xi32>)
  %s = memref.alloc() {berth.content = 1} : memref<8xi32, 77>
  scf.if %p {
    memref.copy %a0, %s {berth.move = 1} : memref<8xi32> to memref<8xi32, 77>
  }
  %a1 = memref.alloc() {berth.content = 1} : memref<8xi32>
  // CHECK: :[[#@LINE+1]]:3: error: moves content from a place that may not hold it
  memref.copy %s, %a1 {berth.move = 1} : memref<8xi32, 77> to memref<8xi32>
  linalg.copy ins(%a1 : memref<8xi32>) outs(%y : memref<8xi32, 77>)
  return
}
//--- old-spill.mlir
func.func @straight(%x: memref<8xi32, 77>, %y: memref<8xi32, 77>) {
  %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1]} : memref<8xi32>
  linalg.copy ins(%x : memref<8xi32, 77>) outs(%a0 : memref<8xi32>)
  %s = memref.alloc() {berth.content = 1} : memref<8xi32, 77>
  memref.copy %a0, %s {berth.move = 1} : memref<8xi32> to memref<8xi32, 77>
  %a1 = memref.alloc() {berth.content = 1} : memref<8xi32>
  memref.copy %s, %a1 {berth.move = 1} : memref<8xi32, 77> to memref<8xi32>
  linalg.add ins(%x, %a1 : memref<8xi32, 77>, memref<8xi32>) outs(%a1 : memref<8xi32>)
  // CHECK: :[[#@LINE+1]]:3: error: reads a place that may not hold its content
  linalg.copy ins(%s : memref<8xi32, 77>) outs(%y : memref<8xi32, 77>)
  // CHECK: :[[#@LINE-3]]:3: note: by this write
  return
}
//--- back-edge.mlir
func.func @around(%x: memref<8xi32, 77>, %y: memref<8xi32, 77>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = memref.alloc() {berth.content = 1, berth.content_begins = [1]} : memref<8xi32, 77>
  linalg.copy ins(%x : memref<8xi32, 77>) outs(%s : memref<8xi32, 77>)
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() {berth.content = 1} : memref<8xi32>
    // CHECK: :[[#@LINE+1]]:5: error: moves content from a place that may not hold it
    memref.copy %s, %a {berth.move = 1} : memref<8xi32, 77> to memref<8xi32>
    // CHECK: :[[#@LINE+1]]:5: note: by this write
    linalg.add ins(%x, %a : memref<8xi32, 77>, memref<8xi32>) outs(%a : memref<8xi32>)
    linalg.copy ins(%a : memref<8xi32>) outs(%y : memref<8xi32, 77>)
  }
  return
}
//--- no-turn.mlir
func.func @around(%x: memref<8xi32, 77>, %y: memref<8xi32, 77>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() {berth.content = 1, berth.content_begins = [1]} : memref<8xi32>
  linalg.copy ins(%x : memref<8xi32, 77>) outs(%a : memref<8xi32>)
  %s = memref.alloc() {berth.content = 1} : memref<8xi32, 77>
  scf.for %i = %c0 to %n step %c1 {
    memref.copy %a, %s {berth.move = 1} : memref<8xi32> to memref<8xi32, 77>
  }
  // CHECK: :[[#@LINE+1]]:3: error: reads a place that may not hold its content
  linalg.copy ins(%s : memref<8xi32, 77>) outs(%y : memref<8xi32, 77>)
  return
}
//--- source-written.mlir
func.func @source(%w: memref<8xi32, 77>, %y: memref<8xi32, 77>) {
  %a0 = memref.alloc() {berth.content = 1, berth.content_copied = [1]} : memref<8xi32>
  memref.copy %w, %a0 {berth.move = 1} : memref<8xi32, 77> to memref<8xi32>
  linalg.copy ins(%a0 : memref<8xi32>) outs(%y : memref<8xi32, 77>)
  %a1 = memref.alloc() {berth.content = 1} : memref<8xi32>
  // CHECK: :[[#@LINE+1]]:3: error: moves content from a place that may not hold it
  memref.copy %w, %a1 {berth.move = 1} : memref<8xi32, 77> to memref<8xi32>
  // CHECK: :[[#@LINE-4]]:3: note: by this write
  linalg.copy ins(%a1 : memref<8xi32>) outs(%y : memref<8xi32, 77>)
  return
}
//--- source-elsewhere.mlir
func.func @source(%w: memref<8xi32, 77>, %v: memref<8xi32, 77>) -> i32 {
  %c0 = arith.constant 0 : index
  %a0 = memref.alloc() {berth.content = 1, berth.content_copied = [1]} : memref<8xi32>
  memref.copy %w, %a0 {berth.move = 1} : memref<8xi32, 77> to memref<8xi32>
  %x = memref.load %a0[%c0] : memref<8xi32>
  %a1 = memref.alloc() {berth.content = 1} : memref<8xi32>
  // CHECK: :[[#@LINE+1]]:3: error: moves content from where it is not
  memref.copy %v, %a1 {berth.move = 1} : memref<8xi32, 77> to memref<8xi32>
  %y = memref.load %a1[%c0] : memref<8xi32>
  %z = arith.addi %x, %y : i32
  return %z : i32
}
// One move alone says nothing of where the content was: that is marked.
//--- source-argument.mlir
func.func @source(%w: memref<8xi32, 77> {berth.content_source = [1]}, %v: memref<8xi32, 77>) -> i32 {
  %c0 = arith.constant 0 : index
  %a0 = memref.alloc() {berth.content = 1, berth.content_copied = [1], berth.content_places = 1} : memref<8xi32>
  // CHECK: :[[#@LINE+1]]:3: error: moves content from where it is not
  memref.copy %v, %a0 {berth.move = 1} : memref<8xi32, 77> to memref<8xi32>
  %x = memref.load %a0[%c0] : memref<8xi32>
  return %x : i32
}
//--- source-view.mlir
func.func @source(%v: memref<16xi32, 77>) -> i32 {
  %c0 = arith.constant 0 : index
  %low = memref.subview %v[0] [8] [1] {berth.content_source = [2, 1]} : memref<16xi32, 77> to memref<8xi32, strided<[1]>, 77>
  %high = memref.subview %v[8] [8] [1] : memref<16xi32, 77> to memref<8xi32, strided<[1], offset: 8>, 77>
  %a0 = memref.alloc() {berth.content = 1, berth.content_copied = [1], berth.content_places = 1} : memref<8xi32>
  // CHECK: :[[#@LINE+1]]:3: error: moves content from where it is not
  memref.copy %high, %a0 {berth.move = 1} : memref<8xi32, strided<[1], offset: 8>, 77> to memref<8xi32>
  %x = memref.load %a0[%c0] : memref<8xi32>
  return %x : i32
}
//--- source-read.mlir
func.func @source(%w: memref<8xi32, 77> {berth.content_source = 1}, %v: memref<8xi32, 77>) -> i32 {
  %c0 = arith.constant 0 : index
  %a0 = memref.alloc() {berth.content = 1, berth.content_copied = [1], berth.content_places = 1} : memref<8xi32>
  memref.copy %w, %a0 {berth.move = 1} : memref<8xi32, 77> to memref<8xi32>
  %x = memref.load %a0[%c0] : memref<8xi32>
  // CHECK: :[[#@LINE+1]]:8: error: moves content from where it is not
  %y = memref.load %v[%c0] {berth.content_read = [1, 0]} : memref<8xi32, 77>
  %z = arith.addi %x, %y : i32
  return %z : i32
}
//--- source-cast.mlir
func.func @source(%w: memref<8xi32, 77>) -> (i32, memref<?xi32, 77>) {
  %c0 = arith.constant 0 : index
  %cast = memref.cast %w {berth.content_source = 1} : memref<8xi32, 77> to memref<?xi32, 77>
  %a0 = memref.alloc() {berth.content = 1, berth.content_copied = [1], berth.content_places = 1} : memref<8xi32>
  memref.copy %w, %a0 {berth.move = 1} : memref<8xi32, 77> to memref<8xi32>
  %x = memref.load %a0[%c0] : memref<8xi32>
  return %x, %cast : i32, memref<?xi32, 77>
}
//--- source-part.mlir
func.func @source(%v: memref<16xi32, 77>) -> i32 {
  %c0 = arith.constant 0 : index
  %low = memref.subview %v[0] [8] [1] : memref<16xi32, 77> to memref<8xi32, strided<[1]>, 77>
  %high = memref.subview %v[8] [8] [1] : memref<16xi32, 77> to memref<8xi32, strided<[1], offset: 8>, 77>
  %a0 = memref.alloc() {berth.content = 1, berth.content_copied = [1]} : memref<8xi32>
  memref.copy %low, %a0 {berth.move = 1} : memref<8xi32, strided<[1]>, 77> to memref<8xi32>
  %x = memref.load %a0[%c0] : memref<8xi32>
  %a1 = memref.alloc() {berth.content = 1} : memref<8xi32>
  // CHECK: :[[#@LINE+1]]:3: error: moves content from where it is not
  memref.copy %high, %a1 {berth.move = 1} : memref<8xi32, strided<[1], offset: 8>, 77> to memref<8xi32>
  %y = memref.load %a1[%c0] : memref<8xi32>
  %z = arith.addi %x, %y : i32
  return %z : i32
}
//--- source-at-once.mlir
// The transposition writes what it has yet to read.
func.func @source(%w: memref<8x8xi32, 77>) {
  %a0 = memref.alloc() {berth.content = 1, berth.content_copied = [1]} : memref<8x8xi32>
  memref.copy %w, %a0 {berth.move = 1} : memref<8x8xi32, 77> to memref<8x8xi32>
  // CHECK: :[[#@LINE+1]]:3: error: writes one place of a content while it uses another one, or its source
  linalg.transpose ins(%w : memref<8x8xi32, 77>) outs(%w : memref<8x8xi32, 77>) permutation = [1, 0] {berth.content_read = [1, 0]}
  return
}
//--- freed.mlir
func.func @straight(%x: memref<8xi32, 77>, %y: memref<8xi32, 77>) {
  %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1]} : memref<8xi32>
  linalg.copy ins(%x : memref<8xi32, 77>) outs(%a0 : memref<8xi32>)
  %s = memref.alloc() {berth.content = 1} : memref<8xi32, 77>
  memref.copy %a0, %s {berth.move = 1} : memref<8xi32> to memref<8xi32, 77>
  memref.dealloc %s : memref<8xi32, 77>
  %a1 = memref.alloc() {berth.content = 1} : memref<8xi32>
  // CHECK: :[[#@LINE+1]]:3: error: moves content from a place that may not hold it
  memref.copy %s, %a1 {berth.move = 1} : memref<8xi32, 77> to memref<8xi32>
  // CHECK: :[[#@LINE-4]]:3: note: freed here
  linalg.copy ins(%a1 : memref<8xi32>) outs(%y : memref<8xi32, 77>)
  return
}
//--- two-places.mlir
func.func @straight(%x: memref<8x8xi32, 77>, %y: memref<8x8xi32, 77>) {
  %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1]} : memref<8x8xi32>
  linalg.copy ins(%x : memref<8x8xi32, 77>) outs(%a0 : memref<8x8xi32>)
  %s = memref.alloc() {berth.content = 1} : memref<8x8xi32, 77>
  memref.copy %a0, %s {berth.move = 1} : memref<8x8xi32> to memref<8x8xi32, 77>
  // CHECK: :[[#@LINE+1]]:3: error: writes one place of a content while it uses another one, or its source
  linalg.transpose ins(%s : memref<8x8xi32, 77>) outs(%a0 : memref<8x8xi32>) permutation = [1, 0]
  linalg.copy ins(%a0 : memref<8x8xi32>) outs(%y : memref<8x8xi32, 77>)
  return
}
//--- parallel.mlir
// Iterations that run at the same time fill what others read.
func.func @parallel(%x: memref<8xi32, 77>, %y: memref<8xi32, 77>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() {berth.content = 1, berth.content_begins = [1]} : memref<8xi32>
  linalg.copy ins(%x : memref<8xi32, 77>) outs(%a : memref<8xi32>)
  %s = memref.alloc() {berth.content = 1} : memref<8xi32, 77>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.copy %a, %s {berth.move = 1} : memref<8xi32> to memref<8xi32, 77>
    // CHECK: :[[#@LINE+1]]:5: error: reads a place that may not hold its content
    linalg.copy ins(%s : memref<8xi32, 77>) outs(%y : memref<8xi32, 77>)
  }
  return
}
//--- part.mlir
func.func @straight(%x: memref<8xi32, 77>, %y: memref<8xi32, 77>) {
  %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1]} : memref<8xi32>
  linalg.copy ins(%x : memref<8xi32, 77>) outs(%a0 : memref<8xi32>)
  %s = memref.alloc() {berth.content = 1} : memref<8xi32, 77>
  %low = memref.subview %a0[0] [4] [1] : memref<8xi32> to memref<4xi32, strided<[1]>>
  %to = memref.subview %s[0] [4] [1] : memref<8xi32, 77> to memref<4xi32, strided<[1]>, 77>
  memref.copy %low, %to {berth.move = 1} : memref<4xi32, strided<[1]>> to memref<4xi32, strided<[1]>, 77>
  %a1 = memref.alloc() {berth.content = 1} : memref<8xi32>
  // CHECK: :[[#@LINE+1]]:3: error: moves content from a place that may not hold it
  memref.copy %s, %a1 {berth.move = 1} : memref<8xi32, 77> to memref<8xi32>
  linalg.copy ins(%a1 : memref<8xi32>) outs(%y : memref<8xi32, 77>)
  return
}
//--- third-level.mlir
func.func @levels(%x: memref<8xi32, 78>, %y: memref<8xi32, 78>) {
  %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1]} : memref<8xi32>
  linalg.copy ins(%x : memref<8xi32, 78>) outs(%a0 : memref<8xi32>)
  %s0 = memref.alloc() {berth.content = [2, 1], berth.content_begins = [2]} : memref<8xi32, 77>
  %t = memref.alloc() {berth.content = [2, 1]} : memref<8xi32, 78>
  memref.copy %s0, %t {berth.move = 2} : memref<8xi32, 77> to memref<8xi32, 78>
  memref.copy %a0, %s0 {berth.move = 1} : memref<8xi32> to memref<8xi32, 77>
  %s1 = memref.alloc() {berth.content = [2, 1]} : memref<8xi32, 77>
  // CHECK: :[[#@LINE+1]]:3: error: moves content from a place that may not hold it
  memref.copy %t, %s1 {berth.move = 2} : memref<8xi32, 78> to memref<8xi32, 77>
  // CHECK: :[[#@LINE-4]]:3: note: by this move
  %a1 = memref.alloc() {berth.content = 1} : memref<8xi32>
  memref.copy %s1, %a1 {berth.move = 1} : memref<8xi32, 77> to memref<8xi32>
  linalg.copy ins(%a1 : memref<8xi32>) outs(%y : memref<8xi32, 78>)
  return
}
//--- from-argument.mlir
// All places are there, so the argument stands for none of them.
func.func @straight(%x: memref<8xi32, 77>, %y: memref<8xi32, 77>, %other: memref<8xi32, 77>) {
  %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1], berth.content_places = 3} : memref<8xi32>
  linalg.copy ins(%x : memref<8xi32, 77>) outs(%a0 : memref<8xi32>)
  %s = memref.alloc() {berth.content = 1, berth.content_places = 3} : memref<8xi32, 77>
  memref.copy %a0, %s {berth.move = 1} : memref<8xi32> to memref<8xi32, 77>
  %a1 = memref.alloc() {berth.content = 1, berth.content_places = 3} : memref<8xi32>
  // CHECK: :[[#@LINE+1]]:3: error: moves content from where it is not
  memref.copy %other, %a1 {berth.move = 1} : memref<8xi32, 77> to memref<8xi32>
  linalg.copy ins(%a1 : memref<8xi32>) outs(%y : memref<8xi32, 77>)
  return
}
//--- from-unmarked.mlir
func.func @straight(%x: memref<8xi32, 77>, %y: memref<8xi32, 77>) {
  %b = memref.alloc() : memref<8xi32, 77>
  linalg.copy ins(%y : memref<8xi32, 77>) outs(%b : memref<8xi32, 77>)
  %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1], berth.content_places = 2} : memref<8xi32>
  linalg.copy ins(%x : memref<8xi32, 77>) outs(%a0 : memref<8xi32>)
  %a1 = memref.alloc() {berth.content = 1, berth.content_places = 2} : memref<8xi32>
  // CHECK: :[[#@LINE+1]]:3: error: moves content from where it is not
  memref.copy %b, %a1 {berth.move = 1} : memref<8xi32, 77> to memref<8xi32>
  linalg.copy ins(%a1 : memref<8xi32>) outs(%y : memref<8xi32, 77>)
  return
}
//--- to-unmarked.mlir
func.func @straight(%x: memref<8xi32, 77>, %y: memref<8xi32, 77>) {
  %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1], berth.content_places = 2} : memref<8xi32>
  linalg.copy ins(%x : memref<8xi32, 77>) outs(%a0 : memref<8xi32>)
  %s = memref.alloc() {berth.content = 1, berth.content_places = 2} : memref<8xi32, 77>
  %b = memref.alloc() : memref<8xi32, 77>
  // CHECK: :[[#@LINE+1]]:3: error: moves content to what is no place of it
  memref.copy %a0, %b {berth.move = 1} : memref<8xi32> to memref<8xi32, 77>
  linalg.copy ins(%a0 : memref<8xi32>) outs(%s : memref<8xi32, 77>)
  linalg.copy ins(%s : memref<8xi32, 77>) outs(%y : memref<8xi32, 77>)
  return
}
//--- into-inner.mlir
// Content 2 is complete, and of content 1 it is one place.
func.func @levels(%x: memref<8xi32, 78>, %y: memref<8xi32, 78>) {
  %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1], berth.content_places = 2} : memref<8xi32>
  linalg.copy ins(%x : memref<8xi32, 78>) outs(%a0 : memref<8xi32>)
  %s0 = memref.alloc() {berth.content = [2, 1], berth.content_begins = [2], berth.content_places = [2, 2]} : memref<8xi32, 77>
  %t = memref.alloc() {berth.content = [2, 1], berth.content_places = [2, 2]} : memref<8xi32, 78>
  // CHECK: :[[#@LINE+1]]:3: error: moves content from where it is not
  memref.copy %x, %s0 {berth.move = 1} : memref<8xi32, 78> to memref<8xi32, 77>
  memref.copy %s0, %t {berth.move = 2} : memref<8xi32, 77> to memref<8xi32, 78>
  linalg.copy ins(%t : memref<8xi32, 78>) outs(%y : memref<8xi32, 78>)
  return
}
//--- place-gone.mlir
func.func @straight(%x: memref<8xi32, 77>, %y: memref<8xi32, 77>) {
  %s = memref.alloca() : memref<8xi32, 77>
  %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1], berth.content_places = 3} : memref<8xi32>
  linalg.copy ins(%x : memref<8xi32, 77>) outs(%a0 : memref<8xi32>)
  memref.copy %a0, %s {berth.move = 1} : memref<8xi32> to memref<8xi32, 77>
  %a1 = memref.alloc() {berth.content = 1, berth.content_places = 3} : memref<8xi32>
  memref.copy %s, %a1 {berth.move = 1} : memref<8xi32, 77> to memref<8xi32>
  linalg.copy ins(%a1 : memref<8xi32>) outs(%y : memref<8xi32, 77>)
  return
}
func.func @levels(%x: memref<8xi32, 78>, %y: memref<8xi32, 78>) {
  %t = memref.alloca() : memref<8xi32, 78>
  %a0 = memref.alloc() {berth.content = 3, berth.content_begins = [3], berth.content_places = 2} : memref<8xi32>
  linalg.copy ins(%x : memref<8xi32, 78>) outs(%a0 : memref<8xi32>)
  %s0 = memref.alloc() {berth.content = [4, 3], berth.content_begins = [4], berth.content_places = [2, 2]} : memref<8xi32, 77>
  memref.copy %a0, %s0 {berth.move = 3} : memref<8xi32> to memref<8xi32, 77>
  memref.copy %s0, %t {berth.move = 4} : memref<8xi32, 77> to memref<8xi32, 78>
  memref.copy %t, %a0 {berth.move = 3} : memref<8xi32, 78> to memref<8xi32>
  linalg.copy ins(%a0 : memref<8xi32>) outs(%y : memref<8xi32, 78>)
  return
}
