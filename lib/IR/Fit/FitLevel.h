//===- FitLevel.h - A memory and the one behind it ----------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_FIT_FITLEVEL_H
#define BERTH_LIB_IR_FIT_FITLEVEL_H

#include "IR/Scope/ArenaOptions.h"

/// A fast memory and the one behind it.
typedef struct BerthFitLevel {
  BerthArenaOptions fast; ///< capacity and all that a plan of it takes
  BerthCollectOptions slow;
  const char *name; ///< of the fast one, for people
  int64_t fill;     ///< the price of a byte that is brought in
  int64_t spill;    ///< ... that is taken out
  int64_t access;   ///< ... that an op touches in the slow memory; 0: no op can
  int64_t recompute;  ///< ... that is computed again; 0: none is
  int64_t bandwidth;  ///< bytes that move in a unit of time; 0: it is not known
  int64_t latency;    ///< units of time that a move takes besides its bytes
  bool hasTransfers;  ///< content moves by transfers, or by `moveOp`
  bool doubleBuffers; ///< transfers into tiles start a turn ahead
  int64_t channels;   ///< so many of them may be under way; 0: any number
  const char *moveOp; ///< the described op that moves content; NULL: none
  const char *moveWait; ///< ... and waits for that; NULL: it is over with it
  MlirType moveToken;   ///< of what `moveOp` returns; null: nothing
  bool mustFit;         ///< what cannot fit is an error
  bool keepsPieces; ///< what is overwritten piece by piece goes on being what
                    ///< it was
} BerthFitLevel;

/// What a run has done, on all levels.
typedef struct BerthFitFigures {
  uint64_t moved; ///< buffers
  uint64_t bytesIn;
  uint64_t bytesOut;
  uint64_t bytesTouched;  ///< in the slow memories
  uint64_t bytesComputed; ///< again
  uint64_t transfers;     ///< moves that are waited for
  uint64_t beside;        ///< those that go on beside other ops
  uint64_t slots;         ///< tiles that are brought a turn ahead
} BerthFitFigures;

#endif // BERTH_LIB_IR_FIT_FITLEVEL_H
