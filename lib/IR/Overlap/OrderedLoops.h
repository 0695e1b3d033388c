//===- OrderedLoops.h - Affine loops whose order has to stay -------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Passes of the affine dialect take different memrefs for disjoint memory:
// where two views share bytes in an order that counts, affine-parallelize would
// run the loop in parallel. So the nest leaves the dialect:
//
//     affine.for %i = 0 to 64 {            scf.for %i = %c0 to %c64 step %c1 {
//       %v = affine.load %x[2 * %i]          %j = affine.apply 2 * %i
//       ...                          ->      %v = memref.load %x[%j]
//     } {berth.ordered}                      ...
//                                          } {berth.ordered}
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_OVERLAP_ORDEREDLOOPS_H
#define BERTH_LIB_IR_OVERLAP_ORDEREDLOOPS_H

#include "mlir-c/IR.h"

/// True if the nest is no affine one, or berthFixOrder can make it none: all
/// affine ops in it are loops of constant bounds, branches, loads and stores of
/// one element, or index arithmetic.
bool berthMayFixOrder(MlirOperation nest);

/// Does that to all affine loops in `root` that are marked with berth.ordered.
void berthFixOrder(MlirOperation root);

#endif // BERTH_LIB_IR_OVERLAP_ORDEREDLOOPS_H
