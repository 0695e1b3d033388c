//===- Verdict.h - What is judged ---------------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_RUN_VERDICT_H
#define BERTH_LIB_PACK_RUN_VERDICT_H

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

#endif // BERTH_LIB_PACK_RUN_VERDICT_H
