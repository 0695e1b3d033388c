//===- Generate.h - Families of generated problems ----------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Seeded problems of any size, for tests and benchmarks. The same family, count
// and seed give the same problem on every machine.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_C_GENERATE_H
#define BERTH_C_GENERATE_H

#include "berth-c/Pack.h"

BERTH_EXTERN_C_BEGIN

/// The families, by name:
///   network      forward and backward pass of a layered net: weights live for
///                ever, activations from their layer to its mirror image, skip
///                connections for some layers, scratch for one step
///   sliding      one buffer starts at each time and lives for a while
///   nested       loops in loops; buffers live for one run of some loop's body
///   random       times uniform, sizes spread over orders of magnitude
///   adversarial  waves of growing sizes; part of each wave survives and leaves
///                holes too small for the next (after Robson 1974)
///   guillotine   a rectangle cut up at random; its height is the optimum
///   decoder      a language model that serves a batch of requests: pages of
///                keys and values of one size live until their request ends
///   unet         passes down to a depth and up again; what is wide is live
///                from its way down to its way up
///   features     as sliding, with alignments, pins, gaps with and without
///                windows, and hints; all other families are plain
BERTH_EXPORT size_t berthFamilyCount(void);
BERTH_EXPORT const char *berthFamilyName(size_t index);
BERTH_EXPORT const char *berthFamilySummary(size_t index);
/// The index of a name, or SIZE_MAX.
BERTH_EXPORT size_t berthFamilyFind(const char *name);

/// Generates `count` (> 0) buffers. The caller destroys the problem. NULL
/// when memory runs out. `*optimum` (may be NULL) is the smallest peak where it
/// is known by construction, else 0.
BERTH_EXPORT BerthProblem *berthGenerate(size_t family, uint32_t count,
                                         uint64_t seed, int64_t *optimum);

BERTH_EXTERN_C_END

#endif // BERTH_C_GENERATE_H
