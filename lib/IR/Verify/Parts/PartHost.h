//===- PartHost.h - What the host asserts, and conditions ----------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_PARTS_PARTHOST_H
#define BERTH_LIB_IR_VERIFY_PARTS_PARTHOST_H

#include "IR/Verify/Parts/PartRanges.h"

/// Takes what the host asserts in front of the block, and that there are
/// threads.
void berthPartReadHost(BerthPartCase *given);

/// The conditions under which the kernel comes to the op, as one.
BerthSum berthPartConditionOf(BerthPartNumbers *numbers, MlirOperation op);

#endif // BERTH_LIB_IR_VERIFY_PARTS_PARTHOST_H
