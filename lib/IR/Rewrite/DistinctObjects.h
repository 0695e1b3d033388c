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

/// Adds the ops that a buffer of the job comes to which is placed, or merged.
/// Called functions are not looked into closely: all such ops in them, and
/// where it is not seen what is called, all that there are.
void berthListDistinct(const BerthJob *job, BerthWorklist *ops);

/// Puts their operands in the place of their results, with a remark of `pass`,
/// once nobody holds these any more; frees the list.
void berthDropDistinct(BerthWorklist *ops, const char *pass);

#endif // BERTH_LIB_IR_REWRITE_DISTINCTOBJECTS_H
