//===- AccessBytes.h - Which bytes of a buffer an op touches -------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Counted out for each thread of the workgroup, in all turns of loops together
// (ThreadNumbers.h): what it may touch at most. Bytes of one thread are claimed
// of loads and stores whose subscripts can be computed in a block of known
// shape; of other plain ops a range.
//
// And what all threads write at least, where they come to a place together.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_THREADS_ACCESSBYTES_H
#define BERTH_LIB_IR_THREADS_ACCESSBYTES_H

#include "IR/Facts/SliceFacts.h"
#include "IR/Scope/Scope.h"
#include "IR/Threads/ThreadNumbers.h"

/// Who touches a byte.
#define BERTH_NOBODY UINT16_MAX
#define BERTH_ANYBODY (UINT16_MAX - 1)

/// Start, then for each buffer Enter and Leave; Free.
typedef struct BerthAccessBytes {
  const BerthScope *scope;
  const char *breakRule;
  BerthThreadNumbers numbers;
  uint64_t stepsLeft;
  // Of the buffer at hand:
  const BerthBufferInfo *info;
  BerthPointerMap aliases;
  uint16_t *owners; ///< of each byte of the buffer: who touches it
  struct BerthLaneMarks *lanes; ///< NULL, or who has marked each byte so far
  // Of the access at hand:
  int64_t lower, upper; ///< nobody touches bytes outside of these
  bool isOwned; ///< each thread touches its own bytes, not those of a whole op
  bool isRange; ///< any byte from the first one to the last may be touched
  uint32_t start;
  size_t rank;
  int64_t strides[BERTH_SLICE_MAX_RANK]; ///< bytes
  int64_t extents[BERTH_SLICE_MAX_RANK]; ///< elements
  int64_t elementBytes;
} BerthAccessBytes;

void berthAccessBytesStart(BerthAccessBytes *search, const BerthScope *scope,
                           const char *breakRule);
void berthAccessBytesFree(BerthAccessBytes *search);

void berthAccessBytesEnter(BerthAccessBytes *search,
                           const BerthBufferInfo *info);
void berthAccessBytesLeave(BerthAccessBytes *search);

/// From here on nobody touches any byte of the buffer.
void berthAccessBytesClear(BerthAccessBytes *search);

/// Adds what the op may touch; false if it may do anything.
bool berthAccessBytesMark(BerthAccessBytes *search, MlirOperation op);

/// True if each thread runs the op by itself, in the order of its program, and
/// it touches memory only while it runs and only what its operands address.
bool berthAccessBytesIsPlain(const BerthAccessBytes *search, MlirOperation op);

/// Adds what all threads together surely write by the op, or by the
/// asynchronous copy that it starts, if each of them comes to `top` once: to
/// the op, or to what stands around it, of which loops and conditions alone are
/// understood. Adds less where that cannot be computed.
void berthAccessBytesMarkWritten(BerthAccessBytes *search, MlirOperation op,
                                 MlirOperation top);

/// True if some byte is marked in both, by two threads. What is marked by
/// anybody is so by two.
bool berthOwnersMeet(const uint16_t *a, const uint16_t *b, int64_t bytes);

#endif // BERTH_LIB_IR_THREADS_ACCESSBYTES_H
