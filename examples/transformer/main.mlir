// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs @block (block.mlir, appended by run.sh) on made-up inputs and prints the
// whole result, and the sum of the bit patterns of its elements, which no
// rounding in the printout can hide.

#id2 = affine_map<(i, j) -> (i, j)>

func.func private @printMemrefF32(%m: tensor<*xf32>)
func.func private @printI64(%v: i64)
func.func private @printNewline()

// Element (i, j) is ((i * 37 + j * 11 + seed) mod 61 - 30) * step.
func.func private @noise(%i: index, %j: index, %seed: index, %step: f32) -> f32 {
  %c37 = arith.constant 37 : index
  %c11 = arith.constant 11 : index
  %c61 = arith.constant 61 : index
  %thirty = arith.constant 30.0 : f32
  %a = arith.muli %i, %c37 : index
  %b = arith.muli %j, %c11 : index
  %ab = arith.addi %a, %b : index
  %s = arith.addi %ab, %seed : index
  %m = arith.remui %s, %c61 : index
  %w = arith.index_cast %m : index to i32
  %f = arith.sitofp %w : i32 to f32
  %centred = arith.subf %f, %thirty : f32
  %r = arith.mulf %centred, %step : f32
  return %r : f32
}

func.func private @matrix_64x128(%seed: index, %step: f32) -> tensor<64x128xf32> {
  %t = tensor.generate {
  ^bb0(%i: index, %j: index):
    %r = func.call @noise(%i, %j, %seed, %step) : (index, index, index, f32) -> f32
    tensor.yield %r : f32
  } : tensor<64x128xf32>
  return %t : tensor<64x128xf32>
}

func.func private @matrix_128x128(%seed: index, %step: f32) -> tensor<128x128xf32> {
  %t = tensor.generate {
  ^bb0(%i: index, %j: index):
    %r = func.call @noise(%i, %j, %seed, %step) : (index, index, index, f32) -> f32
    tensor.yield %r : f32
  } : tensor<128x128xf32>
  return %t : tensor<128x128xf32>
}

func.func private @matrix_128x512(%seed: index, %step: f32) -> tensor<128x512xf32> {
  %t = tensor.generate {
  ^bb0(%i: index, %j: index):
    %r = func.call @noise(%i, %j, %seed, %step) : (index, index, index, f32) -> f32
    tensor.yield %r : f32
  } : tensor<128x512xf32>
  return %t : tensor<128x512xf32>
}

func.func private @matrix_512x128(%seed: index, %step: f32) -> tensor<512x128xf32> {
  %t = tensor.generate {
  ^bb0(%i: index, %j: index):
    %r = func.call @noise(%i, %j, %seed, %step) : (index, index, index, f32) -> f32
    tensor.yield %r : f32
  } : tensor<512x128xf32>
  return %t : tensor<512x128xf32>
}

func.func private @gain(%seed: index, %step: f32) -> tensor<128xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %t = tensor.generate {
  ^bb0(%i: index):
    %r = func.call @noise(%i, %zero, %seed, %step) : (index, index, index, f32) -> f32
    %g = arith.addf %r, %one : f32
    tensor.yield %g : f32
  } : tensor<128xf32>
  return %t : tensor<128xf32>
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %coarse = arith.constant 0.03125 : f32
  %fine = arith.constant 0.0078125 : f32
  %x = call @matrix_64x128(%c0, %coarse) : (index, f32) -> tensor<64x128xf32>
  %wq = call @matrix_128x128(%c1, %fine) : (index, f32) -> tensor<128x128xf32>
  %wk = call @matrix_128x128(%c2, %fine) : (index, f32) -> tensor<128x128xf32>
  %wv = call @matrix_128x128(%c3, %fine) : (index, f32) -> tensor<128x128xf32>
  %wo = call @matrix_128x128(%c4, %fine) : (index, f32) -> tensor<128x128xf32>
  %w1 = call @matrix_128x512(%c5, %fine) : (index, f32) -> tensor<128x512xf32>
  %w2 = call @matrix_512x128(%c1, %fine) : (index, f32) -> tensor<512x128xf32>
  %g1 = call @gain(%c2, %fine) : (index, f32) -> tensor<128xf32>
  %g2 = call @gain(%c3, %fine) : (index, f32) -> tensor<128xf32>
  %y = call @block(%x, %wq, %wk, %wv, %wo, %w1, %w2, %g1, %g2) {no_inline}
      : (tensor<64x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>,
         tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x512xf32>,
         tensor<512x128xf32>, tensor<128xf32>, tensor<128xf32>)
      -> tensor<64x128xf32>

  %zero = arith.constant 0 : i64
  %bits = scf.for %i = %c0 to %c64 step %c1 iter_args(%outer = %zero) -> i64 {
    %row = scf.for %j = %c0 to %c128 step %c1 iter_args(%acc = %outer) -> i64 {
      %f = tensor.extract %y[%i, %j] : tensor<64x128xf32>
      %word = arith.bitcast %f : f32 to i32
      %wide = arith.extui %word : i32 to i64
      %sum = arith.addi %acc, %wide : i64
      scf.yield %sum : i64
    }
    scf.yield %row : i64
  }
  call @printI64(%bits) : (i64) -> ()
  call @printNewline() : () -> ()
  %unranked = tensor.cast %y : tensor<64x128xf32> to tensor<*xf32>
  call @printMemrefF32(%unranked) : (tensor<*xf32>) -> ()
  return
}
