//===- HazardPaths.h - Ways between accesses without barrier -------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_HAZARDS_HAZARDPATHS_H
#define BERTH_LIB_IR_HAZARDS_HAZARDPATHS_H

#include "IR/Hazards/Hazards.h"

/// Grows a set of nodes (a flag per node) by all that control can pass to from
/// them without barrier, or, with `isBackward`, from which it can pass to them.
void berthHazardsReach(const BerthHazards *hazards, const bool *cuts,
                       bool isBackward, bool *reached);

/// Sets conflicts[y] for each buffer y that a path without barrier joins to x,
/// in either order as seen from x's accesses forward. `cuts` (per node, may be
/// NULL) are gaps to be taken as barriers.
void berthHazardsFrom(const BerthHazards *hazards, uint32_t x, const bool *cuts,
                      bool *conflicts);

/// A path of nodes from an access of x to one of y without barrier, first to
/// last; false if there is none. `path` holds up to numNodes entries.
bool berthHazardsFindPath(const BerthHazards *hazards, uint32_t x, uint32_t y,
                          const bool *cuts, uint32_t *path, size_t *length);

/// The same for two instances of x: from an access through another run of its
/// allocation to an access of the new instance, which threads may touch while
/// others still touch the old one. `path` holds up to twice numNodes entries.
bool berthHazardsFindSelfPath(const BerthHazards *hazards, uint32_t x,
                              const bool *cuts, uint32_t *path, size_t *length);

#endif // BERTH_LIB_IR_HAZARDS_HAZARDPATHS_H
