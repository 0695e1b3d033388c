//===- ProofCheck.c - Replaying a proof log ------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Reads the format of Proof.h with the rules of ProofState.h. A line is only
// ever allowed to do what is right whoever wrote it, so a log that was tampered
// with is refused or still proves what it says.
//
//===---------------------------------------------------------------------===//

#include "Pack/ProofState.h"
#include "berth-c/Proof.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMaxSubsets = 16, kMaxText = 128 };

typedef struct Checker {
  ProofState state;
  const BerthProblemData *problem;
  FILE *file;
  BerthError *error;
  uint64_t line;
  char text[kMaxText];
  bool atRoot; ///< nothing is decided, and rivals are not known yet
  uint32_t depth;
  uint32_t *clique;
  uint32_t cliqueSize;
  uint8_t *bought; ///< by the case at hand
  uint8_t *proven; ///< sets of cuts, as bits, that some case has refuted
  bool provenAll;  ///< one of them is that of all cuts
} Checker;

static BerthStatus reject(Checker *checker, const char *reason) {
  BerthStatus status =
      berthErrorSet(checker->error, BERTH_INVALID, "%s", reason);
  if (checker->error)
    checker->error->line = checker->line;
  return status;
}

static BerthStatus outOfMemory(Checker *checker) {
  return berthErrorSet(checker->error, BERTH_RESOURCE, "out of memory");
}

//===---------------------------------------------------------------------===//
// Lines
//===---------------------------------------------------------------------===//

static BerthStatus readLine(Checker *checker) {
  ++checker->line;
  if (!fgets(checker->text, sizeof checker->text, checker->file))
    return reject(checker, "the proof is cut short");
  checker->text[strcspn(checker->text, "\n")] = '\0';
  return BERTH_SUCCESS;
}

static bool is(const Checker *checker, const char *text) {
  return strcmp(checker->text, text) == 0;
}

// The numbers after the line's first word; exactly so many.
static bool readNumbers(const Checker *checker, int64_t *numbers, int count) {
  const char *at = checker->text + strcspn(checker->text, " ");
  for (int k = 0; k < count; ++k) {
    char *end;
    if (*at != ' ' || at[1] < '0' || at[1] > '9')
      return false;
    numbers[k] = strtoll(at + 1, &end, 10);
    at = end;
  }
  return *at == '\0';
}

//===---------------------------------------------------------------------===//
// The tree
//===---------------------------------------------------------------------===//

static BerthStatus checkTree(Checker *checker);

// `p box offset`, with everything it takes to be right.
static BerthStatus readDecision(Checker *checker, int64_t *numbers) {
  const ProofState *state = &checker->state;
  if (!readNumbers(checker, numbers, 2) || numbers[0] >= state->numBoxes)
    return reject(checker, "the proof names no such buffer");
  if (state->contradiction)
    return BERTH_SUCCESS;
  if (state->placed[numbers[0]])
    return reject(checker, "this buffer is in its place already");
  if (numbers[1] > state->lows[numbers[0]])
    return reject(checker, "this buffer may lie lower");
  return BERTH_SUCCESS;
}

// What follows if the box lies at the offset. The state is then as before.
static BerthStatus checkPlaced(Checker *checker, uint32_t box, int64_t offset) {
  ProofState *state = &checker->state;
  size_t n = state->numBoxes;
  bool contradiction = state->contradiction;
  int64_t *lows = malloc((n + 1) * sizeof *lows);
  bool *placed = malloc((n + 1) * sizeof *placed);
  BerthStatus status = outOfMemory(checker);
  if (++checker->depth > n)
    status = reject(checker, "the proof decides more than there is");
  else if (lows && placed) {
    memcpy(lows, state->lows, n * sizeof *lows);
    memcpy(placed, state->placed, n * sizeof *placed);
    if (!contradiction)
      proofPlace(state, box, offset);
    status = checkTree(checker);
    memcpy(state->lows, lows, n * sizeof *lows);
    memcpy(state->placed, placed, n * sizeof *placed);
    state->contradiction = contradiction;
  }
  --checker->depth;
  free(lows);
  free(placed);
  return status;
}

// One way of a decision, then the other: `s` with the same numbers.
static BerthStatus checkDecision(Checker *checker) {
  int64_t numbers[2], again[2];
  BerthStatus status = readDecision(checker, numbers);
  if (!status)
    status = checkPlaced(checker, (uint32_t)numbers[0], numbers[1]);
  if (!status)
    status = readLine(checker);
  if (status)
    return status;
  if (checker->text[0] != 's' || !readNumbers(checker, again, 2) ||
      again[0] != numbers[0] || again[1] != numbers[1])
    return reject(checker, "the other branch is missing");
  if (!checker->state.contradiction)
    proofRaise(&checker->state, (uint32_t)numbers[0], numbers[1]);
  return BERTH_SUCCESS;
}

