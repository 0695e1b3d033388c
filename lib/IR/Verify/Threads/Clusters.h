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
// Two accesses with a common last barrier may happen at the same time. And
// behind a barrier in front of which X may have been accessed and behind which
// it may be, without being made anew in between, its content may be wanted by
// anybody. So nobody else has its bytes in any of these phases, whoever wants
// what. One that is made in a loop has to be so behind a barrier that follows
// all accesses to its last instance: it is made where all of the cluster come
// to, in the same order as to the barriers (ClusterRoots.h).
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
