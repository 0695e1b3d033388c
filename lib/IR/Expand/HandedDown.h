//===- HandedDown.h - What device functions allocate, from callers --- C --===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread that calls a device function brings what that allocates as one more
// argument, so all that a kernel's threads allocate stands in the kernel:
//
//   func.func private @f(%n) {              func.func private @f(%n, %a) {
//     %a = memref.alloc(%n)
//     ...                                     ...
//     memref.dealloc %a
//   }                                 ->    }
//   gpu.func @k(..) kernel {                gpu.func @k(..) kernel {
//                                             %a = memref.alloc(%n)
//     call @f(%n)                             call @f(%n, %a)
//                                             memref.dealloc %a
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_EXPAND_HANDEDDOWN_H
#define BERTH_LIB_IR_EXPAND_HANDEDDOWN_H

#include "IR/Expand/Launches.h"

/// What was decided about one allocation of a device function, or of all of
/// them: `reason` is why it stays, or NULL.
typedef void (*BerthHandedDownCallback)(MlirOperation at, const char *reason,
                                        void *userData);

/// Of device functions all of whose calls are seen and come from kernels that
/// can be expanded. An alloca of fewer than `least` bytes stays.
void berthHandDownAllocations(MlirOperation module,
                              const BerthLaunchedList *kernels, int64_t least,
                              BerthHandedDownCallback callback, void *userData);

#endif // BERTH_LIB_IR_EXPAND_HANDEDDOWN_H
