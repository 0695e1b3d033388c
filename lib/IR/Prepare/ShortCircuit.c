//===- ShortCircuit.c - Write where it is copied to -----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A *source* is copied into a *slice* of a *target*. All of the source's life
// lies in one block, from the op `first` to the copy. From there on the slice
// takes its place, so nobody else may touch these bytes of the target between
// `first` and the copy, but for ops that only fill the target: they move ahead.
//
//===----------------------------------------------------------------------===//

#include "IR/Prepare/ShortCircuit.h"
#include "IR/Facts/SliceFacts.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/PointerMap.h"
#include "IR/Ops/Rules.h"
#include "IR/Scope/Segments.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

/// The operands of memref.copy.
enum { kSource = 0, kTarget = 1 };

typedef struct Candidate {
  const BerthBufferInfo *source;
  const BerthBufferInfo *target;
  MlirBlock block;
  MlirOperation first; ///< in `block`, as are all of the following
  MlirOperation copy;
  MlirOperation slice; ///< a memref.subview of the target
  BerthSubView part;
  size_t numFills;
  MlirOperation *fills; ///< of the target, in front of the copy
} Candidate;

typedef struct Search {
  BerthJob *job;
  BerthPointerMap bufferOf; ///< value -> its buffer
  int64_t *load;            ///< bytes at each point, groups as one
  bool *isTaken;            ///< buffers that something is done with already
} Search;

//===----------------------------------------------------------------------===//
// What can be rewritten
//===----------------------------------------------------------------------===//

static bool isPlainBuffer(const BerthBufferInfo *buffer) {
  return !buffer->reason && !buffer->leaks && !buffer->isDynamic &&
         !buffer->isBounded && !buffer->isForeign && buffer->size > 0 &&
         berthOpIsPlainAllocation(buffer->alloc) &&
         mlirOperationGetNumOperands(buffer->alloc) == 0 &&
         !berthIsConstrained(buffer->alloc);
}

static MlirOperation definition(MlirValue value) {
  return mlirValueIsAOpResult(value) ? mlirOpResultGetOwner(value)
                                     : (MlirOperation){NULL};
}

/// The op around `op`, or itself, that stands in the block; null: none does.
static MlirOperation topIn(MlirBlock block, MlirOperation op) {
  MlirOperation top =
      berthAncestorInRegion(op, mlirBlockGetParentRegion(block));
  bool isThere = !mlirOperationIsNull(top) &&
                 mlirBlockEqual(mlirOperationGetBlock(top), block);
  return isThere ? top : (MlirOperation){NULL};
}

static bool isPlainFree(MlirOperation op) {
  return berthOpIsFree(op) && mlirOperationGetNumOperands(op) == 1 &&
         mlirOperationGetNumResults(op) == 0;
}

/// True if everybody who touches the buffer is done with it at once.
static bool isTouchedPlainly(const BerthBufferInfo *buffer) {
  for (size_t i = 0; i < buffer->numAccesses; ++i)
    if (!berthOpIsPlainAccess(buffer->accesses[i].op))
      return false;
  return true;
}

/// True if the block runs many times at once on one target: what is copied
/// there by several of them is equal, what leads there need not be.
static bool isSharedTarget(const Candidate *candidate) {
  MlirBlock outer = mlirOperationGetBlock(candidate->target->alloc);
  MlirBlock block = candidate->block;
  while (!mlirBlockEqual(block, outer)) {
    MlirOperation around = mlirBlockGetParentOperation(block);
    if (mlirOperationIsNull(around) || berthOpIsParallel(around))
      return true;
    block = mlirOperationGetBlock(around);
    if (mlirBlockIsNull(block))
      return true;
    if (mlirRegionEqual(mlirBlockGetParentRegion(block),
                        mlirBlockGetParentRegion(outer)))
      return false;
  }
  return false;
}

