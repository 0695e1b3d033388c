//===- Liveness.h - Live ranges of buffer contents ----------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A buffer's *content* is live at a point if some write reaches the point and
// some read may still follow before the content is overwritten from end to end
// (a kill). Running the allocation again is a kill too. The live range is the
// set of such points, and of the points of every access itself.
//
// Because the range is a set of points in the code and not of moments, a buffer
// that is live in one branch only has a range with a hole over the other, and a
// buffer that is rewritten in each iteration has none over the back edge.
//
// (Per-branch last use and the treatment of loops follow the memory block
// merging of Futhark, extended from values to contents.)
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_LIVENESS_LIVENESS_H
#define BERTH_LIB_IR_LIVENESS_LIVENESS_H

#include "IR/Liveness/FlowGraph.h"
#include "IR/Scope/Points.h"
#include "IR/Scope/Scope.h"
#include "IR/Scope/Segments.h"

/// Fills in the segments of every buffer that has no `reason`: sorted, disjoint
/// and at least one. `breakRule` is NULL outside of tests.
void berthScopeComputeLiveness(BerthScope *scope, const BerthPoints *points,
                               const char *breakRule);

/// Builds one buffer's graph and marks the nodes from which a read may follow,
/// and of these the ones that a write reaches.
void berthBufferSearch(BerthFlowGraph *graph, const BerthPoints *points,
                       const BerthBufferInfo *buffer);

/// Adds the points at which its content is wanted, in no order.
void berthBufferCollectLive(BerthFlowGraph *graph, const BerthPoints *points,
                            const BerthBufferInfo *buffer, BerthSegments *list);

/// Where what the value stands for is touched through it or may still be read
/// through it, whatever was written and by whom. The stops are those of the
/// value (FlowGraph.h).
void berthValueSearch(BerthFlowGraph *graph, const BerthPoints *points,
                      MlirValue value, const BerthAccess *stops,
                      size_t numStops, BerthSegments *wanted);

#endif // BERTH_LIB_IR_LIVENESS_LIVENESS_H
