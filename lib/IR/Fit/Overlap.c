//===- Overlap.c - Moves of content beside other ops ----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Windows are planned while all moves are copies, so that points of the scope
// tell what stands where; then each copy becomes a start and a wait around its
// place, which a constant marks as long as windows may still change.
//
//===----------------------------------------------------------------------===//

#include "IR/Fit/Overlap.h"
#include "IR/Fit/FitMarks.h"
#include "IR/Fit/OverlapMoves.h"
#include "IR/Fit/OverlapWindows.h"
#include "IR/Fit/Transfer.h"
#include "IR/Ops/Attributes.h"
#include "IR/Scope/ScopeKind.h"

#include <stdlib.h>

BerthFitOverlap berthFitPlanOverlap(const BerthFitRoom *rooms,
                                    size_t numRooms) {
  BerthFitOverlap overlap = {0};
  BerthFitOverlapPlan planner = {.overlap = &overlap};
  berthFitFindLoads(&planner, rooms, numRooms);
  berthFitFindTransfers(&planner);
  berthFitPlanWindows(&planner);
  berthPointerMapFree(&planner.transferOf);
  return overlap;
}

//===----------------------------------------------------------------------===//
// Starts and waits
//===----------------------------------------------------------------------===//

/// The op that has the mark of the move.
static MlirOperation markedOp(const BerthFitTransfer *transfer) {
  return mlirOperationIsNull(transfer->wait) ? transfer->start : transfer->wait;
}

/// A start has no marks: MLIR would not read what it prints of one. To its wait
/// operand 0 is what the start reads.
static void mark(const BerthFitTransfer *transfer) {
  MlirOperation op = markedOp(transfer);
  berthSetAttribute(op, transfer->mark,
                    berthAttributeOf(transfer->copy, transfer->mark));
  MlirAttribute read = berthAttributeOf(transfer->copy, BERTH_CONTENT_READ);
  if (!mlirAttributeIsNull(read))
    berthSetAttribute(op, BERTH_CONTENT_READ, read);
  MlirAttribute copied = berthAttributeOf(transfer->copy, BERTH_CONTENT_COPIED);
  if (!mlirAttributeIsNull(copied))
    berthSetAttribute(transfer->marker, BERTH_CONTENT_COPIED, copied);
}

static void build(BerthFitTransfer *transfer, MlirAttribute tagSpace) {
  MlirOperation copy = transfer->copy;
  BerthInsertPoint at = berthInsertBefore(copy);
  transfer->marker = mlirOpResultGetOwner(berthBuildIndex(at, 0));
  BerthFitBegun begun =
      berthFitBuildTransfer(transfer->level, at, berthEnclosingScope(copy),
                            transfer->from, transfer->to, tagSpace);
  transfer->start = begun.start;
  transfer->wait = begun.wait;
  mark(transfer);
}

/// What stands where an op stood that may have been a copy.
static MlirOperation standIn(const BerthPointerMap *markerOf,
                             MlirOperation op) {
  size_t marker = berthPointerMapFind(markerOf, op.ptr);
  return marker == BERTH_NOT_FOUND ? op : (MlirOperation){(void *)marker};
}

void berthFitPlaceTransfers(BerthFitOverlap *overlap, int part, int parts,
                            MlirAttribute tagSpace) {
  BerthPointerMap markerOf = {0};
  for (size_t i = 0; i < overlap->count; ++i) {
    BerthFitTransfer *transfer = &overlap->transfers[i];
    if (mlirOperationIsNull(transfer->copy))
      continue;
    build(transfer, tagSpace);
    berthPointerMapInsert(&markerOf, transfer->copy.ptr,
                          (size_t)transfer->marker.ptr);
  }
  for (size_t i = 0; i < overlap->count; ++i) {
    BerthFitTransfer *transfer = &overlap->transfers[i];
    for (size_t k = 0; k < transfer->numAbove; ++k)
      transfer->above[k] = standIn(&markerOf, transfer->above[k]);
    for (size_t k = 0; k < transfer->numBelow; ++k)
      transfer->below[k] = standIn(&markerOf, transfer->below[k]);
    if (!mlirOperationIsNull(transfer->copy))
      mlirOperationDestroy(transfer->copy);
    transfer->copy = (MlirOperation){NULL};
  }
  berthPointerMapFree(&markerOf);
  for (size_t i = 0; i < overlap->count; ++i) {
    BerthFitTransfer *transfer = &overlap->transfers[i];
    size_t above = transfer->nowAbove =
        transfer->numAbove * (size_t)part / (size_t)parts;
    size_t below = transfer->nowBelow =
        transfer->numBelow * (size_t)part / (size_t)parts;
    bool isAtMark = !above && !mlirAttributeIsNull(berthAttributeOf(
                                  transfer->marker, BERTH_CONTENT_COPIED));
    // Between two ops waits come first, and starts in order.
    if (isAtMark)
      mlirOperationMoveAfter(transfer->start, transfer->marker);
    else
      mlirOperationMoveBefore(transfer->start, above
                                                   ? transfer->above[above - 1]
                                                   : transfer->marker);
    if (!mlirOperationIsNull(transfer->wait))
      mlirOperationMoveAfter(transfer->wait, below ? transfer->below[below - 1]
                                             : isAtMark ? transfer->start
                                                        : transfer->marker);
    if (!mlirOperationIsNull(transfer->made))
      mlirOperationMoveBefore(transfer->made, transfer->start);
    if (!mlirOperationIsNull(transfer->freed))
      mlirOperationMoveAfter(transfer->freed, markedOp(transfer));
  }
}

size_t berthFitCountAwaited(const BerthFitOverlap *overlap) {
  size_t count = 0;
  for (size_t i = 0; i < overlap->count; ++i)
    count += berthFitIsAwaited(overlap->transfers[i].level);
  return count;
}

size_t berthFitCountBeside(const BerthFitOverlap *overlap) {
  size_t count = 0;
  for (size_t i = 0; i < overlap->count; ++i)
    count +=
        overlap->transfers[i].nowAbove + overlap->transfers[i].nowBelow > 0;
  return count;
}

/// The mark of where the source has the content stands in front of the start.
static void moveCopied(const BerthFitTransfer *transfer) {
  MlirOperation from = transfer->above[transfer->numAbove - 1];
  MlirAttribute number = berthAttributeOf(markedOp(transfer), transfer->mark);
  berthFitRemoveNumber(from, BERTH_CONTENT_COPIED, number);
  berthSetAttribute(
      transfer->made, BERTH_CONTENT_COPIED,
      mlirArrayAttrGet(mlirOperationGetContext(from), 1, &number));
}

void berthFitOverlapFree(BerthFitOverlap *overlap) {
  for (size_t i = 0; i < overlap->count; ++i) {
    BerthFitTransfer *transfer = &overlap->transfers[i];
    if (transfer->isCopiedThere && transfer->nowAbove == transfer->numAbove)
      moveCopied(transfer);
  }
  for (size_t i = 0; i < overlap->count; ++i) {
    BerthFitTransfer *transfer = &overlap->transfers[i];
    if (!mlirOperationIsNull(transfer->marker))
      berthFitDestroy(transfer->marker);
    berthPointerMapFree(&transfer->users);
  }
  free(overlap->transfers);
  berthMemoryFree(&overlap->memory);
  *overlap = (BerthFitOverlap){0};
}
