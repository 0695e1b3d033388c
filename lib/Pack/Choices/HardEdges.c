//===- HardEdges.c - Edges that were not bought off -----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Pack/Choices/HardEdges.h"

#include "Pack/Task/Edges.h"

#include <string.h>

// Inserts `partner` into the ascending list at `list`, unless it is there.
static void insertPartner(uint32_t *list, uint32_t *count, uint32_t partner) {
  uint32_t at = *count;
  for (; at > 0 && list[at - 1] > partner; --at)
    ;
  if (at > 0 && list[at - 1] == partner)
    return;
  memmove(list + at + 1, list + at, (*count - at) * sizeof *list);
  list[at] = partner;
  ++*count;
}

bool berthPinsAllow(const BerthTask *task, const uint64_t *pools,
                    const BerthEdge *edge) {
  int64_t a = task->fixedOffsets[edge->first];
  int64_t b = task->fixedOffsets[edge->second];
  uint64_t first = pools[edge->first], second = pools[edge->second];
  bool onePool = first == second && !(first & (first - 1));
  if (edge->first == edge->second)
    return false;
  return a == BERTH_NONE || b == BERTH_NONE || !onePool ||
         a + task->sizes[edge->first] <= b ||
         b + task->sizes[edge->second] <= a;
}

bool berthHardenEdges(const BerthTask *task, const uint8_t *bought,
                      BerthMemory *arena, BerthTask *rest, BerthClash *clash) {
  uint32_t n = task->numItems;
  size_t most = task->hardBegin[n] + 2 * (size_t)task->numPricedEdges;
  uint32_t *begin = BERTH_MEMORY_NEW(arena, uint32_t, n + 1);
  uint32_t *partners = BERTH_MEMORY_NEW(arena, uint32_t, most + 1);
  *rest = *task;
  *clash = (BerthClash){0};
  if (arena->failed)
    return false;
  for (uint32_t i = 0, at = 0; i < n; ++i) {
    uint32_t count = task->hardBegin[i + 1] - task->hardBegin[i];
    begin[i] = at;
    memcpy(partners + at, task->hardEdges + task->hardBegin[i],
           count * sizeof *partners);
    for (uint32_t e = 0; e < task->numPricedEdges; ++e) {
      const BerthEdge *edge = &task->pricedEdges[e];
      if ((edge->first != i && edge->second != i) ||
          berthEdgeIsFree(edge, bought))
        continue;
      if (!berthPinsAllow(task, task->allowedPools, edge)) {
        clash->edge = edge;
        return false;
      }
      clash->atOdds |= !berthPinsAllow(task, task->poolMasks, edge);
      insertPartner(partners + at, &count,
                    edge->first == i ? edge->second : edge->first);
    }
    begin[i + 1] = at += count;
  }
  rest->hardBegin = begin;
  rest->hardEdges = partners;
  rest->features |= begin[n] ? BERTH_CAN_HARD_EDGES : 0u;
  rest->features &= ~(uint32_t)BERTH_CAN_PRICED_EDGES;
  rest->numPricedEdges = 0;
  return true;
}
