//===- RaceNames.c - Which merges hold what an access was to --------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Threads/RaceNames.h"
#include "IR/Ops/OrDie.h"
#include "Support/Bitset.h"

#include <stdlib.h>
#include <string.h>

BerthRaceNames berthRaceNamesOf(const BerthViews *views,
                                const BerthStretches *code,
                                BerthPendingForm form) {
  BerthRaceNames names = {
      .views = views,
      .code = code,
      .numberOf = berthAllocateOrDie(views->numRoots, sizeof(uint32_t)),
      .rows = form.count / form.numHolds};
  for (size_t i = 0; i < views->numRoots; ++i) {
    bool isMerge = views->roots[i].mergedFrom != BERTH_NO_ROOT;
    bool isNext = isMerge && (i == views->firstMerge ||
                              !mlirValueEqual(views->roots[i].holder,
                                              views->roots[i - 1].holder));
    names.numMerges += isNext;
    names.numberOf[i] = isMerge ? (uint32_t)names.numMerges - 1 : BERTH_NO_ROOT;
  }
  names.words = berthBitWords(names.numMerges);
  return names;
}

void berthRaceNamesFree(BerthRaceNames *names) { free(names->numberOf); }

size_t berthRaceNamesWords(const BerthRaceNames *names) {
  return names->rows * names->words;
}

static uint64_t *setOf(const BerthRaceNames *names, uint64_t *sets,
                       size_t row) {
  return sets + row * names->words;
}

void berthRaceNamesClear(uint64_t *sets, size_t words) {
  if (words)
    memset(sets, 0xff, words * sizeof *sets);
}

bool berthRaceNamesJoin(const BerthRaceNames *names, uint64_t *into,
                        const uint64_t *from) {
  bool isLess = false;
  for (size_t i = 0; i < berthRaceNamesWords(names); ++i) {
    isLess |= (into[i] & ~from[i]) != 0;
    into[i] &= from[i];
  }
  return isLess;
}

void berthRaceNamesAccess(const BerthRaceNames *names, uint64_t *sets,
                          size_t row, uint32_t root, bool wasPending) {
  uint64_t *set = setOf(names, sets, row);
  uint32_t merge = names->numberOf[root];
  bool isIn =
      merge != BERTH_NO_ROOT && (!wasPending || berthBitTest(set, merge));
  for (size_t w = 0; w < names->words; ++w)
    set[w] = 0;
  if (isIn)
    berthBitSet(set, merge);
}

void berthRaceNamesMove(const BerthRaceNames *names, uint64_t *sets,
                        size_t from, size_t to) {
  for (size_t w = 0; w < names->words; ++w)
    setOf(names, sets, to)[w] &= setOf(names, sets, from)[w];
  berthRaceNamesForget(names, sets, from);
}

void berthRaceNamesForget(const BerthRaceNames *names, uint64_t *sets,
                          size_t row) {
  berthRaceNamesClear(setOf(names, sets, row), names->words);
}

uint32_t berthRaceNamesBuffer(const BerthViews *views, uint32_t root) {
  uint32_t from = views->roots[root].mergedFrom;
  return from == BERTH_NO_ROOT ? root : from;
}

/// True if the value surely is the buffer: it is of nothing else, or of one
/// merge that is.
static bool isKnown(const BerthRaceNames *names, const uint64_t *set,
                    uint32_t buffer, MlirValue value) {
  const BerthRootSet *roots =
      mlirValueIsNull(value) ? NULL : berthViewsFind(names->views, value);
  if (!roots || roots->count == 0)
    return false;
  uint32_t merge = names->numberOf[roots->ids[0]];
  for (size_t i = 1; i < roots->count; ++i)
    if (merge == BERTH_NO_ROOT || names->numberOf[roots->ids[i]] != merge)
      return false;
  return merge == BERTH_NO_ROOT ? roots->ids[0] == buffer
                                : berthBitTest(set, merge);
}

void berthRaceNamesHand(const BerthRaceNames *names, uint64_t *sets, size_t row,
                        uint32_t root, const BerthThreadEvent *event) {
  uint64_t *set = setOf(names, sets, row);
  uint32_t buffer = berthRaceNamesBuffer(names->views, root);
  const BerthThreadHand *hands = names->code->hands + event->firstHand;
  bool *areKnown = berthAllocateOrDie(event->numHands, sizeof *areKnown);
  // All at once: what is handed on may be handed over at the same time.
  for (size_t i = 0; i < event->numHands; ++i)
    areKnown[i] = isKnown(names, set, buffer, hands[i].from);
  uint32_t *merges = berthAllocateOrDie(event->numHands, sizeof *merges);
  for (size_t i = 0; i < event->numHands; ++i) {
    size_t first = berthPointerMapFind(&names->views->mergeOf, hands[i].to.ptr);
    merges[i] = names->numberOf[first];
    berthBitSet(set, merges[i]);
  }
  for (size_t i = 0; i < event->numHands; ++i)
    if (!areKnown[i])
      berthBitClear(set, merges[i]);
  free(merges);
  free(areKnown);
}

bool berthRaceNamesExclude(const BerthRaceNames *names, const uint64_t *sets,
                           size_t row, uint32_t root) {
  uint32_t merge = names->numberOf[root];
  return merge != BERTH_NO_ROOT &&
         berthBitTest(sets + row * names->words, merge);
}

bool berthRaceNamesAreOne(const BerthRaceNames *names, uint32_t a, uint32_t b) {
  return names->numberOf[a] != BERTH_NO_ROOT &&
         names->numberOf[a] == names->numberOf[b];
}
