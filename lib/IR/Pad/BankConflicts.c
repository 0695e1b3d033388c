//===- BankConflicts.c - How often lanes meet in a bank -------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Pad/BankConflicts.h"
#include "IR/Facts/LoopFacts.h"
#include "IR/Facts/Versions.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/BlockShape.h"
#include "IR/Ops/Chips.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/EqualValues.h"
#include "IR/Ops/OrDie.h"
#include "IR/Pad/Matrices.h"
#include "IR/Threads/Uniformity.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

enum { kMostDepth = 32, kMostThreads = 1024, kMostTurns = 1 << 12 };

BerthBankModel berthBankModelOf(const BerthChip *chip) {
  BerthBankModel model = {32, 4, 32, true};
  if (chip)
    model = (BerthBankModel){chip->banks, chip->bankWidth, chip->subgroup,
                             strncmp(chip->name, "sm_", 3) == 0};
  return model;
}

//===----------------------------------------------------------------------===//
// Numbers of threads
//===----------------------------------------------------------------------===//

typedef struct Lane {
  const BerthScope *scope;
  int64_t shape[3], place[3];
} Lane;

/// `number`, plus `step` times something unknown that all threads share.
typedef struct Number {
  bool isKnown;
  int64_t step;
  int64_t number;
} Number;

static const Number unknown = {.isKnown = false};

static Number read(const Lane *lane, MlirValue value, int depth);

static Number exactly(int64_t number) {
  return (Number){.isKnown = true, .number = number};
}

static Number shared(void) { return (Number){.isKnown = true, .step = 1}; }

static bool isShifted(Number a) { return a.step != 0; }

static int64_t commonStep(int64_t a, int64_t b) {
  while (b) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a < 0 ? -a : a;
}

static bool isSmall(int64_t number) {
  return number >= INT32_MIN && number <= INT32_MAX;
}

static Number checked(Number a, int64_t number, int64_t step) {
  a.isKnown &= isSmall(number) && isSmall(step);
  a.step = step;
  a.number = number;
  return a;
}

static Number add(Number a, Number b, int64_t factor) {
  return a.isKnown && b.isKnown ? checked(a, a.number + b.number * factor,
                                          commonStep(a.step, b.step))
                                : unknown;
}

/// What is shared stays so only times a number that is, too.
static Number multiply(Number a, Number b) {
  if (!a.isKnown || !b.isKnown || (isShifted(a) && isShifted(b)))
    return unknown;
  return checked(a, a.number * b.number,
                 commonStep(a.step * b.number, b.step * a.number));
}

static Number divide(Number a, Number b, BerthOpKind kind) {
  if (!a.isKnown || !b.isKnown || isShifted(a) || isShifted(b) ||
      a.number < 0 || b.number <= 0)
    return unknown;
  return exactly(kind == BERTH_OP_QUOTIENT ? a.number / b.number
                                           : a.number % b.number);
}

static Number readExpr(const Lane *lane, MlirAffineExpr expr, MlirOperation op,
                       intptr_t first, intptr_t numDims, int depth) {
  if (mlirAffineExprIsAConstant(expr))
    return exactly(mlirAffineConstantExprGetValue(expr));
  if (mlirAffineExprIsADim(expr))
    return read(
        lane,
        mlirOperationGetOperand(op, first + mlirAffineDimExprGetPosition(expr)),
        depth + 1);
  if (mlirAffineExprIsASymbol(expr))
    return read(
        lane,
        mlirOperationGetOperand(op, first + numDims +
                                        mlirAffineSymbolExprGetPosition(expr)),
        depth + 1);
  Number a = readExpr(lane, mlirAffineBinaryOpExprGetLHS(expr), op, first,
                      numDims, depth);
  Number b = readExpr(lane, mlirAffineBinaryOpExprGetRHS(expr), op, first,
                      numDims, depth);
  if (mlirAffineExprIsAAdd(expr))
    return add(a, b, 1);
  if (mlirAffineExprIsAMul(expr))
    return mlirAffineExprIsAConstant(mlirAffineBinaryOpExprGetRHS(expr))
               ? multiply(a, b)
               : unknown;
  if (mlirAffineExprIsACeilDiv(expr))
    return unknown;
  return divide(a, b,
                mlirAffineExprIsAMod(expr) ? BERTH_OP_REMAINDER
                                           : BERTH_OP_QUOTIENT);
}

