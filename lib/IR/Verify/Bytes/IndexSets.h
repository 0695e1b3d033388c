//===- IndexSets.h - Which indices accesses take, one by one -------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a write in loops takes of a memref, in all their turns: the loops are
// run, and the indices noted in a set for each dimension. No two dimensions may
// depend on one loop: then the elements are all combinations of the indices.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_BYTES_INDEXSETS_H
#define BERTH_LIB_IR_VERIFY_BYTES_INDEXSETS_H

#include "IR/Facts/SliceFacts.h"
#include "Support/BumpMemory.h"
#include "mlir-c/IR.h"

/// The indices of one dimension, a bit each.
typedef struct BerthIndexSets {
  bool isKnown; ///< else it may be nothing
  uint64_t *words[BERTH_SLICE_MAX_RANK];
} BerthIndexSets;

/// What `op` writes through the operand of `base`, which its views end in, in
/// all turns of the loops around it up to `top`, which is one of them or the
/// op. Unknown where it may leave something out.
BerthIndexSets berthIndexSetsOf(MlirOperation op, intptr_t operand,
                                MlirValue base, MlirOperation top,
                                BerthMemory *memory);

/// Elements of a memref, by their numbers in the order of its dimensions.
typedef struct BerthStretch {
  int64_t lower, upper;
} BerthStretch;

/// True if the sets, all of them known, are together all of the stretch.
bool berthIndexSetsCover(const BerthIndexSets *const *sets, size_t count,
                         MlirType type, BerthStretch stretch);

#endif // BERTH_LIB_IR_VERIFY_BYTES_INDEXSETS_H
