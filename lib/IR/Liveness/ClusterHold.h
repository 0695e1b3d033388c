//===- ClusterHold.h - Buffers that a whole cluster reaches --------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// An address that nvvm.mapa made leads into the memory of another workgroup.
// Where that one is meanwhile, no path in the program tells: it runs the same
// code ahead or behind, and may take another branch. Only full barriers of the
// cluster cut the run into phases in which all its workgroups are together:
//
//     X[tid] = a              phase 0
//     cluster.arrive, wait
//     b = mapa(X)[tid]        phase 1    of another workgroup's X
//     cluster.arrive, wait
//     Y[tid] = b              phase 2    nobody is at X any more
//
// If all workgroups come to all such barriers, they are in the same phase at
// the same time. A buffer whose address goes nowhere but to mapa is then held
// in the phases of its accesses, by whatever address, and in all that may lie
// between two of them: all points of the program that may be passed in one of
// these. What is not live or touched at any of them may share its bytes.
//
//   - All workgroups come if every wait for the cluster depends on nothing but
//     what they agree on (Uniformity.h), and nothing that nobody looks into,
//     a call or text, might wait too. A wait that is not right behind an
//     arrival which brings all that was done before begins no phase.
//   - Only in kernels, of buffers that ops use while they run: nothing
//     asynchronous, no token. One that a loop allocates is held from phase to
//     phase as long as its instance is (ClusterSpan.h).
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_LIVENESS_CLUSTERHOLD_H
#define BERTH_LIB_IR_LIVENESS_CLUSTERHOLD_H

#include "IR/Scope/Points.h"
#include "IR/Scope/Scope.h"

/// Cuts the live range of each buffer that other workgroups reach to these
/// phases, behind whatever else tells live ranges, unless barriers do not
/// count. One that is allocated again while others may use it is not placed.
void berthScopeHoldClusters(BerthScope *scope, const BerthPoints *points,
                            bool haveBarriers, const char *breakRule);

/// True if all that uses the buffer is done with it when its op is, and whom
/// its address goes to a barrier of the cluster holds: it may share bytes with
/// such a buffer.
bool berthBufferEndsWithOps(const BerthBufferInfo *buffer);

#endif // BERTH_LIB_IR_LIVENESS_CLUSTERHOLD_H
