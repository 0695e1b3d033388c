//===- DeallocChains.h - Code that decides what is freed ------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// The deallocation passes decide at run time which memory they may free
// (IR/Ops/Dealloc.h). When a buffer is placed and its deallocations go, what
// only decided these has nothing left to do:
//
//   %ptr = memref.extract_aligned_pointer_as_index %a
//   memref.store %ptr, %table[%c0]
//   call @dealloc_helper(%table, ..., %verdicts)
//   %free = memref.load %verdicts[%c0]
//   scf.if %free { memref.dealloc %a }        <- goes, and all above with it
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_POINTERS_DEALLOCCHAINS_H
#define BERTH_LIB_IR_POINTERS_DEALLOCCHAINS_H

#include "IR/Scope/Job.h"

/// The memref.deallocs of placed buffers, and the ops that go with them.
typedef struct BerthDecisions {
  BerthPointerMap indexOf; ///< op -> its place in `ops`
  MlirOperation *ops;      ///< the deallocs first
  size_t numDeallocs;
  size_t count;
  size_t capacity;
} BerthDecisions;

/// Finds them; changes nothing.
BerthDecisions berthFindDecisions(const BerthJob *job);

/// Erases the ops behind the deallocs: those must be gone by now.
void berthEraseDecisions(BerthDecisions *decisions);
void berthDecisionsFree(BerthDecisions *decisions);

/// Rejects the allocations that would go too: they need no place. Where no code
/// is changed, nothing goes.
void berthSetTablesAside(BerthJob *job);

#endif // BERTH_LIB_IR_POINTERS_DEALLOCCHAINS_H
