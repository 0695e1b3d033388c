//===- Unused.h - Values that nobody needs -------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_PREPARE_UNUSED_H
#define BERTH_LIB_IR_PREPARE_UNUSED_H

#include "mlir-c/IR.h"

#include <stdbool.h>

/// True if nobody has anything of the memory but views, which nobody uses, and
/// deallocations.
bool berthIsUnused(MlirValue memref);

/// Erases the op with all that uses its results.
void berthEraseWithUsers(MlirOperation op);

#endif // BERTH_LIB_IR_PREPARE_UNUSED_H
