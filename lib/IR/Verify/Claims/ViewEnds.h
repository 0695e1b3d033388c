//===- ViewEnds.h - Does a buffer end in its arena? ----------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A length holds the end of a buffer if that is among the sums and maxima that
// it is made of, or if both are constants. As elsewhere, arithmetic of sizes is
// taken not to wrap: the program checks that (`size-checks`).
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_CLAIMS_VIEWENDS_H
#define BERTH_LIB_IR_VERIFY_CLAIMS_VIEWENDS_H

#include "IR/Verify/Roots/SizeNumbers.h"

/// The cf.asserts of a function, by the numbers of what they say.
typedef struct BerthViewAssert {
  MlirOperation op;
  size_t next; ///< that says the same, or BERTH_NOT_FOUND
} BerthViewAssert;

typedef struct BerthViewAsserts {
  BerthSizeNumbers *numbers;
  BerthPointerMap firstOf; ///< number + 1 -> index into `items`
  BerthViewAssert *items;
  size_t count, capacity;
} BerthViewAsserts;

BerthViewAsserts berthViewAssertsOf(BerthSizeNumbers *numbers,
                                    MlirOperation function);
void berthViewAssertsFree(BerthViewAsserts *asserts);

/// True if the memref.view, which stands in the function of the asserts, surely
/// ends within an arena of this length, or is never made.
bool berthViewEndsWithin(const BerthViewAsserts *asserts, MlirOperation view,
                         uint32_t length);

#endif // BERTH_LIB_IR_VERIFY_CLAIMS_VIEWENDS_H
