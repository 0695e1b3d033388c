//===- CutSets.h - Which sets of cuts may still do ----------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// What cannot be with some cuts bought cannot be with fewer. So of each set
// with which there is no plan a better one has a cut that is not in the set:
//
//     refuted {0,1,2} of {0..4}    ->  3 or 4 is bought
//     refuted {0,3}   of {0..4}    ->  1, 2 or 4 is bought
//
// and the next set to ask about is the cheapest that has one of each, a minimum
// hitting set. Once it has a plan none is cheaper. After Davies and Bacchus,
// *Solving MAXSAT by Solving a Sequence of Simpler SAT Instances* (2011).
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_CHOICES_CUTSETS_H
#define BERTH_LIB_PACK_CHOICES_CUTSETS_H

#include "Support/BumpMemory.h"
#include "berth-c/Packer.h"

/// A set of cuts is a word.
enum { kBerthMaxCuts = 63 };

typedef struct BerthCutSets {
  const BerthTask *task;
  BerthMemory *arena;
  uint64_t all;
  uint64_t free;     ///< what costs nothing is always bought
  uint64_t *refuted; ///< no plan has no other cuts than these
  size_t count;
  size_t room;
} BerthCutSets;

/// The task has no more than kBerthMaxCuts.
BerthCutSets berthCutSetsOf(const BerthTask *task, BerthMemory *arena);

/// False when memory ran out.
bool berthCutSetsRefute(BerthCutSets *sets, uint64_t set);

/// Is it one of them, or a part of one?
bool berthCutSetsHave(const BerthCutSets *sets, uint64_t set);

typedef enum BerthCheapest {
  BERTH_CHEAPEST_FOUND,
  BERTH_CHEAPEST_NONE,    ///< all that cost at most so much are refuted
  BERTH_CHEAPEST_GIVEN_UP ///< it takes too long to tell
} BerthCheapest;

/// The cheapest set that is no part of a refuted one, at a price of at most
/// `most`.
BerthCheapest berthCutSetsCheapest(const BerthCutSets *sets, int64_t most,
                                   uint64_t *set);

/// The set with what can be had besides, cheap ones first, at a price of at
/// most `most`.
uint64_t berthCutSetsFill(const BerthCutSets *sets, uint64_t set, int64_t most);

#endif // BERTH_LIB_PACK_CHOICES_CUTSETS_H
