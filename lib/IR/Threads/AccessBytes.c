//===- AccessBytes.c - Which bytes of a buffer an op touches --------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Threads/AccessBytes.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Fragments.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Rules.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <string.h>

/// Steps that may be spent, for an access and for all of them.
enum { kAccessSteps = 1 << 19, kAllSteps = 1 << 24 };

void berthAccessBytesStart(BerthAccessBytes *search, const BerthScope *scope,
                           const char *breakRule) {
  *search = (BerthAccessBytes){
      .scope = scope, .breakRule = breakRule, .stepsLeft = kAllSteps};
  berthThreadNumbersStart(&search->numbers, scope->op);
  if (berthIsBroken(breakRule, "one-row"))
    search->numbers.shape[1] = search->numbers.shape[2] = 1;
}

void berthAccessBytesFree(BerthAccessBytes *search) {
  berthThreadNumbersFree(&search->numbers);
}

void berthAccessBytesEnter(BerthAccessBytes *search,
                           const BerthBufferInfo *info) {
  search->info = info;
  for (size_t i = 0; i < info->numAliases; ++i)
    berthPointerMapInsert(&search->aliases, info->aliases[i].ptr, 1);
  search->owners = berthAllocateOrDie((size_t)info->size, sizeof(uint16_t));
  berthAccessBytesClear(search);
}

void berthAccessBytesLeave(BerthAccessBytes *search) {
  free(search->owners);
  search->owners = NULL;
  berthPointerMapFree(&search->aliases);
  search->aliases = (BerthPointerMap){0};
}

void berthAccessBytesClear(BerthAccessBytes *search) {
  memset(search->owners, 0xff,
         (size_t)search->info->size * sizeof *search->owners);
  search->lower = search->info->size;
  search->upper = 0;
}

//===----------------------------------------------------------------------===//
// Where a value begins
//===----------------------------------------------------------------------===//

/// Elements of fewer bits may come to share bytes when they are lowered.
static bool fillsBytes(MlirType element) {
  if (mlirTypeIsAVector(element))
    element = mlirShapedTypeGetElementType(element);
  if (mlirTypeIsAInteger(element))
    return mlirIntegerTypeGetWidth(element) % 8 == 0;
  return !mlirTypeIsAFloat(element) || mlirFloatTypeGetWidth(element) % 8 == 0;
}

/// Fills in the strides that the type tells. False unless they are numbers,
/// none below 0.
static bool readLayout(BerthAccessBytes *search, MlirType type) {
  BerthTypeSize size;
  int64_t offset, strides[BERTH_SLICE_MAX_RANK];
  if (!berthMemRefGetStrides(type, strides, &offset) ||
      !fillsBytes(mlirShapedTypeGetElementType(type)))
    return false;
  BerthSizeResult result = berthMemRefGetSize(type, search->scope->op, &size);
  if (result != BERTH_SIZE_OK && result != BERTH_SIZE_DYNAMIC)
    return false;
  search->elementBytes = size.elementBytes;
  search->rank = (size_t)mlirShapedTypeGetRank(type);
  for (size_t d = 0; d < search->rank; ++d) {
    if (strides[d] < 0)
      return false;
    search->strides[d] = strides[d] * size.elementBytes;
  }
  return true;
}

static uint32_t addMixed(BerthThreadNumbers *numbers, BerthMixed mixed) {
  return mlirValueIsNull(mixed.value)
             ? berthThreadNumbersAddConstant(numbers, mixed.number)
             : berthThreadNumbersAdd(numbers, mixed.value);
}

static bool placeOf(BerthAccessBytes *search, MlirValue value, int depth);

