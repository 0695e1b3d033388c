//===- SampleNumbers.h - What host and kernel compute, by example ---- C --===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers of a launch and of each of its threads, where what is not known has
// some small number, the same wherever it is asked for. What an op computes
// that is no plain arithmetic is some number, too, the same one wherever the
// op has the same operands, on the host or in a thread: so a size that both
// compute is equal, and whatever differs among threads still does.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_ROOTS_SAMPLENUMBERS_H
#define BERTH_LIB_IR_VERIFY_ROOTS_SAMPLENUMBERS_H

#include "IR/Facts/Facts.h"
#include "IR/Ops/PointerMap.h"

typedef struct BerthSample {
  int number;              ///< of the sample
  bool isLarge;            ///< half of what is not known is large
  MlirOperation launch;    ///< a gpu.launch or gpu.launch_func
  MlirOperation kernel;    ///< the same, or a gpu.func
  intptr_t firstArgument;  ///< of the launch: the kernel's
  int64_t extents[6];      ///< of the grid, then of a block
  int64_t place[6];        ///< of the thread: its block's, then its own
  BerthPointerMap *leafOf; ///< values that nobody computes, in order
  BerthPointerMap known;   ///< values -> index into `numbers`
  int64_t *numbers;
  size_t numNumbers, capacity;
} BerthSample;

/// The number of an index or integer. A memref's stands for itself.
int64_t berthSampleNumber(BerthSample *sample, MlirValue value);

/// What is known goes: another thread, or another sample.
void berthSampleForget(BerthSample *sample);
void berthSampleFree(BerthSample *sample);

#endif // BERTH_LIB_IR_VERIFY_ROOTS_SAMPLENUMBERS_H
