//===- Windows.h - Exact search of one window after another -------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_IMPROVE_WINDOWS_H
#define BERTH_LIB_PACK_IMPROVE_WINDOWS_H

#include "Pack/Incumbent/Incumbent.h"

/// Packs one window of time after another anew by exact search, round what
/// reaches out of it, to bring what ends highest below the goal; `rounds` of
/// growing effort, other searches with another `seed`. There is a plan already
/// and the task is one that berthWindowsCanHandle. `cores`: the fullest moments
/// may be packed as if nothing else was there, and what cannot be repaired is
/// left for later; the task is plain.
bool berthWindowsCanHandle(const BerthTask *task);
void berthImproveByWindows(BerthIncumbent *incumbent, const BerthHost *host,
                           unsigned rounds, uint64_t seed, bool cores);

/// Repairs one plan of the skyline after another in the same way, one round
/// each, those from `from` up to, not including, `to`; of very large tasks
/// first the best plan so far. There is a plan already and the task is plain.
void berthImproveByRepairs(BerthIncumbent *incumbent, const BerthHost *host,
                           unsigned from, unsigned to);

#endif // BERTH_LIB_PACK_IMPROVE_WINDOWS_H
