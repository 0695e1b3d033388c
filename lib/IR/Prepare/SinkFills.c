//===- SinkFills.c - Fills as late as loops allow -------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Prepare/SinkFills.h"
#include "IR/Facts/LoopFacts.h"
#include "IR/Facts/SliceFacts.h"
#include "IR/Ops/Build.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Rules.h"
#include "IR/Scope/Segments.h"
#include "mlir-c/AffineMap.h"

#include <stdlib.h>

/// The operands of linalg.fill; of a store of one element the same.
enum { kValue = 0, kTarget = 1 };

/// What writes one value to all elements of a buffer: an op, or loops around a
/// store.
typedef struct Fill {
  MlirOperation top;
  MlirOperation write;
} Fill;

/// The outer loops of a nest each of which has a dimension of the buffer to
/// itself: in one turn of them all the nest touches no other elements of the
/// buffer than those at their variables.
typedef struct Outer {
  MlirOperation innermost;
  MlirValue variables[BERTH_SLICE_MAX_RANK]; ///< by dimension; null: no loop
} Outer;

/// A fill that was moved.
typedef struct Sunk {
  Fill fill;
  MlirBlock block; ///< where it stood
  MlirOperation next;
  MlirOperation alloc;
  MlirOperation placeholder; ///< what it fills while it stands nowhere
  MlirOperation first;       ///< of the block it has gone to: in front of this
} Sunk;

struct BerthSunkFills {
  Sunk *items;
  size_t count, capacity;
};

//===----------------------------------------------------------------------===//
// Fills
//===----------------------------------------------------------------------===//

/// Counts by one from 0 to the number of elements of a dimension.
static bool isLoopOver(MlirOperation op, BerthLoopRange *range) {
  BerthLoopRange ranges[BERTH_LOOP_MAX_RANK];
  if (!berthOpIs(op, BERTH_OP_LOOP) || berthLoopGetRanges(op, ranges) != 1)
    return false;
  *range = ranges[0];
  return range->lower == 0 && range->step == 1;
}

/// The subscript as the value that it is; null where it is computed in the op.
static MlirValue subscriptOf(MlirOperation op, intptr_t memref, intptr_t dim) {
  if (!berthOpIsAffine(op))
    return mlirOperationGetOperand(op, memref + 1 + dim);
  MlirAffineMap map = mlirAffineMapAttrGetValue(berthAttributeOf(op, "map"));
  MlirAffineExpr expr = mlirAffineMapGetResult(map, dim);
  return mlirAffineExprIsADim(expr)
             ? mlirOperationGetOperand(
                   op, memref + 1 + mlirAffineDimExprGetPosition(expr))
             : (MlirValue){NULL};
}

static MlirType typeOf(const BerthBufferInfo *buffer) {
  return mlirValueGetType(buffer->value);
}

/// True if nothing but constants stands in the body of `loop` beside the op.
static bool isAloneIn(MlirOperation loop, MlirOperation op) {
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0));
  MlirOperation end = mlirBlockGetTerminator(body);
  for (MlirOperation at = mlirBlockGetFirstOperation(body);
       !mlirOperationEqual(at, end); at = mlirOperationGetNextInBlock(at))
    if (!mlirOperationEqual(at, op) && !berthOpIs(at, BERTH_OP_CONSTANT))
      return false;
  return mlirOperationGetNumResults(loop) == 0;
}

/// The dimension that the variable is the subscript of, if the loop runs over
/// all of it; -1: none.
static intptr_t dimensionOf(const BerthBufferInfo *buffer, MlirOperation op,
                            intptr_t memref, const BerthLoopRange *range,
                            bool mayLeaveSome) {
  MlirType type = typeOf(buffer);
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); ++d)
    if (mlirValueEqual(subscriptOf(op, memref, d), range->variable))
      return range->count == mlirShapedTypeGetDimSize(type, d) || mayLeaveSome
                 ? d
                 : -1;
  return -1;
}

