//===- Mixed.h - Arithmetic of numbers and values ------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_EXPAND_MIXED_H
#define BERTH_LIB_IR_EXPAND_MIXED_H

#include "IR/Facts/SliceFacts.h"
#include "IR/Ops/Build.h"

static inline BerthMixed berthMixedNumber(int64_t number) {
  return (BerthMixed){.number = number};
}

/// A constant is a number.
BerthMixed berthMixedOf(MlirValue value);

static inline bool berthMixedIs(BerthMixed mixed, int64_t number) {
  return mlirValueIsNull(mixed.value) && mixed.number == number;
}

/// As a value, of type index.
MlirValue berthMixedValue(BerthInsertPoint at, BerthMixed mixed);

/// Computed now where both are numbers.
BerthMixed berthMixedAdd(BerthInsertPoint at, BerthMixed a, BerthMixed b);
BerthMixed berthMixedMultiply(BerthInsertPoint at, BerthMixed a, BerthMixed b);

/// Rounded up to a multiple of a power of two.
BerthMixed berthMixedRoundUp(BerthInsertPoint at, BerthMixed a, int64_t unit);

#endif // BERTH_LIB_IR_EXPAND_MIXED_H
