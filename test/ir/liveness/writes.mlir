// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-print-interference)' \
// RUN:   -o %t 2>&1 | FileCheck %s

// What kills old content and what does not. In each function %a is written, %t
// is used, then %a is written again by the op in question and read. %a and %t
// share exactly if that op overwrites all of %a before reading any of it.

// CHECK-LABEL: interference of @fill_kills
// CHECK-NOT:   both live
func.func @fill_kills(%out: memref<8xf32>) {
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<8xf32>
  %t = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  linalg.fill ins(%f : f32) outs(%t : memref<8xf32>)
  memref.copy %t, %out : memref<8xf32> to memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  memref.copy %a, %out : memref<8xf32> to memref<8xf32>
  return
}

// CHECK-LABEL: interference of @copy_kills
// CHECK-NOT:   both live
func.func @copy_kills(%out: memref<8xf32>) {
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<8xf32>
  %t = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  linalg.fill ins(%f : f32) outs(%t : memref<8xf32>)
  memref.copy %t, %out : memref<8xf32> to memref<8xf32>
  memref.copy %out, %a : memref<8xf32> to memref<8xf32>
  memref.copy %a, %out : memref<8xf32> to memref<8xf32>
  return
}

// CHECK-LABEL: interference of @whole_view_kills
// CHECK-NOT:   both live
func.func @whole_view_kills(%out: memref<8xf32>) {
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<8xf32>
  %t = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  linalg.fill ins(%f : f32) outs(%t : memref<8xf32>)
  memref.copy %t, %out : memref<8xf32> to memref<8xf32>
  %s = memref.subview %a[0] [8] [1] : memref<8xf32> to memref<8xf32, strided<[1]>>
  linalg.fill ins(%f : f32) outs(%s : memref<8xf32, strided<[1]>>)
  memref.copy %a, %out : memref<8xf32> to memref<8xf32>
  return
}

// CHECK-LABEL: interference of @vector_write_kills
// CHECK-NOT:   both live
func.func @vector_write_kills(%v: vector<8xf32>, %out: memref<8xf32>) {
  %f = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  %t = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  linalg.fill ins(%f : f32) outs(%t : memref<8xf32>)
  memref.copy %t, %out : memref<8xf32> to memref<8xf32>
  vector.transfer_write %v, %a[%c0] : vector<8xf32>, memref<8xf32>
  memref.copy %a, %out : memref<8xf32> to memref<8xf32>
  return
}

// CHECK-LABEL: interference of @masked_vector_write
// CHECK:       %alloc and %alloc_0: both live in
func.func @masked_vector_write(%v: vector<8xf32>, %m: vector<8xi1>,
                               %out: memref<8xf32>) {
  %f = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  %t = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  linalg.fill ins(%f : f32) outs(%t : memref<8xf32>)
  memref.copy %t, %out : memref<8xf32> to memref<8xf32>
  vector.transfer_write %v, %a[%c0], %m : vector<8xf32>, memref<8xf32>
  memref.copy %a, %out : memref<8xf32> to memref<8xf32>
  return
}

// CHECK-LABEL: interference of @shifted_vector_write
// CHECK:       %alloc and %alloc_0: both live in
func.func @shifted_vector_write(%v: vector<8xf32>, %i: index,
                                %out: memref<8xf32>) {
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<8xf32>
  %t = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  linalg.fill ins(%f : f32) outs(%t : memref<8xf32>)
  memref.copy %t, %out : memref<8xf32> to memref<8xf32>
  vector.transfer_write %v, %a[%i] : vector<8xf32>, memref<8xf32>
  memref.copy %a, %out : memref<8xf32> to memref<8xf32>
  return
}

// CHECK-LABEL: interference of @partial_subview
// CHECK:       %alloc and %alloc_0: both live in
func.func @partial_subview(%out: memref<8xf32>) {
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<8xf32>
  %t = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  linalg.fill ins(%f : f32) outs(%t : memref<8xf32>)
  memref.copy %t, %out : memref<8xf32> to memref<8xf32>
  %s = memref.subview %a[0] [7] [1] : memref<8xf32> to memref<7xf32, strided<[1]>>
  linalg.fill ins(%f : f32) outs(%s : memref<7xf32, strided<[1]>>)
  memref.copy %a, %out : memref<8xf32> to memref<8xf32>
  return
}

// CHECK-LABEL: interference of @single_store
// CHECK:       %alloc and %alloc_0: both live in
func.func @single_store(%i: index, %out: memref<8xf32>) {
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<8xf32>
  %t = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  linalg.fill ins(%f : f32) outs(%t : memref<8xf32>)
  memref.copy %t, %out : memref<8xf32> to memref<8xf32>
  memref.store %f, %a[%i] : memref<8xf32>
  memref.copy %a, %out : memref<8xf32> to memref<8xf32>
  return
}

