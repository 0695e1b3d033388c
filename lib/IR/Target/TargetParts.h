//===- TargetParts.h - Pieces of a target description -------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_TARGET_TARGETPARTS_H
#define BERTH_LIB_IR_TARGET_TARGETPARTS_H

#include "berth-c/Pack.h"

/// Where a piece of a description stands in its text, from 1.
typedef struct BerthTargetPlace {
  int line, column;
} BerthTargetPlace;

/// How the bytes of a memref with a foreign layout are found.
typedef enum BerthLayoutSize {
  BERTH_LAYOUT_UNKNOWN, ///< only by `berth.size` on the allocation
  BERTH_LAYOUT_DENSE,   ///< as many elements as its shape has
  BERTH_LAYOUT_BOUNDS   ///< by the text: lists of bounds -> lists of strides
} BerthLayoutSize;

/// An attribute that stands as a layout in memref types.
typedef struct BerthTargetLayout {
  const char *name; ///< with its namespace: "tsl.tsl"
  BerthLayoutSize size;
} BerthTargetLayout;

/// How the bytes of a value of a foreign type are found.
typedef enum BerthTypeRule {
  BERTH_TYPE_UNKNOWN, ///< only by `berth.size` on the allocation
  BERTH_TYPE_DENSE,   ///< by the text: <16x32xi8...> has so many elements
  BERTH_TYPE_BYTES    ///< all have as many
} BerthTypeRule;

/// A type of values that are buffers.
typedef struct BerthTargetType {
  const char *name; ///< with its namespace: "npu.buffer"
  BerthTypeRule rule;
  int64_t bytes; ///< with BERTH_TYPE_BYTES
  BerthTargetPlace place;
} BerthTargetType;

/// "No value" for a start.
#define BERTH_TARGET_NONE (-1)

/// A memory: where its arenas lie.
typedef struct BerthTargetMemory {
  const char *space; ///< text of the memory-space attribute ("1 : i32",
                     ///< "#npu.space<l1>"), or a name, which stands for the
                     ///< string attribute of that name
  int64_t start;     ///< its first address, or BERTH_TARGET_NONE
  int64_t capacity;  ///< bytes; 0: no limit
  int64_t alignment; ///< least alignment of each buffer; a power of two
  int64_t numBanks;  ///< of equal size, one behind the other; 0: none
  /// Word w lies in bank w mod `interleavedBanks`; 0: it is not interleaved.
  int64_t interleavedBanks, bankWidth; ///< the latter in bytes of a word
  size_t numReserved;
  const BerthRange *reserved; ///< bytes that others use, from the start
  BerthTargetPlace place;
  BerthTargetPlace backingAt; ///< where `backing` is named
  const char *backing; ///< the memory behind it, where content may go; or NULL
  int64_t fill;        ///< the price of a byte that is brought from there
  int64_t spill;       ///< ... that is taken there
  int64_t access;      ///< ... that an op touches there; 0: no op can
  int64_t recompute;   ///< ... that is computed again instead; 0: none is
  int64_t bandwidth;   ///< bytes that move there or back in a unit of time; 0:
                       ///< it is not known
  int64_t latency;     ///< units of time that a move takes besides that
  bool hasTransfers;   ///< moves are transfers, which are waited for
  int64_t channels;    ///< so many of them may be under way; 0: any number
  const char *moveOp;  ///< the op that moves content, which the description
                       ///< says to copy; NULL: another one
  const char *moveToken; ///< the type of what it returns, which ...
  const char *moveWait;  ///< ... this op waits for; NULL: neither
  size_t movesAt;        ///< where that stands in the text
  BerthTargetPlace movesPlace;
} BerthTargetMemory;

#endif // BERTH_LIB_IR_TARGET_TARGETPARTS_H
