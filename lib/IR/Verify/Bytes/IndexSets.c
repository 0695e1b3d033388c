//===- IndexSets.c - Which indices accesses take, one by one --------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Bytes/IndexSets.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Verify/Bytes/IndexPrograms.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

enum {
  kMostTurns = 1 << 18,  ///< of the loops of one dimension
  kMostSteps = 1 << 26,  ///< of one question
  kMostExtent = 1 << 22, ///< of a dimension
};

//===----------------------------------------------------------------------===//
// What an access takes
//===----------------------------------------------------------------------===//

/// Of each dimension of the base where it begins and how much it is; of each of
/// the view at hand which of these it is.
typedef struct Taken {
  intptr_t rank, baseRank;
  intptr_t baseOf[BERTH_SLICE_MAX_RANK];
  int start[BERTH_SLICE_MAX_RANK];
  int size[BERTH_SLICE_MAX_RANK];
} Taken;

/// A part of the view, by unit strides.
static bool takeSubView(BerthIndexProgram *program, const BerthSubView *view,
                        Taken *taken) {
  Taken before = *taken;
  taken->rank = 0;
  for (intptr_t d = 0; d < view->rank; ++d) {
    intptr_t base = before.baseOf[d];
    if (!mlirValueIsNull(view->strides[d].value) ||
        view->strides[d].number != 1)
      return false;
    taken->start[base] =
        berthIndexCombine(program, BERTH_INDEX_ADD, taken->start[base],
                          berthIndexCompileMixed(program, view->offsets[d]));
    taken->size[base] = berthIndexCompileMixed(program, view->sizes[d]);
    if (view->results[d] >= 0)
      taken->baseOf[taken->rank++] = base;
  }
  return true;
}

static bool takeBase(BerthIndexProgram *program, MlirValue base, Taken *taken) {
  MlirType type = mlirValueGetType(base);
  *taken = (Taken){.rank = mlirShapedTypeGetRank(type)};
  taken->baseRank = taken->rank;
  if (taken->rank > BERTH_SLICE_MAX_RANK)
    return false;
  for (intptr_t d = 0; d < taken->rank; ++d) {
    int64_t extent = mlirShapedTypeGetDimSize(type, d);
    if (extent > kMostExtent)
      return false;
    taken->baseOf[d] = d;
    taken->start[d] = berthIndexNumber(program, 0);
    taken->size[d] = berthIndexNumber(program, extent);
  }
  return true;
}

/// True if elements at equal subscripts are the same ones, however the layout
/// is put (`strided<[1]>`, or none).
static bool haveOneForm(MlirType a, MlirType b) {
  int64_t strides[2][BERTH_SLICE_MAX_RANK], offsets[2];
  if (mlirTypeEqual(a, b))
    return true;
  intptr_t rank = mlirTypeIsAMemRef(a) ? mlirShapedTypeGetRank(a) : -1;
  bool isOne =
      rank >= 0 && rank <= BERTH_SLICE_MAX_RANK && mlirTypeIsAMemRef(b) &&
      rank == mlirShapedTypeGetRank(b) && mlirShapedTypeHasStaticShape(a) &&
      mlirTypeEqual(mlirShapedTypeGetElementType(a),
                    mlirShapedTypeGetElementType(b)) &&
      mlirLogicalResultIsSuccess(
          mlirMemRefTypeGetStridesAndOffset(a, strides[0], &offsets[0])) &&
      mlirLogicalResultIsSuccess(
          mlirMemRefTypeGetStridesAndOffset(b, strides[1], &offsets[1])) &&
      offsets[0] == 0 && offsets[1] == 0;
  for (intptr_t d = 0; isOne && d < rank; ++d)
    isOne = mlirShapedTypeGetDimSize(a, d) == mlirShapedTypeGetDimSize(b, d) &&
            strides[0][d] == strides[1][d] && strides[0][d] > 0;
  return isOne;
}

/// From the base to the view that the op is given.
static bool takeView(BerthIndexProgram *program, MlirValue value,
                     MlirValue base, Taken *taken) {
  if (mlirValueEqual(value, base))
    return takeBase(program, base, taken);
  if (!mlirValueIsAOpResult(value))
    return false;
  MlirOperation view = mlirOpResultGetOwner(value);
  MlirValue source = berthViewGetSource(view);
  if (mlirValueIsNull(source) || !takeView(program, source, base, taken))
    return false;
  BerthSubView part;
  if (berthSubViewGet(view, &part))
    return takeSubView(program, &part, taken);
  return berthOpIs(view, BERTH_OP_CAST) ||
         (berthViewIsWhole(view) &&
          haveOneForm(mlirValueGetType(value), mlirValueGetType(source)));
}

/// `sizes` in each dimension from the op's subscripts on; NULL: one element.
static bool takeSubscripts(BerthIndexProgram *program, MlirOperation op,
                           intptr_t memref, const int64_t *sizes,
                           Taken *taken) {
  for (intptr_t d = 0; d < taken->rank; ++d) {
    int at =
        berthOpIsAffine(op)
            ? berthIndexCompileMap(program, op, memref + 1, d, BERTH_INDEX_ADD)
            : berthIndexCompile(program,
                                mlirOperationGetOperand(op, memref + 1 + d));
    intptr_t base = taken->baseOf[d];
    taken->start[base] =
        berthIndexCombine(program, BERTH_INDEX_ADD, taken->start[base], at);
    taken->size[base] = berthIndexNumber(program, sizes ? sizes[d] : 1);
  }
  return true;
}

