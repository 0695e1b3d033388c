//===- Transfer.h - What begins a move and what waits for it ------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The ops by which a level moves content instead of copying it: a start of a
// transfer and the wait for it, or what its description names.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_FIT_TRANSFER_H
#define BERTH_LIB_IR_FIT_TRANSFER_H

#include "IR/Fit/FitLevel.h"
#include "IR/Ops/Build.h"

typedef struct BerthFitBegun {
  MlirOperation start;
  MlirOperation wait; ///< null: it is over with the start
} BerthFitBegun;

/// Elements one behind the other, as many as the type says.
bool berthFitIsPlain(MlirType type);

/// True if the level has an op that moves all elements of the one to those of
/// the other, of which one may be a slice: without gaps, or in rows of which a
/// start may tell the distance. `at`: where one could be built.
bool berthFitMayTransfer(const BerthFitLevel *level, BerthInsertPoint at,
                         MlirValue from, MlirValue to);

/// Builds them there. A tag is allocated where the scope begins, in `tagSpace`.
BerthFitBegun berthFitBuildTransfer(const BerthFitLevel *level,
                                    BerthInsertPoint at, MlirOperation scope,
                                    MlirValue from, MlirValue to,
                                    MlirAttribute tagSpace);

/// False where moves are over with their op.
bool berthFitIsAwaited(const BerthFitLevel *level);

#endif // BERTH_LIB_IR_FIT_TRANSFER_H
