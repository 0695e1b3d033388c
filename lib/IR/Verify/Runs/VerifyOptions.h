//===- VerifyOptions.h - What berth-verify is told ---------- C -----------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_RUNS_VERIFYOPTIONS_H
#define BERTH_LIB_IR_VERIFY_RUNS_VERIFYOPTIONS_H

#include "IR/Ops/PointerMap.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BERTH_ALL_LAYERS SIZE_MAX

typedef struct BerthVerifyOptions {
  /// Memory that threads share is used by many of them; else by one, or by
  /// several that keep one order.
  bool forThreads;
  /// Ops that nobody knows run their regions at their place (unknown-ops=use).
  bool unknownEnds;
  /// Functions that other flows launch as kernels, by name.
  size_t numKernels;
  const char *const *kernels;
  /// Slots that berth-multi-buffer has made are as it left them (Slots.h).
  bool forSlots;
  /// Buffers that turns of a loop choose are as berth-arena left them
  /// (TurnRings.h).
  bool forTurns;
  /// Filled in by berthVerifyArenas: berthFunctionsOfThreads (Arrival.h).
  const BerthPointerMap *ofThreads;
  /// Told by berthVerifyArenas: only buffers are looked at whose arena lies in
  /// buffers of so many others, one in the other; or all (BERTH_ALL_LAYERS).
  size_t layer;
} BerthVerifyOptions;

#endif // BERTH_LIB_IR_VERIFY_RUNS_VERIFYOPTIONS_H
