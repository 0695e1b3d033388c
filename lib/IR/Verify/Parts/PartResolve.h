//===- PartResolve.h - Sums by what is known --------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_PARTS_PARTRESOLVE_H
#define BERTH_LIB_IR_VERIFY_PARTS_PARTRESOLVE_H

#include "IR/Verify/Parts/PartRanges.h"

/// Finds what follows from all that was assumed.
void berthPartConclude(BerthPartCase *given);

/// A truth in the sum that is not known, or false.
bool berthPartFindGuess(const BerthPartCase *given, BerthSum sum,
                        uint32_t *unknown);

/// The sum, by all that is known.
BerthSum berthPartResolve(BerthPartCase *given, BerthSum sum);

#endif // BERTH_LIB_IR_VERIFY_PARTS_PARTRESOLVE_H
