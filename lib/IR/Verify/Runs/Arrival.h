//===- Arrival.h - How threads come into a scope -------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels and launches are run by all threads of a workgroup together. Another
// function is run by those that call it: where some call of it stands in
// divergent control, or in a function of which that is true, a barrier inside
// is not one that all threads reach.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_RUNS_ARRIVAL_H
#define BERTH_LIB_IR_VERIFY_RUNS_ARRIVAL_H

#include "IR/Verify/Runs/VerifyOptions.h"
#include "mlir-c/IR.h"

/// Functions in `root`, outside of a gpu.module, that many threads run: ops of
/// a device's dialects stand in them, or in functions that they call or that
/// call them; if `forThreads` also those that have views of memory that threads
/// share. The values are for this file.
BerthPointerMap berthFunctionsOfThreads(MlirOperation root, bool forThreads);

/// True for gpu.launch, for functions with `gpu.kernel`, and for those that the
/// options name.
bool berthIsToldKernel(MlirOperation scope, const BerthVerifyOptions *options);

/// The same, and for those of threads that nobody calls.
bool berthIsKernel(MlirOperation scope, const BerthVerifyOptions *options);

/// True if all threads come into the scope with the same arguments. Into a
/// function that nobody has called a kernel, and that does not ask which thread
/// runs it, each may come with its own number.
bool berthArgumentsAgree(MlirOperation scope,
                         const BerthVerifyOptions *options);

/// True for a function of threads, as ops tell.
bool berthIsOfThreads(MlirOperation scope, const BerthVerifyOptions *options);

/// True if some calls of the scope that stand in `root` are made by some of the
/// threads only.
bool berthSomeThreadsCall(MlirOperation scope, MlirOperation root,
                          const BerthVerifyOptions *options);

/// True if calls of the function stand in `root` and nothing else can run it:
/// it stands in a gpu.module, which is a whole program, or is private, and no
/// op but a func.call names it.
bool berthAllCallsAreSeen(MlirOperation function, MlirOperation root);

#endif // BERTH_LIB_IR_VERIFY_RUNS_ARRIVAL_H
