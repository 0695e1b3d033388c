//===- CarriedRings.h - Stages whose number a loop carries ---- C ---------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_TURNS_CARRIEDRINGS_H
#define BERTH_LIB_IR_VERIFY_TURNS_CARRIEDRINGS_H

#include "mlir-c/IR.h"

#include <stdbool.h>
#include <stdint.h>

/// (turn + first) modulo size.
typedef struct BerthCarriedRing {
  int64_t first, size;
} BerthCarriedRing;

/// True if the value is an argument of the loop's body that is counted up in
/// each turn, and begins anew at `size`: by a remainder, a mask or a select.
bool berthCarriedRingOf(MlirOperation loop, MlirValue value,
                        BerthCarriedRing *ring);

#endif // BERTH_LIB_IR_VERIFY_TURNS_CARRIEDRINGS_H