/// Result `index` of a map of operands from `first` on.
static Number readMap(const Lane *lane, MlirOperation op, intptr_t first,
                      intptr_t index, int depth) {
  MlirAttribute attribute = berthAttributeOf(op, "map");
  if (mlirAttributeIsNull(attribute) || !mlirAttributeIsAAffineMap(attribute))
    return unknown;
  MlirAffineMap map = mlirAffineMapAttrGetValue(attribute);
  return index < mlirAffineMapGetNumResults(map)
             ? readExpr(lane, mlirAffineMapGetResult(map, index), op, first,
                        mlirAffineMapGetNumDims(map), depth)
             : unknown;
}

/// Of two numbers that are no sum or product.
static Number combine(MlirOperation op, Number a, Number b) {
  if (!a.isKnown || !b.isKnown || isShifted(a) || isShifted(b) ||
      a.number < 0 || b.number < 0)
    return unknown;
  if (berthOpIs(op, BERTH_OP_AND))
    return exactly(a.number & b.number);
  if (berthOpIs(op, BERTH_OP_OR))
    return exactly(a.number | b.number);
  if (berthOpIs(op, BERTH_OP_XOR))
    return exactly(a.number ^ b.number);
  if (berthOpIs(op, BERTH_OP_SHIFT_LEFT) && b.number < 31)
    return checked(a, a.number << b.number, 0);
  if (berthOpIs(op, BERTH_OP_SHIFT_RIGHT) && b.number < 31)
    return exactly(a.number >> b.number);
  return unknown;
}

static Number readOp(const Lane *lane, MlirOperation op, int depth) {
  if (berthOpIs(op, BERTH_OP_THREAD_ID) || berthOpIs(op, BERTH_OP_BLOCK_SIZE)) {
    int dimension = berthOpGetDimension(op);
    bool isThread = berthOpIs(op, BERTH_OP_THREAD_ID);
    return dimension < 0 || dimension > 2
               ? unknown
               : exactly(isThread ? lane->place[dimension]
                                  : lane->shape[dimension]);
  }
  if (berthOpIs(op, BERTH_OP_SAME_NUMBER))
    return read(lane, mlirOperationGetOperand(op, 0), depth + 1);
  if (berthOpIs(op, BERTH_OP_APPLY))
    return readMap(lane, op, 0, 0, depth + 1);
  if (!berthOpIsArithmetic(op) || mlirOperationGetNumOperands(op) != 2)
    return unknown;
  Number a = read(lane, mlirOperationGetOperand(op, 0), depth + 1);
  Number b = read(lane, mlirOperationGetOperand(op, 1), depth + 1);
  if (berthOpIs(op, BERTH_OP_SUM))
    return add(a, b, 1);
  if (berthOpIs(op, BERTH_OP_DIFFERENCE))
    return add(a, b, -1);
  if (berthOpIs(op, BERTH_OP_PRODUCT)) {
    // A number that is shifted takes the factor of all threads alike only if
    // that is a constant.
    int64_t constant;
    bool isScaled =
        berthValueIsConstant(mlirOperationGetOperand(op, 0), &constant) ||
        berthValueIsConstant(mlirOperationGetOperand(op, 1), &constant);
    return isScaled || (!isShifted(a) && !isShifted(b)) ? multiply(a, b)
                                                        : unknown;
  }
  if (berthOpIs(op, BERTH_OP_QUOTIENT))
    return divide(a, b, BERTH_OP_QUOTIENT);
  if (berthOpIs(op, BERTH_OP_REMAINDER))
    return divide(a, b, BERTH_OP_REMAINDER);
  return combine(op, a, b);
}

/// A loop that threads begin at different places: as far apart as they began,
/// as long as they all go on in step.
static Number readVariable(const Lane *lane, MlirValue value, int depth) {
  enum { kLower = 0, kStep = 2 };
  MlirOperation loop =
      mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
  if (!berthOpIs(loop, BERTH_OP_LOOP) || berthOpIsAffine(loop) ||
      mlirBlockArgumentGetArgNumber(value) != 0 ||
      !berthValueIsUniform(lane->scope, mlirOperationGetOperand(loop, kStep)))
    return unknown;
  Number lower = read(lane, mlirOperationGetOperand(loop, kLower), depth + 1);
  int64_t step;
  if (!berthValueIsConstant(mlirOperationGetOperand(loop, kStep), &step))
    step = 1;
  return checked(lower, lower.number, commonStep(lower.step, step));
}

/// The thread's place, if the value is that of a gpu.launch's body.
static bool isThreadOfLaunch(const Lane *lane, MlirValue value,
                             int64_t *number) {
  enum { kThread = 3, kEnd = 6 };
  MlirOperation owner =
      mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
  intptr_t index = mlirBlockArgumentGetArgNumber(value);
  if (!berthOpIs(owner, BERTH_OP_LAUNCH) || index < kThread || index >= kEnd)
    return false;
  *number = lane->place[index - kThread];
  return true;
}

