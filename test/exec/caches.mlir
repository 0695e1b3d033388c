// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// caches=in-place: what a function returns as a changed copy of an argument becomes
// that argument, where no caller needs what was there; else it stays a copy.
// REQUIRES: mlir
// RUN: %same-output %S/Inputs/prelude.mlir %s | FileCheck %s
// RUN: %same-output --pipeline='berth-arena{caches=keep}' --pipeline='berth-arena{results=out-params poison=true}' \
// RUN:   --pipeline='berth-arena{frames=true poison=true}' %S/Inputs/prelude.mlir %s
// RUN: %same-output --before='buffer-deallocation-pipeline' %S/Inputs/prelude.mlir %s
// RUN: not %same-output --pipeline='berth-arena{verify=false test-break-rule=spent-arguments}' \
// RUN:   %S/Inputs/prelude.mlir %s 2>&1 | FileCheck %s --check-prefix=BROKEN
// RUN: not %same-output --pipeline='berth-arena{verify=false test-break-rule=old-content}' \
// RUN:   %S/Inputs/prelude.mlir %s 2>&1 | FileCheck %s --check-prefix=BROKEN
// BROKEN: same-output: the output differs
// The check sees that, and leaves the copies.
// RUN: %same-output --pipeline='berth-arena{test-break-rule=spent-arguments}' \
// RUN:   --pipeline='berth-arena{test-break-rule=old-content}' %S/Inputs/prelude.mlir %s

// Updated: each caller is through with what it hands over.
func.func private @step(%cache: memref<8xi32>, %at: index, %v: i32) -> memref<8xi32> {
  %r = memref.alloc() : memref<8xi32>
  memref.copy %cache, %r : memref<8xi32> to memref<8xi32>
  %slice = memref.subview %r[%at] [2] [1] : memref<8xi32> to memref<2xi32, strided<[1], offset: ?>>
  linalg.fill ins(%v : i32) outs(%slice : memref<2xi32, strided<[1], offset: ?>>)
  return %r : memref<8xi32>
}

// The cache goes around the loop, and is one buffer.
// CHECK-DAG: decode: 32
func.func private @decode(%from: i32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %cache = memref.alloc() : memref<8xi32>
  call @count(%cache, %from) : (memref<8xi32>, i32) -> ()
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%c = %cache) -> memref<8xi32> {
    func.call @show(%c) : (memref<8xi32>) -> ()
    %v = arith.index_cast %i : index to i32
    %next = func.call @step(%c, %i, %v) : (memref<8xi32>, index, i32) -> memref<8xi32>
    func.call @show(%next) : (memref<8xi32>) -> ()
    scf.yield %next : memref<8xi32>
  }
  call @show(%last) : (memref<8xi32>) -> ()
  return
}

