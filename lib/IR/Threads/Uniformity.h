//===- Uniformity.h - What all threads of a workgroup agree on ------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A value is uniform if all threads of a workgroup that compute it get the
// same, turn by turn in a loop; control is uniform at a place if all threads
// reach it, equally often. Only there does a barrier count, and only there may
// one be inserted.
//
// Divergence has sources: thread ids, loads from memory that may be written,
// unknown ops, arguments of device functions. From there it spreads along the
// uses of values until nothing more is reached:
//
//     %i = thread id
//     scf.while (%a = %0) {        <- decided by %c: threads leave it in
//       %c = cmpi ult, %a, %i         different turns, so what it carries and
//       scf.condition(%c) %a          returns is divergent
//     } do {
//     ^bb0(%b): ...
//     }
//
//  - what is computed from a divergent value, or handed on from one to a block,
//    a region or a result, is divergent;
//  - if one decides which regions of an op run, or how often, so are all values
//    that the op hands to its regions or returns, whichever they are made of;
//  - if one decides a branch between blocks, so are the arguments of the blocks
//    up to where its ways meet again (Divergence.h), and of the one where they
//    do.
//
// All else is uniform. So a value that goes round a loop is taken for uniform
// until something says that it is not.
//
// Where the scope wants what all workgroups of a cluster agree on, sources are
// more: whatever has no operands and is no constant, what only a workgroup has
// reduced, and flags in its memory.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_THREADS_UNIFORMITY_H
#define BERTH_LIB_IR_THREADS_UNIFORMITY_H

#include "IR/Ops/PointerMap.h"
#include "IR/Scope/Scope.h"
#include "IR/Threads/Divergence.h"

typedef struct BerthUniformity {
  BerthPointerMap values; ///< the divergent ones
  BerthPointerMap ops;    ///< branches that part the threads, and ops whose
                          ///< regions they do not all run, equally often
  BerthPointerMap blocks; ///< in the spread of some branch
  BerthSpread *spreads;   ///< one for each branch that parts the threads
  size_t numSpreads, spreadCapacity;
} BerthUniformity;

/// Finds what is uniform, unless that is known already; the scope keeps it, for
/// the questions below.
/// `breakRule`: see IR/Ops/Rules.h.
void berthScopeFindUniformity(BerthScope *scope, const char *breakRule);
void berthScopeFreeUniformity(BerthScope *scope);

bool berthValueIsUniform(const BerthScope *scope, MlirValue value);

/// True if the choice among the op's regions, and the number of times they run,
/// is the same in all threads that reach the op.
bool berthRegionsAreUniform(const BerthScope *scope, MlirOperation op);

/// True if all threads reach the op equally often, within one run of the scope.
/// If not, `*because` (may be NULL) is the op whose control flow may diverge.
bool berthControlIsUniform(const BerthScope *scope, MlirOperation op,
                           MlirOperation *because);

#endif // BERTH_LIB_IR_THREADS_UNIFORMITY_H
