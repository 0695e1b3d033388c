//===- RefillCopies.c - Fill again instead of keeping a copy --------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A fill is followed through the rest of its block, along the accesses of its
// buffer. As long as these only copy from it, the buffer holds one value all
// over, so each of them may write that value itself. At the first op that does
// anything else the buffer has to be filled: the fill moves in front of it.
// The value is known there, for it was at the fill.
//
// The fill runs as often as before, and each copy becomes a fill, which writes
// as much and reads nothing. A buffer that nobody needs any more goes.
//
//===----------------------------------------------------------------------===//

#include "IR/Prepare/RefillCopies.h"
#include "IR/Facts/Versions.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Build.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Worklist.h"
#include "IR/Prepare/Unused.h"
#include "IR/Scope/Job.h"

/// One fill, or a copy that becomes one, and what becomes of it, kept until all
/// buffers have been looked at.
typedef struct Move {
  MlirOperation fill;
  MlirOperation target; ///< the op that it moves in front of; null: none
  bool isDead;          ///< nobody reads what it writes
} Move;

typedef struct Copy {
  MlirOperation op;
  MlirOperation fill; ///< what it repeats
  MlirOperation made; ///< in its place
} Copy;

typedef struct Refill {
  Move *moves;
  size_t numMoves, moveCapacity;
  Copy *copies;
  size_t numCopies, copyCapacity;
  BerthPointerMap numberOf; ///< of copies: index into `copies`
  BerthWorklist emptied;    ///< allocations that nobody may need any more
  BerthPointerMap filled;   ///< what copies went to that are fills now
  bool isCopied;            ///< some of that is copied from
} Refill;

/// The operands of linalg.fill and memref.copy.
enum { kValue = 0, kTarget = 1, kSource = 0 };

static MlirType elementOf(MlirValue memref) {
  return mlirShapedTypeGetElementType(mlirValueGetType(memref));
}

static MlirAttribute spaceOf(MlirValue memref) {
  return mlirMemRefTypeGetMemorySpace(mlirValueGetType(memref));
}

static bool isMemRef(MlirValue value) {
  return mlirTypeIsAMemRef(mlirValueGetType(value));
}

/// True if `value` is the buffer itself or views of it that show its elements
/// as they are: a memref.view may show bytes of two of them as one.
static bool showsElementsOf(const BerthBufferInfo *buffer, MlirValue value) {
  while (!mlirValueEqual(value, buffer->value)) {
    if (!mlirValueIsAOpResult(value))
      return false;
    MlirValue source = berthViewGetSource(mlirOpResultGetOwner(value));
    if (mlirValueIsNull(source) || !isMemRef(value) || !isMemRef(source) ||
        !mlirTypeEqual(elementOf(value), elementOf(source)))
      return false;
    value = source;
  }
  return true;
}

/// What a value is a view of.
static MlirValue baseOf(MlirValue value) {
  while (mlirValueIsAOpResult(value)) {
    MlirValue source = berthViewGetSource(mlirOpResultGetOwner(value));
    if (mlirValueIsNull(source))
      break;
    value = source;
  }
  return value;
}

/// Where the op is in the list of copies that become fills; BERTH_NOT_FOUND.
static size_t numberOf(const Refill *refill, MlirOperation op) {
  return berthPointerMapFind(&refill->numberOf, op.ptr);
}

static bool isFillOf(const Refill *refill, const BerthBufferInfo *buffer,
                     const BerthAccess *access) {
  bool isFill = berthOpIs(access->op, BERTH_OP_FILL) ||
                numberOf(refill, access->op) != BERTH_NOT_FOUND;
  return isFill && access->kills &&
         showsElementsOf(buffer, mlirOperationGetOperand(access->op, kTarget));
}

/// True if the access copies from the buffer to memory that may be filled
/// instead.
static bool isCopyFrom(const BerthBufferInfo *buffer,
                       const BerthAccess *access) {
  if (!berthOpIsCopy(access->op) || !access->reads || access->writes)
    return false;
  MlirValue source = mlirOperationGetOperand(access->op, kSource);
  MlirValue target = mlirOperationGetOperand(access->op, kTarget);
  return isMemRef(target) && showsElementsOf(buffer, source) &&
         mlirAttributeEqual(spaceOf(source), spaceOf(target));
}

static void addCopy(Refill *refill, MlirOperation op, MlirOperation fill) {
  refill->copies = berthGrow(refill->copies, refill->numCopies,
                             &refill->copyCapacity, sizeof *refill->copies);
  berthPointerMapSet(&refill->numberOf, op.ptr, refill->numCopies);
  refill->copies[refill->numCopies++] = (Copy){.op = op, .fill = fill};
}

