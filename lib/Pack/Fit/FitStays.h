//===- FitStays.h - Choices as stays with offsets ----------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_FIT_FITSTAYS_H
#define BERTH_LIB_PACK_FIT_FITSTAYS_H

#include "Pack/Fit/FitTask.h"

/// A problem whose buffers are the stays; the caller destroys it. NULL when
/// memory ran out.
BerthProblem *berthFitStaysProblem(const BerthProblemData *problem,
                                   const BerthStay *stays, size_t count);

/// The stays of the choices, without offsets, and the figures that follow from
/// them; frees what the plan had. False when memory ran out.
bool berthFitStaysMake(const BerthFitTask *task,
                       const BerthProblemData *problem, const uint8_t *choices,
                       BerthFitPlan *plan);

#endif // BERTH_LIB_PACK_FIT_FITSTAYS_H
