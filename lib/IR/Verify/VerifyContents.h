//===- VerifyContents.h - Content that changes places ---------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks what berth-fit has marked (Roots/Contents.h): along every path, what
// is read from a place, or moved from it, is what the buffer holds.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_VERIFYCONTENTS_H
#define BERTH_LIB_IR_VERIFY_VERIFYCONTENTS_H

#include "IR/Verify/Roots/Calls.h"
#include "mlir-c/IR.h"

/// Checks one function and returns the number of errors, each of which it has
/// emitted. Content of which some places are gone is not followed: a pass
/// behind berth-fit has made something else of them.
size_t berthVerifyContentsOf(MlirOperation function, BerthCallees *callees);

typedef void (*BerthWrongContents)(MlirOperation function, void *userData);

/// Checks all functions in `root`, right behind berth-fit, and calls back for
/// each in which something is wrong.
void berthVerifyContentsEach(MlirOperation root, BerthWrongContents callback,
                             void *userData);

#endif // BERTH_LIB_IR_VERIFY_VERIFYCONTENTS_H
