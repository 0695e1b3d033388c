//===- Parts.h - Each thread's part of a block of memory ------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread's arena, of `bytes`, becomes the thread's part of a block that the
// host brings. With words of W bytes, of T threads, number t:
//
//   interleaved   word w of thread t is word w * T + t of the block: when all
//                 threads touch their words w, these lie side by side
//   in a row      byte b of thread t is byte t * size + b of the block
//
// Interleaved are arenas all of whose buffers have words of one width, which
// are touched one by one, by ops that take any strides: then a buffer's strides
// are T times what they were, and nobody sees the rest.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_EXPAND_PARTS_H
#define BERTH_LIB_IR_EXPAND_PARTS_H

#include "IR/Expand/Mixed.h"
#include "IR/Threads/HostValues.h"

typedef struct BerthParts {
  MlirOperation kernel;
  MlirOperation arena; ///< the memref.alloc that each thread runs at its entry
  BerthMixed bytes;
  int64_t width; ///< of a word; 0: in a row
  int64_t unit;  ///< what the bytes of a part are a multiple of
  size_t numViews;
  const char *whyInRow; ///< NULL: it is interleaved, or that was not asked for
  MlirOperation whyAt;
} BerthParts;

/// The arena that berth-arena has left in the kernel; false if there is none.
/// `interleaves`: where that can be done.
bool berthFindThreadParts(MlirOperation kernel, bool interleaves,
                          const char *breakRule, BerthParts *parts);

/// Views of `block` (memref<?xi8>) for those of the arena, which goes.
/// `extents` are of grid and block, or -1 where they differ among launches.
void berthUseThreadParts(const BerthParts *parts, MlirValue block,
                         const int64_t extents[BERTH_NUM_EXTENTS],
                         const char *breakRule);

#endif // BERTH_LIB_IR_EXPAND_PARTS_H
