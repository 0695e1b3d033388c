//===- Calls.h - What called functions do, for the verifier --------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_ROOTS_CALLS_H
#define BERTH_LIB_IR_VERIFY_ROOTS_CALLS_H

#include "IR/Ops/PointerMap.h"
#include "mlir-c/IR.h"

/// What a function may do through one of its arguments.
typedef struct BerthCalleeArgument {
  bool isRead;
  bool isWritten;
  uint64_t returned; ///< in the results of these bits; the last one stands for
                     ///< all further results
  bool isKept; ///< somebody may still use it when the function has returned
} BerthCalleeArgument;

/// A function that is being looked into, or whose answers stand only when one
/// below it that it calls in turn has been.
typedef struct BerthPending {
  size_t first; ///< its entries in `arguments`
  size_t count;
  size_t
      lowest; ///< the lowest pending function that it, or who it calls, calls
  bool isCalled; ///< by one that is pending
} BerthPending;

/// What an op is known to do through one of its operands (Access.c).
typedef struct BerthOperandUse {
  bool isKnown;
  bool reads;
  bool writes;
} BerthOperandUse;

/// A cache. Made by berthCalleesIn (CalleeBodies.h); then berthCalleesFree.
///
/// What a function does follows from the aliases in it, and these follow from
/// the functions that it calls: a true recursion. It goes through `lookInto`,
/// so that only CalleeBodies.c knows both sides.
typedef struct BerthCallees {
  MlirOperation root; ///< only functions inside it may be looked into
  bool unknownEnds;   ///< as in BerthVerifyOptions
  /// Fills in what a function with a body does through its arguments.
  void (*lookInto)(struct BerthCallees *callees, MlirOperation function,
                   BerthCalleeArgument *found);
  BerthPending *pending; ///< in the order in which they were entered
  size_t numPending;
  size_t maxPending;
  size_t inside;   ///< the pending function that is being looked into
  bool unseenKeep; ///< some function that may be called unseen keeps something
  bool separates;  ///< some op says that what it is given lies in several
                   ///< allocations
  BerthPointerMap firstOf; ///< function -> its first entry in `arguments`
  BerthCalleeArgument *arguments;
  size_t count;
  size_t capacity;
  BerthPointerMap usesOf; ///< op, no call -> its first operand's in `uses`
  BerthOperandUse *uses;
  size_t numUses;
  size_t useCapacity;
} BerthCallees;

/// What `callee` does through argument `index`. The worst, where the function
/// is unknown (null), has no body, or `index` is negative. Functions that call
/// each other keep all that they are handed if one of them keeps anything.
BerthCalleeArgument berthCalleesGetArgument(BerthCallees *callees,
                                            MlirOperation callee,
                                            intptr_t index);

/// Finds what functions keep whose names stand where no call of them does: who
/// has a name may call it, unseen; and `separates`. Once, before anything else
/// is asked.
void berthCalleesFindUnseen(BerthCallees *callees);

/// True if the op calls what is not seen, or is one that nobody explains and
/// that names something.
bool berthCallsUnseen(MlirOperation op);

/// True if what such an op calls may keep what the op is given.
bool berthUnseenMayKeep(const BerthCallees *callees, MlirOperation op);

/// True if the view's only uses are calls of one function, which takes it for
/// an arena of its own: whether one call's accesses may meet the next one's is
/// checked in that function, which may be entered again.
bool berthIsHandedOver(MlirOperation view);

/// True if the called function takes this operand for an arena of its own.
bool berthTakesArena(MlirOperation call, intptr_t operand);

void berthCalleesFree(BerthCallees *callees);

#endif // BERTH_LIB_IR_VERIFY_ROOTS_CALLS_H
