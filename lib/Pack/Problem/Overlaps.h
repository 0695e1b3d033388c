//===- Overlaps.h - Do buffers share bytes? ------------------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_PROBLEM_OVERLAPS_H
#define BERTH_LIB_PACK_PROBLEM_OVERLAPS_H

#include "berth-c/Pack.h"

/// What time and bytes alone say about a (partial) placement: no two buffers
/// that are live together share bytes of a pool, unless a distance allows it. A
/// buffer whose offset is BERTH_NONE is left out. `pools` may be NULL (all the
/// same). The error names both buffers, their bytes and a common time. Shared
/// by the verifier and by the check of pins; no packer uses it.
BerthStatus berthCheckOverlaps(const BerthProblemData *problem,
                               const int64_t *offsets, const uint32_t *pools,
                               BerthError *error);

#endif // BERTH_LIB_PACK_PROBLEM_OVERLAPS_H
