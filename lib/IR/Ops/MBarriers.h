//===- MBarriers.h - What ops do with the mbarriers of a group ------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_OPS_MBARRIERS_H
#define BERTH_LIB_IR_OPS_MBARRIERS_H

#include "mlir-c/IR.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum BerthMBarrierRole {
  BERTH_MBARRIER_INIT,   ///< nvgpu.mbarrier.init
  BERTH_MBARRIER_EXPECT, ///< nvgpu.mbarrier.arrive.expect_tx
  BERTH_MBARRIER_LOAD,   ///< nvgpu.tma.async.load
  BERTH_MBARRIER_WAIT    ///< nvgpu.mbarrier.try_wait.parity
} BerthMBarrierRole;

/// An op on one mbarrier of a group, by its operands.
typedef struct BerthMBarrierUse {
  BerthMBarrierRole role;
  intptr_t group;
  intptr_t number; ///< in the group
  intptr_t count;  ///< INIT: of arrivals; EXPECT: of bytes; WAIT: the parity;
                   ///< -1: none
  intptr_t predicate; ///< -1: all threads do it
} BerthMBarrierUse;

/// False for other ops, those too that do something else with an mbarrier.
bool berthOpGetMBarrierUse(MlirOperation op, BerthMBarrierUse *use);

/// True if the op makes a group (nvgpu.mbarrier.create).
bool berthOpMakesMBarriers(MlirOperation op);

/// How many mbarriers a value of the type has; 0: it has none.
int64_t berthCountMBarriers(MlirType type);

/// The type with so many instead.
MlirType berthMBarriersWith(MlirType type, int64_t count);

#endif // BERTH_LIB_IR_OPS_MBARRIERS_H
