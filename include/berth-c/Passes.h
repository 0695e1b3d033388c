//===- Passes.h - Berth's passes, the C face ------------------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// For compilers that build their modules through MLIR's C API. Once registered,
// passes are added to a pass manager by their names, with their options:
//
//   mlirParsePassPipeline(mlirPassManagerGetAsOpPassManager(manager),
//                         mlirStringRefCreateFromCString(
//                             "builtin.module(berth-arena)"),
//                         callback, userData);
//
// With arena=annotate the plan is read from the allocations (`berth.offset`,
// `berth.size`, `berth.address`), with plan-out=FILE from a file
// (docs/plans.md).
// examples/embed/plan.c is a whole program. Link it with Berth::mlir.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_C_PASSES_H
#define BERTH_C_PASSES_H

#include "berth-c/Support.h"

BERTH_EXTERN_C_BEGIN

/// Registers all passes and the pipeline `berth` in this process. May be called
/// more than once, but not in two threads at a time.
BERTH_EXPORT void berthRegisterPasses(void);

BERTH_EXTERN_C_END

#endif // BERTH_C_PASSES_H
