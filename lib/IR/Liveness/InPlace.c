//===- InPlace.c - Results written over dying operands --------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Liveness/InPlace.h"

#include <stdlib.h>

typedef struct Grouping {
  BerthScope *scope;
  const BerthPoints *points;
  BerthPointerMap ownerOf; ///< alias that is the whole buffer -> its index
} Grouping;

//===----------------------------------------------------------------------===//
// One op: does it write Y over a dying X?
//===----------------------------------------------------------------------===//

static const BerthSegment *segmentAt(const BerthBufferInfo *buffer,
                                     int64_t point) {
  size_t low = 0, high = buffer->numSegments;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (buffer->segments[middle].upper <= point)
      low = middle + 1;
    else
      high = middle;
  }
  return low < buffer->numSegments && buffer->segments[low].lower <= point
             ? &buffer->segments[low]
             : NULL;
}

/// Its content is needed up to the access and not behind it.
static bool diesAt(const BerthBufferInfo *buffer, const BerthAccess *access) {
  const BerthSegment *segment = segmentAt(buffer, access->lower);
  return segment && segment->upper == access->upper;
}

static bool isAlias(const BerthBufferInfo *buffer, MlirValue value) {
  for (size_t i = 0; i < buffer->numAliases; ++i)
    if (mlirValueEqual(buffer->aliases[i], value))
      return true;
  return false;
}

/// The buffer that the operand is, from its first to its last byte.
static BerthBufferInfo *wholeBuffer(const Grouping *grouping,
                                    MlirValue operand) {
  size_t index = berthPointerMapFind(&grouping->ownerOf, operand.ptr);
  return index == BERTH_NOT_FOUND ? NULL : &grouping->scope->buffers[index];
}

/// Any operand through which the op sees X must see it element for element.
static bool touchesOnlyElementwise(const BerthBufferInfo *x, MlirOperation op,
                                   intptr_t output) {
  intptr_t count = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (!isAlias(x, operand))
      continue;
    bool isFine = berthOpIsCopy(op) || berthOpIsElementwise(op, i, output);
    if (!isFine || !mlirValueEqual(operand, x->value))
      return false;
  }
  return true;
}

/// A dropped copy makes one buffer of two for the verifier, so neither may have
/// a life of its own besides (a read before any write, say).
static bool haveOneLife(const BerthBufferInfo *x, const BerthBufferInfo *y) {
  return x->numSegments == 1 && y->numSegments == 1;
}

/// Y is overwritten through its own value, X is read through its own value.
static bool isInPlace(const BerthBufferInfo *x, const BerthBufferInfo *y,
                      const BerthAccess *access, intptr_t output) {
  const BerthSegment *begin = segmentAt(y, access->lower);
  bool haveBytes = x->size > 0 || x->isDynamic;
  return x != y && x->size == y->size && haveBytes &&
         x->isDynamic == y->isDynamic && x->home == y->home &&
         mlirTypeEqual(mlirValueGetType(x->value),
                       mlirValueGetType(y->value)) &&
         diesAt(x, access) && begin && begin->lower == access->lower &&
         touchesOnlyElementwise(x, access->op, output) &&
         (!berthOpIsCopy(access->op) || haveOneLife(x, y));
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

/// How many points two buffers share.
static int64_t sharedPoints(const BerthBufferInfo *a,
                            const BerthBufferInfo *b) {
  int64_t shared = 0;
  for (size_t i = 0, j = 0; i < a->numSegments && j < b->numSegments;) {
    BerthSegment left = a->segments[i], right = b->segments[j];
    int64_t lower = left.lower > right.lower ? left.lower : right.lower;
    int64_t upper = left.upper < right.upper ? left.upper : right.upper;
    shared += upper > lower ? upper - lower : 0;
    if (left.upper <= right.upper)
      ++i;
    else
      ++j;
  }
  return shared;
}

/// True if b may join a's group: apart from a itself, with which it shares the
/// points of the op only, it meets no member.
static bool mayJoin(const BerthScope *scope, const BerthBufferInfo *a,
                    const BerthBufferInfo *b, const BerthAccess *access) {
  if (sharedPoints(a, b) != access->upper - access->lower)
    return false;
  for (size_t i = 0; a->group != BERTH_NONE && i < scope->numBuffers; ++i) {
    const BerthBufferInfo *member = &scope->buffers[i];
    if (member != a && member->group == a->group && sharedPoints(member, b) > 0)
      return false;
  }
  return true;
}

static void join(Grouping *grouping, BerthBufferInfo *x, BerthBufferInfo *y,
                 MlirOperation op) {
  if (x->group == BERTH_NONE)
    x->group = x - grouping->scope->buffers;
  y->group = x->group;
  y->writtenBy = op;
}

static void tryWrite(Grouping *grouping, BerthBufferInfo *y,
                     const BerthAccess *access) {
  intptr_t count = mlirOperationGetNumOperands(access->op);
  intptr_t output = -1;
  for (intptr_t i = 0; i < count; ++i)
    if (mlirValueEqual(mlirOperationGetOperand(access->op, i), y->value))
      output = i;
  for (intptr_t i = 0; output >= 0 && i < count; ++i) {
    BerthBufferInfo *x =
        wholeBuffer(grouping, mlirOperationGetOperand(access->op, i));
    if (!x || !isInPlace(x, y, access, output) ||
        !mayJoin(grouping->scope, x, y, access))
      continue;
    join(grouping, x, y, access->op);
    return;
  }
}

/// In memory that threads share, elements that one thread has written over are
/// others' operands still.
static bool mayGroup(const BerthJob *job) {
  bool changesCode = job->form != BERTH_ARENA_ANNOTATE;
  return job->options->inPlace && changesCode &&
         !berthScopeIsShared(&job->scope);
}

void berthGroupInPlace(BerthJob *job) {
  if (!mayGroup(job))
    return;
  BerthScope *scope = &job->scope;
  Grouping grouping = {.scope = scope, .points = &job->points};
  for (size_t i = 0; i < scope->numBuffers; ++i)
    if (!scope->buffers[i].reason && !scope->buffers[i].leaks)
      berthPointerMapInsert(&grouping.ownerOf, scope->buffers[i].value.ptr, i);
  for (size_t i = 0; i < scope->numBuffers; ++i) {
    BerthBufferInfo *y = &scope->buffers[i];
    for (size_t k = 0; !y->reason && !y->leaks && k < y->numAccesses; ++k)
      if (y->accesses[k].kills && y->group == BERTH_NONE)
        tryWrite(&grouping, y, &y->accesses[k]);
  }
  berthPointerMapFree(&grouping.ownerOf);
}

bool berthIsDroppableCopy(const BerthBufferInfo *buffer) {
  return !mlirOperationIsNull(buffer->writtenBy) &&
         berthOpIsCopy(buffer->writtenBy);
}

bool berthScopeHasGroups(const BerthScope *scope) {
  for (size_t i = 0; i < scope->numBuffers; ++i)
    if (scope->buffers[i].group != BERTH_NONE && !scope->buffers[i].isDynamic)
      return true;
  return false;
}

void berthScopeUngroup(BerthScope *scope) {
  for (size_t i = 0; i < scope->numBuffers; ++i) {
    if (scope->buffers[i].isDynamic)
      continue;
    scope->buffers[i].group = BERTH_NONE;
    scope->buffers[i].writtenBy = (MlirOperation){NULL};
  }
}
