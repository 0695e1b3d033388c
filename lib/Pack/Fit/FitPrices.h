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
// All sums are whole numbers, `scale` times the cost, so a bound is a proof.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_FIT_FITPRICES_H
#define BERTH_LIB_PACK_FIT_FITPRICES_H

#include "Pack/Fit/FitTask.h"

typedef struct BerthFitPrices {
  int64_t *rents;  ///< section -> rent of a byte
  int64_t *before; ///< section -> the rents of those before it, summed
  /// BERTH_FIT_NUM_PLACES * step + place -> the least that the chain pays from
  /// the gap before the step on.
  int64_t *least;
  int64_t bound;
} BerthFitPrices;

/// Room for prices, all rents 0. False when memory ran out.
bool berthFitPricesInit(BerthFitPrices *prices, const BerthFitTask *task,
                        BerthMemory *memory);

/// Raises the bound in so many rounds; `known` is what some plan costs, which
/// sets the length of the steps. False when memory ran out.
bool berthFitPricesRaise(BerthFitPrices *prices, const BerthFitTask *task,
                         int64_t known, unsigned rounds);

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