/// Of a store: the loops around it, as far as they do nothing else. All of them
/// have to have dimensions of their own, and all dimensions of more than one
/// element one of them.
static bool findLoops(const BerthBufferInfo *buffer, Fill *fill) {
  bool isCovered[BERTH_SLICE_MAX_RANK] = {false};
  MlirType type = typeOf(buffer);
  BerthLoopRange range;
  MlirOperation parent = mlirOperationGetParentOperation(fill->write);
  for (; isLoopOver(parent, &range) && isAloneIn(parent, fill->top);
       parent = mlirOperationGetParentOperation(parent)) {
    intptr_t dim = dimensionOf(buffer, fill->write, kTarget, &range, false);
    if (dim < 0 || isCovered[dim])
      return false;
    isCovered[dim] = true;
    fill->top = parent;
  }
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); ++d)
    if (!isCovered[d] && mlirShapedTypeGetDimSize(type, d) != 1)
      return false;
  return true;
}

static bool isIn(MlirOperation op, MlirOperation outer) {
  while (!mlirOperationIsNull(op) && !mlirOperationEqual(op, outer))
    op = mlirOperationGetParentOperation(op);
  return !mlirOperationIsNull(op);
}

/// True if the value is there ahead of the op.
static bool isMadeBefore(MlirValue value, MlirOperation op) {
  MlirOperation maker =
      mlirValueIsAOpResult(value)
          ? mlirOpResultGetOwner(value)
          : mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
  return !isIn(maker, op);
}

static bool isFill(const BerthBufferInfo *buffer, const BerthAccess *access,
                   Fill *fill) {
  *fill = (Fill){access->op, access->op};
  bool isOp = berthOpIs(access->op, BERTH_OP_FILL) && access->kills;
  bool isStore = berthOpIsElementAccess(access->op) && !access->reads;
  if ((!isOp && !isStore) || !access->writes ||
      !mlirValueEqual(mlirOperationGetOperand(access->op, kTarget),
                      buffer->value))
    return false;
  MlirValue value = mlirOperationGetOperand(access->op, kValue);
  return mlirTypeEqual(mlirValueGetType(value),
                       mlirShapedTypeGetElementType(typeOf(buffer))) &&
         (isOp || findLoops(buffer, fill)) && isMadeBefore(value, fill->top);
}

//===----------------------------------------------------------------------===//
// Where to
//===----------------------------------------------------------------------===//

/// The next op of the fill's block that does anything with the buffer; null if
/// that is in another block.
static MlirOperation nextUser(const BerthJob *job,
                              const BerthBufferInfo *buffer, const Fill *fill) {
  int64_t from = berthPointsUpper(&job->points, fill->top), first = INT64_MAX;
  MlirBlock block = mlirOperationGetBlock(fill->top);
  MlirOperation found = {NULL};
  for (size_t i = 0; i < buffer->numAccesses; ++i) {
    int64_t at = berthPointsLower(&job->points, buffer->accesses[i].op);
    if (at < from || at >= first)
      continue;
    first = at;
    found = buffer->accesses[i].op;
  }
  if (mlirOperationIsNull(found))
    return found;
  found = berthAncestorInRegion(found, mlirBlockGetParentRegion(block));
  return !mlirOperationIsNull(found) &&
                 mlirBlockEqual(mlirOperationGetBlock(found), block)
             ? found
             : (MlirOperation){NULL};
}

/// The dimension that the loop has to itself in all accesses of the buffer in
/// `nest`, which are plain ones; -1: none.
static intptr_t dimensionInAll(const BerthJob *job,
                               const BerthBufferInfo *buffer,
                               MlirOperation nest,
                               const BerthLoopRange *range) {
  bool mayLeaveSome =
      berthIsBroken(job->options->alias.breakRule, "partial-fills");
  intptr_t found = -1;
  for (size_t i = 0; i < buffer->numAccesses; ++i) {
    MlirOperation op = buffer->accesses[i].op;
    if (!isIn(op, nest))
      continue;
    if (!berthOpIsElementAccess(op))
      return -1;
    intptr_t memref = mlirOperationGetNumResults(op) ? 0 : kTarget;
    if (!mlirValueEqual(mlirOperationGetOperand(op, memref), buffer->value))
      return -1;
    intptr_t dim = dimensionOf(buffer, op, memref, range, mayLeaveSome);
    if (dim < 0 || (found >= 0 && found != dim))
      return -1;
    found = dim;
  }
  return found;
}

