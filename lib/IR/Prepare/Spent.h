//===- Spent.h - Memory that nobody needs behind an op -------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// An op *spends* an operand if behind it, on no way, anybody gets at the memory
// by any other name than those that the op gives it. A proof is a list of such
// spendings, each of which follows from those that come before it in time:
//
//   %c = memref.alloc()               made here, used up to the loop
//   scf.for iter_args(%d = %c) {      the loop spends %c
//     %e = call @step(%d)             the call spends %d: it is %c, or %e
//     yield %e                        the yield spends %e
//   }
//
// So it goes from a value to where its memory comes from: an allocation, what a
// loop or a branch hands on, the calls of the function whose argument it is,
// the returns of the function that made it.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_PREPARE_SPENT_H
#define BERTH_LIB_IR_PREPARE_SPENT_H

#include "IR/Pointers/CallSummary.h"
#include "IR/Prepare/KnownCalls.h"

/// What proofs need.
typedef struct BerthSpender {
  const BerthKnownCalls *known;
  const BerthAliasOptions *alias;
  BerthCallSummaries summaries;
} BerthSpender;

/// A proof, or why there is none. Zero-initialise; then berthSpendingFree.
typedef struct BerthSpending {
  const char *reason;   ///< NULL: it is proved
  BerthWorklist frees;  ///< deallocations behind an op that spends, of all that
                        ///< it spends
  BerthWorklist makers; ///< the allocations that all of it comes from
  bool isFreedOnSomeWay; ///< by more than `frees`
  bool isOfCaller;       ///< some of it is an argument marked berth.updated
} BerthSpending;

/// Adds the proof that `op` spends its operand, memory of this type. False if
/// there is none.
bool berthProveSpent(BerthSpender *spender, MlirOperation op, intptr_t operand,
                     MlirType type, BerthSpending *spending);

/// True if the call's operand is a buffer that its block has allocated, and
/// that nobody has used yet.
bool berthIsFreshAt(BerthSpender *spender, MlirOperation call,
                    intptr_t operand);

void berthSpendingFree(BerthSpending *spending);

/// True if the argument of a func.func is marked berth.updated: by the user's
/// word its callers spend it.
bool berthArgumentIsUpdated(MlirOperation function, intptr_t index);

/// What the value is a cast of (memref.cast), else itself.
MlirValue berthBehindCasts(MlirValue value);

/// True if all that the op of the use does with the memory is to read and to
/// write it, before it is over. `*use` tells which of the two.
bool berthOnlyAccesses(BerthSpender *spender, MlirOpOperand operand,
                       BerthUse *use);

#endif // BERTH_LIB_IR_PREPARE_SPENT_H