/// True if a slice can stand in for the source wherever it is used.
static bool canBeSliced(const BerthBufferInfo *source, MlirOperation copy) {
  for (MlirOpOperand use = mlirValueGetFirstUse(source->value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (!mlirOperationEqual(user, copy) && !isPlainFree(user) &&
        !berthOpTakesSlices(user))
      return false;
  }
  return true;
}

/// True if the value is there in front of `op`, which stands in a block that
/// the value is known to dominate the end of.
static bool isKnownAt(const BerthPoints *points, MlirValue value,
                      MlirOperation op) {
  MlirOperation maker = definition(value);
  return mlirOperationIsNull(maker) ||
         !mlirBlockEqual(mlirOperationGetBlock(maker),
                         mlirOperationGetBlock(op)) ||
         berthPointsLower(points, maker) < berthPointsLower(points, op);
}

typedef struct Needs {
  const BerthPoints *points;
  MlirOperation top; ///< whose needs they are
  MlirOperation at;
  MlirValue apart; ///< but for this
  bool areMet;
} Needs;

static MlirWalkResult checkNeeds(MlirOperation op, void *userData) {
  Needs *needs = userData;
  MlirBlock block = mlirOperationGetBlock(needs->at);
  intptr_t count = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    MlirOperation maker = definition(operand);
    bool isOutside = !mlirOperationIsNull(maker) &&
                     mlirBlockEqual(mlirOperationGetBlock(maker), block);
    needs->areMet &= mlirValueEqual(operand, needs->apart) || !isOutside ||
                     isKnownAt(needs->points, operand, needs->at);
  }
  return MlirWalkResultAdvance;
}

/// True if the op does nothing but write values that are known at `first` into
/// the target: then it may do so there.
static bool isEarlyFill(const Search *search, const Candidate *candidate,
                        MlirOperation op) {
  MlirValue target = candidate->target->value;
  if (!berthOpTakesAnyLayout(op) || !berthOpIsPlainAccess(op) ||
      mlirOperationGetNumResults(op))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (!mlirValueEqual(operand, target) &&
        berthTypeMayCarryPointer(mlirValueGetType(operand)))
      return false;
  }
  Needs needs = {&search->job->points, op, candidate->first, target, true};
  mlirOperationWalk(op, checkNeeds, &needs, MlirWalkPreOrder);
  return needs.areMet;
}

/// True if the parts have no element in common, whatever the strides.
static bool arePartsApart(const BerthSubView *a, const BerthSubView *b) {
  if (a->rank != b->rank)
    return false;
  for (intptr_t d = 0; d < a->rank; ++d) {
    const BerthMixed *all[] = {&a->offsets[d], &a->sizes[d], &a->strides[d],
                               &b->offsets[d], &b->sizes[d], &b->strides[d]};
    bool areNumbers = true;
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
      areNumbers &= mlirValueIsNull(all[i]->value);
    if (!areNumbers || a->strides[d].number != 1 || b->strides[d].number != 1)
      continue;
    if (a->offsets[d].number + a->sizes[d].number <= b->offsets[d].number ||
        b->offsets[d].number + b->sizes[d].number <= a->offsets[d].number)
      return true;
  }
  return false;
}

/// True if what is accessed is another part of the target.
static bool isElsewhere(const Candidate *candidate, const BerthAccess *access) {
  MlirOperation view = definition(access->through);
  BerthSubView part;
  return !mlirOperationIsNull(view) && berthSubViewGet(view, &part) &&
         mlirValueEqual(mlirOperationGetOperand(view, 0),
                        candidate->target->value) &&
         arePartsApart(&candidate->part, &part);
}

/// Looks at what is done to the target from `first` to the copy, and notes the
/// fills.
static bool isTargetFree(const Search *search, Candidate *candidate) {
  const BerthPoints *points = &search->job->points;
  const BerthBufferInfo *target = candidate->target;
  int64_t lower = berthPointsLower(points, candidate->first);
  int64_t upper = berthPointsLower(points, candidate->copy);
  bool mayFill = true;
  candidate->fills =
      BERTH_NEW(&search->job->memory, MlirOperation, target->numAccesses);
  for (size_t i = 0; i < target->numAccesses; ++i) {
    const BerthAccess *access = &target->accesses[i];
    if (access->upper <= lower || access->lower >= upper)
      continue;
    MlirOperation top = topIn(candidate->block, access->op);
    if (mlirOperationIsNull(top))
      return false;
    bool isFill = mayFill && mlirOperationEqual(top, access->op) &&
                  isEarlyFill(search, candidate, top);
    if (isFill)
      candidate->fills[candidate->numFills++] = top;
    else if (!isElsewhere(candidate, access))
      return false;
    mayFill &= isFill; // none overtakes another access
  }
  return true;
}