// Two caches, and a layer between.
func.func private @layer(%k: memref<8xi32>, %v: memref<8xi32>, %i: index) -> (memref<8xi32>, memref<8xi32>) {
  %seven = arith.constant 7 : i32
  %a = call @step(%k, %i, %seven) : (memref<8xi32>, index, i32) -> memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  memref.copy %v, %b : memref<8xi32> to memref<8xi32>
  %x = memref.load %a[%i] : memref<8xi32>
  %y = memref.load %b[%i] : memref<8xi32>
  %z = arith.addi %x, %y : i32
  memref.store %z, %b[%i] : memref<8xi32>
  return %a, %b : memref<8xi32>, memref<8xi32>
}
// CHECK-DAG: both: 64
func.func private @both(%from: i32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = memref.alloc() : memref<8xi32>
  %v = memref.alloc() : memref<8xi32>
  call @count(%k, %from) : (memref<8xi32>, i32) -> ()
  call @count(%v, %from) : (memref<8xi32>, i32) -> ()
  %last:2 = scf.for %i = %c0 to %n step %c1 iter_args(%c = %k, %d = %v) -> (memref<8xi32>, memref<8xi32>) {
    %next:2 = func.call @layer(%c, %d, %i) : (memref<8xi32>, memref<8xi32>, index) -> (memref<8xi32>, memref<8xi32>)
    func.call @show(%next#0) : (memref<8xi32>) -> ()
    scf.yield %next#0, %next#1 : memref<8xi32>, memref<8xi32>
  }
  call @show(%last#0) : (memref<8xi32>) -> ()
  call @show(%last#1) : (memref<8xi32>) -> ()
  return
}

// Caches that change places; the copy stays, but need not.
func.func private @turn(%cache: memref<8xi32>, %at: index, %v: i32) -> memref<8xi32> {
  %r = memref.alloc() : memref<8xi32>
  memref.copy %cache, %r : memref<8xi32> to memref<8xi32>
  memref.store %v, %r[%at] : memref<8xi32>
  return %r : memref<8xi32>
}
func.func private @swapped(%from: i32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = memref.alloc() : memref<8xi32>
  %v = memref.alloc() : memref<8xi32>
  call @count(%k, %from) : (memref<8xi32>, i32) -> ()
  call @count(%v, %from) : (memref<8xi32>, i32) -> ()
  %last:2 = scf.for %i = %c0 to %n step %c1 iter_args(%c = %k, %d = %v) -> (memref<8xi32>, memref<8xi32>) {
    %next = func.call @turn(%c, %i, %from) : (memref<8xi32>, index, i32) -> memref<8xi32>
    func.call @show(%next) : (memref<8xi32>) -> ()
    func.call @show(%d) : (memref<8xi32>) -> ()
    scf.yield %d, %next : memref<8xi32>, memref<8xi32>
  }
  call @show(%last#0) : (memref<8xi32>) -> ()
  call @show(%last#1) : (memref<8xi32>) -> ()
  return
}

// Callers bring what the copy goes to, as buffer-results-to-out-params has it.
// CHECK-DAG: brings: 32
func.func private @fills(%cache: memref<8xi32>, %at: index, %v: i32, %r: memref<8xi32>) {
  memref.copy %cache, %r : memref<8xi32> to memref<8xi32>
  memref.store %v, %r[%at] : memref<8xi32>
  return
}
func.func private @brings(%from: i32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %cache = memref.alloc() : memref<8xi32>
  call @count(%cache, %from) : (memref<8xi32>, i32) -> ()
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%c = %cache) -> memref<8xi32> {
    %next = memref.alloc() : memref<8xi32>
    func.call @fills(%c, %i, %from, %next) : (memref<8xi32>, index, i32, memref<8xi32>) -> ()
    %after = memref.alloc() : memref<8xi32>
    func.call @fills(%next, %n, %from, %after) : (memref<8xi32>, index, i32, memref<8xi32>) -> ()
    func.call @show(%after) : (memref<8xi32>) -> ()
    scf.yield %after : memref<8xi32>
  }
  call @show(%last) : (memref<8xi32>) -> ()
  return
}

// What they bring has been looked at before, in another turn.
func.func private @fills_used(%cache: memref<8xi32>, %at: index, %v: i32, %r: memref<8xi32>) {
  memref.copy %cache, %r : memref<8xi32> to memref<8xi32>
  memref.store %v, %r[%at] : memref<8xi32>
  return
}
func.func private @brings_used(%from: i32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = memref.alloc() : memref<8xi32>
  call @count(%r, %from) : (memref<8xi32>, i32) -> ()
  scf.for %i = %c0 to %n step %c1 {
    %cache = memref.alloc() : memref<8xi32>
    func.call @show(%r) : (memref<8xi32>) -> ()
    %v = arith.index_cast %i : index to i32
    func.call @count(%cache, %v) : (memref<8xi32>, i32) -> ()
    func.call @fills_used(%cache, %i, %from, %r) : (memref<8xi32>, index, i32, memref<8xi32>) -> ()
  }
  return
}

// Not updated: a caller reads the old content, behind the call, in the next turn, or
// through another name.
func.func private @after(%cache: memref<8xi32>, %v: i32) -> memref<8xi32> {
  %c2 = arith.constant 2 : index
  %r = memref.alloc() : memref<8xi32>
  memref.copy %cache, %r : memref<8xi32> to memref<8xi32>
  memref.store %v, %r[%c2] : memref<8xi32>
  return %r : memref<8xi32>
}
func.func private @again(%cache: memref<8xi32>, %v: i32) -> memref<8xi32> {
  %c3 = arith.constant 3 : index
  %r = memref.alloc() : memref<8xi32>
  memref.copy %cache, %r : memref<8xi32> to memref<8xi32>
  memref.store %v, %r[%c3] : memref<8xi32>
  return %r : memref<8xi32>
}
func.func private @two(%cache: memref<8xi32>, %other: memref<8xi32>, %v: i32) -> memref<8xi32> {
  %c3 = arith.constant 3 : index
  %r = memref.alloc() : memref<8xi32>
  memref.copy %cache, %r : memref<8xi32> to memref<8xi32>
  memref.store %v, %r[%c3] : memref<8xi32>
  call @show(%other) : (memref<8xi32>) -> ()
  return %r : memref<8xi32>
}
func.func private @wanted(%from: i32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %a = memref.alloc() : memref<8xi32>
  call @count(%a, %from) : (memref<8xi32>, i32) -> ()
  %b = call @after(%a, %from) : (memref<8xi32>, i32) -> memref<8xi32>
  call @show(%b) : (memref<8xi32>) -> ()
  call @show(%a) : (memref<8xi32>) -> ()
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %a[%c3] : memref<8xi32>
    %w = arith.addi %v, %from : i32
    %c = func.call @again(%a, %w) : (memref<8xi32>, i32) -> memref<8xi32>
    func.call @show(%c) : (memref<8xi32>) -> ()
  }
  %d = call @two(%b, %b, %from) : (memref<8xi32>, memref<8xi32>, i32) -> memref<8xi32>
  call @show(%d) : (memref<8xi32>) -> ()
  return
}

// Nor is it where the function itself reads the old content later.
func.func private @moved(%cache: memref<8xi32>) -> memref<8xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %r = memref.alloc() : memref<8xi32>
  memref.copy %cache, %r : memref<8xi32> to memref<8xi32>
  scf.for %i = %c0 to %c7 step %c1 {
    %next = arith.addi %i, %c1 : index
    %v = memref.load %cache[%i] : memref<8xi32>
    memref.store %v, %r[%next] : memref<8xi32>
  }
  return %r : memref<8xi32>
}
func.func private @move(%from: i32) {
  %a = memref.alloc() : memref<8xi32>
  call @count(%a, %from) : (memref<8xi32>, i32) -> ()
  %b = call @moved(%a) : (memref<8xi32>) -> memref<8xi32>
  call @show(%b) : (memref<8xi32>) -> ()
  return
}

// Updated, for its callers say so; one of them is here.
func.func @entry(%cache: memref<8xi32> {berth.updated}, %v: i32) -> memref<8xi32> {
  %c5 = arith.constant 5 : index
  %r = call @step(%cache, %c5, %v) : (memref<8xi32>, index, i32) -> memref<8xi32>
  return %r : memref<8xi32>
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %ten = arith.constant 10 : i32
  call @decode(%ten, %c3) : (i32, index) -> ()
  call @decode(%ten, %c0) : (i32, index) -> ()
  call @both(%ten, %c3) : (i32, index) -> ()
  call @both(%ten, %c0) : (i32, index) -> ()
  call @brings(%ten, %c3) : (i32, index) -> ()
  call @brings(%ten, %c0) : (i32, index) -> ()
  call @brings_used(%ten, %c3) : (i32, index) -> ()
  call @swapped(%ten, %c3) : (i32, index) -> ()
  call @wanted(%ten, %c3) : (i32, index) -> ()
  call @move(%ten) : (i32) -> ()
  %a = memref.alloc() : memref<8xi32>
  call @count(%a, %ten) : (memref<8xi32>, i32) -> ()
  %b = call @entry(%a, %ten) : (memref<8xi32>, i32) -> memref<8xi32>
  call @show(%b) : (memref<8xi32>) -> ()
  return
}
