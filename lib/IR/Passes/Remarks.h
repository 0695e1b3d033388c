//===- Remarks.h - What berth-arena tells the user of a compiler --- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_PASSES_REMARKS_H
#define BERTH_LIB_IR_PASSES_REMARKS_H

#include "IR/Scope/Job.h"

/// A missed remark of `pass` at the allocation: "VERDICT: reason".
void berthRemarkRejection(const BerthBufferInfo *buffer, const char *pass,
                          const char *verdict);

/// One at each allocation, and the sums at the scope.
void berthEmitJobRemarks(const BerthJob *job);

#endif // BERTH_LIB_IR_PASSES_REMARKS_H
