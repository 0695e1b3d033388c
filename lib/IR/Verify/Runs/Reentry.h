//===- Reentry.h - Functions that run while they run -------- C -----------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A global arena is one for all runs of a function. Another run that begins
// before the last one has ended finds its buffers there: a recursion, or a
// function that several threads call.
//
// Told by names: a function may run whatever any op in it mentions, in whatever
// attribute. A mention that is no plain call, in code that does one thing after
// the other, may be a call at any time; so may one by a kernel, a coroutine or
// what runs beside others. Functions that are only declared are taken to call
// none of which nobody has told them.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_RUNS_REENTRY_H
#define BERTH_LIB_IR_VERIFY_RUNS_REENTRY_H

#include "IR/Ops/PointerMap.h"
#include "IR/Verify/Runs/VerifyOptions.h"
#include "mlir-c/IR.h"

#include <stdint.h>

/// Who mentions whom, by name. Set `root` and `options`; then berthReentryFree.
typedef struct BerthReentry {
  MlirOperation root;
  const BerthVerifyOptions *options;
  bool isBuilt;
  size_t count, words;      ///< names; of a row of bits
  BerthPointerMap numberOf; ///< name (its characters) -> its number
  uint64_t *mentions;       ///< rows
  MlirOperation *anyTime;   ///< by name: what may run it at any time, or null
} BerthReentry;

/// True if a run of the function may begin before another one has ended. `*why`
/// is an op that lets it, or null.
bool berthMayRunInItself(BerthReentry *reentry, MlirOperation function,
                         MlirOperation *why);

/// True if a run of the function may lead to one of the other; where both are
/// the same, to another one of it.
bool berthMayRunIn(BerthReentry *reentry, MlirOperation function,
                   MlirOperation other);

/// The op in `around`, or in the function if that is null, that stands around
/// this one, or it itself, of which several runs may be under way at once, or
/// go on behind it; null if there is none. `*function` is the function then.
MlirOperation berthFindAside(MlirOperation op, MlirOperation around,
                             MlirOperation *function);

void berthReentryFree(BerthReentry *reentry);

#endif // BERTH_LIB_IR_VERIFY_RUNS_REENTRY_H
