//===- Asking.c - Numbers and addresses of each thread --------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Threads/Asking.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/BlockShape.h"
#include "IR/Ops/EqualValues.h"
#include "IR/Ops/OpTable.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <string.h>

/// All numbers stay below this, so that an index of 32 bits holds them.
static const int64_t kMostNumber = INT32_MAX;

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

static BerthAnswer checked(int64_t number, MlirType type) {
  bool isBit = mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 1;
  int64_t most = kMostNumber;
  if (mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) < 32)
    most = (INT64_C(1) << (mlirIntegerTypeGetWidth(type) - 1)) - 1;
  if (isBit)
    return number == 0 || number == 1 ? BERTH_KNOWN : BERTH_GIVE_UP;
  return number >= -most && number <= most ? BERTH_KNOWN : BERTH_GIVE_UP;
}

static BerthAnswer want(BerthAsking *asking, MlirValue value, int64_t first,
                        int64_t end, int64_t by) {
  if (by <= 0 || (end > first && (end - first) / by > BERTH_MOST_TRIED))
    return BERTH_GIVE_UP;
  asking->wanted =
      (BerthAssumed){.value = value, .first = first, .end = end, .by = by};
  return BERTH_ASSUME;
}

static bool isNatural(int64_t a, int64_t b) { return a >= 0 && b >= 0; }

static BerthAnswer compare(MlirOperation op, int64_t a, int64_t b,
                           int64_t *number) {
  MlirAttribute attribute = berthAttributeOf(op, "predicate");
  int64_t predicate = mlirIntegerAttrGetValueInt(attribute);
  // eq, ne, slt, sle, sgt, sge, ult, ule, ugt, uge
  bool less = a < b, equal = a == b;
  bool truths[] = {equal,           !equal, less, less || equal,
                   !less && !equal, !less,  less, less || equal,
                   !less && !equal, !less};
  if (predicate < 0 || predicate > 9 || (predicate > 5 && !isNatural(a, b)))
    return BERTH_GIVE_UP;
  *number = truths[predicate];
  return BERTH_KNOWN;
}

static BerthAnswer calculateNatural(MlirOperation op, int64_t a, int64_t b,
                                    int64_t *number) {
  if (!isNatural(a, b))
    return BERTH_GIVE_UP;
  if (berthOpIs(op, BERTH_OP_AND))
    *number = a & b;
  else if (berthOpIs(op, BERTH_OP_OR))
    *number = a | b;
  else if (berthOpIs(op, BERTH_OP_XOR))
    *number = a ^ b;
  else if (berthOpIs(op, BERTH_OP_UNSIGNED_MAX))
    *number = a < b ? b : a;
  else if (berthOpIs(op, BERTH_OP_SHIFT_LEFT))
    *number = b < 31 ? a << b : INT64_MAX;
  else if (berthOpIs(op, BERTH_OP_SHIFT_RIGHT))
    *number = b < 31 ? a >> b : 0;
  else if (b == 0)
    return BERTH_GIVE_UP;
  else if (berthOpIs(op, BERTH_OP_QUOTIENT))
    *number = a / b;
  else if (berthOpIs(op, BERTH_OP_REMAINDER))
    *number = a % b;
  else
    return BERTH_UNKNOWN;
  return BERTH_KNOWN;
}

/// Of two numbers; those behind the first three need natural ones.
static BerthAnswer calculate(MlirOperation op, int64_t a, int64_t b,
                             int64_t *number) {
  if (berthOpIs(op, BERTH_OP_SUM))
    *number = a + b;
  else if (berthOpIs(op, BERTH_OP_DIFFERENCE))
    *number = a - b;
  else if (berthOpIs(op, BERTH_OP_PRODUCT))
    *number = a * b;
  else
    return calculateNatural(op, a, b, number);
  return BERTH_KNOWN;
}

