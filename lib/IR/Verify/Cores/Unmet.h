//===- Unmet.h - What leads to a place past no barrier ---------- C -------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The planner follows a graph of barriers forwards from accesses (IR/Cores).
// Here the way is gone backwards, op by op, from where a buffer is made anew or
// its function ends, up to the barriers.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_CORES_UNMET_H
#define BERTH_LIB_IR_VERIFY_CORES_UNMET_H

#include "IR/Ops/PointerMap.h"
#include "mlir-c/IR.h"

#include <stdbool.h>

typedef struct BerthUnmet {
  BerthPointerMap ops;    ///< op -> how much of it (Unmet.c)
  BerthPointerMap blocks; ///< whose ends have been come to
  MlirOperation scope;
} BerthUnmet;

/// What leads to `place`, or, if that is null, to the end of the scope; past
/// barriers, too, unless these are known to `order` the cores.
BerthUnmet berthUnmetBefore(MlirOperation scope, MlirOperation place,
                            bool order);
void berthUnmetFree(BerthUnmet *unmet);

/// True if the op does something from which a way without barrier leads there.
bool berthIsUnmet(const BerthUnmet *unmet, MlirOperation op);

#endif // BERTH_LIB_IR_VERIFY_CORES_UNMET_H
