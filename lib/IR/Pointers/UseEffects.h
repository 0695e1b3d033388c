//===- UseEffects.h - What one use does with a pointer -------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// One question, asked for every use of every value that may point into a
// buffer: what does this op do with it? The answer comes from the first of
// these that explains the op:
//
//   1. it waits for, or is, asynchronous code      (OpTable)
//   2. a view                                      (ViewLikeOpInterface)
//   3. it passes values along control flow         (RegionBranchOpInterface,
//                                                   BranchOpInterface, returns)
//   4. a call                                      (CallOpInterface: look
//   inside)
//   5. its memory effects                          (MemoryEffectOpInterface)
//   6. nothing: it reads and writes the buffer, and what it returns may point
//      into it
//
// Whatever 5 says, results through which a pointer may travel alias the
// operand.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_POINTERS_USEEFFECTS_H
#define BERTH_LIB_IR_POINTERS_USEEFFECTS_H

#include "IR/Ops/Recursion.h"
#include "IR/Scope/Options.h"
#include "IR/Scope/Scope.h"
#include "IR/Transfers/Transfers.h"

/// What a called function does with one of its arguments (CallSummary.h).
typedef struct BerthArgumentSummary {
  bool known; ///< false: nothing could be seen, all others are true
  bool reads;
  bool writes;
  bool leaks; ///< stored, kept for later, or freed
  /// Bit i: result i may be it, or made of it; the last bit stands for all
  /// further results.
  uint64_t returned;
} BerthArgumentSummary;

enum { kBerthLastResultBit = 63 };

static inline uint64_t berthResultBit(intptr_t result) {
  return UINT64_C(1) << (result < kBerthLastResultBit ? result
                                                      : kBerthLastResultBit);
}

static inline bool berthReturnsInResult(const BerthArgumentSummary *summary,
                                        intptr_t result) {
  return summary->returned & berthResultBit(result);
}

/// What is known of called functions, and of transfers.
typedef struct BerthCallSummaries {
  MlirOperation root; ///< as in BerthAliasOptions
  BerthUnknownOps unknownOps;
  BerthNamedFunctions *named;
  BerthDmaTable transfers;
  /// What a call does is what the uses in the function do, which may be calls:
  /// this recursion goes through here. It is berthSummarizeArgument.
  BerthArgumentSummary (*summarize)(struct BerthCallSummaries *summaries,
                                    MlirOperation function, intptr_t index);
  /// The same recursion: what functions do that may be called unseen.
  const BerthNamedFunctions *(*findNamed)(struct BerthCallSummaries *summaries);
  size_t innermost; ///< the summary that is being made, or BERTH_NOT_FOUND
  BerthPointerMap indexOf; ///< block argument -> index into `summaries`
  BerthArgumentSummary *summaries;
  size_t count;
  size_t capacity;
  /// The ops of which `endsUntold` holds, of whatever function, by the buffer
  /// at hand, or BERTH_NOT_FOUND in a called one: another buffer that comes
  /// there gets the answer from this table.
  BerthNotedOp *noted;
  size_t numNoted, notedCapacity;
} BerthCallSummaries;

/// How far a pointer gets away through a use.
typedef enum BerthLeak {
  BERTH_LEAK_NONE,
  BERTH_LEAK_IN_SCOPE, ///< it may be used until the scope ends
  BERTH_LEAK_OUT       ///< it may be used after the scope has ended
} BerthLeak;

typedef struct BerthUse {
  bool reads;
  bool writes;
  bool frees;
  bool goesOn; ///< work may use it behind the function, too
  BerthLeak leak;
  const char *reason; ///< of the leak; static storage
  bool assumed;       ///< no interface explained the op
  /// Nor does anything tell whether the op goes on behind its place: it is
  /// taken not to.
  bool endsUntold;
} BerthUse;

/// Notes the op of a use, if that is to be noted.
void berthNoteUse(BerthCallSummaries *summaries, MlirOperation op, BerthUse use,
                  size_t buffer);

/// Told of every value that becomes an alias through the use. `isView` is true
/// if it addresses the source's bytes only (no other buffer's), `isWhole` if it
/// provably addresses all of them.
typedef void (*BerthAliasCallback)(MlirValue alias, bool isView, bool isWhole,
                                   void *userData);

BerthUse berthClassifyUse(MlirOpOperand use, const BerthAliasOptions *options,
                          BerthCallSummaries *summaries,
                          BerthAliasCallback callback, void *userData);

#endif // BERTH_LIB_IR_POINTERS_USEEFFECTS_H
