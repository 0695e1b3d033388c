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
// Told by names: a function may run whatever any op in it mentions. Where a
// pointer to it is taken, whoever calls through pointers may call it. Functions
// that are only declared are taken to call none of these.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_ROOTS_REENTRY_H
#define BERTH_LIB_IR_VERIFY_ROOTS_REENTRY_H

#include "IR/Ops/PointerMap.h"
#include "mlir-c/IR.h"

#include <stdint.h>

/// Who mentions whom, by name. Set `root`; then berthReentryFree.
typedef struct BerthReentry {
  MlirOperation root;
  bool isBuilt;
  size_t count, words;         ///< names; of a row of bits
  BerthPointerMap numberOf;    ///< name (its characters) -> its number
  uint64_t *mentions;          ///< rows
  bool *isTaken;               ///< by name: mentioned by what is no call of it
  bool *callsUnknown;          ///< by name: calls through a pointer
  MlirOperation *runsTogether; ///< by name: the op whose runs do so; or null
  bool unknownRunsTogether;    ///< some call through a pointer does
} BerthReentry;

/// True if a run of the function may begin before another one has ended. `*why`
/// is an op that lets it, or null.
bool berthMayRunInItself(BerthReentry *reentry, MlirOperation function,
                         MlirOperation *why);

void berthReentryFree(BerthReentry *reentry);

#endif // BERTH_LIB_IR_VERIFY_ROOTS_REENTRY_H
