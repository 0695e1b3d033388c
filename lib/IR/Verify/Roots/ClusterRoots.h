//===- ClusterRoots.h - Buffers that a whole cluster reaches ------- C ----===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where an address has gone to other workgroups of the cluster (nvvm.mapa),
// these use the buffer as the program says, but they may be elsewhere in it.
// Full barriers of the cluster end that if all workgroups come to all waits of
// the kernel, and nothing in it may wait unseen. Such a buffer is made where
// all of them come to; each op that is given its address ends with what it
// does, and hands it to nobody but its results. Which of its bytes others may
// have is for Clusters.h to say.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_ROOTS_CLUSTERROOTS_H
#define BERTH_LIB_IR_VERIFY_ROOTS_CLUSTERROOTS_H

#include "IR/Verify/Roots/Views.h"

/// Fills in `isOfCluster` of all roots of the scope.
void berthFindClusterRoots(BerthViews *views, MlirOperation scope,
                           const BerthVerifyOptions *options);

#endif // BERTH_LIB_IR_VERIFY_ROOTS_CLUSTERROOTS_H
