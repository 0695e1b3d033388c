//===- Cliques.h - How high items that all keep apart must be ------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_INCUMBENT_CLIQUES_H
#define BERTH_LIB_PACK_INCUMBENT_CLIQUES_H

#include "Support/BumpMemory.h"
#include "berth-c/Packer.h"

/// Items each of which keeps apart from all others.
typedef struct BerthClique {
  uint32_t count;
  uint32_t *items;
} BerthClique;

/// Of more items than this only the largest are put in order.
enum { kBerthMaxClique = 16 };

/// A height that no plan is below, 0 where it has nothing to say, be it for
/// want of memory or because it would take long; `best` (in `arena`) is the
/// clique that the bound is the height of.
int64_t berthBoundCliques(const BerthTask *task, BerthMemory *arena,
                          BerthClique *best);

#endif // BERTH_LIB_PACK_INCUMBENT_CLIQUES_H
