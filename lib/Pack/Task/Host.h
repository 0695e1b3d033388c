//===- Host.h - What a packer may ask of Berth --------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// The state behind BerthHost: conflict queries, the step budget, memory, and
// the best plan reported so far. A portfolio packer gives each of its entries a
// slice: a host of its own with a smaller budget that spends its parent's
// steps.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_TASK_HOST_H
#define BERTH_LIB_PACK_TASK_HOST_H

#include "Pack/Task/Overlap.h"
#include "Support/Crew.h"

typedef struct BerthHostState BerthHostState;
struct BerthHostState {
  BerthHost host; ///< hand out &state->host
  const BerthTask *task;
  BerthMemory *arena;     ///< for `allocate`; the owner frees it
  BerthOverlapIndex full; ///< over all items; built on first use
  uint32_t *found;        ///< room for a query's answer
  BerthRange *ranges;     ///< room for a pair's conflicts
  size_t rangeRoom;
  bool failed;             ///< memory ran out in a query
  BerthStatus proofStatus; ///< of writing the proof log
  BerthError proofError;

  uint64_t steps;    ///< spent so far
  uint64_t budget;   ///< UINT64_MAX: none
  uint64_t nextPoll; ///< when to look at clock and interrupt again
  bool stopped;
  BerthStopReason reason;          ///< if stopped
  BerthHostState *parent;          ///< of a slice, or NULL
  const BerthPackOptions *options; ///< of the outermost; never NULL there
  double deadline;                 ///< on the monotonic clock; 0: none
  unsigned hands;                  ///< of the outermost: threads that may help
  BerthCrew *crew;                 ///< these, once there was work for them

  BerthAnswer best; ///< copies in `arena`
  int64_t bestPeak; ///< of what was reported last; INT64_MAX before that
};

/// Prepares a host for `task`. `budget` 0 means none.
void berthHostInit(BerthHostState *state, const BerthTask *task,
                   BerthMemory *arena, uint64_t budget,
                   const BerthPackOptions *options);

/// Sends the threads home, if there are any.
void berthHostEnd(BerthHostState *state);

/// The run's threads; NULL where there is to be but one, or where what was done
/// so far would have been done before they had begun.
BerthCrew *berthHostCrew(BerthHostState *state);

/// How many threads such a crew has at most, the caller's included.
unsigned berthHostHands(const BerthHostState *state);

/// A slice of `parent` for the same or a smaller task: stops when it has spent
/// `budget` steps, or when its parent must stop. Its memory is `arena`'s.
void berthHostSlice(BerthHostState *slice, BerthHostState *parent,
                    const BerthTask *task, BerthMemory *arena, uint64_t budget);

/// The state behind a host that Berth made.
BerthHostState *berthHostState(const BerthHost *host);

/// Steps that remain before this host says stop.
uint64_t berthHostRemaining(const BerthHostState *state);

/// Looks at the caller's interrupt and clock now. False: stop. For those who
/// wait for something that is no step of theirs.
bool berthHostPoll(BerthHostState *state);

/// The same without a change of state: what was found out is told by `reason`,
/// and berthHostStop makes it so.
bool berthHostLook(const BerthHostState *state, BerthStopReason *reason);
void berthHostStop(BerthHostState *state, BerthStopReason reason);

/// An answer with its arrays preset; false when memory ran out.
bool berthAnswerInit(BerthAnswer *answer, const BerthTask *task,
                     BerthMemory *arena);

/// Does every item have an offset, and a pool that there is?
bool berthAnswerIsComplete(const BerthTask *task, const BerthAnswer *answer);

/// The sum over the pools of the highest top, of a complete answer.
int64_t berthAnswerPeak(const BerthTask *task, const BerthAnswer *answer);

#endif // BERTH_LIB_PACK_TASK_HOST_H
