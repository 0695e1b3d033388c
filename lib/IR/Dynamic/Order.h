//===- Order.h - The order of offsets at a home -------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_DYNAMIC_ORDER_H
#define BERTH_LIB_IR_DYNAMIC_ORDER_H

#include "IR/Scope/Job.h"

/// Orders the buffers of each home. Static offsets are known.
void berthOrderHomes(BerthJob *job);

/// The highest end of a static buffer that the buffer meets; 0 if it meets
/// none, or where these have no offsets (berth-merge).
int64_t berthStaticTop(const BerthJob *job, const BerthBufferInfo *buffer);

#endif // BERTH_LIB_IR_DYNAMIC_ORDER_H
