//===- IndexSets.c - Which indices accesses take, one by one --------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Bytes/IndexSets.h"
#include "IR/Facts/Facts.h"
#include "IR/Facts/LoopFacts.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/EqualValues.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

enum {
  kMostLoops = 16,
  kMostOuter = 4,
  kMostNodes = 256,
  kMostTurns = 1 << 18,  ///< of the loops of one dimension
  kMostSteps = 1 << 26,  ///< of one question
  kMostExtent = 1 << 22, ///< of a dimension
};

//===----------------------------------------------------------------------===//
// Arithmetic, made ready to be run often
//===----------------------------------------------------------------------===//

typedef enum NodeKind {
  kNumber,
  kVariable,
  kAdd,
  kSubtract,
  kMultiply,
  kMinimum,
  kMaximum
} NodeKind;

/// `a` and `b` are earlier nodes, or `number` is a number or a loop's place.
typedef struct Node {
  NodeKind kind;
  int a, b;
  int64_t number;
  uint32_t loops; ///< a bit for each that it depends on
  /// How often it has each outer variable in it. Nodes are run with these at 0,
  /// so only one that has none of them left is what it says.
  int64_t outer[kMostOuter];
} Node;

typedef struct Program {
  BerthLoopRange loops[kMostLoops];
  int numLoops;
  MlirValue outer[kMostOuter]; ///< one value each while the loops run
  int numOuter;
  Node nodes[kMostNodes];
  int numNodes;
} Program;

enum { kNoNode = -1 };

static int addNode(Program *program, Node node) {
  if (program->numNodes == kMostNodes)
    return kNoNode;
  program->nodes[program->numNodes] = node;
  return program->numNodes++;
}

static int number(Program *program, int64_t value) {
  return addNode(program, (Node){.kind = kNumber, .number = value});
}

static bool hasOuter(const Node *node) {
  for (int i = 0; i < kMostOuter; ++i)
    if (node->outer[i] != 0)
      return true;
  return false;
}

static bool isNumber(const Node *node) {
  return node->kind == kNumber && !hasOuter(node);
}

/// Outer variables in a sum or a multiple. False in anything else.
static bool combineOuter(Node *node, const Node *a, const Node *b) {
  if (node->kind == kMultiply && isNumber(a) && !isNumber(b))
    return combineOuter(node, b, a);
  bool isSum = node->kind == kAdd || node->kind == kSubtract;
  bool isMultiple = node->kind == kMultiply && isNumber(b);
  if (!isSum && !isMultiple)
    return !hasOuter(a) && !hasOuter(b);
  int64_t factorA = isMultiple ? b->number : 1,
          factorB = node->kind == kSubtract ? -1 : 1;
  for (int i = 0; i < kMostOuter; ++i) {
    int64_t more;
    if (__builtin_mul_overflow(a->outer[i], factorA, &node->outer[i]) ||
        __builtin_mul_overflow(b->outer[i], factorB, &more) ||
        __builtin_add_overflow(node->outer[i], more, &node->outer[i]))
      return false;
  }
  return true;
}

static int combine(Program *program, NodeKind kind, int a, int b) {
  if (a == kNoNode || b == kNoNode)
    return kNoNode;
  uint32_t loops = program->nodes[a].loops | program->nodes[b].loops;
  Node node = {.kind = kind, .a = a, .b = b, .loops = loops};
  if (!combineOuter(&node, &program->nodes[a], &program->nodes[b]))
    return kNoNode;
  return addNode(program, node);
}

static int compile(Program *program, MlirValue value);

/// Dimensions are the operands from `first` on, then come symbols.
static int compileExpr(Program *program, MlirAffineExpr expr, MlirOperation op,
                       intptr_t first, intptr_t numDims) {
  if (mlirAffineExprIsAConstant(expr))
    return number(program, mlirAffineConstantExprGetValue(expr));
  if (mlirAffineExprIsADim(expr))
    return compile(program,
                   mlirOperationGetOperand(
                       op, first + mlirAffineDimExprGetPosition(expr)));
  if (mlirAffineExprIsASymbol(expr))
    return compile(program, mlirOperationGetOperand(
                                op, first + numDims +
                                        mlirAffineSymbolExprGetPosition(expr)));
  if (!mlirAffineExprIsAAdd(expr) && !mlirAffineExprIsAMul(expr))
    return kNoNode;
  int a = compileExpr(program, mlirAffineBinaryOpExprGetLHS(expr), op, first,
                      numDims);
  int b = compileExpr(program, mlirAffineBinaryOpExprGetRHS(expr), op, first,
                      numDims);
  return combine(program, mlirAffineExprIsAAdd(expr) ? kAdd : kMultiply, a, b);
}