/// Where an operand is unknown, or not followed, a remainder by a number is
/// still bounded, and so are the bits below a mask.
static BerthAnswer wantBounded(BerthAsking *asking, MlirOperation op) {
  int64_t bound;
  if (!mlirOperationIsNull(asking->within))
    return BERTH_GIVE_UP;
  MlirValue value = mlirOperationGetResult(op, 0);
  if (!berthValueIsConstant(mlirOperationGetOperand(op, 1), &bound) ||
      bound <= 0)
    return BERTH_UNKNOWN;
  if (berthOpIs(op, BERTH_OP_REMAINDER))
    return want(asking, value, -bound + 1, bound, 1);
  return berthOpIs(op, BERTH_OP_AND) ? want(asking, value, 0, bound + 1, 1)
                                     : BERTH_UNKNOWN;
}

static bool isBit(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 1;
}

static BerthAnswer askBinary(BerthAsking *asking, MlirOperation op,
                             int64_t *number) {
  int64_t a, b;
  bool ofBits = isBit(mlirOperationGetOperand(op, 0));
  bool isLogic = berthOpIs(op, BERTH_OP_AND) || berthOpIs(op, BERTH_OP_OR) ||
                 berthOpIs(op, BERTH_OP_XOR);
  if (ofBits && !isLogic)
    return BERTH_UNKNOWN;
  BerthAnswer first = berthAsk(asking, mlirOperationGetOperand(op, 0), &a);
  if ((first == BERTH_UNKNOWN || first == BERTH_GIVE_UP) && !ofBits)
    return wantBounded(asking, op);
  if (first != BERTH_KNOWN)
    return first;
  BerthAnswer second = berthAsk(asking, mlirOperationGetOperand(op, 1), &b);
  if (second != BERTH_KNOWN)
    return second;
  return berthOpIs(op, BERTH_OP_COMPARISON) ? compare(op, a, b, number)
                                            : calculate(op, a, b, number);
}

//===----------------------------------------------------------------------===//
// Affine maps
//===----------------------------------------------------------------------===//

/// Operands of the op that are the dimensions, then the symbols, of its map.
typedef struct MapOperands {
  MlirOperation op;
  intptr_t firstDim, firstSymbol;
} MapOperands;

/// What is unknown, modulo a number, is still bounded.
static BerthAnswer askRemainder(BerthAsking *asking, MlirOperation op,
                                MlirAffineExpr expr, int64_t *number) {
  MlirAffineExpr modulus = mlirAffineBinaryOpExprGetRHS(expr);
  if (!mlirAffineExprIsAMod(expr) || !mlirAffineExprIsAConstant(modulus) ||
      mlirAffineConstantExprGetValue(modulus) <= 0)
    return BERTH_UNKNOWN;
  for (size_t i = 0; i < asking->numAssumed; ++i) {
    const BerthAssumed *assumed = &asking->assumed[i];
    if (mlirValueIsNull(assumed->value) &&
        mlirOperationEqual(assumed->op, op) &&
        mlirAffineExprEqual(assumed->expr, expr)) {
      *number = assumed->number;
      return BERTH_KNOWN;
    }
  }
  if (!mlirOperationIsNull(asking->within))
    return BERTH_GIVE_UP;
  BerthAnswer answer = want(asking, (MlirValue){NULL}, 0,
                            mlirAffineConstantExprGetValue(modulus), 1);
  asking->wanted.op = op;
  asking->wanted.expr = expr;
  return answer;
}