static Number read(const Lane *lane, MlirValue value, int depth) {
  int64_t number;
  if (depth > kMostDepth)
    return unknown;
  if (berthValueIsConstant(value, &number))
    return exactly(number);
  if (mlirValueIsAOpResult(value)) {
    Number found = readOp(lane, mlirOpResultGetOwner(value), depth);
    if (found.isKnown)
      return found;
  } else if (isThreadOfLaunch(lane, value, &number)) {
    return exactly(number);
  } else {
    Number found = readVariable(lane, value, depth);
    if (found.isKnown)
      return found;
  }
  return berthValueIsUniform(lane->scope, value) ? shared() : unknown;
}

//===----------------------------------------------------------------------===//
// Subscripts
//===----------------------------------------------------------------------===//

static Number readMixed(const Lane *lane, const BerthMixed *mixed) {
  return mlirValueIsNull(mixed->value) ? exactly(mixed->number)
                                       : read(lane, mixed->value, 0);
}

/// Makes subscripts of a view those of the buffer.
static bool takeBack(const Lane *lane, MlirValue value, MlirValue buffer,
                     Number *indices) {
  while (!mlirValueEqual(value, buffer)) {
    BerthSubView part;
    Number of[BERTH_SLICE_MAX_RANK];
    if (!mlirValueIsAOpResult(value) ||
        !berthSubViewGet(mlirOpResultGetOwner(value), &part))
      return false;
    for (intptr_t d = 0; d < part.rank; ++d) {
      Number within = part.results[d] < 0
                          ? exactly(0)
                          : multiply(indices[part.results[d]],
                                     readMixed(lane, &part.strides[d]));
      of[d] = add(within, readMixed(lane, &part.offsets[d]), 1);
      if (!of[d].isKnown)
        return false;
    }
    for (intptr_t d = 0; d < part.rank; ++d)
      indices[d] = of[d];
    value = mlirOperationGetOperand(mlirOpResultGetOwner(value), 0);
  }
  return true;
}

/// Where the op has its subscripts, and how many elements from there a thread
/// takes.
typedef struct Form {
  intptr_t firstIndex;
  int64_t elements;
  int64_t lanes; ///< that give an address; 0: all
  bool isMap;
  BerthFragment fragment;
} Form;

/// Of what a subgroup takes as matrices.
static bool readMatrices(MlirOperation op, intptr_t operand,
                         int64_t elementBytes, Form *form) {
  form->lanes = berthMatrixLanes(op);
  form->elements = BERTH_MATRIX_BYTES / elementBytes;
  if (form->lanes)
    return operand == 0 && form->elements > 0;
  form->fragment = berthFragmentOf(op, operand, elementBytes);
  form->elements = form->fragment.elements;
  return form->fragment.count > 0;
}

static bool readForm(const BerthBankModel *model, MlirOperation op,
                     intptr_t operand, int64_t elementBytes, Form *form) {
  BerthVectorAccess vector;
  *form = (Form){.firstIndex = operand + 1, .elements = 1};
  if (berthOpStartsAsync(op, BERTH_ASYNC_COPY)) {
    BerthAsyncCopy copy = berthAsyncCopyGet(op);
    *form = (Form){.firstIndex = copy.firstIndex, .elements = copy.elements};
    return mlirValueEqual(copy.target, mlirOperationGetOperand(op, operand));
  }
  if (berthVectorGetAccess(op, &vector)) {
    intptr_t rank = (intptr_t)mlirShapedTypeGetRank(
        mlirValueGetType(mlirOperationGetOperand(op, operand)));
    for (intptr_t d = 0; d + 1 < rank; ++d)
      if (vector.extents[d] != 1)
        return false;
    form->firstIndex = vector.firstIndex;
    form->elements = rank ? vector.extents[rank - 1] : 1;
    return vector.memref == operand && form->elements > 0;
  }
  form->isMap = berthOpIsAffine(op);
  return berthOpIsElementAccess(op) ||
         (model->hasMatrices && readMatrices(op, operand, elementBytes, form));
}

bool berthSubscriptsOf(MlirOperation op, intptr_t operand,
                       BerthSubscripts *subscripts) {
  enum { kAnyBytes = 1 };
  BerthBankModel model = {.hasMatrices = true};
  BerthVectorAccess vector;
  Form form;
  if (!readForm(&model, op, operand, kAnyBytes, &form) || form.fragment.count ||
      (berthVectorGetAccess(op, &vector) && vector.isMasked))
    return false;
  *subscripts = (BerthSubscripts){form.firstIndex, form.isMap};
  return true;
}