/// True if the slice can be made in front of `first`.
static bool canSliceEarly(const Search *search, const Candidate *candidate) {
  MlirOperation slice = candidate->slice;
  for (intptr_t i = 1; i < mlirOperationGetNumOperands(slice); ++i)
    if (!isKnownAt(&search->job->points, mlirOperationGetOperand(slice, i),
                   candidate->first))
      return false;
  return true;
}

static bool haveOneShape(MlirType a, MlirType b) {
  if (mlirShapedTypeGetRank(a) != mlirShapedTypeGetRank(b) ||
      !mlirShapedTypeHasStaticShape(a) || !mlirShapedTypeHasStaticShape(b) ||
      !mlirTypeEqual(mlirShapedTypeGetElementType(a),
                     mlirShapedTypeGetElementType(b)) ||
      !mlirAttributeEqual(mlirMemRefTypeGetMemorySpace(a),
                          mlirMemRefTypeGetMemorySpace(b)))
    return false;
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(a); ++d)
    if (mlirShapedTypeGetDimSize(a, d) != mlirShapedTypeGetDimSize(b, d))
      return false;
  return true;
}

/// Fills in what the copy that ends the source's life tells.
static bool findSlice(const Search *search, Candidate *candidate) {
  const BerthBufferInfo *source = candidate->source;
  const BerthAccess *last = &source->accesses[source->numAccesses - 1];
  candidate->copy = last->op;
  candidate->block = mlirOperationGetBlock(source->alloc);
  if (!berthOpIsCopy(last->op) || !last->reads || last->writes ||
      !mlirBlockEqual(mlirOperationGetBlock(last->op), candidate->block))
    return false;
  MlirValue to = mlirOperationGetOperand(last->op, kTarget);
  candidate->slice = definition(to);
  if (!mlirValueEqual(mlirOperationGetOperand(last->op, kSource),
                      source->value) ||
      mlirOperationIsNull(candidate->slice) ||
      !mlirBlockEqual(mlirOperationGetBlock(candidate->slice),
                      candidate->block) ||
      !berthSubViewGet(candidate->slice, &candidate->part) ||
      !haveOneShape(mlirValueGetType(source->value), mlirValueGetType(to)))
    return false;
  size_t target = berthPointerMapFind(
      &search->bufferOf, mlirOperationGetOperand(candidate->slice, 0).ptr);
  candidate->target =
      target == BERTH_NOT_FOUND ? NULL : &search->job->scope.buffers[target];
  return candidate->target && isPlainBuffer(candidate->target);
}

/// The source is used in its block only, from `first` to the copy.
static bool findFirst(Candidate *candidate) {
  const BerthBufferInfo *source = candidate->source;
  candidate->first = topIn(candidate->block, source->accesses[0].op);
  for (size_t i = 0; i < source->numAccesses; ++i)
    if (mlirOperationIsNull(topIn(candidate->block, source->accesses[i].op)))
      return false;
  return !mlirOperationEqual(candidate->first, candidate->copy);
}

static bool isCandidate(const Search *search, Candidate *candidate) {
  const BerthBufferInfo *source = candidate->source;
  return isPlainBuffer(source) && source->numAliases == 1 &&
         source->numAccesses > 1 && source->numSegments == 1 &&
         findSlice(search, candidate) && findFirst(candidate) &&
         isTouchedPlainly(source) && isTouchedPlainly(candidate->target) &&
         !isSharedTarget(candidate) && canBeSliced(source, candidate->copy) &&
         canSliceEarly(search, candidate) &&
         (isTargetFree(search, candidate) ||
          berthIsBroken(search->job->options->alias.breakRule, "busy-targets"));
}

//===----------------------------------------------------------------------===//
// Whether it pays
//===----------------------------------------------------------------------===//

static bool isPlaced(const BerthBufferInfo *buffer) {
  return !buffer->reason && !buffer->isDynamic;
}

/// True if another buffer of the group takes the same bytes at that point.
static bool isCoveredAt(const BerthScope *scope, size_t buffer, int64_t point) {
  const BerthBufferInfo *member = &scope->buffers[buffer];
  if (member->group == BERTH_NONE)
    return false;
  for (size_t i = member->nextInGroup; i != buffer;
       i = scope->buffers[i].nextInGroup)
    if (i < buffer && berthSegmentAt(&scope->buffers[i], point))
      return true;
  return false;
}

