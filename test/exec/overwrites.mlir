// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %same-output %S/Inputs/prelude.mlir %s | FileCheck %s
// Which writes end what was there before. In each function %a is written, then
// perhaps overwritten, then read; %t is used in between and may have the bytes
// of %a only if the overwrite is complete.

// CHECK-LABEL: whole_view: 32
func.func @whole_view() {
  %nine = arith.constant 9 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %a = memref.alloc() : memref<8xi32>
  %t = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  call @show(%a) : (memref<8xi32>) -> ()
  linalg.fill ins(%nine : i32) outs(%t : memref<8xi32>)
  call @show(%t) : (memref<8xi32>) -> ()
  %wide = memref.expand_shape %a [[0, 1]] output_shape [2, 4] : memref<8xi32> into memref<2x4xi32>
  linalg.fill ins(%two : i32) outs(%wide : memref<2x4xi32>)
  call @show(%a) : (memref<8xi32>) -> ()
  return
}

// CHECK-LABEL: part_by_subview: 64
func.func @part_by_subview() {
  %nine = arith.constant 9 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %a = memref.alloc() : memref<8xi32>
  %t = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  linalg.fill ins(%nine : i32) outs(%t : memref<8xi32>)
  call @show(%t) : (memref<8xi32>) -> ()
  %half = memref.subview %a[2] [4] [1] : memref<8xi32> to memref<4xi32, strided<[1], offset: 2>>
  linalg.fill ins(%two : i32) outs(%half : memref<4xi32, strided<[1], offset: 2>>)
  call @show(%a) : (memref<8xi32>) -> ()
  return
}

// Every second element: the map has as many dimensions as the output.
// CHECK-LABEL: part_by_map: 64
func.func @part_by_map() {
  %nine = arith.constant 9 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %a = memref.alloc() : memref<8xi32>
  %in = memref.alloc() : memref<4xi32>
  %t = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  linalg.fill ins(%nine : i32) outs(%t : memref<8xi32>)
  call @show(%t) : (memref<8xi32>) -> ()
  linalg.fill ins(%two : i32) outs(%in : memref<4xi32>)
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (2 * d0)>], iterator_types = ["parallel"]}
      ins(%in : memref<4xi32>) outs(%a : memref<8xi32>) {
  ^bb0(%x: i32, %y: i32):
    linalg.yield %x : i32
  }
  call @show(%a) : (memref<8xi32>) -> ()
  return
}

// The payload loads from the very buffer that it writes.
// CHECK-LABEL: payload_loads_output: 64
func.func @payload_loads_output() {
  %nine = arith.constant 9 : i32
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %a = memref.alloc() : memref<8xi32>
  %t = memref.alloc() : memref<8xi32>
  linalg.fill ins(%two : i32) outs(%a : memref<8xi32>)
  linalg.fill ins(%nine : i32) outs(%t : memref<8xi32>)
  call @show(%t) : (memref<8xi32>) -> ()
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      outs(%a : memref<8xi32>) {
  ^bb0(%y: i32):
    %x = memref.load %a[%c0] : memref<8xi32>
    %sum = arith.addi %x, %one : i32
    linalg.yield %sum : i32
  }
  call @show(%a) : (memref<8xi32>) -> ()
  return
}

// The payload uses its output argument.
// CHECK-LABEL: payload_uses_output: 64
func.func @payload_uses_output() {
  %nine = arith.constant 9 : i32
  %one = arith.constant 1 : i32
  %a = memref.alloc() : memref<8xi32>
  %t = memref.alloc() : memref<8xi32>
  call @count(%a, %one) : (memref<8xi32>, i32) -> ()
  linalg.fill ins(%nine : i32) outs(%t : memref<8xi32>)
  call @show(%t) : (memref<8xi32>) -> ()
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      outs(%a : memref<8xi32>) {
  ^bb0(%y: i32):
    %sum = arith.addi %y, %one : i32
    linalg.yield %sum : i32
  }
  call @show(%a) : (memref<8xi32>) -> ()
  return
}

// CHECK-LABEL: masked_write: 64
func.func @masked_write() {
  %nine = arith.constant 9 : i32
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1 : i32
  %a = memref.alloc() : memref<8xi32>
  %t = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  linalg.fill ins(%nine : i32) outs(%t : memref<8xi32>)
  call @show(%t) : (memref<8xi32>) -> ()
  %v = arith.constant dense<7> : vector<8xi32>
  %mask = vector.create_mask %c3 : vector<8xi1>
  vector.transfer_write %v, %a[%c0], %mask {in_bounds = [true]} : vector<8xi32>, memref<8xi32>
  call @show(%a) : (memref<8xi32>) -> ()
  return
}

