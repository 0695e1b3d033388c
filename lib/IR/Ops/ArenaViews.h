//===- ArenaViews.h - Arenas that stand in the program already ----- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// What an earlier run of berth-arena has left: a memref with numbered views,
// the buffers. Such an arena may be placed in another one only if its views
// become views of that one. A numbered view of a numbered view would be two
// buffers at the same bytes, of which berth-verify could not say which one an
// op means.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_OPS_ARENAVIEWS_H
#define BERTH_LIB_IR_OPS_ARENAVIEWS_H

#include "mlir-c/IR.h"

#include <stdbool.h>

/// True for a memref.view that berth-arena has numbered.
bool berthIsNumberedView(MlirOperation op);

/// True if some user of the value is such a view.
bool berthIsArena(MlirValue value);

/// True if the arena is nothing but its buffers, at constant offsets, and what
/// frees it: then the views may be moved to another arena.
bool berthArenaMayMove(MlirValue arena);

#endif // BERTH_LIB_IR_OPS_ARENAVIEWS_H
