// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One pre-norm transformer block in f32: 64 tokens of width 128, four attention
// heads of width 32, an MLP of width 512. Plain linalg on tensors, as a front
// end leaves it; run.sh bufferizes it and has Berth place its temporaries.

#row = affine_map<(t, d) -> (t)>
#col = affine_map<(t, d) -> (d)>
#all = affine_map<(t, d) -> (t, d)>
#head_row = affine_map<(h, t, s) -> (h, t)>
#head_all = affine_map<(h, t, s) -> (h, t, s)>
#scalar_of_1d = affine_map<(i) -> ()>
#id1 = affine_map<(i) -> (i)>

//===----------------------------------------------------------------------===//
// Layer norm: (x - mean) / sqrt(var + eps) * gain, per token.
//===----------------------------------------------------------------------===//

func.func private @layer_norm(%x: tensor<64x128xf32>, %gain: tensor<128xf32>)
    -> tensor<64x128xf32> {
  %zero = arith.constant 0.0 : f32
  %width = arith.constant 128.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %row = tensor.empty() : tensor<64xf32>
  %row0 = linalg.fill ins(%zero : f32) outs(%row : tensor<64xf32>)
      -> tensor<64xf32>
  %sum = linalg.generic
      {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x128xf32>) outs(%row0 : tensor<64xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.addf %acc, %v : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  %square_sum = linalg.generic
      {indexing_maps = [#all, #row, #row],
       iterator_types = ["parallel", "reduction"]}
      ins(%x, %sum : tensor<64x128xf32>, tensor<64xf32>)
      outs(%row0 : tensor<64xf32>) {
  ^bb0(%v: f32, %total: f32, %acc: f32):
    %mean = arith.divf %total, %width : f32
    %centred = arith.subf %v, %mean : f32
    %square = arith.mulf %centred, %centred : f32
    %s = arith.addf %acc, %square : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  %out = tensor.empty() : tensor<64x128xf32>
  %y = linalg.generic
      {indexing_maps = [#all, #row, #row, #col, #all],
       iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum, %square_sum, %gain
          : tensor<64x128xf32>, tensor<64xf32>, tensor<64xf32>, tensor<128xf32>)
      outs(%out : tensor<64x128xf32>) {
  ^bb0(%v: f32, %total: f32, %squares: f32, %g: f32, %unused: f32):
    %mean = arith.divf %total, %width : f32
    %variance = arith.divf %squares, %width : f32
    %safe = arith.addf %variance, %eps : f32
    %deviation = math.sqrt %safe : f32
    %centred = arith.subf %v, %mean : f32
    %normal = arith.divf %centred, %deviation : f32
    %scaled = arith.mulf %normal, %g : f32
    linalg.yield %scaled : f32
  } -> tensor<64x128xf32>
  return %y : tensor<64x128xf32>
}

//===----------------------------------------------------------------------===//
// x * w, and its result split into heads: [token, head, lane].
//===----------------------------------------------------------------------===//

func.func private @project(%x: tensor<64x128xf32>, %w: tensor<128x128xf32>)
    -> tensor<64x128xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x128xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x128xf32>)
      -> tensor<64x128xf32>
  %y = linalg.matmul
      ins(%x, %w : tensor<64x128xf32>, tensor<128x128xf32>)
      outs(%init : tensor<64x128xf32>) -> tensor<64x128xf32>
  return %y : tensor<64x128xf32>
}

func.func private @add(%a: tensor<64x128xf32>, %b: tensor<64x128xf32>)
    -> tensor<64x128xf32> {
  %empty = tensor.empty() : tensor<64x128xf32>
  %y = linalg.add ins(%a, %b : tensor<64x128xf32>, tensor<64x128xf32>)
      outs(%empty : tensor<64x128xf32>) -> tensor<64x128xf32>
  return %y : tensor<64x128xf32>
}

//===----------------------------------------------------------------------===//
// softmax(q k^T / sqrt(32)) v, head by head.
//===----------------------------------------------------------------------===//

func.func private @attention(%q2: tensor<64x128xf32>, %k2: tensor<64x128xf32>,
                             %v2: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant -3.40282347E+38 : f32
  %scale = arith.constant 0.17677669529 : f32

  // [token, head, lane] to [head, token, lane], k to [head, lane, token].
  %q3 = tensor.expand_shape %q2 [[0], [1, 2]] output_shape [64, 4, 32]
      : tensor<64x128xf32> into tensor<64x4x32xf32>
  %k3 = tensor.expand_shape %k2 [[0], [1, 2]] output_shape [64, 4, 32]
      : tensor<64x128xf32> into tensor<64x4x32xf32>
  %v3 = tensor.expand_shape %v2 [[0], [1, 2]] output_shape [64, 4, 32]
      : tensor<64x128xf32> into tensor<64x4x32xf32>
  %heads = tensor.empty() : tensor<4x64x32xf32>
  %heads_t = tensor.empty() : tensor<4x32x64xf32>
  %q = linalg.transpose ins(%q3 : tensor<64x4x32xf32>)
      outs(%heads : tensor<4x64x32xf32>) permutation = [1, 0, 2]
  %k = linalg.transpose ins(%k3 : tensor<64x4x32xf32>)
      outs(%heads_t : tensor<4x32x64xf32>) permutation = [1, 2, 0]
  %v = linalg.transpose ins(%v3 : tensor<64x4x32xf32>)
      outs(%heads : tensor<4x64x32xf32>) permutation = [1, 0, 2]

  %square = tensor.empty() : tensor<4x64x64xf32>
  %square0 = linalg.fill ins(%zero : f32) outs(%square : tensor<4x64x64xf32>)
      -> tensor<4x64x64xf32>
  %scores = linalg.batch_matmul
      ins(%q, %k : tensor<4x64x32xf32>, tensor<4x32x64xf32>)
      outs(%square0 : tensor<4x64x64xf32>) -> tensor<4x64x64xf32>

  // The row maximum keeps exp in range.
  %row = tensor.empty() : tensor<4x64xf32>
  %row_lowest = linalg.fill ins(%lowest : f32) outs(%row : tensor<4x64xf32>)
      -> tensor<4x64xf32>
  %max = linalg.generic
      {indexing_maps = [#head_all, #head_row],
       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%scores : tensor<4x64x64xf32>) outs(%row_lowest : tensor<4x64xf32>) {
  ^bb0(%s: f32, %acc: f32):
    %m = arith.maximumf %acc, %s : f32
    linalg.yield %m : f32
  } -> tensor<4x64xf32>
  %weights = linalg.generic
      {indexing_maps = [#head_all, #head_row, #head_all],
       iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%scores, %max : tensor<4x64x64xf32>, tensor<4x64xf32>)
      outs(%square : tensor<4x64x64xf32>) {
  ^bb0(%s: f32, %m: f32, %unused: f32):
    %below = arith.subf %s, %m : f32
    %scaled = arith.mulf %below, %scale : f32
    %e = math.exp %scaled : f32
    linalg.yield %e : f32
  } -> tensor<4x64x64xf32>
  %row0 = linalg.fill ins(%zero : f32) outs(%row : tensor<4x64xf32>)
      -> tensor<4x64xf32>
  %sum = linalg.generic
      {indexing_maps = [#head_all, #head_row],
       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%weights : tensor<4x64x64xf32>) outs(%row0 : tensor<4x64xf32>) {
  ^bb0(%w: f32, %acc: f32):
    %s = arith.addf %acc, %w : f32
    linalg.yield %s : f32
  } -> tensor<4x64xf32>
  %probabilities = linalg.generic
      {indexing_maps = [#head_all, #head_row, #head_all],
       iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%weights, %sum : tensor<4x64x64xf32>, tensor<4x64xf32>)
      outs(%square : tensor<4x64x64xf32>) {
  ^bb0(%w: f32, %s: f32, %unused: f32):
    %p = arith.divf %w, %s : f32
    linalg.yield %p : f32
  } -> tensor<4x64x64xf32>

  %heads0 = linalg.fill ins(%zero : f32) outs(%heads : tensor<4x64x32xf32>)
      -> tensor<4x64x32xf32>
  %context = linalg.batch_matmul
      ins(%probabilities, %v : tensor<4x64x64xf32>, tensor<4x64x32xf32>)
      outs(%heads0 : tensor<4x64x32xf32>) -> tensor<4x64x32xf32>
  %tokens = tensor.empty() : tensor<64x4x32xf32>
  %merged = linalg.transpose ins(%context : tensor<4x64x32xf32>)
      outs(%tokens : tensor<64x4x32xf32>) permutation = [1, 0, 2]
  %y = tensor.collapse_shape %merged [[0], [1, 2]]
      : tensor<64x4x32xf32> into tensor<64x128xf32>
  return %y : tensor<64x128xf32>
}

//===----------------------------------------------------------------------===//
// gelu(x w1) w2, with the tanh form of gelu.
//===----------------------------------------------------------------------===//

func.func private @mlp(%x: tensor<64x128xf32>, %w1: tensor<128x512xf32>,
                       %w2: tensor<512x128xf32>) -> tensor<64x128xf32> {
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %a = arith.constant 0.7978845608 : f32
  %b = arith.constant 0.044715 : f32
  %wide = tensor.empty() : tensor<64x512xf32>
  %wide0 = linalg.fill ins(%zero : f32) outs(%wide : tensor<64x512xf32>)
      -> tensor<64x512xf32>
  %up = linalg.matmul
      ins(%x, %w1 : tensor<64x128xf32>, tensor<128x512xf32>)
      outs(%wide0 : tensor<64x512xf32>) -> tensor<64x512xf32>
  %gelu = linalg.generic
      {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%up : tensor<64x512xf32>) outs(%wide : tensor<64x512xf32>) {
  ^bb0(%v: f32, %unused: f32):
    %v2 = arith.mulf %v, %v : f32
    %v3 = arith.mulf %v2, %v : f32
    %bv3 = arith.mulf %b, %v3 : f32
    %inner = arith.addf %v, %bv3 : f32
    %scaled = arith.mulf %a, %inner : f32
    %tanh = math.tanh %scaled : f32
    %gate = arith.addf %one, %tanh : f32
    %hv = arith.mulf %half, %v : f32
    %g = arith.mulf %hv, %gate : f32
    linalg.yield %g : f32
  } -> tensor<64x512xf32>
  %empty = tensor.empty() : tensor<64x128xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x128xf32>)
      -> tensor<64x128xf32>
  %down = linalg.matmul
      ins(%gelu, %w2 : tensor<64x512xf32>, tensor<512x128xf32>)
      outs(%init : tensor<64x128xf32>) -> tensor<64x128xf32>
  return %down : tensor<64x128xf32>
}

//===----------------------------------------------------------------------===//
// The block; the functions above are inlined into it.
//===----------------------------------------------------------------------===//

func.func @block(%x: tensor<64x128xf32>,
                 %wq: tensor<128x128xf32>, %wk: tensor<128x128xf32>,
                 %wv: tensor<128x128xf32>, %wo: tensor<128x128xf32>,
                 %w1: tensor<128x512xf32>, %w2: tensor<512x128xf32>,
                 %gain1: tensor<128xf32>, %gain2: tensor<128xf32>)
    -> tensor<64x128xf32> {
  %n1 = call @layer_norm(%x, %gain1)
      : (tensor<64x128xf32>, tensor<128xf32>) -> tensor<64x128xf32>
  %q = call @project(%n1, %wq)
      : (tensor<64x128xf32>, tensor<128x128xf32>) -> tensor<64x128xf32>
  %k = call @project(%n1, %wk)
      : (tensor<64x128xf32>, tensor<128x128xf32>) -> tensor<64x128xf32>
  %v = call @project(%n1, %wv)
      : (tensor<64x128xf32>, tensor<128x128xf32>) -> tensor<64x128xf32>
  %context = call @attention(%q, %k, %v)
      : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>)
      -> tensor<64x128xf32>
  %attended = call @project(%context, %wo)
      : (tensor<64x128xf32>, tensor<128x128xf32>) -> tensor<64x128xf32>
  %middle = call @add(%x, %attended)
      : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  %n2 = call @layer_norm(%middle, %gain2)
      : (tensor<64x128xf32>, tensor<128xf32>) -> tensor<64x128xf32>
  %thought = call @mlp(%n2, %w1, %w2)
      : (tensor<64x128xf32>, tensor<128x512xf32>, tensor<512x128xf32>)
      -> tensor<64x128xf32>
  %y = call @add(%middle, %thought)
      : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %y : tensor<64x128xf32>
}
