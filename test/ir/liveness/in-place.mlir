// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An elementwise op may write over an operand that dies in it; a copy of a dying
// buffer goes away.

// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(func.func(berth-arena))' %s | FileCheck %s
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(func.func(berth-arena{in-place=false}))' %s | FileCheck %s --check-prefix=OFF

// CHECK-LABEL: @chain
// CHECK: memref<4096xi8>
// OFF-LABEL: @chain
// OFF: memref<8192xi8>
func.func @chain(%x: memref<1024xf32>, %y: memref<1024xf32>) {
  %a = memref.alloc() : memref<1024xf32>
  %b = memref.alloc() : memref<1024xf32>
  %c = memref.alloc() : memref<1024xf32>
  linalg.exp ins(%x : memref<1024xf32>) outs(%a : memref<1024xf32>)
  linalg.sqrt ins(%a : memref<1024xf32>) outs(%b : memref<1024xf32>)
  linalg.tanh ins(%b : memref<1024xf32>) outs(%c : memref<1024xf32>)
  memref.copy %c, %y : memref<1024xf32> to memref<1024xf32>
  return
}

// A transposition reads elements that it has already overwritten.
// CHECK-LABEL: @transpose
// CHECK: memref<2048xi8>
func.func @transpose(%x: memref<16x16xf32>, %y: memref<16x16xf32>) {
  %a = memref.alloc() : memref<16x16xf32>
  %b = memref.alloc() : memref<16x16xf32>
  memref.copy %x, %a : memref<16x16xf32> to memref<16x16xf32>
  linalg.transpose ins(%a : memref<16x16xf32>) outs(%b : memref<16x16xf32>) permutation = [1, 0]
  memref.copy %b, %y : memref<16x16xf32> to memref<16x16xf32>
  return
}

// The operand is needed later.
// CHECK-LABEL: @needed_later
// CHECK: memref<8192xi8>
func.func @needed_later(%x: memref<1024xf32>, %y: memref<1024xf32>) {
  %a = memref.alloc() : memref<1024xf32>
  %b = memref.alloc() : memref<1024xf32>
  linalg.exp ins(%x : memref<1024xf32>) outs(%a : memref<1024xf32>)
  linalg.sqrt ins(%a : memref<1024xf32>) outs(%b : memref<1024xf32>)
  memref.copy %b, %y : memref<1024xf32> to memref<1024xf32>
  memref.copy %a, %y : memref<1024xf32> to memref<1024xf32>
  return
}

// A copy from one buffer to the next is dropped; those to and from outside stay.
// CHECK-LABEL: @copy
// CHECK: memref<4096xi8>
// CHECK-COUNT-2: memref.copy
// CHECK-NOT: memref.copy
// CHECK: return
func.func @copy(%x: memref<1024xf32>, %y: memref<1024xf32>) {
  %a = memref.alloc() : memref<1024xf32>
  %b = memref.alloc() : memref<1024xf32>
  memref.copy %x, %a : memref<1024xf32> to memref<1024xf32>
  memref.copy %a, %b : memref<1024xf32> to memref<1024xf32>
  memref.copy %b, %y : memref<1024xf32> to memref<1024xf32>
  return
}

// Front ends pick a dimension of one element by 0; and a buffer may be seen by
// another shape, if both are.
// CHECK-LABEL: @shapes
// CHECK: memref<1024xi8>
func.func @shapes(%x: memref<1x16x16xf32>, %y: memref<256xf32>) {
  %a = memref.alloc() : memref<1x16x16xf32>
  %b = memref.alloc() : memref<1x16x16xf32>
  %c = memref.alloc() : memref<256xf32>
  memref.copy %x, %a : memref<1x16x16xf32> to memref<1x16x16xf32>
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (0, j, k)>, affine_map<(i, j, k) -> (i, j, k)>],
                  iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%a : memref<1x16x16xf32>) outs(%b : memref<1x16x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  }
  %from = memref.collapse_shape %b [[0, 1], [2]] : memref<1x16x16xf32> into memref<16x16xf32>
  %to = memref.expand_shape %c [[0, 1]] output_shape [16, 16] : memref<256xf32> into memref<16x16xf32>
  linalg.sqrt ins(%from : memref<16x16xf32>) outs(%to : memref<16x16xf32>)
  memref.copy %c, %y : memref<256xf32> to memref<256xf32>
  return
}

// A row is read again and again.
// CHECK-LABEL: @broadcast
// CHECK: memref<{{[0-9]+}}xi8>
// CHECK: memref.view %{{.*}}[%[[A:.*]]][]
// CHECK-NOT: memref.view %{{.*}}[%[[A]]][]
// CHECK: return
func.func @broadcast(%x: memref<1x16xf32>, %y: memref<16x16xf32>) {
  %a = memref.alloc() : memref<1x16xf32>
  %b = memref.alloc() : memref<16x16xf32>
  memref.copy %x, %a : memref<1x16xf32> to memref<1x16xf32>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (0, j)>, affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<1x16xf32>) outs(%b : memref<16x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  memref.copy %b, %y : memref<16x16xf32> to memref<16x16xf32>
  return
}
