//===- VerifyTransfer.h - What code does to the state of buffers --- C ---===//
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

#ifndef BERTH_LIB_IR_VERIFYTRANSFER_H
#define BERTH_LIB_IR_VERIFYTRANSFER_H

#include "Support/Arena.h"

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

BerthContentState berthStateJoin(BerthContentState a, BerthContentState b);
BerthContentState berthTransferApply(BerthTransfer transfer,
                                     BerthContentState state);
BerthTransfer berthTransferCompose(BerthTransfer first, BerthTransfer then);
BerthTransfer berthTransferJoin(BerthTransfer a, BerthTransfer b);

/// The transfers of the buffers that a piece of code touches, sorted by root;
/// all others pass unchanged. A null map (`isReached` false) stands for code
/// that no path reaches, the neutral element of joins.
typedef struct BerthTransferMap {
  bool isReached;
  size_t count;
  const uint32_t *roots;
  const BerthTransfer *transfers;
} BerthTransferMap;

/// The map of no code at all.
BerthTransferMap berthTransferMapIdentity(void);

BerthTransferMap berthTransferMapCompose(BerthArena *memory,
                                         BerthTransferMap first,
                                         BerthTransferMap then);
BerthTransferMap berthTransferMapJoin(BerthArena *memory, BerthTransferMap a,
                                      BerthTransferMap b);
bool berthTransferMapEqual(BerthTransferMap a, BerthTransferMap b);

#endif // BERTH_LIB_IR_VERIFYTRANSFER_H
