//===- BranchOperands.h - What branches pass to a block ------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_OPS_BRANCHOPERANDS_H
#define BERTH_LIB_IR_OPS_BRANCHOPERANDS_H

#include "IR/Facts/Facts.h"

/// Calls back for all that the branches of the region pass to the block, pair
/// by pair. False if one of them does not say.
bool berthBlockGetIncoming(MlirBlock block, BerthValuePairCallback callback,
                           void *userData);

#endif // BERTH_LIB_IR_OPS_BRANCHOPERANDS_H
