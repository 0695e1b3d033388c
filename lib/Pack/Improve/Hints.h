//===- Hints.h - Towards hints ------------------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_IMPROVE_HINTS_H
#define BERTH_LIB_PACK_IMPROVE_HINTS_H

#include "Pack/Incumbent/Incumbent.h"

/// Moves items towards their hints without raising the peak.
void berthImproveHints(BerthIncumbent *incumbent);

#endif // BERTH_LIB_PACK_IMPROVE_HINTS_H
