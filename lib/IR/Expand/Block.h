//===- Block.h - The memory that a launch brings -------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In front of each launch its host computes how many bytes all threads need,
// stops the program if that is above the capacity, and allocates them; behind
// it, once the kernel has ended, it frees them:
//
//   gpu.launch_func ...                 sync: it has ended when it returns
//
//   %t = gpu.launch_func async [%s]     %b, %u = gpu.alloc async [%s]
//                                       %t = gpu.launch_func async [%u]
//                                       %v = gpu.dealloc async [%t] %b
//
// Each launch has a block of its own, so launches may run at the same time.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_EXPAND_BLOCK_H
#define BERTH_LIB_IR_EXPAND_BLOCK_H

#include "IR/Expand/Launches.h"
#include "IR/Expand/Parts.h"

/// The bytes of the block, or of as many threads as are known, if those are
/// known; INT64_MAX where they are more than that.
int64_t berthBlockBytes(const BerthParts *parts,
                        const int64_t extents[BERTH_NUM_EXTENTS]);

/// Allocates, and frees, a block for the launch; memref<?xi8>. A
/// gpu.launch_func is not given it yet.
MlirValue berthBuildBlock(const BerthParts *parts, MlirOperation launch,
                          int64_t capacity, const char *breakRule);

#endif // BERTH_LIB_IR_EXPAND_BLOCK_H
