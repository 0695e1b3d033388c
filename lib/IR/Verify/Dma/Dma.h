//===- Dma.h - Bytes that transfers are still using ----------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Keeps along each path the transfers (memref.dma_start) that may be under way,
// and holds every access against them: from its start on a transfer may read
// its source and write its target and its tag at any moment, until a wait that
// is surely for it. On the join of paths all stay.
//
//   start X -> Y        X read, Y written
//   store Z             error, if Z has bytes of X or Y
//   wait                nothing
//   store Z             right
//
// So are other uses behind an op (LateUses.h): of work that goes on until
// somebody waits for its token, and of addresses that have got away, which
// lasts for ever.
//
// So are copies that end with their group, up to a wait for it, in memory that
// threads do not share. So is what a target description calls pending, until
// the next barrier. None
// of all this may use a buffer of the arena when the function returns.
//
// No wait ends a transfer whose tag others may use, or on whose element another
// one is started meanwhile. A call of a function that leaves some under way is
// one itself, of all that the function is given.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_DMA_DMA_H
#define BERTH_LIB_IR_VERIFY_DMA_DMA_H

#include "IR/Verify/Roots/LateUses.h"
#include "IR/Verify/Roots/Views.h"

/// How an op meets what is still in use.
typedef enum BerthDmaMeeting {
  BERTH_DMA_TOUCHES, ///< it touches the same bytes
  BERTH_DMA_MAKES,   ///< it makes the buffer in use anew
  BERTH_DMA_FREES,   ///< it frees the arena
  BERTH_DMA_LEFT     ///< it goes on behind the function
} BerthDmaMeeting;

/// Told of an op that meets what a transfer uses that was started by `start`,
/// or, if `kind` is not BERTH_LATE_NONE, what `start` left to others.
typedef void (*BerthDmaCallback)(MlirOperation op, MlirOperation start,
                                 BerthDmaMeeting meeting, BerthLateKind kind,
                                 void *userData);

void berthVerifyDma(const BerthViews *views, MlirOperation scope,
                    const BerthVerifyOptions *options, bool hasTransfers,
                    BerthDmaCallback callback, void *userData);

#endif // BERTH_LIB_IR_VERIFY_DMA_DMA_H
