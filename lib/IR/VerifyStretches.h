//===- VerifyStretches.h - A scope as threads run through it ------- C ---===//
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
// Ops without such events leave no trace.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFYSTRETCHES_H
#define BERTH_LIB_IR_VERIFYSTRETCHES_H

#include "IR/VerifyAccess.h"
#include "IR/VerifyUniform.h"

typedef enum BerthThreadEventKind {
  BERTH_THREADS_ACCESS,
  BERTH_THREADS_MAKE,    ///< the buffer's view is made anew
  BERTH_THREADS_BARRIER, ///< all threads have arrived before any goes on
  BERTH_THREADS_COMMIT,  ///< the thread's copies so far are in groups
  BERTH_THREADS_WAIT     ///< the thread's copies in groups have ended
} BerthThreadEventKind;

/// What has to come before the bytes of an access are free again.
typedef enum BerthHold {
  BERTH_HOLD_BARRIER, ///< a barrier
  BERTH_HOLD_WAIT,    ///< a wait, then a barrier
  BERTH_HOLD_COMMIT,  ///< a group, a wait, then a barrier
  BERTH_HOLD_END,     ///< nothing that is known here: the end of the scope
  BERTH_NUM_HOLDS
} BerthHold;

typedef struct BerthThreadEvent {
  BerthThreadEventKind kind;
  uint32_t root;
  bool writes;
  BerthHold hold;
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

#define BERTH_NO_STRETCH UINT32_MAX

/// Stretch 0 is the scope's start.
typedef struct BerthStretches {
  BerthThreadEvent *events;
  size_t numEvents, eventCapacity;
  BerthStretch *stretches;
  size_t numStretches, stretchCapacity;
  BerthStretchEdge *edges;
  size_t numEdges, edgeCapacity;
  BerthBeside *besides;
  size_t numBesides, besideCapacity;
} BerthStretches;

/// How a scope is run.
typedef struct BerthThreadScope {
  const BerthViews *views;
  const BerthDivergence *divergence;
  const bool *isShared; ///< by root: it lies in memory that threads share
  bool isRunAgain;      ///< perhaps without a barrier in between
  bool isRunApart;      ///< by some threads without the others
} BerthThreadScope;

BerthStretches berthStretchesOf(const BerthThreadScope *scope);
void berthStretchesFree(BerthStretches *stretches);

#endif // BERTH_LIB_IR_VERIFYSTRETCHES_H