static bool placeOfSubView(BerthAccessBytes *search, MlirValue source,
                           const BerthSubView *view, int depth) {
  if (!placeOf(search, source, depth))
    return false;
  int64_t strides[BERTH_SLICE_MAX_RANK];
  size_t rank = 0;
  for (intptr_t d = 0; d < view->rank; ++d) {
    uint32_t shift = berthThreadNumbersAddMultiple(
        &search->numbers, addMixed(&search->numbers, view->offsets[d]),
        search->strides[d]);
    search->start =
        berthThreadNumbersAddSum(&search->numbers, search->start, shift);
    if (!mlirValueIsNull(view->strides[d].value) || view->strides[d].number < 0)
      return false;
    if (view->results[d] >= 0)
      strides[rank++] = search->strides[d] * view->strides[d].number;
  }
  memcpy(search->strides, strides, rank * sizeof *strides);
  search->rank = rank;
  return search->start != BERTH_NO_STEP;
}

/// The value's first byte in the buffer, as a step, and its strides.
static bool placeOf(BerthAccessBytes *search, MlirValue value, int depth) {
  enum { kDeepest = 16 };
  if (mlirValueEqual(value, search->info->value)) {
    MlirType type = mlirValueGetType(value);
    if (!readLayout(search, type) ||
        !mlirAffineMapIsIdentity(mlirMemRefTypeGetAffineMap(type)))
      return false;
    search->start = berthThreadNumbersAddConstant(&search->numbers, 0);
    return search->start != BERTH_NO_STEP;
  }
  if (depth == kDeepest || !mlirValueIsAOpResult(value))
    return false;
  MlirOperation op = mlirOpResultGetOwner(value);
  MlirValue source = berthViewGetSource(op);
  BerthSubView view;
  if (mlirValueIsNull(source))
    return false;
  if (berthSubViewGet(op, &view))
    return placeOfSubView(search, source, &view, depth + 1);
  bool isView = berthOpIs(op, BERTH_OP_VIEW);
  // Of the very same bytes, and no stride is negative: the same first one.
  if (!isView && !berthViewIsWhole(op))
    return false;
  if (!placeOf(search, source, depth + 1))
    return false;
  if (isView)
    search->start = berthThreadNumbersAddSum(
        &search->numbers, search->start,
        berthThreadNumbersAdd(&search->numbers,
                              mlirOperationGetOperand(op, 1)));
  return search->start != BERTH_NO_STEP &&
         readLayout(search, mlirValueGetType(value));
}

//===----------------------------------------------------------------------===//
// What an op touches from there on
//===----------------------------------------------------------------------===//

/// The subscript in dimension d of a load or store of elements or vectors.
static uint32_t addSubscript(BerthAccessBytes *search, MlirOperation op,
                             intptr_t first, size_t d) {
  MlirAttribute attribute = berthAttributeOf(op, "map");
  if (!berthOpIsAffine(op))
    return berthThreadNumbersAdd(
        &search->numbers, mlirOperationGetOperand(op, first + (intptr_t)d));
  if (mlirAttributeIsNull(attribute) || !mlirAttributeIsAAffineMap(attribute))
    return BERTH_NO_STEP;
  MlirAffineMap map = mlirAffineMapAttrGetValue(attribute);
  return berthThreadNumbersAddExpr(&search->numbers,
                                   mlirAffineMapGetResult(map, (intptr_t)d), op,
                                   first, mlirAffineMapGetNumDims(map));
}

static bool placeSubscripts(BerthAccessBytes *search, MlirOperation op,
                            intptr_t first) {
  for (size_t d = 0; d < search->rank; ++d) {
    uint32_t subscript = addSubscript(search, op, first, d);
    search->start = berthThreadNumbersAddSum(
        &search->numbers, search->start,
        berthThreadNumbersAddMultiple(&search->numbers, subscript,
                                      search->strides[d]));
  }
  return search->start != BERTH_NO_STEP;
}

/// One element.
static bool placeElement(BerthAccessBytes *search, MlirOperation op,
                         intptr_t operand) {
  BerthOperandRole role = berthOpGetRole(op, operand);
  if (role != BERTH_OPERAND_READ && role != BERTH_OPERAND_WRITTEN)
    return false;
  for (size_t d = 0; d < search->rank; ++d)
    search->extents[d] = 1;
  return placeSubscripts(search, op, operand + 1);
}

