//===- RootFlow.h - What a use of a value makes of its roots --------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_ROOTS_ROOTFLOW_H
#define BERTH_LIB_IR_VERIFY_ROOTS_ROOTFLOW_H

#include "IR/Verify/Roots/RootSets.h"

/// True if an address may travel through a value of this type: pointers, and
/// integers of more than one bit.
bool berthMayHoldAddress(MlirType type);

/// Tells the roots of all sets that wait on to what is made of their values,
/// until none waits.
void berthViewsPropagate(BerthViews *views);

#endif // BERTH_LIB_IR_VERIFY_ROOTS_ROOTFLOW_H
