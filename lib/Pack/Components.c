//===- Components.c - Parts that never meet ------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Pack/Normalize.h"

// Disjoint sets with path halving; the smaller index is the representative, so
// the outcome does not depend on the order of unions.
static uint32_t find(uint32_t *parent, uint32_t i) {
  while (parent[i] != i) {
    parent[i] = parent[parent[i]];
    i = parent[i];
  }
  return i;
}

static void unite(uint32_t *parent, uint32_t a, uint32_t b) {
  a = find(parent, a);
  b = find(parent, b);
  if (a < b)
    parent[b] = a;
  else
    parent[a] = b;
}

// Unites an item with all sections of a piece. `next` jumps over sections that
// are already one with their successor, so all pieces together are linear.
static void coverPiece(const BerthPiece *piece, uint32_t itemNode,
                       uint32_t *parent, uint32_t *next) {
  uint32_t section = find(next, piece->lower);
  while (section + 1 < piece->upper) {
    unite(parent, section, section + 1);
    next[section] = section + 1;
    section = find(next, section);
  }
  unite(parent, piece->lower, itemNode);
}

static void uniteEdges(const BerthTask *task, uint32_t *parent) {
  const uint32_t base = task->numSections;
  for (uint32_t i = 0; i < task->numItems; ++i)
    for (uint32_t j = task->hardBegin[i]; j < task->hardBegin[i + 1]; ++j)
      unite(parent, base + i, base + task->hardEdges[j]);
  for (uint32_t i = 0; i < task->numPricedEdges; ++i)
    unite(parent, base + task->pricedEdges[i].first,
          base + task->pricedEdges[i].second);
}

uint32_t berthTaskComponents(const BerthTask *task, BerthArena *arena,
                             uint32_t *componentOfItem) {
  size_t nodes = (size_t)task->numSections + task->numItems;
  uint32_t *parent = BERTH_ARENA_NEW(arena, uint32_t, nodes);
  uint32_t *next = BERTH_ARENA_NEW(arena, uint32_t, task->numSections + 1);
  uint32_t *number = BERTH_ARENA_NEW(arena, uint32_t, nodes);
  if (!parent || !next || !number)
    return 0;
  for (uint32_t i = 0; i < nodes; ++i)
    parent[i] = i;
  for (uint32_t i = 0; i <= task->numSections; ++i)
    next[i] = i;
  for (uint32_t i = 0; i < task->numItems; ++i)
    for (uint32_t p = task->pieceBegin[i]; p < task->pieceBegin[i + 1]; ++p)
      coverPiece(&task->pieces[p], task->numSections + i, parent, next);
  uniteEdges(task, parent);
  uint32_t count = 0;
  for (uint32_t i = 0; i < task->numItems; ++i) {
    uint32_t root = find(parent, task->numSections + i);
    if (!number[root])
      number[root] = ++count;
    componentOfItem[i] = number[root] - 1;
  }
  return count;
}
