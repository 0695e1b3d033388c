//===- PerThread.h - Parts of blocks that threads have -------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks what berth-expand has made: a gpu.alloc marked `berth.per_thread` is
// of one launch, which waits for it, and which has ended when it is freed; and
// each thread of that touches bytes of its own in it. The former follows from
// tokens and the order of ops. The latter is shown for all sizes, of each view
// that the kernel makes of the block (PartsApart.h).
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_PARTS_PERTHREAD_H
#define BERTH_LIB_IR_VERIFY_PARTS_PERTHREAD_H

#include "mlir-c/IR.h"

#include <stdbool.h>
#include <stddef.h>

/// Returns the number of errors, each of which it has emitted unless it is to
/// be quiet.
size_t berthVerifyPerThread(MlirOperation root, bool isQuiet);

#endif // BERTH_LIB_IR_VERIFY_PARTS_PERTHREAD_H
