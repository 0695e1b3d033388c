//===- Tree.c - Replaying a tree of one pool ------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Pack/ProofCheck/Tree.h"

#include "Pack/ProofCheck/Boxes.h"
#include "Pack/ProofCheck/Rules.h"
#include "Support/Allocate.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

//===---------------------------------------------------------------------===//
// The tree
//===---------------------------------------------------------------------===//

// `p box offset`, with everything it takes to be right.
static BerthStatus readDecision(BerthProofChecker *checker, int64_t *numbers) {
  const BerthProofState *state = &checker->state;
  if (!berthReplayReadNumbers(checker, numbers, 2) ||
      numbers[0] >= state->numBoxes)
    return berthReplayReject(checker, "the proof names no such buffer");
  if (state->contradiction)
    return BERTH_SUCCESS;
  if (state->placed[numbers[0]])
    return berthReplayReject(checker, "this buffer is in its place already");
  if (numbers[1] > state->lows[numbers[0]])
    return berthReplayReject(checker, "this buffer may lie lower");
  return BERTH_SUCCESS;
}

static BerthStatus checkBranch(BerthProofChecker *checker);

// What follows if the box lies at the offset. The state is then as before.
static BerthStatus checkSaved(BerthProofChecker *checker, uint32_t box,
                              int64_t offset) {
  BerthProofState *state = &checker->state;
  size_t n = state->numBoxes;
  int64_t *lows = malloc((n + 1) * sizeof *lows);
  bool *placed = malloc((n + 1) * sizeof *placed);
  BerthStatus status = berthReplayOutOfMemory(checker);
  if (lows && placed) {
    memcpy(lows, state->lows, n * sizeof *lows);
    memcpy(placed, state->placed, n * sizeof *placed);
    berthReplayPlace(state, box, offset);
    status = checkBranch(checker);
    memcpy(state->lows, lows, n * sizeof *lows);
    memcpy(state->placed, placed, n * sizeof *placed);
    state->contradiction = false;
  }
  free(lows);
  free(placed);
  return status;
}

// Below a contradiction nothing changes any more.
static BerthStatus checkPlaced(BerthProofChecker *checker, uint32_t box,
                               int64_t offset) {
  if (checker->depth >= checker->state.numBoxes ||
      checker->depth >= kProofMaxDepth)
    return berthReplayReject(checker, "the proof decides too much at once");
  ++checker->depth;
  BerthStatus status = checker->state.contradiction
                           ? checkBranch(checker)
                           : checkSaved(checker, box, offset);
  --checker->depth;
  return status;
}

// One way of a decision, then the other: `s` with the same numbers.
static BerthStatus checkDecision(BerthProofChecker *checker) {
  int64_t numbers[2], again[2];
  BerthStatus status = readDecision(checker, numbers);
  if (!status)
    status = checkPlaced(checker, (uint32_t)numbers[0], numbers[1]);
  if (!status)
    status = berthReplayReadLine(checker);
  if (status)
    return status;
  if (checker->text[0] != 's' || !berthReplayReadNumbers(checker, again, 2) ||
      again[0] != numbers[0] || again[1] != numbers[1])
    return berthReplayReject(checker, "the other branch is missing");
  if (!checker->state.contradiction)
    berthReplayRaise(&checker->state, (uint32_t)numbers[0], numbers[1]);
  return BERTH_SUCCESS;
}

// `k box` lines, up to the `c` that says they are a clique.
static BerthStatus checkClique(BerthProofChecker *checker) {
  checker->cliqueSize = 0;
  while (checker->text[0] == 'k') {
    int64_t box;
    if (!berthReplayReadNumbers(checker, &box, 1) ||
        box >= checker->state.numBoxes ||
        checker->cliqueSize == checker->state.numBoxes)
      return berthReplayReject(checker, "the proof names no such buffer");
    for (uint32_t k = 0; k < checker->cliqueSize; ++k)
      if (checker->clique[k] == box)
        return berthReplayReject(checker, "the proof names a buffer twice");
    checker->clique[checker->cliqueSize++] = (uint32_t)box;
    BerthStatus status = berthReplayReadLine(checker);
    if (status)
      return status;
  }
  if (!berthReplayIs(checker, "c"))
    return berthReplayReject(checker, "expected k or c");
  return checker->state.contradiction ||
                 berthReplayCliqueFails(&checker->state, checker->clique,
                                        checker->cliqueSize)
             ? BERTH_SUCCESS
             : berthReplayReject(checker, "these buffers fit");
}

