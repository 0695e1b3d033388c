//===- Hoisted.h - Views that have left their loops ----------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a view stands says when its buffer begins anew. Views have no effects,
// so loop-invariant-code-motion takes them out of their loops, and then nothing
// says any more that no turn needs what the one before it has left:
//
//     scf.for ... {                        %v = view %arena[0] {loop = "f:1"}
//       %v = view %arena[0]          ->    scf.for ... {
//       ...                                  ...
//     }                                    } {berth.loop = "f:1"}
//
// So berth-arena names the loop on both. Where all uses of a view are in the
// loop of its name, it stood there, and is put back for as long as the program
// is looked at. The outermost such loop is taken: inlined code may bring a loop
// of that name again, and what begins anew in each turn of an inner loop does
// so in each of an outer one.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_ROOTS_HOISTED_H
#define BERTH_LIB_IR_VERIFY_ROOTS_HOISTED_H

#include "mlir-c/IR.h"

#include <stddef.h>

/// An op, and the one that it stood in front of.
typedef struct BerthHoistedOp {
  MlirOperation op;
  MlirOperation next;
} BerthHoistedOp;

typedef struct BerthHoisted {
  BerthHoistedOp *items; ///< in the order in which they were moved
  size_t count, capacity;
} BerthHoisted;

/// Puts the views in `root` back into their loops, with what is computed of
/// them and has left the loops, too.
BerthHoisted berthHoistedPutBack(MlirOperation root);

/// Makes the program what it was.
void berthHoistedRestore(BerthHoisted *hoisted);

#endif // BERTH_LIB_IR_VERIFY_ROOTS_HOISTED_H
