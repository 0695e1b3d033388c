//===- Adopt.h - Plans from elsewhere ------------------------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IO_ADOPT_H
#define BERTH_LIB_IO_ADOPT_H

#include "berth-c/Pack.h"

/// Makes a plan of this process out of the offsets, pools and cuts of `given`:
/// judged and verified by berthPackWith, as the answer of a packer named `name`
/// (static storage) that may prove nothing. Steps and stop reason are taken
/// over. BERTH_INTERNAL if the plan is invalid.
BerthStatus berthPlanAdopt(const BerthProblemData *problem,
                           const BerthPlan *given, const char *name,
                           BerthPlan *plan, BerthError *error);

#endif // BERTH_LIB_IO_ADOPT_H
