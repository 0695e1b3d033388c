//===- BarrierSearch.h - The cheapest barriers for so many bytes --- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_BARRIERS_BARRIERSEARCH_H
#define BERTH_LIB_IR_BARRIERS_BARRIERSEARCH_H

#include "IR/Barriers/BarrierSteps.h"

/// Looks for the cheapest barriers of a smallest plan and of all sizes above.
/// False if it was given up before it was through. Steps are there already.
bool berthStepsSearch(BerthSteps *steps);

#endif // BERTH_LIB_IR_BARRIERS_BARRIERSEARCH_H
