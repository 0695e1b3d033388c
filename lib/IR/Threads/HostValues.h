//===- HostValues.h - What a kernel's host knows as well ------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A number that all threads of a launch agree on because it follows from the
// kernel's arguments and the sizes of grid and block can be computed in front
// of the launch, too.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_THREADS_HOSTVALUES_H
#define BERTH_LIB_IR_THREADS_HOSTVALUES_H

#include "IR/Ops/Build.h"
#include "IR/Ops/PointerMap.h"

/// Blocks in x, y and z, then threads of a block.
enum { BERTH_NUM_EXTENTS = 6 };

/// True unless the value differs among threads, or is what only the kernel can
/// know, even if its op's operands are known to the host. Loads and the like
/// cannot be computed anywhere else anyway (berthOpIsSpeculatable).
bool berthHostMayKnow(MlirOperation kernel, MlirValue value,
                      const char *breakRule);

/// The operand of a gpu.launch or gpu.launch_func that is this extent.
MlirValue berthLaunchGetExtent(MlirOperation launch, int extent);

/// What a launch does not say by sizes and arguments.
typedef struct BerthLaunchForm {
  bool hasClusters;
  bool hasStream; ///< a gpu.launch_func on a stream of its own
  bool isAsync;   ///< it returns a token
  intptr_t numDependencies;
} BerthLaunchForm;

BerthLaunchForm berthLaunchGetForm(MlirOperation launch);

/// The launch waits for that token alone.
void berthLaunchSetDependency(MlirOperation launch, MlirValue token);

/// One more argument of the kernel, behind the others.
void berthLaunchAddArgument(MlirOperation launch, MlirValue argument);

/// Computing at one launch.
typedef struct BerthHostValues {
  MlirOperation kernel, launch; ///< one op for a gpu.launch
  BerthInsertPoint at;
  BerthPointerMap indexOf; ///< value -> index into `made`
  MlirValue *made;
  size_t numMade, capacity;
} BerthHostValues;

/// A value of the kernel, made of what berthHostMayKnow, in front of the
/// launch.
MlirValue berthHostValue(BerthHostValues *host, MlirValue value);

/// An extent of the launch, as an index.
MlirValue berthHostExtent(BerthHostValues *host, int extent);

void berthHostValuesFree(BerthHostValues *host);

#endif // BERTH_LIB_IR_THREADS_HOSTVALUES_H
