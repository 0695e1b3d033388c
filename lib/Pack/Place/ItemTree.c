//===- ItemTree.c - The best item within some sections -------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Pack/Place/ItemTree.h"

#include <string.h>

bool berthItemTreeInit(BerthItemTree *tree, uint32_t numItems,
                       BerthMemory *arena) {
  tree->leaves = 1;
  while (tree->leaves < numItems)
    tree->leaves *= 2;
  tree->nodes =
      BERTH_MEMORY_NEW(arena, BerthItemNode, 2 * (size_t)tree->leaves);
  tree->work = 0;
  return tree->nodes != NULL;
}

static BerthItemNode join(BerthItemNode a, BerthItemNode b) {
  return (BerthItemNode){a.best < b.best ? a.best : b.best,
                         a.minUpper < b.minUpper ? a.minUpper : b.minUpper,
                         a.maxUpper > b.maxUpper ? a.maxUpper : b.maxUpper};
}

void berthItemTreeBuild(BerthItemTree *tree) {
  BerthItemNode *nodes = tree->nodes;
  for (uint32_t node = tree->leaves; node-- > 1;)
    nodes[node] = join(nodes[2 * node], nodes[2 * node + 1]);
}

void berthItemTreeRemove(BerthItemTree *tree, uint32_t position) {
  BerthItemNode *nodes = tree->nodes;
  uint32_t node = tree->leaves + position;
  berthItemTreeClear(tree, position);
  while (node /= 2) {
    BerthItemNode joined = join(nodes[2 * node], nodes[2 * node + 1]);
    if (memcmp(&joined, &nodes[node], sizeof joined) == 0)
      break;
    nodes[node] = joined;
  }
}

/// Items that end after `above` and at `upper` at the latest.
typedef struct Query {
  uint32_t above;
  uint32_t upper;
  uint32_t best; ///< rank found so far
} Query;

static bool mayHelp(const BerthItemNode *node, const Query *query) {
  return node->best < query->best && node->minUpper <= query->upper &&
         node->maxUpper > query->above;
}

static void descend(BerthItemTree *tree, uint32_t node, Query *query) {
  const BerthItemNode *nodes = tree->nodes;
  while (mayHelp(&nodes[node], query)) {
    ++tree->work;
    if (node >= tree->leaves) {
      query->best = nodes[node].best;
      return;
    }
    uint32_t left = 2 * node, right = left + 1;
    bool leftFirst = nodes[left].best < nodes[right].best;
    descend(tree, leftFirst ? left : right, query);
    node = leftFirst ? right : left;
  }
}

uint32_t berthItemTreeFind(BerthItemTree *tree, uint32_t from, uint32_t to,
                           uint32_t above, uint32_t upper) {
  Query query = {above, upper, UINT32_MAX};
  from += tree->leaves;
  to += tree->leaves;
  for (; from < to; from /= 2, to /= 2) {
    ++tree->work;
    if (from % 2)
      descend(tree, from++, &query);
    if (to % 2)
      descend(tree, --to, &query);
  }
  return query.best;
}