// CHECK-LABEL: whole_vector: 32
func.func @whole_vector() {
  %nine = arith.constant 9 : i32
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %a = memref.alloc() : memref<8xi32>
  %t = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  call @show(%a) : (memref<8xi32>) -> ()
  linalg.fill ins(%nine : i32) outs(%t : memref<8xi32>)
  call @show(%t) : (memref<8xi32>) -> ()
  %v = arith.constant dense<7> : vector<8xi32>
  vector.transfer_write %v, %a[%c0] {in_bounds = [true]} : vector<8xi32>, memref<8xi32>
  call @show(%a) : (memref<8xi32>) -> ()
  return
}

// CHECK-LABEL: copied_over: 64
func.func @copied_over() {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  call @show(%a) : (memref<8xi32>) -> ()
  call @count(%b, %two) : (memref<8xi32>, i32) -> ()
  memref.copy %b, %a : memref<8xi32> to memref<8xi32>
  linalg.fill ins(%two : i32) outs(%b : memref<8xi32>)
  call @show(%a) : (memref<8xi32>) -> ()
  call @show(%b) : (memref<8xi32>) -> ()
  return
}

// One op reads the one and writes the other: both live at that op.
// CHECK-LABEL: same_op: 64
func.func @same_op() {
  %one = arith.constant 1 : i32
  %a = memref.alloc() : memref<2x4xi32>
  %b = memref.alloc() : memref<4x2xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<2x4xi32>)
  %flat = memref.collapse_shape %a [[0, 1]] : memref<2x4xi32> into memref<8xi32>
  call @count(%flat, %one) : (memref<8xi32>, i32) -> ()
  linalg.transpose ins(%a : memref<2x4xi32>) outs(%b : memref<4x2xi32>) permutation = [1, 0]
  %flatB = memref.collapse_shape %b [[0, 1]] : memref<4x2xi32> into memref<8xi32>
  call @show(%flatB) : (memref<8xi32>) -> ()
  return
}

// Input and output are one buffer by two names: it is read as it is written.
// CHECK-LABEL: two_names: 64
func.func @two_names() {
  %nine = arith.constant 9 : i32
  %one = arith.constant 1 : i32
  %a = memref.alloc() : memref<8xi32>
  %t = memref.alloc() : memref<8xi32>
  call @count(%a, %one) : (memref<8xi32>, i32) -> ()
  linalg.fill ins(%nine : i32) outs(%t : memref<8xi32>)
  call @show(%t) : (memref<8xi32>) -> ()
  %wide = memref.expand_shape %a [[0, 1]] output_shape [2, 4] : memref<8xi32> into memref<2x4xi32>
  %other = memref.reinterpret_cast %a to offset: [0], sizes: [2, 4], strides: [4, 1] : memref<8xi32> to memref<2x4xi32>
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%other : memref<2x4xi32>) outs(%wide : memref<2x4xi32>) {
  ^bb0(%x: i32, %y: i32):
    %sum = arith.addi %x, %one : i32
    linalg.yield %sum : i32
  }
  call @show(%a) : (memref<8xi32>) -> ()
  return
}

// A write that nobody reads still has bytes of its own while it happens.
// CHECK-LABEL: write_only: 64
func.func @write_only() {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %a = memref.alloc() : memref<8xi32>
  %unread = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  memref.store %two, %unread[%c0] : memref<8xi32>
  call @show(%a) : (memref<8xi32>) -> ()
  return
}

// Unused and empty buffers are no trouble.
// CHECK-LABEL: unused_and_empty: 32
func.func @unused_and_empty() {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %unused = memref.alloc() : memref<8xi32>
  %empty = memref.alloc() : memref<0xi32>
  %a = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%empty : memref<0xi32>)
  call @count(%a, %one) : (memref<8xi32>, i32) -> ()
  linalg.fill ins(%one : i32) outs(%empty : memref<0xi32>)
  call @show(%a) : (memref<8xi32>) -> ()
  return
}

func.func @main() {
  call @whole_view() : () -> ()
  call @part_by_subview() : () -> ()
  call @part_by_map() : () -> ()
  call @payload_loads_output() : () -> ()
  call @payload_uses_output() : () -> ()
  call @masked_write() : () -> ()
  call @whole_vector() : () -> ()
  call @copied_over() : () -> ()
  call @same_op() : () -> ()
  call @two_names() : () -> ()
  call @write_only() : () -> ()
  call @unused_and_empty() : () -> ()
  return
}
