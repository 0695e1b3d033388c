//===- CallSummary.h - What a function does with its arguments ----- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Looks inside a called function: does it read or write through a memref
// argument, return it, free it, or let it get away? Recursion and functions
// without bodies are answered with the worst. Answers are cached.
//
// What a call by address leads to, or code that is not seen, may be any
// function whose name is used but to call it: for all of these there is one
// answer.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_POINTERS_CALLSUMMARY_H
#define BERTH_LIB_IR_POINTERS_CALLSUMMARY_H

#include "IR/Pointers/UseEffects.h"

/// An empty table.
BerthCallSummaries berthCallSummariesCreate(const BerthAliasOptions *options);

/// Summary of argument `index` of `function`.
BerthArgumentSummary berthSummarizeArgument(BerthCallSummaries *summaries,
                                            MlirOperation function,
                                            intptr_t index);

/// The same, calling back for each use of the argument, or of what may be it,
/// that reads or writes.
typedef void (*BerthArgumentUseCallback)(MlirOpOperand use, bool writes,
                                         void *userData);
BerthArgumentSummary berthForEachArgumentUse(BerthCallSummaries *summaries,
                                             MlirOperation function,
                                             intptr_t index,
                                             BerthArgumentUseCallback callback,
                                             void *userData);

void berthCallSummariesFree(BerthCallSummaries *summaries);

#endif // BERTH_LIB_IR_POINTERS_CALLSUMMARY_H
