// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %same-output --pipeline='berth-arena{fold-constants=1M}' --pipeline='berth-arena{fold-constants=1M poison=true}' --pipeline='berth-arena{fold-constants=100 poison=true}' %s
// RUN: not %same-output --pipeline='berth-arena{fold-constants=1M verify=false test-break-rule=written-constants}' %s 2>&1 | FileCheck %s
// CHECK: same-output: {{the output differs|the program does not run}}
//
// What is computed from constants, by the program and ahead of it.

memref.global "private" constant @matrix : memref<3x4xf32> = dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [9.0, 1.5, 2.5, 3.5]]>
memref.global "private" constant @row : memref<4xf32> = dense<[0.5, -1.0, 2.0, 7.0]>
memref.global "private" constant @bytes : memref<6xi8> = dense<[-128, -3, 0, 5, 100, 127]>
memref.global "private" constant @halves : memref<4xf16> = dense<[1.5, -2.25, 65504.0, 5.9604644775390625e-08]>
memref.global "private" constant @same : memref<2x3xi32> = dense<7>

func.func private @show(%v: vector<12xf32>) {
  vector.print %v : vector<12xf32>
  return
}

func.func @transposed() {
  %c0 = arith.constant 0 : index
  %w = memref.get_global @matrix : memref<3x4xf32>
  %t = memref.alloc() : memref<4x3xf32>
  linalg.transpose ins(%w : memref<3x4xf32>) outs(%t : memref<4x3xf32>) permutation = [1, 0]
  // Of what is folded, too.
  %u = memref.alloc() : memref<4x3xf32>
  memref.copy %t, %u : memref<4x3xf32> to memref<4x3xf32>
  %f = memref.collapse_shape %u [[0, 1]] : memref<4x3xf32> into memref<12xf32>
  %v = vector.load %f[%c0] : memref<12xf32>, vector<12xf32>
  call @show(%v) : (vector<12xf32>) -> ()
  memref.dealloc %t : memref<4x3xf32>
  return
}

func.func @broadcast() {
  %c0 = arith.constant 0 : index
  %w = memref.get_global @row : memref<4xf32>
  %t = memref.alloc() : memref<3x4xf32>
  linalg.broadcast ins(%w : memref<4xf32>) outs(%t : memref<3x4xf32>) dimensions = [0]
  %f = memref.collapse_shape %t [[0, 1]] : memref<3x4xf32> into memref<12xf32>
  %v = vector.load %f[%c0] : memref<12xf32>, vector<12xf32>
  call @show(%v) : (vector<12xf32>) -> ()
  return
}

func.func @dequantized() {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 3 : i32
  %scale = arith.constant 0.1 : f32
  %w = memref.get_global @bytes : memref<6xi8>
  %t = memref.alloc() {alignment = 128} : memref<6xf32>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                  iterator_types = ["parallel"]} ins(%w : memref<6xi8>) outs(%t : memref<6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %a = arith.extsi %in : i8 to i32
    %b = arith.subi %a, %zero : i32
    %c = arith.sitofp %b : i32 to f32
    %d = arith.mulf %c, %scale : f32
    linalg.yield %d : f32
  }
  %v = vector.load %t[%c0] : memref<6xf32>, vector<6xf32>
  vector.print %v : vector<6xf32>
  %h = memref.get_global @halves : memref<4xf16>
  %s = memref.alloc() : memref<4xf32>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                  iterator_types = ["parallel"]} ins(%h : memref<4xf16>) outs(%s : memref<4xf32>) {
  ^bb0(%in: f16, %out: f32):
    %a = arith.extf %in : f16 to f32
    %b = arith.addf %a, %a : f32
    linalg.yield %b : f32
  }
  %x = vector.load %s[%c0] : memref<4xf32>, vector<4xf32>
  vector.print %x : vector<4xf32>
  return
}

func.func @splat() {
  %c0 = arith.constant 0 : index
  %w = memref.get_global @same : memref<2x3xi32>
  %t = memref.alloc() : memref<3x2xi32>
  linalg.transpose ins(%w : memref<2x3xi32>) outs(%t : memref<3x2xi32>) permutation = [1, 0]
  %f = memref.collapse_shape %t [[0, 1]] : memref<3x2xi32> into memref<6xi32>
  %v = vector.load %f[%c0] : memref<6xi32>, vector<6xi32>
  vector.print %v : vector<6xi32>
  return
}

// It is written again.
func.func @written() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1.0 : f32
  scf.for %i = %c0 to %c3 step %c1 {
    %w = memref.get_global @matrix : memref<3x4xf32>
    %t = memref.alloc() : memref<4x3xf32>
    linalg.transpose ins(%w : memref<3x4xf32>) outs(%t : memref<4x3xf32>) permutation = [1, 0]
    %f = memref.collapse_shape %t [[0, 1]] : memref<4x3xf32> into memref<12xf32>
    %u = memref.load %f[%i] : memref<12xf32>
    %n = arith.addf %u, %one : f32
    memref.store %n, %f[%i] : memref<12xf32>
    %v = vector.load %f[%c0] : memref<12xf32>, vector<12xf32>
    func.call @show(%v) : (vector<12xf32>) -> ()
    memref.dealloc %t : memref<4x3xf32>
  }
  return
}

func.func @main() {
  call @transposed() : () -> ()
  call @broadcast() : () -> ()
  call @dequantized() : () -> ()
  call @splat() : () -> ()
  call @written() : () -> ()
  return
}
