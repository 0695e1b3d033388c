//===- Normalize.h - From problem to task -------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// The one place where a problem is reduced, for every packer alike:
//
//   groups     colocated buffers become one item
//   sections   times become maximal sets of items live together; what lies
//              between adds no constraint
//
//        time   0 1 2 3 4 5 6 7        section  0 1 2
//        a      [-----)                a        [-)
//        b        [-------)     -->    b        [---)
//        c              [---)          c          [---)   (a section starts
//        d                [-)          d            [-)    where something
//                                                          starts after an end)
//   coarsening what the packer cannot handle: holes, windows, prices, distances
//   figures    load, lower bound, greatest common divisor
//
// All of it is linear but for the sorting of times, which is a radix sort.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_TASK_NORMALIZE_H
#define BERTH_LIB_PACK_TASK_NORMALIZE_H

#include "Support/BumpMemory.h"
#include "berth-c/Packer.h"

/// A task and the way back from it.
typedef struct BerthReduction {
  BerthTask task;
  const uint32_t *itemOfBuffer;
  const uint32_t *leaders;     ///< item -> its first buffer
  const int64_t *sectionTimes; ///< a time at which all of a section is live
  const uint8_t *cutsBought;   ///< for a packer that cannot buy, or none
  bool conservative;       ///< something was made coarser than the problem is
  uint32_t numMisfits;     ///< > 0: proven that nothing fits, as these fixed
  const uint32_t *misfits; ///< items cannot all stay within their pools
} BerthReduction;

/// The BERTH_CAN_* bits that `problem` makes use of.
uint32_t berthProblemFeatures(const BerthProblemData *problem);

/// Reduces a checked problem for a packer with these capabilities. Everything
/// lives in `arena`. BERTH_RESOURCE when memory runs out.
BerthStatus berthNormalize(const BerthProblemData *problem,
                           uint32_t capabilities, BerthMemory *arena,
                           BerthReduction *reduction);

#endif // BERTH_LIB_PACK_TASK_NORMALIZE_H
