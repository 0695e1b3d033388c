//===- Pools.h - Replaying choices of pools ------------------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_PROOFCHECK_POOLS_H
#define BERTH_LIB_PACK_PROOFCHECK_POOLS_H

#include "Pack/ProofCheck/ProofChecker.h"

/// Checks a tree of choices of pools, from the line that follows on: the
/// refutation at hand holds with the cuts of the case.
BerthStatus berthReplayCheckPools(BerthProofChecker *checker);

/// Finds out which pools the boxes may live in. False when memory ran out.
bool berthReplayInitPools(BerthProofChecker *checker);
void berthReplayFreePools(BerthProofChecker *checker);

#endif // BERTH_LIB_PACK_PROOFCHECK_POOLS_H
