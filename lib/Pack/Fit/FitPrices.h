//===- FitPrices.h - What a byte of each time is worth -------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Lagrangian relaxation: instead of obeying the capacity, every chain pays a
// rent for each byte that it holds at the start of a section. Then chains have
// nothing to do with each other, and the cheapest choices of each are a
// shortest path over its steps. What they pay together, less what the whole
// capacity would earn, is a bound: no plan costs less, whatever the rents are.
// Good rents are found by subgradient steps (Held, Wolfe and Crowder,
// "Validation of subgradient optimization", 1974; Camerini, Fratta and Maffioli
// for the deflected direction, 1975).
//
// Of three equal buffers in a capacity of two and a half the rents would hold
// two and a half, for they know of no wholes. So there are more *rows* of them:
// what is held, each size rounded down to a multiple of some *grain*, is at
// most the capacity rounded down to one (Chvatal's rounding). The grains are
// sizes of buffers.
//
// All sums are whole numbers, `scale` times the cost, so a bound is a proof.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_FIT_FITPRICES_H
#define BERTH_LIB_PACK_FIT_FITPRICES_H

#include "Pack/Fit/FitTask.h"

enum { BERTH_FIT_ROWS = 4 };

typedef struct BerthFitPrices {
  uint32_t numRows;
  int64_t grains[BERTH_FIT_ROWS]; ///< the first row's is 1
  int64_t *weights; ///< BERTH_FIT_ROWS * chain + row -> its size, rounded
  int64_t *rents;   ///< numSections * row + section -> rent of a byte
  int64_t *before;  ///< (numSections + 1) * row + section -> the rents of those
                    ///< before it, summed
  /// BERTH_FIT_NUM_PLACES * step + place -> the least that the chain pays from
  /// the gap before the step on.
  int64_t *least;
  int64_t bound;
} BerthFitPrices;

/// Room for prices, all rents 0. False when memory ran out.
bool berthFitPricesInit(BerthFitPrices *prices, const BerthFitTask *task,
                        BerthMemory *memory);

/// All rents are 0 again.
void berthFitPricesReset(BerthFitPrices *prices, const BerthFitTask *task);

/// Raises the bound in so many rounds; `known` is what some plan costs, which
/// sets the length of the steps. False when memory ran out.
bool berthFitPricesRaise(BerthFitPrices *prices, const BerthFitTask *task,
                         int64_t known, unsigned rounds);

/// What may be held at the section, in the row's multiples.
static inline int64_t berthFitCapacity(const BerthFitPrices *prices,
                                       const BerthFitTask *task, uint32_t row,
                                       uint32_t section) {
  int64_t capacity = task->capacities[section];
  return capacity - capacity % prices->grains[row];
}

/// What being held in the sections [from, to) costs the chain in rents.
int64_t berthFitRent(const BerthFitPrices *prices, const BerthFitTask *task,
                     uint32_t chain, uint32_t from, uint32_t to);

/// What the chain pays from the gap before the step on, if it chooses so.
int64_t berthFitPay(const BerthFitPrices *prices, const BerthFitTask *task,
                    uint32_t step, BerthFitPlace place, BerthFitChoice choice);

/// The choices that pay least, each chain for itself.
void berthFitPricesChoose(const BerthFitPrices *prices,
                          const BerthFitTask *task, uint8_t *choices);

/// The bound as a cost, rounded up to what a plan can cost.
int64_t berthFitPricesBound(const BerthFitPrices *prices,
                            const BerthFitTask *task);

#endif // BERTH_LIB_PACK_FIT_FITPRICES_H
