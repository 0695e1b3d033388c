//===- OrderSearch.h - An order of ops with little load ------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Ops that depend on each other, and buffers that are live from the first op
// that touches them to the last one: which order needs the fewest bytes at its
// worst op? Knows no IR.
//
// Exact by dynamic programming over the sets of ops that are done, as in
// Ahn et al.: Ordering Chaos: Memory-Aware Scheduling of Irregularly Wired
// Neural Networks for Edge Devices (MLSys 2020), section 3.1, as long as the
// sets of one size are few; a beam over them else. An op that is ready, raises
// no peak and leaves no more bytes behind is taken at once.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_PREPARE_ORDERSEARCH_H
#define BERTH_LIB_IR_PREPARE_ORDERSEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct BerthOrderEdge {
  uint32_t before, after; ///< ops
} BerthOrderEdge;

/// An op that touches a buffer; no pair twice.
typedef struct BerthOrderTouch {
  uint32_t op, buffer;
} BerthOrderTouch;

typedef struct BerthOrderBuffer {
  int64_t size;   ///< bytes
  bool isLiveIn;  ///< live in front of the first op
  bool isLiveOut; ///< live behind the last op
} BerthOrderBuffer;

/// At this op `result` may take the bytes of `operand`, if that one dies there.
typedef struct BerthOrderReuse {
  uint32_t op, operand, result;
} BerthOrderReuse;

/// Edges, touches and reuses are sorted by their (first) ops. The ops' given
/// order is one that the edges allow.
typedef struct BerthOrderProblem {
  uint32_t numOps;
  uint32_t numBuffers;
  const BerthOrderBuffer *buffers;
  size_t numEdges;
  const BerthOrderEdge *edges;
  size_t numTouches;
  const BerthOrderTouch *touches;
  size_t numReuses;
  const BerthOrderReuse *reuses;
} BerthOrderProblem;

typedef struct BerthOrderResult {
  int64_t givenPeak; ///< bytes of the given order at its worst op
  int64_t peak;      ///< of the order that was found
  bool isOptimal;    ///< no order has a lower one
} BerthOrderResult;

/// Fills in `order`, the ops one after the other: the given order, unless one
/// with a lower peak was found. `steps` bounds the work: one for each op tried
/// behind each set. False if there was no memory.
bool berthSearchOrder(const BerthOrderProblem *problem, uint64_t steps,
                      uint32_t *order, BerthOrderResult *result);

#endif // BERTH_LIB_IR_PREPARE_ORDERSEARCH_H
