//===- VerifyUpdates.h - Arguments updated in place ------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function copies an argument and returns the copy, changed. It is about to
// change the argument itself instead. That is right if
//
//  - in the function nothing reads the argument when the copy may have been
//    written, and nothing writes to the argument behind the copying;
//  - wherever it is called, no value that may be the argument's memory is used
//    behind the call, until it is made anew; nobody has kept an address of it;
//    and where it comes from a caller's argument, or what another function
//    returns, the same holds there.
//
// It is asked of the program as it is before that, when what the function
// returns is still a buffer of its own.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_VERIFYUPDATES_H
#define BERTH_LIB_IR_VERIFY_VERIFYUPDATES_H

#include "mlir-c/IR.h"

/// Looks at a copy that is marked (berth.update: the argument's number).
/// Returns why it may be wrong, or NULL. What is right may be refused: then the
/// copy stays.
const char *berthVerifyUpdate(MlirOperation root, MlirOperation copy);

#endif // BERTH_LIB_IR_VERIFY_VERIFYUPDATES_H
