//===- Tree.h - Replaying a tree of one pool ----------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_PROOFCHECK_TREE_H
#define BERTH_LIB_PACK_PROOFCHECK_TREE_H

#include "Pack/ProofCheck/ProofChecker.h"

/// Checks a tree of one pool, from the line that follows on: no plan of the
/// state's boxes is below its height.
BerthStatus berthReplayCheckTree(BerthProofChecker *checker);

#endif // BERTH_LIB_PACK_PROOFCHECK_TREE_H
