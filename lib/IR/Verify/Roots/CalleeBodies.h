//===- CalleeBodies.h - What the bodies of functions do ---- C ------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_ROOTS_CALLEEBODIES_H
#define BERTH_LIB_IR_VERIFY_ROOTS_CALLEEBODIES_H

#include "IR/Verify/Roots/Calls.h"

/// An empty table that looks into the functions inside `root`.
BerthCallees berthCalleesIn(MlirOperation root);

#endif // BERTH_LIB_IR_VERIFY_ROOTS_CALLEEBODIES_H
