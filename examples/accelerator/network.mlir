// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Three dense layers with a ReLU behind each, on tensors.

!x = tensor<16x64xi32>
!w = tensor<64x64xi32>

func.func @network(%x: !x, %w0: !w, %w1: !w, %w2: !w) -> !x {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : !x
  %e0 = tensor.empty() : !x
  %e1 = tensor.empty() : !x
  %e2 = tensor.empty() : !x
  %zeros = linalg.fill ins(%zero : i32) outs(%e : !x) -> !x
  %p0 = linalg.matmul ins(%x, %w0 : !x, !w) outs(%zeros : !x) -> !x
  %y0 = linalg.max ins(%p0, %zeros : !x, !x) outs(%e0 : !x) -> !x
  %p1 = linalg.matmul ins(%y0, %w1 : !x, !w) outs(%zeros : !x) -> !x
  %y1 = linalg.max ins(%p1, %zeros : !x, !x) outs(%e1 : !x) -> !x
  %p2 = linalg.matmul ins(%y1, %w2 : !x, !w) outs(%zeros : !x) -> !x
  %y2 = linalg.max ins(%p2, %zeros : !x, !x) outs(%e2 : !x) -> !x
  return %y2 : !x
}