/// Result `index` of the op's map, or all of them in one by `kind`.
static int compileMap(Program *program, MlirOperation op, intptr_t first,
                      intptr_t index, NodeKind kind) {
  MlirAttribute attribute = berthAttributeOf(op, "map");
  if (mlirAttributeIsNull(attribute) || !mlirAttributeIsAAffineMap(attribute))
    return kNoNode;
  MlirAffineMap map = mlirAffineMapAttrGetValue(attribute);
  intptr_t numResults = mlirAffineMapGetNumResults(map);
  intptr_t numDims = mlirAffineMapGetNumDims(map);
  if (index >= numResults)
    return kNoNode;
  int node = compileExpr(program, mlirAffineMapGetResult(map, index), op, first,
                         numDims);
  bool isOne = kind != kMinimum && kind != kMaximum;
  for (intptr_t i = index + 1; i < numResults && !isOne; ++i)
    node = combine(program, kind, node,
                   compileExpr(program, mlirAffineMapGetResult(map, i), op,
                               first, numDims));
  return node;
}

static int compileOperands(Program *program, MlirOperation op, NodeKind kind) {
  int a = compile(program, mlirOperationGetOperand(op, 0));
  int b = compile(program, mlirOperationGetOperand(op, 1));
  return combine(program, kind, a, b);
}

/// A variable from around the loops. It may cancel out: what a loop moves along
/// with is `%i - %i`.
static int compileOuter(Program *program, MlirValue value) {
  int i = 0;
  while (i < program->numOuter && !mlirValueEqual(program->outer[i], value))
    ++i;
  if (i == kMostOuter)
    return kNoNode;
  if (i == program->numOuter)
    program->outer[program->numOuter++] = value;
  Node node = {.kind = kNumber};
  node.outer[i] = 1;
  return addNode(program, node);
}

static int compile(Program *program, MlirValue value) {
  int64_t constant;
  if (berthValueIsConstant(value, &constant))
    return number(program, constant);
  if (mlirValueIsABlockArgument(value)) {
    for (int i = 0; i < program->numLoops; ++i)
      if (mlirValueEqual(program->loops[i].variable, value))
        return addNode(
            program,
            (Node){.kind = kVariable, .number = i, .loops = UINT32_C(1) << i});
    return compileOuter(program, value);
  }
  MlirOperation op = mlirOpResultGetOwner(value);
  if (!mlirTypeIsAIndex(mlirValueGetType(value)))
    return kNoNode;
  if (berthOpIs(op, BERTH_OP_SUM))
    return compileOperands(program, op, kAdd);
  if (berthOpIs(op, BERTH_OP_DIFFERENCE))
    return compileOperands(program, op, kSubtract);
  if (berthOpIs(op, BERTH_OP_PRODUCT))
    return compileOperands(program, op, kMultiply);
  if (berthOpIs(op, BERTH_OP_APPLY))
    return compileMap(program, op, 0, 0, kAdd);
  if (berthOpIs(op, BERTH_OP_SMALLEST))
    return compileMap(program, op, 0, 0, kMinimum);
  if (berthOpIs(op, BERTH_OP_LARGEST))
    return compileMap(program, op, 0, 0, kMaximum);
  return kNoNode;
}

static bool calculate(NodeKind kind, int64_t a, int64_t b, int64_t *result) {
  switch (kind) {
  case kAdd:
    return !__builtin_add_overflow(a, b, result);
  case kSubtract:
    return !__builtin_sub_overflow(a, b, result);
  case kMultiply:
    return !__builtin_mul_overflow(a, b, result);
  case kMinimum:
    *result = a < b ? a : b;
    return true;
  case kMaximum:
    *result = a > b ? a : b;
    return true;
  case kNumber:
  case kVariable:
    break;
  }
  return false;
}

