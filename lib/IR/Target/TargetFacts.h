//===- TargetFacts.h - Kinds, traits and groups in a description --- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// The words for what OpRow.h has as bits and numbers.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_TARGET_TARGETFACTS_H
#define BERTH_LIB_IR_TARGET_TARGETFACTS_H

#include "IR/Target/TargetText.h"

/// Reads the values of the keys `kind`, `traits` and `async`.
BerthOpKind berthTargetReadKind(BerthTargetReader *reader);
void berthTargetReadTraits(BerthTargetReader *reader, BerthOpRow *row);
void berthTargetReadAsync(BerthTargetReader *reader, BerthOpRow *row);

/// Some of it stands for the form of an op of MLIR's too, its operands and its
/// regions, and whoever believes it reaches for them. Of other ops than Berth's
/// own description has it of, that is an error. `list`: the key of a list of
/// operands of which the same holds, or NULL.
void berthTargetCheckForm(BerthTargetReader *reader, const BerthOpRow *row,
                          const char *list, size_t position);

#endif // BERTH_LIB_IR_TARGET_TARGETFACTS_H
