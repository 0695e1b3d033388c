//===- FoldSlices.c - Views and vectors of the folded array --------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A slice keeps its sizes and strides; only where it starts changes. What is
// folded was chosen so that no slice wraps around (lib/Fold/Methods/Slices.c),
// or that each lies within the window (lib/Fold/Problem/Window.c).
//
//===----------------------------------------------------------------------===//

#include "IR/Fold/FoldSlices.h"
#include "IR/Facts/Facts.h"
#include "IR/Fold/FoldArray.h"
#include "IR/Fold/FoldCells.h"
#include "IR/Fold/FoldElement.h"
#include "IR/Fold/FoldLoops.h"
#include "IR/Ops/Build.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Rules.h"
#include "mlir-c/AffineMap.h"

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

static MlirValue apply(BerthInsertPoint at, intptr_t numInputs,
                       MlirValue *inputs, MlirAffineExpr expr) {
  MlirContext context = mlirAffineExprGetContext(expr);
  MlirAffineMap map = mlirAffineMapGet(context, numInputs, 0, 1, &expr);
  MlirNamedAttribute attribute =
      berthNamed(context, "map", mlirAffineMapAttrGet(map));
  return berthBuildValue(at, BERTH_NAME_APPLY, numInputs, inputs,
                         mlirIndexTypeGet(context), 1, &attribute);
}

/// index mod b.
static BerthMixed wrap(BerthInsertPoint at, BerthMixed index, int64_t b) {
  if (mlirValueIsNull(index.value)) {
    int64_t rest = index.number % b;
    return (BerthMixed){.number = rest < 0 ? rest + b : rest};
  }
  MlirContext context = mlirOperationGetContext(at.before);
  MlirAffineExpr expr = mlirAffineModExprGet(
      mlirAffineDimExprGet(context, 0), mlirAffineConstantExprGet(context, b));
  return (BerthMixed){.value = apply(at, 1, &index.value, expr)};
}

/// By how much the rows of the window have moved in the array: slope * i, or
/// with several turns what it was at the last move.
static MlirAffineExpr movedExpr(const BerthFoldShift *shift,
                                MlirAffineExpr variable) {
  const BerthFoldWindow *window = &shift->window;
  MlirContext context = mlirAffineExprGetContext(variable);
  int64_t start = 0, period = berthFoldStep(shift->loop) * window->turns;
  if (window->turns > 1 && berthFoldFirstValue(shift->loop, &start)) {
    MlirAffineExpr since = mlirAffineAddExprGet(
        variable, mlirAffineConstantExprGet(context, -start));
    MlirAffineExpr moves = mlirAffineFloorDivExprGet(
        since, mlirAffineConstantExprGet(context, period));
    variable = mlirAffineAddExprGet(
        mlirAffineMulExprGet(moves, mlirAffineConstantExprGet(context, period)),
        mlirAffineConstantExprGet(context, start));
  }
  return mlirAffineMulExprGet(
      variable, mlirAffineConstantExprGet(context, -window->slope));
}

/// index - slope * i - first, with the first i in front of the loop.
static BerthMixed slide(const BerthFoldShift *shift, BerthInsertPoint at,
                        BerthMixed index) {
  const BerthFoldWindow *window = &shift->window;
  bool moves = berthOpIsWithin(at.before, shift->loop);
  int64_t start = 0, constant = -window->first;
  if (!moves && berthFoldFirstValue(shift->loop, &start))
    constant -= window->slope * start;
  if (mlirValueIsNull(index.value) && !moves)
    return (BerthMixed){.number = index.number + constant};
  MlirContext context = mlirOperationGetContext(at.before);
  MlirValue inputs[2];
  intptr_t count = 0;
  MlirAffineExpr sum =
      mlirAffineConstantExprGet(context, index.number + constant);
  if (!mlirValueIsNull(index.value)) {
    sum = mlirAffineAddExprGet(mlirAffineDimExprGet(context, count), sum);
    inputs[count++] = index.value;
  }
  if (moves) {
    sum = mlirAffineAddExprGet(
        sum, movedExpr(shift, mlirAffineDimExprGet(context, count)));
    inputs[count++] = berthFoldVariable(shift->loop, 0);
  }
  return (BerthMixed){.value = apply(at, count, inputs, sum)};
}

