//===- Sizes.h - Values made again at a home ----------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_DYNAMIC_SIZES_H
#define BERTH_LIB_IR_DYNAMIC_SIZES_H

#include "IR/Scope/Job.h"

/// True if all is computed for the host to compute it, too (berth-expand): at
/// the entry of a kernel, of what all launches know.
static inline bool berthSizesAreForHost(const BerthJob *job) {
  return !mlirOperationIsNull(job->options->collect.expanded);
}

/// True if the value is known at the home, or can be computed there from what
/// is by ops without effects.
bool berthCanMake(const BerthJob *job, const BerthHome *home, MlirValue value);

/// The same of all operands of an allocation.
bool berthCanMakeSizes(const BerthJob *job, const BerthHome *home,
                       MlirOperation alloc);

/// What was made at one home already.
typedef struct BerthMaker {
  const BerthJob *job;
  const BerthHome *home;
  /// The job's function is called here: all is made in front of the call, of
  /// what that gives for arguments (FrameSizes.h). Else null.
  MlirOperation call;
  BerthPointerMap indexOf; ///< value -> index into `made`
  MlirValue *made;
  size_t numMade, capacity;
} BerthMaker;

BerthMaker berthMakerCreate(const BerthJob *job, const BerthHome *home);
void berthMakerFree(BerthMaker *maker);
BerthInsertPoint berthMakerPoint(const BerthMaker *maker);
MlirValue berthMake(BerthMaker *maker, MlirValue value);

/// The conditions under which the allocation runs once control is at the home.
/// One that is unknown or not makeable: false.
typedef struct BerthCondition {
  BerthRegionRuns runs;
  MlirValue values[2];
} BerthCondition;
enum { BERTH_MAX_CONDITIONS = 16 };
bool berthFindConditions(const BerthJob *job, const BerthHome *home,
                         MlirOperation alloc, BerthCondition *conditions,
                         size_t *count);

/// True if both have one size, wherever both are known.
bool berthHaveSameSizes(const BerthBufferInfo *a, const BerthBufferInfo *b);

/// Sizes in bytes when every value that is not computed from others is what
/// sample number `sample` says; deterministic.
enum { BERTH_NUM_SAMPLES = 4 };
typedef struct BerthSampler {
  const BerthJob *job;
  MlirValue *leaves;
  size_t numLeaves, capacity;
} BerthSampler;
int64_t berthSampleSize(BerthSampler *sampler, const BerthBufferInfo *buffer,
                        int sample);
void berthSamplerFree(BerthSampler *sampler);

#endif // BERTH_LIB_IR_DYNAMIC_SIZES_H
