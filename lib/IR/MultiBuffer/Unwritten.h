//===- Unwritten.h - What a loop leaves as it is -------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_MULTIBUFFER_UNWRITTEN_H
#define BERTH_LIB_IR_MULTIBUFFER_UNWRITTEN_H

#include "IR/Scope/Job.h"

/// Why memory may not be read some turns earlier, and the op that forbids it.
typedef struct BerthObstacle {
  const char *reason; ///< NULL: there is none
  MlirOperation at;
} BerthObstacle;

/// Looks through the body of a loop: nobody may write or free what `source`, a
/// memref or the descriptor of a tensor, shows there, nor wait for somebody who
/// does, nor end the program.
BerthObstacle berthFindObstacle(const BerthJob *job, MlirBlock body,
                                MlirValue source);

/// True if the op stands in a kernel's first block: threads come there once,
/// and only the ops in front of it have run.
bool berthStandsAtStart(const BerthJob *job, MlirOperation op);

/// What stands in front of a loop in a kernel.
typedef enum BerthSourceState {
  BERTH_SOURCE_OPEN,     ///< something may write the source, or is waited for,
  BERTH_SOURCE_SETTLED,  ///< and a barrier of all threads stands behind it
  BERTH_SOURCE_UNTOUCHED ///< nothing does
} BerthSourceState;

BerthSourceState berthSourceStateOf(const BerthJob *job, MlirOperation loop,
                                    MlirValue source);

#endif // BERTH_LIB_IR_MULTIBUFFER_UNWRITTEN_H