/// The op in the loop's body that all accesses of the buffer in there are in;
/// null if there are several.
static MlirOperation onlyUserIn(const BerthBufferInfo *buffer,
                                MlirOperation loop) {
  MlirOperation found = {NULL};
  MlirRegion body = mlirOperationGetRegion(loop, 0);
  for (size_t i = 0; i < buffer->numAccesses; ++i) {
    if (!isIn(buffer->accesses[i].op, loop))
      continue;
    MlirOperation op = berthAncestorInRegion(buffer->accesses[i].op, body);
    if (mlirOperationIsNull(op) ||
        (!mlirOperationIsNull(found) && !mlirOperationEqual(op, found)))
      return (MlirOperation){NULL};
    found = op;
  }
  return found;
}

static bool findOuter(const BerthJob *job, const BerthBufferInfo *buffer,
                      MlirOperation nest, Outer *outer) {
  *outer = (Outer){.innermost = {NULL}};
  BerthLoopRange range;
  for (MlirOperation loop = nest;
       !mlirOperationIsNull(loop) && isLoopOver(loop, &range);
       loop = onlyUserIn(buffer, loop)) {
    intptr_t dim = dimensionInAll(job, buffer, nest, &range);
    if (dim < 0 || !mlirValueIsNull(outer->variables[dim]))
      break;
    outer->variables[dim] = range.variable;
    outer->innermost = loop;
  }
  return !mlirOperationIsNull(outer->innermost);
}

