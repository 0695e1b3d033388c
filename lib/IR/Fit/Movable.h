//===- Movable.h - Which buffers may change places ------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_FIT_MOVABLE_H
#define BERTH_LIB_IR_FIT_MOVABLE_H

#include "IR/Fit/FitJob.h"

/// Fills in `block`, `mayBeSlow` and why not.
void berthFitFindBlock(const BerthJob *job, BerthFitBuffer *buffer);

/// Fills in `source` and `copy`, where there is such a copy. Needs the uses.
void berthFitFindSource(const BerthFitJob *fit, const BerthJob *job,
                        BerthFitBuffer *buffer);

/// The op itself or the one around it that stands in the block; null: none.
MlirOperation berthAncestorInBlock(MlirOperation op, MlirBlock block);

#endif // BERTH_LIB_IR_FIT_MOVABLE_H
