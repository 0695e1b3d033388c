//===- FoldPlaced.c - Folded arrays that overlap --------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Fold/FoldPlaced.h"
#include "IO/Text/TextBuffer.h"
#include "IR/Facts/Facts.h"
#include "IR/Facts/Versions.h"
#include "IR/Fold/FoldArray.h"
#include "IR/Fold/FoldJoin.h"
#include "IR/Fold/FoldRemarks.h"
#include "IR/Ops/Build.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Arrays of one block, and the ops of it from the first that touches one of
/// them to the last.
typedef struct Group {
  size_t count;
  MlirValue arrays[BERTH_FOLD_MAX_PLACED];
  BerthSegment lives[BERTH_FOLD_MAX_PLACED];
  BerthSegment life;
  bool hasSlices;
  int64_t granule; ///< offsets are multiples of it, in elements
} Group;

//===----------------------------------------------------------------------===//
// Who may be placed
//===----------------------------------------------------------------------===//

/// How many elements the array's own alignment spans; 0 where that is none.
static int64_t granuleOf(MlirValue array) {
  BerthTypeSize size;
  MlirOperation op = mlirOpResultGetOwner(array);
  MlirAttribute attribute = berthAttributeOf(op, "alignment");
  if (mlirAttributeIsNull(attribute))
    return 1;
  int64_t alignment = mlirIntegerAttrGetValueInt(attribute);
  if (berthMemRefGetSize(mlirValueGetType(array), op, &size) != BERTH_SIZE_OK ||
      size.elementBytes < 1)
    return 0;
  if (alignment <= size.elementBytes)
    return size.elementBytes % alignment == 0;
  return alignment % size.elementBytes == 0 ? alignment / size.elementBytes : 0;
}

/// What a load or store promises of its address it promised of the old one.
static bool promisesAlignment(const BerthFoldNest *nest) {
  for (size_t k = 0; k < nest->numAccesses; ++k)
    if (!mlirAttributeIsNull(
            berthAttributeOf(nest->accesses[k].op, "alignment")))
      return true;
  return false;
}

/// Adds the array to the group if all is known of its accesses.
static void addArray(Group *group, MlirValue array, BerthFoldMoves *moves,
                     const BerthFoldPassOptions *options) {
  BerthFoldNest nest;
  BerthFoldRefusal refusal;
  int64_t granule = granuleOf(array);
  if (group->count == BERTH_FOLD_MAX_PLACED || granule == 0 ||
      mlirShapedTypeGetRank(mlirValueGetType(array)) >= BERTH_FOLD_MAX_DIMS ||
      !mlirShapedTypeHasStaticShape(mlirValueGetType(array)) ||
      berthFoldTypeObstacle(array, &options->collect) ||
      (group->count > 0 && !berthFoldAreAlike(group->arrays[0], array)))
    return;
  if (berthFoldNestInit(&nest, 1, &array, moves, options->breakRule,
                        &refusal) &&
      !promisesAlignment(&nest)) {
    BerthSegment life = berthFoldLifeOf(&nest);
    group->lives[group->count] = life;
    group->arrays[group->count++] = array;
    group->hasSlices |= nest.hasSlices;
    group->granule = granule > group->granule ? granule : group->granule;
    if (group->count == 1 || life.lower < group->life.lower)
      group->life.lower = life.lower;
    if (group->count == 1 || life.upper > group->life.upper)
      group->life.upper = life.upper;
  }
  berthFoldNestDestroy(&nest);
}

//===----------------------------------------------------------------------===//
// All others
//===----------------------------------------------------------------------===//

static bool overlap(BerthSegment a, BerthSegment b) {
  return a.lower < b.upper && b.lower < a.upper;
}

static bool isInGroup(const Group *group, MlirOperation op) {
  for (size_t a = 0; a < group->count; ++a)
    if (mlirOperationEqual(mlirOpResultGetOwner(group->arrays[a]), op))
      return true;
  return false;
}

