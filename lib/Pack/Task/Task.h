//===- Task.h - What several stations ask about a task ------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_TASK_TASK_H
#define BERTH_LIB_PACK_TASK_TASK_H

#include "Support/BumpMemory.h"
#include "berth-c/Packer.h"

/// What all pools hold together; INT64_MAX where one is unbounded.
int64_t berthTaskCapacity(const BerthTask *task);

/// Where the item ends that has all memory for itself.
int64_t berthItemTop(const BerthTask *task, uint32_t item);

/// Where the highest of them does.
int64_t berthTaskHighestTop(const BerthTask *task);

/// Fills in the load, from the loads of the sections, and the lower bound: the
/// load, or the highest top where that is more.
void berthTaskFillBounds(BerthTask *task);

/// Is every plan of the hulls a plan of the task?
bool berthTaskIsPlain(const BerthTask *task);

/// May alignments leave holes, be it in a plan without any other?
bool berthTaskHasHoles(const BerthTask *task);

/// All sections by decreasing load, ties by index. NULL when memory ran out.
uint32_t *berthTaskSectionsByLoad(const BerthTask *task, BerthMemory *arena);

/// What the item costs in the pool, and in the cheapest that it may live in.
int64_t berthItemPoolCost(const BerthTask *task, uint32_t item, uint32_t pool);
int64_t berthItemLeastCost(const BerthTask *task, uint32_t item);

/// The least that pools can cost: every item in its cheapest.
int64_t berthTaskLeastCost(const BerthTask *task);

/// What the cuts whose bits are set cost together.
int64_t berthTaskPriceOf(const BerthTask *task, uint64_t set);

#endif // BERTH_LIB_PACK_TASK_TASK_H
