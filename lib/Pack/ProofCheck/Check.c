//===- Check.c - Replaying a proof log ------------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Reads the format of ProofLog.h with the rules of ProofState.h. A line is only
// ever allowed to do what is right whoever wrote it, so a log that was tampered
// with is refused or still proves what it says.
//
//===---------------------------------------------------------------------===//

#include "Pack/ProofCheck/Boxes.h"
#include "Pack/ProofCheck/Pools.h"
#include "Pack/ProofCheck/ProofChecker.h"
#include "Pack/ProofCheck/Tree.h"
#include "Support/Allocate.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMaxCuts = 63, kMaxEscapeSteps = 1 << 26 };

//===---------------------------------------------------------------------===//
// Cases
//===---------------------------------------------------------------------===//

// What more cuts than these are is seen only where all of them are bought.
static bool rememberCase(BerthProofChecker *checker) {
  size_t numCuts = checker->problem->numCuts;
  uint64_t set = 0;
  bool all = true;
  for (size_t c = 0; c < numCuts; ++c)
    all &= checker->bought[c] != 0;
  for (size_t c = 0; c < numCuts && c < kMaxCuts; ++c)
    set |= (uint64_t)checker->bought[c] << c;
  checker->provenAll |= all;
  if (!berthReserve(&checker->proven, &checker->provenRoom,
                    checker->numProven + 1))
    return false;
  checker->proven[checker->numProven++] = set;
  return true;
}

// `case all`, or `case` and the cuts that are bought there, ascending.
static bool readCase(BerthProofChecker *checker) {
  const char *at = checker->text + 4;
  size_t numCuts = checker->problem->numCuts;
  memset(checker->bought, berthReplayIs(checker, "case all"), numCuts);
  if (berthReplayIs(checker, "case all"))
    return true;
  for (int64_t least = 0; *at;) {
    char *end;
    if (*at != ' ' || at[1] < '0' || at[1] > '9')
      return false;
    long long cut = strtoll(at + 1, &end, 10);
    if (cut < least || cut >= (long long)numCuts)
      return false;
    checker->bought[cut] = 1;
    least = cut + 1;
    at = end;
  }
  return true;
}

// What cannot be with the cuts of a case cannot be with fewer.
static BerthStatus checkCase(BerthProofChecker *checker) {
  if (!readCase(checker))
    return berthReplayReject(checker, "the proof names no such cuts");
  BerthStatus status = checker->problem->numPools > 1
                           ? berthReplayCheckPools(checker)
                           : berthReplayCheckTree(checker);
  return !status && !rememberCase(checker) ? berthReplayOutOfMemory(checker)
                                           : status;
}

/// A search for a set of cuts that no case speaks of.
typedef struct Escape {
  const BerthProofChecker *checker;
  int64_t price;
  uint64_t steps; ///< cases that may still be looked at
} Escape;

static int64_t leastPrice(const BerthProblemData *problem, uint64_t cuts) {
  int64_t least = INT64_MAX;
  for (size_t c = 0; c < problem->numCuts; ++c)
    if (cuts >> c & 1 && problem->cuts[c].price < least)
      least = problem->cuts[c].price;
  return least;
}

// Each case that has all of `set` wants one of its ways out bought. The fewest
// ways there are, none of them among `without`, and what it costs at least to
// go one for each case. False: there is no such case.
static bool findWays(const Escape *escape, uint64_t set, uint64_t without,
                     uint64_t *ways, int64_t *least) {
  const BerthProofChecker *checker = escape->checker;
  const BerthProblemData *problem = checker->problem;
  uint64_t all = (UINT64_C(1) << problem->numCuts) - 1, counted = 0;
  bool any = false;
  *least = 0;
  for (size_t k = 0; k < checker->numProven; ++k) {
    uint64_t out = all & ~checker->proven[k] & ~without;
    if (set & ~checker->proven[k])
      continue;
    if (!any || __builtin_popcountll(out) < __builtin_popcountll(*ways))
      *ways = out;
    any = true;
    if (!(out & counted)) {
      int64_t one = leastPrice(problem, out);
      *least = one > INT64_MAX - *least ? INT64_MAX : *least + one;
    }
    counted |= out;
  }
  return any;
}

// Is there one that has all of `set`, and none of `without`?
static bool escapes(Escape *escape, uint64_t set, uint64_t without,
                    int64_t price) {
  const BerthProofChecker *checker = escape->checker;
  uint64_t ways = 0;
  int64_t least;
  if (escape->steps < checker->numProven ||
      !findWays(escape, set, without, &ways, &least))
    return true;
  escape->steps -= checker->numProven;
  if (least > escape->price - price)
    return false;
  for (; ways; ways &= ways - 1) {
    unsigned c = (unsigned)__builtin_ctzll(ways);
    int64_t more = checker->problem->cuts[c].price;
    if (more <= escape->price - price &&
        escapes(escape, set | UINT64_C(1) << c, without, price + more))
      return true;
    without |= UINT64_C(1) << c;
  }
  return false;
}

// Is every set of cuts that costs no more part of one that was refuted? False,
// too, where that takes too long to see.
static bool allIsProven(const BerthProofChecker *checker, int64_t price) {
  if (checker->provenAll || checker->problem->numCuts > kMaxCuts)
    return checker->provenAll;
  Escape escape = {checker, price, kMaxEscapeSteps};
  return !escapes(&escape, 0, 0, 0);
}

