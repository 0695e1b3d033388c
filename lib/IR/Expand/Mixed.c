//===- Mixed.c - Arithmetic of numbers and values -------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Expand/Mixed.h"
#include "IR/Ops/EqualValues.h"
#include "Support/Checked.h"

BerthMixed berthMixedOf(MlirValue value) {
  int64_t number;
  if (berthValueIsConstant(value, &number))
    return berthMixedNumber(number);
  return (BerthMixed){.value = value};
}

MlirValue berthMixedValue(BerthInsertPoint at, BerthMixed mixed) {
  return mlirValueIsNull(mixed.value) ? berthBuildIndex(at, mixed.number)
                                      : mixed.value;
}

static BerthMixed build(BerthInsertPoint at, const char *name, BerthMixed a,
                        BerthMixed b) {
  return (BerthMixed){.value =
                          berthBuildBinary(at, name, berthMixedValue(at, a),
                                           berthMixedValue(at, b))};
}

static bool areNumbers(BerthMixed a, BerthMixed b) {
  return mlirValueIsNull(a.value) && mlirValueIsNull(b.value);
}

// What is too large for a number the program computes, if it ever gets there:
// the host has stopped it before.

BerthMixed berthMixedAdd(BerthInsertPoint at, BerthMixed a, BerthMixed b) {
  int64_t number;
  if (areNumbers(a, b) && berthAdd(a.number, b.number, &number))
    return berthMixedNumber(number);
  if (berthMixedIs(a, 0))
    return b;
  return berthMixedIs(b, 0) ? a : build(at, BERTH_NAME_ADD, a, b);
}

BerthMixed berthMixedMultiply(BerthInsertPoint at, BerthMixed a, BerthMixed b) {
  int64_t number;
  if (areNumbers(a, b) && berthMultiply(a.number, b.number, &number))
    return berthMixedNumber(number);
  if (berthMixedIs(a, 0) || berthMixedIs(b, 1))
    return a;
  if (berthMixedIs(b, 0) || berthMixedIs(a, 1))
    return b;
  return build(at, BERTH_NAME_MULTIPLY, a, b);
}

BerthMixed berthMixedRoundUp(BerthInsertPoint at, BerthMixed a, int64_t unit) {
  if (mlirValueIsNull(a.value))
    return berthMixedNumber(berthRoundUp(a.number, unit));
  if (unit == 1)
    return a;
  BerthMixed raised = berthMixedAdd(at, a, berthMixedNumber(unit - 1));
  return build(at, BERTH_NAME_AND, raised, berthMixedNumber(-unit));
}
