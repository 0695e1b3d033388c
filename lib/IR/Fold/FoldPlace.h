//===- FoldPlace.h - Where an expression is evaluated -------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_FOLD_FOLDPLACE_H
#define BERTH_LIB_IR_FOLD_FOLDPLACE_H

#include "IR/Ops/Text.h"
#include "berth-c/Fold.h"
#include "mlir-c/IR.h"

#define BERTH_FOLD_MAX_LOOPS 12

typedef struct BerthFoldParams BerthFoldParams;
typedef struct BerthFoldPlace BerthFoldPlace;

/// The parameters met so far.
struct BerthFoldParams {
  size_t count;
  MlirValue values[BERTH_FOLD_MAX_PARAMS];
  BerthText facts; ///< " and ..." for each fact
  /// Adds what is known of parameter `number`. The variable of a loop outside
  /// the block is a parameter within bounds, which are expressions again, and
  /// may bring more parameters: so FoldExpr.c and FoldLoops.c need each other,
  /// and this is berthFoldAddFacts of FoldLoops.c.
  void (*addFacts)(const BerthFoldPlace *place, BerthFoldParams *params,
                   size_t number);
};

/// Where an expression is evaluated: the variables of the loops around it,
/// outermost first (a loop may have several), and the block that owns the
/// arrays.
struct BerthFoldPlace {
  MlirBlock owner;
  size_t numLoops;
  MlirValue variables[BERTH_FOLD_MAX_LOOPS];
};

#endif // BERTH_LIB_IR_FOLD_FOLDPLACE_H
