//===- SpreadCliques.h - Cliques that no one moment holds --------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Items without holes in their lives that meet each other pairwise all meet at
// one moment, so the heaviest clique is the load. With holes it is not:
//
//     a  ####    ####        a meets b, b meets c, and c meets a, yet at no
//     b    ######            time are all three live; they stand one above
//     c        ####  ##      the other all the same
//
// So a clique is grown from what is live in one section, by taking in what
// outweighs all that it does not keep apart from.
//
// An item with windows is cut into *parts* at their bounds. Its parts never
// overlap, and a part that stays in use keeps apart from what the rest of the
// item may share bytes with:
//
//     a  ##########          the whole of a meets b, then its lower part meets
//        ####      ####      c, then c meets b: the lower part, b and c are a
//     b  ####      ##        clique, and with the upper part of a there is one
//     c      ######  ##      of that, b and whatever else meets both
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_INCUMBENT_SPREADCLIQUES_H
#define BERTH_LIB_PACK_INCUMBENT_SPREADCLIQUES_H

#include "Support/BumpMemory.h"
#include "berth-c/Packer.h"

/// Items each of which keeps apart from all others, or parts of some.
typedef struct BerthClique {
  uint32_t count;
  uint32_t *items;
  BerthRange *parts; ///< the bytes of each from its start, where items may
                     ///< stand in the list more than once; NULL: all of them
} BerthClique;

/// A heavy clique, `best` in `arena`, and the sum of its sizes; 0 where there
/// can be none heavier than the load, or for want of memory. Looks at about
/// `maxWork` items. Of parts only if told so, and where there are windows.
int64_t berthFindSpreadClique(const BerthTask *task, bool parts,
                              uint64_t maxWork, BerthMemory *arena,
                              BerthClique *best);

/// Several heavy cliques, none of them within one section: `items` from
/// `begin[k]` to `begin[k + 1]` is one.
typedef struct BerthCliqueList {
  uint32_t count;
  const uint32_t *begin;
  const uint32_t *items;
} BerthCliqueList;

/// Up to `most` of them, found in little time; none for want of memory, which
/// `arena` knows.
BerthCliqueList berthListSpreadCliques(const BerthTask *task, uint32_t most,
                                       BerthMemory *arena);

#endif // BERTH_LIB_PACK_INCUMBENT_SPREADCLIQUES_H
