//===- SlotCheck.h - What is known while slots are checked ---- C ---------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_SLOTS_SLOTCHECK_H
#define BERTH_LIB_IR_VERIFY_SLOTS_SLOTCHECK_H

#include "IR/Verify/Runs/VerifyOptions.h"
#include "IR/Verify/Slots/SlotUses.h"

typedef enum BerthSlotForm {
  BERTH_SLOTS_COPIED,      ///< by ops that are done when they are over
  BERTH_SLOTS_TRANSFERRED, ///< memref.dma_start
  BERTH_SLOTS_OF_THREADS,  ///< asynchronous copies of a kernel's threads
  BERTH_SLOTS_LOADED       ///< by TMA
} BerthSlotForm;

typedef struct BerthSlotCheck {
  BerthSlotUses uses;
  BerthSlotForm form;
  int64_t ahead;   ///< how many turns before its own a copy is made
  int64_t numLast; ///< turns of the loop that stand behind it
  size_t *copies;  ///< accesses: those that bring what a turn uses, in the body
  size_t numCopies;
  const BerthVerifyOptions *options;
  MlirOperation root;
  BerthSlotReport report;
  void *userData;
} BerthSlotCheck;

/// Tells of it and returns false.
static inline bool berthSlotIsWrong(const BerthSlotCheck *check,
                                    MlirOperation op, const char *why) {
  check->report(op, why, check->uses.alloc, "of these slots", check->userData);
  return false;
}

static inline const BerthSlotAccess *berthSlotCopy(const BerthSlotCheck *check,
                                                   size_t i) {
  return &check->uses.accesses[check->copies[i]];
}

/// True for an access in the body that is no copy for a later turn, nor the one
/// that brings what the turn uses.
static inline bool berthSlotIsUse(const BerthSlotCheck *check, size_t access) {
  if (check->uses.accesses[access].place != BERTH_SLOT_IN)
    return false;
  for (size_t i = 0; i < check->numCopies; ++i)
    if (check->copies[i] == access)
      return false;
  return true;
}

#endif // BERTH_LIB_IR_VERIFY_SLOTS_SLOTCHECK_H
