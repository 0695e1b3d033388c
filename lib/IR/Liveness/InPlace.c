//===- InPlace.c - Results written over dying operands --------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Liveness/InPlace.h"
#include "IR/Liveness/Groups.h"
#include "IR/Liveness/LoopsInPlace.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/PointerMap.h"
#include "IR/Ops/Rules.h"
#include "IR/Scope/Segments.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

typedef struct Grouping {
  BerthScope *scope;
  const BerthPoints *points;
  BerthPointerMap ownerOf; ///< allocated value -> its buffer's index
  bool dropsCopies;        ///< code may change
  bool takesLoops;         ///< the order of ops is that of time
  bool inAnyOrder; ///< a broken rule: whatever is read may be written over
  bool narrows;    ///< elements may become narrower, in the order of the loops
  BerthOverlap *narrowed; ///< buffers that may lie so
  size_t numNarrowed, narrowedCapacity;
  const char *breakRule;
} Grouping;

//===----------------------------------------------------------------------===//
// One op: does it write Y over a dying X?
//===----------------------------------------------------------------------===//

/// Its content is needed up to the access and not behind it.
static bool diesAt(const BerthBufferInfo *buffer, const BerthAccess *access) {
  const BerthSegment *segment = berthSegmentAt(buffer, access->lower);
  return segment && segment->upper == access->upper;
}

static bool isAlias(const BerthBufferInfo *buffer, MlirValue value) {
  for (size_t i = 0; i < buffer->numAliases; ++i)
    if (mlirValueEqual(buffer->aliases[i], value))
      return true;
  return false;
}

/// True for a static shape without layout: as a view of a whole buffer it has
/// the buffer's elements, from the first to the last, in the order of memory.
static bool isDense(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return mlirTypeIsAMemRef(type) && mlirShapedTypeHasStaticShape(type) &&
         mlirAffineMapIsIdentity(mlirMemRefTypeGetAffineMap(type));
}

/// The buffer that the operand is, from its first to its last byte: its own
/// value, or a view of all of it by another shape.
static BerthBufferInfo *wholeBuffer(const Grouping *grouping,
                                    MlirValue operand) {
  enum { kLongestChain = 64 }; // where nobody comes, views may go round
  MlirValue value = operand;
  size_t index, length = 0;
  while ((index = berthPointerMapFind(&grouping->ownerOf, value.ptr)) ==
         BERTH_NOT_FOUND) {
    if (++length > kLongestChain)
      return NULL;
    MlirOperation view = mlirValueIsAOpResult(value)
                             ? mlirOpResultGetOwner(value)
                             : (MlirOperation){NULL};
    if (mlirOperationIsNull(view) || !berthViewIsWhole(view))
      return NULL;
    value = berthViewGetSource(view);
    if (mlirValueIsNull(value))
      return NULL;
  }
  return mlirValueEqual(value, operand) || isDense(operand)
             ? &grouping->scope->buffers[index]
             : NULL;
}

/// A copy goes, so it has to be one from buffer to buffer, byte for byte.
static bool isOwnCopy(const BerthBufferInfo *x, const BerthBufferInfo *y,
                      MlirOperation op) {
  return berthOpIsCopy(op) &&
         mlirTypeEqual(mlirValueGetType(x->value),
                       mlirValueGetType(y->value)) &&
         mlirValueEqual(mlirOperationGetOperand(op, 0), x->value) &&
         mlirValueEqual(mlirOperationGetOperand(op, 1), y->value);
}

/// Any operand through which the op sees X must see it element for element.
static bool touchesOnlyElementwise(const Grouping *grouping,
                                   const BerthBufferInfo *x,
                                   const BerthBufferInfo *y, MlirOperation op,
                                   intptr_t output) {
  intptr_t count = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (!isAlias(x, operand))
      continue;
    bool isFine = isOwnCopy(x, y, op) || berthOpIsElementwise(op, i, output) ||
                  grouping->inAnyOrder;
    if (!isFine || wholeBuffer(grouping, operand) != x)
      return false;
  }
  return true;
}

/// A dropped copy makes one buffer of two for the verifier, so neither may have
/// a life of its own besides (a read before any write, say).
static bool haveOneLife(const BerthBufferInfo *x, const BerthBufferInfo *y) {
  return x->numSegments == 1 && y->numSegments == 1;
}

/// The sizes of two dynamic buffers are equal if one op visits both, element
/// for element, and there is nothing else of either.
static bool haveOneSize(const BerthBufferInfo *x, const BerthBufferInfo *y) {
  if (x->isDynamic || y->isDynamic)
    return x->isDynamic == y->isDynamic && x->home == y->home &&
           mlirTypeEqual(mlirValueGetType(x->value),
                         mlirValueGetType(y->value));
  // Of a foreign layout nobody knows where two elements lie on one byte.
  return x->size == y->size && x->size > 0 && !x->isForeign && !y->isForeign;
}