/// All that the value addresses.
static bool placeWhole(BerthAccessBytes *search, MlirType type) {
  for (size_t d = 0; d < search->rank; ++d) {
    if (mlirShapedTypeIsDynamicDim(type, (intptr_t)d))
      return false;
    search->extents[d] = mlirShapedTypeGetDimSize(type, (intptr_t)d);
  }
  return true;
}

/// True if the op touches memory only while it runs, and only what its operands
/// address.
static bool isPlain(MlirOperation op) {
  MlirOperation callee;
  return berthOpIsPlainAccess(op) && !berthOpGetCallee(op, &callee) &&
         !berthOpIsDescribed(op) && !berthOpIsAsync(op) &&
         !berthOpIsOtherProxy(op) && !berthOpIsTransfer(op) &&
         !berthOpLetsEscape(op) && !berthOpStartsAnyAsync(op) &&
         !berthOpIsParallel(op);
}

/// True if a thread runs the op by itself, in the order of its program.
static bool isInOrder(const BerthAccessBytes *search, MlirOperation op) {
  for (op = mlirOperationGetParentOperation(op);
       !mlirOperationEqual(op, search->scope->op);
       op = mlirOperationGetParentOperation(op))
    if (!berthOpIsRegionBranch(op) || berthOpIsParallel(op) ||
        berthOpIsAsync(op) || berthOpIsDescribed(op))
      return false;
  return true;
}

/// A matrix that the lanes of a subgroup take together.
static bool placeFragment(BerthAccessBytes *search, MlirOperation op,
                          const BerthFragmentAccess *fragment) {
  if (search->rank == 0 ||
      search->strides[search->rank - 1] != search->elementBytes ||
      !placeSubscripts(search, op, fragment->firstIndex))
    return false;
  bool isTransposed = fragment->isTransposed;
  search->rank = 2;
  search->extents[0] = isTransposed ? fragment->columns : fragment->rows;
  search->extents[1] = isTransposed ? fragment->rows : fragment->columns;
  search->strides[0] = fragment->lead * search->elementBytes;
  search->strides[1] = search->elementBytes;
  return true;
}

/// True if the rows of the matrix are those of the memref.
static bool isOfRows(const BerthAccessBytes *search,
                     const BerthFragmentAccess *fragment) {
  size_t rank = search->rank;
  return !fragment->isTransposed && rank >= 2 &&
         search->strides[rank - 2] == fragment->lead * search->elementBytes;
}

/// Which lane touches which element is not known; nor all of it, perhaps.
static bool placeAnyFragment(BerthAccessBytes *search, MlirOperation op,
                             intptr_t operand) {
  BerthFragmentAccess fragment;
  MlirValue value = mlirOperationGetOperand(op, operand);
  if (!berthFragmentGetAccess(op, &fragment) || fragment.memref != operand)
    return false;
  if (placeFragment(search, op, &fragment))
    return true;
  search->isRange = true;
  berthThreadNumbersClear(&search->numbers);
  berthThreadNumbersAddGuards(&search->numbers, op);
  return placeOf(search, value, 0) && isOfRows(search, &fragment) &&
         placeWhole(search, mlirValueGetType(value));
}

static bool isFragment(MlirOperation op) {
  return berthOpIs(op, BERTH_OP_FRAGMENT_LOAD) ||
         berthOpIs(op, BERTH_OP_FRAGMENT_STORE);
}

