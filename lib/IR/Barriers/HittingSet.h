//===- HittingSet.h - A cheapest set that hits given sets ----------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_BARRIERS_HITTINGSET_H
#define BERTH_LIB_IR_BARRIERS_HITTINGSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Sets of elements 0, 1, ... with prices. Zero-initialised but for the first
/// two fields it is a collection of no sets.
typedef struct BerthHitting {
  size_t numElements;
  const int64_t *prices; ///< per element, > 0
  // the sets, one behind the other
  uint32_t *members;
  size_t numMembers, memberCapacity;
  size_t *begin; ///< numSets + 1 positions in `members`
  size_t numSets, setCapacity;
} BerthHitting;

/// Copies one set, not empty. Of equally cheap answers the one whose elements
/// come first in their sets is preferred.
void berthHittingAdd(BerthHitting *hitting, const uint32_t *members,
                     size_t count);
void berthHittingFree(BerthHitting *hitting);

/// Sets chosen[e] for the elements of a cheapest set that has a member of each
/// set. False if the search was given up: then it hits, but may be too dear.
bool berthHittingSolve(const BerthHitting *hitting, bool *chosen);

#endif // BERTH_LIB_IR_BARRIERS_HITTINGSET_H
