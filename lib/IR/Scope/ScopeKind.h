//===- ScopeKind.h - Who runs a scope ------------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_SCOPE_SCOPEKIND_H
#define BERTH_LIB_IR_SCOPE_SCOPEKIND_H

#include "IR/Scope/CollectOptions.h"
#include "IR/Scope/Scope.h"

BERTH_EXTERN_C_BEGIN

/// A scope that is no parallel op.
bool berthIsFunctionOrLaunch(MlirOperation op);

/// The innermost function or launch around an op; null if there is none.
MlirOperation berthEnclosingScope(MlirOperation op);

/// True if the options name the function as a kernel.
bool berthScopeIsListed(MlirOperation op, const BerthCollectOptions *options);

/// Finds the functions in `root`, outside of a gpu.module, that many threads
/// run, as ops in them tell (berthOpIsOfThreads), or in functions that they
/// call or that call them. Where the options name memory that threads share, it
/// is all functions: nothing can prove that one thread runs the code but the
/// user, or a target description that tells who does. One that is not private
/// and that nobody in `root` calls is taken for a kernel, which another flow
/// launches.
BerthPointerMap berthFindThreadFunctions(MlirOperation root,
                                         const BerthCollectOptions *options);

/// A scope without its buffers.
BerthScope berthScopeOf(MlirOperation op, const BerthCollectOptions *options);

BERTH_EXTERN_C_END

#endif // BERTH_LIB_IR_SCOPE_SCOPEKIND_H
