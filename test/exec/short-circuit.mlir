// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffers that are copied into a part of another one are made there, unless
// somebody looks there in between.
// REQUIRES: mlir
// RUN: %same-output %S/Inputs/prelude.mlir %s | FileCheck %s
// RUN: %same-output --pipeline='berth-arena{short-circuit=false}' %S/Inputs/prelude.mlir %s | FileCheck --check-prefix=COPIED %s
// RUN: cat %S/Inputs/prelude.mlir %s | %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena)' | FileCheck --check-prefix=IR %s

// What bufferization makes of a padded sum: the padding moves ahead of the sum.
// CHECK-LABEL: padded: 32
// COPIED-LABEL: padded: 48
// IR-LABEL: func.func @padded
// IR-NOT: memref.copy
// IR: linalg.fill
// IR: memref.subview
// IR: linalg.fill
// IR: linalg.generic
// IR-NOT: memref.copy
// IR-LABEL: func.func @two_parts
#id = affine_map<(d0) -> (d0)>
func.func @padded() {
  %pad = arith.constant 9 : i32
  %one = arith.constant 1 : i32
  %s = memref.alloc() : memref<4xi32>
  linalg.fill ins(%one : i32) outs(%s : memref<4xi32>)
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%s : memref<4xi32>) {
  ^bb0(%o: i32):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i32
    %r = arith.addi %n, %o : i32
    linalg.yield %r : i32
  }
  %d = memref.alloc() : memref<8xi32>
  linalg.fill ins(%pad : i32) outs(%d : memref<8xi32>)
  %p = memref.subview %d[2] [4] [1] : memref<8xi32> to memref<4xi32, strided<[1], offset: 2>>
  memref.copy %s, %p : memref<4xi32> to memref<4xi32, strided<[1], offset: 2>>
  memref.dealloc %s : memref<4xi32>
  call @show(%d) : (memref<8xi32>) -> ()
  memref.dealloc %d : memref<8xi32>
  return
}

// Parts of one target do not disturb each other.
// CHECK-LABEL: two_parts: 32
// COPIED-LABEL: two_parts: 48
// IR-NOT: memref.copy
// IR-LABEL: func.func @overlapping
func.func @two_parts() {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %s = memref.alloc() : memref<4xi32>
  %t = memref.alloc() : memref<4xi32>
  linalg.fill ins(%one : i32) outs(%s : memref<4xi32>)
  linalg.fill ins(%two : i32) outs(%t : memref<4xi32>)
  linalg.add ins(%s, %t : memref<4xi32>, memref<4xi32>) outs(%s : memref<4xi32>)
  linalg.add ins(%s, %t : memref<4xi32>, memref<4xi32>) outs(%t : memref<4xi32>)
  %d = memref.alloc() : memref<8xi32>
  %p = memref.subview %d[0] [4] [1] : memref<8xi32> to memref<4xi32, strided<[1]>>
  memref.copy %s, %p : memref<4xi32> to memref<4xi32, strided<[1]>>
  %q = memref.subview %d[4] [4] [1] : memref<8xi32> to memref<4xi32, strided<[1], offset: 4>>
  memref.copy %t, %q : memref<4xi32> to memref<4xi32, strided<[1], offset: 4>>
  call @show(%d) : (memref<8xi32>) -> ()
  return
}

// The second part takes what the first one has written.
// CHECK-LABEL: overlapping:
// IR: memref.copy
// IR-LABEL: func.func @read_before
func.func @overlapping() {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %d = memref.alloc() : memref<8xi32>
  linalg.fill ins(%two : i32) outs(%d : memref<8xi32>)
  %s = memref.alloc() : memref<4xi32>
  %t = memref.alloc() : memref<4xi32>
  linalg.fill ins(%one : i32) outs(%s : memref<4xi32>)
  linalg.fill ins(%two : i32) outs(%t : memref<4xi32>)
  linalg.add ins(%s, %t : memref<4xi32>, memref<4xi32>) outs(%s : memref<4xi32>)
  linalg.add ins(%s, %t : memref<4xi32>, memref<4xi32>) outs(%t : memref<4xi32>)
  %p = memref.subview %d[0] [4] [1] : memref<8xi32> to memref<4xi32, strided<[1]>>
  memref.copy %s, %p : memref<4xi32> to memref<4xi32, strided<[1]>>
  %q = memref.subview %d[2] [4] [1] : memref<8xi32> to memref<4xi32, strided<[1], offset: 2>>
  memref.copy %t, %q : memref<4xi32> to memref<4xi32, strided<[1], offset: 2>>
  call @show(%d) : (memref<8xi32>) -> ()
  return
}

