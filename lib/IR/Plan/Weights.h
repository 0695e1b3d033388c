//===- Weights.h - What is computed from constants alone ----------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Weights that are transposed, broadcast or dequantized at run time need not be
// computed there, nor be kept from then on. Those that are live where most is
// are worth a word.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_PLAN_WEIGHTS_H
#define BERTH_LIB_IR_PLAN_WEIGHTS_H

#include "IR/Ops/Text.h"
#include "IR/Scope/Job.h"

typedef struct BerthWeight {
  MlirOperation global; ///< the constant
  int64_t bytes;        ///< of all that is made of it, one after the other
} BerthWeight;

/// At the time when most bytes are live.
typedef struct BerthWeights {
  size_t count, capacity;
  BerthWeight *items; ///< by constant, the one of most bytes first
  size_t numBuffers;
  int64_t bytes;
} BerthWeights;

/// To be freed.
BerthWeights berthFindWeights(const BerthJob *job);
/// Appends the constant's name.
void berthTextAppendWeight(BerthText *text, const BerthWeight *weight);
void berthWeightsFree(BerthWeights *weights);

#endif // BERTH_LIB_IR_PLAN_WEIGHTS_H
