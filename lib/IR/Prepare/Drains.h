//===- Drains.h - Waits for what a pipeline leaves under way -------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A pipeline may start more copies than anybody waits for: the last turns fetch
// tiles that no turn reads. Nobody reads them, but they arrive, so their bytes
// are held up to some later wait, or to the end of the kernel. With
// fences=insert a wait for all of them goes behind the op that starts the last
// one:
//
//     scf.for ... { copy; group; wait {numGroups = 1}; ... }
//     group; wait                       for all that is left
//     ...                               the stages' bytes are free
//
// It stands in the kernel's own block, where all threads come, so that each
// waits for what it has started; the barrier behind it is bought like any
// other. It stays if the arena gets smaller by it. A wait for an mbarrier is
// never inserted: which phase would end the load nobody tells.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_PREPARE_DRAINS_H
#define BERTH_LIB_IR_PREPARE_DRAINS_H

#include "IR/Scope/Job.h"

/// What was inserted for one kind; all zero: nothing.
typedef struct BerthDrain {
  MlirOperation group; ///< may be null
  MlirOperation wait;
} BerthDrain;

/// Inserts a wait for all that the scope starts of this kind. False if nothing
/// is started, or there is no place where all threads would wait.
bool berthDrain(BerthJob *job, BerthAsyncKind kind, BerthDrain *drain);
void berthDrainUndo(BerthDrain *drain);

#endif // BERTH_LIB_IR_PREPARE_DRAINS_H
