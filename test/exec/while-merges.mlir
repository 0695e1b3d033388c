// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop is handed a buffer full, and hands it to its body spoilt, which fills it first:
// what one edge hands on says nothing about another one. So it was placed, with dead
// bytes overwritten; it is right, and berth-verify says so.
// RUN: %mlir-opt-berth %s --pass-pipeline='builtin.module(berth-verify,test-lower-to-llvm)' -o %t && mlir-runner %t -e main --entry-point-result=void %runner_libs | FileCheck %s
// CHECK: ( 7, 7, 7, 7 )
// CHECK-NEXT: ( 100, 100, 100, 100 )
// CHECK-NEXT: ( 0, 0, 0, 0 )
// CHECK-NEXT: ( 100, 100, 100, 100 )
// CHECK-NEXT: ( 1, 1, 1, 1 )
// CHECK-NEXT: ( 100, 100, 100, 100 )
// CHECK-NEXT: ( 7, 7, 7, 7 )
// CHECK-NEXT: ( 100, 100, 100, 100 )
// CHECK-NEXT: ( 0, 0, 0, 0 )
// CHECK-NEXT: ( 100, 100, 100, 100 )
// CHECK-NEXT: ( 1, 1, 1, 1 )
// CHECK-NEXT: ( 100, 100, 100, 100 )

func.func @handed(%p: i1, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %seven = arith.constant 7 : i32
  %hundred = arith.constant 100 : i32
  %pattern = arith.constant -1 : i8
  %arena = memref.alloc() {alignment = 16} : memref<32xi8>
  %bytes = memref.view %arena[%c0][] : memref<32xi8> to memref<16xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<32xi8> to memref<4xi32>
  linalg.fill ins(%seven : i32) outs(%a : memref<4xi32>)
  %r:2 = scf.while (%i = %c0, %old = %a) : (index, memref<4xi32>) -> (index, memref<4xi32>) {
    %v = vector.load %old[%c0] : memref<4xi32>, vector<4xi32>
    vector.print %v : vector<4xi32>
    scf.for %k = %c0 to %c16 step %c1 {
      memref.store %pattern, %bytes[%k] : memref<16xi8>
    }
    %t = memref.view %arena[%c16][] {berth.buffer = 1} : memref<32xi8> to memref<4xi32>
    linalg.fill ins(%hundred : i32) outs(%t : memref<4xi32>)
    %w = vector.load %t[%c0] : memref<4xi32>, vector<4xi32>
    vector.print %w : vector<4xi32>
    %more = arith.cmpi ult, %i, %n : index
    scf.condition(%more) %i, %a : index, memref<4xi32>
  } do {
  ^bb0(%i: index, %given: memref<4xi32>):
    %number = arith.index_cast %i : index to i32
    %new = scf.if %p -> (memref<4xi32>) {
      %b = memref.view %arena[%c16][] {berth.buffer = 2} : memref<32xi8> to memref<4xi32>
      linalg.fill ins(%number : i32) outs(%b : memref<4xi32>)
      scf.yield %b : memref<4xi32>
    } else {
      linalg.fill ins(%number : i32) outs(%a : memref<4xi32>)
      scf.yield %given : memref<4xi32>
    }
    %next = arith.addi %i, %c1 : index
    scf.yield %next, %new : index, memref<4xi32>
  }
  memref.dealloc %arena : memref<32xi8>
  return
}

func.func @main() {
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  call @handed(%true, %c2) : (i1, index) -> ()
  call @handed(%false, %c2) : (i1, index) -> ()
  return
}
