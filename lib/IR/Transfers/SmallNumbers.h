//===- SmallNumbers.h - What ops make of a number ------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stages and their phases are counted in many ways: by remainders, by selects
// at the end of the ring, by bits that are turned. All come to the same numbers
// if they are computed for the few that there are.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_TRANSFERS_SMALLNUMBERS_H
#define BERTH_LIB_IR_TRANSFERS_SMALLNUMBERS_H

#include "mlir-c/IR.h"

#include <stdbool.h>
#include <stdint.h>

/// Values whose number is taken for known.
typedef struct BerthSmallNumbers {
  bool (*find)(MlirValue value, void *userData, int64_t *number);
  void *userData;
} BerthSmallNumbers;

/// The number that a value is then; a bit is 0 or 1. False: it is not known, or
/// large.
bool berthSmallNumberOf(const BerthSmallNumbers *known, MlirValue value,
                        int64_t *number);

#endif // BERTH_LIB_IR_TRANSFERS_SMALLNUMBERS_H
