//===- ForeignLayout.h - How large a memref of foreign layout is --- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_TARGET_FOREIGNLAYOUT_H
#define BERTH_LIB_IR_TARGET_FOREIGNLAYOUT_H

#include "IR/Ops/Text.h"

#include <stdint.h>

/// The elements from the start of a memref of static shape to past its last
/// one, by what the target description in force says of its layout. False if
/// it says nothing that tells: such a layout is never assumed to be dense.
bool berthForeignLayoutCount(MlirType type, int64_t *count);

/// True if it does say how to read the layout's text, but that is another:
/// appends why its bytes are not known.
bool berthForeignLayoutBreaksRule(MlirType type, BerthText *why);

#endif // BERTH_LIB_IR_TARGET_FOREIGNLAYOUT_H
