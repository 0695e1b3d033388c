//===- Gaps.h - Branch and bound over free gaps -------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A complete search for problems that Search.h does not understand: those with
// windows, through which one item can lie inside another. It knows everything
// else that leaves holes beneath, too.
//
//     bytes ^   +-------+
//           |   |pinned |        The lowest offset of a may be under the pin,
//           |   +-------+        or, if it does not fit there, above: an item
//           |     ____           has free *gaps*, not one floor.
//           |    | a? |
//           +----+----+--> time
//
// As there, it is enough to look for plans that cannot be pushed down: the next
// lower offset of each item (one alignment step down) is blocked by something,
// so its offset is 0 or ends a forbidden interval of another item, a pin or a
// reserved range. The search takes the item with the lowest possible offset and
// branches: it lies there, or higher, and then no lower than the next offset at
// which anything placed, or anything not yet placed, could hold it up. No
// offset is ever passed over that is not proven to be useless.
//
// Sections bound it: pieces stacked in the order of their lowest places.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_SEARCH_GAPS_H
#define BERTH_LIB_PACK_SEARCH_GAPS_H

#include "Pack/Incumbent/Incumbent.h"

/// Is this a problem for this search? One pool, nothing to buy, not too large.
bool berthGapsCanHandle(const BerthTask *task);

/// Looks for the best plan below the incumbent: from the lower bound upwards,
/// until done or stopped, or until `nodeLimit` nodes (0: none) were spent.
void berthImproveByGaps(BerthIncumbent *incumbent, BerthMemory *arena,
                        uint64_t nodeLimit);

#endif // BERTH_LIB_PACK_SEARCH_GAPS_H
