//===- TmaHold.h - Where TMA loads have ended ----------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A TMA load tells its end to an mbarrier. A wait for that says too little by
// itself: its parity may name an earlier phase, and then it returns at once.
// But a thread that started a load, has waited for the load's mbarrier, and
// then touches what was loaded, must know that the load has ended, else the
// kernel would be wrong without Berth too:
//
//   load X, mbarrier M
//   wait for M               perhaps
//   read X                   surely
//
// So the touch has to meet the bytes of every load: all loads fill the whole
// buffer and any byte is touched, or all of it is.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_LIVENESS_TMAHOLD_H
#define BERTH_LIB_IR_LIVENESS_TMAHOLD_H

#include "IR/Ops/OpTable.h"
#include "IR/Scope/Scope.h"

/// All TMA loads of one buffer.
typedef struct BerthTensorLoads {
  const BerthBufferInfo *buffer;
  bool areWhole;         ///< each fills all of it
  bool haveOneBarrier;   ///< surely the same mbarrier
  BerthMBarrier barrier; ///< of the first
} BerthTensorLoads;

BerthTensorLoads berthTensorLoadsOf(const BerthBufferInfo *buffer);

/// True if the op waits for the mbarrier of all the loads.
bool berthTensorLoadsAwaited(const BerthTensorLoads *loads, MlirOperation op);

/// True if the access, by a thread that has waited, proves that they have
/// ended.
bool berthTensorLoadsProved(const BerthTensorLoads *loads,
                            const BerthAccess *access);

#endif // BERTH_LIB_IR_LIVENESS_TMAHOLD_H
