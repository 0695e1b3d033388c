//===- Clusters.h - Bytes that workgroups of a cluster touch -------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A workgroup that has an address in another one's memory (ClusterRoots.h) uses
// it where the program says so, but it may be elsewhere in the program than
// that one, on another branch too. Full barriers of the cluster are all that
// both come to together. So forwards along the stretches it is found which of
// them may have been the last one at each access:
//
//     store X[t]                 last: none
//     cluster.arrive, wait  A
//     load mapa(X)[t]            last: A
//     cluster.arrive, wait  B
//     store Y[t]                 last: B. Y may have bytes of X
//
// Two accesses with a common last barrier may happen at the same time. And from
// the first phase in which X is accessed to the last one that may follow, its
// content may be wanted by anybody. So nobody else has its bytes in any of
// these, whoever wants what.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_THREADS_CLUSTERS_H
#define BERTH_LIB_IR_VERIFY_THREADS_CLUSTERS_H

#include "IR/Verify/Threads/ThreadGraph.h"

/// Told of an access that may come while others use its bytes through a buffer
/// of the cluster, and of an access of that, both by their numbers.
typedef void (*BerthClusterCallback)(size_t access, size_t ofCluster,
                                     void *userData);

void berthVerifyClusters(const BerthViews *views, const BerthStretches *code,
                         BerthClusterCallback callback, void *userData);

#endif // BERTH_LIB_IR_VERIFY_THREADS_CLUSTERS_H