/// `*step` becomes the one of rows, if that is less.
static bool readThread(const Lane *lane, MlirOperation op, intptr_t operand,
                       const Form *form, MlirValue buffer, int64_t *indices,
                       int64_t *step) {
  Number found[BERTH_SLICE_MAX_RANK] = {{0}};
  MlirValue memref = mlirOperationGetOperand(op, operand);
  intptr_t rank = (intptr_t)mlirShapedTypeGetRank(mlirValueGetType(memref));
  for (intptr_t d = 0; d < rank; ++d) {
    found[d] =
        form->isMap
            ? readMap(lane, op, form->firstIndex, d, 0)
            : read(lane, mlirOperationGetOperand(op, form->firstIndex + d), 0);
    if (!found[d].isKnown)
      return false;
  }
  if (!takeBack(lane, memref, buffer, found))
    return false;
  intptr_t all = (intptr_t)mlirShapedTypeGetRank(mlirValueGetType(buffer));
  for (intptr_t d = 0; d < all; ++d)
    indices[d] = found[d].number;
  if (all > 1)
    *step = commonStep(*step, found[all - 2].step);
  return true;
}

int64_t berthCountTurnsAround(MlirOperation op, MlirOperation scope) {
  enum { kAssumed = 16 };
  int64_t turns = 1;
  for (op = mlirOperationGetParentOperation(op);
       !mlirOperationIsNull(op) && !mlirOperationEqual(op, scope);
       op = mlirOperationGetParentOperation(op)) {
    BerthLoopRange ranges[BERTH_LOOP_MAX_RANK];
    if (!berthOpIs(op, BERTH_OP_LOOP))
      continue;
    int64_t count =
        berthLoopGetRanges(op, ranges) == 1 ? ranges[0].count : kAssumed;
    if (count < 1)
      return 0;
    turns = count > kMostTurns / turns ? kMostTurns : turns * count;
  }
  return turns;
}

/// The parts of a fragment in the place of threads: those of the first
/// subgroup, all threads of which have to name one place.
static void takeFragment(BerthLanes *lanes, const BerthFragment *fragment,
                         size_t subgroup) {
  size_t rank = (size_t)lanes->rank, last = rank - 1;
  for (size_t t = 0; t < subgroup; ++t)
    lanes->isKnown &=
        t < lanes->count && memcmp(lanes->indices, lanes->indices + t * rank,
                                   rank * sizeof *lanes->indices) == 0;
  if (!lanes->isKnown || rank < 2)
    return;
  int64_t *parts =
      berthAllocateOrDie((size_t)fragment->count * rank, sizeof *parts);
  for (int64_t part = 0; part < fragment->count; ++part) {
    int64_t *index = parts + (size_t)part * rank, row, column;
    memcpy(index, lanes->indices, rank * sizeof *index);
    berthFragmentPart(fragment, part, &row, &column);
    index[last - 1] += row;
    index[last] += column;
  }
  free(lanes->indices);
  lanes->indices = parts;
  lanes->count = (size_t)fragment->count;
  lanes->subgroup = lanes->active = fragment->count;
}

/// What rows that the op takes have to begin at a multiple of.
static int64_t rowsOf(MlirOperation op) {
  int64_t aligned = berthOpGetAligned(op);
  bool isElement = berthOpIsElementAccess(op);
  return isElement || aligned > BERTH_MATRIX_BYTES ? aligned
                                                   : BERTH_MATRIX_BYTES;
}

BerthLanes berthLanesOf(const BerthScope *scope, const BerthBankModel *model,
                        MlirOperation op, intptr_t operand, MlirValue buffer) {
  Lane lane = {.scope = scope};
  Form form;
  BerthTypeSize size;
  MlirType type = mlirValueGetType(buffer);
  BerthLanes lanes = {.op = op,
                      .rank = (intptr_t)mlirShapedTypeGetRank(type),
                      .turns = berthCountTurnsAround(op, scope->op),
                      .align = rowsOf(op),
                      .subgroup = model->subgroup};
  if (!berthBlockShape(scope->op, lane.shape) ||
      berthMemRefGetSize(type, op, &size) != BERTH_SIZE_OK ||
      !readForm(model, op, operand, size.elementBytes, &form) ||
      lane.shape[0] * lane.shape[1] * lane.shape[2] > kMostThreads)
    return lanes;
  lanes.count = (size_t)(lane.shape[0] * lane.shape[1] * lane.shape[2]);
  lanes.bytes = form.elements * size.elementBytes;
  lanes.active = form.lanes ? form.lanes : lanes.subgroup;
  lanes.indices = berthAllocateOrDie(lanes.count * (size_t)lanes.rank,
                                     sizeof *lanes.indices);
  lanes.isKnown = true;
  int64_t *next = lanes.indices;
  for (lane.place[2] = 0; lane.place[2] < lane.shape[2]; ++lane.place[2])
    for (lane.place[1] = 0; lane.place[1] < lane.shape[1]; ++lane.place[1])
      for (lane.place[0] = 0; lane.place[0] < lane.shape[0]; ++lane.place[0]) {
        lanes.isKnown =
            lanes.isKnown &&
            readThread(&lane, op, operand, &form, buffer, next, &lanes.rowStep);
        next += lanes.rank;
      }
  if (form.fragment.count)
    takeFragment(&lanes, &form.fragment, (size_t)lanes.subgroup);
  else if (lanes.isKnown)
    lanes.align = lanes.bytes;
  return lanes;
}

