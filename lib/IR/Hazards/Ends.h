//===- Ends.h - What a call does through its operands --------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_HAZARDS_ENDS_H
#define BERTH_LIB_IR_HAZARDS_ENDS_H

#include "IR/Scope/Scope.h"

/// What a call of a function with these ends does through operands that are
/// among these values.
BerthEnds berthEndsOfOperands(const BerthCallEnds *ends, MlirOperation call,
                              const MlirValue *values, size_t numValues);

#endif // BERTH_LIB_IR_HAZARDS_ENDS_H
