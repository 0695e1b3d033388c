//===- Carried.h - Values that region ops and blocks hand on ------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An op or block loop may carry up to two memrefs of one type: iteration
// arguments, branch results, block arguments. Each becomes a merge.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_SMITH_CARRIED_H
#define BERTH_SMITH_CARRIED_H

#include "Smith.h"

enum { BERTH_MAX_CARRIED = 2 };

typedef struct BerthCarried {
  int count; ///< 0: nothing is carried
  BerthSmithType type;
  BerthSmithValue initial[BERTH_MAX_CARRIED];
} BerthCarried;

/// Chooses what to carry; nothing if the feature is off or nothing fits.
BerthCarried berthCarriedChoose(BerthSmith *smith);

/// Numbers for as many results or arguments.
void berthCarriedNames(BerthSmith *smith, const BerthCarried *carried,
                       int *ids);

/// Chooses as many defined values to yield.
void berthCarriedYields(BerthSmith *smith, const BerthCarried *carried,
                        BerthSmithValue *yields);

/// Adds a merge for each of the named results or arguments.
void berthCarriedAdd(BerthSmith *smith, const BerthCarried *carried,
                     const int *ids);

/// Print `<lead>T, T`; `<lead>%m1, %m2`; an indented `%m1, %m2 = `; a whole
/// line `<op> %m1, %m2 : T, T`. Of nothing, only indentation and op are left.
void berthCarriedTypes(BerthSmith *smith, const BerthCarried *carried,
                       const char *lead);
void berthCarriedValues(BerthSmith *smith, const BerthSmithValue *values,
                        int count, const char *lead);
void berthCarriedResults(BerthSmith *smith, const BerthCarried *carried,
                         const int *ids);
void berthCarriedYieldLine(BerthSmith *smith, const BerthCarried *carried,
                           const char *op, const BerthSmithValue *yields);

#endif // BERTH_SMITH_CARRIED_H
