//===- CheckPins.h - Groups, edges and pins agree ------------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_CHECK_CHECKPINS_H
#define BERTH_LIB_PACK_CHECK_CHECKPINS_H

#include "Pack/Check/Checker.h"

/// Can the members of each group lie at one place? Spreads a group's pin and
/// size to all of them.
BerthStatus berthCheckGroups(BerthChecker *checker);

/// Do edges and cuts name what there is, and do pins honour hard edges?
BerthStatus berthCheckEdges(BerthChecker *checker);

/// Do distances name what there is, and lie within the sizes?
BerthStatus berthCheckDistances(BerthChecker *checker);

/// Pinned buffers are a partial plan; is it a valid one?
BerthStatus berthCheckPins(BerthChecker *checker);

/// Can pinned buffers that leave a choice of pools agree on one?
BerthStatus berthCheckPinPools(BerthChecker *checker);

#endif // BERTH_LIB_PACK_CHECK_CHECKPINS_H
