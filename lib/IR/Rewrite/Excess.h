//===- Excess.h - Is the arena worth it? --------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Packing never takes more bytes than the buffers would side by side. But what
// is on the heap need not be there side by side: buffers come and go, and an
// arena is there from its first byte to its last.
//
//      bytes                                   bytes   arena        result
//        |  a      |                             |  ...........................
//        |  a   b  |   result    c               |  . a   b  .      .  c      .
//        '---------------------------> time      '---------------------------->
//
// So both are added up, each size rounded up to its alignment: what there is at
// once with the allocations as they are, and what with an arena in their place.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_REWRITE_EXCESS_H
#define BERTH_LIB_IR_REWRITE_EXCESS_H

#include "IR/Scope/Job.h"

/// Notes both peaks where the arena's is the higher one. If nothing is demanded
/// of an arena on the heap, no buffer is placed then.
void berthAvoidExcess(BerthJob *job);

#endif // BERTH_LIB_IR_REWRITE_EXCESS_H
