//===- ProofState.h - What the checker of proofs knows ------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Between the files of the checker, which is written against the format in
// ProofLog.h and the problem's data types only and shares no code with what
// packs. It is slow and plain on purpose: every rule is applied to everything
// until nothing changes.
//
//   Boxes.c   what keeps which boxes apart
//   Rules.c   what follows, and what cannot be
//   ProofChecker.c, Tree.c, Pools.c, Check.c   reading a log
//
// A box is a buffer, or a group as one. The rules rest on one thought: if there
// is a plan, there is one whose offsets have the least sum. In that one each
// box that is not pinned lies at 0, or something keeps it from lying one step
// of its alignment lower, so it rests on the end of what something forbids it.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_PROOFCHECK_PROOFSTATE_H
#define BERTH_LIB_PACK_PROOFCHECK_PROOFSTATE_H

#include "berth-c/Pack.h"

typedef struct BerthProofBox {
  int64_t size;
  int64_t alignment; ///< its own, or the unit of all offsets
  int64_t pin;       ///< or BERTH_NONE
} BerthProofBox;

/// Bytes [low, high) of a box, from its start, that are occupied at some time.
typedef struct BerthProofPiece {
  uint32_t box;
  int64_t low;
  int64_t high;
} BerthProofPiece;

/// The offset of a box minus that of `other` may not lie between these, nor be
/// anything but equal to either.
typedef struct BerthProofRival {
  uint32_t other;
  int64_t lower;
  int64_t upper;
} BerthProofRival;

/// A box that is `spared` for `other`: its offset minus that of `other` is free
/// outside the open interval (lower, upper), whatever the times say. It shares
/// at most so many bytes with it.
typedef struct BerthProofDistance {
  uint32_t spared;
  uint32_t other;
  int64_t lower;
  int64_t upper;
  int64_t most;
} BerthProofDistance;

/// Bytes to be stacked, none below `low`.
typedef struct BerthProofJob {
  int64_t low;
  int64_t size;
} BerthProofJob;

typedef struct BerthProofState {
  const BerthProblemData *problem;
  const uint8_t *bought; ///< cut -> bought?
  const BerthRange *reserved;
  size_t numReserved;
  int64_t height; ///< no top may be above

  uint32_t numBoxes;
  BerthProofBox *boxes;
  uint32_t *boxOf; ///< buffer -> box
  size_t numTimes; ///< at each time at which something begins
  size_t *pieceBegin;
  BerthProofPiece *pieces;
  size_t *rivalBegin; ///< box -> its rivals
  BerthProofRival *rivals;

  size_t numDistances; ///< one for a pair of boxes
  BerthProofDistance *distances;

  bool torn; ///< an edge keeps a box apart from itself

  int64_t *lows; ///< box -> where it lies, or no lower than which
  bool *placed;
  bool contradiction; ///< a box lies above the height, or rests on nothing

  BerthProofJob *jobs; ///< room for stacking
  int64_t *own;        ///< box -> bytes that are not shared, at some time
  BerthRange *blocks;
  size_t numBlocks;
} BerthProofState;

/// Of more boxes that all keep apart no orders are tried, and of those no more
/// than so many sets of one size.
enum { kProofMaxClique = 64, kProofMaxSets = 1 << 20 };

/// Nor are more parts of boxes compared.
enum { kProofMaxParts = 1 << 13 };

#endif // BERTH_LIB_PACK_PROOFCHECK_PROOFSTATE_H
