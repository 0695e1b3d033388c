//===- Launches.h - Kernels with all who launch them ---------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_EXPAND_LAUNCHES_H
#define BERTH_LIB_IR_EXPAND_LAUNCHES_H

#include "IR/Threads/HostValues.h"

typedef struct BerthLaunched {
  MlirOperation kernel; ///< a gpu.func, or a gpu.launch, which launches itself
  size_t numLaunches, capacity;
  MlirOperation *launches;
  const char *obstacle; ///< why launches cannot bring memory, or NULL
  MlirOperation obstacleAt;
  /// Of grid and block, where all launches have the same constants; else -1.
  int64_t extents[BERTH_NUM_EXTENTS];
} BerthLaunched;

/// All kernels of a module, in the order of the text.
typedef struct BerthLaunchedList {
  size_t count, capacity;
  BerthLaunched *items;
} BerthLaunchedList;

BerthLaunchedList berthFindLaunched(MlirOperation module,
                                    const char *breakRule);
void berthLaunchedListFree(BerthLaunchedList *list);

#endif // BERTH_LIB_IR_EXPAND_LAUNCHES_H
