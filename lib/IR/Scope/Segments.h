//===- Segments.h - Sets of program points -------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_SCOPE_SEGMENTS_H
#define BERTH_LIB_IR_SCOPE_SEGMENTS_H

#include "IR/Scope/Scope.h"

/// Segments while they are gathered. Zero-initialise to use; then free
/// `segments`.
typedef struct BerthSegments {
  BerthSegment *segments;
  size_t count, capacity;
} BerthSegments;

/// Adds [lower, upper), unless it is empty.
void berthSegmentsAdd(BerthSegments *list, int64_t lower, int64_t upper);

/// Adds them to the live range of a buffer of the scope.
void berthBufferAddSegments(BerthScope *scope, BerthBufferInfo *buffer,
                            const BerthSegment *segments, size_t count);

/// The segment of the live range that holds the point, or NULL.
const BerthSegment *berthSegmentAt(const BerthBufferInfo *buffer,
                                   int64_t point);

/// True if the two live ranges share a point.
bool berthBuffersMeet(const BerthBufferInfo *a, const BerthBufferInfo *b);

/// From the first point that the two live ranges share to behind the last one;
/// with an upper end of -1 where they share none.
BerthSegment berthCommonSpan(const BerthBufferInfo *a,
                             const BerthBufferInfo *b);

/// The same as berthBuffersMeet for two sorted lists of disjoint segments.
bool berthSegmentsMeet(const BerthSegment *a, size_t numA,
                       const BerthSegment *b, size_t numB);

/// Sorts segments and joins those that touch or overlap; returns how many are
/// left.
size_t berthJoinSegments(BerthSegment *segments, size_t count);

#endif // BERTH_LIB_IR_SCOPE_SEGMENTS_H
