//===- Checker.h - What the parts of the check share --------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Check.c looks at single buffers, pools and sums, CheckNames.c and CheckPins.c
// at buffers against each other.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_CHECK_CHECKER_H
#define BERTH_LIB_PACK_CHECK_CHECKER_H

#include "Support/BumpMemory.h"
#include "berth-c/Pack.h"

typedef struct BerthChecker {
  const BerthProblemData *problem;
  BerthError *error;
  BerthMemory arena;
  size_t bad;        ///< the buffer to blame, or SIZE_MAX
  int64_t sum;       ///< no packer's sum can be larger
  int64_t pinnedTop; ///< where the highest pinned buffer ends
  int64_t loose;     ///< the sizes of the others, with their padding
  bool grouped;      ///< some buffer is in a group
  int64_t *pins;     ///< a buffer's offset, its group's where it has none
  int64_t *extents;  ///< a buffer's size, its group's largest
} BerthChecker;

/// A failure at one buffer: `what` ends in one value.
BerthStatus berthCheckBlame(BerthChecker *checker, size_t index,
                            const char *what, int64_t value);
BerthStatus berthCheckOutOfMemory(BerthChecker *checker);

/// Adds to the sum; false at 2^63.
bool berthCheckGrow(BerthChecker *checker, int64_t bytes);

#endif // BERTH_LIB_PACK_CHECK_CHECKER_H