/// The ops of its block that use an allocation; throughout if a view of it may
/// be used by more.
static BerthSegment usesOf(MlirOperation alloc) {
  const BerthSegment throughout = {0, INT32_MAX};
  MlirBlock block = mlirOperationGetBlock(alloc);
  BerthSegment life = {INT32_MAX, 0};
  for (MlirOpOperand use =
           mlirValueGetFirstUse(mlirOperationGetResult(alloc, 0));
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (berthOpIs(op, BERTH_OP_FREE))
      continue;
    if (mlirBlockEqual(mlirOperationGetBlock(op), block) &&
        mlirOperationGetNumResults(op) > 0)
      return throughout;
    while (!mlirOperationIsNull(op) &&
           !mlirBlockEqual(mlirOperationGetBlock(op), block))
      op = mlirOperationGetParentOperation(op);
    if (mlirOperationIsNull(op))
      return throughout;
    int64_t ordinal = berthFoldOrdinal(op);
    life.lower = ordinal < life.lower ? ordinal : life.lower;
    life.upper = ordinal + 1 > life.upper ? ordinal + 1 : life.upper;
  }
  return life;
}

static MlirWalkResult noteAllocation(MlirOperation op, void *userData) {
  bool *found = userData;
  *found |= berthOpIsPlainAllocation(op);
  return *found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

/// Whether a packer could put `op` (or what it allocates inside) where some
/// arrays of the group have died while others live. In one piece of memory the
/// group lives as long as any of its arrays, so that place would be lost.
static bool mayUseGaps(const Group *group, MlirOperation op) {
  int64_t ordinal = berthFoldOrdinal(op);
  bool inside = false;
  if (!berthOpIsPlainAllocation(op)) {
    if (ordinal >= group->life.lower && ordinal < group->life.upper)
      mlirOperationWalk(op, noteAllocation, &inside, MlirWalkPreOrder);
    return inside;
  }
  BerthSegment life = usesOf(op);
  if (!overlap(life, group->life))
    return false;
  bool meetsAll = life.upper - life.lower > 1;
  for (size_t a = 0; a < group->count; ++a)
    meetsAll &= overlap(life, group->lives[a]);
  return !meetsAll;
}

static bool leavesGapsToOthers(const Group *group) {
  MlirBlock block =
      mlirOperationGetBlock(mlirOpResultGetOwner(group->arrays[0]));
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (!isInGroup(group, op) && mayUseGaps(group, op))
      return true;
  return false;
}

//===----------------------------------------------------------------------===//
// On paper
//===----------------------------------------------------------------------===//

/// The array as it is, row by row.
static BerthFoldMapping asItIs(MlirValue array) {
  MlirType type = mlirValueGetType(array);
  BerthFoldMapping mapping = {.method = "as it is", .classModulus = 1};
  mapping.numDims = mapping.numRows = (size_t)mlirShapedTypeGetRank(type);
  for (size_t d = 0; d < mapping.numDims; ++d) {
    BerthFoldRow *row = &mapping.rows[d];
    row->coefficients[d] = 1;
    row->numTerms = 1;
    row->terms[0].constant = mlirShapedTypeGetDimSize(type, (intptr_t)d);
    row->terms[0].divisor = 1;
    row->plain = true;
  }
  return mapping;
}

/// The access is to a view of the whole array.
static bool takesAll(const BerthFoldNest *nest, const BerthFoldAccess *access) {
  MlirType type = mlirValueGetType(nest->arrays[access->array]);
  if (access->view == BERTH_FOLD_NO_VIEW ||
      nest->views[access->view].source != BERTH_FOLD_NO_VIEW)
    return true; // for all that is known here
  const BerthSubView *part = &nest->views[access->view].part;
  for (intptr_t d = 0; d < part->rank; ++d)
    if (mlirValueIsNull(part->sizes[d].value) &&
        part->sizes[d].number < mlirShapedTypeGetDimSize(type, d))
      return false;
  return true;
}

static bool haveOneType(const BerthFoldAccess *a, const BerthFoldAccess *b) {
  return mlirTypeEqual(
      mlirValueGetType(mlirOperationGetOperand(a->op, a->operand)),
      mlirValueGetType(mlirOperationGetOperand(b->op, b->operand)));
}

/// Arrays that a packer may put over one another although they meet, for some
/// op can work in place, on all of both.
static void findInPlace(const BerthFoldNest *nest,
                        BerthFoldShared mayShare[BERTH_FOLD_MAX_PLACED]) {
  for (size_t k = 0; k < nest->numAccesses; ++k)
    for (size_t l = 0; l < nest->numAccesses; ++l) {
      const BerthFoldAccess *read = &nest->accesses[k],
                            *write = &nest->accesses[l];
      if (!read->isLoad || !write->isStore ||
          !mlirOperationEqual(read->op, write->op) || !takesAll(nest, read) ||
          !takesAll(nest, write) || !haveOneType(read, write) ||
          (!berthOpIsCopy(read->op) &&
           !berthOpIsElementwise(read->op, read->operand, write->operand)))
        continue;
      mayShare[read->array].with[write->array] = true;
      mayShare[write->array].with[read->array] = true;
    }
}

//===----------------------------------------------------------------------===//
// In the IR
//===----------------------------------------------------------------------===//

static void announce(const BerthFoldNest *nest, const BerthFoldProblem *problem,
                     const BerthFoldPlacement *placement, int64_t apart) {
  BerthTextBuffer text = {0};
  FILE *stream = berthOrDie(berthTextBufferOpen(&text));
  fprintf(stream, "placed %zu arrays in %lld cells, packed as wholes %lld: ",
          nest->numArrays, (long long)placement->cells, (long long)apart);
  berthFoldPrintPlacement(problem, placement, stream);
  if (fclose(stream) != 0)
    berthOrDie(NULL);
  berthEmitRemark(mlirOpResultGetOwner(nest->arrays[0]), BERTH_REMARK_PASSED,
                  "berth-fold", text.data);
  free(text.data);
}

/// The array's type, starting at `offset` of what it is a view of.
static MlirValue buildView(BerthInsertPoint at, MlirValue pool, MlirValue array,
                           int64_t offset) {
  MlirType type = mlirValueGetType(array);
  MlirContext context = mlirTypeGetContext(type);
  intptr_t rank = (intptr_t)mlirShapedTypeGetRank(type);
  int64_t strides[BERTH_FOLD_MAX_DIMS], stride = 1;
  for (intptr_t d = rank; d-- > 0;) {
    strides[d] = stride;
    stride *= mlirShapedTypeGetDimSize(type, d);
  }
  MlirAttribute layout =
      mlirStridedLayoutAttrGet(context, offset, rank, strides);
  MlirType view =
      berthMemRefWith(type, layout, mlirMemRefTypeGetMemorySpace(type));
  return berthBuildReinterpret(at, view, offset, strides, 1, &pool);
}

/// One allocation, and each array a view of it. Views of the arrays get the
/// types that follow.
static void rewritePlaced(const BerthFoldNest *nest,
                          const BerthFoldPlacement *placement) {
  MlirOperation first = mlirOpResultGetOwner(nest->arrays[0]);
  for (size_t a = 1; a < nest->numArrays; ++a) {
    MlirOperation op = mlirOpResultGetOwner(nest->arrays[a]);
    first = mlirOperationIsBeforeInBlock(op, first) ? op : first;
  }
  BerthInsertPoint at = berthInsertBefore(first);
  MlirValue pool = berthFoldAllocate(nest, at, 1, &placement->cells, 0, NULL);
  berthFoldMoveDeallocs(nest, pool);
  for (size_t a = 0; a < nest->numArrays; ++a)
    mlirValueReplaceAllUsesOfWith(
        nest->arrays[a],
        buildView(at, pool, nest->arrays[a], placement->offsets[a]));
  // Views of views come behind their sources.
  for (size_t v = 0; v < nest->numViews; ++v)
    mlirValueSetType(mlirOperationGetResult(nest->views[v].op, 0),
                     berthSubViewInferType(nest->views[v].op));
  for (size_t a = 0; a < nest->numArrays; ++a)
    mlirOperationDestroy(mlirOpResultGetOwner(nest->arrays[a]));
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

/// Finds the final addresses; whether that is better than whole arrays.
static bool isWorthIt(const BerthFoldNest *nest,
                      const BerthFoldProblem *problem,
                      BerthFoldPlacement *placement, int64_t *apart,
                      BerthStatus *status) {
  BerthFoldShared mayShare[BERTH_FOLD_MAX_PLACED] = {{{false}}};
  findInPlace(nest, mayShare);
  *status = berthFoldPlace(problem, placement, NULL);
  if (*status == BERTH_SUCCESS)
    *status = berthFoldCellsApart(problem, placement, mayShare, apart, NULL);
  return *status == BERTH_SUCCESS && placement->cells < *apart;
}

/// Places the arrays of a group; true if they have been.
static bool placeGroup(const Group *group, BerthFoldMoves *moves,
                       BerthFoldBlocks *blocks,
                       const BerthFoldPassOptions *options) {
  BerthFoldBudget *budget = berthFoldJointBudget(
      blocks, mlirOperationGetBlock(mlirOpResultGetOwner(group->arrays[0])));
  BerthFoldNest nest;
  BerthFoldRefusal refusal;
  BerthFoldProblem *problem = NULL;
  BerthStatus status = BERTH_INVALID;
  int64_t apart = 0;
  bool places = false;
  BerthFoldPlacement *placement = berthAllocateOrDie(1, sizeof *placement);
  for (size_t a = 0; a < group->count; ++a)
    placement->mappings[a] = asItIs(group->arrays[a]);
  placement->numArrays = group->count;
  placement->granule = group->granule;
  if (berthFoldNestInit(&nest, group->count, group->arrays, moves,
                        options->breakRule, &refusal))
    status = berthFoldNestProblem(&nest, berthFoldGrant(budget, budget->left),
                                  &problem, &refusal);
  if (status == BERTH_SUCCESS)
    places = isWorthIt(&nest, problem, placement, &apart, &status);
  if (problem)
    berthFoldCharge(budget, berthFoldProblemOperations(problem));
  if (status == BERTH_RESOURCE)
    berthFoldRemarkUnplaced(&nest, budget);
  if (places) {
    BerthFoldResult none = {0};
    announce(&nest, problem, placement, apart);
    if (options->adjust)
      options->adjust(problem, &none, placement, options->adjustData);
    rewritePlaced(&nest, placement);
  }
  berthFoldProblemDestroy(problem);
  berthFoldNestDestroy(&nest);
  free(placement);
  return places;
}

static bool isTaken(const MlirValue *taken, size_t count, MlirValue array) {
  for (size_t i = 0; i < count; ++i)
    if (mlirValueEqual(taken[i], array))
      return true;
  return false;
}

size_t berthFoldPlaceAll(size_t count, const MlirValue *arrays,
                         BerthFoldMoves *moves, BerthFoldBlocks *blocks,
                         const BerthFoldPassOptions *options) {
  MlirValue *taken = berthAllocateOrDie(count, sizeof *taken);
  size_t numTaken = 0, numPlaced = 0;
  for (size_t i = 0; i < count; ++i) {
    Group group = {.granule = 1};
    for (size_t j = i; j < count; ++j)
      if (!isTaken(taken, numTaken, arrays[j])) {
        size_t before = group.count;
        addArray(&group, arrays[j], moves, options);
        if (j == i && group.count == 0)
          break;
        if (group.count > before)
          taken[numTaken++] = arrays[j];
      }
    if (group.count > 1 && group.hasSlices && !leavesGapsToOthers(&group) &&
        placeGroup(&group, moves, blocks, options))
      numPlaced += group.count;
  }
  free(taken);
  return numPlaced;
}
