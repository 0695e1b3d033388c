//===- Problem.h - What the floor shares about problems ------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_PROBLEM_PROBLEM_H
#define BERTH_LIB_PACK_PROBLEM_PROBLEM_H

#include "Support/BumpMemory.h"
#include "berth-c/Pack.h"

/// A buffer's name for messages, cut off where it is very long.
typedef struct BerthName {
  char text[80];
} BerthName;

BerthName berthBufferName(const BerthProblemData *problem, size_t index);

/// The buffers that are in a group, by group, then index; `*count` of them.
/// NULL when memory ran out.
uint32_t *berthSortByGroup(const BerthProblemData *problem, BerthMemory *arena,
                           size_t *count);

#endif // BERTH_LIB_PACK_PROBLEM_PROBLEM_H
