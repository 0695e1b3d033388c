// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %same-output %S/Inputs/prelude.mlir %s | FileCheck %s
// Aligned vector loads and stores trap where the address is not aligned. malloc
// gives 16 bytes without a word; what lies in an arena needs to be told.

func.func private @fill(%m: memref<5xi8>, %x: i8) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  memref.store %x, %m[%c0] : memref<5xi8>
  memref.store %x, %m[%c4] : memref<5xi8>
  return
}

// CHECK-LABEL: whole_vectors:
func.func @whole_vectors() {
  %c0 = arith.constant 0 : index
  %x = arith.constant 7 : i8
  %v = arith.constant dense<3> : vector<4xi32>
  %a = memref.alloc() : memref<5xi8>
  %b = memref.alloc() : memref<4xi32>
  %c = memref.alloc() : memref<16xi8>
  call @fill(%a, %x) : (memref<5xi8>, i8) -> ()
  %w = vector.type_cast %b : memref<4xi32> to memref<vector<4xi32>>
  memref.store %v, %w[] : memref<vector<4xi32>>
  %y = memref.load %a[%c0] : memref<5xi8>
  %d = memref.view %c[%c0][] : memref<16xi8> to memref<1xvector<4xi32>>
  memref.store %v, %d[%c0] : memref<1xvector<4xi32>>
  %u = memref.load %w[] : memref<vector<4xi32>>
  %t = memref.load %d[%c0] : memref<1xvector<4xi32>>
  %s = arith.addi %u, %t : vector<4xi32>
  vector.print %s : vector<4xi32>
  vector.print %y : i8
  return
}

func.func private @in_there(%m: memref<64xi8>) {
  %c0 = arith.constant 0 : index
  %v = arith.constant dense<5> : vector<4xi32>
  %w = memref.view %m[%c0][] : memref<64xi8> to memref<4xvector<4xi32>>
  memref.store %v, %w[%c0] : memref<4xvector<4xi32>>
  %u = memref.load %w[%c0] : memref<4xvector<4xi32>>
  vector.print %u : vector<4xi32>
  return
}

// What a called function makes of it counts, too.
// CHECK-LABEL: in_a_callee:
func.func @in_a_callee() {
  %c0 = arith.constant 0 : index
  %x = arith.constant 7 : i8
  %pad = memref.alloc() : memref<3xi8>
  %b = memref.alloc() : memref<64xi8>
  memref.store %x, %pad[%c0] : memref<3xi8>
  memref.store %x, %b[%c0] : memref<64xi8>
  call @in_there(%b) : (memref<64xi8>) -> ()
  %y = memref.load %pad[%c0] : memref<3xi8>
  vector.print %y : i8
  return
}

func.func @main() {
  call @in_a_callee() : () -> ()
  call @whole_vectors() : () -> ()
  return
}
