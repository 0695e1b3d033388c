//===- ProxyPaths.h - Accesses in front of asynchronous ones ------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// TMA and wgmma reach memory through another path (the *async proxy*) than
// loads and stores. A barrier does not order an ordinary access with such a one
// behind it: before the barrier each thread also has to pass a fence between
// the two (nvvm.fence.proxy), behind its own access.
//
//     Y[tid] = a
//     fence.proxy.async     the thread's accesses so far
//     gpu.barrier           ... and those of all
//     TMA load to X         may have Y's bytes
//
// The other way round what is waited for has ended for loads and stores too,
// and a barrier is enough (AsyncHold.h). So these searches start at ordinary
// accesses only, end at asynchronous ones only, and go on over barriers that no
// fence precedes: they are searches over pairs of a node and whether a fence
// has been passed.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_HAZARDS_PROXYPATHS_H
#define BERTH_LIB_IR_HAZARDS_PROXYPATHS_H

#include "IR/Hazards/Hazards.h"

/// As berthHazardsFrom, for these conflicts alone.
void berthProxiesFrom(const BerthHazards *hazards, uint32_t x, const bool *cuts,
                      bool *conflicts);

/// As berthHazardsFindPath. The path has only those nodes where a barrier would
/// help: behind a fence.
bool berthProxiesFindPath(const BerthHazards *hazards, uint32_t x, uint32_t y,
                          const bool *cuts, uint32_t *path, size_t *length);

/// As berthHazardsFindSelfPath: `alloc` is the node of x's allocation.
bool berthProxiesFindSelfPath(const BerthHazards *hazards, uint32_t x,
                              uint32_t alloc, const bool *cuts, uint32_t *path,
                              size_t *length);

#endif // BERTH_LIB_IR_HAZARDS_PROXYPATHS_H
