//===- ReadsAhead.h - Loops that read before they write over ------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A nest may write a buffer over one that it reads, at any distance, as long as
// it reads each byte before it writes there for the first time:
//
//      for %i ...                     bytes   0   4   8   12
//        %x = load %a[%i]             %a      | 0 | 1 | 2 | ...
//        store f(%x), %b[%i]          %b      |0|1|2|3| ...
//
// That is found by running the loops, turn by turn. What stands under a
// condition that does not follow from their variables is taken to run in either
// case. Of the turns of a parallel loop nobody knows which comes first: each
// byte that one of them reads no other one may write.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_BYTES_READSAHEAD_H
#define BERTH_LIB_IR_VERIFY_BYTES_READSAHEAD_H

#include "IR/Verify/Roots/Access.h"

/// True if in each run of `top`, a loop, all that is read of the root `read` is
/// read before anything is written there that belongs to the root `written`,
/// and nothing else is done to `read` in there. False too where that would take
/// too many steps, or an element's place does not follow from the loops'
/// variables alone.
bool berthReadsAhead(const BerthViews *views, MlirOperation top, uint32_t read,
                     uint32_t written);

#endif // BERTH_LIB_IR_VERIFY_BYTES_READSAHEAD_H
