//===- RunTimeApart.h - Views that lie one above the other ---------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_ROOTS_RUNTIMEAPART_H
#define BERTH_LIB_IR_VERIFY_ROOTS_RUNTIMEAPART_H

#include "mlir-c/IR.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct BerthArenaView {
  MlirOperation view; ///< a memref.view; null: there is none
  const void *arena;  ///< what its arena is known by
} BerthArenaView;

/// Which views lie above which others of their arenas, whatever the sizes are:
/// in [a * count + b] whether a lies above b. To be freed with free().
bool *berthFindApart(const BerthArenaView *views, size_t count);

#endif // BERTH_LIB_IR_VERIFY_ROOTS_RUNTIMEAPART_H
