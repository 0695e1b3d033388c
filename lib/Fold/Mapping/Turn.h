//===- Turn.h - One half of the cells beside the other ------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_FOLD_MAPPING_TURN_H
#define BERTH_LIB_FOLD_MAPPING_TURN_H

#include "Fold/Problem/Problem.h"

/// The turns that may be worth a try.
#define BERTH_FOLD_MAX_TURNS 24

/// Lists turns for cells that are no box; none for a box, for several arrays,
/// or where no affine expression says how to turn.
size_t berthFoldListTurns(const BerthFoldProblem *problem,
                          BerthFoldTurn *turns);

/// The problem of the turned cells. It has no trace, and lives in `problem`'s
/// isl. A mapping of it is one of `problem` behind the turn, if it is certified
/// there: cells that came to lie on one another are not seen in it.
BerthFoldProblem berthFoldTurned(const BerthFoldProblem *problem,
                                 const BerthFoldTurn *turn);
void berthFoldFreeTurned(BerthFoldProblem *turned);

#endif // BERTH_LIB_FOLD_MAPPING_TURN_H
