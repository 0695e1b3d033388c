//===- Speculate.h - Searching ahead on other threads -------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// The portfolio of exact search is a fixed sequence of turns. Most turns end at
// their limit and change nothing that the next one depends on, so the next ones
// can be tried at the same time, as if that were certain:
//
//     caller     turn 7 -------------|
//     thread 1     turn 8 ------|      ...taken over, if turn 7 changed nothing
//     thread 2       turn 9 --------|  ...taken over, if turn 8 did not either
//
// What is taken over is what the caller would have come to by itself, steps
// included: a turn depends on its calls and on the weights it begins with, and
// on nothing else. What cannot be taken over (something changed, or the budget
// would have ended within it) is thrown away and done again by the caller. So
// the answer never depends on the number of threads.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_SEARCH_SPECULATE_H
#define BERTH_LIB_PACK_SEARCH_SPECULATE_H

#include "Pack/Search/Search.h"

enum { kBerthMostCalls = 3, kBerthMostTurns = 4 };

/// A call of berthSearchRun and what came of it.
typedef struct BerthSearchCall {
  int64_t capacity;
  BerthSearchConfig config;
  uint64_t seed;
  uint64_t failureLimit;
  // Answers.
  BerthSearchResult result;
  uint64_t steps;
  int64_t bound; ///< where refuted
} BerthSearchCall;

/// A turn: calls one after the other, until one of them settles its question.
typedef struct BerthTurn {
  uint64_t number;       ///< in the sequence
  const double *weights; ///< to begin with
  unsigned numCalls;
  BerthSearchCall calls[kBerthMostCalls];
  // Answers.
  unsigned numDone;           ///< calls that were made
  const double *weightsAfter; ///< what the turn has learnt
  const BerthSearch *search;  ///< holds the plan, if the last call found one
} BerthTurn;

typedef struct BerthSpeculation BerthSpeculation;

/// For up to `threads` - 1 turns ahead; NULL where there is nothing to gain.
/// `host` is asked for nothing but the budget and whether to stop.
BerthSpeculation *berthSpeculationCreate(const BerthTask *task,
                                         const BerthHost *host);
void berthSpeculationDestroy(BerthSpeculation *speculation);

/// How many turns can be under way beside the caller's.
unsigned berthSpeculationRoom(const BerthSpeculation *speculation);

/// Are there turns under way or waiting to be taken?
bool berthSpeculationIsBusy(const BerthSpeculation *speculation);

/// Begins a turn that follows those begun before. Where that fails the turn is
/// simply never there to be taken.
void berthSpeculationBegin(BerthSpeculation *speculation,
                           const BerthTurn *turn);

/// Waits for the turn of this number and returns it; NULL where it was not
/// begun, failed, or used more steps than are left. Valid until the next call
/// of any of these.
const BerthTurn *berthSpeculationTake(BerthSpeculation *speculation,
                                      uint64_t number);

/// Stops all turns under way and forgets them.
void berthSpeculationCancel(BerthSpeculation *speculation);

#endif // BERTH_LIB_PACK_SEARCH_SPECULATE_H
