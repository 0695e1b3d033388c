//===- ThreadGraph.h - A scope as threads run through it ------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What concerns shared buffers, as a list of events in the order of the
// program. A *stretch* is a run of events that are passed from the first to the
// last; edges say which stretch may follow which:
//
//   store X         stretch 0     edges 0 -> 1, 0 -> 2
//   scf.for {
//     barrier       stretch 1     edges 1 -> 1, 1 -> 2
//     load X        stretch 1
//   }
//   store Y         stretch 2
//
// Ops without such events leave no trace. A call that all threads make of a
// function that can be seen is its phases (Phases.h): what stands in
// front of it meets the first one, what stands behind it the last one, and what
// is done in between only what no barrier ends.
//
//          +--> first phase
//     call +--> barrier, all that it does
//          +--> barrier, last phase --+
//          +------- (if it is open) --+--> what follows
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_THREADS_THREADGRAPH_H
#define BERTH_LIB_IR_VERIFY_THREADS_THREADGRAPH_H

#include "IR/Ops/OpTable.h"
#include "IR/Verify/Roots/Access.h"
#include "IR/Verify/Runs/Uniform.h"
#include "IR/Verify/Threads/Phases.h"

typedef enum BerthThreadEventKind {
  BERTH_THREADS_ACCESS,
  BERTH_THREADS_MAKE,    ///< the buffer's view is made anew
  BERTH_THREADS_BARRIER, ///< all threads have arrived before any goes on
  BERTH_THREADS_GROUP,   ///< what the thread has started is in a group now
  BERTH_THREADS_WAIT,    ///< all but the newest groups of the thread have ended
  BERTH_THREADS_FENCE,   ///< orders the thread's accesses for the async proxy
  BERTH_THREADS_DRAIN,   ///< all loads into the root have ended
  BERTH_THREADS_ENTER,   ///< the first phase of a called function
  BERTH_THREADS_LEAVE,   ///< its last one
  BERTH_THREADS_HAND     ///< merges (Merges.h) become what others are
} BerthThreadEventKind;

/// Groups newer than one are counted up to here.
enum { BERTH_MOST_NEWER = 8 };

/// What has to come before the bytes of an access are free again. An ordinary
/// access and one by the async proxy (TMA, wgmma) behind it also take a fence,
/// in front of the barrier.
typedef enum BerthHold {
  BERTH_HOLD_BARRIER,  ///< a barrier: what the async proxy did has ended
  BERTH_HOLD_ORDINARY, ///< a barrier, and for the async proxy a fence before it
  BERTH_HOLD_END,      ///< nothing that is known here: the end of the scope
  BERTH_NUM_PLAIN_HOLDS,
  // Of ordinary accesses, in scopes with asynchronous ops:
  BERTH_HOLD_FENCED = BERTH_NUM_PLAIN_HOLDS, ///< a barrier
  BERTH_HOLD_PASSED,        ///< for the async proxy a fence, then a barrier
  BERTH_HOLD_PASSED_FENCED, ///< for the async proxy a barrier
  // For each kind of asynchronous op: one for what is in no group yet, and one
  // for each number of newer groups.
  BERTH_FIRST_ASYNC_HOLD,
  BERTH_HOLDS_OF_KIND = BERTH_MOST_NEWER + 2,
  BERTH_NUM_HOLDS =
      BERTH_FIRST_ASYNC_HOLD + BERTH_NUM_ASYNC_KINDS * BERTH_HOLDS_OF_KIND
} BerthHold;

/// The hold of what has just been started: a group, a wait, then a barrier. The
/// holds behind it are those of groups, the newest first. A TMA load whose
/// mbarrier was waited for counts as one in a group, and what shows that it has
/// ended as a wait.
static inline BerthHold berthHoldOfStarted(BerthAsyncKind kind) {
  return (BerthHold)(BERTH_FIRST_ASYNC_HOLD + (int)kind * BERTH_HOLDS_OF_KIND);
}

typedef struct BerthThreadEvent {
  BerthThreadEventKind kind;
  uint32_t root;
  bool reads;
  bool writes;
  BerthHold hold;
  bool isAsync;         ///< of ACCESS: by the async proxy
  BerthAsyncKind async; ///< of GROUP and WAIT; loads: of this root's alone
  int64_t mayPend;      ///< of WAIT: so many groups have perhaps not ended
  bool isFenced;        ///< of BARRIER: it orders tensor memory, too
  bool isPassed;    ///< of DRAIN: in front of a barrier that has been passed
  size_t function;  ///< that is entered or left: its number (Phases.h)
  size_t firstHand; ///< of HAND: into `hands`,
  size_t numHands;  ///< and how many
  MlirOperation op;
} BerthThreadEvent;

/// Events [begin, end), then any stretch that an edge leads to.
typedef struct BerthStretch {
  size_t begin;
  size_t end;
  uint32_t firstNext; ///< index into `edges`; BERTH_NO_STRETCH ends the list
} BerthStretch;

typedef struct BerthStretchEdge {
  uint32_t to;
  uint32_t next;
} BerthStretchEdge;

/// Two runs of events that threads may be in at the same time: different
/// regions of one op, or different blocks.
typedef struct BerthBeside {
  size_t firstBegin, firstEnd;
  size_t secondBegin, secondEnd;
} BerthBeside;

/// A value that becomes what another one is, or something nobody knows (null).
typedef struct BerthThreadHand {
  MlirValue to;
  MlirValue from;
} BerthThreadHand;

#define BERTH_NO_STRETCH UINT32_MAX

/// Stretch 0 is the scope's start.
typedef struct BerthStretches {
  size_t exit; ///< the stretch in which the scope ends
  BerthThreadEvent *events;
  size_t numEvents, eventCapacity;
  bool hasAsync;      ///< some access has a hold that is no plain one
  bool hasAsyncProxy; ///< some access is by the async proxy
  BerthStretch *stretches;
  size_t numStretches, stretchCapacity;
  BerthStretchEdge *edges;
  size_t numEdges, edgeCapacity;
  BerthBeside *besides;
  size_t numBesides, besideCapacity;
  BerthThreadHand *hands;
  size_t numHands, handCapacity;
} BerthStretches;

/// How a scope is run.
typedef struct BerthThreadScope {
  const BerthViews *views;
  const BerthDivergence *divergence;
  BerthPhaseTable *phases; ///< of called functions; NULL: not looked into
  const bool *isShared;    ///< by root: it lies in memory that threads share
  const struct BerthRootLoads *loads; ///< by root (Loads.h)
  bool hasTensors;                    ///< some root lies in tensor memory
  bool isRunAgain;                    ///< perhaps without a barrier in between
  bool isRunApart;                    ///< by some threads without the others
} BerthThreadScope;

BerthStretches berthStretchesOf(const BerthThreadScope *scope);
void berthStretchesFree(BerthStretches *stretches);

#endif // BERTH_LIB_IR_VERIFY_THREADS_THREADGRAPH_H
