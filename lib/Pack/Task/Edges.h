//===- Edges.h - Edges between buffers, edges between items -------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_TASK_EDGES_H
#define BERTH_LIB_PACK_TASK_EDGES_H

#include "Pack/Task/Normalize.h"

/// Is one of the edge's alternatives bought? An empty one always is.
bool berthEdgeIsFree(const BerthEdge *edge, const uint8_t *bought);

/// Buys the set of cuts that frees the edge for the least that is still to be
/// paid. `bought`: by cut.
void berthBuyCheapest(const BerthEdge *edge, const BerthCut *cuts,
                      uint8_t *bought);

/// The part of the reduction that deals with edges, once there are items: fills
/// in the task's edges and cuts, and what is bought from the first. False when
/// memory ran out.
bool berthReduceEdges(const BerthProblemData *problem, uint32_t capabilities,
                      BerthArena *arena, BerthReduction *reduction);

#endif // BERTH_LIB_PACK_TASK_EDGES_H
