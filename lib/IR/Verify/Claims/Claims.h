//===- Claims.h - What a program says of its buffers -------- C -----------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Later passes believe what the program says of addresses: that they are
// multiples of something (a type, memref.assume_alignment), that two lie in
// different allocations (memref.distinct_objects), and that what a function
// made is gone when it has returned. In an arena all of these may be wrong,
// though they were right before.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_CLAIMS_CLAIMS_H
#define BERTH_LIB_IR_VERIFY_CLAIMS_CLAIMS_H

#include "IR/Verify/Roots/Views.h"

/// Told of an op whose claim is wrong; `arena` is what the buffer lies in.
typedef void (*BerthClaimCallback)(MlirOperation op, const char *why,
                                   MlirOperation arena, const char *note,
                                   void *userData);

/// Checks all claims in a scope.
void berthVerifyClaims(const BerthViews *views, MlirOperation scope,
                       BerthClaimCallback callback, void *userData);

#endif // BERTH_LIB_IR_VERIFY_CLAIMS_CLAIMS_H