/// How the op touches the buffer by this operand.
static bool placeOperand(BerthAccessBytes *search, MlirOperation op,
                         intptr_t operand) {
  MlirValue value = mlirOperationGetOperand(op, operand);
  BerthVectorAccess vector;
  berthThreadNumbersClear(&search->numbers);
  berthThreadNumbersAddGuards(&search->numbers, op);
  if (!placeOf(search, value, 0))
    return false;
  bool isVector = berthVectorGetAccess(op, &vector);
  search->isOwned = isVector || berthOpIsElementAccess(op);
  search->isRange = !search->isOwned && !isFragment(op);
  if (isFragment(op))
    return placeAnyFragment(search, op, operand);
  if (!search->isOwned)
    return placeWhole(search, mlirValueGetType(value));
  if (!isVector)
    return placeElement(search, op, operand);
  memcpy(search->extents, vector.extents, sizeof vector.extents);
  return vector.memref == operand &&
         placeSubscripts(search, op, vector.firstIndex);
}

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

/// By byte: which threads of the same BERTH_LANES have marked it.
typedef struct BerthLaneMarks {
  uint16_t *runs;
  uint32_t *lanes;
} LaneMarks;

static void noteLane(BerthAccessBytes *search, int64_t begin, int64_t end,
                     uint16_t thread) {
  const LaneMarks *marks = search->lanes;
  uint16_t run = thread / BERTH_LANES;
  for (int64_t i = begin; i < end; ++i) {
    if (marks->runs[i] != run)
      marks->lanes[i] = 0;
    marks->runs[i] = run;
    marks->lanes[i] |= UINT32_C(1) << thread % BERTH_LANES;
    if (marks->lanes[i] != UINT32_MAX &&
        !berthIsBroken(search->breakRule, "full-subgroups"))
      continue;
    search->owners[i] = BERTH_ANYBODY;
    search->lower = i < search->lower ? i : search->lower;
    search->upper = i >= search->upper ? i + 1 : search->upper;
  }
}

static void markBytes(BerthAccessBytes *search, int64_t begin, int64_t end,
                      uint16_t thread) {
  // What is out of bounds is touched by nobody.
  begin = begin < 0 ? 0 : begin;
  end = end > search->info->size ? search->info->size : end;
  if (begin >= end)
    return;
  if (search->lanes) {
    noteLane(search, begin, end, thread);
    return;
  }
  search->lower = begin < search->lower ? begin : search->lower;
  search->upper = end > search->upper ? end : search->upper;
  for (int64_t i = begin; search->owners && i < end; ++i)
    search->owners[i] =
        search->owners[i] == BERTH_NOBODY || search->owners[i] == thread
            ? thread
            : BERTH_ANYBODY;
}

/// Dimension d and those inside it, from byte `at` on.
static void markDimensions(BerthAccessBytes *search, size_t d, int64_t at,
                           uint16_t thread) {
  if (d == search->rank) {
    markBytes(search, at, at + search->elementBytes, thread);
    return;
  }
  for (int64_t i = 0; i < search->extents[d]; ++i)
    markDimensions(search, d + 1, at + i * search->strides[d], thread);
}

static void markAccess(uint32_t thread, const int64_t *found, void *userData) {
  BerthAccessBytes *search = userData;
  int64_t at = found[search->start];
  bool isKnown = search->isOwned && search->numbers.asksThread;
  if (!search->isRange) {
    markDimensions(search, 0, at, isKnown ? (uint16_t)thread : BERTH_ANYBODY);
    return;
  }
  int64_t last = 0;
  for (size_t d = 0; d < search->rank; ++d) {
    if (!search->extents[d])
      return;
    last += (search->extents[d] - 1) * search->strides[d];
  }
  markBytes(search, at, at + last + search->elementBytes, BERTH_ANYBODY);
}

/// In tests only (Rules.h).
static void breakRules(BerthAccessBytes *search) {
  const char *rule = search->breakRule;
  if (berthIsBroken(rule, "own-bytes"))
    for (int64_t i = search->lower; i < search->upper; ++i)
      if (search->owners[i] != BERTH_NOBODY)
        search->owners[i] = 0;
}

typedef struct InsideWalk {
  const BerthAccessBytes *search;
  MlirOperation op;
  bool found;
} InsideWalk;

