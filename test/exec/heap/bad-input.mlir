// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each mistake ends the program with a sentence that names the line. (stdbuf:
// the assertion prints to a buffered stream and aborts.)
// RUN: %berth-opt %s --berth-heap='size=4096 checked=true' | mlir-opt --test-lower-to-llvm -o %t.mlir
// DEFINE: %{run} = not --crash stdbuf -oL mlir-runner %t.mlir --entry-point-result=void %runner_libs 2> %t.log
// RUN: %{run} -e negative | FileCheck %s --check-prefix=NEGATIVE
// RUN: %{run} -e negative_times_zero | FileCheck %s --check-prefix=TIMES
// RUN: %{run} -e overflow | FileCheck %s --check-prefix=OVERFLOW
// RUN: %{run} -e exhausted | FileCheck %s --check-prefix=EXHAUSTED
// RUN: %{run} -e twice | FileCheck %s --check-prefix=TWICE
// RUN: %{run} -e overrun | FileCheck %s --check-prefix=BEYOND
// RUN: mlir-runner %t.mlir -e zero --entry-point-result=void %runner_libs | FileCheck %s --check-prefix=ZERO

// Values that no pass can fold.
func.func private @opaque(%value: i64) -> index attributes {no_inline} {
  %cell = memref.alloc() : memref<i64>
  memref.store %value, %cell[] : memref<i64>
  %read = memref.load %cell[] : memref<i64>
  memref.dealloc %cell : memref<i64>
  %index = arith.index_cast %read : i64 to index
  return %index : index
}

// NEGATIVE: berth-heap: memref.alloc at line [[#@LINE+4]]: bad size
func.func @negative() {
  %minus = arith.constant -3 : i64
  %n = call @opaque(%minus) : (i64) -> index
  %m = memref.alloc(%n) : memref<?xf32>
  memref.dealloc %m : memref<?xf32>
  return
}

// TIMES: berth-heap: memref.alloc at line [[#@LINE+6]]: bad size
func.func @negative_times_zero() {
  %zero = arith.constant 0 : i64
  %minus = arith.constant -1 : i64
  %a = call @opaque(%zero) : (i64) -> index
  %b = call @opaque(%minus) : (i64) -> index
  %m = memref.alloc(%a, %b) : memref<?x?xf32>
  memref.dealloc %m : memref<?x?xf32>
  return
}

// 2^61 x 8 x 4 bytes would be 0 modulo 2^64.
// OVERFLOW: berth-heap: memref.alloc at line [[#@LINE+4]]: bad size
func.func @overflow() {
  %huge = arith.constant 2305843009213693952 : i64
  %n = call @opaque(%huge) : (i64) -> index
  %m = memref.alloc(%n) : memref<?x8xf32>
  memref.dealloc %m : memref<?x8xf32>
  return
}

// EXHAUSTED: berth-heap: memref.alloc at line [[#@LINE+6]]: arena exhausted
func.func @exhausted() {
  %half = arith.constant 600 : i64
  %n = call @opaque(%half) : (i64) -> index
  %a = memref.alloc(%n) : memref<?xf32>
  memref.dealloc %a : memref<?xf32>
  %b = memref.alloc(%n) : memref<?x2xf32>
  memref.dealloc %b : memref<?x2xf32>
  return
}

// TWICE: berth-heap: memref.dealloc at line [[#@LINE+6]]: double free
func.func @twice() {
  %five = arith.constant 5 : i64
  %n = call @opaque(%five) : (i64) -> index
  %m = memref.alloc(%n) : memref<?xf32>
  memref.dealloc %m : memref<?xf32>
  memref.dealloc %m : memref<?xf32>
  return
}

// One element too far, onto the next block's tag.
// BEYOND: berth-heap: memref.dealloc at line [[#@LINE+9]]: overwritten tag
func.func @overrun() {
  %seven = arith.constant 7 : i64
  %f = arith.constant 1.0 : f32
  %c7 = arith.constant 7 : index
  %n = call @opaque(%seven) : (i64) -> index
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  memref.store %f, %a[%c7] : memref<?xf32>
  memref.dealloc %a : memref<?xf32>
  memref.dealloc %b : memref<?xf32>
  return
}

// A size of zero is a size, also next to a huge one.
// ZERO: 0
func.func @zero() {
  %zero = arith.constant 0 : i64
  %huge = arith.constant 2305843009213693952 : i64
  %c0 = arith.constant 0 : index
  %a = call @opaque(%huge) : (i64) -> index
  %b = call @opaque(%zero) : (i64) -> index
  %m = memref.alloc(%a, %b) : memref<?x?xf32>
  %d = memref.alloc(%b) : memref<?xf32>
  %size = memref.dim %d, %c0 : memref<?xf32>
  memref.dealloc %m : memref<?x?xf32>
  memref.dealloc %d : memref<?xf32>
  vector.print %size : index
  return
}
