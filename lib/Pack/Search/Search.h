//===- Search.h - Exact search ------------------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Does this problem fit below this height? A complete search for problems whose
// conflicts are all of the plain kind: two items that meet must not overlap at
// all (holes in time, alignments, pins, reserved bytes and hard edges are fine;
// windows are not, see Gaps.h).
//
//     bytes ^                  Any plan can be pushed down until each item
//           |      +---+       rests on the floor or on a *supporter*. So it is
//           |  +---+ c |       enough to look for plans that are stable in this
//           |  | b |   |       sense, built from below. `minimum` is the lowest
//           | ++---+---+       offset an item may still get, `base` the highest
//           | |  a   |         top of what is placed already and meets it.
//           +-+------+--> time
//
// The search goes down to an item that no unplaced neighbour undercuts (it is
// locally lowest) and branches:
//
//   place  at its minimum. Every unplaced neighbour must then lie above: there
//          is no room between its own minimum and this one.
//   skip   it lies higher, so it rests on a neighbour not placed yet: raise its
//          minimum to the lowest top that any of them can have.
//
// An item whose minimum is above its base has been skipped before and may be
// placed only once something placed holds it up.
//
// Pruning, by whichever section overflows: its items stacked in the order of
// their minimums (one machine, release dates) must end below the capacity.
// Parts that no unplaced item joins are solved one by one. When a branch fails,
// the items whose minimums made it fail are collected (`nogood`); a decision
// that touched none of them is not tried the other way (Prosser 1993,
// conflict-directed backjumping). Sections that overflow gain weight, and
// weight draws the search (Boussemart et al. 2004, dom/wdeg; Lecoutre et al.
// 2009, last conflict).
//
// Pinned items are items whose minimum is their offset from the start and that
// may neither be skipped nor rise. They wait for their turn like all others: by
// then what can lie beneath them does. Minimums jump over them. Reserved bytes
// are jumped over too; what has jumped over them rests on them, as if on a
// placed item that meets everything.
//
// The idea of canonical placements and of splitting is Moffitt's (minimalloc,
// ASPLOS 2023); branching on the locally lowest item with place or skip, the
// support rule and the learning are not in it.
//
//   SearchState.c      what is known of items and sections; scores, undo
//   SearchObstacles.c  pins and reserved bytes
//   SearchPropagate.c  consequences of a decision, reasons of a failure
//   SearchRefuted.c    what need not be tried again
//   SearchBranch.c     what to decide next; the recursion
//   Search.c           building the tables, a run
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_SEARCH_SEARCH_H
#define BERTH_LIB_PACK_SEARCH_SEARCH_H

#include "Pack/Incumbent/SpreadCliques.h"
#include "Pack/Search/SearchState.h"

/// Items beyond this number are not searched: tables grow with their square.
enum { kBerthSearchMaxItems = 12000 };
_Static_assert(kBerthSearchMaxItems >> kBerthItemBits == 0, "they fit");

/// Is this a problem for this search?
bool berthSearchCanHandle(const BerthTask *task);

/// Builds the tables. NULL when memory ran out. Cliques that no one section
/// holds, if there are any, act like sections of their own.
BerthSearch *berthSearchCreate(const BerthTask *task, const BerthHost *host,
                               const BerthCliqueList *cliques,
                               BerthMemory *arena);

/// Looks for a plan whose peak is at most `capacity` bytes. Weights live on
/// from run to run, and nothing else does; `seed` varies the ranks a little, 0
/// not at all.
BerthSearchResult berthSearchRun(BerthSearch *search, int64_t capacity,
                                 BerthSearchConfig config, uint64_t seed,
                                 uint64_t failureLimit);

/// After a refutation: no plan has a smaller peak than this, in bytes.
int64_t berthSearchBound(const BerthSearch *search);

/// Writes the offsets of the plan found, in bytes; returns its peak.
int64_t berthSearchOffsets(const BerthSearch *search, int64_t *offsets);

/// Forgets the weights.
void berthSearchForget(BerthSearch *search);

#endif // BERTH_LIB_PACK_SEARCH_SEARCH_H
