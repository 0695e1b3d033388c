//===- LoadConditions.h - Conditions by which one thread loads ------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which thread loads by TMA is told by a predicate of each op, or by a
// condition around all of them. If that is the same in all turns of a loop,
// both say the same:
//
//   scf.if %first {                      arrive.expect_tx ..., predicate =
//   %first
//     arrive.expect_tx ...          ->   tma.async.load ..., predicate = %first
//     tma.async.load ...
//   }
//
// With predicates, the ops are of the turn's own block, where slots are thought
// of.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_MULTIBUFFER_LOADCONDITIONS_H
#define BERTH_LIB_IR_MULTIBUFFER_LOADCONDITIONS_H

#include "mlir-c/IR.h"

/// Makes predicates of such conditions in the scope, in loops whose loads may
/// move then (LoadLoops.h); other loops stay as they are.
void berthPredicateLoads(MlirOperation scope);

#endif // BERTH_LIB_IR_MULTIBUFFER_LOADCONDITIONS_H
