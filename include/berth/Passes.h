//===- Passes.h - Berth's passes, the C++ face ------------------*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For programs that build their own pass pipelines: each pass has a function
// `berth::createArena(options)` and the like, generated from Passes.td.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_PASSES_H
#define BERTH_PASSES_H

#include "berth/Options.h"

#include "mlir/Pass/Pass.h"

namespace berth {

/// Registers all passes and pipelines, unless somebody has done so already: a
/// berth-opt that is given the plugin too must not register them twice.
void registerPassesOnce();

/// Registers the pipeline `berth`: fold, merge, arena, verify. Part of the
/// above.
void registerPipelines();

#define GEN_PASS_DECL
#include "berth/Passes.h.inc"

} // namespace berth

#endif // BERTH_PASSES_H
