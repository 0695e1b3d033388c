//===- Turns.h - Loops that write over what they read --------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An op that works in place, as a nest of loops: each turn reads an element of
// one buffer, and then writes the same bytes as an element of another one. No
// two turns have an element in common. So a turn finds its element as it was,
// whatever the others have written, and the write spoils the buffer that is
// read only when the loops have ended:
//
//      for %i ...
//        %x = load %a[%i]       nothing else of %a is read in the loop
//        store f(%x), %b[%i]    %a and %b: the same bytes
//      (here %a is spoilt)
//
// So it is where loops read a buffer ahead of their writes to another one at
// some other distance (ReadsAhead.h).
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_BYTES_TURNS_H
#define BERTH_LIB_IR_VERIFY_BYTES_TURNS_H

#include "IR/Verify/Roots/Views.h"

/// `write` does not spoil `root` before `top`, the outermost of the loops, has
/// ended.
typedef struct BerthTurn {
  MlirOperation write;
  uint32_t root;
  MlirOperation top;
  size_t nextOfWrite; ///< another one of the same op, or BERTH_NOT_FOUND
  size_t nextOfTop;
} BerthTurn;

typedef struct BerthTurns {
  BerthPointerMap firstOfWrite; ///< op -> index into `items`
  BerthPointerMap firstOfTop;
  BerthTurn *items;
  size_t count, capacity;
} BerthTurns;

/// Those that spare any root or, unless `isWanted` is NULL, one of these.
BerthTurns berthTurnsOf(const BerthViews *views, MlirRegion body,
                        const bool *isWanted);
void berthTurnsFree(BerthTurns *turns);

/// The first one of a write, or BERTH_NOT_FOUND; `turns` may be NULL.
size_t berthTurnsFirst(const BerthTurns *turns, MlirOperation write);

/// True if the write does not spoil that root where it stands.
bool berthTurnsSpare(const BerthTurns *turns, MlirOperation write,
                     uint32_t root);

#endif // BERTH_LIB_IR_VERIFY_BYTES_TURNS_H