// `k box` lines, up to the `c` that says they are a clique.
static BerthStatus checkClique(Checker *checker) {
  checker->cliqueSize = 0;
  while (checker->text[0] == 'k') {
    int64_t box;
    if (!readNumbers(checker, &box, 1) || box >= checker->state.numBoxes ||
        checker->cliqueSize == checker->state.numBoxes)
      return reject(checker, "the proof names no such buffer");
    for (uint32_t k = 0; k < checker->cliqueSize; ++k)
      if (checker->clique[k] == box)
        return reject(checker, "the proof names a buffer twice");
    checker->clique[checker->cliqueSize++] = (uint32_t)box;
    BerthStatus status = readLine(checker);
    if (status)
      return status;
  }
  if (!is(checker, "c"))
    return reject(checker, "expected k or c");
  return checker->state.contradiction ||
                 proofCliqueFails(&checker->state, checker->clique,
                                  checker->cliqueSize)
             ? BERTH_SUCCESS
             : reject(checker, "these buffers fit");
}

// `a alignment`
static BerthStatus checkAlignment(Checker *checker) {
  int64_t alignment;
  if (!readNumbers(checker, &alignment, 1) || alignment < 1)
    return reject(checker, "expected an alignment");
  return checker->state.contradiction ||
                 proofFailsAligned(&checker->state, alignment)
             ? BERTH_SUCCESS
             : reject(checker, "the aligned buffers fit");
}

// Large problems are often settled by what needs no table of pairs.
static BerthStatus checkRoot(Checker *checker, bool *done) {
  *done = false;
  checker->atRoot = false;
  if (is(checker, "x")) {
    BerthStatus status = proofLoadFails(&checker->state, done, checker->error);
    if (status || *done)
      return status;
  }
  BerthStatus status = proofFindRivals(&checker->state, checker->error);
  if (!status)
    proofStart(&checker->state);
  return status;
}

// A branch ends in a line that says why nothing fits there.
static BerthStatus checkTree(Checker *checker) {
  while (true) {
    bool done = false;
    BerthStatus status = readLine(checker);
    if (!status && checker->atRoot)
      status = checkRoot(checker, &done);
    if (status || done)
      return status;
    if (is(checker, "x"))
      return proofHasFailed(&checker->state)
                 ? BERTH_SUCCESS
                 : reject(checker, "nothing has failed here");
    switch (checker->text[0]) {
    case 'p':
      status = checkDecision(checker);
      if (status)
        return status;
      break; // the other way goes on
    case 'k':
      return checkClique(checker);
    case 'a':
      return checkAlignment(checker);
    default:
      return reject(checker, "expected p, k, a or x");
    }
  }
}

//===---------------------------------------------------------------------===//
// Cases
//===---------------------------------------------------------------------===//

static void rememberCase(Checker *checker) {
  size_t numCuts = checker->problem->numCuts;
  uint32_t set = 0;
  bool all = true;
  for (size_t c = 0; c < numCuts; ++c)
    all &= checker->bought[c] != 0;
  for (size_t c = 0; c < numCuts && c < kMaxSubsets; ++c)
    set |= (uint32_t)checker->bought[c] << c;
  checker->provenAll |= all;
  if (numCuts <= kMaxSubsets)
    checker->proven[set] = 1;
}

