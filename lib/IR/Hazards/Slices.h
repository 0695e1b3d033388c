//===- Slices.h - Which thread touches which bytes ----------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// What one access may touch of its buffer, in all threads and turns of loops
// together: a *slice*. Two buffers may share bytes although no barrier
// separates two accesses, if at the offsets that they have no byte is touched
// by one thread at the one and by another thread at the other:
//
//     b = X[64 + tid]       bytes 256 .. 511 of X
//     Y[tid] = b            no hazard at offset 0 of X: nobody reads there
//                           none at offset 256: each thread writes what it, and
//                           nobody else, has read
//
// (AccessBytes.h). All else may touch all of the buffer, in any thread.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_HAZARDS_SLICES_H
#define BERTH_LIB_IR_HAZARDS_SLICES_H

#include "IR/Scope/Job.h"

/// Bytes [lower, upper) of a buffer.
typedef struct BerthSlice {
  uint32_t buffer; ///< by its number in the problem
  int64_t lower;
  int64_t upper;
  uint16_t *owners; ///< the thread of each byte; NULL: nothing is known, any
                    ///< thread may touch any byte
  bool isOneEach;   ///< no byte may be touched by several
} BerthSlice;

typedef struct BerthSlices {
  size_t count, capacity;
  BerthSlice *items;     ///< by buffer; the first of each is the whole of it
  uint32_t *firstOf;     ///< per buffer + 1: where they begin
  uint32_t **ofAccesses; ///< per buffer: the slice of each access
  size_t numBuffers;
} BerthSlices;

/// The slices of all accesses to the buffers of the job's problem.
BerthSlices berthSlicesOf(const BerthJob *job);
void berthSlicesFree(BerthSlices *slices);

/// True if some thread may touch a byte by the one slice and another thread the
/// same byte by the other, where these are the offsets of the buffers.
bool berthSlicesMeet(const BerthSlice *a, int64_t offsetA, const BerthSlice *b,
                     int64_t offsetB);

/// True if something is known of both and it is worth a try to find offsets at
/// which they do not meet, though their buffers share bytes: one of them is a
/// part of its buffer only, or they do not meet where both buffers begin at one
/// byte.
bool berthSlicesMayMiss(const BerthSlices *slices, uint32_t a, uint32_t b);

#endif // BERTH_LIB_IR_HAZARDS_SLICES_H