static MlirWalkResult visitInside(MlirOperation op, void *userData) {
  InsideWalk *walk = userData;
  intptr_t count = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < count && !mlirOperationEqual(op, walk->op); ++i)
    walk->found |= berthPointerMapFind(&walk->search->aliases,
                                       mlirOperationGetOperand(op, i).ptr) !=
                   BERTH_NOT_FOUND;
  return MlirWalkResultAdvance;
}

/// True if some op in the op's regions is given the buffer.
static bool isUsedInside(const BerthAccessBytes *search, MlirOperation op) {
  InsideWalk walk = {search, op, false};
  if (mlirOperationGetNumRegions(op))
    mlirOperationWalk(op, visitInside, &walk, MlirWalkPreOrder);
  return walk.found;
}

bool berthAccessBytesIsPlain(const BerthAccessBytes *search, MlirOperation op) {
  return isPlain(op) && isInOrder(search, op) && !isUsedInside(search, op);
}

bool berthAccessBytesMark(BerthAccessBytes *search, MlirOperation op) {
  if (!berthAccessBytesIsPlain(search, op))
    return false;
  intptr_t count = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue value = mlirOperationGetOperand(op, i);
    if (berthPointerMapFind(&search->aliases, value.ptr) == BERTH_NOT_FOUND)
      continue;
    uint64_t budget =
        search->stepsLeft < kAccessSteps ? search->stepsLeft : kAccessSteps;
    uint64_t before = budget;
    bool isMarked =
        placeOperand(search, op, i) &&
        berthThreadNumbersVisit(&search->numbers, markAccess, search, &budget);
    search->stepsLeft -= before - budget;
    if (!isMarked)
      return false;
  }
  breakRules(search);
  return true;
}

bool berthOwnersMeet(const uint16_t *a, const uint16_t *b, int64_t bytes) {
  for (int64_t i = 0; i < bytes; ++i)
    if (a[i] != BERTH_NOBODY && b[i] != BERTH_NOBODY &&
        (a[i] != b[i] || a[i] == BERTH_ANYBODY))
      return true;
  return false;
}

//===----------------------------------------------------------------------===//
// What is surely written
//===----------------------------------------------------------------------===//

/// The turns of the loops, and the conditions, from `top` down to the op.
static bool addAround(BerthAccessBytes *search, MlirOperation op,
                      MlirOperation top, size_t *numLoops) {
  if (mlirOperationEqual(op, top))
    return true;
  MlirOperation parent = mlirOperationGetParentOperation(op);
  if (!addAround(search, parent, top, numLoops))
    return false;
  if (!berthOpIs(parent, BERTH_OP_LOOP))
    return berthThreadNumbersAddGuard(&search->numbers, op);
  MlirValue variable = mlirBlockGetArgument(mlirOperationGetBlock(op), 0);
  ++*numLoops;
  return berthThreadNumbersAdd(&search->numbers, variable) != BERTH_NO_STEP;
}

/// True if no number is one of several, but the variables of so many loops.
static bool isExact(const BerthThreadNumbers *numbers, size_t numLoops) {
  size_t found = 0;
  for (size_t i = 0; i < numbers->count; ++i) {
    if (numbers->steps[i].kind == BERTH_STEP_RANGE)
      return false;
    found += numbers->steps[i].kind == BERTH_STEP_LOOP;
  }
  return found == numLoops;
}

static bool placeCopy(BerthAccessBytes *search, MlirOperation copy) {
  BerthAsyncCopy parts = berthAsyncCopyGet(copy);
  if (!placeOf(search, parts.target, 0) || search->rank == 0 ||
      search->strides[search->rank - 1] != search->elementBytes ||
      !placeSubscripts(search, copy, parts.firstIndex))
    return false;
  for (size_t d = 0; d < search->rank; ++d)
    search->extents[d] = d + 1 == search->rank ? parts.elements : 1;
  return true;
}

