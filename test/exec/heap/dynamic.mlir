// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same results with and without the heap, in every mode; freed ranges are
// used again, or the arena would not do.
// DEFINE: %{run} = mlir-opt --convert-linalg-to-loops --test-lower-to-llvm | mlir-runner -e main --entry-point-result=void %runner_libs
// RUN: cat %s | %{run} | FileCheck %s
// RUN: %berth-opt %s --berth-heap=size=1600 | %{run} | FileCheck %s
// RUN: %berth-opt %s --berth-heap='size=1600 checked=true' | %{run} | FileCheck %s
// RUN: %berth-opt %s --berth-heap='size=1600 locked=true' | %{run} | FileCheck %s
// RUN: %berth-opt %s --berth-heap='size=2500 allocations=all' | %{run} | FileCheck %s

// CHECK:      ( 96, 4, 6 )
// CHECK-NEXT: ( 0, 2, 0 )
// CHECK-NEXT: ( 1984, 5, 930 )
// CHECK-NEXT: ( 7168, 9, 42 )
// CHECK-NEXT: ( 256, 1, 4032 )

func.func @report(%a: f32, %b: index, %c: i64) {
  %n = arith.index_cast %b : index to i64
  %b64 = arith.uitofp %n : i64 to f32
  %c64 = arith.sitofp %c : i64 to f32
  %v = vector.from_elements %a, %b64, %c64 : vector<3xf32>
  vector.print %v : vector<3xf32>
  return
}

// Adds n twos to themselves, round by round, between two buffers that change
// hands, and sums them up; then sums the pairs of a buffer of another type.
func.func @work(%n: index, %rounds: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %two = arith.constant 2.0 : f32
  %none = arith.constant 0 : i64
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%two : f32) outs(%a : memref<?xf32>)
  %last = scf.for %i = %c0 to %rounds step %c1 iter_args(%p = %a) -> (memref<?xf32>) {
    %b = memref.alloc(%n) {alignment = 32 : i64} : memref<?xf32>
    linalg.map { arith.addf } ins(%p, %p : memref<?xf32>, memref<?xf32>) outs(%b : memref<?xf32>)
    memref.dealloc %p : memref<?xf32>
    scf.yield %b : memref<?xf32>
  }
  %sum = memref.alloc() : memref<f32>
  memref.store %zero, %sum[] : memref<f32>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %last[%i] : memref<?xf32>
    %old = memref.load %sum[] : memref<f32>
    %new = arith.addf %old, %v : f32
    memref.store %new, %sum[] : memref<f32>
  }
  memref.dealloc %last : memref<?xf32>
  %squares = memref.alloc(%n) : memref<?x2xi64>
  scf.for %i = %c0 to %n step %c1 {
    %k = arith.index_cast %i : index to i64
    memref.store %k, %squares[%i, %c0] : memref<?x2xi64>
    memref.store %k, %squares[%i, %c1] : memref<?x2xi64>
  }
  %total = scf.for %i = %c0 to %n step %c1 iter_args(%t = %none) -> (i64) {
    %x = memref.load %squares[%i, %c0] : memref<?x2xi64>
    %y = memref.load %squares[%i, %c1] : memref<?x2xi64>
    %xy = arith.addi %x, %y : i64
    %next = arith.addi %t, %xy : i64
    scf.yield %next : i64
  }
  memref.dealloc %squares : memref<?x2xi64>
  %result = memref.load %sum[] : memref<f32>
  memref.dealloc %sum : memref<f32>
  func.call @report(%result, %rounds, %total) : (f32, index, i64) -> ()
  return
}

func.func @main() {
  %n0 = arith.constant 3 : index
  %rounds0 = arith.constant 4 : index
  call @work(%n0, %rounds0) : (index, index) -> ()
  %n1 = arith.constant 0 : index
  %rounds1 = arith.constant 2 : index
  call @work(%n1, %rounds1) : (index, index) -> ()
  %n2 = arith.constant 31 : index
  %rounds2 = arith.constant 5 : index
  call @work(%n2, %rounds2) : (index, index) -> ()
  %n3 = arith.constant 7 : index
  %rounds3 = arith.constant 9 : index
  call @work(%n3, %rounds3) : (index, index) -> ()
  %n4 = arith.constant 64 : index
  %rounds4 = arith.constant 1 : index
  call @work(%n4, %rounds4) : (index, index) -> ()
  return
}
