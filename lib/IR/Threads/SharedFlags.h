//===- SharedFlags.h - Reads of what all threads see alike --------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A kernel may decide a loop by a flag in workgroup memory:
//
//     scf.while {                     thread 0 writes the flag somewhere in the
//       gpu.barrier                   body
//       %more = load flag[0]
//       gpu.barrier
//       scf.condition(%more)
//     } do { ... }
//
// All threads come to the load between the same two barriers. If nobody writes
// the flag between these, they all find the same there: every way from a write
// to the load, and from the load to a write, crosses a barrier. A write that
// came too early would be one of a thread that has gone ahead of another one
// without a barrier.
//
// The barriers have to be such as all threads come to, which may depend on the
// flag itself. That is no circle in time: what a flag decides lies behind the
// load, and so does a write that the barriers in there hold back.
//
// Other buffers that get bytes of the flag are kept behind barriers by
// hazards, as they are from every access (Hazards.h).
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_THREADS_SHAREDFLAGS_H
#define BERTH_LIB_IR_THREADS_SHAREDFLAGS_H

#include "IR/Scope/Scope.h"

/// A load that finds the same in all threads that agree on its indices, if all
/// threads come to it and to these barriers.
typedef struct BerthSharedFlag {
  MlirOperation load;
  size_t numBarriers;
  MlirOperation *barriers;
} BerthSharedFlag;

/// True if the op is such a load; `*flag` is to be freed. Only in kernels that
/// call nothing, and of buffers that are allocated in the scope, and whose
/// pointers go nowhere but into views. `breakRule`: see IR/Ops/Rules.h.
bool berthFindSharedFlag(const BerthScope *scope, MlirOperation load,
                         const char *breakRule, BerthSharedFlag *flag);
/// True for an allocation of the memory that threads share: all of them get the
/// same address.
bool berthIsSharedMemory(const BerthScope *scope, MlirOperation op);

void berthSharedFlagFree(BerthSharedFlag *flag);

#endif // BERTH_LIB_IR_THREADS_SHAREDFLAGS_H
