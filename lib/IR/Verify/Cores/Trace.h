//===- Trace.h - What each core does, barrier by barrier ------ C ---------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The planner cuts a function into steps and looks for ways between them
// (IR/Cores). Here it is run instead, once for each core: a branch on the
// core's number is taken or not, a loop that holds a barrier is run through
// turn by turn, and each op is noted with the number of barriers that the core
// has come to before it, its *phase*. Two cores are in one phase at a time.
//
// Loops with many turns, or with a number of turns that nobody knows, are run
// a few times only. Then all cores must come to such loops in the same phases,
// with equal bounds.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_CORES_TRACE_H
#define BERTH_LIB_IR_VERIFY_CORES_TRACE_H

#include "mlir-c/IR.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// An op that some core comes to. Ops with regions whose flow is known stand
/// for themselves alone, all others for what is in them, too.
typedef struct BerthTraceEvent {
  MlirOperation op;
  size_t phase;
  int core;
  bool withNested;
  bool isLoose; ///< cores may disagree on whether they come here
} BerthTraceEvent;

typedef struct BerthTrace {
  MlirOperation failedAt;  ///< where cores cannot be held together, or null
  BerthTraceEvent *events; ///< of core 0 in its order, then of core 1, ...
  size_t count, capacity;
  size_t numPhases;
} BerthTrace;

/// Runs the body of a scope; `mostTurns` is how often a loop is run whose
/// turns cannot be run one by one.
BerthTrace berthTraceOf(MlirOperation scope, size_t mostTurns);
void berthTraceFree(BerthTrace *trace);

#endif // BERTH_LIB_IR_VERIFY_CORES_TRACE_H