/// Where index `d` of the array is in the folded one.
static BerthMixed shiftIndex(const BerthFoldShift *shift, BerthInsertPoint at,
                             intptr_t d, BerthMixed index) {
  if (!shift->mapping && mlirOperationIsNull(shift->loop))
    return d == (intptr_t)shift->window.dim
               ? wrap(at, index, shift->window.size)
               : index;
  if (!shift->mapping)
    return d == (intptr_t)shift->window.dim ? slide(shift, at, index) : index;
  const BerthFoldRow *row = &shift->mapping->rows[d];
  return row->plain ? index
                    : wrap(at, index,
                           berthFoldNumericModulus(shift->mapping, (size_t)d));
}

static MlirValue shiftValue(const BerthFoldShift *shift, BerthInsertPoint at,
                            intptr_t d, MlirValue index) {
  BerthMixed result = shiftIndex(shift, at, d, (BerthMixed){.value = index});
  return result.value;
}

static intptr_t rankOf(const BerthFoldNest *nest) {
  return (intptr_t)mlirShapedTypeGetRank(mlirValueGetType(nest->arrays[0]));
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

static bool mirrors(const BerthFoldShift *shift) {
  return shift->mirror.dim >= 0 &&
         !berthIsBroken(shift->nest->breakRule, "no-mirrored-rows");
}

/// Behind `op`, which is no block's last one.
static BerthInsertPoint insertBehind(MlirOperation op) {
  return berthInsertBefore(mlirOperationGetNextInBlock(op));
}

/// Where the vector has just been written.
static void mirrorVector(const BerthFoldShift *shift, MlirOperation op,
                         const BerthVectorAccess *vector) {
  BerthSubView part = {.rank = rankOf(shift->nest)};
  for (intptr_t d = 0; d < part.rank; ++d) {
    part.offsets[d].value = mlirOperationGetOperand(op, vector->firstIndex + d);
    part.sizes[d].number = vector->extents[d];
    part.strides[d].number = 1;
  }
  berthFoldMirrorBox(&shift->mirror, insertBehind(op), &part);
}

static void shiftVector(const BerthFoldShift *shift,
                        const BerthFoldAccess *access) {
  BerthVectorAccess vector;
  BerthInsertPoint at = berthInsertBefore(access->op);
  if (!berthVectorGetAccess(access->op, &vector))
    return;
  for (intptr_t d = 0; d < rankOf(shift->nest); ++d) {
    intptr_t operand = vector.firstIndex + d;
    MlirValue index = mlirOperationGetOperand(access->op, operand);
    mlirOperationSetOperand(access->op, operand,
                            shiftValue(shift, at, d, index));
  }
  mlirOperationSetOperand(access->op, vector.memref, shift->folded);
  if (vector.isWrite && mirrors(shift))
    mirrorVector(shift, access->op, &vector);
}

/// Behind each op that has written through a view of the array itself.
static void mirrorView(const BerthFoldShift *shift, size_t view,
                       const BerthSubView *part) {
  const BerthFoldNest *nest = shift->nest;
  MlirOperation last = {NULL};
  for (size_t k = 0; k < nest->numAccesses; ++k) {
    const BerthFoldAccess *access = &nest->accesses[k];
    if (!access->isStore || access->view == BERTH_FOLD_NO_VIEW ||
        berthFoldRootView(nest, access->view) != view)
      continue;
    MlirOperation owner = berthFoldMirrorOwner(nest, k);
    if (!mlirOperationEqual(owner, last)) // twice would do no harm
      berthFoldMirrorBox(&shift->mirror, insertBehind(owner), part);
    last = owner;
  }
}

/// Replaces a view of the array itself.
static void shiftView(const BerthFoldShift *shift, size_t number) {
  const BerthFoldView *view = &shift->nest->views[number];
  BerthSubView part; // anew: another array's rewriting may have changed it
  BerthInsertPoint at = berthInsertBefore(view->op);
  if (!berthSubViewGet(view->op, &part))
    return;
  for (intptr_t d = 0; d < part.rank; ++d)
    part.offsets[d] = shiftIndex(shift, at, d, part.offsets[d]);
  if (mirrors(shift))
    mirrorView(shift, number, &part);
  MlirValue shifted = berthSubViewBuild(view->op, shift->folded, &part);
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(view->op, 0), shifted);
  mlirOperationDestroy(view->op);
}

