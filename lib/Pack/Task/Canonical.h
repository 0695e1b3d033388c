//===- Canonical.h - An order of items that their numbers determine  C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// The same problem with its rows shuffled is the same task: items stand in an
// order that follows from their numbers alone, never from names or rows, so
// where packers break ties by index, they break them alike. Only items that
// nothing tells apart keep the order of their rows, and swapping those changes
// nothing but their names.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_TASK_CANONICAL_H
#define BERTH_LIB_PACK_TASK_CANONICAL_H

#include "Support/BumpMemory.h"
#include "berth-c/Pack.h"

/// Renumbers `numItems` items: by start, then end, then large sizes first, then
/// by what else the problem says of them. `itemOfBuffer` and `leaders`
/// (item -> its first buffer) are brought up to date. Returns the number that
/// each item had, or NULL when memory ran out.
const uint32_t *berthCanonicalOrder(const BerthProblemData *problem,
                                    uint32_t numItems, uint32_t *itemOfBuffer,
                                    uint32_t *leaders, BerthMemory *memory);

#endif // BERTH_LIB_PACK_TASK_CANONICAL_H
