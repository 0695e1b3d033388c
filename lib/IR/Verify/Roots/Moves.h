//===- Moves.h - Copies and transfers of contents ------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What brings a place its content (Contents.h): a copy, or a transfer, which
// has a tag of one element of its own, or a described op's token, and begins
// and ends in one block.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_ROOTS_MOVES_H
#define BERTH_LIB_IR_VERIFY_ROOTS_MOVES_H

#include "mlir-c/IR.h"

#include <stdbool.h>

/// The number of the content that the op moves, or null. A start has that of
/// its wait, for MLIR does not read what it prints of a start with attributes.
MlirAttribute berthMoveNumber(MlirOperation op);

/// The same of what moves between a slice of a content and its tile.
MlirAttribute berthTileMoveNumber(MlirOperation op);

/// True for what begins a transfer that only a wait ends.
bool berthIsStart(MlirOperation op);

typedef enum BerthMoveKind {
  BERTH_MOVE_NONE,
  BERTH_MOVE_COPY,
  BERTH_MOVE_START, ///< of a transfer: the target holds anything from here on
  BERTH_MOVE_WAIT   ///< for one: it holds what was moved
} BerthMoveKind;

/// Between what an op moves, or a transfer for which it waits.
BerthMoveKind berthGetMove(MlirOperation op, MlirValue *from, MlirValue *to);

/// True for a move that its mark says to bring a place its content.
bool berthIsMove(MlirOperation op);

/// True for a wait whose tag is allocated here, and yet nobody knows for which
/// start it is.
bool berthWaitIsInDoubt(MlirOperation op);

/// True if a start, or a described copy, moves all that there is at both ends.
bool berthMoveIsWhole(MlirOperation op);

#endif // BERTH_LIB_IR_VERIFY_ROOTS_MOVES_H
