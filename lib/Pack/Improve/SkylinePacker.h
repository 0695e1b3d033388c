//===- SkylinePacker.h - Many runs of the skyline ------------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_IMPROVE_SKYLINEPACKER_H
#define BERTH_LIB_PACK_IMPROVE_SKYLINEPACKER_H

#include "Pack/Incumbent/Incumbent.h"
#include "Pack/Place/PairTable.h"

enum { kBerthSkylineConfigs = 6 };

/// What has been run so far; zero-initialise.
typedef struct BerthSkylineRuns {
  unsigned made;
  bool tried[kBerthSkylineConfigs];
  int64_t lowest[kBerthSkylineConfigs]; ///< peak of the hulls, of each
                                        ///< variation that was tried
} BerthSkylineRuns;

/// Runs the skyline in several variations until that was done `upTo` times, or
/// until done or stopped; the first run always gives a plan. Handles every
/// feature but prices.
void berthImproveBySkyline(BerthIncumbent *incumbent, const BerthHost *host,
                           const BerthPairTable *pairs, BerthSkylineRuns *runs,
                           unsigned upTo);

#endif // BERTH_LIB_PACK_IMPROVE_SKYLINEPACKER_H