/// Nothing has asked whether a view that nobody uses fits what the array folds
/// to.
static void eraseUnusedViews(const BerthFoldNest *nest) {
  for (size_t v = nest->numViews; v-- > 0;) {
    MlirOperation op = nest->views[v].op;
    if (!mlirOpOperandIsNull(
            mlirValueGetFirstUse(mlirOperationGetResult(op, 0))))
      continue;
    nest->views[v].op = (MlirOperation){NULL};
    mlirOperationDestroy(op);
  }
}

void berthFoldShiftSlices(const BerthFoldShift *shift) {
  const BerthFoldNest *nest = shift->nest;
  eraseUnusedViews(nest);
  for (size_t k = 0; k < nest->numAccesses; ++k)
    if (nest->accesses[k].view == BERTH_FOLD_NO_VIEW &&
        nest->accesses[k].shape == BERTH_FOLD_VECTOR)
      shiftVector(shift, &nest->accesses[k]);
  // Views of views come behind their sources.
  for (size_t v = 0; v < nest->numViews; ++v) {
    const BerthFoldView *view = &nest->views[v];
    if (mlirOperationIsNull(view->op))
      continue;
    if (view->source == BERTH_FOLD_NO_VIEW)
      shiftView(shift, v);
    else
      mlirValueSetType(mlirOperationGetResult(view->op, 0),
                       berthSubViewInferType(view->op));
  }
}

/// An affine access to a ring stays one.
static void wrapAffine(const BerthFoldShift *shift,
                       const BerthFoldAccess *access) {
  MlirAffineMap map =
      mlirAffineMapAttrGetValue(berthAttributeOf(access->op, "map"));
  MlirContext context = mlirOperationGetContext(access->op);
  MlirAffineExpr results[BERTH_FOLD_MAX_DIMS];
  intptr_t rank = mlirAffineMapGetNumResults(map);
  for (intptr_t d = 0; d < rank; ++d)
    results[d] = mlirAffineMapGetResult(map, d);
  unsigned dim = shift->window.dim;
  results[dim] = mlirAffineModExprGet(
      results[dim], mlirAffineConstantExprGet(context, shift->window.size));
  MlirAffineMap wrapped =
      mlirAffineMapGet(context, mlirAffineMapGetNumDims(map),
                       mlirAffineMapGetNumSymbols(map), rank, results);
  berthSetAttribute(access->op, "map", mlirAffineMapAttrGet(wrapped));
  mlirOperationSetOperand(access->op, access->operand, shift->folded);
}

void berthFoldShiftElements(const BerthFoldShift *shift) {
  const BerthFoldNest *nest = shift->nest;
  intptr_t rank = rankOf(nest);
  for (size_t k = 0; k < nest->numAccesses; ++k) {
    const BerthFoldAccess *access = &nest->accesses[k];
    if (access->view != BERTH_FOLD_NO_VIEW ||
        access->shape != BERTH_FOLD_ELEMENT)
      continue;
    if (access->isAffine && mlirOperationIsNull(shift->loop)) {
      wrapAffine(shift, access);
      continue;
    }
    MlirValue subscripts[BERTH_FOLD_MAX_DIMS];
    BerthInsertPoint at = berthInsertBefore(access->op);
    berthFoldSubscripts(at, access, rank, subscripts);
    for (intptr_t d = 0; d < rank; ++d)
      subscripts[d] = shiftValue(shift, at, d, subscripts[d]);
    berthFoldReplaceElement(at, access, shift->folded, (size_t)rank, subscripts,
                            nest->replaced);
  }
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// The original allocation with `rows` instead of the window's dimension. The
/// sizes of all others go to `sizes`.
static MlirValue buildWindow(const BerthFoldNest *nest,
                             const BerthFoldWindow *window, int64_t rows,
                             BerthMixed *sizes) {
  MlirOperation old = mlirOpResultGetOwner(nest->arrays[0]);
  MlirType type = mlirValueGetType(nest->arrays[0]);
  int64_t shape[BERTH_SLICE_MAX_RANK];
  MlirValue dynamic[BERTH_SLICE_MAX_RANK];
  intptr_t numDynamic = 0, operand = 0;
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); ++d) {
    bool isDynamic = mlirShapedTypeIsDynamicDim(type, d);
    shape[d] = mlirShapedTypeGetDimSize(type, d);
    sizes[d] = (BerthMixed){.number = shape[d]};
    if (isDynamic)
      sizes[d].value = mlirOperationGetOperand(old, operand++);
    if (d == (intptr_t)window->dim) {
      shape[d] = rows;
      continue;
    }
    if (isDynamic)
      dynamic[numDynamic++] = sizes[d].value;
  }
  return berthFoldAllocate(nest, berthInsertBefore(old),
                           (size_t)mlirShapedTypeGetRank(type), shape,
                           (int32_t)numDynamic, dynamic);
}

