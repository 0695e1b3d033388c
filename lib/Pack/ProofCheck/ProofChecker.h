//===- ProofChecker.h - Where the checker of proofs stands --------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Between the files that read a log:
//
//   Check.c         refutations and their cases
//   Pools.c         trees of choices of pools
//   Tree.c          trees of one pool
//   ProofChecker.c  lines
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_PROOFCHECK_PROOFCHECKER_H
#define BERTH_LIB_PACK_PROOFCHECK_PROOFCHECKER_H

#include "Pack/ProofCheck/ProofState.h"
#include "berth-c/Proof.h"

#include <stdio.h>

enum {
  kProofMaxText = 256,
  /// Trees are gone through by recursion, and a log may hold any bytes. What is
  /// so deep could not be checked in a lifetime.
  kProofMaxDepth = 4096
};

typedef struct BerthProofChecker {
  BerthProofState state; ///< of all there is, or of what lies in one pool
  const BerthProblemData *problem;
  FILE *file;
  BerthError *error;
  uint64_t line;
  char text[kProofMaxText];
  bool atRoot;      ///< nothing is decided, and rivals are not known yet
  uint32_t depth;   ///< of decisions, in the tree of a pool
  uint32_t choices; ///< of choices of pools
  uint32_t *clique;
  uint32_t cliqueSize;
  BerthProofPiece *parts; ///< of boxes
  size_t numParts, partRoom;
  uint8_t *bought;  ///< by the case at hand
  uint64_t *proven; ///< sets of cuts, as bits, that some case has refuted
  size_t numProven;
  size_t provenRoom;
  bool provenAll; ///< one of them is that of all cuts

  BerthRefutation refutation; ///< the one at hand
  uint64_t *mayUse;           ///< box -> the pools that it may live in
  int64_t *bytes;             ///< box -> what a pool's cost is multiplied by
  uint32_t *poolOf;           ///< box -> the pool chosen for it, or UINT32_MAX
} BerthProofChecker;

/// If there is a plan there is one that does not end above this: the pins and
/// what is reserved, and everything else on top. No sum of offsets and sizes
/// below it reaches 2^63.
#define PROOF_MAX_HEIGHT (INT64_MAX / 4)

BerthStatus berthReplayReject(BerthProofChecker *checker, const char *reason);
BerthStatus berthReplayOutOfMemory(BerthProofChecker *checker);

/// Reads the next line into `text`.
BerthStatus berthReplayReadLine(BerthProofChecker *checker);
bool berthReplayIs(const BerthProofChecker *checker, const char *text);

/// The numbers after the line's first word; exactly so many.
bool berthReplayReadNumbers(const BerthProofChecker *checker, int64_t *numbers,
                            int count);

/// A number, or `any`: INT64_MAX.
bool berthReplayReadLimit(const char *text, int64_t *limit);

#endif // BERTH_LIB_PACK_PROOFCHECK_PROOFCHECKER_H
