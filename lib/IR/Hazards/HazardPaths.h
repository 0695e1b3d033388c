//===- HazardPaths.h - Ways between accesses without barrier -------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_HAZARDS_HAZARDPATHS_H
#define BERTH_LIB_IR_HAZARDS_HAZARDPATHS_H

#include "IR/Hazards/HazardSearch.h"

/// Grows a set of nodes (a flag per node) by all that control can pass to from
/// them without barrier, or, with `isBackward`, from which it can pass to them.
void berthHazardsReach(const BerthHazards *hazards, const bool *cuts,
                       bool isBackward, bool *reached);

/// Sets conflicts[t] for each slice t (Slices.h) that a path without barrier
/// joins to slice s, in either order as seen from the accesses of s forward.
void berthHazardsFrom(BerthHazardSearch *search, uint32_t s, bool *conflicts);

/// A path of nodes, first to last, from an access of slice s to one of a slice
/// among `targets` (a flag per slice) without barrier; false if there is none.
/// `path` holds up to numNodes entries.
bool berthHazardsFindPath(BerthHazardSearch *search, uint32_t s,
                          const bool *targets, uint32_t *path, size_t *length);

/// The same for two instances of x: from an access through another run of its
/// allocation to an access of the new instance, which threads may touch while
/// others still touch the old one; false if there is none. `path` holds up to
/// twice numNodes entries.
bool berthHazardsFindSelfPath(BerthHazardSearch *search, uint32_t x,
                              uint32_t *path, size_t *length);

#endif // BERTH_LIB_IR_HAZARDS_HAZARDPATHS_H
