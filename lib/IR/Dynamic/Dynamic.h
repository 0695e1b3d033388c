//===- Dynamic.h - Arenas whose sizes are known at run time -------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A buffer of dynamic size gets an offset that the program computes. The place
// where it does so, once all sizes are known, is a *home*: it owns one arena.
//
//  - The entry home stands at the start of the scope. Its sizes are made of
//    arguments and constants alone; its buffers lie in the arena of the static
//    buffers, above those that they meet.
//  - Other homes stand further down, where the values that the sizes need are
//    known, or inside the loop that changes them. They have arenas of their
//    own, freed at the end of their block.
//
// Offsets need no packing at run time: at each home the buffers have an order,
// and each lies above all earlier ones that it meets,
//
//     offset(j) = max over earlier i that j meets of (offset(i) + size(i))
//
// which is right for all sizes. For an interval graph the best order gives the
// smallest arena there is (the longest path in an acyclic orientation is
// the weighted chromatic number's dual); which order is best depends on
// the sizes, so several are tried on sample sizes (Order.c). Futhark's
// colours ("memory block merging", one block a colour, as large as the largest
// member) are one such order.
//
// A size counts only if its allocation runs: conditions between the home and
// the allocation are evaluated at the home, and where they cannot be, the home
// moves inside.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_DYNAMIC_DYNAMIC_H
#define BERTH_LIB_IR_DYNAMIC_DYNAMIC_H

#include "IR/Scope/Job.h"

struct BerthHome {
  MlirBlock block;
  MlirOperation before; ///< everything is computed in front of this op
  bool isEntry;         ///< `before` is the first op of the scope
  bool isAllocation;    ///< `before` is the allocation: it knows its operands
  size_t numBuffers;
  size_t *buffers; ///< of the scope; from the second station on in the order
                   ///< of their offsets, those of one group together
  MlirValue arena;
};

/// True if the scope's arena holds buffers of dynamic size.
static inline bool berthHasEntryHome(const BerthJob *job) {
  return job->numHomes && job->homes[0].numBuffers;
}

//===---------------------------------------------------------------------===//
// The stations
//===---------------------------------------------------------------------===//

/// Homes.c: gives every dynamic buffer of the scope a home, or rejects
/// it. To be called once live ranges are known, before groups are made.
void berthFindHomes(BerthJob *job);

/// Order.c: orders the buffers of each home. Static offsets are known.
void berthOrderHomes(BerthJob *job);
/// Order.c: the highest end of a static buffer that the buffer meets; 0
/// if it meets none, or where these have no offsets (berth-merge).
int64_t berthStaticTop(const BerthJob *job, const BerthBufferInfo *buffer);

/// Emit.c: computes sizes and offsets (`shift` of each buffer) in
/// front of the home's op. Returns the arena's bytes, at least `leastBytes`.
MlirValue berthBuildOffsets(BerthJob *job, BerthHome *home, int64_t leastBytes);
/// Emit.c: the largest of some buffers' sizes, for one block that each
/// of them may have: all get offset 0. `alignment` is raised to theirs.
MlirValue berthBuildLargestSize(BerthJob *job, const BerthHome *home,
                                const size_t *buffers, size_t numBuffers,
                                int64_t *alignment);
/// Emit.c: the arenas of all homes but the entry home, their offsets
/// and their deallocations.
void berthBuildHomes(BerthJob *job);
/// Emit.c: frees what was allocated at a home: at the exits of the
/// scope if the home stands in its entry block, else at the end of the home's
/// block.
void berthFreeAtHome(const BerthJob *job, const BerthHome *home,
                     MlirValue value);
/// Checks.c: stops the program if the arena exceeds the capacity.
void berthBuildCapacityCheck(const BerthJob *job, BerthInsertPoint at,
                             MlirValue bytes);
/// Checks.c: says at the allocation that its size was negative or too
/// large, or larger than the bound that was given for it.
void berthBuildSizeCheck(BerthJob *job, const BerthBufferInfo *buffer);

//===---------------------------------------------------------------------===//
// Sizes.c: values made again at a home
//===---------------------------------------------------------------------===//

/// True if the value is known at the home, or can be computed there from what
/// is by ops without effects.
bool berthCanMake(const BerthJob *job, const BerthHome *home, MlirValue value);

/// What was made at one home already.
typedef struct BerthMaker {
  const BerthJob *job;
  const BerthHome *home;
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

#endif // BERTH_LIB_IR_DYNAMIC_DYNAMIC_H
