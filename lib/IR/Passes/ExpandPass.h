//===- ExpandPass.h - The pass berth-expand, in C ------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_PASSES_EXPANDPASS_H
#define BERTH_LIB_IR_PASSES_EXPANDPASS_H

#include "IR/Scope/ArenaOptions.h"

BERTH_EXTERN_C_BEGIN

typedef struct BerthExpandOptions {
  BerthArenaOptions arena; ///< what ops are believed, and from how many bytes
                           ///< on what lies on the stack goes (collect)
  int64_t capacity;        ///< most bytes of one launch
  bool interleaves;        ///< where that can be done
  bool verify;
} BerthExpandOptions;

/// The largest capacity: sums of such do not overflow.
#define BERTH_MOST_EXPANDED (INT64_C(1) << 40)

typedef struct BerthExpandFigures {
  uint64_t kernels;     ///< that get memory from their launches
  uint64_t interleaved; ///< of these
  uint64_t buffers;     ///< views of it
  uint64_t launches;    ///< that bring it
} BerthExpandFigures;

/// Gives the threads of kernels in `module` what each of them allocates, as a
/// part of a block that the host allocates for each launch.
BerthStatus berthExpandRun(MlirOperation module,
                           const BerthExpandOptions *options,
                           BerthExpandFigures *figures);

BERTH_EXTERN_C_END

#endif // BERTH_LIB_IR_PASSES_EXPANDPASS_H