static int64_t *measureLoad(BerthJob *job) {
  const BerthScope *scope = &job->scope;
  int64_t *load = BERTH_NEW(&job->memory, int64_t, (size_t)job->points.count);
  for (size_t i = 0; i < scope->numBuffers; ++i) {
    const BerthBufferInfo *buffer = &scope->buffers[i];
    for (size_t s = 0; isPlaced(buffer) && s < buffer->numSegments; ++s)
      for (int64_t p = buffer->segments[s].lower; p < buffer->segments[s].upper;
           ++p)
        load[p] += isCoveredAt(scope, i, p) ? 0 : buffer->size;
  }
  return load;
}

/// True if the buffer is live at the point, and no other one of its group.
static bool isAloneAt(const BerthScope *scope, const BerthBufferInfo *buffer,
                      int64_t point) {
  size_t index = (size_t)(buffer - scope->buffers);
  if (!berthSegmentAt(buffer, point))
    return false;
  for (size_t i = buffer->nextInGroup;
       buffer->group != BERTH_NONE && i != index;
       i = scope->buffers[i].nextInGroup)
    if (berthSegmentAt(&scope->buffers[i], point))
      return false;
  return true;
}

/// The load at a point if the target is live from `first` on instead of the
/// source. What it was written in place of stays, and takes what it did.
static int64_t loadAfter(const Search *search, const Candidate *candidate,
                         int64_t point) {
  const BerthBufferInfo *source = candidate->source;
  int64_t freed =
      isAloneAt(&search->job->scope, source, point) ? source->size : 0;
  int64_t taken =
      berthSegmentAt(candidate->target, point) ? 0 : candidate->target->size;
  return search->load[point] - freed + taken;
}

/// True if the arena need not grow, as far as the load tells; then the load is
/// what it is afterwards.
static bool paysOff(const Search *search, const Candidate *candidate) {
  const BerthPoints *points = &search->job->points;
  int64_t lower = berthPointsLower(points, candidate->first);
  int64_t upper = berthPointsUpper(points, candidate->copy);
  for (int64_t p = lower; p < upper; ++p)
    if (loadAfter(search, candidate, p) > search->job->plan.peak)
      return false;
  for (int64_t p = lower; p < upper; ++p)
    search->load[p] = loadAfter(search, candidate, p);
  return true;
}

//===----------------------------------------------------------------------===//
// Rewriting, and back
//===----------------------------------------------------------------------===//

/// An op that was moved, or taken out.
typedef struct Moved {
  MlirOperation op;
  MlirOperation next; ///< what it stood in front of
  MlirBlock block;
  bool isOut;
} Moved;

typedef struct Retargeted {
  MlirOperation op;
  intptr_t operand;
  MlirValue old;
} Retargeted;

struct BerthShortCircuits {
  Moved *moved;
  size_t numMoved, movedCapacity;
  Retargeted *uses;
  size_t numUses, useCapacity;
  int64_t bytesCopied;
  size_t numCopies;
};

static void note(BerthShortCircuits *done, MlirOperation op, bool isOut) {
  done->moved = berthGrow(done->moved, done->numMoved, &done->movedCapacity,
                          sizeof *done->moved);
  done->moved[done->numMoved++] = (Moved){op, mlirOperationGetNextInBlock(op),
                                          mlirOperationGetBlock(op), isOut};
}

static void moveBefore(BerthShortCircuits *done, const BerthPoints *points,
                       MlirOperation op, MlirOperation at) {
  if (!mlirBlockEqual(mlirOperationGetBlock(op), mlirOperationGetBlock(at)) ||
      berthPointsLower(points, op) < berthPointsLower(points, at))
    return;
  note(done, op, false);
  mlirOperationMoveBefore(op, at);
}

static void takeOut(BerthShortCircuits *done, MlirOperation op) {
  note(done, op, true);
  mlirOperationRemoveFromParent(op);
}

static void setOperand(BerthShortCircuits *done, MlirOperation op,
                       intptr_t operand, MlirValue value) {
  done->uses = berthGrow(done->uses, done->numUses, &done->useCapacity,
                         sizeof *done->uses);
  done->uses[done->numUses++] =
      (Retargeted){op, operand, mlirOperationGetOperand(op, operand)};
  mlirOperationSetOperand(op, operand, value);
}

