//===- Uniform.h - What all threads of a workgroup agree on -------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A value is uniform if all threads of a workgroup that compute it get the
// same; control is uniform at a place if all threads reach it, equally often.
// Only there does a barrier count, and only there may one be inserted. Anything
// not proved uniform is divergent: thread ids, loads, unknown ops, arguments of
// device functions, values merged by control flow.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_UNIFORM_H
#define BERTH_LIB_IR_UNIFORM_H

#include "IR/Scope.h"

bool berthValueIsUniform(const BerthScope *scope, MlirValue value);

/// True if the choice among the op's regions, and the number of times they run,
/// is the same in all threads that reach the op.
bool berthRegionsAreUniform(const BerthScope *scope, MlirOperation op);

/// True if all threads that end a block with `branch` (may be null) go on the
/// same way.
bool berthBranchIsUniform(const BerthScope *scope, MlirOperation branch);

/// True if the region is one block, or all its branches are uniform.
bool berthBlocksAreUniform(const BerthScope *scope, MlirRegion region);

/// True if all threads reach the op equally often, within one run of the scope.
/// If not, `*because` (may be NULL) is the op whose control flow may diverge.
bool berthControlIsUniform(const BerthScope *scope, MlirOperation op,
                           MlirOperation *because);

#endif // BERTH_LIB_IR_UNIFORM_H
