//===- Greedy.h - Rows of the greedy table ------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_PLACE_GREEDY_H
#define BERTH_LIB_PACK_PLACE_GREEDY_H

#include "Pack/Place/Place.h"

/// Where other packers begin.
extern const BerthPacker berthPackerFirstFit;

/// What a row sorts by.
typedef enum BerthSortKey {
  BERTH_KEY_NONE = 0,
  BERTH_KEY_SIZE_DOWN,
  BERTH_KEY_LIFETIME_DOWN,
  BERTH_KEY_CONFLICTS_DOWN, ///< how many others an item meets
  BERTH_KEY_START_UP,
  BERTH_KEY_SECTION_UP, ///< the first section; with windows not always the
                        ///< start
} BerthSortKey;

typedef struct BerthGreedyRow {
  BerthSortKey keys[3]; ///< most important first
  BerthFit fit;
} BerthGreedyRow;

/// All items by the row's keys, ties by index. NULL when memory ran out.
uint32_t *berthGreedyOrder(const BerthGreedyRow *row, const BerthTask *task,
                           const BerthHost *host, BerthMemory *arena);

/// Places all items in this order into an empty answer. False when memory ran
/// out.
bool berthPlaceInOrder(const uint32_t *order, BerthFit fit,
                       const BerthTask *task, const BerthHost *host,
                       BerthAnswer *answer, BerthMemory *arena);

#endif // BERTH_LIB_PACK_PLACE_GREEDY_H
