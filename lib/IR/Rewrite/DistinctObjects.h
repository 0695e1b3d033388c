//===- DistinctObjects.h - What one arena makes untrue ------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// memref.distinct_objects says of its operands that they lie in different
// objects. Of views of one arena LLVM takes it to mean that the arena does not
// alias itself, even if they never share bytes, and miscompiles. So the op goes
// wherever a placed buffer may come to it, in called functions too, which may
// be inlined.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_REWRITE_DISTINCTOBJECTS_H
#define BERTH_LIB_IR_REWRITE_DISTINCTOBJECTS_H

#include "IR/Ops/Worklist.h"
#include "IR/Scope/Job.h"

/// What is found for some jobs. Zero-initialise to use.
typedef struct BerthDistinct {
  BerthWorklist ops;
  BerthWorklist functions; ///< that are called, each looked into once
  bool mayBeAny; ///< so may all others: what is called somewhere is not seen
} BerthDistinct;

/// Adds the ops that a buffer of the job comes to which is placed, or merged.
/// Called functions are not looked into closely: all such ops in them, and
/// where it is not seen what is called, all that there are.
void berthListDistinct(const BerthJob *job, BerthDistinct *found);

/// Puts their operands in the place of their results, with a remark of `pass`,
/// once nobody holds these any more; frees what was found.
void berthDropDistinct(BerthDistinct *found, const char *pass);

#endif // BERTH_LIB_IR_REWRITE_DISTINCTOBJECTS_H