void berthLanesFree(BerthLanes *lanes) {
  free(lanes->indices);
  lanes->indices = NULL;
}

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

enum { kMostBanks = 128, kMostWords = 128 };

static int64_t floorDivide(int64_t a, int64_t b) { return a / b - (a % b < 0); }

/// Where a thread's bytes begin, if its row is `shift` farther.
static int64_t addressOf(const BerthLanes *lanes, size_t thread, MlirType type,
                         BerthRowsForm rows, int64_t shift) {
  const int64_t *index = lanes->indices + thread * (size_t)lanes->rank;
  int64_t address = index[lanes->rank - 1];
  int64_t row = 0, pitch = 1;
  for (intptr_t d = lanes->rank - 1; d-- > 0;) {
    row += index[d] * pitch;
    pitch *= mlirShapedTypeGetDimSize(type, d);
  }
  row += shift;
  address += row * rows.length + floorDivide(row, rows.joined) * rows.padding;
  return address * rows.elementBytes;
}

/// Words of one pass at a time, a list for each bank.
typedef struct Banks {
  int64_t words[kMostBanks][kMostWords];
  size_t counts[kMostBanks];
  size_t most;
} Banks;

static void addWord(Banks *banks, const BerthBankModel *model, int64_t word) {
  int64_t bank = ((word % model->banks) + model->banks) % model->banks;
  size_t *count = &banks->counts[bank];
  for (size_t i = 0; i < *count; ++i)
    if (banks->words[bank][i] == word)
      return;
  if (*count < kMostWords)
    banks->words[bank][(*count)++] = word;
  if (*count > banks->most)
    banks->most = *count;
}

static int64_t countPasses(const BerthLanes *lanes, const BerthBankModel *model,
                           MlirType type, BerthRowsForm rows, int64_t shift) {
  int64_t atOnce = model->banks * model->width / lanes->bytes;
  int64_t worst = 0;
  if (atOnce > lanes->subgroup)
    atOnce = lanes->subgroup;
  if (atOnce < 1)
    atOnce = 1;
  if (model->banks > kMostBanks || lanes->bytes > kMostWords)
    return 1;
  Banks *banks = berthAllocateOrDie(1, sizeof *banks);
  int64_t count = (int64_t)lanes->count;
  for (int64_t first = 0; first < count; first += lanes->subgroup) {
    int64_t passes = 0;
    int64_t end = first + lanes->active < count ? first + lanes->active : count;
    for (int64_t part = first; part < end; part += atOnce) {
      banks->most = 0;
      for (int64_t b = 0; b < model->banks; ++b)
        banks->counts[b] = 0;
      for (int64_t t = part; t < part + atOnce && t < end; ++t) {
        int64_t at = addressOf(lanes, (size_t)t, type, rows, shift);
        int64_t last = floorDivide(at + lanes->bytes - 1, model->width);
        for (int64_t w = floorDivide(at, model->width); w <= last; ++w)
          addWord(banks, model, w);
      }
      passes += (int64_t)banks->most;
    }
    worst = passes > worst ? passes : worst;
  }
  free(banks);
  return worst;
}

int64_t berthLanesCountPasses(const BerthLanes *lanes,
                              const BerthBankModel *model, MlirType type,
                              BerthRowsForm rows) {
  // What is unknown of rows decides where those begin that are joined.
  int64_t step = commonStep(rows.joined, lanes->rowStep), worst = 0;
  for (int64_t shift = 0; shift < rows.joined; shift += step) {
    int64_t passes = countPasses(lanes, model, type, rows, shift);
    worst = passes > worst ? passes : worst;
  }
  return worst;
}
