//===- Inspect.h - The print passes, in C -------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_INSPECT_H
#define BERTH_LIB_IR_INSPECT_H

#include "berth-c/Support.h"
#include "mlir-c/IR.h"

BERTH_EXTERN_C_BEGIN

typedef enum BerthInspection {
  BERTH_INSPECT_LIVENESS,
  BERTH_INSPECT_INTERFERENCE
} BerthInspection;

typedef struct BerthInspectOptions {
  BerthInspection what;
  const char *space;      ///< as in BerthCollectOptions
  const char *unknownOps; ///< "use", "keep" or "reject"
  const char *breakRule;  ///< tests only; NULL or ""
} BerthInspectOptions;

/// Prints the analysis of every scope in `root` on stderr, each scope in one
/// write. Errors are emitted at `root`.
BerthStatus berthInspect(MlirOperation root,
                         const BerthInspectOptions *options);

BERTH_EXTERN_C_END

#endif // BERTH_LIB_IR_INSPECT_H
