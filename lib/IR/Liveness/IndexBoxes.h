//===- IndexBoxes.h - Parts of a buffer that code writes ----------- C ---===//
//---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A *box* is an interval of indices in each dimension. Its ends are sums of
// constants and multiples of loop variables, until the loops are left:
//
//   subview %a[%i * 32, 0] [32, 8]     [32i, 32i + 32) x [0, 8)
//   for %i = 0 to 4 { that }           [0, 128) x [0, 8)
//
// Whatever is more involved is no box, and proves nothing.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_LIVENESS_INDEXBOXES_H
#define BERTH_LIB_IR_LIVENESS_INDEXBOXES_H

#include "IR/Facts/LoopFacts.h"
#include "IR/Facts/SliceFacts.h"

enum { BERTH_LINEAR_MOST_TERMS = 4 };

/// constant + sum of factor * variable
typedef struct BerthLinear {
  int64_t constant;
  size_t count;
  struct {
    MlirValue variable;
    int64_t factor;
  } terms[BERTH_LINEAR_MOST_TERMS];
} BerthLinear;

/// From `lower` on `size` indices, but none from `end` on. INT64_MAX: no such
/// bound.
typedef struct BerthInterval {
  BerthLinear lower;
  int64_t size;
  int64_t end;
  int64_t turns; ///< of the loops that were left, together
} BerthInterval;

typedef struct BerthIndexBox {
  intptr_t rank;
  BerthInterval dims[BERTH_SLICE_MAX_RANK];
} BerthIndexBox;

/// Zero-initialise; then free `boxes`.
typedef struct BerthIndexBoxes {
  BerthIndexBox *boxes;
  size_t count, capacity;
} BerthIndexBoxes;

/// The part of `root` that `value`, which is it or a view of it, addresses, and
/// which of its dimensions those of the value are. Of `root` the shape must be
/// known.
typedef struct BerthIndexPart {
  BerthIndexBox box;
  intptr_t rank;
  intptr_t dimOf[BERTH_SLICE_MAX_RANK];
} BerthIndexPart;

bool berthPartOf(MlirValue value, MlirValue root, BerthIndexPart *part);

/// The part of `root` that the op surely writes through that operand, each
/// element, reading none of it: by all of a view, an element, or a vector.
bool berthWrittenBox(MlirOperation op, intptr_t operand, MlirValue root,
                     BerthIndexBox *box);

/// Adds a box, joined with others where both together are one.
void berthIndexBoxesAdd(BerthIndexBoxes *list, const BerthIndexBox *box);

/// What the boxes are together in all turns of a loop. Those that are not boxes
/// then go.
void berthIndexBoxesLeaveLoop(BerthIndexBoxes *list,
                              const BerthLoopRange *range);

/// True if one of them is all of a memref of this shape.
bool berthIndexBoxesCover(const BerthIndexBoxes *list, MlirType type);

#endif // BERTH_LIB_IR_LIVENESS_INDEXBOXES_H
