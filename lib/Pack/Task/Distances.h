//===- Distances.h - Items that may share bytes though live -------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A distance says at which differences of their offsets two items may share
// bytes although they are live together. It only ever takes away from what
// their pieces forbid.
//
// So the sizes of what is live may sum up to more than it takes. What it takes
// at least: no byte of an item is saved but those that it shares, and it shares
// at most what the best distance allows with each partner, and at most all that
// it occupies. Each pair is charged to its second item, the *spared* one; an
// item that is spared at some time may also be left out of account.
//
//      |  a  |          a: 10 bytes, b: 8, which may lie 3 below a or lower:
//      |#####|  |       at least 10 + 8 - 5 bytes
//         |##b##|
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_TASK_DISTANCES_H
#define BERTH_LIB_PACK_TASK_DISTANCES_H

#include "Support/BumpMemory.h"
#include "berth-c/Packer.h"

/// The part of the reduction that deals with distances, once there are items
/// and edges: fills in the task's, and takes what they spare off its section
/// loads. Without BERTH_CAN_DISTANCES there are none. False when memory ran
/// out.
bool berthReduceDistances(const BerthProblemData *problem,
                          const uint32_t *itemOfBuffer, uint32_t capabilities,
                          BerthMemory *arena, BerthTask *task);

/// Those between the chosen items of `whole`; `task` has their other fields
/// already.
bool berthSelectDistances(const BerthTask *whole, const uint32_t *items,
                          uint32_t count, BerthMemory *arena, BerthTask *task);

/// The distance of the two as `i` sees it, or NULL.
const BerthItemDistance *berthFindDistance(const BerthTask *task, uint32_t i,
                                           uint32_t j);

/// Is the item spared for one that is live in the section? Without such items,
/// what is live there keeps apart.
bool berthItemIsSpared(const BerthTask *task, uint32_t item, uint32_t section);

/// The bytes of the item in the section that no other item is counted for.
int64_t berthItemOwnBytes(const BerthTask *task, uint32_t item,
                          uint32_t section);

#endif // BERTH_LIB_PACK_TASK_DISTANCES_H
