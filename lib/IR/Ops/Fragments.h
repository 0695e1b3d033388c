//===- Fragments.h - Matrices that subgroups take together ---------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All lanes of a subgroup load or store a matrix together
// (gpu.subgroup_mma_load_matrix and _store_matrix), from one place, which they
// have to agree on. Which lane takes which element is the hardware's own.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_OPS_FRAGMENTS_H
#define BERTH_LIB_IR_OPS_FRAGMENTS_H

#include "mlir-c/IR.h"

#include <stdbool.h>
#include <stdint.h>

/// As many threads, at least, have to agree on a place: subgroups have so many,
/// or they are parts of that, or the program is for larger ones and its threads
/// agree on more. They are full: the ops demand it.
enum { BERTH_LANES = 32 };

typedef struct BerthFragmentAccess {
  intptr_t memref;     ///< operands
  intptr_t firstIndex; ///< one for each dimension
  bool isWrite;
  bool isTransposed;
  int64_t rows, columns; ///< of the matrix
  int64_t lead;          ///< elements from a row, or if it is transposed from a
                         ///< column, to the next one
} BerthFragmentAccess;

/// False for other ops, and where elements of the memref are not those of the
/// matrix.
bool berthFragmentGetAccess(MlirOperation op, BerthFragmentAccess *access);

/// True if `role` is the matrix's part in a product: "AOp", "BOp" or "COp".
bool berthFragmentIs(MlirOperation op, const char *role);

#endif // BERTH_LIB_IR_OPS_FRAGMENTS_H
