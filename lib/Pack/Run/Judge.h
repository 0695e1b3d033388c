//===- Judge.h - What a plan has proven ---------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_RUN_JUDGE_H
#define BERTH_LIB_PACK_RUN_JUDGE_H

#include "Pack/Run/Verdict.h"

/// Fills in the plan from the answer: places by buffer, figures, bound and why,
/// status, proven levels, stop reason and, where nothing can fit, the conflict.
/// Claims count only as far as the packer's capabilities go, and never where
/// the task was coarser than the problem.
BerthStatus berthJudge(const BerthVerdict *verdict, BerthPlan *plan,
                       BerthError *error);

#endif // BERTH_LIB_PACK_RUN_JUDGE_H
