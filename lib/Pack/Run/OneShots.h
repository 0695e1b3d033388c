//===- OneShots.h - The packers that make one plan ---------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// What `auto` makes of the packers in the table that are done with one plan.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_RUN_ONESHOTS_H
#define BERTH_LIB_PACK_RUN_ONESHOTS_H

#include "Pack/Incumbent/Incumbent.h"

/// Up to this size every one of them gets its turn.
enum { kBerthAllOneShots = 2000 };

static inline bool berthTaskIsLarge(const BerthTask *task) {
  return task->numItems > kBerthAllOneShots;
}

/// Packs by this one, which the task must suit but for holes.
void berthRunOneShot(BerthIncumbent *incumbent, const BerthPacker *packer);

/// By all that can handle the task: the quick ones, or those that have a budget
/// of their own as they may take long.
void berthRunOneShots(BerthIncumbent *incumbent, bool slow);

#endif // BERTH_LIB_PACK_RUN_ONESHOTS_H