// `b box low high` lines, up to the `x` that says they are too many.
static BerthStatus checkParts(BerthProofChecker *checker) {
  const BerthProofState *state = &checker->state;
  checker->numParts = 0;
  while (checker->text[0] == 'b') {
    int64_t numbers[3];
    if (!berthReplayReadNumbers(checker, numbers, 3) ||
        numbers[0] >= state->numBoxes)
      return berthReplayReject(checker, "the proof names no such buffer");
    if (numbers[1] >= numbers[2] || numbers[2] > state->boxes[numbers[0]].size)
      return berthReplayReject(checker, "the buffer has no such bytes");
    if (checker->numParts == kProofMaxParts)
      return berthReplayReject(checker, "the proof names too many parts");
    if (!berthReserve(&checker->parts, &checker->partRoom,
                      checker->numParts + 1))
      return berthReplayOutOfMemory(checker);
    checker->parts[checker->numParts++] =
        (BerthProofPiece){(uint32_t)numbers[0], numbers[1], numbers[2]};
    BerthStatus status = berthReplayReadLine(checker);
    if (status)
      return status;
  }
  if (!berthReplayIs(checker, "x"))
    return berthReplayReject(checker, "expected b or x");
  return state->contradiction ||
                 berthReplayPartsFail(state, checker->parts, checker->numParts)
             ? BERTH_SUCCESS
             : berthReplayReject(checker, "these bytes fit");
}

// `a alignment`
static BerthStatus checkAlignment(BerthProofChecker *checker) {
  int64_t alignment;
  if (!berthReplayReadNumbers(checker, &alignment, 1) || alignment < 1)
    return berthReplayReject(checker, "expected an alignment");
  return checker->state.contradiction ||
                 berthReplayFailsAligned(&checker->state, alignment)
             ? BERTH_SUCCESS
             : berthReplayReject(checker, "the aligned buffers fit");
}

// Large problems are often settled by what needs no table of pairs.
static BerthStatus checkRoot(BerthProofChecker *checker, bool *done) {
  *done = false;
  checker->atRoot = false;
  if (berthReplayIs(checker, "x")) {
    BerthStatus status =
        berthReplayLoadFails(&checker->state, done, checker->error);
    if (status || *done)
      return status;
  }
  BerthStatus status = berthReplayFindRivals(&checker->state, checker->error);
  if (!status)
    berthReplayStart(&checker->state);
  return status;
}

// A branch ends in a line that says why nothing fits there.
static BerthStatus checkBranch(BerthProofChecker *checker) {
  while (true) {
    bool done = false;
    BerthStatus status = berthReplayReadLine(checker);
    if (!status && checker->atRoot)
      status = checkRoot(checker, &done);
    if (status || done)
      return status;
    if (berthReplayIs(checker, "x"))
      return berthReplayHasFailed(&checker->state)
                 ? BERTH_SUCCESS
                 : berthReplayReject(checker, "nothing has failed here");
    switch (checker->text[0]) {
    case 'p':
      status = checkDecision(checker);
      if (status)
        return status;
      break; // the other way goes on
    case 'k':
      return checkClique(checker);
    case 'b':
      return checkParts(checker);
    case 'a':
      return checkAlignment(checker);
    default:
      return berthReplayReject(checker, "expected p, k, b, a or x");
    }
  }
}

BerthStatus berthReplayCheckTree(BerthProofChecker *checker) {
  checker->atRoot = true;
  checker->depth = 0;
  return checkBranch(checker);
}
