//===- Edges.c - Edges between buffers, edges between items --------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Pack/Task/Edges.h"

#include "Support/Checked.h"

#include <string.h>

bool berthEdgeIsFree(const BerthEdge *edge, const uint8_t *bought) {
  for (size_t i = 0; i < edge->numAlternatives; ++i) {
    bool all = true;
    for (size_t j = 0; j < edge->alternatives[i].numCuts; ++j)
      all &= bought[edge->alternatives[i].cuts[j]] != 0;
    if (all)
      return true;
  }
  return false;
}

// Does their group or do their pins alone make the two share bytes? Then the
// edge between them has to be bought off.
static bool mustShare(const BerthTask *task, uint32_t i, uint32_t j) {
  int64_t a = task->fixedOffsets[i], b = task->fixedOffsets[j];
  if (i == j)
    return true;
  return a != BERTH_NONE && b != BERTH_NONE && a < b + task->sizes[j] &&
         b < a + task->sizes[i];
}

void berthBuyCheapest(const BerthEdge *edge, const BerthCut *cuts,
                      uint8_t *bought) {
  const BerthCutSet *best = NULL;
  int64_t least = INT64_MAX;
  for (size_t i = 0; i < edge->numAlternatives; ++i) {
    const BerthCutSet *set = &edge->alternatives[i];
    int64_t price = 0;
    for (size_t j = 0; j < set->numCuts; ++j)
      if (!bought[set->cuts[j]])
        price = berthAddSaturating(price, cuts[set->cuts[j]].price);
    if (!best || price < least) {
      best = set;
      least = price;
    }
  }
  for (size_t j = 0; best && j < best->numCuts; ++j)
    bought[best->cuts[j]] = 1;
}

// What is bought for a packer that cannot buy: cuts that cost nothing, and what
// pins force. Its other priced edges are hard.
static void buyForced(const BerthProblemData *problem, const uint32_t *itemOf,
                      const BerthTask *task, uint8_t *bought) {
  for (size_t i = 0; i < problem->numCuts; ++i)
    bought[i] = problem->cuts[i].price == 0;
  for (size_t i = 0; i < problem->numEdges; ++i) {
    const BerthEdge *edge = &problem->edges[i];
    if (!berthEdgeIsFree(edge, bought) &&
        mustShare(task, itemOf[edge->first], itemOf[edge->second]))
      berthBuyCheapest(edge, problem->cuts, bought);
  }
}

// Sorts each item's list of partners and drops what is there twice.
static void tidyPartners(uint32_t *begin, uint32_t *partners,
                         uint32_t numItems) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < numItems; ++i) {
    uint32_t from = begin[i], first = kept;
    for (uint32_t at = from; at < begin[i + 1]; ++at) {
      uint32_t partner = partners[at], j = kept;
      while (j > first && partners[j - 1] > partner)
        --j;
      if (j > first && partners[j - 1] == partner)
        continue;
      memmove(partners + j + 1, partners + j, (kept - j) * sizeof *partners);
      partners[j] = partner;
      ++kept;
    }
    begin[i] = first;
  }
  begin[numItems] = kept;
}

// `edges` are between items. Lists them both ways, by item.
static bool fillHardEdges(BerthTask *task, const BerthEdge *edges, size_t count,
                          BerthMemory *arena) {
  uint32_t items = task->numItems;
  uint32_t *begin = BERTH_MEMORY_NEW(arena, uint32_t, items + 1);
  uint32_t *next = BERTH_MEMORY_NEW(arena, uint32_t, items + 1);
  uint32_t *partners = BERTH_MEMORY_NEW(arena, uint32_t, 2 * count);
  if (arena->failed)
    return false;
  for (size_t i = 0; i < count; ++i) {
    ++begin[edges[i].first + 1];
    ++begin[edges[i].second + 1];
  }
  for (uint32_t i = 0; i < items; ++i)
    begin[i + 1] += begin[i];
  memcpy(next, begin, (items + 1) * sizeof *next);
  for (size_t i = 0; i < count; ++i) {
    partners[next[edges[i].first]++] = edges[i].second;
    partners[next[edges[i].second]++] = edges[i].first;
  }
  tidyPartners(begin, partners, items);
  task->hardBegin = begin;
  task->hardEdges = partners;
  return true;
}

const uint8_t *berthReduceEdges(const BerthProblemData *problem,
                                const uint32_t *itemOfBuffer,
                                uint32_t capabilities, BerthMemory *arena,
                                BerthTask *task) {
  size_t count = problem->numEdges, hard = 0, priced = 0;
  bool buys = capabilities & BERTH_CAN_PRICED_EDGES;
  BerthEdge *hards = BERTH_MEMORY_NEW(arena, BerthEdge, count);
  BerthEdge *prices = BERTH_MEMORY_NEW(arena, BerthEdge, count);
  uint8_t *bought = BERTH_MEMORY_NEW(arena, uint8_t, problem->numCuts);
  if (arena->failed)
    return NULL;
  if (!buys)
    buyForced(problem, itemOfBuffer, task, bought);
  for (size_t i = 0; i < count; ++i) {
    BerthEdge edge = problem->edges[i];
    if (berthEdgeIsFree(&edge, bought))
      continue;
    edge.first = itemOfBuffer[edge.first];
    edge.second = itemOfBuffer[edge.second];
    if (edge.numAlternatives && buys)
      prices[priced++] = edge;
    else
      hards[hard++] = edge;
  }
  task->numPricedEdges = (uint32_t)priced;
  task->pricedEdges = prices;
  task->numCuts = (uint32_t)problem->numCuts;
  task->cuts = problem->cuts;
  return fillHardEdges(task, hards, hard, arena) ? bought : NULL;
}