/// Y is overwritten as a whole, X is read as a whole.
static bool isInPlace(const Grouping *grouping, const BerthBufferInfo *x,
                      const BerthBufferInfo *y, const BerthAccess *access,
                      intptr_t output) {
  const BerthSegment *begin = berthSegmentAt(y, access->lower);
  return x != y && haveOneSize(x, y) && diesAt(x, access) && begin &&
         begin->lower == access->lower &&
         touchesOnlyElementwise(grouping, x, y, access->op, output) &&
         (!berthOpIsCopy(access->op) ||
          (grouping->dropsCopies && haveOneLife(x, y)));
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

/// The two buffers of which one is written over the other.
typedef struct Writing {
  size_t x;
  size_t y;
} Writing;

static bool isWriting(size_t a, size_t b, const void *userData) {
  const Writing *writing = userData;
  return a == writing->x && b == writing->y;
}

/// True if both share the points of the op only, and neither meets any other of
/// those that the other one has an offset with.
static bool mayJoin(const BerthScope *scope, const BerthBufferInfo *x,
                    const BerthBufferInfo *y, const BerthAccess *access) {
  Writing writing = {(size_t)(x - scope->buffers),
                     (size_t)(y - scope->buffers)};
  return sharedPoints(x, y) == access->upper - access->lower &&
         berthMayJoinGroups(scope, writing.x, writing.y, isWriting, &writing);
}

static void tryWrite(Grouping *grouping, BerthBufferInfo *y,
                     const BerthAccess *access) {
  intptr_t count = mlirOperationGetNumOperands(access->op);
  intptr_t output = -1;
  for (intptr_t i = 0; i < count; ++i)
    if (wholeBuffer(grouping, mlirOperationGetOperand(access->op, i)) == y)
      output = i;
  for (intptr_t i = 0; output >= 0 && i < count; ++i) {
    BerthBufferInfo *x =
        wholeBuffer(grouping, mlirOperationGetOperand(access->op, i));
    if (!x || !isInPlace(grouping, x, y, access, output) ||
        !mayJoin(grouping->scope, x, y, access))
      continue;
    berthJoinGroups(grouping->scope, (size_t)(x - grouping->scope->buffers),
                    (size_t)(y - grouping->scope->buffers), access->op);
    return;
  }
}

/// A store in a nest of loops, and how much is still looked at for it.
typedef struct NestSearch {
  Grouping *grouping;
  BerthBufferInfo *y;
  MlirOperation store;
  BerthPointerMap tried; ///< buffers: one that is read often is asked for once
  int opsLeft;
} NestSearch;

/// True if the nest writes Y over X, which it reads.
static bool tryNest(const NestSearch *search, BerthBufferInfo *x) {
  Grouping *grouping = search->grouping;
  Writing writing = {(size_t)(x - grouping->scope->buffers),
                     (size_t)(search->y - grouping->scope->buffers)};
  MlirOperation loop = berthLoopsInPlace(grouping->points, x, search->y,
                                         search->store, grouping->breakRule);
  if (mlirOperationIsNull(loop) ||
      !berthMayJoinGroups(grouping->scope, writing.x, writing.y, isWriting,
                          &writing))
    return false;
  berthJoinGroups(grouping->scope, writing.x, writing.y, loop);
  return true;
}

/// Passes of the affine dialect put loops in another order.
static bool hasAffineLoop(MlirOperation store, MlirOperation nest) {
  for (;; store = mlirOperationGetParentOperation(store)) {
    if (berthOpIsAffine(store))
      return true;
    if (mlirOperationEqual(store, nest))
      return false;
  }
}

/// One offset is no demand then, but a choice: Y may begin ahead of X, too.
static void tryNarrow(const NestSearch *search, const BerthBufferInfo *x) {
  Grouping *grouping = search->grouping;
  const BerthBufferInfo *y = search->y;
  if (x->numGaps || y->numGaps || x->constraints || y->constraints ||
      x->size <= 0 || y->size <= 0)
    return;
  int64_t behind;
  MlirOperation nest = berthLoopsNarrow(grouping->points, x, y, search->store,
                                        grouping->breakRule, &behind);
  if (mlirOperationIsNull(nest) || behind == 0 ||
      hasAffineLoop(search->store, nest) || !berthMayCoincide(x, y))
    return;
  grouping->narrowed =
      berthGrow(grouping->narrowed, grouping->numNarrowed,
                &grouping->narrowedCapacity, sizeof *grouping->narrowed);
  grouping->narrowed[grouping->numNarrowed++] =
      (BerthOverlap){.read = (size_t)(x - grouping->scope->buffers),
                     .written = (size_t)(y - grouping->scope->buffers),
                     .nest = nest,
                     .lower = behind,
                     .upper = x->size};
}

static bool tryBlock(NestSearch *search, MlirBlock block);

/// Of a turn's ops, those in branches too.
static bool tryOp(NestSearch *search, MlirOperation op) {
  if (berthOpIs(op, BERTH_OP_IF)) {
    for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); ++i) {
      MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i));
      if (!mlirBlockIsNull(block) && tryBlock(search, block))
        return true;
    }
    return false;
  }
  MlirValue read = berthReadInTurn(op);
  BerthBufferInfo *x =
      mlirValueIsNull(read) ? NULL : wholeBuffer(search->grouping, read);
  if (!x || x == search->y || !berthPointerMapInsert(&search->tried, x, 1))
    return false;
  if (haveOneSize(x, search->y))
    return tryNest(search, x);
  if (search->grouping->narrows)
    tryNarrow(search, x);
  return false;
}

