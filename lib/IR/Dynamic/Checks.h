//===- Checks.h - Sizes that stop the program ---------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_DYNAMIC_CHECKS_H
#define BERTH_LIB_IR_DYNAMIC_CHECKS_H

#include "IR/Scope/Job.h"

/// Stops the program if the arena exceeds the capacity.
void berthBuildCapacityCheck(const BerthJob *job, BerthInsertPoint at,
                             MlirValue bytes);

/// Says at the entry that a size is wrong; the host says it in its stead
/// (berthSizesAreForHost).
void berthBuildEntrySizeCheck(const BerthBufferInfo *buffer,
                              BerthInsertPoint at, MlirValue fits);

/// Says at the allocation that its size was negative or too large, or larger
/// than the bound that was given for it.
void berthBuildSizeCheck(BerthJob *job, const BerthBufferInfo *buffer);

#endif // BERTH_LIB_IR_DYNAMIC_CHECKS_H
