// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %same-output %S/Inputs/prelude.mlir %s | FileCheck %s
// Results written over an operand that dies there, and what looks alike but
// reads elements that would be overwritten by then.

// A dimension of one element may be picked by 0.
// CHECK-LABEL: unit_dimension: 32
func.func @unit_dimension() {
  %three = arith.constant 3 : i32
  %a = memref.alloc() : memref<1x8xi32>
  %b = memref.alloc() : memref<8xi32>
  %c = memref.alloc() : memref<1x8xi32>
  %flat = memref.collapse_shape %a [[0, 1]] : memref<1x8xi32> into memref<8xi32>
  call @count(%flat, %three) : (memref<8xi32>, i32) -> ()
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (0, j)>, affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<1x8xi32>) outs(%c : memref<1x8xi32>) {
  ^bb0(%in: i32, %out: i32):
    %sum = arith.addi %in, %three : i32
    linalg.yield %sum : i32
  }
  // Through views of both, by one shape.
  %from = memref.expand_shape %c [[0], [1, 2]] output_shape [1, 2, 4] : memref<1x8xi32> into memref<1x2x4xi32>
  %to = memref.expand_shape %b [[0, 1, 2]] output_shape [1, 2, 4] : memref<8xi32> into memref<1x2x4xi32>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (0, i, j)>, affine_map<(i, j) -> (0, i, j)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%from : memref<1x2x4xi32>) outs(%to : memref<1x2x4xi32>) {
  ^bb0(%in: i32, %out: i32):
    %sum = arith.muli %in, %three : i32
    linalg.yield %sum : i32
  }
  call @show(%b) : (memref<8xi32>) -> ()
  return
}

// Numbers of another kind with as many bytes, and with more: these stand apart.
// CHECK-LABEL: as_many_bytes: 96
func.func @as_many_bytes() {
  %c0 = arith.constant 0 : index
  %three = arith.constant 3 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xf32>
  %c = memref.alloc() : memref<8xf64>
  %d = memref.alloc() : memref<8xi64>
  call @count(%a, %three) : (memref<8xi32>, i32) -> ()
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%a : memref<8xi32>) outs(%b : memref<8xf32>) {
  ^bb0(%in: i32, %out: f32):
    %f = arith.sitofp %in : i32 to f32
    linalg.yield %f : f32
  }
  %e = vector.load %b[%c0] : memref<8xf32>, vector<8xf32>
  vector.print %e : vector<8xf32>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%b : memref<8xf32>) outs(%c : memref<8xf64>) {
  ^bb0(%in: f32, %out: f64):
    %x = arith.extf %in : f32 to f64
    linalg.yield %x : f64
  }
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%c : memref<8xf64>) outs(%d : memref<8xi64>) {
  ^bb0(%in: f64, %out: i64):
    %x = arith.fptosi %in : f64 to i64
    linalg.yield %x : i64
  }
  %f = vector.load %d[%c0] : memref<8xi64>, vector<8xi64>
  vector.print %f : vector<8xi64>
  return
}

// Numbers of less than a byte may get packed: these are apart.
// CHECK-LABEL: less_than_a_byte: 16
func.func @less_than_a_byte() {
  %c0 = arith.constant 0 : index
  %three = arith.constant 3 : i8
  %a = memref.alloc() : memref<8xi8>
  %b = memref.alloc() : memref<8xi1>
  linalg.fill ins(%three : i8) outs(%a : memref<8xi8>)
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%a : memref<8xi8>) outs(%b : memref<8xi1>) {
  ^bb0(%in: i8, %out: i1):
    %t = arith.trunci %in : i8 to i1
    linalg.yield %t : i1
  }
  %v = vector.load %b[%c0] : memref<8xi1>, vector<8xi1>
  vector.print %v : vector<8xi1>
  return
}

// Half of %b is written, in place or not: the rest is still wanted.
// CHECK-LABEL: part_of_it: 64
func.func @part_of_it() {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  call @count(%a, %one) : (memref<8xi32>, i32) -> ()
  call @count(%b, %two) : (memref<8xi32>, i32) -> ()
  %from = memref.expand_shape %a [[0, 1]] output_shape [2, 4] : memref<8xi32> into memref<2x4xi32>
  %to = memref.expand_shape %b [[0, 1]] output_shape [2, 4] : memref<8xi32> into memref<2x4xi32>
  linalg.generic {indexing_maps = [affine_map<(j) -> (0, j)>, affine_map<(j) -> (0, j)>],
                  iterator_types = ["parallel"]}
      ins(%from : memref<2x4xi32>) outs(%to : memref<2x4xi32>) {
  ^bb0(%in: i32, %out: i32):
    linalg.yield %in : i32
  }
  call @show(%b) : (memref<8xi32>) -> ()
  return
}

// The view is of the same bytes in another order.
// CHECK-LABEL: turned: 64
func.func @turned() {
  %one = arith.constant 1 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  call @count(%a, %one) : (memref<8xi32>, i32) -> ()
  %from = memref.reinterpret_cast %a to offset: [0], sizes: [2, 4], strides: [1, 2]
      : memref<8xi32> to memref<2x4xi32, strided<[1, 2]>>
  %to = memref.expand_shape %b [[0, 1]] output_shape [2, 4] : memref<8xi32> into memref<2x4xi32>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%from : memref<2x4xi32, strided<[1, 2]>>) outs(%to : memref<2x4xi32>) {
  ^bb0(%in: i32, %out: i32):
    linalg.yield %in : i32
  }
  call @show(%b) : (memref<8xi32>) -> ()
  return
}

// Backwards: what is written first was not read yet.
// CHECK-LABEL: backwards: 64
func.func @backwards() {
  %one = arith.constant 1 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  call @count(%a, %one) : (memref<8xi32>, i32) -> ()
  linalg.generic {indexing_maps = [affine_map<(i) -> (7 - i)>, affine_map<(i) -> (i)>],
                  iterator_types = ["parallel"]}
      ins(%a : memref<8xi32>) outs(%b : memref<8xi32>) {
  ^bb0(%in: i32, %out: i32):
    linalg.yield %in : i32
  }
  call @show(%b) : (memref<8xi32>) -> ()
  return
}

// The operand is read twice, once by another view.
// CHECK-LABEL: read_twice: 64
func.func @read_twice() {
  %one = arith.constant 1 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  call @count(%a, %one) : (memref<8xi32>, i32) -> ()
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (7 - i)>, affine_map<(i) -> (i)>],
                  iterator_types = ["parallel"]}
      ins(%a, %a : memref<8xi32>, memref<8xi32>) outs(%b : memref<8xi32>) {
  ^bb0(%left: i32, %right: i32, %out: i32):
    %sum = arith.subi %left, %right : i32
    linalg.yield %sum : i32
  }
  call @show(%b) : (memref<8xi32>) -> ()
  return
}

func.func @main() {
  call @as_many_bytes() : () -> ()
  call @less_than_a_byte() : () -> ()
  call @unit_dimension() : () -> ()
  call @part_of_it() : () -> ()
  call @turned() : () -> ()
  call @backwards() : () -> ()
  call @read_twice() : () -> ()
  return
}
