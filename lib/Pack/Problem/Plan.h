//===- Plan.h - A plan's figures ----------------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_PROBLEM_PLAN_H
#define BERTH_LIB_PACK_PROBLEM_PLAN_H

#include "berth-c/Pack.h"

/// What a plan's offsets, pools and cuts amount to. Products saturate.
typedef struct BerthFigures {
  int64_t peak;
  int64_t price;
  int64_t poolCost;
  int64_t hintDistance;
} BerthFigures;

BerthFigures berthPlanMeasure(const BerthProblemData *problem,
                              const BerthPlan *plan);

/// Allocates the arrays of a zeroed plan: offsets BERTH_NONE, pools 0, no cut.
BerthStatus berthPlanInit(BerthPlan *plan, const BerthProblemData *problem,
                          BerthError *error);

#endif // BERTH_LIB_PACK_PROBLEM_PLAN_H
