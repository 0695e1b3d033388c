//===- SearchObstacles.h - What an exact search cannot move -------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_SEARCH_SEARCHOBSTACLES_H
#define BERTH_LIB_PACK_SEARCH_SEARCHOBSTACLES_H

#include "Pack/Search/SearchState.h"

/// Takes over pins and reserved bytes. False when memory ran out.
bool berthSearchFillObstacles(BerthSearch *search, const BerthTask *task);

/// Sets the item's minimum and base before anything is decided.
void berthSearchStart(BerthSearch *search, uint32_t item);

/// The lowest offset at or above this one that neither a pinned item nor
/// reserved bytes are in the way of. Where it rests on reserved bytes, `*base`
/// rises to it.
int64_t berthSearchAvoid(const BerthSearch *search, uint32_t item,
                         int64_t offset, int64_t *base);

/// The lowest end of reserved bytes that can hold the item up above its
/// minimum, or INT64_MAX.
int64_t berthSearchReservedSupport(const BerthSearch *search, uint32_t item);

/// Where the first `size` free bytes from `height` on end. `*next` is the first
/// range of reserved bytes that does not end at or below `height`, or one
/// before it, and moves on with what is skipped.
int64_t berthSearchSkipReserved(const BerthSearch *search, int64_t height,
                                int64_t size, size_t *next);

/// Where a stack of this height ends once `size` more bytes, which may be cut
/// in pieces, are put on top. `*next` is 0 for the first of a stack.
static inline int64_t berthSearchStack(const BerthSearch *search,
                                       int64_t height, int64_t size,
                                       size_t *next) {
  return search->numReserved
             ? berthSearchSkipReserved(search, height, size, next)
             : height + size;
}

#endif // BERTH_LIB_PACK_SEARCH_SEARCHOBSTACLES_H
