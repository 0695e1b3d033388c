//===- Points.h - Program points and control flow of a scope ------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Numbers the ops of a scope in the order in which they are written. An op
// without regions is one point; an op with regions has a point where it is
// entered and one where it is left, and everything inside lies in between:
//
//     %a = memref.alloc()        0
//     scf.if %c {                1  enter
//       memref.store ...         2
//     }                          3  (scf.yield), then 4 leave
//     memref.load ...            5
//
// The span of an op is [lower, upper): [1, 5) for the scf.if above. The order
// of points is not the order of time: the control-flow edges cached here say
// how time may pass from one to the other.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_SCOPE_POINTS_H
#define BERTH_LIB_IR_SCOPE_POINTS_H

#include "IR/Ops/PointerMap.h"
#include "Support/BumpMemory.h"
#include "berth-c/Pack.h"
#include "mlir-c/IR.h"

/// How control may pass around a region op: from the end of region `from` to
/// the start of region `to`; BERTH_PARENT (-1) is the op itself.
typedef struct BerthRegionStep {
  int from;
  int to;
} BerthRegionStep;

typedef struct BerthPoints {
  MlirRegion body;
  int64_t count;       ///< points are 0 .. count - 1
  MlirOperation *opAt; ///< the op at each point
  int64_t *upperAt;    ///< where the op that begins here ends
  size_t *firstStep;   ///< steps of the op that begins here:
  size_t *numSteps;    ///<   steps[firstStep .. firstStep + numSteps)
  BerthRegionStep *steps;
  BerthPointerMap lowerOf; ///< op -> its first point
} BerthPoints;

/// Numbers all ops in `body`. Arrays live in `memory`; berthPointsFree frees
/// the map.
BerthPoints berthPointsCreate(MlirRegion body, BerthMemory *memory);
void berthPointsFree(BerthPoints *points);

/// The span of an op in the scope. berthPointsLower returns BERTH_NONE for an
/// op outside the scope.
int64_t berthPointsLower(const BerthPoints *points, MlirOperation op);
int64_t berthPointsUpper(const BerthPoints *points, MlirOperation op);

/// The spans of a block and of a region; empty ones have lower == upper.
BerthSegment berthPointsBlockSpan(const BerthPoints *points, MlirBlock block);
BerthSegment berthPointsRegionSpan(const BerthPoints *points,
                                   MlirRegion region);

/// The steps of a region op whose control flow is known; NULL and 0 for an op
/// whose regions may run in any order, any number of times.
const BerthRegionStep *berthPointsSteps(const BerthPoints *points,
                                        MlirOperation op, size_t *count);

/// The outermost ancestor of `op` whose regions run in an unknown order or
/// concurrently; the op itself if there is none.
MlirOperation berthPointsOutermostOpaque(const BerthPoints *points,
                                         MlirOperation op);

/// True if the op may run more than once in one run of the scope, as far as
/// loops and ways between blocks tell: a loop around it, or a way that leads
/// from its block back there.
bool berthPointsMayRunAgain(const BerthPoints *points, MlirOperation op);

/// True if some way between blocks leads from the block back to it, other than
/// by way of `past`, which may be null.
bool berthBlockLeadsToItself(MlirBlock block, MlirBlock past);

/// The ancestor of `op` (or `op` itself) that stands in a block of `region`;
/// null if there is none.
MlirOperation berthAncestorInRegion(MlirOperation op, MlirRegion region);

#endif // BERTH_LIB_IR_SCOPE_POINTS_H