static bool takeWrite(BerthIndexProgram *program, MlirOperation op,
                      intptr_t operand, MlirValue base, Taken *taken) {
  BerthVectorAccess vector;
  if (!takeView(program, mlirOperationGetOperand(op, operand), base, taken))
    return false;
  MlirOperation callee;
  if (berthOpGetCallee(op, &callee) || berthOpFullyOverwrites(op, operand))
    return true; // of a call somebody else has found it to be so
  if (berthOpIsElementAccess(op))
    return takeSubscripts(program, op, operand, NULL, taken);
  return berthVectorGetAccess(op, &vector) && vector.isWrite &&
         !vector.isMasked && vector.memref == operand &&
         takeSubscripts(program, op, operand, vector.extents, taken);
}

//===----------------------------------------------------------------------===//
// Running the loops
//===----------------------------------------------------------------------===//

/// The loops around the op up to `top`. False where something else stands
/// between, or a loop has no turns.
static bool findLoops(BerthIndexProgram *program, MlirOperation op,
                      MlirOperation top) {
  while (!mlirOperationEqual(op, top)) {
    BerthLoopRange ranges[BERTH_LOOP_MAX_RANK];
    op = mlirOperationGetParentOperation(op);
    intptr_t count = berthLoopGetRanges(op, ranges);
    if (count < 0 || program->numLoops + count > BERTH_INDEX_MOST_LOOPS)
      return false;
    for (intptr_t i = 0; i < count; ++i) {
      if (ranges[i].count == 0)
        return false;
      program->loops[program->numLoops++] = ranges[i];
    }
  }
  return true;
}

/// The next turn of those loops; false behind the last one.
static bool nextTurn(const BerthIndexProgram *program, uint32_t loops,
                     int64_t *turns, int64_t *variables) {
  for (int i = 0; i < program->numLoops; ++i) {
    if (!(loops >> i & 1))
      continue;
    const BerthLoopRange *range = &program->loops[i];
    turns[i] = turns[i] + 1 < range->count ? turns[i] + 1 : 0;
    variables[i] = range->lower + range->step * turns[i];
    if (turns[i] > 0)
      return true;
  }
  return false;
}

static bool isBig(const BerthIndexProgram *program, uint32_t loops) {
  int64_t turns = 1;
  for (int i = 0; i < program->numLoops; ++i)
    if (loops >> i & 1 &&
        (__builtin_mul_overflow(turns, program->loops[i].count, &turns) ||
         turns > kMostTurns))
      return true;
  return false;
}

static void addIndices(uint64_t *words, int64_t extent, int64_t start,
                       int64_t size) {
  int64_t end;
  if (__builtin_add_overflow(start, size, &end))
    return;
  if (start < 0)
    start = 0;
  if (end > extent)
    end = extent;
  for (int64_t at = start; at < end; at = (at / 64 + 1) * 64) {
    uint64_t bits = UINT64_MAX << (at % 64);
    if (end - at < 64 - at % 64)
      bits &= ~(UINT64_MAX << (end % 64));
    words[at / 64] |= bits;
  }
}

/// A variable that counts one by one comes to all of its values, and nobody
/// needs to count along.
static bool takesAllInTurn(const BerthIndexProgram *program,
                           const BerthIndexNode *start,
                           const BerthIndexNode *size, int64_t extent,
                           uint64_t *words) {
  if (start->kind != BERTH_INDEX_VARIABLE || size->kind != BERTH_INDEX_NUMBER ||
      size->number < 1)
    return false;
  const BerthLoopRange *range = &program->loops[start->number];
  int64_t count;
  if (range->step != 1 ||
      __builtin_add_overflow(range->count, size->number - 1, &count))
    return false;
  addIndices(words, extent, range->lower, count);
  return true;
}

static bool runDimension(const BerthIndexProgram *program, const Taken *taken,
                         intptr_t dim, int64_t extent, uint32_t *loops,
                         uint64_t *words) {
  int start = taken->start[dim], size = taken->size[dim];
  if (!berthIndexIsKnown(program, start) || !berthIndexIsKnown(program, size))
    return false;
  uint32_t own = program->nodes[start].loops | program->nodes[size].loops;
  if (own & *loops || isBig(program, own))
    return false;
  for (int i = 0; i < program->numLoops; ++i)
    if (own >> i & 1 && program->loops[i].count > 1)
      *loops |= UINT32_C(1) << i;
  if (takesAllInTurn(program, &program->nodes[start], &program->nodes[size],
                     extent, words))
    return true;
  int64_t turns[BERTH_INDEX_MOST_LOOPS] = {0},
          variables[BERTH_INDEX_MOST_LOOPS], values[BERTH_INDEX_MOST_NODES];
  for (int i = 0; i < program->numLoops; ++i)
    variables[i] = program->loops[i].lower;
  do {
    if (!berthIndexRun(program, variables, start > size ? start : size, values))
      return false;
    addIndices(words, extent, values[start], values[size]);
  } while (nextTurn(program, own, turns, variables));
  return true;
}