/// True if the nest reads some other buffer that dies there: this one may come
/// to lie over that.
static bool endsAnother(const BerthJob *job, const BerthBufferInfo *buffer,
                        MlirOperation nest) {
  int64_t last = berthPointsUpper(&job->points, nest) - 1;
  for (size_t i = 0; i < job->scope.numBuffers; ++i) {
    const BerthBufferInfo *other = &job->scope.buffers[i];
    if (other == buffer || other->reason || berthSegmentAt(other, last))
      continue;
    for (size_t k = 0; k < other->numAccesses; ++k)
      if (other->accesses[k].reads && isIn(other->accesses[k].op, nest))
        return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Rewriting, and back
//===----------------------------------------------------------------------===//

/// The elements at the variables of the outer loops.
static void buildFill(BerthInsertPoint at, const BerthBufferInfo *buffer,
                      const Outer *outer, MlirValue value) {
  MlirType type = typeOf(buffer);
  intptr_t rank = mlirShapedTypeGetRank(type);
  MlirValue operands[2 + BERTH_SLICE_MAX_RANK] = {value, buffer->value};
  for (intptr_t d = 0; d < rank; ++d) {
    int64_t extent = mlirShapedTypeGetDimSize(type, d);
    operands[2 + d] = outer->variables[d];
    if (!mlirValueIsNull(operands[2 + d]))
      continue;
    if (extent == 1) {
      operands[2 + d] = berthBuildIndex(at, 0);
      continue;
    }
    at = berthBuildFor(at, berthBuildIndex(at, extent));
    operands[2 + d] = mlirBlockGetArgument(at.block, 0);
  }
  berthBuild(at, BERTH_NAME_STORE, 2 + rank, operands, 0, NULL, 0, NULL);
}

/// What stands nowhere must not be seen among the buffer's users.
static void sink(BerthSunkFills *done, const BerthBufferInfo *buffer, Fill fill,
                 const Outer *outer) {
  MlirBlock body =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(outer->innermost, 0));
  Sunk sunk = {.fill = fill,
               .block = mlirOperationGetBlock(fill.top),
               .next = mlirOperationGetNextInBlock(fill.top),
               .alloc = buffer->alloc,
               .placeholder = mlirOperationClone(buffer->alloc),
               .first = mlirBlockGetFirstOperation(body)};
  buildFill(berthInsertBefore(sunk.first), buffer, outer,
            mlirOperationGetOperand(fill.write, kValue));
  mlirOperationSetOperand(fill.write, kTarget,
                          mlirOperationGetResult(sunk.placeholder, 0));
  mlirOperationRemoveFromParent(fill.top);
  done->items =
      berthGrow(done->items, done->count, &done->capacity, sizeof *done->items);
  done->items[done->count++] = sunk;
}

/// The last one first: others may use their results.
static void eraseBefore(MlirOperation end) {
  MlirBlock block = mlirOperationGetBlock(end);
  for (;;) {
    MlirOperation last = mlirBlockGetFirstOperation(block);
    if (mlirOperationEqual(last, end))
      return;
    while (!mlirOperationEqual(mlirOperationGetNextInBlock(last), end))
      last = mlirOperationGetNextInBlock(last);
    mlirOperationDestroy(last);
  }
}

void berthSinkFillsUndo(BerthSunkFills *done) {
  for (size_t i = done->count; i-- > 0;) {
    Sunk *sunk = &done->items[i];
    eraseBefore(sunk->first);
    mlirOperationSetOperand(sunk->fill.write, kTarget,
                            mlirOperationGetResult(sunk->alloc, 0));
    mlirBlockInsertOwnedOperationBefore(sunk->block, sunk->next,
                                        sunk->fill.top);
    mlirOperationDestroy(sunk->placeholder);
  }
  free(done->items);
  free(done);
}

void berthSinkFillsKeep(BerthJob *job, BerthSunkFills *done) {
  job->fillsSunk = done->count;
  for (size_t i = 0; i < done->count; ++i) {
    mlirOperationDestroy(done->items[i].fill.top);
    mlirOperationDestroy(done->items[i].placeholder);
  }
  free(done->items);
  free(done);
}

bool berthSunkFillsUsed(const BerthJob *job, const BerthSunkFills *done,
                        BerthWorklist *used) {
  size_t count = 0;
  for (size_t i = 0; i < done->count; ++i)
    for (size_t k = 0; k < job->numOverlaps; ++k)
      if (mlirOperationEqual(job->scope.buffers[job->overlaps[k].written].alloc,
                             done->items[i].alloc))
        count += berthWorklistAdd(used, done->items[i].alloc.ptr);
  return count == done->count;
}

//===----------------------------------------------------------------------===//
// A scope
//===----------------------------------------------------------------------===//

static bool isPlain(const BerthBufferInfo *buffer) {
  if (buffer->reason || buffer->leaks || buffer->isDynamic ||
      buffer->isForeign || !mlirOperationIsNull(buffer->callee) ||
      !berthOpIsPlainAllocation(buffer->alloc) ||
      mlirOperationGetNumOperands(buffer->alloc) != 0)
    return false;
  MlirType type = typeOf(buffer);
  return mlirTypeIsAMemRef(type) && mlirShapedTypeHasStaticShape(type) &&
         mlirShapedTypeGetRank(type) <= BERTH_SLICE_MAX_RANK;
}

/// The first fill of the buffer that may move.
static void sinkFillOf(BerthJob *job, const BerthBufferInfo *buffer,
                       BerthSunkFills *done) {
  for (size_t i = 0; i < buffer->numAccesses; ++i) {
    Fill fill;
    Outer outer;
    if (!isFill(buffer, &buffer->accesses[i], &fill))
      continue;
    MlirOperation nest = nextUser(job, buffer, &fill);
    if (mlirOperationIsNull(nest) || !berthOpIs(nest, BERTH_OP_LOOP) ||
        !endsAnother(job, buffer, nest) ||
        !findOuter(job, buffer, nest, &outer))
      continue;
    berthBackupTake(job->backup, job->root);
    sink(done, buffer, fill, &outer);
    return;
  }
}

BerthSunkFills *berthSinkFills(BerthJob *job, const BerthWorklist *only) {
  if (!job->options->overlap)
    return NULL;
  BerthSunkFills *done = berthAllocateOrDie(1, sizeof *done);
  for (size_t i = 0; i < job->scope.numBuffers; ++i) {
    const BerthBufferInfo *buffer = &job->scope.buffers[i];
    if (isPlain(buffer) &&
        (!only || berthWorklistHasSeen(only, buffer->alloc.ptr)))
      sinkFillOf(job, buffer, done);
  }
  if (done->count)
    return done;
  berthSinkFillsUndo(done);
  return NULL;
}