// What was there before is looked at until the copy.
// CHECK-LABEL: read_before:
// IR: memref.copy
// IR-LABEL: func.func @each_turn
func.func @read_before() {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %c1 = arith.constant 1 : index
  %d = memref.alloc() : memref<8xi32>
  linalg.fill ins(%two : i32) outs(%d : memref<8xi32>)
  %s = memref.alloc() : memref<4xi32>
  linalg.fill ins(%one : i32) outs(%s : memref<4xi32>)
  %x = memref.load %d[%c1] : memref<8xi32>
  memref.store %x, %s[%c1] : memref<4xi32>
  %p = memref.subview %d[0] [4] [1] : memref<8xi32> to memref<4xi32, strided<[1]>>
  memref.copy %s, %p : memref<4xi32> to memref<4xi32, strided<[1]>>
  call @show(%d) : (memref<8xi32>) -> ()
  return
}

// A turn writes its own part; what it reads of the last one's lies elsewhere in
// time.
// CHECK-LABEL: each_turn: 32
// COPIED-LABEL: each_turn: 40
// IR-NOT: memref.copy
// IR-LABEL: func.func @read_after
func.func @each_turn() {
  %zero = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %d = memref.alloc() : memref<8xi32>
  linalg.fill ins(%zero : i32) outs(%d : memref<8xi32>)
  scf.for %i = %c0 to %c7 step %c1 {
    %x = memref.load %d[%c0] : memref<8xi32>
    %s = memref.alloc() : memref<2xi32>
    %p = memref.subview %d[%i] [2] [1] : memref<8xi32> to memref<2xi32, strided<[1], offset: ?>>
    linalg.fill ins(%x : i32) outs(%s : memref<2xi32>)
    %y = memref.load %s[%c1] : memref<2xi32>
    %n = arith.index_cast %i : index to i32
    %z = arith.addi %y, %n : i32
    %w = arith.addi %z, %z : i32
    memref.store %w, %s[%c0] : memref<2xi32>
    memref.copy %s, %p : memref<2xi32> to memref<2xi32, strided<[1], offset: ?>>
  }
  call @show(%d) : (memref<8xi32>) -> ()
  return
}

// The source is wanted once more.
// IR: memref.copy
// IR-LABEL: func.func @larger
func.func @read_after() {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %c1 = arith.constant 1 : index
  %d = memref.alloc() : memref<8xi32>
  %s = memref.alloc() : memref<4xi32>
  linalg.fill ins(%one : i32) outs(%s : memref<4xi32>)
  memref.store %two, %s[%c1] : memref<4xi32>
  linalg.fill ins(%two : i32) outs(%d : memref<8xi32>)
  %p = memref.subview %d[0] [4] [1] : memref<8xi32> to memref<4xi32, strided<[1]>>
  memref.copy %s, %p : memref<4xi32> to memref<4xi32, strided<[1]>>
  memref.store %one, %d[%c1] : memref<8xi32>
  %x = memref.load %s[%c1] : memref<4xi32>
  call @show(%d) : (memref<8xi32>) -> ()
  call @count(%d, %x) : (memref<8xi32>, i32) -> ()
  return
}

// The target would take its bytes while another buffer has them.
// CHECK-LABEL: larger: 48
// IR: memref.copy
func.func @larger() {
  %one = arith.constant 1 : i32
  %s = memref.alloc() : memref<4xi32>
  linalg.fill ins(%one : i32) outs(%s : memref<4xi32>)
  linalg.add ins(%s, %s : memref<4xi32>, memref<4xi32>) outs(%s : memref<4xi32>)
  %t = memref.alloc() : memref<8xi32>
  call @count(%t, %one) : (memref<8xi32>, i32) -> ()
  call @show(%t) : (memref<8xi32>) -> ()
  %u = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%u : memref<8xi32>)
  %p = memref.subview %u[2] [4] [1] : memref<8xi32> to memref<4xi32, strided<[1], offset: 2>>
  memref.copy %s, %p : memref<4xi32> to memref<4xi32, strided<[1], offset: 2>>
  call @show(%u) : (memref<8xi32>) -> ()
  return
}

func.func @main() {
  call @padded() : () -> ()
  call @two_parts() : () -> ()
  call @overlapping() : () -> ()
  call @read_before() : () -> ()
  call @each_turn() : () -> ()
  call @read_after() : () -> ()
  call @larger() : () -> ()
  return
}
