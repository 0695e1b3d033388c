//===- Subtask.h - A part of a task as a task ------------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// The stations that look at a part of a task (which items cannot fit together,
// a window of time packed anew, a window that bounds the whole) ask the
// searches about it as about any task.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_TASK_SUBTASK_H
#define BERTH_LIB_PACK_TASK_SUBTASK_H

#include "Support/BumpMemory.h"
#include "berth-c/Packer.h"

/// The task of `count` items, given ascending, during the sections [lower,
/// upper): item k of it is items[k], section s is lower + s. Edges to other
/// items are left out. Each item must have a piece there. False when memory ran
/// out.
bool berthSubtask(const BerthTask *whole, const uint32_t *items, uint32_t count,
                  uint32_t lower, uint32_t upper, BerthMemory *arena,
                  BerthTask *task);

#endif // BERTH_LIB_PACK_TASK_SUBTASK_H
