//===- Overlap.h - Outputs written over what loops have read ------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A nest of loops that reads a dying buffer X and writes a new one Y needs no
// bytes for both where each byte is read before it is written:
//
//     scf.for %i = 0 to 64 {             bytes   0       256
//       %v = load %x[%i] : f32           %x      |-------|    dies here
//       store (i8)%v, %y[%i]             %y      |-|          begins here
//     }
//
// All that counts of a pair is the distance of their offsets, and which ones
// are wrong follows from the least and the most difference of a byte that is
// read and one that was written before it (berthFoldFindReach). So isl is asked
// for these two, and the packer gets an interval (BerthDistance).
//
// This holds for the order in which the loops run, and that the IR has to fix:
// sequential loops of constant bounds, whose bodies touch the two by plain
// loads and stores. Passes of the affine dialect take different memrefs for
// disjoint memory, and would run affine loops in parallel: so these become
// loops of scf (OrderedLoops.h), unless only attributes are wanted. What others
// must not put in another order is marked with berth.ordered.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_OVERLAP_OVERLAP_H
#define BERTH_LIB_IR_OVERLAP_OVERLAP_H

#include "IR/Scope/Job.h"

/// Finds the pairs, where asked for, in groups of one offset or not; needs
/// segments and gaps.
void berthFindOverlaps(BerthJob *job);

#endif // BERTH_LIB_IR_OVERLAP_OVERLAP_H