static void rewrite(const Search *search, const Candidate *candidate,
                    BerthShortCircuits *done) {
  const BerthPoints *points = &search->job->points;
  MlirOperation first = candidate->first;
  moveBefore(done, points, candidate->target->alloc, first);
  for (size_t i = 0; i < candidate->numFills; ++i)
    moveBefore(done, points, candidate->fills[i], first);
  moveBefore(done, points, candidate->slice, first);
  // Out of its block it must not be seen among the slice's users.
  setOperand(done, candidate->copy, kTarget, candidate->source->value);
  takeOut(done, candidate->copy);
  for (size_t i = 0; i < candidate->source->numFrees; ++i)
    takeOut(done, candidate->source->frees[i]);
  MlirValue slice = mlirOperationGetResult(candidate->slice, 0);
  // What was taken out keeps its operand: it may have to go back.
  for (MlirOpOperand use = mlirValueGetFirstUse(candidate->source->value), next;
       !mlirOpOperandIsNull(use); use = next) {
    next = mlirOpOperandGetNextUse(use);
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (!mlirBlockIsNull(mlirOperationGetBlock(user)))
      setOperand(done, user, mlirOpOperandGetOperandNumber(use), slice);
  }
  takeOut(done, candidate->source->alloc);
  done->bytesCopied += candidate->source->size;
  ++done->numCopies;
}

void berthShortCircuitUndo(BerthShortCircuits *done) {
  for (size_t i = done->numUses; i-- > 0;)
    mlirOperationSetOperand(done->uses[i].op, done->uses[i].operand,
                            done->uses[i].old);
  for (size_t i = done->numMoved; i-- > 0;) {
    const Moved *moved = &done->moved[i];
    if (moved->isOut)
      mlirBlockInsertOwnedOperationBefore(moved->block, moved->next, moved->op);
    else
      mlirOperationMoveBefore(moved->op, moved->next);
  }
  free(done->moved);
  free(done->uses);
  free(done);
}

void berthShortCircuitKeep(BerthJob *job, BerthShortCircuits *done) {
  job->bytesNotCopied += done->bytesCopied;
  job->copiesSaved += done->numCopies;
  // Allocations were taken out behind their users.
  for (size_t i = 0; i < done->numMoved; ++i)
    if (done->moved[i].isOut)
      mlirOperationDestroy(done->moved[i].op);
  free(done->moved);
  free(done->uses);
  free(done);
}

//===----------------------------------------------------------------------===//
// A scope
//===----------------------------------------------------------------------===//

/// Each buffer has a part in one rewriting only: the others look at it anew.
static void rewriteAll(Search *search, BerthShortCircuits *done) {
  BerthJob *job = search->job;
  BerthScope *scope = &job->scope;
  for (size_t i = 0; i < scope->numBuffers; ++i) {
    Candidate candidate = {.source = &scope->buffers[i]};
    if (search->isTaken[i] || !isCandidate(search, &candidate))
      continue;
    size_t target = (size_t)(candidate.target - scope->buffers);
    if (!search->load)
      search->load = measureLoad(job);
    if (search->isTaken[target] || !paysOff(search, &candidate))
      continue;
    search->isTaken[i] = search->isTaken[target] = true;
    berthBackupTake(job->backup, job->root);
    rewrite(search, &candidate, done);
  }
}

BerthShortCircuits *berthShortCircuit(BerthJob *job) {
  if (!job->options->shortCircuit)
    return NULL;
  BerthShortCircuits *done = berthAllocateOrDie(1, sizeof *done);
  Search search = {.job = job};
  search.isTaken = BERTH_NEW(&job->memory, bool, job->scope.numBuffers);
  for (size_t i = 0; i < job->scope.numBuffers; ++i)
    if (isPlaced(&job->scope.buffers[i]) &&
        mlirOperationIsNull(job->scope.buffers[i].callee))
      berthPointerMapInsert(&search.bufferOf, job->scope.buffers[i].value.ptr,
                            i);
  rewriteAll(&search, done);
  berthPointerMapFree(&search.bufferOf);
  if (done->numCopies)
    return done;
  berthShortCircuitUndo(done);
  return NULL;
}
