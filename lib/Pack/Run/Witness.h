//===- Witness.h - What needs as much as the lower bound says ------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A bound is of use to people as far as they see where it comes from: which
// buffers, at what time, need so much already if there were no others.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_RUN_WITNESS_H
#define BERTH_LIB_PACK_RUN_WITNESS_H

#include "Pack/Run/Verdict.h"

/// Says why no plan is below the plan's lower bound, and names the buffers.
BerthStatus berthWitnessBound(const BerthVerdict *verdict, BerthPlan *plan,
                              BerthError *error);

#endif // BERTH_LIB_PACK_RUN_WITNESS_H
