//===- PartsApart.h - Threads' parts of a block, whatever the sizes - C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The proof that no two threads of a launch have a byte of the block in common,
// and none has one that the block lacks. An address is
//
//   q M + t U + c        0 <= c < U,  M = U T,  t the thread's number of T
//
// where U and T are the same for all threads and all views, so the byte tells
// the thread. Words lie side by side where U is a word and c the bytes in it,
// parts in a row where q is 0. That the threads have the numbers 0 to T - 1 is
// read off the factors of their places: U for x, U times the size of x for y,
// and so on. Everything is exact: (q + 1) M is at most the bytes of the block,
// and these have not overflowed, by what the host asserts.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_PARTS_PARTSAPART_H
#define BERTH_LIB_IR_VERIFY_PARTS_PARTSAPART_H

#include "IR/Verify/Parts/PartRanges.h"

typedef enum BerthPartFault {
  BERTH_PART_RIGHT,
  BERTH_PART_OUTSIDE,   ///< it may have bytes that the block lacks
  BERTH_PART_COMMON,    ///< it may have bytes of another thread
  BERTH_PART_OVERFLOWS, ///< the bytes of the block may have overflowed
  BERTH_PART_DIVIDES,   ///< an op may divide by 0 (`division`)
  BERTH_PART_BOUNDLESS  ///< too much is not known
} BerthPartFault;

typedef struct BerthPartCheck {
  BerthPartNumbers numbers;
  BerthPartCase given; ///< by what the host asserts
  BerthSum bytes;      ///< of the block
  BerthSum own;        ///< U of the first view
  bool hasOwn;
  MlirOperation division; ///< of the last fault of that kind
} BerthPartCheck;

/// `alloc`: a gpu.alloc of one launch of the kernel. `first` are the launch's
/// operands with the sizes of the grid, and with the kernel's arguments.
BerthPartCheck berthPartCheckBegin(MlirOperation alloc, MlirOperation launch,
                                   MlirOperation kernel, intptr_t firstExtent,
                                   intptr_t firstArgument);

/// All bytes of a memref.view of the block, or, if `cast` is not null, the
/// elements of this memref.reinterpret_cast of it.
BerthPartFault berthPartCheckView(BerthPartCheck *check, MlirOperation view,
                                  MlirOperation cast);

/// All bytes of a memref.view of the block that are no thread's part, but are
/// cast to that: of the block.
BerthPartFault berthPartCheckBlock(BerthPartCheck *check, MlirOperation view);

void berthPartCheckFree(BerthPartCheck *check);

#endif // BERTH_LIB_IR_VERIFY_PARTS_PARTSAPART_H