static BerthAnswer askExpr(BerthAsking *asking, MapOperands operands,
                           MlirAffineExpr expr, int64_t *number) {
  if (mlirAffineExprIsAConstant(expr)) {
    *number = mlirAffineConstantExprGetValue(expr);
    return BERTH_KNOWN;
  }
  if (mlirAffineExprIsADim(expr))
    return berthAsk(asking,
                    mlirOperationGetOperand(
                        operands.op,
                        operands.firstDim + mlirAffineDimExprGetPosition(expr)),
                    number);
  if (mlirAffineExprIsASymbol(expr))
    return berthAsk(asking,
                    mlirOperationGetOperand(
                        operands.op, operands.firstSymbol +
                                         mlirAffineSymbolExprGetPosition(expr)),
                    number);
  int64_t a, b;
  BerthAnswer answer =
      askExpr(asking, operands, mlirAffineBinaryOpExprGetLHS(expr), &a);
  if (answer == BERTH_UNKNOWN)
    return askRemainder(asking, operands.op, expr, number);
  if (answer == BERTH_KNOWN)
    answer = askExpr(asking, operands, mlirAffineBinaryOpExprGetRHS(expr), &b);
  if (answer != BERTH_KNOWN)
    return answer;
  if (mlirAffineExprIsAAdd(expr))
    *number = a + b;
  else if (mlirAffineExprIsAMul(expr))
    *number = a * b;
  else if (a < 0 || b <= 0 || mlirAffineExprIsACeilDiv(expr))
    return BERTH_GIVE_UP;
  else
    *number = mlirAffineExprIsAMod(expr) ? a % b : a / b;
  return *number >= -kMostNumber && *number <= kMostNumber ? BERTH_KNOWN
                                                           : BERTH_GIVE_UP;
}

