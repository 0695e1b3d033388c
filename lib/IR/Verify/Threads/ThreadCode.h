//===- ThreadCode.h - A scope whose threads share memory ------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the checks of threads begin with: which buffers threads share, where
// threads may part, and the graph of what they do (ThreadGraph.h).
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_THREADS_THREADCODE_H
#define BERTH_LIB_IR_VERIFY_THREADS_THREADCODE_H

#include "IR/Verify/Threads/ThreadGraph.h"

typedef struct BerthThreads {
  const BerthViews *views; ///< of the scope
  MlirOperation scope;
  MlirOperation root; ///< calls of the scope are looked for in here
  const BerthVerifyOptions *options;
  BerthPhaseTable *phases; ///< of called functions
} BerthThreads;

typedef struct BerthThreadCode {
  bool *isShared; ///< by root
  BerthMemory memory;
  BerthSteadyLoads steady;
  BerthDivergence divergence;
  struct BerthRootLoads *loads; ///< by root
  BerthStretches stretches;
} BerthThreadCode;

/// True if it lies in tensor memory, which only barriers with fences order.
bool berthRootIsOfTensors(const BerthRoot *root);

/// False if no buffer of the scope lies in memory that threads share; then
/// there is nothing to free.
bool berthThreadCodeOf(const BerthThreads *threads, BerthThreadCode *code);
void berthThreadCodeFree(BerthThreadCode *code);

#endif // BERTH_LIB_IR_VERIFY_THREADS_THREADCODE_H
