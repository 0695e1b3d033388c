//===- Census.c - How many programs draw each class ----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Census.h"

#include <inttypes.h>

static const char *const names[BERTH_SMITH_NUM_CLASSES] = {
    [BERTH_SMITH_ADDRESS] = "address used later",
    [BERTH_SMITH_ADDRESS_HIDDEN] = "address in a vector, struct or slot",
    [BERTH_SMITH_ADDRESS_CARRIED] = "address carried through a loop",
    [BERTH_SMITH_ADDRESS_RETURNED] = "address returned",
    [BERTH_SMITH_ADDRESS_IN_TABLE] = "addresses in a table",
    [BERTH_SMITH_ADDRESS_KEPT] = "address kept by unseen code",
    [BERTH_SMITH_TOKEN_LATE] = "token awaited late",
    [BERTH_SMITH_TOKEN_IN_BRANCHES] = "token awaited in each branch",
    [BERTH_SMITH_TOKEN_IN_GROUP] = "token awaited in a group",
    [BERTH_SMITH_TOKEN_NEVER] = "token never awaited",
    [BERTH_SMITH_TOKEN_RETURNED] = "token returned by a function",
    [BERTH_SMITH_TOKEN_OF_FUNCTION] = "token of an async function",
    [BERTH_SMITH_TOKEN_IN_STORAGE] = "buffer in an async storage",
    [BERTH_SMITH_TOKEN_LEFT] = "token left behind by a function",
    [BERTH_SMITH_HANDLE_KEPT] = "buffer in a box of unseen code",
    [BERTH_SMITH_HANDLE_IN_BRANCHES] = "unseen token used in branches",
    [BERTH_SMITH_HANDLE_DROPPED] = "unseen token dropped",
    [BERTH_SMITH_UNSIGNED] = "unsigned loop",
    [BERTH_SMITH_UNSIGNED_ABOVE] = "unsigned loop above the signed range",
    [BERTH_SMITH_WIDE_NUMBERS] = "view of wider numbers",
    [BERTH_SMITH_WIDE_VECTORS] = "view of vectors",
    [BERTH_SMITH_ALIGNMENT_ASSUMED] = "alignment assumed",
    [BERTH_SMITH_DISTINCT] = "distinct objects",
    [BERTH_SMITH_CALLS_ITSELF] = "call of oneself by address",
    [BERTH_SMITH_TWO_CALLERS] = "two callers at once",
    [BERTH_SMITH_CLUSTER] = "address for the cluster",
    [BERTH_SMITH_CLUSTER_BARRIER] = "barrier of the cluster",
    [BERTH_SMITH_CLUSTER_RELAXED] = "relaxed barrier of the cluster",
    [BERTH_SMITH_NAMED_BARRIER] = "named barrier as signal",
    [BERTH_SMITH_SPIN] = "wait for a flag",
};

void berthSmithDrew(BerthSmithCensus *census, uint64_t seed,
                    BerthSmithClass which) {
  if (!census || (census->count[which] && census->last[which] == seed))
    return;
  ++census->count[which];
  census->last[which] = seed;
}

void berthSmithPrintCensus(const BerthSmithCensus *census, uint64_t programs,
                           FILE *out) {
  fprintf(out, "%" PRIu64 " programs, of them with\n", programs);
  for (int i = 0; i < BERTH_SMITH_NUM_CLASSES; ++i)
    if (census->count[i])
      fprintf(out, "%8" PRIu64 "  %s\n", census->count[i], names[i]);
}
