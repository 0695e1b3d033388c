//===- SearchState.c - The state of an exact search ----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Pack/Search/SearchState.h"

//===---------------------------------------------------------------------===//
// Scores
//===---------------------------------------------------------------------===//

// The section with the largest score is worked on next.
static double scoreOf(const BerthSearch *search, uint32_t section) {
  double slack = (double)(search->capacity - search->stacks[section]);
  if (!search->remaining[section])
    return -1;
  // A section that overflows is about to be undone; its score is of no use.
  return slack < 0 ? 0 : search->weights[section] / (slack + 1);
}

void berthSearchScore(BerthSearch *search, uint32_t section) {
  double *scores = search->scores;
  uint32_t node = search->scoreLeaves + section;
  scores[node] = scoreOf(search, section);
  while (node /= 2) {
    double left = scores[2 * node], right = scores[2 * node + 1];
    double best = left > right ? left : right;
    if (scores[node] == best)
      break;
    scores[node] = best;
  }
}

//===---------------------------------------------------------------------===//
// What is left
//===---------------------------------------------------------------------===//

static void countLeft(BerthSearch *search, uint32_t section, uint32_t change) {
  uint32_t before = search->remaining[section];
  uint32_t after = search->remaining[section] = before + change;
  if (before && after)
    return;
  if (after)
    berthOrderedSetInsert(&search->live, section);
  else
    berthOrderedSetErase(&search->live, section);
  berthSearchScore(search, section);
}

static void countCrossing(BerthSearch *search, uint32_t section,
                          uint32_t change) {
  uint32_t before = search->crossing[section];
  uint32_t after = search->crossing[section] = before + change;
  if (!after)
    berthOrderedSetInsert(&search->borders, section);
  else if (!before)
    berthOrderedSetErase(&search->borders, section);
}

void berthSearchCount(BerthSearch *search, uint32_t item, uint32_t change) {
  for (uint32_t k = search->sectionBegin[item];
       k < search->sectionBegin[item + 1]; ++k)
    countLeft(search, search->sections[k], change);
  for (uint32_t s = search->lowers[item] + 1; s < search->uppers[item]; ++s)
    countCrossing(search, s, change);
}

//===---------------------------------------------------------------------===//
// Undo
//===---------------------------------------------------------------------===//

// Everything goes back to what it was at the mark, when nothing was dirty.
void berthSearchUndo(BerthSearch *search, BerthSearchMark mark) {
  while (search->numDirty)
    search->sectionDirty[search->dirtySections[--search->numDirty]] = false;
  while (search->numPlaced > mark.placed) {
    uint32_t item = search->placedItems[--search->numPlaced];
    search->placed[item] = false;
    berthSearchNoteSkipped(search, item);
    berthSearchCount(search, item, 1);
  }
  while (search->trailCount > mark.trail) {
    const BerthTrailEntry *entry = &search->trail[--search->trailCount];
    search->minimums[entry->item] = entry->minimum;
    search->bases[entry->item] = entry->base;
    berthSearchNoteSkipped(search, entry->item);
  }
  while (search->stackCount > mark.stacks) {
    const BerthStackEntry *entry = &search->stackTrail[--search->stackCount];
    search->stacks[entry->section] = entry->stack;
    berthSearchScore(search, entry->section);
  }
}
