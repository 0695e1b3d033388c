//===- FitRunning.h - A run of berth-fit ---------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_PASSES_FITRUNNING_H
#define BERTH_LIB_IR_PASSES_FITRUNNING_H

#include "IR/Fit/Calls.h"
#include "IR/Fit/FitLevel.h"
#include "IR/Ops/Backup.h"
#include "IR/Ops/Recursion.h"
#include "IR/Scope/Job.h"

/// Of remarks.
#define BERTH_FIT_CATEGORY "berth-fit"

/// One run of the pass.
typedef struct BerthFitRunning {
  MlirOperation root;
  const BerthFitLevel *level;
  BerthBackup backup;
  BerthReruns reruns;
  BerthFitCopies copies; ///< of functions
  BerthWorklist fitted;  ///< scopes of this level
  BerthWorklist inTurn; ///< names of functions whose slices move in their turns
  BerthWorklist keepsPieces; ///< ... in which FitLevel.h's `keepsPieces` holds
  BerthFitFigures *figures;
  int64_t nextContent;
  bool tilesCopies; ///< it has made tiles of what was copied (CopiedTiles.h)
  bool hasBuffers;  ///< of the level, anywhere
  bool failed;
} BerthFitRunning;

/// Analyses a scope for a plan with these options.
void berthFitStartJob(BerthJob *job, BerthFitRunning *run,
                      const BerthArenaOptions *options, MlirOperation op);

/// A level with what holds for the program.
typedef struct BerthFitStarted {
  BerthFitLevel own;
  BerthNamedFunctions named;
  BerthPointerMap threadFunctions;
} BerthFitStarted;

void berthFitStartLevel(BerthFitRunning *run, const BerthFitLevel *level,
                        BerthFitStarted *started);
void berthFitEndLevel(BerthFitStarted *level);

/// The name of the function around the op, or of itself, as such a list has it.
const void *berthFitNameOf(MlirOperation op);

#endif // BERTH_LIB_IR_PASSES_FITRUNNING_H
