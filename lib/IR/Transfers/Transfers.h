//===- Transfers.h - How long a transfer goes on -------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A memref.dma_start reads its source and writes its target until a wait for
// the same element of its tag. Every way from a start is followed to the waits
// that are surely for it:
//
//   start a, tag[0]              a
//   for (i = 1..n) {
//     start a, tag[i mod 2]      a b
//     wait tag[(i - 1) mod 2]    a b   ends the one of the turn before
//   }
//   wait tag[n mod 2]            a     ends the last one
//   ...                                nothing is under way
//
// A tag is trusted if it is allocated here, nothing but starts, waits and
// deallocations gets hold of it (who reads or writes an element only touches
// it), no two of its transfers are ever under way on one element, and every
// way from each of its starts comes to a wait. Otherwise nobody knows what its
// waits end.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_TRANSFERS_TRANSFERS_H
#define BERTH_LIB_IR_TRANSFERS_TRANSFERS_H

#include "IR/Ops/PointerMap.h"
#include "Support/BumpMemory.h"
#include "berth-c/Pack.h"
#include "mlir-c/IR.h"

/// One start.
typedef struct BerthDmaRun {
  bool isAwaited;
  size_t numSegments;
  BerthSegment *segments; ///< where it is under way: points of its body
} BerthDmaRun;

/// What is known of all starts that were asked for. Zero-initialise; then
/// berthDmaTableFree.
typedef struct BerthDmaTable {
  const char *breakRule; ///< tests only
  BerthMemory memory;
  BerthPointerMap bodies; ///< regions that have been looked at
  BerthPointerMap runOf;  ///< start -> index into `runs`
  BerthDmaRun *runs;
  size_t numRuns, capacity;
} BerthDmaTable;

/// The region whose code, and structured code in it, is followed from its start
/// to its end: that of a function, or one that runs in an unknown order.
MlirRegion berthDmaBody(MlirOperation op);

/// Of a start (memref.dma_start, affine.dma_start).
const BerthDmaRun *berthDmaGetRun(BerthDmaTable *table, MlirOperation start);

void berthDmaTableFree(BerthDmaTable *table);

#endif // BERTH_LIB_IR_TRANSFERS_TRANSFERS_H
