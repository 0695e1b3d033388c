//===- WholeBarrier.h - Barriers that all threads of a block meet at - C ===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A barrier with a number and a count of threads opens when so many have come.
// If these are all threads of the block, it is one of the workgroup:
//
//     known_block_size = 64:   bar.sync 1, 64     opens when all have come
//                              bar.sync 1, 32     some other 32 may open it
//
// Who only arrives (bar.arrive) and goes on may come twice, so that it opens
// without the others. So nothing else in the function may use its number,
// unless that counts all threads too and waits.
//
//===---------------------------------------------------------------------===//

// All threads of a cluster are those of the workgroup too: where a thread comes
// to the cluster's barrier and waits there at once, it is one of the workgroup.
// What it does between the two is ordered with nothing, and an arrival that is
// relaxed brings nothing that was done before it.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_OPS_WHOLEBARRIER_H
#define BERTH_LIB_IR_OPS_WHOLEBARRIER_H

#include "mlir-c/IR.h"

#include <stdbool.h>

/// True for a barrier of the workgroup (berthOpIsBarrier), for a named one that
/// provably counts all threads of its kernel's block, and for a cluster.wait
/// right behind a cluster.arrive.
bool berthOpIsWholeBarrier(MlirOperation op);

/// True for a cluster.wait right behind a cluster.arrive: what any thread of
/// the cluster did in front of it is seen by all behind it.
bool berthOpEndsClusterBarrier(MlirOperation op);

/// True for a barrier right between `tcgen05.fence <before>` and
/// `tcgen05.fence <after>`: without these it does not order what threads do to
/// tensor memory.
bool berthBarrierOrdersTensors(MlirOperation barrier);

#endif // BERTH_LIB_IR_OPS_WHOLEBARRIER_H
