//===- Frames.h - Arenas that are handed to calls ---------- C ------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function may have its buffers in a part of its caller's arena. That the
// caller keeps nothing there across the call is seen by the flow of bytes: a
// call overwrites the arena that it is handed. That no two calls have one part
// at a time is seen here.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_CLAIMS_FRAMES_H
#define BERTH_LIB_IR_VERIFY_CLAIMS_FRAMES_H

#include "IR/Verify/Claims/Claims.h"

/// Checks all calls in a scope. In memory that threads share a part is one for
/// all of them, and what they do at the same time is checked elsewhere.
void berthVerifyFrames(const BerthViews *views, MlirOperation scope,
                       const BerthVerifyOptions *options,
                       BerthClaimCallback callback, void *userData);

#endif // BERTH_LIB_IR_VERIFY_CLAIMS_FRAMES_H
