//===- Instances.h - Buffers of earlier iterations ------------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A view in a loop makes a new instance of its buffer in each iteration, at the
// same bytes. A block argument of the loop may still hold the one before:
//
//   scf.for iter_args(%previous = %init) {
//     ... read %previous ...       right: the newest there is
//     %next = memref.view %arena   a new instance
//     ... read %previous ...       wrong: its bytes are %next's now
//     scf.yield %next
//   }
//
// So each such argument gets a root of its own for what it holds: valid where
// the block begins, gone where the view is made again. Views of the argument
// belong to it, and what is computed of it alone (an address carried as an
// index); what may be the argument or something else does not, since one cannot
// tell which of them it is.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_ROOTS_INSTANCES_H
#define BERTH_LIB_IR_VERIFY_ROOTS_INSTANCES_H

#include "IR/Verify/Roots/Views.h"

/// Adds these roots. Call it once, when all sets are known.
void berthFindInstances(BerthViews *views);

#endif // BERTH_LIB_IR_VERIFY_ROOTS_INSTANCES_H
