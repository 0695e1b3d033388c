//===- PrintPasses.h - The print passes, in C ----------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_PASSES_PRINTPASSES_H
#define BERTH_LIB_IR_PASSES_PRINTPASSES_H

#include "IR/Pointers/Aliases.h"
#include "IR/Scope/Collect.h"

BERTH_EXTERN_C_BEGIN

typedef enum BerthInspection {
  BERTH_INSPECT_LIVENESS,
  BERTH_INSPECT_INTERFERENCE
} BerthInspection;

/// The pass's options as the user wrote them, and what they were parsed to.
typedef struct BerthInspectOptions {
  BerthCollectOptions collect;
  BerthAliasOptions alias;
  bool isSilent; ///< compute, do not print: for timing the analysis
} BerthInspectOptions;

/// Parses the texts of `space`, `unknown-ops` and `test-break-rule`. Call it
/// when the pass is initialised; `breakRule` is borrowed.
BerthStatus berthInspectOptionsParse(MlirContext context, const char *space,
                                     const char *unknownOps,
                                     const char *breakRule,
                                     BerthInspectOptions *options,
                                     BerthError *error);

/// Prints the analysis of every scope in `root` on stderr, each scope in one
/// write.
void berthInspect(MlirOperation root, BerthInspection what,
                  const BerthInspectOptions *options);

BERTH_EXTERN_C_END

#endif // BERTH_LIB_IR_PASSES_PRINTPASSES_H
