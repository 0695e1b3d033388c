//===- RaceNames.c - What merges may be since an access -------------------===//
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
  return (BerthRaceNames){
      .views = views,
      .code = code,
      .words = berthBitWords(views->firstInstance - views->firstMerge),
      .rows = form.count / form.numHolds};
}

size_t berthRaceNamesWords(const BerthRaceNames *names) {
  return names->rows * names->words;
}

static uint64_t *setOf(const BerthRaceNames *names, uint64_t *sets,
                       size_t row) {
  return sets + row * names->words;
}

static bool isOfMerge(const BerthRaceNames *names, uint32_t root) {
  return names->views->roots[root].mergedFrom != BERTH_NO_ROOT;
}

static size_t bitOf(const BerthRaceNames *names, uint32_t root) {
  return root - names->views->firstMerge;
}

bool berthRaceNamesAreOne(const BerthRaceNames *names, uint32_t a, uint32_t b) {
  return isOfMerge(names, a) && isOfMerge(names, b) &&
         mlirValueEqual(names->views->roots[a].holder,
                        names->views->roots[b].holder);
}

bool berthRaceNamesJoin(const BerthRaceNames *names, uint64_t *into,
                        const uint64_t *from) {
  bool isMore = false;
  for (size_t i = 0; i < berthRaceNamesWords(names); ++i) {
    isMore |= (from[i] & ~into[i]) != 0;
    into[i] |= from[i];
  }
  return isMore;
}

void berthRaceNamesAccess(const BerthRaceNames *names, uint64_t *sets,
                          size_t row, uint32_t root, bool wasPending) {
  uint64_t *set = setOf(names, sets, row);
  if (!wasPending)
    berthRaceNamesForget(names, sets, row);
  for (uint32_t i = (uint32_t)names->views->firstMerge;
       i < names->views->firstInstance; ++i)
    if (i == root || !berthRaceNamesAreOne(names, i, root))
      berthBitSet(set, bitOf(names, i));
}

void berthRaceNamesMove(const BerthRaceNames *names, uint64_t *sets,
                        size_t from, size_t to) {
  for (size_t w = 0; w < names->words; ++w)
    setOf(names, sets, to)[w] |= setOf(names, sets, from)[w];
  berthRaceNamesForget(names, sets, from);
}

void berthRaceNamesForget(const BerthRaceNames *names, uint64_t *sets,
                          size_t row) {
  for (size_t w = 0; w < names->words; ++w)
    setOf(names, sets, row)[w] = 0;
}

uint32_t berthRaceNamesBuffer(const BerthViews *views, uint32_t root) {
  uint32_t from = views->roots[root].mergedFrom;
  return from == BERTH_NO_ROOT ? root : from;
}

/// True if the value may be the buffer: it is a merge that may, or a view of
/// it. Of no value nobody knows.
static bool mayBe(const BerthRaceNames *names, const uint64_t *set,
                  uint32_t buffer, MlirValue value) {
  if (mlirValueIsNull(value))
    return true;
  const BerthRootSet *roots = berthViewsFind(names->views, value);
  for (size_t i = 0; roots && i < roots->count; ++i) {
    uint32_t id = roots->ids[i];
    if (names->views->roots[id].isBase)
      return true;
    if (berthRaceNamesBuffer(names->views, id) == buffer &&
        (!isOfMerge(names, id) || berthBitTest(set, bitOf(names, id))))
      return true;
  }
  return false;
}

void berthRaceNamesHand(const BerthRaceNames *names, uint64_t *sets, size_t row,
                        const BerthThreadEvent *event) {
  const BerthViews *views = names->views;
  const BerthThreadHand *hands = names->code->hands + event->firstHand;
  uint64_t *set = setOf(names, sets, row);
  // All at once: what is handed on may be handed over at the same time.
  uint64_t *before = berthAllocateOrDie(names->words, sizeof *before);
  memcpy(before, set, names->words * sizeof *before);
  for (uint32_t i = (uint32_t)views->firstMerge; i < views->firstInstance;
       ++i) {
    bool isHanded = false, may = false;
    for (size_t k = 0; k < event->numHands; ++k)
      if (mlirValueEqual(hands[k].to, views->roots[i].holder)) {
        isHanded = true;
        may |=
            mayBe(names, before, berthRaceNamesBuffer(views, i), hands[k].from);
      }
    if (isHanded && may)
      berthBitSet(set, bitOf(names, i));
    else if (isHanded)
      berthBitClear(set, bitOf(names, i));
  }
  free(before);
}

bool berthRaceNamesExclude(const BerthRaceNames *names, const uint64_t *sets,
                           size_t row, uint32_t root) {
  return isOfMerge(names, root) &&
         !berthBitTest(sets + row * names->words, bitOf(names, root));
}
