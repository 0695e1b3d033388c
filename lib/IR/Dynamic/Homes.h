//===- Homes.h - Where offsets are computed at run time ------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A buffer of dynamic size gets an offset that the program computes. The place
// where it does so, once all sizes are known, is a *home*: it owns one arena.
//
//  - The entry home stands at the start of the scope. Its sizes are made of
//    arguments and constants alone; its buffers lie in the arena of the static
//    buffers, above those that they meet.
//  - Other homes stand further down, where the values that the sizes need are
//    known, or inside the loop that changes them. They have arenas of their
//    own, freed at the end of their block.
//
// Offsets need no packing at run time: at each home the buffers have an order,
// and each lies above all earlier ones that it meets,
//
//     offset(j) = max over earlier i that j meets of (offset(i) + size(i))
//
// which is right for all sizes. For an interval graph the best order gives the
// smallest arena there is (the longest path in an acyclic orientation is
// the weighted chromatic number's dual); which order is best depends on
// the sizes, so several are tried on sample sizes (Order.c). Futhark's
// colours ("memory block merging", one block a colour, as large as the largest
// member) are one such order.
//
// A size counts only if its allocation runs: conditions between the home and
// the allocation are evaluated at the home, and where they cannot be, the home
// moves inside.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_DYNAMIC_HOMES_H
#define BERTH_LIB_IR_DYNAMIC_HOMES_H

#include "IR/Scope/Job.h"

/// Gives every dynamic buffer of the scope a home, or rejects it. To be called
/// once live ranges are known, before groups are made.
void berthFindHomes(BerthJob *job);

#endif // BERTH_LIB_IR_DYNAMIC_HOMES_H
