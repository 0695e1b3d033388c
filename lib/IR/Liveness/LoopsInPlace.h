//===- LoopsInPlace.h - Loops that write over what they read ------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// An elementwise op as a nest of loops: each turn reads one element of a dying
// buffer X, then writes the same element of a new one Y, and touches nothing
// else of the two.
//
//     for %i, for %j                X dies in the loops, Y begins in them
//       %v = load %x[%i, %j]
//       store f(%v), %y[%i, %j]
//
// All loops are in the subscripts, so no two turns have an element in common,
// and the order of turns makes no difference: loops may be parallel, and later
// passes may run them in any order.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_LIVENESS_LOOPSINPLACE_H
#define BERTH_LIB_IR_LIVENESS_LOOPSINPLACE_H

#include "IR/Scope/Points.h"
#include "IR/Scope/Scope.h"

/// The outermost loop of a nest that writes Y by `store` over what it reads of
/// X; null where X and Y have to be apart. Both are of one size.
MlirOperation berthLoopsInPlace(const BerthPoints *points,
                                const BerthBufferInfo *x,
                                const BerthBufferInfo *y, MlirOperation store,
                                const char *breakRule);

/// Of what one access does, the first store of an element to the buffer in a
/// loop; null if there is none.
MlirOperation berthFirstLoopStore(const BerthPoints *points,
                                  const BerthBufferInfo *buffer,
                                  const BerthAccess *access);

#endif // BERTH_LIB_IR_LIVENESS_LOOPSINPLACE_H