/// Result `index` of the map in an attribute of the op.
static BerthAnswer askMap(BerthAsking *asking, MlirOperation op,
                          const char *name, intptr_t firstDim, intptr_t index,
                          int64_t *number) {
  MlirAttribute attribute = berthAttributeOf(op, name);
  if (mlirAttributeIsNull(attribute) || !mlirAttributeIsAAffineMap(attribute))
    return BERTH_UNKNOWN;
  MlirAffineMap map = mlirAffineMapAttrGetValue(attribute);
  if (index >= mlirAffineMapGetNumResults(map))
    return BERTH_UNKNOWN;
  MapOperands operands = {op, firstDim,
                          firstDim + mlirAffineMapGetNumDims(map)};
  return askExpr(asking, operands, mlirAffineMapGetResult(map, index), number);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static BerthAnswer askPlace(const BerthAsking *asking, int dimension,
                            int64_t *number) {
  if (!asking->hasShape || dimension < 0 || dimension > 2)
    return BERTH_UNKNOWN;
  *number = asking->place[dimension];
  return BERTH_KNOWN;
}

static BerthAnswer askShape(const BerthAsking *asking, int dimension,
                            int64_t *number) {
  if (!asking->hasShape || dimension < 0 || dimension > 2)
    return BERTH_UNKNOWN;
  *number = asking->shape[dimension];
  return BERTH_KNOWN;
}

/// In an affine loop the bounds are maps of one result.
static BerthAnswer askBound(BerthAsking *asking, MlirOperation loop, int which,
                            int64_t *number) {
  if (!berthOpIsAffine(loop))
    return berthAsk(asking, mlirOperationGetOperand(loop, which), number);
  if (which == 2) {
    *number = mlirIntegerAttrGetValueInt(berthAttributeOf(loop, "step"));
    return BERTH_KNOWN;
  }
  const char *name = which ? "upperBoundMap" : "lowerBoundMap";
  MlirAffineMap map = mlirAffineMapAttrGetValue(berthAttributeOf(loop, name));
  if (mlirAffineMapGetNumResults(map) != 1)
    return BERTH_UNKNOWN;
  MlirAttribute segments = berthAttributeOf(loop, "operandSegmentSizes");
  return askMap(asking, loop, name,
                which ? mlirDenseI32ArrayGetElement(segments, 0) : 0, 0,
                number);
}

static BerthAnswer wantVariable(BerthAsking *asking, MlirOperation loop,
                                MlirValue variable) {
  int64_t bounds[3];
  if (!mlirOperationIsNull(asking->within) &&
      !berthOpIsWithin(loop, asking->within))
    return BERTH_GIVE_UP;
  for (int i = 0; i < 3; ++i) {
    BerthAnswer answer = askBound(asking, loop, i, &bounds[i]);
    if (answer != BERTH_KNOWN)
      return answer;
  }
  // Below 0 it may be an unsigned number.
  return isNatural(bounds[0], bounds[1])
             ? want(asking, variable, bounds[0], bounds[1], bounds[2])
             : BERTH_GIVE_UP;
}

static BerthAnswer askArgument(BerthAsking *asking, MlirValue value,
                               int64_t *number) {
  // The arguments of a launch: three for each of block, thread, grid, sizes.
  enum { kThread = 3, kGrid = 6, kSizes = 9, kEnd = 12 };
  MlirOperation owner =
      mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
  int index = (int)mlirBlockArgumentGetArgNumber(value);
  if (berthOpIs(owner, BERTH_OP_LAUNCH) &&
      mlirOperationEqual(owner, asking->scope)) {
    if (index >= kThread && index < kGrid)
      return askPlace(asking, index - kThread, number);
    return index >= kSizes && index < kEnd
               ? askShape(asking, index - kSizes, number)
               : BERTH_UNKNOWN;
  }
  return berthOpIs(owner, BERTH_OP_LOOP) && index == 0
             ? wantVariable(asking, owner, value)
             : BERTH_UNKNOWN;
}

static BerthAnswer askSelect(BerthAsking *asking, MlirOperation op,
                             int64_t *number) {
  int64_t condition;
  BerthAnswer answer =
      berthAsk(asking, mlirOperationGetOperand(op, 0), &condition);
  return answer == BERTH_KNOWN
             ? berthAsk(asking, mlirOperationGetOperand(op, condition ? 1 : 2),
                        number)
             : answer;
}

static BerthAnswer askSame(BerthAsking *asking, MlirOperation op,
                           int64_t *number) {
  if (isBit(mlirOperationGetOperand(op, 0)))
    return BERTH_UNKNOWN;
  BerthAnswer answer = berthAsk(asking, mlirOperationGetOperand(op, 0), number);
  return answer == BERTH_KNOWN && *number < 0 ? BERTH_GIVE_UP : answer;
}

static BerthAnswer askOp(BerthAsking *asking, MlirValue value,
                         int64_t *number) {
  MlirOperation op = mlirOpResultGetOwner(value);
  if (berthValueIsConstant(value, number)) {
    *number = isBit(value) ? *number & 1 : *number;
    return BERTH_KNOWN;
  }
  if (berthOpIs(op, BERTH_OP_THREAD_ID))
    return askPlace(asking, berthOpGetDimension(op), number);
  if (berthOpIs(op, BERTH_OP_BLOCK_SIZE))
    return askShape(asking, berthOpGetDimension(op), number);
  if (berthOpIs(op, BERTH_OP_SELECT))
    return askSelect(asking, op, number);
  if (berthOpIs(op, BERTH_OP_SAME_NUMBER))
    return askSame(asking, op, number);
  if (berthOpIs(op, BERTH_OP_APPLY))
    return askMap(asking, op, "map", 0, 0, number);
  return berthOpIsArithmetic(op) && mlirOperationGetNumOperands(op) == 2
             ? askBinary(asking, op, number)
             : BERTH_UNKNOWN;
}

BerthAnswer berthAsk(BerthAsking *asking, MlirValue value, int64_t *number) {
  if (--asking->questionsLeft < 0)
    return BERTH_GIVE_UP;
  for (size_t i = 0; i < asking->numAssumed; ++i)
    if (!mlirValueIsNull(asking->assumed[i].value) &&
        mlirValueEqual(asking->assumed[i].value, value)) {
      *number = asking->assumed[i].number;
      return BERTH_KNOWN;
    }
  MlirType type = mlirValueGetType(value);
  if (!mlirTypeIsAIndex(type) && !mlirTypeIsAInteger(type))
    return BERTH_UNKNOWN;
  BerthAnswer answer = mlirValueIsAOpResult(value)
                           ? askOp(asking, value, number)
                           : askArgument(asking, value, number);
  return answer == BERTH_KNOWN ? checked(*number, type) : answer;
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

/// True for elements of which a byte holds a part of one only, however they are
/// lowered.
static bool isOfWholeBytes(MlirType element) {
  bool isVector = mlirTypeIsAVector(element);
  MlirType type = isVector ? mlirShapedTypeGetElementType(element) : element;
  unsigned bits = mlirTypeIsAInteger(type) ? mlirIntegerTypeGetWidth(type)
                  : mlirTypeIsAFloat(type) ? mlirFloatTypeGetWidth(type)
                                           : 8;
  return bits % 8 == 0;
}

/// What the type says of the steps.
static bool readSteps(MlirType type, MlirOperation at, BerthAddress *address) {
  BerthTypeSize size;
  int64_t offset;
  if (!berthMemRefGetStrides(type, address->steps, &offset) ||
      !isOfWholeBytes(mlirShapedTypeGetElementType(type)))
    return false;
  BerthSizeResult result = berthMemRefGetSize(type, at, &size);
  if (result != BERTH_SIZE_OK && result != BERTH_SIZE_DYNAMIC)
    return false;
  address->elementBytes = size.elementBytes;
  address->rank = (intptr_t)mlirShapedTypeGetRank(type);
  for (intptr_t d = 0; d < address->rank; ++d) {
    if (address->steps[d] < 0)
      return false;
    address->steps[d] *= size.elementBytes;
  }
  return true;
}

/// True if the value is the arena, or the buffer itself where that has a place
/// without one.
static bool isBase(const BerthAsking *asking, MlirValue value, int64_t *start) {
  const BerthRoot *root = &asking->views->roots[asking->root];
  bool isView =
      !mlirOperationIsNull(root->view) && berthOpIs(root->view, BERTH_OP_VIEW);
  *start = isView ? 0 : root->lower;
  if (!isView)
    return !mlirOperationIsNull(root->view) && mlirValueIsAOpResult(value) &&
           mlirOperationEqual(mlirOpResultGetOwner(value), root->view);
  return mlirValueEqual(value, root->arena) ||
         berthViewsArenaKey(value) == berthViewsArenaKey(root->arena);
}

static BerthAnswer askSubView(BerthAsking *asking, MlirValue source,
                              const BerthSubView *view, BerthAddress *address) {
  BerthAddress whole;
  BerthAnswer answer = berthAskAddress(asking, source, &whole);
  if (answer != BERTH_KNOWN)
    return answer;
  *address =
      (BerthAddress){.start = whole.start, .elementBytes = whole.elementBytes};
  for (intptr_t d = 0; d < view->rank; ++d) {
    int64_t offset = view->offsets[d].number;
    if (!mlirValueIsNull(view->offsets[d].value))
      answer = berthAsk(asking, view->offsets[d].value, &offset);
    if (answer != BERTH_KNOWN)
      return answer;
    if (!mlirValueIsNull(view->strides[d].value) || view->strides[d].number < 0)
      return BERTH_UNKNOWN;
    address->start += offset * whole.steps[d];
    if (view->results[d] >= 0)
      address->steps[address->rank++] =
          whole.steps[d] * view->strides[d].number;
  }
  return BERTH_KNOWN;
}

BerthAnswer berthAskAddress(BerthAsking *asking, MlirValue value,
                            BerthAddress *address) {
  if (--asking->questionsLeft < 0)
    return BERTH_GIVE_UP;
  if (isBase(asking, value, &address->start))
    return readSteps(mlirValueGetType(value), asking->op, address)
               ? BERTH_KNOWN
               : BERTH_UNKNOWN;
  if (!mlirValueIsAOpResult(value))
    return BERTH_UNKNOWN;
  MlirOperation op = mlirOpResultGetOwner(value);
  MlirValue source = berthViewGetSource(op);
  BerthSubView view;
  if (mlirValueIsNull(source))
    return BERTH_UNKNOWN;
  if (berthSubViewGet(op, &view))
    return askSubView(asking, source, &view, address);
  bool isShifted = berthOpIs(op, BERTH_OP_VIEW);
  if (!isShifted && !berthViewIsWhole(op))
    return BERTH_UNKNOWN;
  BerthAnswer answer = berthAskAddress(asking, source, address);
  int64_t shift = 0;
  if (answer == BERTH_KNOWN && isShifted)
    answer = berthAsk(asking, mlirOperationGetOperand(op, 1), &shift);
  if (answer != BERTH_KNOWN)
    return answer;
  address->start += shift;
  return readSteps(mlirValueGetType(value), asking->op, address)
             ? BERTH_KNOWN
             : BERTH_UNKNOWN;
}

BerthAnswer berthAskSubscripts(BerthAsking *asking, intptr_t first,
                               BerthAddress *address) {
  for (intptr_t d = 0; d < address->rank; ++d) {
    int64_t subscript;
    BerthAnswer answer =
        berthOpIsAffine(asking->op)
            ? askMap(asking, asking->op, "map", first, d, &subscript)
            : berthAsk(asking, mlirOperationGetOperand(asking->op, first + d),
                       &subscript);
    if (answer != BERTH_KNOWN)
      return answer;
    address->start += subscript * address->steps[d];
  }
  return BERTH_KNOWN;
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

BerthAsking berthAskingOf(const BerthViews *views, MlirOperation scope,
                          MlirOperation op, uint32_t root) {
  BerthAsking asking = {.views = views,
                        .scope = scope,
                        .op = op,
                        .root = root,
                        .questionsLeft = BERTH_MOST_QUESTIONS};
  asking.hasShape = berthBlockShape(scope, asking.shape);
  return asking;
}

/// The thread at hand, with what is assumed so far; false: nothing is known.
static bool askAll(BerthAsking *asking, BerthAskingCallback callback,
                   void *userData) {
  BerthAnswer answer = callback(asking, userData);
  if (answer != BERTH_ASSUME)
    return answer == BERTH_KNOWN;
  if (asking->numAssumed == BERTH_MOST_ASSUMED)
    return false;
  size_t last = asking->numAssumed++;
  BerthAssumed wanted = asking->wanted;
  bool isKnown = true;
  for (int64_t number = wanted.first; number < wanted.end && isKnown;
       number += wanted.by) {
    asking->assumed[last] = wanted;
    asking->assumed[last].number = number;
    isKnown = askAll(asking, callback, userData);
  }
  asking->numAssumed = last;
  return isKnown;
}

bool berthAskAllThreads(BerthAsking *asking, BerthAskingCallback callback,
                        void *userData) {
  const int64_t one[3] = {1, 1, 1};
  const int64_t *shape = asking->hasShape ? asking->shape : one;
  if (shape[0] > UINT16_MAX || shape[1] > UINT16_MAX || shape[2] > UINT16_MAX)
    return false;
  int64_t count = shape[0] * shape[1] * shape[2];
  if (count > UINT16_MAX)
    return false;
  for (int64_t i = 0; i < count; ++i) {
    asking->thread = (int32_t)i + 1;
    asking->place[0] = i % shape[0];
    asking->place[1] = i / shape[0] % shape[1];
    asking->place[2] = i / shape[0] / shape[1];
    if (!askAll(asking, callback, userData))
      return false;
  }
  return true;
}

bool berthIsPlainForThreads(MlirOperation op, MlirOperation scope) {
  MlirOperation callee;
  if (!berthOpIsPlainAccess(op) || berthOpGetCallee(op, &callee) ||
      berthOpIsDescribed(op) || berthOpIsAsync(op) || berthOpIsParallel(op) ||
      berthOpIsTransfer(op) || berthOpIsOtherProxy(op) ||
      berthOpLetsEscape(op) || berthOpStartsAnyAsync(op))
    return false;
  for (MlirOperation around = mlirOperationGetParentOperation(op);
       !mlirOperationEqual(around, scope);
       around = mlirOperationGetParentOperation(around))
    if (!berthOpIsRegionBranch(around) || berthOpIsParallel(around) ||
        berthOpIsAsync(around) || berthOpIsDescribed(around))
      return false;
  return true;
}

bool berthNumberOfThread(MlirOperation kernel, MlirValue value,
                         const int64_t place[3], int64_t *number) {
  enum { kMostSteps = 1 << 12 };
  BerthAsking asking =
      berthAskingOf(NULL, kernel, (MlirOperation){NULL}, BERTH_NO_ROOT);
  asking.questionsLeft = kMostSteps;
  memcpy(asking.place, place, sizeof asking.place);
  return asking.hasShape && berthAsk(&asking, value, number) == BERTH_KNOWN;
}
