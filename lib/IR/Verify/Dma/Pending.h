//===- Pending.h - What an op may still use behind itself ------- C -------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An op may be behind us while its work is not: it goes on until a wait for its
// token, a barrier, or the wait for its group of copies. Here it is asked which
// buffers such work may use; Dma.c follows it through the program.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_DMA_PENDING_H
#define BERTH_LIB_IR_VERIFY_DMA_PENDING_H

#include "IR/Ops/OpTable.h"
#include "IR/Verify/Roots/Access.h"
#include "IR/Verify/Roots/LateUses.h"

/// Buffers that an op may use behind itself, and what ends that.
typedef struct BerthLateUse {
  MlirOperation op;
  BerthLateKind kind;
  bool isPending; ///< work that the next barrier ends
  bool isGrouped; ///< copies that end as groups of their `async` kind do
  BerthAsyncKind async;
  bool isEndless; ///< nothing ends it: a call that leaves copies under way
  size_t count, capacity;
  uint32_t *roots; ///< owned; each once
} BerthLateUse;

/// What the op starts until the next barrier; of a call, all that it touches.
BerthLateUse berthPendingUse(const BerthViews *views, MlirOperation op);

/// What copies that end with their groups may use behind the op, in memory that
/// its thread has for itself: of what threads share Threads.h knows more. Of a
/// call that leaves copies under way: `isEndless`.
BerthLateUse berthGroupedUse(const BerthViews *views, MlirOperation op,
                             MlirOperation scope,
                             const BerthVerifyOptions *options, bool isEndless);

/// What the op gives away or, if it goes on, all that it and the ops in it are
/// given.
BerthLateUse berthGivenUse(const BerthViews *views, MlirOperation op,
                           bool unknownEnds);

#endif // BERTH_LIB_IR_VERIFY_DMA_PENDING_H