/// The only operand that leads to the buffer, or -1.
static intptr_t onlyOperand(const BerthAccessBytes *search, MlirOperation op) {
  intptr_t only = -1, count = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < count; ++i) {
    if (berthPointerMapFind(&search->aliases,
                            mlirOperationGetOperand(op, i).ptr) ==
        BERTH_NOT_FOUND)
      continue;
    if (only >= 0)
      return -1;
    only = i;
  }
  return only;
}

/// All of a view, an element, or an unmasked vector.
static bool placeWritten(BerthAccessBytes *search, MlirOperation op) {
  BerthVectorAccess vector;
  intptr_t operand = onlyOperand(search, op);
  if (operand < 0 || !berthAccessBytesIsPlain(search, op))
    return false;
  MlirValue value = mlirOperationGetOperand(op, operand);
  if (!placeOf(search, value, 0))
    return false;
  if (berthOpFullyOverwrites(op, operand))
    return placeWhole(search, mlirValueGetType(value));
  if (!berthVectorGetAccess(op, &vector))
    return berthOpIsElementAccess(op) &&
           berthOpGetRole(op, operand) == BERTH_OPERAND_WRITTEN &&
           placeElement(search, op, operand);
  memcpy(search->extents, vector.extents, sizeof vector.extents);
  return vector.isWrite && !vector.isMasked && vector.memref == operand &&
         placeSubscripts(search, op, vector.firstIndex);
}

/// What is to be written, for each thread, from `top` down.
static bool placeAllWritten(BerthAccessBytes *search, MlirOperation op,
                            MlirOperation top) {
  BerthFragmentAccess fragment;
  size_t numLoops = 0;
  bool isPlaced = addAround(search, op, top, &numLoops);
  if (berthOpStartsAsync(op, BERTH_ASYNC_COPY))
    isPlaced = isPlaced && placeCopy(search, op);
  else if (berthFragmentGetAccess(op, &fragment))
    isPlaced =
        isPlaced && fragment.isWrite && berthAccessBytesIsPlain(search, op) &&
        placeOf(search, mlirOperationGetOperand(op, fragment.memref), 0) &&
        placeFragment(search, op, &fragment);
  else
    isPlaced = isPlaced && placeWritten(search, op);
  return isPlaced && isExact(&search->numbers, numLoops);
}

/// Whether all lanes come, and agree on where: each marks all of the matrix,
/// and a byte counts that BERTH_LANES threads in a row have marked.
static void visitLanes(BerthAccessBytes *search, uint64_t *budget) {
  size_t size = (size_t)search->info->size;
  const int64_t *shape = search->numbers.shape;
  if (!search->numbers.knowsShape ||
      shape[0] * shape[1] * shape[2] < BERTH_LANES)
    return;
  if (!search->numbers.asksThread) {
    berthThreadNumbersVisit(&search->numbers, markAccess, search, budget);
    return;
  }
  LaneMarks marks = {.runs = berthAllocateOrDie(size, sizeof(uint16_t)),
                     .lanes = berthAllocateOrDie(size, sizeof(uint32_t))};
  search->lanes = &marks;
  berthThreadNumbersVisit(&search->numbers, markAccess, search, budget);
  search->lanes = NULL;
  free(marks.runs);
  free(marks.lanes);
}

void berthAccessBytesMarkWritten(BerthAccessBytes *search, MlirOperation op,
                                 MlirOperation top) {
  enum { kWrittenSteps = 1 << 21 };
  uint64_t budget =
      search->stepsLeft < kWrittenSteps ? search->stepsLeft : kWrittenSteps;
  uint64_t before = budget;
  berthThreadNumbersClear(&search->numbers);
  search->isOwned = true;
  search->isRange = false;
  if (!placeAllWritten(search, op, top))
    return;
  // Each mark is of a write that is made, whatever is not looked at any more.
  if (isFragment(op))
    visitLanes(search, &budget);
  else
    berthThreadNumbersVisit(&search->numbers, markAccess, search, &budget);
  search->stepsLeft -= before - budget;
}
