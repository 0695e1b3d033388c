//===- Trace.h - Ground truth at small sizes ----------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_FOLD_MAPPING_TRACE_H
#define BERTH_LIB_FOLD_MAPPING_TRACE_H

#include "Fold/Problem/Problem.h"

/// The largest number of cells live at once at `params`; 0 when there is no
/// trace or it has more than `maxEvents` writes and reads.
uint64_t berthFoldLiveCells(const BerthFoldProblem *problem,
                            const int64_t *params, size_t maxEvents);

#endif // BERTH_LIB_FOLD_MAPPING_TRACE_H
