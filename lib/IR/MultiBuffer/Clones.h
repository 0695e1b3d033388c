//===- Clones.h - Ops that stand a second time ---------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_MULTIBUFFER_CLONES_H
#define BERTH_LIB_IR_MULTIBUFFER_CLONES_H

#include "IR/Ops/Build.h"
#include "IR/Ops/PointerMap.h"

/// What stands for what in the clones. Zero-initialise; then berthClonesFree.
typedef struct BerthClones {
  BerthPointerMap numberOf; ///< value -> its number in `values`
  size_t numValues, capacity;
  MlirValue *values;
} BerthClones;

/// From here on clones are given `to` where the ops are given `from`.
void berthClonesSet(BerthClones *clones, MlirValue from, MlirValue to);

/// What stands for the value: it itself by default.
MlirValue berthClonesGet(const BerthClones *clones, MlirValue value);

/// The op once more, with what is in it; its results stand for the op's.
MlirOperation berthCloneOp(BerthClones *clones, BerthInsertPoint at,
                           MlirOperation op);

void berthClonesFree(BerthClones *clones);

/// Destroys an op none of whose results has a use.
void berthDestroyIfUnused(MlirOperation op);

#endif // BERTH_LIB_IR_MULTIBUFFER_CLONES_H
