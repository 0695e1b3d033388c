//===- Effects.h - What an op does with one value ------------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_OPS_EFFECTS_H
#define BERTH_LIB_IR_OPS_EFFECTS_H

#include "IR/Facts/Facts.h"

/// Sets of BERTH_EFFECT_READ and so on.
typedef struct BerthEffects {
  int onValue;  ///< on the memory that the value in question points to
  int anywhere; ///< on this or any other memory
} BerthEffects;

/// The effects of `op` itself (nested ops excluded). False, with none of them,
/// if no interface tells.
bool berthOpSumEffects(MlirOperation op, MlirValue value,
                       BerthEffects *effects);

/// True if a pointer may travel through one of the op's results.
bool berthOpMayReturnPointer(MlirOperation op);

#endif // BERTH_LIB_IR_OPS_EFFECTS_H
