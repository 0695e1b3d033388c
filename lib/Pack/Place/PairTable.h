//===- PairTable.h - Which offsets forbid which -------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// What the placement engine asks again and again of a pair of items, found
// once: for those that place all items many times over.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_PLACE_PAIRTABLE_H
#define BERTH_LIB_PACK_PLACE_PAIRTABLE_H

#include "Support/BumpMemory.h"
#include "berth-c/Packer.h"

/// While `other` lies at offset x, x + [lower, upper) is forbidden.
typedef struct BerthForbidden {
  uint32_t other;
  int64_t lower;
  int64_t upper;
} BerthForbidden;

typedef struct BerthPairTable {
  size_t *begin; ///< item -> its entries, by the other item
  BerthForbidden *entries;
} BerthPairTable;

/// NULL where there are too many pairs for a table, or memory ran out, which
/// `arena` knows.
const BerthPairTable *berthPairTableCreate(const BerthTask *task,
                                           BerthMemory *arena);

#endif // BERTH_LIB_PACK_PLACE_PAIRTABLE_H
