//===- Proof.h - Checking a proof log ------------------------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A claim that a plan is optimal, or that nothing fits, may rest on a search.
// With BerthPackOptions::proofFile set, the packers exact and auto write the
// tree of that search for plain problems (holes in time, alignments, groups and
// hard edges are fine; pins, windows, reserved bytes, prices and pools are
// not). A claim that rests on the load needs no log, and none is written.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_C_PROOF_H
#define BERTH_C_PROOF_H

#include "berth-c/Pack.h"

BERTH_EXTERN_C_BEGIN

/// Replays the log in `path` against the problem. On success `*refuted` (may be
/// NULL) is the height for which it is proven that no plan has a peak of at
/// most that many bytes. BERTH_INVALID with the line and the reason if a step
/// does not follow, the log is cut short, or the problem is not of its kind.
/// Shares no code with the search that wrote the log.
BERTH_EXPORT BerthStatus berthProofCheck(const BerthProblemData *problem,
                                         const char *path, int64_t *refuted,
                                         BerthError *error);

BERTH_EXTERN_C_END

#endif // BERTH_C_PROOF_H
