//===- Census.h - How many programs draw each class ---------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What stands at the border of what an analysis can know is drawn seldom. So
// `--classes` tells how many of the programs have each of it; a test that draws
// none of a class shows nothing.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_SMITH_CENSUS_H
#define BERTH_SMITH_CENSUS_H

#include <stdint.h>
#include <stdio.h>

typedef enum BerthSmithClass {
  // Addresses.c
  BERTH_SMITH_ADDRESS,
  BERTH_SMITH_ADDRESS_HIDDEN,
  BERTH_SMITH_ADDRESS_CARRIED,
  BERTH_SMITH_ADDRESS_RETURNED,
  BERTH_SMITH_ADDRESS_IN_TABLE,
  BERTH_SMITH_ADDRESS_KEPT,
  // Tokens.c
  BERTH_SMITH_TOKEN_LATE,
  BERTH_SMITH_TOKEN_IN_BRANCHES,
  BERTH_SMITH_TOKEN_IN_GROUP,
  BERTH_SMITH_TOKEN_NEVER,
  BERTH_SMITH_TOKEN_RETURNED,
  BERTH_SMITH_TOKEN_OF_FUNCTION,
  BERTH_SMITH_TOKEN_IN_STORAGE,
  BERTH_SMITH_TOKEN_LEFT,
  // Handles.c
  BERTH_SMITH_HANDLE_KEPT,
  BERTH_SMITH_HANDLE_IN_BRANCHES,
  BERTH_SMITH_HANDLE_DROPPED,
  // Control.c
  BERTH_SMITH_UNSIGNED,
  BERTH_SMITH_UNSIGNED_ABOVE,
  // Wide.c
  BERTH_SMITH_WIDE_NUMBERS,
  BERTH_SMITH_WIDE_VECTORS,
  BERTH_SMITH_ALIGNMENT_ASSUMED,
  BERTH_SMITH_DISTINCT,
  // Reentry.c
  BERTH_SMITH_CALLS_ITSELF,
  BERTH_SMITH_TWO_CALLERS,
  // KernelBorders.c
  BERTH_SMITH_CLUSTER,
  BERTH_SMITH_CLUSTER_BARRIER,
  BERTH_SMITH_CLUSTER_RELAXED,
  BERTH_SMITH_NAMED_BARRIER,
  BERTH_SMITH_SPIN,
  BERTH_SMITH_NUM_CLASSES
} BerthSmithClass;

/// Of each class the programs that have it, and the last of them.
typedef struct BerthSmithCensus {
  uint64_t count[BERTH_SMITH_NUM_CLASSES];
  uint64_t last[BERTH_SMITH_NUM_CLASSES];
} BerthSmithCensus;

/// The program of this seed has one. `census` NULL: nobody counts.
void berthSmithDrew(BerthSmithCensus *census, uint64_t seed,
                    BerthSmithClass which);

/// A line for each class that a program of this kind can have.
void berthSmithPrintCensus(const BerthSmithCensus *census, uint64_t programs,
                           FILE *out);

#endif // BERTH_SMITH_CENSUS_H
