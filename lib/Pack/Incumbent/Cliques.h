//===- Cliques.h - How high items that all keep apart must be ------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_INCUMBENT_CLIQUES_H
#define BERTH_LIB_PACK_INCUMBENT_CLIQUES_H

#include "Pack/Incumbent/SpreadCliques.h"

/// What is asked of cliques.
typedef struct BerthCliqueQuestion {
  int64_t known;      ///< no plan is below this; lower heights say nothing
  int64_t limit;      ///< heights from here on are not told apart
  uint32_t maxStates; ///< where alignments, pins or reserved bytes leave holes,
                      ///< sets of all items of a clique that are gone through;
                      ///< 0: of its largest few (StackOrders.h)
  const int64_t *offsets; ///< of a plan, or NULL: where its order of a clique
                          ///< is as low as what is known, no other is sought
} BerthCliqueQuestion;

/// A height that no plan is below, 0 where it has nothing to say, be it for
/// want of memory or because it would take long; `best` (in `arena`) is the
/// clique that the bound is the height of.
int64_t berthBoundCliques(const BerthTask *task, BerthMemory *arena,
                          const BerthCliqueQuestion *question,
                          BerthClique *best);

#endif // BERTH_LIB_PACK_INCUMBENT_CLIQUES_H
