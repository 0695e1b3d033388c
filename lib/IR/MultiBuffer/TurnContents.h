//===- TurnContents.h - Content that each turn makes anew ---------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a turn makes, moves and forgets is told by marks with numbers (Ops/
// Attributes.h). Where the code of a turn stands several times, each of these
// has contents of its own, so that each number means one buffer.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_MULTIBUFFER_TURNCONTENTS_H
#define BERTH_LIB_IR_MULTIBUFFER_TURNCONTENTS_H

#include "mlir-c/IR.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// All of whose places stand in one loop.
typedef struct BerthTurnContents {
  MlirOperation scope;
  MlirAttribute *numbers;
  size_t count, capacity;
  size_t numSources, sourceCapacity;
  MlirOperation *sources; ///< around the loop, from which some are copied
  int64_t *last;          ///< the highest number of a content
  bool areShared; ///< some have other places, too: nobody may copy a turn
} BerthTurnContents;

BerthTurnContents berthTurnContentsOf(MlirOperation scope, MlirOperation loop,
                                      int64_t *last);
void berthTurnContentsFree(BerthTurnContents *contents);

/// Gives the ops, copies of such of a turn, and all in them new numbers.
void berthTurnContentsRename(const BerthTurnContents *contents,
                             const MlirOperation *ops, size_t numOps);

#endif // BERTH_LIB_IR_MULTIBUFFER_TURNCONTENTS_H
