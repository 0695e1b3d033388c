//===- Existing.h - Views that stand for declared memory ---- C -----------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A view of an arena may stand for shared memory that the kernel declared
// (berth.existing). Then nobody may be left who has that memory as it was:
//
//   global             no function that the kernel may call asks for it, nor
//                      the kernel
//   dynamic memory     nor asks one of these for that; and views that had bytes
//                      in common have the same ones in common in the arena
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_CLAIMS_EXISTING_H
#define BERTH_LIB_IR_VERIFY_CLAIMS_EXISTING_H

#include "IR/Verify/Runs/VerifyOptions.h"
#include "mlir-c/IR.h"

/// Told of a view that is wrong, and of the other op.
typedef void (*BerthExistingCallback)(MlirOperation view, const char *why,
                                      MlirOperation other, const char *note,
                                      void *userData);

/// Checks the views in a function. What lies outside of `root` is not looked
/// at: another thread may be changing it.
void berthVerifyExisting(MlirOperation function, MlirOperation root,
                         const BerthVerifyOptions *options,
                         BerthExistingCallback callback, void *userData);

#endif // BERTH_LIB_IR_VERIFY_CLAIMS_EXISTING_H
