//===- Phases.h - Called functions between their barriers ----------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Barriers cut a run of a function into phases. The first one belongs with what
// its caller does before the call, the last one with what it does behind; where
// some run has no barrier, both are one. A phase also holds the functions that
// are entered in it, and those that are left: a function that is left and
// entered in one phase may meet its own last run.
//
// Everything is found on the stretches of the functions (ThreadGraph.h),
// callees first.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_THREADS_PHASES_H
#define BERTH_LIB_IR_VERIFY_THREADS_PHASES_H

#include "IR/Verify/Roots/Calls.h"
#include "IR/Verify/Runs/VerifyOptions.h"
#include "Support/BumpMemory.h"

/// What is done in one phase. Functions are bits, by their numbers.
typedef struct BerthPhase {
  BerthCalleeArgument *arguments; ///< returned is not filled in
  uint64_t *functions;            ///< entered in it, or left
} BerthPhase;

typedef struct BerthPhases {
  bool isOpen; ///< some way through it has no barrier
  BerthPhase first;
  BerthPhase last;
} BerthPhases;

/// A cache. Made by berthPhasesIn (FindPhases.h); then berthPhasesFree.
///
/// The phases of a function follow from the stretches of its code, and these
/// from the phases of what it calls: a true recursion. It goes through
/// `lookInto`, so that only FindPhases.c knows both sides.
typedef struct BerthPhaseTable {
  MlirOperation root; ///< only functions inside it are looked into
  BerthCallees *callees;
  const BerthVerifyOptions *options;
  /// Finds the phases of function `number`, in the table's memory.
  BerthPhases *(*lookInto)(struct BerthPhaseTable *table,
                           MlirOperation function, size_t number);
  BerthMemory memory;
  BerthPointerMap numberOf; ///< function in `root` -> its number
  size_t numFunctions;
  BerthPhases **phases; ///< by function; NULL until it is looked into
  bool *isBusy;         ///< by function: it is being looked into
  signed char *isApart; ///< by function: berthSomeThreadsCall, -1 or 1; 0: ?
  bool isSearched;      ///< for functions that run again
  uint64_t *runAgain;   ///< bits of those
} BerthPhaseTable;

/// The phases of a function, or NULL where it is not to be looked into or where
/// it is the one that is being looked into. Holds for calls that all threads
/// make.
const BerthPhases *berthPhasesOf(BerthPhaseTable *table, MlirOperation callee);

/// The number of a function in the table, or BERTH_NOT_FOUND.
size_t berthPhasesNumber(BerthPhaseTable *table, MlirOperation function);

/// The same as berthSomeThreadsCall, which takes long, once for each function.
bool berthIsRunApart(BerthPhaseTable *table, MlirOperation scope);

void berthPhasesFree(BerthPhaseTable *table);

#endif // BERTH_LIB_IR_VERIFY_THREADS_PHASES_H
