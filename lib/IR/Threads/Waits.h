//===- Waits.h - Where threads wait for one another ----------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A barrier between one thread's wait and the signal that another gives behind
// it never opens:
//
//     if (warp 0) bar.sync 1, 64       waits for warp 1
//     ------------- gpu.barrier -------------     warp 1 waits for warp 0
//     if (warp 1) bar.sync 1, 64
//
// A wait that all threads make alike (the same mbarrier, the same phase, in
// uniform control) is none of these: where one of them may go on, all may. What
// no interface explains may be a wait and a signal. A loop that reads memory,
// whose turns nobody counts and that threads leave at their own time, may wait
// for what another thread writes.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_THREADS_WAITS_H
#define BERTH_LIB_IR_THREADS_WAITS_H

#include "IR/Scope/Scope.h"

/// What may end a wait: bits.
enum {
  BERTH_WAIT_OP = 1,     ///< an op that does more than reading and writing
  BERTH_WAIT_MEMORY = 2, ///< a write
  BERTH_WAIT_MIX = 4,    ///< nothing but a barrier of the whole workgroup: some
                         ///< threads may have arrived at the barrier that an
                         ///< inserted one would be
  BERTH_NUM_WAITS = 3
};

/// Kinds of waits that an op may be, and that it may end.
typedef struct BerthWait {
  int waits;
  int signals;
} BerthWait;

/// What the op itself, without its regions, may be; of a call, all that the
/// called function may do. What is uniform in the scope is known by now.
/// `root`: functions inside it are looked into.
BerthWait berthOpGetWait(const BerthScope *scope, MlirOperation op,
                         MlirOperation root);

/// True if a function beside this one may hold a wait: who calls this one may
/// be between a wait and its signal.
bool berthCallersMayWait(MlirOperation function);

#endif // BERTH_LIB_IR_THREADS_WAITS_H
