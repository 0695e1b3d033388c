//===- FitJob.h - What is moved between two memories ----------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// The fast memory of a scope is too small, and a slow one lies behind it. Of
// each buffer it has to be known where its content may change places: in the
// one block whose ops make, use and forget it. There time is the order of the
// ops.
//
//   scf.for ... {
//     %a = memref.alloc()        the block of %a
//     linalg.exp outs(%a)        a use
//     scf.for ... {              a use: all of it
//       memref.load %a
//     }
//   }
//
// What has no such block stays where it is, whenever it is live.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_FIT_FITJOB_H
#define BERTH_LIB_IR_FIT_FITJOB_H

#include "IR/Fit/FitLevel.h"
#include "IR/Scope/Job.h"

/// Whether the block may be one around that of the subview.
typedef enum BerthFitHoist {
  BERTH_FIT_HOIST_NONE,
  BERTH_FIT_HOIST_SURE, ///< around loops that are sure to have a turn
  BERTH_FIT_HOIST_ANY   ///< a rule that tests break (Ops/Rules.h)
} BerthFitHoist;

/// A slice of a buffer, as each run of a block uses it (Tiles.h).
typedef struct BerthFitTile {
  MlirOperation view; ///< a subview of the buffer that shows it
  MlirBlock block;    ///< whose runs use it, from `first` to `last`
  MlirOperation first;
  MlirOperation last;
  int64_t lower; ///< their points
  int64_t upper;
  int64_t bytes;
  bool reads;  ///< what it holds in front of `first`
  bool writes; ///< some of it
  BerthFitHoist hoist;
  double turns; ///< of the block, in one run of the use
  bool isKnown; ///< else it is a guess
} BerthFitTile;

/// An op of the buffer's block that touches it, or in which ops do.
typedef struct BerthFitUse {
  MlirOperation op;
  int64_t lower; ///< its points
  int64_t upper;
  BerthUseKind kind;
  int64_t bytes; ///< touched in one run of the block
  size_t stay;   ///< in the plan; BERTH_NOT_FOUND: in the slow memory
  /// The op that wrote the content, and may do so again right in front of this
  /// use (Recompute.h); null: there is none.
  MlirOperation producer;
  bool isLonger; ///< only such a producer reads it (Recompute.h)
  /// The slices in which alone it touches the buffer, if there are such.
  size_t numTiles;
  BerthFitTile *tiles;
  bool isTiled; ///< it is planned to be served by them
} BerthFitUse;

typedef struct BerthFitBuffer {
  const BerthBufferInfo *info;
  bool isInSlow;   ///< it is allocated in the slow memory
  MlirBlock block; ///< where it may move; null: it stays
  bool mayBeSlow;  ///< ops may touch it in either memory
  /// Why it stays, or cannot be in the slow memory, and which op forbids it.
  const char *reason;
  MlirOperation reasonAt;
  /// The content of the slow memory that `copy`, the first use, brings, and
  /// that nobody writes until the last use is over. Null: there is none.
  MlirValue source;
  MlirOperation copy;
  double runs;       ///< of the block, in one run of the scope
  bool runsAreKnown; ///< else it is a guess
  size_t numUses;
  BerthFitUse *uses;
  size_t numSegments;
  BerthSegment *segments; ///< of points at which its content is wanted
} BerthFitBuffer;

/// A use whose content its producer could make again if some of what that reads
/// lived as long.
typedef struct BerthFitLonger {
  size_t buffer;
  MlirOperation use;
  MlirOperation producer;
  bool isTaken; ///< the lives are prolonged
} BerthFitLonger;

/// A scope on its way.
typedef struct BerthFitJob {
  const BerthFitLevel *level;
  int64_t capacity; ///< bytes: the level's, or more where that must not be met
  BerthJob *fast;   ///< the scope with its buffers in the fast memory
  BerthJob *slow;   ///< ... in the slow one; NULL: they stay there
  BerthMemory memory;
  size_t numBuffers;
  BerthFitBuffer *buffers;
  bool avoidsTiles; ///< where ops may work on the slow memory, they do
  /// Two for each slice that moves beside another turn; and three for each that
  /// does so in both directions.
  bool doublesTiles, triplesTiles;
  const BerthFitBuffer *shortest; ///< without longer lives; NULL: no plan yet
  BerthPointerMap bufferOf;       ///< alias -> its buffer; numBuffers: several
  size_t numLonger, capLonger;
  BerthFitLonger *longer;
} BerthFitJob;

#endif // BERTH_LIB_IR_FIT_FITJOB_H
