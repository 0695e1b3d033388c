//===- FitTransfers.h - Moves that berth-fit makes transfers of ----- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_PASSES_FITTRANSFERS_H
#define BERTH_LIB_IR_PASSES_FITTRANSFERS_H

#include "IR/Passes/FitRunning.h"

/// Makes transfers of the copies where a level has such. Last of all, so that
/// no level has to move what is on its way to another one.
void berthFitMakeTransfers(BerthFitRunning *run, const BerthFitLevel *levels,
                           size_t numLevels);

#endif // BERTH_LIB_IR_PASSES_FITTRANSFERS_H
