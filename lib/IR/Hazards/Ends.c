//===- Ends.c - What a call does through its operands ---------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Hazards/Ends.h"

static BerthDoing most(BerthDoing a, BerthDoing b) { return a > b ? a : b; }

static bool isAmong(MlirValue value, const MlirValue *values, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (mlirValueEqual(value, values[i]))
      return true;
  return false;
}

BerthEnds berthEndsOfOperands(const BerthCallEnds *ends, MlirOperation call,
                              const MlirValue *values, size_t numValues) {
  BerthEnds result = {BERTH_NOTHING, BERTH_NOTHING};
  intptr_t count = mlirOperationGetNumOperands(call);
  for (intptr_t i = 0; i < count; ++i) {
    intptr_t argument = berthCallGetArgument(call, i);
    MlirValue operand = mlirOperationGetOperand(call, i);
    if (argument < 0 || !isAmong(operand, values, numValues))
      continue;
    const BerthEnds *own = &ends->arguments[argument];
    result.first = most(result.first, own->first);
    result.last = most(result.last, own->last);
  }
  return result;
}
