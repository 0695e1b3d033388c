//===- Unmet.c - What leads to a place past no barrier --------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Cores/Unmet.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Verify/Roots/Called.h"
#include "IR/Verify/Runs/Control.h"

#include <stdlib.h>

/// How much of an op leads there.
enum {
  IS_PASSED = 1, ///< the op; of its regions what is in the map itself
  WITH_NESTED    ///< and all that is in it
};

typedef struct Search {
  BerthUnmet *unmet;
  BerthPointerMap calls; ///< Called.h
  bool order;            ///< barriers end the search
  MlirBlock *blocks;     ///< gone through from their ends
  size_t count, capacity;
} Search;

typedef struct Holder {
  BerthPointerMap *calls;
  bool found;
} Holder;

static MlirWalkResult findMeeting(MlirOperation op, void *userData) {
  Holder *holder = userData;
  holder->found |= berthMeetsInside(holder->calls, op);
  return holder->found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

static bool holdsMeeting(Search *search, MlirOperation op) {
  Holder holder = {&search->calls, false};
  mlirOperationWalk(op, findMeeting, &holder, MlirWalkPreOrder);
  return holder.found;
}

//===----------------------------------------------------------------------===//
// Backwards
//===----------------------------------------------------------------------===//

static void addBlock(Search *search, MlirBlock block) {
  if (!berthPointerMapInsert(&search->unmet->blocks, block.ptr, 1))
    return;
  search->blocks = berthGrow(search->blocks, search->count, &search->capacity,
                             sizeof *search->blocks);
  search->blocks[search->count++] = block;
}

/// The blocks in which control leaves the region.
static void addExits(Search *search, MlirRegion region) {
  for (MlirBlock block = mlirRegionGetFirstBlock(region);
       !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) {
    MlirOperation last = berthBlockGetLast(block);
    if (mlirOperationIsNull(last) || mlirOperationGetNumSuccessors(last) == 0)
      addBlock(search, block);
  }
}

typedef struct Edges {
  Search *search;
  MlirOperation op;
  int to;        ///< whose edges are gone back
  bool fromHere; ///< one comes from in front of the op
} Edges;

static void goBack(const BerthRegionEdge *edge, void *userData) {
  Edges *edges = userData;
  if (edge->to != edges->to)
    return;
  if (edge->from == BERTH_PARENT)
    edges->fromHere = true;
  else
    addExits(edges->search, mlirOperationGetRegion(edges->op, edge->from));
}

/// True if control may also come from in front of the op, which holds regions,
/// to the one with this number, or behind it.
static bool passRegions(Search *search, MlirOperation op, int to) {
  Edges edges = {search, op, to, false};
  berthOpGetRegionEdges(op, goBack, &edges);
  return edges.fromHere;
}

static void enterFrom(Search *search, MlirBlock block);

/// True if control may also come from in front of the op.
static bool passOp(Search *search, MlirOperation op) {
  BerthPointerMap *ops = &search->unmet->ops;
  bool isBarrier = search->order && berthMeetsInside(&search->calls, op);
  bool isSimple = mlirOperationGetNumRegions(op) == 0 ||
                  !berthRunsInSteps(op) || !holdsMeeting(search, op);
  if (!isBarrier || !berthIsOverAtMeeting(&search->calls, op))
    berthPointerMapSet(ops, op.ptr, isSimple ? WITH_NESTED : IS_PASSED);
  return !isBarrier && (isSimple || passRegions(search, op, BERTH_PARENT));
}

/// Goes from in front of `end`, or with null from the end of the block, to its
/// start, to a barrier, or to where somebody has been.
static void passBlock(Search *search, MlirOperation end, MlirBlock block) {
  MlirOperation op = mlirOperationIsNull(end) ? berthBlockGetLast(block)
                                              : berthOpGetPrevious(end);
  bool goesOn = true;
  for (; goesOn && !mlirOperationIsNull(op); op = berthOpGetPrevious(op))
    goesOn =
        berthPointerMapFind(&search->unmet->ops, op.ptr) == BERTH_NOT_FOUND &&
        passOp(search, op);
  if (goesOn)
    enterFrom(search, block);
}

static bool leadsTo(MlirBlock from, MlirBlock to) {
  MlirOperation last = berthBlockGetLast(from);
  intptr_t count =
      mlirOperationIsNull(last) ? 0 : mlirOperationGetNumSuccessors(last);
  for (intptr_t i = 0; i < count; ++i)
    if (mlirBlockEqual(mlirOperationGetSuccessor(last, i), to))
      return true;
  return false;
}

/// Goes on before the start of a block.
static void enterFrom(Search *search, MlirBlock block) {
  MlirRegion region = mlirBlockGetParentRegion(block);
  MlirBlock first = mlirRegionGetFirstBlock(region);
  for (MlirBlock other = first; !mlirBlockIsNull(other);
       other = mlirBlockGetNextInRegion(other))
    if (leadsTo(other, block))
      addBlock(search, other);
  MlirOperation parent = mlirBlockGetParentOperation(block);
  if (!mlirBlockEqual(block, first) ||
      mlirOperationEqual(parent, search->unmet->scope))
    return;
  int number = 0;
  while (!mlirRegionEqual(mlirOperationGetRegion(parent, number), region))
    ++number;
  bool isKnown = berthRunsInSteps(parent);
  if (!isKnown) // any of its regions may have run before, or none
    for (intptr_t i = 0; i < mlirOperationGetNumRegions(parent); ++i)
      addExits(search, mlirOperationGetRegion(parent, i));
  if (!isKnown || passRegions(search, parent, number))
    passBlock(search, parent, mlirOperationGetBlock(parent));
}

BerthUnmet berthUnmetBefore(MlirOperation scope, MlirOperation place,
                            bool order) {
  BerthUnmet unmet = {.scope = scope};
  Search search = {.unmet = &unmet, .order = order};
  if (mlirOperationIsNull(place))
    addExits(&search, mlirOperationGetRegion(scope, 0));
  else
    passBlock(&search, place, mlirOperationGetBlock(place));
  while (search.count)
    passBlock(&search, (MlirOperation){NULL}, search.blocks[--search.count]);
  free(search.blocks);
  berthPointerMapFree(&search.calls);
  return unmet;
}

void berthUnmetFree(BerthUnmet *unmet) {
  berthPointerMapFree(&unmet->ops);
  berthPointerMapFree(&unmet->blocks);
}

bool berthIsUnmet(const BerthUnmet *unmet, MlirOperation op) {
  if (berthPointerMapFind(&unmet->ops, op.ptr) != BERTH_NOT_FOUND)
    return true;
  while (!mlirOperationEqual(op, unmet->scope)) {
    op = mlirOperationGetParentOperation(op);
    if (mlirOperationIsNull(op))
      return false;
    if (berthPointerMapFind(&unmet->ops, op.ptr) == WITH_NESTED)
      return true;
  }
  return false;
}
