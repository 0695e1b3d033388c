//===- Alternatives.h - Buffers of which a value is one ------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Where control flow merges, a value may be one of several buffers:
//
//     %r = scf.if %c {          %a is written here,
//       scf.yield %a            or
//     } else {                  %b here,
//       scf.yield %b            and behind the op the one that was is read.
//     }
//     "read"(%r)
//
// As a buffer, each is wanted up to the read, so they meet. But only one of
// them is ever meant: the k buffers may lie at one offset. To see that, each
// *name* is looked at by itself: the allocation with its views is one, each
// value that merges others is one. What a name stands for is wanted from its
// definition on to its reads; to hand it on to another name is a read, and from
// there on the other name wants it. So %a is wanted in its branch only, and %r
// behind the op. Two buffers interfere where two different names of theirs are
// wanted at one point: of one name it is known that it is one of them only.
// This is how Futhark lets the results of an `if` share memory ("existential
// memory"), and how compilers join the operands of a phi.
//
// In memory that threads share, one thread may have come further than another.
// What a name stands for is the same in all of them where control and the
// choice are uniform (Uniformity.h), turn by turn. So webs have such names only
// there, and which of their accesses no barrier separates is for Hazards to say
// (NamePaths.h).
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_LIVENESS_ALTERNATIVES_H
#define BERTH_LIB_IR_LIVENESS_ALTERNATIVES_H

#include "IR/Scope/Job.h"

/// Two buffers of a scope that may have one offset although they meet; `a` is
/// the smaller number.
typedef struct BerthAlternative {
  size_t a;
  size_t b;
} BerthAlternative;

/// A value that stands for one of a web's buffers, with all views of it.
typedef struct BerthName {
  MlirValue value;  ///< an allocation, or what merges several; behind views
  uint64_t members; ///< bit i: it may be buffer i of the web
  size_t numUses;
  const MlirOperation *uses; ///< all that is done through it, once each
} BerthName;

/// Buffers that meet in some value, over several values too.
typedef struct BerthWeb {
  size_t numMembers;
  const size_t *members; ///< buffers of the scope, sorted
  size_t numNames;
  const BerthName *names;
} BerthWeb;

/// Pairs sorted by `a`, then by `b`, and the webs that have such pairs. In the
/// scope's memory.
typedef struct BerthAlternatives {
  size_t count;
  const BerthAlternative *pairs;
  size_t numWebs;
  const BerthWeb *webs;
} BerthAlternatives;

/// Finds them once live ranges are known. In memory that threads share they are
/// of one thread's order alone.
BerthAlternatives berthFindAlternatives(BerthJob *job);

/// True if the two buffers are such a pair.
bool berthAreAlternatives(const BerthAlternatives *alternatives, size_t a,
                          size_t b);

/// Joins those of one size into groups of one offset (Groups.h); in memory that
/// threads share only those that are pinned to one, the rest comes later
/// (OneOfSeveral.h).
void berthGroupAlternatives(BerthJob *job);

#endif // BERTH_LIB_IR_LIVENESS_ALTERNATIVES_H
