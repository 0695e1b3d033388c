//===- Edges.h - Edges between buffers, edges between items -------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_TASK_EDGES_H
#define BERTH_LIB_PACK_TASK_EDGES_H

#include "Support/BumpMemory.h"
#include "berth-c/Packer.h"

/// Is one of the edge's alternatives bought? An empty one always is.
bool berthEdgeIsFree(const BerthEdge *edge, const uint8_t *bought);

/// Buys the set of cuts that frees the edge for the least that is still to be
/// paid. `bought`: by cut.
void berthBuyCheapest(const BerthEdge *edge, const BerthCut *cuts,
                      uint8_t *bought);

/// The part of the reduction that deals with edges, once there are items: fills
/// in the task's edges and cuts. What is bought from the first, by cut, or NULL
/// when memory ran out.
const uint8_t *berthReduceEdges(const BerthProblemData *problem,
                                const uint32_t *itemOfBuffer,
                                uint32_t capabilities, BerthMemory *arena,
                                BerthTask *task);

#endif // BERTH_LIB_PACK_TASK_EDGES_H
