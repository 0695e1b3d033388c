//===- FrameEnds.h - Frames are as long as what lies there ---------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function may be given an arena of which no type tells the bytes. Each call
// has to bring one that reaches to the end of every buffer that the function
// has there, whatever the numbers are that the call gives it; and what the call
// brings has to end within the arena that it is a part of. Both are proved from
// the arithmetic that stands on either side. What is not proved is refused.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_CLAIMS_FRAMEENDS_H
#define BERTH_LIB_IR_VERIFY_CLAIMS_FRAMEENDS_H

#include "IR/Verify/Claims/Claims.h"

/// Checks all calls of functions below `root` with such an argument.
void berthVerifyFrameEnds(MlirOperation root, BerthClaimCallback callback,
                          void *userData);

#endif // BERTH_LIB_IR_VERIFY_CLAIMS_FRAMEENDS_H
