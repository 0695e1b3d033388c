//===- Judge.h - What a plan has proven ---------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_RUN_JUDGE_H
#define BERTH_LIB_PACK_RUN_JUDGE_H

#include "Pack/Task/Host.h"
#include "Pack/Task/Normalize.h"

/// All that is known after a packer has run.
typedef struct BerthVerdict {
  const BerthProblemData *problem;
  const BerthReduction *reduction;
  const BerthPacker *packer;
  const BerthHostState *state;
  const BerthAnswer *answer;
} BerthVerdict;

/// Fills in the plan from the answer: places by buffer, figures, bound, status,
/// proven levels, stop reason and, where nothing can fit, the conflict. Claims
/// count only as far as the packer's capabilities go, and never where the task
/// was coarser than the problem.
BerthStatus berthJudge(const BerthVerdict *verdict, BerthPlan *plan,
                       BerthError *error);

#endif // BERTH_LIB_PACK_RUN_JUDGE_H
