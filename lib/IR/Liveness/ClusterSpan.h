//===- ClusterSpan.h - Barriers over which a content is wanted ----- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A buffer that a loop allocates is a new one in each turn. All workgroups of a
// cluster come to the same barriers and, if it depends on nothing that they do
// not agree on, to the same allocations, in one order. So where each way from
// an access to the next allocation crosses a full barrier of the cluster, that
// barrier stands between all that any of them does to the old instance and all
// that any does to the new one:
//
//     for (...) {
//       X = alloc
//       X[tid] = a
//       cluster barrier         X is wanted behind it
//       b = mapa(X)[tid]
//       cluster barrier         X is not: what is next is a new one
//       Y[tid] = b
//     }
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_LIVENESS_CLUSTERSPAN_H
#define BERTH_LIB_IR_LIVENESS_CLUSTERSPAN_H

#include "IR/Scope/Points.h"
#include "IR/Scope/Scope.h"

/// Sets bit i of `over` for each barrier i (sorted) over which the buffer's
/// content is wanted: one of its accesses may be in front of it and one behind,
/// with no allocation in between. False if some way leads from an access to the
/// allocation without a barrier.
bool berthClusterSpan(const BerthPoints *points, const BerthBufferInfo *buffer,
                      const BerthAccess *barriers, size_t numBarriers,
                      uint64_t *over);

#endif // BERTH_LIB_IR_LIVENESS_CLUSTERSPAN_H
