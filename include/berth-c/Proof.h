//===- Proof.h - Checking a proof log ------------------------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A claim that a plan is optimal, or that nothing fits, rests on what no plan
// can be. With BerthPackOptions::proofFile set, the packers exact and auto
// write down why: the tree of a search, or the items that are too many for a
// bound. The checker goes through it line by line with rules of its own and
// shares no code with the packers.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_C_PROOF_H
#define BERTH_C_PROOF_H

#include "berth-c/Pack.h"

#include <stdio.h>

BERTH_EXTERN_C_BEGIN

/// Proven: no plan has at the same time a peak of at most `peak`, a price of at
/// most `price` and a pool cost of at most `poolCost` (INT64_MAX: whatever it
/// is). With several pools the peak is the sum of their highest tops, and no
/// plan is one that does not fit them.
typedef struct BerthRefutation {
  int64_t peak;
  int64_t price;
  int64_t poolCost;
} BerthRefutation;

typedef void (*BerthRefuted)(void *userData, const BerthRefutation *refutation);

/// Replays the log in `path` against the problem; tells `refuted` (may be NULL)
/// of each thing that it has proven. Only what a log proves before the line
/// that is wrong, if there is one, has been told. BERTH_INVALID with the line
/// and the reason if a step does not follow, the log is cut short, or the
/// problem's numbers are too large.
BERTH_EXPORT BerthStatus berthProofCheck(const BerthProblemData *problem,
                                         const char *path, BerthRefuted refuted,
                                         void *userData, BerthError *error);

/// The same for a log that is open already, read from where it stands.
BERTH_EXPORT BerthStatus berthProofCheckStream(const BerthProblemData *problem,
                                               FILE *stream,
                                               BerthRefuted refuted,
                                               void *userData,
                                               BerthError *error);

BERTH_EXTERN_C_END

#endif // BERTH_C_PROOF_H
