//===- LoopsInPlace.h - Loops that write over what they read ------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// An elementwise op as a nest of loops: each turn reads one element of a dying
// buffer X, or a vector, then writes the same one of a new buffer Y, and
// touches nothing else of the two. On the ways through branches it reads first,
// too.
//
//     for %i, for %j                X dies in the loops, Y begins in them
//       %v = load %x[%i, %j]
//       store f(%v), %y[%i, %j]
//
// All loops are in the subscripts, which may be some numbers farther, so no two
// turns have an element in common,
// and the order of turns makes no difference: loops may be parallel, and later
// passes may run them in any order.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_LIVENESS_LOOPSINPLACE_H
#define BERTH_LIB_IR_LIVENESS_LOOPSINPLACE_H

#include "IR/Scope/Points.h"
#include "IR/Scope/Scope.h"

/// The outermost loop of a nest that writes Y by `store` over what it reads of
/// X; null where X and Y have to be apart. Both are of one size, or of sizes
/// known at run time only.
MlirOperation berthLoopsInPlace(const BerthPoints *points,
                                const BerthBufferInfo *x,
                                const BerthBufferInfo *y, MlirOperation store,
                                const char *breakRule);

/// The same for a Y of elements that may be narrower: a nest of sequential
/// loops that comes to these in the order of memory. Y may then begin as many
/// bytes `behind` X's begin as an element is narrower, or anywhere ahead of
/// that: what is written ends where the element ends that was read for it, or
/// before. The order of turns has to stay.
///
///     X   |   0   |   1   |   2   |
///     Y        | 0 | 1 | 2 |
MlirOperation berthLoopsNarrow(const BerthPoints *points,
                               const BerthBufferInfo *x,
                               const BerthBufferInfo *y, MlirOperation store,
                               const char *breakRule, int64_t *behind);

/// Of what one access does, the first store of an element or a vector to the
/// buffer in a loop; null if there is none.
MlirOperation berthFirstLoopStore(const BerthPoints *points,
                                  const BerthBufferInfo *buffer,
                                  const BerthAccess *access);

/// The body of the innermost loop around an op: what is between them are
/// branches only. Null if that is not so.
MlirBlock berthBodyOfTurn(MlirOperation op);

/// What the op reads by an element or a vector; null if it is no such op.
MlirValue berthReadInTurn(MlirOperation op);

#endif // BERTH_LIB_IR_LIVENESS_LOOPSINPLACE_H
