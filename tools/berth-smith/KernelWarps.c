//===- KernelWarps.c - Atomics, shuffles and reductions -------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Integers only, which come out the same in whatever order threads add them up.
//
//===----------------------------------------------------------------------===//

#include "Kernel.h"

enum { kLanes = 32 };

//===----------------------------------------------------------------------===//
// Atomics
//===----------------------------------------------------------------------===//

static bool mayCount(const BerthKernelBuffer *buffer) {
  return berthKernelIsInt32(buffer) && buffer->isDefined && !buffer->isBusy &&
         !buffer->isWritten && !buffer->isWatched && !buffer->isRead;
}

/// Adds to elements of whatever owner. What was there before depends on who
/// came first, so nobody looks at it.
bool berthKernelCount(BerthKernel *kernel) {
  BerthKernelBuffer *buffer = berthKernelPick(kernel, mayCount);
  if (!buffer)
    return false;
  int size = kKernelThreads * buffer->share;
  for (int k = 1 + berthRandomBelow(&kernel->random, 2); k > 0; --k) {
    int value = berthKernelMix(kernel);
    int index = berthKernelAnyIndex(kernel, size);
    berthKernelLine(kernel,
                    "%%s%d = memref.atomic_rmw addi %%s%d, %%b%d[%%x%d] : "
                    "(i32, memref<%dxi32, #workgroup>) -> i32",
                    berthKernelNewId(kernel), value, buffer->id, index, size);
  }
  buffer->isCounted = true;
  return true;
}

//===----------------------------------------------------------------------===//
// Exchanges between the threads of a warp, where all of them come
//===----------------------------------------------------------------------===//

/// Lanes whose partner does not exist keep what they have.
bool berthKernelShuffle(BerthKernel *kernel) {
  static const char *const modes[] = {"xor", "idx", "up", "down"};
  if (kernel->isApart)
    return false;
  const char *mode = modes[berthRandomBelow(&kernel->random, 4)];
  int value = berthKernelMix(kernel);
  int id = berthKernelNewId(kernel), result = berthKernelNewId(kernel);
  berthKernelLine(kernel, "%%lane%d = arith.constant %d : i32", id,
                  1 + berthRandomBelow(&kernel->random, kLanes - 1));
  berthKernelLine(kernel, "%%width%d = arith.constant %d : i32", id, kLanes);
  berthKernelLine(kernel,
                  "%%s%d, %%valid%d = gpu.shuffle %s %%s%d, %%lane%d, "
                  "%%width%d : i32",
                  id, id, mode, value, id, id);
  berthKernelLine(kernel, "%%s%d = arith.select %%valid%d, %%s%d, %%s%d : i32",
                  result, id, id, value);
  berthKernelAddScalar(kernel, result);
  return true;
}

bool berthKernelReduceWarp(BerthKernel *kernel) {
  static const char *const kinds[] = {"add", "minsi", "maxsi", "xor"};
  if (kernel->isApart)
    return false;
  const char *kind = kinds[berthRandomBelow(&kernel->random, 4)];
  int value = berthKernelMix(kernel), id = berthKernelNewId(kernel);
  berthKernelLine(kernel,
                  "%%s%d = gpu.subgroup_reduce %s %%s%d uniform : (i32) -> i32",
                  id, kind, value);
  berthKernelAddScalar(kernel, id);
  return true;
}

/// Upstream's lowering has barriers inside, and in a loop its turns would race
/// with each other.
bool berthKernelReduceAll(BerthKernel *kernel) {
  if (kernel->depth > 0)
    return false;
  int value = berthKernelMix(kernel), id = berthKernelNewId(kernel);
  berthKernelLine(kernel,
                  "%%s%d = gpu.all_reduce add %%s%d uniform {} : (i32) -> i32",
                  id, value);
  berthKernelAddScalar(kernel, id);
  return true;
}
