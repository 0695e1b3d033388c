// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %same-output %s | FileCheck %s
// Ways to look at a buffer that the other files do not have.

// Views of other element types, byte buffers of the program's own, poison, and
// an op that reads one half and writes the other.
// CHECK: other_types: 128
func.func @other_types() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %f = arith.constant 1.5 : f32
  %g = arith.constant 3.5 : f32
  %m = memref.alloc() : memref<4x4xf32>
  %vv = vector.type_cast %m : memref<4x4xf32> to memref<vector<4x4xf32>>
  %z = vector.broadcast %f : f32 to vector<4x4xf32>
  memref.store %z, %vv[] : memref<vector<4x4xf32>>
  %other = memref.alloc() : memref<4x4xf32>
  %zz = vector.broadcast %g : f32 to vector<4x4xf32>
  %ov = vector.type_cast %other : memref<4x4xf32> to memref<vector<4x4xf32>>
  memref.store %zz, %ov[] : memref<vector<4x4xf32>>
  %o = memref.load %ov[] : memref<vector<4x4xf32>>
  vector.print %o : vector<4x4xf32>
  %r = memref.load %m[%c1, %c1] : memref<4x4xf32>
  vector.print %r : f32
  %bytes = memref.alloc() {alignment = 16} : memref<64xi8>
  %w = memref.view %bytes[%c16][] : memref<64xi8> to memref<4xf32>
  %x = memref.view %bytes[%c0][] : memref<64xi8> to memref<4xf32>
  linalg.fill ins(%f : f32) outs(%w : memref<4xf32>)
  linalg.fill ins(%g : f32) outs(%x : memref<4xf32>)
  %q = vector.load %w[%c0] : memref<4xf32>, vector<4xf32>
  vector.print %q : vector<4xf32>
  %k = memref.alloc() : memref<4xf32>
  linalg.fill ins(%g : f32) outs(%k : memref<4xf32>)
  %p = ub.poison : memref<4xf32>
  %true = arith.constant true
  %s = arith.select %true, %k, %p : memref<4xf32>
  %l = vector.load %s[%c0] : memref<4xf32>, vector<4xf32>
  vector.print %l : vector<4xf32>
  %e = memref.alloc() : memref<8xf32>
  %lo = memref.subview %e[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  %hi = memref.subview %e[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  linalg.fill ins(%f : f32) outs(%lo : memref<4xf32, strided<[1]>>)
  linalg.exp ins(%lo : memref<4xf32, strided<[1]>>) outs(%hi : memref<4xf32, strided<[1], offset: 4>>)
  linalg.add ins(%lo, %hi : memref<4xf32, strided<[1]>>, memref<4xf32, strided<[1], offset: 4>>) outs(%lo : memref<4xf32, strided<[1]>>)
  %n = vector.load %e[%c0] : memref<8xf32>, vector<8xf32>
  vector.print %n : vector<8xf32>
  return
}

func.func private @show_all(%m: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %m, %c0 : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %m[%i] : memref<?xf32>
    vector.print %v : f32
  }
  return
}

// Reshaped, transposed, strided.
// CHECK-NEXT: shapes: 120
func.func @shapes() {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %f = arith.constant 1.5 : f32
  %g = arith.constant 2.5 : f32
  %a = memref.alloc() : memref<2x3x4xf32>
  %t = memref.alloc() : memref<6xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<2x3x4xf32>)
  %flat = memref.collapse_shape %a [[0, 1, 2]] : memref<2x3x4xf32> into memref<24xf32>
  %wide = memref.expand_shape %flat [[0, 1]] output_shape [6, 4] : memref<24xf32> into memref<6x4xf32>
  %row = memref.subview %wide[2, 0] [1, 4] [1, 1] : memref<6x4xf32> to memref<4xf32, strided<[1], offset: 8>>
  linalg.fill ins(%g : f32) outs(%row : memref<4xf32, strided<[1], offset: 8>>)
  %tr = memref.transpose %wide (i, j) -> (j, i) : memref<6x4xf32> to memref<4x6xf32, strided<[1, 4]>>
  %col = memref.subview %tr[1, 0] [1, 6] [1, 1] : memref<4x6xf32, strided<[1, 4]>> to memref<6xf32, strided<[4], offset: 1>>
  memref.copy %col, %t : memref<6xf32, strided<[4], offset: 1>> to memref<6xf32>
  %td = memref.cast %t : memref<6xf32> to memref<?xf32>
  call @show_all(%td) : (memref<?xf32>) -> ()
  %b = memref.alloc() : memref<24xf32>
  linalg.fill ins(%f : f32) outs(%b : memref<24xf32>)
  %rs = memref.alloc() : memref<2xindex>
  memref.store %c3, %rs[%c0] : memref<2xindex>
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  memref.store %c8, %rs[%c1] : memref<2xindex>
  %re = memref.reshape %b(%rs) : (memref<24xf32>, memref<2xindex>) -> memref<?x?xf32>
  memref.store %g, %re[%c1, %c1] : memref<?x?xf32>
  %bd = memref.cast %b : memref<24xf32> to memref<?xf32>
  call @show_all(%bd) : (memref<?xf32>) -> ()
  %ri = memref.reinterpret_cast %b to offset: [4], sizes: [5], strides: [3] : memref<24xf32> to memref<5xf32, strided<[3], offset: 4>>
  %p = memref.alloc() : memref<5xf32>
  memref.copy %ri, %p : memref<5xf32, strided<[3], offset: 4>> to memref<5xf32>
  %pd = memref.cast %p : memref<5xf32> to memref<?xf32>
  call @show_all(%pd) : (memref<?xf32>) -> ()
  return
}

func.func @main() {
  call @other_types() : () -> ()
  call @shapes() : () -> ()
  return
}
