//===- FoldIndex.c - Index arithmetic of folded accesses -----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Fold/FoldIndex.h"

MlirValue berthFoldBinary(BerthInsertPoint at, const char *name, MlirValue a,
                          MlirValue b) {
  MlirValue operands[] = {a, b};
  return berthBuildValue(at, name, 2, operands, mlirValueGetType(a), 0, NULL);
}

MlirValue berthFoldSelect(BerthInsertPoint at, int predicate, MlirValue a,
                          MlirValue b, MlirValue first, MlirValue second) {
  MlirValue condition = berthBuildCompare(at, predicate, a, b);
  MlirValue operands[] = {condition, first, second};
  return berthBuildValue(at, "arith.select", 3, operands,
                         mlirValueGetType(first), 0, NULL);
}

MlirValue berthFoldFloorMod(BerthInsertPoint at, MlirValue v, MlirValue b) {
  MlirValue rest = berthFoldBinary(at, "arith.remsi", v, b);
  MlirValue zero = berthBuildIndex(at, 0);
  MlirValue wrapped = berthFoldBinary(at, "arith.addi", rest, b);
  return berthFoldSelect(at, BERTH_FOLD_LESS, rest, zero, wrapped, rest);
}

MlirValue berthFoldFloorDiv(BerthInsertPoint at, MlirValue v, MlirValue b) {
  MlirValue rest = berthFoldFloorMod(at, v, b);
  return berthFoldBinary(at, "arith.divsi",
                         berthFoldBinary(at, "arith.subi", v, rest), b);
}

MlirValue berthFoldAddScaled(BerthInsertPoint at, MlirValue sum,
                             MlirValue value, int64_t factor) {
  if (factor == 0)
    return sum;
  if (factor == -1 && !mlirValueIsNull(sum))
    return berthFoldBinary(at, "arith.subi", sum, value);
  if (factor != 1)
    value =
        berthFoldBinary(at, "arith.muli", value, berthBuildIndex(at, factor));
  return mlirValueIsNull(sum) ? value
                              : berthFoldBinary(at, "arith.addi", sum, value);
}
