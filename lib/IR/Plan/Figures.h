//===- Figures.h - What a plan comes to ---------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_PLAN_FIGURES_H
#define BERTH_LIB_IR_PLAN_FIGURES_H

#include "IR/Scope/ArenaOptions.h"

BERTH_EXTERN_C_BEGIN

typedef struct BerthJob BerthJob;

/// Sums over all scopes of one run, for the pass's statistics.
typedef struct BerthArenaFigures {
  uint64_t buffers;
  uint64_t placed;
  uint64_t dynamic;     ///< of these, at offsets computed at run time
  uint64_t bytesBefore; ///< sum of the placed buffers' sizes
  uint64_t bytesAfter;  ///< sum of the arenas' sizes
} BerthArenaFigures;

/// Adds those of one scope.
void berthAddFigures(const BerthJob *job, BerthArenaFigures *figures);

/// As many buffers as the program had: one for all lives of a buffer.
size_t berthCountBuffers(const BerthJob *job);

/// Those that have a place. Buffers without bytes count too, though they have
/// no part in the problem.
size_t berthCountPlaced(const BerthJob *job);

/// The bytes that the placed buffers would take by themselves.
int64_t berthSumOfSizes(const BerthJob *job);

BERTH_EXTERN_C_END

#endif // BERTH_LIB_IR_PLAN_FIGURES_H