// A matmul adds to its output: it reads it.
// CHECK-LABEL: interference of @accumulation
// CHECK:       %alloc and %alloc_0: both live in
func.func @accumulation(%x: memref<4x4xf32>, %out: memref<4x4xf32>) {
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<4x4xf32>
  %t = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<4x4xf32>)
  linalg.fill ins(%f : f32) outs(%t : memref<4x4xf32>)
  memref.copy %t, %out : memref<4x4xf32> to memref<4x4xf32>
  linalg.matmul ins(%x, %x : memref<4x4xf32>, memref<4x4xf32>)
      outs(%a : memref<4x4xf32>)
  memref.copy %a, %out : memref<4x4xf32> to memref<4x4xf32>
  return
}

// The output's map reaches every second element only, though the op claims an
// effect on the full region.
// CHECK-LABEL: interference of @strided_output_map
// CHECK:       %alloc and %alloc_0: both live in
func.func @strided_output_map(%x: memref<4xf32>, %out: memref<8xf32>) {
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<8xf32>
  %t = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  linalg.fill ins(%f : f32) outs(%t : memref<8xf32>)
  memref.copy %t, %out : memref<8xf32> to memref<8xf32>
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>,
                                   affine_map<(d0) -> (2 * d0)>],
                  iterator_types = ["parallel"]}
      ins(%x : memref<4xf32>) outs(%a : memref<8xf32>) {
  ^bb0(%v: f32, %o: f32):
    linalg.yield %v : f32
  }
  memref.copy %a, %out : memref<8xf32> to memref<8xf32>
  return
}

// The payload reads the output behind the op's back.
// CHECK-LABEL: interference of @payload_reads_output
// CHECK:       %alloc and %alloc_0: both live in
func.func @payload_reads_output(%x: memref<8xf32>, %out: memref<8xf32>) {
  %f = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  %t = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  linalg.fill ins(%f : f32) outs(%t : memref<8xf32>)
  memref.copy %t, %out : memref<8xf32> to memref<8xf32>
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>,
                                   affine_map<(d0) -> (d0)>],
                  iterator_types = ["parallel"]}
      ins(%x : memref<8xf32>) outs(%a : memref<8xf32>) {
  ^bb0(%v: f32, %o: f32):
    %old = memref.load %a[%c0] : memref<8xf32>
    linalg.yield %old : f32
  }
  memref.copy %a, %out : memref<8xf32> to memref<8xf32>
  return
}

// The op reads the buffer through its other operand.
// CHECK-LABEL: interference of @input_is_output
// CHECK:       %alloc and %alloc_0: both live in
func.func @input_is_output(%out: memref<8xf32>) {
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<8xf32>
  %t = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  linalg.fill ins(%f : f32) outs(%t : memref<8xf32>)
  memref.copy %t, %out : memref<8xf32> to memref<8xf32>
  linalg.generic {indexing_maps = [affine_map<(d0) -> (7 - d0)>,
                                   affine_map<(d0) -> (d0)>],
                  iterator_types = ["parallel"]}
      ins(%a : memref<8xf32>) outs(%a : memref<8xf32>) {
  ^bb0(%v: f32, %o: f32):
    linalg.yield %v : f32
  }
  memref.copy %a, %out : memref<8xf32> to memref<8xf32>
  return
}

// One op that reads a buffer and writes another needs both.
// CHECK-LABEL: interference of @read_and_write_in_one_op
// CHECK:       %alloc and %alloc_0: both live in
func.func @read_and_write_in_one_op(%out: memref<8xf32>) {
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  memref.copy %a, %b : memref<8xf32> to memref<8xf32>
  memref.copy %b, %out : memref<8xf32> to memref<8xf32>
  return
}

// A write that nobody reads still hits its bytes: %b must not be where %a
// still has to be read from.
// CHECK-LABEL: interference of @write_only
// CHECK:       %alloc and %alloc_0: both live in
func.func @write_only(%out: memref<8xf32>) {
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  linalg.fill ins(%f : f32) outs(%b : memref<8xf32>)
  memref.copy %a, %out : memref<8xf32> to memref<8xf32>
  return
}

// Reading what was never written keeps nothing alive before it.
// CHECK-LABEL: interference of @uninitialised_read_shares
// CHECK-NOT:   both live
func.func @uninitialised_read_shares(%out: memref<8xf32>) {
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%b : memref<8xf32>)
  memref.copy %b, %out : memref<8xf32> to memref<8xf32>
  memref.copy %a, %out : memref<8xf32> to memref<8xf32>
  return
}
