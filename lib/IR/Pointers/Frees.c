//===- Frees.c - Deallocations of placed buffers --------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The deallocations of a placed buffer are erased with it. One of an alias may
// be none of the buffer's: a bufferization.clone may or may not copy, so that
// its result is an alias, but has memory of its own to free.
//
// Erasing is safe only if the op does nothing else (memref.dealloc) and if
// whatever it may free is placed too: a dealloc of `select %c, %a, %b` goes
// only if both are. Rejecting one buffer can make the dealloc of another stay,
// so this runs to a fixpoint.
//
//===----------------------------------------------------------------------===//

#include "IR/Pointers/Frees.h"
#include "IR/Ops/BranchOperands.h"
#include "IR/Ops/Dealloc.h"
#include "IR/Ops/DropMemRef.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/Worklist.h"

/// The values that may flow into one value, found by walking backwards.
typedef struct Sources {
  BerthWorklist list;
  const BerthScope *scope;
  MlirValue wanted; ///< whose feeders the edge callbacks look for
  MlirValue buffer; ///< the one asked for, if any
  bool isFound;     ///< it is among the sources
  bool isUnknown;   ///< so may be anything
  bool allPlaced;   ///< all allocations among them are
} Sources;

static void addFromEdge(const BerthRegionEdge *edge, void *userData) {
  Sources *sources = userData;
  for (intptr_t i = 0; i < edge->numValues; ++i)
    if (mlirValueEqual(edge->received[i], sources->wanted))
      berthWorklistPush(&sources->list, edge->forwarded[i]);
}

static void addFromBranch(MlirValue forwarded, MlirValue received,
                          void *userData) {
  Sources *sources = userData;
  if (!mlirValueEqual(received, sources->wanted))
    return;
  if (mlirValueIsNull(forwarded))
    sources->isUnknown = true;
  else
    berthWorklistPush(&sources->list, forwarded);
}

static void addFromArgument(Sources *sources, MlirValue argument) {
  MlirBlock block = mlirBlockArgumentGetOwner(argument);
  MlirBlock entry = mlirRegionGetFirstBlock(mlirBlockGetParentRegion(block));
  if (!mlirBlockEqual(block, entry)) {
    if (!berthBlockGetIncoming(block, addFromBranch, sources))
      sources->isUnknown = true;
    return;
  }
  MlirOperation parent = mlirBlockGetParentOperation(block);
  bool isScope = mlirOperationEqual(parent, sources->scope->op);
  if (isScope || !berthOpGetRegionEdges(parent, addFromEdge, sources))
    sources->isUnknown = true;
}

/// An op result: an allocation of this scope, or something that passes values
/// on. What cannot be seen through is not ours.
static void addFromResult(Sources *sources, MlirValue result) {
  for (size_t i = 0; i < sources->scope->numBuffers; ++i)
    if (mlirValueEqual(sources->scope->buffers[i].value, result)) {
      sources->allPlaced &= !sources->scope->buffers[i].reason;
      sources->isFound |= mlirValueEqual(result, sources->buffer);
      return;
    }
  MlirOperation op = mlirOpResultGetOwner(result);
  MlirValue viewed = berthViewGetSource(op);
  if (!mlirValueIsNull(viewed)) {
    berthWorklistPush(&sources->list, viewed);
  } else if (berthOpIsRegionBranch(op)) {
    berthOpGetRegionEdges(op, addFromEdge, sources);
  } else if (!berthWorklistPushChosen(&sources->list, op)) {
    sources->isUnknown = true;
  }
}

static Sources findSources(const BerthScope *scope, MlirValue value,
                           MlirValue buffer) {
  Sources sources = {.scope = scope, .buffer = buffer, .allPlaced = true};
  berthWorklistPush(&sources.list, value);
  while (sources.list.numPending && !sources.isUnknown) {
    sources.wanted = berthWorklistPop(&sources.list);
    if (mlirValueIsABlockArgument(sources.wanted))
      addFromArgument(&sources, sources.wanted);
    else
      addFromResult(&sources, sources.wanted);
  }
  berthWorklistFree(&sources.list);
  return sources;
}

bool berthPointsToPlacedOnly(const BerthScope *scope, MlirValue value) {
  Sources sources = findSources(scope, value, (MlirValue){NULL});
  return sources.allPlaced && !sources.isUnknown;
}