//===---------------------------------------------------------------------===//
// The log
//===---------------------------------------------------------------------===//

// `refute peak price cost`
static bool readRefutation(BerthProofChecker *checker) {
  BerthRefutation *refutation = &checker->refutation;
  char peak[32], price[32], cost[32], rest;
  return sscanf(checker->text, "refute %31s %31s %31s%c", peak, price, cost,
                &rest) == 3 &&
         berthReplayReadLimit(peak, &refutation->peak) &&
         berthReplayReadLimit(price, &refutation->price) &&
         berthReplayReadLimit(cost, &refutation->poolCost);
}

// Leaves the line that follows its cases.
static BerthStatus checkRefutation(BerthProofChecker *checker) {
  if (!readRefutation(checker))
    return berthReplayReject(checker,
                             "expected 'refute', a peak, a price and a cost");
  if (checker->problem->numPools <= 1 &&
      checker->refutation.peak > PROOF_MAX_HEIGHT)
    return berthReplayReject(checker, "this peak is too large for the checker");
  checker->state.height = checker->refutation.peak;
  checker->provenAll = false;
  checker->numProven = 0;
  BerthStatus status = berthReplayReadLine(checker);
  while (!status && strncmp(checker->text, "case", 4) == 0) {
    status = checkCase(checker);
    if (!status)
      status = berthReplayReadLine(checker);
  }
  if (!status && !allIsProven(checker, checker->refutation.price))
    status = berthReplayReject(checker, "a case is missing");
  return status;
}

static BerthStatus checkLog(BerthProofChecker *checker, BerthRefuted refuted,
                            void *userData) {
  BerthStatus status = berthReplayReadLine(checker);
  if (!status && !berthReplayIs(checker, "berth-proof 3"))
    status = berthReplayReject(checker, "this is no proof log");
  if (!status)
    status = berthReplayReadLine(checker);
  while (!status && !berthReplayIs(checker, "end")) {
    status = checkRefutation(checker);
    if (!status && refuted)
      refuted(userData, &checker->refutation);
  }
  return status;
}

static bool endsAbove(const BerthRange *reserved, size_t count, int64_t most) {
  for (size_t r = 0; r < count; ++r)
    if (reserved[r].upper > most)
      return true;
  return false;
}

// What is reserved, and all boxes on top of it and of all pins, must end below
// PROOF_MAX_HEIGHT.
static bool hasLargeNumbers(const BerthProofState *state) {
  const BerthProblemData *problem = state->problem;
  int64_t most = PROOF_MAX_HEIGHT / 2, sum = 0;
  for (uint32_t i = 0; i < state->numBoxes; ++i) {
    const BerthProofBox *box = &state->boxes[i];
    int64_t pin = box->pin == BERTH_NONE ? 0 : box->pin;
    for (int k = 0; k < 3; ++k) {
      int64_t number = k == 0 ? box->size : k == 1 ? box->alignment : pin;
      if (number > most - sum)
        return true;
      sum += number;
    }
  }
  for (size_t p = 0; p < problem->numPools; ++p)
    if (endsAbove(problem->pools[p].reserved, problem->pools[p].numReserved,
                  most))
      return true;
  return endsAbove(problem->reserved, problem->numReserved, most);
}

static BerthStatus initChecker(BerthProofChecker *checker) {
  const BerthProblemData *problem = checker->problem;
  BerthStatus status =
      berthReplayStateInit(&checker->state, problem, checker->error);
  if (status)
    return status;
  if (hasLargeNumbers(&checker->state))
    return berthErrorSet(checker->error, BERTH_INVALID,
                         "sizes, offsets or alignments are too large for the "
                         "checker of proofs");
  checker->clique = calloc(problem->numBuffers + 1, sizeof *checker->clique);
  checker->bought = calloc(problem->numCuts + 1, 1);
  checker->state.bought = checker->bought;
  return checker->clique && checker->bought && berthReplayInitPools(checker)
             ? BERTH_SUCCESS
             : berthReplayOutOfMemory(checker);
}

BerthStatus berthProofCheckStream(const BerthProblemData *problem, FILE *stream,
                                  BerthRefuted refuted, void *userData,
                                  BerthError *error) {
  BerthProofChecker checker = {
      .problem = problem, .file = stream, .error = error};
  BerthStatus status = berthProblemCheck(problem, NULL, error);
  if (!status)
    status = initChecker(&checker);
  if (!status)
    status = checkLog(&checker, refuted, userData);
  berthReplayStateFree(&checker.state);
  berthReplayFreePools(&checker);
  free(checker.clique);
  free(checker.parts);
  free(checker.bought);
  free(checker.proven);
  return status;
}

BerthStatus berthProofCheck(const BerthProblemData *problem, const char *path,
                            BerthRefuted refuted, void *userData,
                            BerthError *error) {
  FILE *file = fopen(path, "r");
  if (!file)
    return berthErrorSet(error, berthStatusOfErrno(errno), "cannot open: %s",
                         strerror(errno));
  BerthStatus status =
      berthProofCheckStream(problem, file, refuted, userData, error);
  fclose(file);
  return status;
}
