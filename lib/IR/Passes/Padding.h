//===- Padding.h - Rows padded ahead of planning -------------------- C ---===//
//---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_PASSES_PADDING_H
#define BERTH_LIB_IR_PASSES_PADDING_H

#include "IR/Scope/ArenaOptions.h"

BERTH_EXTERN_C_BEGIN

typedef struct BerthPadFigures {
  uint64_t buffers;    ///< whose rows were padded
  uint64_t bytesAdded; ///< by that
} BerthPadFigures;

/// Pads the rows of buffers in `root` where threads meet in banks, as far as
/// that costs no room for a workgroup.
void berthPadBuffers(MlirOperation root, const BerthArenaOptions *options,
                     BerthPadFigures *figures);

BERTH_EXTERN_C_END

#endif // BERTH_LIB_IR_PASSES_PADDING_H
