//===- Ranges.h - Sets of offsets ---------------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_TASK_RANGES_H
#define BERTH_LIB_PACK_TASK_RANGES_H

#include "berth-c/Packer.h"

#include <stddef.h>

/// Sorts the ranges and joins those that touch: what is left is ascending and
/// disjoint. Returns how many there are then.
size_t berthRangesJoin(BerthRange *ranges, size_t count);

/// Adds a range to `count` that are ascending and disjoint, as they are then
/// again; there is room for one more. Returns how many there are then.
size_t berthRangesAdd(BerthRange *ranges, size_t count, BerthRange range);

/// Adds a range to `count` that are sorted by lower bound.
void berthRangesInsert(BerthRange *ranges, size_t count, BerthRange range);

#endif // BERTH_LIB_PACK_TASK_RANGES_H