static bool isAliasOf(const BerthBufferInfo *buffer, MlirValue value) {
  for (size_t i = 0; i < buffer->numAliases; ++i)
    if (mlirValueEqual(buffer->aliases[i], value))
      return true;
  return false;
}

/// How many operands a described op frees; -1 if it does anything else, or may
/// still be at work when somebody has the bytes.
static intptr_t numFreedByDescribed(MlirOperation op) {
  intptr_t count = mlirOperationGetNumOperands(op), numFreed = 0;
  for (intptr_t i = 0; i < count; ++i) {
    BerthOperandRole role = berthOpGetRole(op, i);
    numFreed += role == BERTH_OPERAND_FREED;
    if (role != BERTH_OPERAND_FREED && role != BERTH_OPERAND_OTHER)
      return -1;
  }
  bool doesMore = mlirOperationGetNumResults(op) ||
                  mlirOperationGetNumRegions(op) || berthOpGetUnit(op) ||
                  berthOpIsMeeting(op) ||
                  berthOpStartsAsync(op, BERTH_ASYNC_WORK);
  return doesMore || !numFreed ? -1 : numFreed;
}

static intptr_t numFreedBy(MlirOperation op) {
  if (berthOpIsFree(op))
    return 1;
  return berthOpIsDescribed(op) ? numFreedByDescribed(op)
                                : berthDeallocNumMemRefs(op);
}

/// Operand number `i` of those that the op frees.
static MlirValue freedBy(MlirOperation op, intptr_t i) {
  if (berthOpIsDescribed(op) && !berthOpIsFree(op)) {
    intptr_t operand = -1;
    for (; i >= 0; --i)
      do
        ++operand;
      while (berthOpGetRole(op, operand) != BERTH_OPERAND_FREED);
    return mlirOperationGetOperand(op, operand);
  }
  return mlirOperationGetOperand(
      op, berthOpIsFree(op) ? mlirOperationGetNumOperands(op) - 1 : i);
}

/// False if all memory that the op frees is provably other buffers'.
static bool mayFree(const BerthScope *scope, const BerthBufferInfo *buffer,
                    MlirOperation op) {
  intptr_t numFreed = numFreedBy(op);
  for (intptr_t i = 0; i < numFreed; ++i) {
    Sources sources = findSources(scope, freedBy(op, i), buffer->value);
    if (sources.isFound || sources.isUnknown)
      return true;
  }
  return numFreed <= 0;
}

static void keepOwnFrees(const BerthScope *scope, BerthBufferInfo *buffer) {
  size_t kept = 0;
  for (size_t i = 0; i < buffer->numFrees; ++i)
    if (mayFree(scope, buffer, buffer->frees[i]))
      buffer->frees[kept++] = buffer->frees[i];
  buffer->numFrees = kept;
}

/// Whatever the op frees that may be this buffer must be placed altogether; of
/// a described op, which goes as a whole, all that it frees.
static bool isErasable(const BerthScope *scope, const BerthBufferInfo *buffer,
                       MlirOperation op) {
  intptr_t numFreed = numFreedBy(op);
  bool goesAsWhole = berthOpIsDescribed(op);
  for (intptr_t i = 0; i < numFreed; ++i) {
    MlirValue freed = freedBy(op, i);
    if ((goesAsWhole || isAliasOf(buffer, freed)) &&
        !berthPointsToPlacedOnly(scope, freed))
      return false;
  }
  return numFreed > 0;
}

/// Rejects the buffer if one of its frees must stay; true if that is new.
static bool checkBuffer(const BerthScope *scope, BerthBufferInfo *buffer) {
  if (buffer->reason)
    return false;
  for (size_t i = 0; i < buffer->numFrees; ++i)
    if (!isErasable(scope, buffer, buffer->frees[i])) {
      berthRejectBuffer(buffer, "a deallocation of it cannot be erased",
                        buffer->frees[i]);
      return true;
    }
  return false;
}

void berthCheckFrees(BerthScope *scope) {
  for (size_t i = 0; i < scope->numBuffers; ++i)
    keepOwnFrees(scope, &scope->buffers[i]);
  bool changed = true;
  while (changed) {
    changed = false;
    for (size_t i = 0; i < scope->numBuffers; ++i)
      changed |= checkBuffer(scope, &scope->buffers[i]);
  }
}