static void addMove(Refill *refill, Move move) {
  refill->moves = berthGrow(refill->moves, refill->numMoves,
                            &refill->moveCapacity, sizeof *refill->moves);
  refill->moves[refill->numMoves++] = move;
}

/// One past the accesses from `first` on that stand in the op `top`.
static size_t endOfTop(const BerthBufferInfo *buffer, size_t first,
                       MlirOperation top, MlirRegion region) {
  size_t end = first + 1;
  while (end < buffer->numAccesses &&
         mlirOperationEqual(
             top, berthAncestorInRegion(buffer->accesses[end].op, region)))
    ++end;
  return end;
}

static bool allCopyFrom(const BerthBufferInfo *buffer, size_t first,
                        size_t end) {
  for (size_t i = first; i < end; ++i)
    if (!isCopyFrom(buffer, &buffer->accesses[i]))
      return false;
  return true;
}

/// True if the op does nothing with the buffer but overwrite it.
static bool onlyKills(const BerthAccess *access, MlirOperation op) {
  return access->kills && mlirOperationEqual(access->op, op);
}

/// Follows the fill that is access `index` of the buffer.
static void followFill(Refill *refill, const BerthBufferInfo *buffer,
                       size_t index) {
  MlirOperation at = buffer->accesses[index].op, fill = at;
  if (numberOf(refill, at) != BERTH_NOT_FOUND)
    fill = refill->copies[numberOf(refill, at)].fill;
  MlirBlock block = mlirOperationGetBlock(at);
  MlirRegion region = mlirBlockGetParentRegion(block);
  Move move = {.fill = at};
  size_t numBefore = refill->numCopies;
  size_t next = index + 1;
  while (next < buffer->numAccesses) {
    MlirOperation top =
        berthAncestorInRegion(buffer->accesses[next].op, region);
    if (mlirOperationIsNull(top) ||
        !mlirBlockEqual(mlirOperationGetBlock(top), block))
      break;
    size_t end = endOfTop(buffer, next, top, region);
    if (!allCopyFrom(buffer, next, end)) {
      move.target = top;
      move.isDead = onlyKills(&buffer->accesses[next], top);
      break;
    }
    for (; next < end; ++next)
      addCopy(refill, buffer->accesses[next].op, fill);
  }
  size_t numCopies = refill->numCopies - numBefore;
  move.isDead |= numCopies + 1 == buffer->numAccesses;
  if (numCopies)
    addMove(refill, move);
}

static void lookAtBuffer(Refill *refill, const BerthBufferInfo *buffer) {
  if (buffer->reason || buffer->leaks)
    return;
  size_t numMoves = refill->numMoves;
  for (size_t i = 0; i < buffer->numAccesses; ++i)
    if (isFillOf(refill, buffer, &buffer->accesses[i]))
      followFill(refill, buffer, i);
  if (refill->numMoves > numMoves && berthOpIsPlainAllocation(buffer->alloc) &&
      !berthIsConstrained(buffer->alloc))
    berthWorklistAdd(&refill->emptied, buffer->alloc.ptr);
}

/// By their first accesses, then by index.
static int compareBuffers(const void *a, const void *b) {
  const BerthBufferInfo *x = *(const BerthBufferInfo *const *)a,
                        *y = *(const BerthBufferInfo *const *)b;
  int64_t ofX = x->numAccesses ? x->accesses[0].lower : BERTH_NONE,
          ofY = y->numAccesses ? y->accesses[0].lower : BERTH_NONE;
  if (ofX != ofY)
    return ofX < ofY ? -1 : 1;
  return (x > y) - (x < y);
}

/// In the order in which copies of copies come, so that one round finds chains
/// of them.
static void lookAtBuffers(Refill *refill, const BerthScope *scope) {
  const BerthBufferInfo **sorted =
      berthAllocateOrDie(scope->numBuffers, sizeof *sorted);
  for (size_t i = 0; i < scope->numBuffers; ++i)
    sorted[i] = &scope->buffers[i];
  qsort(sorted, scope->numBuffers, sizeof *sorted, compareBuffers);
  for (size_t i = 0; i < scope->numBuffers; ++i)
    lookAtBuffer(refill, sorted[i]);
  free(sorted);
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

static void replaceCopy(Copy *copy) {
  MlirOperation fill = mlirOperationClone(copy->fill);
  mlirOperationSetOperand(fill, kTarget,
                          mlirOperationGetOperand(copy->op, kTarget));
  mlirOperationSetLocation(fill, mlirOperationGetLocation(copy->op));
  // The maps that linalg has noted are those of the other's rank.
  mlirOperationRemoveAttributeByName(
      fill, mlirStringRefCreateFromCString("linalg.memoized_indexing_maps"));
  // That another content was copied there is not said here, too.
  mlirOperationRemoveAttributeByName(
      fill, mlirStringRefCreateFromCString(BERTH_CONTENT_COPIED));
  MlirAttribute move = berthAttributeOf(copy->op, BERTH_MOVE);
  if (!mlirAttributeIsNull(move))
    berthSetAttribute(fill, BERTH_MOVE, move);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(copy->op), copy->op,
                                      fill);
  mlirOperationDestroy(copy->op);
  copy->made = fill;
}

