//===- WrittenBytes.h - What threads surely write ------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_THREADS_WRITTENBYTES_H
#define BERTH_LIB_IR_VERIFY_THREADS_WRITTENBYTES_H

#include "IR/Verify/Roots/Views.h"

/// Marks, by byte of the root, what the threads of the block surely write there
/// by the op, or by the copy that it starts, all of them together, if each
/// comes to `top` once: that is the op, or stands around it. Less where that
/// cannot be computed.
void berthMarkWrittenBytes(const BerthViews *views, MlirOperation scope,
                           MlirOperation op, MlirOperation top, uint32_t root,
                           bool *isWritten);

#endif // BERTH_LIB_IR_VERIFY_THREADS_WRITTENBYTES_H
