//===- FoldIndex.c - Index arithmetic of folded accesses -----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Fold/FoldIndex.h"

MlirValue berthFoldSelect(BerthInsertPoint at, int predicate, MlirValue a,
                          MlirValue b, MlirValue first, MlirValue second) {
  MlirValue condition = berthBuildCompare(at, predicate, a, b);
  return berthBuildSelect(at, condition, first, second);
}

MlirValue berthFoldFloorMod(BerthInsertPoint at, MlirValue v, MlirValue b) {
  MlirValue rest = berthBuildBinary(at, BERTH_NAME_REMAINDER_SIGNED, v, b);
  MlirValue zero = berthBuildIndex(at, 0);
  MlirValue wrapped = berthBuildBinary(at, BERTH_NAME_ADD, rest, b);
  return berthFoldSelect(at, BERTH_SIGNED_LESS, rest, zero, wrapped, rest);
}

MlirValue berthFoldFloorDiv(BerthInsertPoint at, MlirValue v, MlirValue b) {
  MlirValue rest = berthFoldFloorMod(at, v, b);
  return berthBuildBinary(at, BERTH_NAME_DIVIDE_SIGNED,
                          berthBuildBinary(at, BERTH_NAME_SUBTRACT, v, rest),
                          b);
}

MlirValue berthFoldAddScaled(BerthInsertPoint at, MlirValue sum,
                             MlirValue value, int64_t factor) {
  if (factor == 0)
    return sum;
  if (factor == -1 && !mlirValueIsNull(sum))
    return berthBuildBinary(at, BERTH_NAME_SUBTRACT, sum, value);
  if (factor != 1)
    value = berthBuildBinary(at, BERTH_NAME_MULTIPLY, value,
                             berthBuildIndex(at, factor));
  return mlirValueIsNull(sum)
             ? value
             : berthBuildBinary(at, BERTH_NAME_ADD, sum, value);
}
