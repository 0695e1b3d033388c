//===- TensorMemory.h - Buffers in columns of 128 lanes ------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tensor memory has 128 lanes of 512 columns, of 4 bytes each. It is allocated
// by columns, with all their lanes, so that a plan has one dimension:
//
//     memref<128x64xf32, #nvvm.memory_space<tensor>>     64 columns
//     memref<64x32xf16, ...>                             16 columns
//
// A row is a lane. Sizes and offsets are those of bytes, as everywhere: a
// column has 512. A tcgen05.alloc takes a power of two of columns, 32 or more.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_SCOPE_TENSORMEMORY_H
#define BERTH_LIB_IR_SCOPE_TENSORMEMORY_H

#include "IR/Scope/CollectOptions.h"
#include "IR/Scope/Scope.h"

BERTH_EXTERN_C_BEGIN

enum {
  BERTH_TENSOR_LANES = 128,
  BERTH_TENSOR_COLUMN = 4 * BERTH_TENSOR_LANES, ///< bytes
  BERTH_TENSOR_LEAST = 32 * BERTH_TENSOR_COLUMN,
  BERTH_TENSOR_BYTES = 512 * BERTH_TENSOR_COLUMN
};

/// Gives a buffer of known size the columns that it takes. Returns why it is
/// not placed, or NULL.
const char *berthDescribeTensor(const BerthScope *scope,
                                BerthBufferInfo *buffer);

/// Lowers a capacity (0: none given) to the most that an allocation of tensor
/// memory within it has, if that is the space. An error if none is so small.
BerthStatus berthLimitTensors(const BerthCollectOptions *options,
                              int64_t *capacity, BerthError *error);

/// The bytes of the columns that an allocation of at least so many has; 0 for
/// none.
int64_t berthTensorArena(int64_t bytes);

BERTH_EXTERN_C_END

#endif // BERTH_LIB_IR_SCOPE_TENSORMEMORY_H
