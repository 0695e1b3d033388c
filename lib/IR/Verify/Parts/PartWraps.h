//===- PartWraps.h - Names for what may have wrapped around --------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_PARTS_PARTWRAPS_H
#define BERTH_LIB_IR_VERIFY_PARTS_PARTWRAPS_H

#include "IR/Verify/Parts/PartNumbers.h"

/// The sum, of which the program asks something, may wrap around: what it is
/// then is an unknown of its own; so is each of the sums that conditions in it
/// choose from. Nothing happens to quotients and maxima. Values that were asked
/// for before are to be forgotten behind all of these.
void berthPartWrap(BerthPartNumbers *numbers, BerthSum sum);

#endif // BERTH_LIB_IR_VERIFY_PARTS_PARTWRAPS_H