/// Whether this is the iteration to move in: the last one of each `turns`.
static MlirValue buildIsTime(const BerthFoldShift *shift, BerthInsertPoint at) {
  int64_t start = 0, turns = shift->window.turns;
  MlirContext context = mlirLocationGetContext(at.location);
  MlirValue variable = berthFoldVariable(shift->loop, 0);
  berthFoldFirstValue(shift->loop, &start);
  MlirAffineExpr turn = mlirAffineFloorDivExprGet(
      mlirAffineAddExprGet(mlirAffineDimExprGet(context, 0),
                           mlirAffineConstantExprGet(context, -start)),
      mlirAffineConstantExprGet(context, berthFoldStep(shift->loop)));
  turn = mlirAffineModExprGet(turn, mlirAffineConstantExprGet(context, turns));
  return berthBuildCompare(at, BERTH_EQUAL, apply(at, 1, &variable, turn),
                           berthBuildIndex(at, turns - 1));
}

/// At the end of an iteration: what the next one sees too moves to the start. A
/// copy takes no more rows than the window moves by, so that none overlaps.
static void buildMoves(const BerthFoldShift *shift, intptr_t rank,
                       const BerthMixed *sizes, BerthFoldMoves *moves) {
  const BerthFoldWindow *window = &shift->window;
  MlirOperation last = berthBlockGetLast(
      mlirBlockArgumentGetOwner(berthFoldVariable(shift->loop, 0)));
  BerthInsertPoint at = berthInsertBefore(last);
  int64_t step = berthFoldStep(shift->loop),
          rows = berthFoldWindowRows(window, step),
          by = window->slope * step * window->turns;
  if (window->turns > 1)
    at = berthBuildIf(at, buildIsTime(shift, at));
  for (int64_t row = 0; row + by < rows; row += by) {
    int64_t left = rows - by - row;
    BerthSubView part = {.rank = rank};
    for (intptr_t d = 0; d < rank; ++d) {
      part.sizes[d] = sizes[d];
      part.strides[d].number = 1;
    }
    part.sizes[window->dim] = (BerthMixed){.number = left < by ? left : by};
    part.offsets[window->dim].number = row + by;
    MlirValue from = berthSubViewBuildFull(at.before, shift->folded, &part);
    part.offsets[window->dim].number = row;
    MlirValue operands[] = {
        from, berthSubViewBuildFull(at.before, shift->folded, &part)};
    MlirOperation copy =
        berthBuild(at, BERTH_NAME_COPY, 2, operands, 0, NULL, 0, NULL);
    moves->list =
        berthGrow(moves->list, moves->count, &moves->capacity, sizeof copy);
    moves->list[moves->count++] = copy;
  }
}

void berthFoldRewriteWindow(const BerthFoldNest *nest,
                            const BerthFoldWindow *window, MlirOperation loop,
                            BerthFoldMoves *moves) {
  BerthMixed sizes[BERTH_SLICE_MAX_RANK];
  intptr_t rank = rankOf(nest);
  BerthFoldShift shift = {
      .nest = nest,
      .folded =
          buildWindow(nest, window,
                      berthFoldWindowRows(window, berthFoldStep(loop)), sizes),
      .window = *window,
      .mirror.dim = -1,
      .loop = loop};
  berthFoldShiftElements(&shift);
  berthFoldShiftSlices(&shift);
  if (!berthIsBroken(nest->breakRule, "no-window-moves"))
    buildMoves(&shift, rank, sizes, moves);
  berthFoldMoveDeallocs(nest, shift.folded);
  mlirOperationDestroy(mlirOpResultGetOwner(nest->arrays[0]));
}

void berthFoldRewriteRing(const BerthFoldNest *nest,
                          const BerthFoldWindow *window) {
  BerthMixed sizes[BERTH_SLICE_MAX_RANK];
  BerthFoldShift shift = {.nest = nest,
                          .folded =
                              buildWindow(nest, window, window->size, sizes),
                          .window = *window,
                          .mirror.dim = -1};
  berthFoldShiftElements(&shift);
  berthFoldMoveDeallocs(nest, shift.folded);
  mlirOperationDestroy(mlirOpResultGetOwner(nest->arrays[0]));
}
