//===- Apart.h - Packing as if nothing could share ------------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Most of what searches knows boxes that keep apart, no windows and no
// distances. So it is asked about the task without them: what comes out is a
// plan, and its offsets are an order in which everything is placed anew, now
// with windows and distances. So these cost steps at most.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_IMPROVE_APART_H
#define BERTH_LIB_PACK_IMPROVE_APART_H

#include "Pack/Incumbent/Incumbent.h"

/// Has the task windows or distances, and one pool?
bool berthApartIsSimpler(const BerthTask *task);

/// Offers both plans. `solve` packs a task without windows and distances,
/// within the budget of `host`.
void berthImproveApart(BerthIncumbent *incumbent, const BerthHost *host,
                       BerthSolve solve);

#endif // BERTH_LIB_PACK_IMPROVE_APART_H
