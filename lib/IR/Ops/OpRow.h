//===- OpRow.h - What is known of an op by its name ---------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// What descriptions of ops become: Berth's own (BuiltinOps.json), a target's,
// and an op's own attributes (RowOf.h). All others ask OpTable.h.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_OPS_OPROW_H
#define BERTH_LIB_IR_OPS_OPROW_H

#include "IR/Ops/OpKinds.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// What an op does, a bit each. Most are explained at the predicate of that
/// name (OpTable.h).
enum {
  // Memory
  kTouches = 1 << 0, ///< berthOpSurelyTouches
  kPlain = 1 << 1,   ///< berthOpIsPlainAccess
  kElement = 1 << 2,
  kNoPointer = 1 << 3,
  kOtherProxy = 1 << 4,
  // Numbers and control flow
  kArithmetic = 1 << 5,
  kUniform = 1 << 6, ///< berthOpKeepsUniformity
  kAffine = 1 << 7,
  kOpen = 1 << 8, ///< berthControlFollowsOperands
  kTableCode = 1 << 9,
  // Regions and threads
  kParallel = 1 << 10,
  kParallelBody = 1 << 11,
  kSomeThreads = 1 << 12,
  kBarrier = 1 << 13,
  kCountedBarrier = 1 << 14, ///< a barrier unless it has a thread count
  // What goes on behind its op
  kAsync = 1 << 15,
  kAsyncByToken = 1 << 16, ///< the same if it returns a token
  kAwait = 1 << 17,
  kStarts = 1 << 18,     ///< something of the row's kind
  kMakesGroup = 1 << 19, ///< of that kind
  kAwaitsMbarrier = 1 << 20,
  kDescriptor = 1 << 21,
  kProxyFence = 1 << 22, ///< of some kinds only
  kTransfer = 1 << 23,
  kCoroutine = 1 << 24,
  kNoWait = 1 << 25, ///< takes a token, returns nothing, and waits for nothing
  kEscape = 1 << 26, ///< berthOpLetsEscape
  kSeparates = 1 << 27,
  kAssumesAlignment = 1 << 28,
  kRetypes = 1 << 29,  ///< berthOpRetypesWhole
  kDescribed = 1 << 30 ///< `operands` has all that it does to memory
};

/// What it has to do with other threads, a bit each; and what has no room
/// above.
enum {
  kNeverWaits = 1 << 0,
  kNeverSignals = 1 << 1,
  kSplitBarrier = 1 << 2, ///< berthOpIsPartOfBarrier
  kThreadNumber = 1 << 3, ///< tells which thread runs it
  kAgree = 1 << 4,        ///< berthOpMakesAgree
  kDeviceCode = 1 << 5,   ///< stands in code that many threads run,
  kHostCode = 1 << 6,     ///< unless it is this
  kUnsigned = 1 << 7      ///< berthOpIsUnsigned
};

/// Which parts of a row an entry of a description says, a bit each. They take
/// the place of what is known otherwise; traits are added to it.
enum {
  kSaysKind = 1 << 0,
  kSaysRoles = 1 << 1,
  kSaysSegments = 1 << 2,
  kSaysAsync = 1 << 3, ///< `async`, `mayPend`, kStarts, kMakesGroup
  kSaysAsyncIf = 1 << 4,
  kSaysAllocation = 1 << 5,
  kSaysToken = 1 << 6,
  kSaysUnit = 1 << 7,
  kSaysCores = 1 << 8,
  kSaysCopies = 1 << 9,
  kSaysWork = 1 << 10, ///< what starts or ends BERTH_ASYNC_WORK, which is added
  kSaysOnce = 1 << 11,
  kSaysPorts = 1 << 12,
  kSaysAligned = 1 << 13
};

/// What has to hold of an op for a row to be its own: the memory space of an
/// operand, or an attribute.
typedef struct BerthOpCondition {
  intptr_t operand;      ///< or -1: an attribute
  const char *attribute; ///< its name, or NULL: a space
  const char *text;      ///< what it says (as `space` of a memory, Target.h);
                         ///< NULL: anything
} BerthOpCondition;

/// Where an allocating op tells something: in an attribute, or in an operand
/// that is a constant; or it is the same for all of them.
typedef struct BerthOpSource {
  const char *attribute; ///< or NULL
  intptr_t operand;      ///< or -1
  const char *text;      ///< a memory space, or NULL
} BerthOpSource;

/// Of an op whose first result is an allocation. Without any of the three in a
/// source the result's type tells it.
typedef struct BerthOpAllocation {
  BerthOpSource size, alignment, space;
} BerthOpAllocation;

/// One row: what is known of an op, or of a family of ops.
typedef struct BerthOpRow {
  const char *name; ///< of a family it ends in '*', which stands for any rest;
                    ///< of calls of a function it is '@' and the symbol
  BerthOpKind kind;
  uint32_t traits;
  uint32_t threads; ///< what it has to do with other threads
  /// The roles of the first operands, or segments of operands
  /// (BerthOperandRole); NULL: not told here.
  const char *operands;
  bool bySegments; ///< the roles are those of operandSegmentSizes
  /// What the names of the attributes begin with that make it asynchronous
  /// (`nowait`), or NULL.
  const char *asyncIf;
  /// The kind of what the op starts, groups or waits for.
  BerthAsyncKind async;
  /// The attribute that says how many groups a wait lets pend, and how many it
  /// does without; NULL: it waits for nothing.
  const char *mayPend;
  int64_t defaultPend;
  uint32_t says;                      ///< which parts its entry says
  const BerthOpCondition *conditions; ///< all of them have to hold
  size_t numConditions;
  const BerthOpAllocation *allocates; ///< NULL: it does not
  size_t order;   ///< its place among the rows of the description
  int token;      ///< 1 + the number of the result that stands for what goes on
                  ///< behind the op; 0: none
  bool copies;    ///< all of the operand that it reads to the one it writes
  int unit;       ///< the unit that it runs on, from 1; 0: not told
  bool once;      ///< one core, always the same, has the unit run it
  int numCores;   ///< its result tells which of so many cores runs it; or 0
  uint64_t isOn;  ///< if not 0: the result is not the core's number, but true
                  ///< on these cores
  uint64_t ports; ///< operands that it gets at at once, a bit each, through
                  ///< ports of their own
  int64_t aligned; ///< its operands that are memory begin at a multiple of so
                   ///< many bytes; 0: not told
} BerthOpRow;

/// All that a description says of ops and of types, by their names.
typedef struct BerthOpRows {
  const BerthOpRow *rows; ///< sorted by name (strcmp); of one name the first
  size_t count;           ///< whose conditions hold counts
  const BerthOpRow *families; ///< those of them whose names end in '*'
  size_t numFamilies;
  const char *const *pointerless; ///< types of berthTypeIsPointerless
  size_t numPointerless;
  const char *const *tokens; ///< types of berthTypeIsToken
  size_t numTokens;
  bool hasFunctions; ///< some are of calls
  bool isConcurrent; ///< some tell of units, cores, barriers or pending work
  int numCores;      ///< that functions tell apart; 0: none
} BerthOpRows;

#endif // BERTH_LIB_IR_OPS_OPROW_H
