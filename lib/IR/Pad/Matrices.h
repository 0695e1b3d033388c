//===- Matrices.h - How subgroups take matrices -------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ldmatrix: of 8 lanes for each of 1, 2 or 4 matrices, each gives the address
// of a row of 16 bytes; a matrix is one pass if its rows miss each other.
//
// A fragment is taken by all lanes at once, from one place. Which lane takes
// what is the hardware's own. The model is what compilers make of it on
// NVIDIA's chips since sm_75: operands by ldmatrix, rows of 16 bytes, 8 at a
// time; accumulators two elements a lane, as mma has them:
//
//   operand of 16x16 f16           accumulator of 16x16 f32
//     columns 0-7, rows 0-7          columns 0-7, rows 0-7: lane l takes
//     columns 0-7, rows 8-15         row l / 4, columns 2 * (l mod 4) and the
//     columns 8-15, rows 0-7 ...     next one; then columns 8-15 ...
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_PAD_MATRICES_H
#define BERTH_LIB_IR_PAD_MATRICES_H

#include "mlir-c/IR.h"

#include <stdint.h>

/// What a row has that is taken at once, and its alignment.
enum { BERTH_MATRIX_BYTES = 16 };

/// How many lanes of each subgroup give an address to an op that loads
/// matrices, as nvgpu.ldmatrix does; 0: it is no such op.
int64_t berthMatrixLanes(MlirOperation op);

/// A fragment as a list of what is taken at once.
typedef struct BerthFragment {
  int64_t count;        ///< of parts; 0: it is none, or not of this form
  int64_t elements;     ///< of a part, side by side
  int64_t rows, across; ///< parts of a set, down and side by side
  int64_t setsDown;     ///< sets below each other
} BerthFragment;

/// That of an op which loads or stores one at the memref in this operand.
BerthFragment berthFragmentOf(MlirOperation op, intptr_t operand,
                              int64_t elementBytes);

/// Where the part begins: elements from the fragment's own place.
void berthFragmentPart(const BerthFragment *fragment, int64_t part,
                       int64_t *row, int64_t *column);

#endif // BERTH_LIB_IR_PAD_MATRICES_H
