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
  call @unit_dimension() : () -> ()
  call @part_of_it() : () -> ()
  call @turned() : () -> ()
  call @backwards() : () -> ()
  call @read_twice() : () -> ()
  return
}
