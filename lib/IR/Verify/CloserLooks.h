//===- CloserLooks.h - What still is wrong when looked at closer ---- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The flow of content (Bytes/Flow.h) and the races of threads
// (Threads/Races.h) can be looked at more or less closely: with what is
// overwritten piece by piece, with turns of loops, with pieces of buffers and
// with merged values told apart. Each look is dearer, and each finds all that
// is wrong, so that what one of them does not find is none.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_CLOSERLOOKS_H
#define BERTH_LIB_IR_VERIFY_CLOSERLOOKS_H

#include "IR/Verify/Bytes/Flow.h"
#include "IR/Verify/Threads/Races.h"

/// One scope.
typedef struct BerthLooks {
  BerthThreads threads; ///< the scope and its views, whoever runs it
  bool isOrdered;       ///< the text tells the order
  BerthPieces pieces;   ///< found: those that the plan needs
} BerthLooks;

/// Tells of what reads bytes that another buffer's write has replaced.
void berthFindClobbers(BerthLooks *looks, BerthClobberCallback callback,
                       void *userData);

/// The views with the pieces told apart.
BerthViews berthCutViews(const BerthLooks *looks);

/// Tells of accesses of threads that no barrier separates.
void berthFindRaces(const BerthThreads *threads, BerthRaceCallback callback,
                    void *userData);

#endif // BERTH_LIB_IR_VERIFY_CLOSERLOOKS_H
