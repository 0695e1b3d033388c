//===- BlockState.h - What code does to the state of buffers -------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The state of one buffer is a number: unset, valid, or clobbered by write k.
// A piece of code maps each buffer's state to a state, each independently of
// the others, so it is a small table; composing and joining such tables gives
// loops their fixpoint without walking a body twice:
//
//      code                 unset    valid      clobbered by j
//      nothing              unset    valid      clobbered by j
//      the view is made     unset    unset      unset
//      a full overwrite     valid    valid      valid
//      a partial write      valid    valid      clobbered by j
//      write k of another   unset    clobb. k   clobbered by j
//
// On the join of two paths: unset < valid < clobbered, and of two writes that
// clobber, the one that stands first in the program is kept.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_BYTES_BLOCKSTATE_H
#define BERTH_LIB_IR_VERIFY_BYTES_BLOCKSTATE_H

#include "IR/Verify/Bytes/SharedBytes.h"
#include "Support/BumpMemory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// 0: unset, 1: valid, 2 + k: clobbered by write k.
typedef uint32_t BerthContentState;

#define BERTH_CONTENT_UNSET 0u
#define BERTH_CONTENT_VALID 1u
#define BERTH_CONTENT_CLOBBERED 2u
/// In a transfer, for the clobbered state: it stays as it is.
#define BERTH_CONTENT_KEPT UINT32_MAX

typedef struct BerthTransfer {
  BerthContentState ofUnset;
  BerthContentState ofValid;
  BerthContentState ofClobbered; ///< a state, or BERTH_CONTENT_KEPT
} BerthTransfer;

extern const BerthTransfer berthTransferNothing;

BerthContentState berthTransferApply(BerthTransfer transfer,
                                     BerthContentState state);
BerthTransfer berthTransferCompose(BerthTransfer first, BerthTransfer then);

/// Cells (SharedBytes.h) that are written, and the state of valid content
/// there: clobbered by the first such write.
typedef struct BerthClobber {
  BerthSpan cells;
  BerthContentState state;
} BerthClobber;

/// What a piece of code does to all buffers. Those that it makes or writes
/// itself, sorted by root, have transfers of their own. To each other one that
/// has a range the writes that meet this range do the same, which the clobbered
/// cells tell, sorted and apart: far more buffers lie there than are written.
/// A null map (`isReached` false) stands for code that no path reaches, the
/// neutral element of joins. Maps never change, so several may share arrays.
typedef struct BerthTransferMap {
  bool isReached;
  size_t count;
  const uint32_t *roots;
  const BerthTransfer *transfers;
  size_t numClobbers;
  const BerthClobber *clobbers;
} BerthTransferMap;

/// Where maps live, and the ranges of the roots.
typedef struct BerthTransferSpace {
  BerthMemory memory;
  const BerthSpans *spans;
} BerthTransferSpace;

/// The map of no code at all.
BerthTransferMap berthTransferMapIdentity(void);

/// True if the root has a transfer of its own.
bool berthTransferMapHolds(const BerthTransferMap *map, uint32_t root);
/// What the clobbered cells do to a root that has none.
BerthTransfer berthTransferOfClobbers(const BerthTransferMap *map,
                                      BerthSpan span);

BerthTransferMap berthTransferMapCompose(BerthTransferSpace *space,
                                         BerthTransferMap first,
                                         BerthTransferMap then);
BerthTransferMap berthTransferMapJoin(BerthTransferSpace *space,
                                      BerthTransferMap a, BerthTransferMap b);
/// True if both say the same in the same way.
bool berthTransferMapEqual(BerthTransferMap a, BerthTransferMap b);

#endif // BERTH_LIB_IR_VERIFY_BYTES_BLOCKSTATE_H
