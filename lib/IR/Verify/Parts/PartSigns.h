//===- PartSigns.h - Sums that are not negative ------------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_PARTS_PARTSIGNS_H
#define BERTH_LIB_IR_VERIFY_PARTS_PARTSIGNS_H

#include "IR/Verify/Parts/PartRanges.h"

/// Of a resolved sum; false where that is not found.
bool berthPartIsNotNegative(BerthPartCase *given, BerthSum sum);

#endif // BERTH_LIB_IR_VERIFY_PARTS_PARTSIGNS_H
