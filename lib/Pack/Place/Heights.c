//===- Heights.c - The highest top over ranges of sections ---------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Pack/Place/Heights.h"

bool berthHeightsInit(BerthHeights *heights, uint32_t numSections,
                      BerthMemory *arena) {
  size_t nodes = 2 * (size_t)numSections;
  heights->leaves = numSections;
  heights->whole = BERTH_MEMORY_NEW(arena, int64_t, nodes);
  heights->most = BERTH_MEMORY_NEW(arena, int64_t, nodes);
  return heights->whole && heights->most;
}

static void raiseTo(int64_t *height, int64_t least) {
  *height = least > *height ? least : *height;
}

static void raiseNode(BerthHeights *heights, size_t node, int64_t height) {
  raiseTo(&heights->whole[node], height);
  raiseTo(&heights->most[node], height);
}

// All nodes above a leaf hear of it.
static void tellAbove(BerthHeights *heights, size_t leaf, int64_t height) {
  for (size_t node = leaf / 2; node > 0; node /= 2)
    raiseTo(&heights->most[node], height);
}

void berthHeightsRaise(BerthHeights *heights, uint32_t lower, uint32_t upper,
                       int64_t height) {
  size_t from = (size_t)heights->leaves + lower;
  size_t to = (size_t)heights->leaves + upper;
  tellAbove(heights, from, height);
  tellAbove(heights, to - 1, height);
  for (; from < to; from /= 2, to /= 2) {
    if (from % 2)
      raiseNode(heights, from++, height);
    if (to % 2)
      raiseNode(heights, --to, height);
  }
}

int64_t berthHeightsMost(const BerthHeights *heights, uint32_t lower,
                         uint32_t upper) {
  size_t from = (size_t)heights->leaves + lower;
  size_t to = (size_t)heights->leaves + upper;
  int64_t most = 0;
  for (size_t node = from; node > 0; node /= 2)
    raiseTo(&most, heights->whole[node]);
  for (size_t node = to - 1; node > 0; node /= 2)
    raiseTo(&most, heights->whole[node]);
  for (; from < to; from /= 2, to /= 2) {
    if (from % 2)
      raiseTo(&most, heights->most[from++]);
    if (to % 2)
      raiseTo(&most, heights->most[--to]);
  }
  return most;
}