static bool tryBlock(NestSearch *search, MlirBlock block) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op) && search->opsLeft > 0;
       op = mlirOperationGetNextInBlock(op)) {
    --search->opsLeft;
    if (tryOp(search, op))
      return true;
  }
  return false;
}

/// The same for loops around a store.
static void tryLoops(Grouping *grouping, BerthBufferInfo *y,
                     MlirOperation store) {
  enum { kLongestBody = 4096 };
  NestSearch search = {
      .grouping = grouping, .y = y, .store = store, .opsLeft = kLongestBody};
  tryBlock(&search, berthBodyOfTurn(store));
  berthPointerMapFree(&search.tried);
}

/// The first op or loop that may write it in place.
static void tryBuffer(Grouping *grouping, BerthBufferInfo *y) {
  MlirBlock tried = {NULL};
  for (size_t k = 0; k < y->numAccesses && mlirOperationIsNull(y->writtenBy);
       ++k) {
    const BerthAccess *access = &y->accesses[k];
    if (access->kills)
      tryWrite(grouping, y, access);
    MlirOperation store = berthFirstLoopStore(grouping->points, y, access);
    if (!grouping->takesLoops || mlirOperationIsNull(store) ||
        !mlirOperationIsNull(y->writtenBy) ||
        mlirBlockEqual(berthBodyOfTurn(store), tried))
      continue;
    tryLoops(grouping, y, store);
    tried = berthBodyOfTurn(store);
  }
}

static bool changesCode(const BerthJob *job) {
  return job->form != BERTH_ARENA_ANNOTATE;
}

static bool isOneOrder(const BerthJob *job) {
  return !job->scope.hasCores && !berthHasConcurrentUnits();
}

bool berthMayHaveOverlaps(const BerthJob *job) {
  if (job->options->planOut || job->kept || berthScopeIsShared(&job->scope) ||
      !isOneOrder(job))
    return false;
  for (size_t i = 0; i < job->scope.numBuffers; ++i)
    if (!job->scope.buffers[i].reason && job->scope.buffers[i].isDynamic)
      return false;
  return true;
}

/// In memory that threads share, elements that one thread has written over are
/// others' operands still. What a backend makes of an op that several cores or
/// units work on, it knows alone.
static bool mayGroup(const BerthJob *job) {
  return job->options->inPlace && (changesCode(job) || isOneOrder(job)) &&
         !berthScopeIsShared(&job->scope);
}

/// Both go through one memref then, the arena, which tells all passes behind
/// this one that they are one memory; attributes would not. And nobody else
/// says where buffers lie.
static bool mayNarrow(const BerthJob *job) {
  return job->options->narrows && changesCode(job) && berthMayHaveOverlaps(job);
}

int berthCompareOverlaps(const void *left, const void *right) {
  const BerthOverlap *a = left, *b = right;
  int byRead = (a->read > b->read) - (a->read < b->read);
  return byRead ? byRead
                : (a->written > b->written) - (a->written < b->written);
}

/// A pair that is found in two nests meets in both, so there is none.
static void takeNarrowed(BerthJob *job, Grouping *grouping) {
  qsort(grouping->narrowed, grouping->numNarrowed, sizeof(BerthOverlap),
        berthCompareOverlaps);
  job->overlaps = berthNewCopy(&job->memory, grouping->narrowed,
                               grouping->numNarrowed, sizeof(BerthOverlap));
  job->numOverlaps = grouping->numNarrowed;
  free(grouping->narrowed);
}

void berthGroupInPlace(BerthJob *job) {
  if (!mayGroup(job))
    return;
  BerthScope *scope = &job->scope;
  const char *breakRule = job->options->alias.breakRule;
  Grouping grouping = {.scope = scope,
                       .points = &job->points,
                       .dropsCopies = changesCode(job),
                       .takesLoops = isOneOrder(job),
                       .inAnyOrder = berthIsBroken(breakRule, "in-any-order"),
                       .narrows = mayNarrow(job),
                       .breakRule = breakRule};
  for (size_t i = 0; i < scope->numBuffers; ++i)
    if (!scope->buffers[i].reason && !scope->buffers[i].leaks &&
        mlirOperationIsNull(scope->buffers[i].callee))
      berthPointerMapInsert(&grouping.ownerOf, scope->buffers[i].value.ptr, i);
  for (size_t i = 0; i < scope->numBuffers; ++i) {
    BerthBufferInfo *y = &scope->buffers[i];
    if (!y->reason && !y->leaks)
      tryBuffer(&grouping, y);
  }
  if (grouping.numNarrowed)
    takeNarrowed(job, &grouping);
  berthPointerMapFree(&grouping.ownerOf);
}

bool berthIsDroppableCopy(const BerthBufferInfo *buffer) {
  return !mlirOperationIsNull(buffer->writtenBy) &&
         berthOpIsCopy(buffer->writtenBy);
}
