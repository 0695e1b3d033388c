//===- SkylinePacker.h - Many runs of the skyline ------------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_IMPROVE_SKYLINEPACKER_H
#define BERTH_LIB_PACK_IMPROVE_SKYLINEPACKER_H

#include "Pack/Incumbent/Incumbent.h"

/// Runs the skyline in several variations, those from `from` up to, not
/// including, `to`, until done or stopped; the first run always gives a plan.
/// Handles every feature but prices.
void berthImproveBySkyline(BerthIncumbent *incumbent, const BerthHost *host,
                           unsigned from, unsigned to);

#endif // BERTH_LIB_PACK_IMPROVE_SKYLINEPACKER_H
