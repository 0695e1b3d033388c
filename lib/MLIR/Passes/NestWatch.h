//===- NestWatch.h - Functions that nested passes miss ------*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_MLIR_PASSES_NESTWATCH_H
#define BERTH_LIB_MLIR_PASSES_NESTWATCH_H

namespace mlir {
class PassManager;
} // namespace mlir

namespace berth {

/// Has the pipeline tell, when it ends, of functions that have buffers for a
/// pass of Berth which has found none where it is nested. Only who makes the
/// pipeline can: a pass must not look at functions beside its own.
void watchNests(mlir::PassManager &manager);

} // namespace berth

#endif // BERTH_LIB_MLIR_PASSES_NESTWATCH_H
