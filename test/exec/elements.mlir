// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %same-output --before=convert-complex-to-llvm %s | FileCheck %s
// Element types of all sizes, side by side and over one another. A buffer that
// Berth thinks smaller than the lowering makes it would be overwritten.

// CHECK: side_by_side: 216
func.func @side_by_side() {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %i = memref.alloc() : memref<3xindex>
  %h = memref.alloc() : memref<5xf16>
  %v = memref.alloc() : memref<2xvector<4xf32>>
  %z = memref.alloc() : memref<3xcomplex<f32>>
  %b = memref.alloc() : memref<7xi1>
  %w = memref.alloc() : memref<3xvector<3xi32>>
  %n = memref.alloc() : memref<3xi24>
  %s = memref.alloc() : memref<f64>
  %q = memref.alloc() : memref<3xi128>
  %y = memref.alloc() : memref<3xi4>
  call @fill(%i, %h, %v, %z, %b) : (memref<3xindex>, memref<5xf16>, memref<2xvector<4xf32>>, memref<3xcomplex<f32>>, memref<7xi1>) -> ()
  %three = arith.constant dense<[-1, -2, -3]> : vector<3xi32>
  %half = arith.constant 0.5 : f64
  %i24 = arith.constant -77 : i24
  %i128 = arith.constant -123456789 : i128
  %i4 = arith.constant 7 : i4
  affine.for %k = 0 to 3 {
    memref.store %three, %w[%k] : memref<3xvector<3xi32>>
    memref.store %i24, %n[%k] : memref<3xi24>
    memref.store %i128, %q[%k] : memref<3xi128>
    memref.store %i4, %y[%k] : memref<3xi4>
  }
  memref.store %half, %s[] : memref<f64>
  call @print(%i, %h, %v, %z, %b) : (memref<3xindex>, memref<5xf16>, memref<2xvector<4xf32>>, memref<3xcomplex<f32>>, memref<7xi1>) -> ()
  affine.for %k = 0 to 3 {
    %0 = memref.load %w[%k] : memref<3xvector<3xi32>>
    vector.print %0 : vector<3xi32>
    %1 = memref.load %n[%k] : memref<3xi24>
    %2 = arith.extsi %1 : i24 to i32
    vector.print %2 : i32
    %3 = memref.load %q[%k] : memref<3xi128>
    %4 = arith.trunci %3 : i128 to i32
    vector.print %4 : i32
    %6 = memref.load %y[%k] : memref<3xi4>
    %7 = arith.extsi %6 : i4 to i32
    vector.print %7 : i32
  }
  %5 = memref.load %s[] : memref<f64>
  vector.print %5 : f64
  return
}

// CHECK: one_after_another: 32
func.func @one_after_another() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = memref.alloc() : memref<3xcomplex<f32>>
  %f = arith.constant 1.5 : f32
  %number = complex.create %f, %f : complex<f32>
  memref.store %number, %z[%c1] : memref<3xcomplex<f32>>
  %got = memref.load %z[%c1] : memref<3xcomplex<f32>>
  %re = complex.re %got : complex<f32>
  vector.print %re : f32
  %v = memref.alloc() : memref<2xvector<4xf32>>
  %four = vector.broadcast %f : f32 to vector<4xf32>
  memref.store %four, %v[%c1] : memref<2xvector<4xf32>>
  %lanes = memref.load %v[%c1] : memref<2xvector<4xf32>>
  vector.print %lanes : vector<4xf32>
  return
}

func.func private @fill(%i: memref<3xindex>, %h: memref<5xf16>, %v: memref<2xvector<4xf32>>, %z: memref<3xcomplex<f32>>, %b: memref<7xi1>) {
  %one = arith.constant 1.25 : f32
  affine.for %k = 0 to 3 {
    memref.store %k, %i[%k] : memref<3xindex>
    %n = arith.index_cast %k : index to i32
    %f = arith.sitofp %n : i32 to f32
    %c = complex.create %f, %one : complex<f32>
    memref.store %c, %z[%k] : memref<3xcomplex<f32>>
  }
  affine.for %k = 0 to 5 {
    %f = arith.truncf %one : f32 to f16
    memref.store %f, %h[%k] : memref<5xf16>
  }
  affine.for %k = 0 to 2 {
    %f = vector.broadcast %one : f32 to vector<4xf32>
    memref.store %f, %v[%k] : memref<2xvector<4xf32>>
  }
  affine.for %k = 0 to 7 {
    %t = arith.constant true
    memref.store %t, %b[%k] : memref<7xi1>
  }
  return
}

func.func private @print(%i: memref<3xindex>, %h: memref<5xf16>, %v: memref<2xvector<4xf32>>, %z: memref<3xcomplex<f32>>, %b: memref<7xi1>) {
  affine.for %k = 0 to 3 {
    %0 = memref.load %i[%k] : memref<3xindex>
    vector.print %0 : index
    %1 = memref.load %z[%k] : memref<3xcomplex<f32>>
    %re = complex.re %1 : complex<f32>
    %im = complex.im %1 : complex<f32>
    vector.print %re : f32
    vector.print %im : f32
  }
  affine.for %k = 0 to 5 {
    %0 = memref.load %h[%k] : memref<5xf16>
    %1 = arith.extf %0 : f16 to f32
    vector.print %1 : f32
  }
  affine.for %k = 0 to 2 {
    %0 = memref.load %v[%k] : memref<2xvector<4xf32>>
    vector.print %0 : vector<4xf32>
  }
  affine.for %k = 0 to 7 {
    %0 = memref.load %b[%k] : memref<7xi1>
    vector.print %0 : i1
  }
  return
}

func.func @main() {
  call @side_by_side() : () -> ()
  call @one_after_another() : () -> ()
  return
}