BerthIndexSets berthIndexSetsOf(MlirOperation op, intptr_t operand,
                                MlirValue base, MlirOperation top,
                                BerthMemory *memory) {
  BerthIndexSets sets = {.isKnown = false};
  BerthIndexProgram program;
  berthIndexBegin(&program);
  Taken taken;
  sets.isKnown = findLoops(&program, op, top) &&
                 takeWrite(&program, op, operand, base, &taken);
  uint32_t loops = 0;
  for (intptr_t d = 0; sets.isKnown && d < taken.baseRank; ++d) {
    int64_t extent = mlirShapedTypeGetDimSize(mlirValueGetType(base), d);
    sets.words[d] = BERTH_NEW(memory, uint64_t, (size_t)extent / 64 + 1);
    sets.isKnown =
        runDimension(&program, &taken, d, extent, &loops, sets.words[d]);
  }
  return sets;
}

//===----------------------------------------------------------------------===//
// Together
//===----------------------------------------------------------------------===//

typedef struct Cover {
  MlirType type;
  int64_t steps;
} Cover;

/// The part of a stretch that is in the `index`-th of rows so long, counted
/// from where that begins.
static BerthStretch stretchInRow(BerthStretch stretch, int64_t index,
                                 int64_t length) {
  int64_t begin = index * length;
  int64_t lower = stretch.lower > begin ? stretch.lower - begin : 0;
  int64_t upper =
      stretch.upper < begin + length ? stretch.upper - begin : length;
  return (BerthStretch){lower, upper};
}

/// True if those sets have all indices of the last dimension in the stretch.
static bool coversLast(Cover *cover, const BerthIndexSets *const *sets,
                       size_t count, BerthStretch stretch) {
  intptr_t dim = mlirShapedTypeGetRank(cover->type) - 1;
  int64_t first = stretch.lower / 64 * 64;
  for (int64_t at = first; at < stretch.upper; at += 64) {
    uint64_t all =
        stretch.upper - at < 64 ? UINT64_MAX << (stretch.upper - at) : 0;
    if (stretch.lower > at)
      all |= ~(UINT64_MAX << (stretch.lower - at));
    for (size_t k = 0; k < count; ++k)
      all |= sets[k]->words[dim][at / 64];
    cover->steps -= (int64_t)count + 1;
    if (all != UINT64_MAX || cover->steps < 0)
      return false;
  }
  return true;
}

/// The elements that one index of a dimension stands for.
static int64_t elementsBehind(MlirType type, intptr_t dim) {
  int64_t count = 1;
  for (intptr_t d = dim + 1; d < mlirShapedTypeGetRank(type); ++d)
    count *= mlirShapedTypeGetDimSize(type, d);
  return count;
}

/// True if those sets cover all dimensions from `dim` on, in the stretch. In
/// each index of a dimension those count that have it; neighbours mostly have
/// the same ones.
static bool coversFrom(Cover *cover, intptr_t dim,
                       const BerthIndexSets *const *sets, size_t count,
                       BerthStretch stretch) {
  if (count == 0 || dim == mlirShapedTypeGetRank(cover->type))
    return count > 0;
  if (dim + 1 == mlirShapedTypeGetRank(cover->type))
    return coversLast(cover, sets, count, stretch);
  const BerthIndexSets **some = berthAllocateOrDie(2 * count, sizeof *some);
  const BerthIndexSets **last = some + count;
  size_t numLast = 0;
  BerthStretch stretchOfLast = {0};
  bool result = true;
  int64_t extent = mlirShapedTypeGetDimSize(cover->type, dim);
  int64_t length = elementsBehind(cover->type, dim);
  for (int64_t i = 0; i < extent && result; ++i) {
    BerthStretch inRow = stretchInRow(stretch, i, length);
    if (inRow.lower >= inRow.upper)
      continue;
    size_t n = 0;
    for (size_t k = 0; k < count; ++k)
      if (sets[k]->words[dim][i / 64] >> (i % 64) & 1)
        some[n++] = sets[k];
    cover->steps -= (int64_t)count + 1;
    bool isLast = n > 0 && n == numLast && inRow.lower == stretchOfLast.lower &&
                  inRow.upper == stretchOfLast.upper &&
                  memcmp(some, last, n * sizeof *some) == 0;
    if (isLast)
      continue;
    result =
        n > 0 && cover->steps > 0 && coversFrom(cover, dim + 1, some, n, inRow);
    if (n)
      memcpy(last, some, n * sizeof *some);
    numLast = n;
    stretchOfLast = inRow;
  }
  free(some);
  return result;
}

bool berthIndexSetsCover(const BerthIndexSets *const *sets, size_t count,
                         MlirType type, BerthStretch stretch) {
  Cover cover = {type, kMostSteps};
  return coversFrom(&cover, 0, sets, count, stretch);
}