// `case all`, or `case` and the cuts that are bought there, ascending.
static bool readCase(Checker *checker) {
  const char *at = checker->text + 4;
  size_t numCuts = checker->problem->numCuts;
  memset(checker->bought, is(checker, "case all"), numCuts);
  if (is(checker, "case all"))
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
static BerthStatus checkCase(Checker *checker) {
  checker->atRoot = true;
  checker->depth = 0;
  if (!readCase(checker))
    return reject(checker, "the proof names no such cuts");
  BerthStatus status = checkTree(checker);
  if (!status)
    rememberCase(checker);
  return status;
}

static bool isProven(const Checker *checker, uint32_t set) {
  for (uint32_t other = 0; other < 1u << checker->problem->numCuts; ++other)
    if (checker->proven[other] && (set & ~other) == 0)
      return true;
  return false;
}

static int64_t priceOf(const BerthProblemData *problem, uint32_t set) {
  int64_t price = 0;
  for (size_t c = 0; c < problem->numCuts; ++c)
    if (set >> c & 1 && problem->cuts[c].price <= INT64_MAX - price)
      price += problem->cuts[c].price;
    else if (set >> c & 1)
      return INT64_MAX;
  return price;
}

// Is every set of cuts that costs no more part of one that was refuted?
static bool allIsProven(const Checker *checker, int64_t price) {
  const BerthProblemData *problem = checker->problem;
  if (checker->provenAll || problem->numCuts > kMaxSubsets)
    return checker->provenAll;
  for (uint32_t set = 0; set < 1u << problem->numCuts; ++set)
    if (priceOf(problem, set) <= price && !isProven(checker, set))
      return false;
  return true;
}

//===---------------------------------------------------------------------===//
// The log
//===---------------------------------------------------------------------===//

static bool readLimit(const char *text, int64_t *limit) {
  char *end;
  *limit = INT64_MAX;
  if (strcmp(text, "any") == 0)
    return true;
  *limit = strtoll(text, &end, 10);
  return *text >= '0' && *text <= '9' && *end == '\0';
}

// `refute peak price` and its cases. Leaves the line that follows them.
static BerthStatus checkRefutation(Checker *checker,
                                   BerthRefutation *refutation) {
  char peak[32], price[32], rest;
  if (sscanf(checker->text, "refute %31s %31s%c", peak, price, &rest) != 2 ||
      !readLimit(peak, &refutation->peak) ||
      !readLimit(price, &refutation->price))
    return reject(checker, "expected 'refute', a peak and a price");
  // So that no sum of offsets and sizes reaches 2^63.
  if (refutation->peak > INT64_MAX / 4)
    return reject(checker, "this peak is too large for the checker");
  checker->state.height = refutation->peak;
  checker->provenAll = false;
  memset(checker->proven, 0, 1u << kMaxSubsets);
  BerthStatus status = readLine(checker);
  while (!status && strncmp(checker->text, "case", 4) == 0) {
    status = checkCase(checker);
    if (!status)
      status = readLine(checker);
  }
  if (!status && !allIsProven(checker, refutation->price))
    status = reject(checker, "a case is missing");
  return status;
}

static BerthStatus checkLog(Checker *checker, BerthRefuted refuted,
                            void *userData) {
  BerthRefutation refutation;
  BerthStatus status = readLine(checker);
  if (!status && !is(checker, "berth-proof 2"))
    status = reject(checker, "this is no proof log");
  if (!status)
    status = readLine(checker);
  while (!status && !is(checker, "end")) {
    status = checkRefutation(checker, &refutation);
    if (!status && refuted)
      refuted(userData, &refutation);
  }
  return status;
}

static bool hasLargeNumbers(const BerthProblemData *problem) {
  int64_t sum = 0;
  for (size_t i = 0; i < problem->numBuffers; ++i) {
    const BerthBuffer *buffer = &problem->buffers[i];
    int64_t pin = buffer->fixedOffset == BERTH_NONE ? 0 : buffer->fixedOffset;
    for (int k = 0; k < 3; ++k) {
      int64_t number = k == 0 ? buffer->size : k == 1 ? buffer->alignment : pin;
      if (number > INT64_MAX / 4 - sum)
        return true;
      sum += number;
    }
  }
  for (size_t r = 0; r < problem->numReserved; ++r)
    if (problem->reserved[r].upper > INT64_MAX / 4)
      return true;
  for (size_t r = 0; problem->numPools && r < problem->pools[0].numReserved;
       ++r)
    if (problem->pools[0].reserved[r].upper > INT64_MAX / 4)
      return true;
  return false;
}

static BerthStatus initChecker(Checker *checker) {
  const BerthProblemData *problem = checker->problem;
  if (problem->numPools > 1)
    return berthErrorSet(checker->error, BERTH_INVALID,
                         "there are no proof logs for problems with several "
                         "pools");
  if (hasLargeNumbers(problem))
    return berthErrorSet(checker->error, BERTH_INVALID,
                         "sizes, offsets or alignments are too large for the "
                         "checker of proofs");
  checker->clique = calloc(problem->numBuffers + 1, sizeof *checker->clique);
  checker->bought = calloc(problem->numCuts + 1, 1);
  checker->proven = calloc(1u << kMaxSubsets, 1);
  BerthStatus status = proofStateInit(&checker->state, problem, checker->error);
  checker->state.bought = checker->bought;
  return checker->clique && checker->bought && checker->proven
             ? status
             : outOfMemory(checker);
}

BerthStatus berthProofCheck(const BerthProblemData *problem, const char *path,
                            BerthRefuted refuted, void *userData,
                            BerthError *error) {
  Checker checker = {.problem = problem, .error = error};
  BerthStatus status = berthProblemCheck(problem, NULL, error);
  if (!status)
    status = initChecker(&checker);
  if (!status) {
    checker.file = fopen(path, "r");
    status = checker.file ? checkLog(&checker, refuted, userData)
                          : berthErrorSet(error, BERTH_INVALID,
                                          "cannot open: %s", strerror(errno));
  }
  if (checker.file)
    fclose(checker.file);
  proofStateFree(&checker.state);
  free(checker.clique);
  free(checker.bought);
  free(checker.proven);
  return status;
}
