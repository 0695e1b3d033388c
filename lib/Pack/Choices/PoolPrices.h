//===- PoolPrices.h - What bytes of full pools are worth ----------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// In a pool with a capacity no more may be live at one time than that. Let each
// byte there cost something, as much more as what wants to be there is too
// much, and give back what the capacity is worth: then all items choose for
// themselves, and at whatever prices no choice that keeps to the capacities
// costs less than they do together,
//
//     sum over items of the least (cost + bytes x prices) - capacities x prices
//
// (Lagrange; the prices are sought by subgradients, after Held and Karp 1971).
// What an item costs at these prices tells which ones a pool should rather
// have.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_CHOICES_POOLPRICES_H
#define BERTH_LIB_PACK_CHOICES_POOLPRICES_H

#include "Support/BumpMemory.h"
#include "berth-c/Packer.h"

typedef struct BerthPoolPrices {
  const BerthTask *task;
  double *sums;  ///< of each pool, of the sections before each: of the prices
  int64_t bound; ///< no plan that fits costs less
} BerthPoolPrices;

/// Seeks the prices; `most` is what a plan that is known costs. False when
/// memory ran out.
bool berthPoolPricesFind(BerthPoolPrices *prices, const BerthTask *task,
                         const BerthHost *host, int64_t most,
                         BerthMemory *arena);

/// What the item costs in the pool with the bytes that it takes from others.
double berthPoolPriceOf(const BerthPoolPrices *prices, uint32_t item,
                        uint32_t pool);

/// What others can have of the pool.
int64_t berthPoolRoom(const BerthPool *pool);

#endif // BERTH_LIB_PACK_CHOICES_POOLPRICES_H
