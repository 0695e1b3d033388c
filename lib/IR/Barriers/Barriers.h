//===- Barriers.h - Packing memory that threads share -------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_BARRIERS_BARRIERS_H
#define BERTH_LIB_IR_BARRIERS_BARRIERS_H

#include "IR/Scope/Job.h"

/// Packs and verifies the job's problem. In memory that threads share, pairs
/// that lack a barrier are kept apart, or the barriers to insert are chosen.
void berthPackScope(BerthJob *job);

/// Remarks at barriers of the scope that count for nothing.
void berthRemarkBarriers(const BerthJob *job);

#endif // BERTH_LIB_IR_BARRIERS_BARRIERS_H