/// Runs all nodes up to `last` with these variables. False on overflow.
static bool run(const Program *program, const int64_t *variables, int last,
                int64_t *values) {
  for (int i = 0; i <= last; ++i) {
    const Node *node = &program->nodes[i];
    if (node->kind == kNumber)
      values[i] = node->number;
    else if (node->kind == kVariable)
      values[i] = variables[node->number];
    else if (!calculate(node->kind, values[node->a], values[node->b],
                        &values[i]))
      return false;
  }
  return true;
}

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

static int compileMixed(Program *program, BerthMixed mixed) {
  return mlirValueIsNull(mixed.value) ? number(program, mixed.number)
                                      : compile(program, mixed.value);
}

/// A part of the view, by unit strides.
static bool takeSubView(Program *program, const BerthSubView *view,
                        Taken *taken) {
  Taken before = *taken;
  taken->rank = 0;
  for (intptr_t d = 0; d < view->rank; ++d) {
    intptr_t base = before.baseOf[d];
    if (!mlirValueIsNull(view->strides[d].value) ||
        view->strides[d].number != 1)
      return false;
    taken->start[base] = combine(program, kAdd, taken->start[base],
                                 compileMixed(program, view->offsets[d]));
    taken->size[base] = compileMixed(program, view->sizes[d]);
    if (view->results[d] >= 0)
      taken->baseOf[taken->rank++] = base;
  }
  return true;
}

static bool takeBase(Program *program, MlirValue base, Taken *taken) {
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
    taken->start[d] = number(program, 0);
    taken->size[d] = number(program, extent);
  }
  return true;
}

/// From the base to the view that the op is given.
static bool takeView(Program *program, MlirValue value, MlirValue base,
                     Taken *taken) {
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
  bool isSame =
      mlirTypeEqual(mlirValueGetType(value), mlirValueGetType(source));
  return berthOpIs(view, BERTH_OP_CAST) || (isSame && berthViewIsWhole(view));
}

/// `sizes` in each dimension from the op's subscripts on; NULL: one element.
static bool takeSubscripts(Program *program, MlirOperation op, intptr_t memref,
                           const int64_t *sizes, Taken *taken) {
  for (intptr_t d = 0; d < taken->rank; ++d) {
    int at =
        berthOpIsAffine(op)
            ? compileMap(program, op, memref + 1, d, kAdd)
            : compile(program, mlirOperationGetOperand(op, memref + 1 + d));
    intptr_t base = taken->baseOf[d];
    taken->start[base] = combine(program, kAdd, taken->start[base], at);
    taken->size[base] = number(program, sizes ? sizes[d] : 1);
  }
  return true;
}