/// The fill that the op has become, or itself. (Of what is gone only the
/// address counts.)
static MlirOperation madeOf(const Refill *refill, MlirOperation op) {
  size_t number = numberOf(refill, op);
  return number == BERTH_NOT_FOUND ? op : refill->copies[number].made;
}

static void rewrite(Refill *refill) {
  for (size_t i = 0; i < refill->numCopies; ++i)
    berthPointerMapSet(
        &refill->filled,
        baseOf(mlirOperationGetOperand(refill->copies[i].op, kTarget)).ptr, 1);
  // Copies are what fills move in front of, too: they go last.
  for (size_t i = 0; i < refill->numMoves; ++i)
    if (!mlirOperationIsNull(refill->moves[i].target))
      mlirOperationMoveBefore(refill->moves[i].fill, refill->moves[i].target);
  for (size_t i = 0; i < refill->numCopies; ++i)
    replaceCopy(&refill->copies[i]);
  for (size_t i = 0; i < refill->numMoves; ++i)
    if (refill->moves[i].isDead)
      mlirOperationDestroy(madeOf(refill, refill->moves[i].fill));
  while (refill->emptied.numPending) {
    MlirOperation alloc = {(void *)berthWorklistTake(&refill->emptied)};
    if (berthIsUnused(mlirOperationGetResult(alloc, 0)))
      berthEraseWithUsers(alloc);
  }
}

//===----------------------------------------------------------------------===//
// All scopes
//===----------------------------------------------------------------------===//

typedef struct Run {
  MlirOperation root;
  BerthBackup *backup;
  const BerthCollectOptions *collect;
  const BerthAliasOptions *alias;
} Run;

static MlirWalkResult findCopyOfFilled(MlirOperation op, void *userData) {
  Refill *refill = userData;
  bool isCopy = berthOpIsCopy(op) && mlirOperationGetNumOperands(op) > kTarget;
  MlirValue source =
      isCopy ? baseOf(mlirOperationGetOperand(op, kSource)) : (MlirValue){NULL};
  refill->isCopied |=
      isCopy &&
      berthPointerMapFind(&refill->filled, source.ptr) != BERTH_NOT_FOUND;
  return refill->isCopied ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

/// One round over a scope; true if there is something for the next one: a copy
/// of what was copied to, and is filled now.
static bool refillOnce(MlirOperation op, const Run *run) {
  BerthMemory memory = {0};
  BerthScope scope = berthScopeCollect(op, run->collect, &memory);
  Refill refill = {0};
  if (!berthScopeIsShared(&scope)) {
    BerthPoints points = berthPointsCreate(scope.body, &memory);
    berthScopeFindAliases(&scope, &points, run->alias);
    lookAtBuffers(&refill, &scope);
    berthPointsFree(&points);
    if (refill.numCopies)
      berthBackupTake(run->backup, run->root);
    rewrite(&refill);
  }
  if (refill.numCopies)
    mlirOperationWalk(op, findCopyOfFilled, &refill, MlirWalkPreOrder);
  berthPointerMapFree(&refill.filled);
  berthPointerMapFree(&refill.numberOf);
  free(refill.moves);
  free(refill.copies);
  berthWorklistFree(&refill.emptied);
  berthMemoryFree(&memory);
  return refill.isCopied;
}

typedef struct Contents {
  bool hasFill;
  bool hasCopy;
} Contents;

static MlirWalkResult noteContents(MlirOperation op, void *userData) {
  Contents *contents = userData;
  contents->hasFill |= berthOpIs(op, BERTH_OP_FILL);
  contents->hasCopy |= berthOpIsCopy(op);
  return contents->hasFill && contents->hasCopy ? MlirWalkResultInterrupt
                                                : MlirWalkResultAdvance;
}

static void refillScope(MlirOperation op, void *userData) {
  Contents contents = {0};
  mlirOperationWalk(op, noteContents, &contents, MlirWalkPreOrder);
  bool changes = contents.hasFill && contents.hasCopy;
  while (changes)
    changes = refillOnce(op, userData);
}

void berthRefillCopies(MlirOperation root, const BerthCollectOptions *collect,
                       const BerthAliasOptions *alias, BerthBackup *backup) {
  Run run = {root, backup, collect, alias};
  berthForEachScope(root, collect, refillScope, &run);
}
