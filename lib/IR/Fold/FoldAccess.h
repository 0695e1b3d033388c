//===- FoldAccess.h - Arrays, their views and accesses ------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_FOLD_FOLDACCESS_H
#define BERTH_LIB_IR_FOLD_FOLDACCESS_H

#include "IR/Facts/SliceFacts.h"
#include "IR/Fold/FoldPlace.h"

#define BERTH_FOLD_NO_VIEW ((size_t)-1)

/// What an access takes of the array or the view that it is given.
typedef enum BerthFoldShape {
  BERTH_FOLD_ELEMENT, ///< one element
  BERTH_FOLD_VECTOR,  ///< a box, as a value
  BERTH_FOLD_WHOLE    ///< all of a view, in no particular order
} BerthFoldShape;

/// A part of an array, or of another such view.
typedef struct BerthFoldView {
  MlirOperation op;
  size_t array;
  size_t source; ///< BERTH_FOLD_NO_VIEW: the array
  BerthSubView part;
  bool isPart; ///< else it is something else (FoldLinear.h)
} BerthFoldView;

/// One access, `operand` of `op` being the array's memref or a view of it.
typedef struct BerthFoldAccess {
  MlirOperation op;
  intptr_t operand;
  size_t array;
  size_t view; ///< BERTH_FOLD_NO_VIEW: the array
  BerthFoldShape shape;
  bool isLoad;
  bool isStore;
  bool mayStore; ///< a store that may leave some of its cells as they are
  bool isAffine; ///< affine.load or affine.store
  /// The outermost branch around it whose condition is not affine; null: none.
  MlirOperation unread;
} BerthFoldAccess;

/// Loads that others have taken the place of. What another nest has noted, a
/// size say, may be the value of one: so they stay until all is rewritten.
typedef struct BerthFoldReplaced {
  size_t count, capacity;
  struct {
    MlirOperation old;
    MlirValue now;
  } * list;
} BerthFoldReplaced;

/// Copies that move the rows of windows. They move all rows, also those that
/// nothing has been written to yet.
typedef struct BerthFoldMoves {
  size_t count, capacity;
  MlirOperation *list;
} BerthFoldMoves;

/// Arrays of one block, or accesses in one op of it.
typedef struct BerthFoldNest {
  MlirBlock owner;
  MlirOperation within; ///< the op; null: all accesses count
  size_t numArrays;
  MlirValue *arrays;
  size_t numAccesses, accessCapacity;
  BerthFoldAccess *accesses;
  size_t numViews, viewCapacity;
  BerthFoldView *views;
  bool isParallel; ///< some loop around some access is
  bool hasSlices;  ///< views or vectors
  bool isLinear;   ///< arrays have one dimension, their elements (FoldLinear.h)
  BerthFoldParams params;
  BerthText domain, schedule, reads, mayReads, writes, mayWrites, slices;
  BerthFoldReplaced *replaced; ///< the run's
  BerthFoldMoves *moves;       ///< the run's; NULL: none
  const char *breakRule;       ///< for tests
  size_t numTimes;             ///< the longest time's dimensions
} BerthFoldNest;

/// Where and why an array is refused.
typedef struct BerthFoldRefusal {
  MlirOperation at;
  char why[400];
} BerthFoldRefusal;

/// The memref operand's position in a load (0) or store (1) of one element.
static inline intptr_t berthFoldMemRefOperand(const BerthFoldAccess *access) {
  return access->isStore ? 1 : 0;
}

#endif // BERTH_LIB_IR_FOLD_FOLDACCESS_H