static bool takeWrite(Program *program, MlirOperation op, intptr_t operand,
                      MlirValue base, Taken *taken) {
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
static bool findLoops(Program *program, MlirOperation op, MlirOperation top) {
  while (!mlirOperationEqual(op, top)) {
    BerthLoopRange ranges[BERTH_LOOP_MAX_RANK];
    op = mlirOperationGetParentOperation(op);
    intptr_t count = berthLoopGetRanges(op, ranges);
    if (count < 0 || program->numLoops + count > kMostLoops)
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
static bool nextTurn(const Program *program, uint32_t loops, int64_t *turns,
                     int64_t *variables) {
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

static bool isBig(const Program *program, uint32_t loops) {
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
  for (int64_t i = start < 0 ? 0 : start; i < end && i < extent; ++i)
    words[i / 64] |= UINT64_C(1) << (i % 64);
}

static bool runDimension(const Program *program, const Taken *taken,
                         intptr_t dim, int64_t extent, uint32_t *loops,
                         uint64_t *words) {
  int start = taken->start[dim], size = taken->size[dim];
  if (start == kNoNode || size == kNoNode || hasOuter(&program->nodes[start]) ||
      hasOuter(&program->nodes[size]))
    return false;
  uint32_t own = program->nodes[start].loops | program->nodes[size].loops;
  if (own & *loops || isBig(program, own))
    return false;
  for (int i = 0; i < program->numLoops; ++i)
    if (own >> i & 1 && program->loops[i].count > 1)
      *loops |= UINT32_C(1) << i;
  int64_t turns[kMostLoops] = {0}, variables[kMostLoops], values[kMostNodes];
  for (int i = 0; i < program->numLoops; ++i)
    variables[i] = program->loops[i].lower;
  do {
    if (!run(program, variables, start > size ? start : size, values))
      return false;
    addIndices(words, extent, values[start], values[size]);
  } while (nextTurn(program, own, turns, variables));
  return true;
}

BerthIndexSets berthIndexSetsOf(MlirOperation op, intptr_t operand,
                                MlirValue base, MlirOperation top,
                                BerthMemory *memory) {
  BerthIndexSets sets = {.isKnown = false};
  Program *program = berthAllocateOrDie(1, sizeof *program);
  Taken taken;
  sets.isKnown = findLoops(program, op, top) &&
                 takeWrite(program, op, operand, base, &taken);
  uint32_t loops = 0;
  for (intptr_t d = 0; sets.isKnown && d < taken.baseRank; ++d) {
    int64_t extent = mlirShapedTypeGetDimSize(mlirValueGetType(base), d);
    sets.words[d] = BERTH_NEW(memory, uint64_t, (size_t)extent / 64 + 1);
    sets.isKnown =
        runDimension(program, &taken, d, extent, &loops, sets.words[d]);
  }
  free(program);
  return sets;
}

//===----------------------------------------------------------------------===//
// Together
//===----------------------------------------------------------------------===//

typedef struct Cover {
  MlirType type;
  int64_t steps;
} Cover;

/// True if those sets have all indices of the last dimension.
static bool coversLast(Cover *cover, const BerthIndexSets *const *sets,
                       size_t count) {
  intptr_t dim = mlirShapedTypeGetRank(cover->type) - 1;
  int64_t extent = mlirShapedTypeGetDimSize(cover->type, dim);
  for (int64_t at = 0; at < extent; at += 64) {
    uint64_t all = extent - at < 64 ? UINT64_MAX << (extent - at) : 0;
    for (size_t k = 0; k < count; ++k)
      all |= sets[k]->words[dim][at / 64];
    cover->steps -= (int64_t)count + 1;
    if (all != UINT64_MAX || cover->steps < 0)
      return false;
  }
  return true;
}

/// True if those sets cover all dimensions from `dim` on. In each index of a
/// dimension those count that have it; neighbours mostly have the same ones.
static bool coversFrom(Cover *cover, intptr_t dim,
                       const BerthIndexSets *const *sets, size_t count) {
  if (count == 0 || dim == mlirShapedTypeGetRank(cover->type))
    return count > 0;
  if (dim + 1 == mlirShapedTypeGetRank(cover->type))
    return coversLast(cover, sets, count);
  const BerthIndexSets **some = berthAllocateOrDie(2 * count, sizeof *some);
  const BerthIndexSets **last = some + count;
  size_t numLast = 0;
  bool result = true;
  int64_t extent = mlirShapedTypeGetDimSize(cover->type, dim);
  for (int64_t i = 0; i < extent && result; ++i) {
    size_t n = 0;
    for (size_t k = 0; k < count; ++k)
      if (sets[k]->words[dim][i / 64] >> (i % 64) & 1)
        some[n++] = sets[k];
    cover->steps -= (int64_t)count + 1;
    bool isLast = i > 0 && n == numLast &&
                  (n == 0 || memcmp(some, last, n * sizeof *some) == 0);
    if (isLast)
      continue;
    result = n > 0 && cover->steps > 0 && coversFrom(cover, dim + 1, some, n);
    if (n)
      memcpy(last, some, n * sizeof *some);
    numLast = n;
  }
  free(some);
  return result;
}

bool berthIndexSetsCover(const BerthIndexSets *const *sets, size_t count,
                         MlirType type) {
  Cover cover = {type, kMostSteps};
  return coversFrom(&cover, 0, sets, count);
}
