//===- MoveViews.h - An earlier arena's buffers in the new one ----- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_REWRITE_MOVEVIEWS_H
#define BERTH_LIB_IR_REWRITE_MOVEVIEWS_H

#include "IR/Ops/PointerMap.h"
#include "IR/Rewrite/LoopNames.h"
#include "IR/Scope/Job.h"

/// The numbers that views of the arena at hand get. Zero-initialise but `next`;
/// then berthPointerMapFree.
typedef struct BerthNewNumbers {
  size_t next;        ///< that no buffer of the job has
  BerthPointerMap of; ///< old number (a unique attribute) -> new one
} BerthNewNumbers;

/// Numbers the buffer on its view of the arena, for berth-verify, and tells
/// what it was allocated by, if not in the host's memory.
void berthNumberView(MlirOperation view, size_t number, MlirOperation alloc);

/// Makes the views of an arena that is placed as a buffer views of the new
/// arena, `offset` bytes from its beginning. Views with one number keep having
/// one. True if nothing uses the old arena any more.
bool berthMoveViews(const BerthBufferInfo *buffer, MlirValue arena,
                    int64_t offset, BerthNewNumbers *numbers,
                    BerthLoopNames *names);

#endif // BERTH_LIB_IR_REWRITE_MOVEVIEWS_H
