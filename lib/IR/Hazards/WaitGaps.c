//===- WaitGaps.c - Gaps where a new barrier might never open -------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Hazards/WaitGaps.h"
#include "IR/Hazards/HazardPaths.h"
#include "IR/Ops/OrDie.h"
#include "IR/Threads/Waits.h"

#include <stdlib.h>
#include <string.h>

/// Marks the nodes whose ops wait so, or end such a wait. Who calls the scope
/// may do either before and behind it.
static void mark(const BerthHazards *hazards, int kind, bool isSignal,
                 bool *nodes) {
  size_t count = hazards->graph.numNodes;
  memset(nodes, 0, count);
  if (hazards->callersWait)
    nodes[isSignal ? BERTH_SCOPE_EXIT : BERTH_SCOPE_ENTRY] = true;
  for (size_t n = 0; n < count; ++n) {
    const BerthFlowNode *node = &hazards->graph.nodes[n];
    for (uint32_t k = 0; k < node->numStops; ++k) {
      const BerthWait *wait = &hazards->waits[node->firstStop + k];
      nodes[n] |= (isSignal ? wait->signals : wait->waits) & kind;
    }
  }
}

void berthHazardsSpareWaits(BerthHazards *hazards) {
  if (!hazards->waits)
    return;
  size_t count = hazards->graph.numNodes;
  bool *behind = berthAllocateOrDie(count, sizeof *behind);
  bool *before = berthAllocateOrDie(count, sizeof *before);
  for (int kind = BERTH_WAIT_OP; kind <= BERTH_WAIT_MIX; kind *= 2) {
    mark(hazards, kind, false, behind);
    mark(hazards, kind, true, before);
    berthHazardsReach(hazards, NULL, false, behind);
    berthHazardsReach(hazards, NULL, true, before);
    for (size_t n = 0; n < count; ++n)
      if (behind[n] && (before[n] || kind == BERTH_WAIT_MIX))
        hazards->isCuttable[n] = false;
  }
  free(behind);
  free(before);
}
