//===- OwnBytes.c - Which thread touches which bytes ----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Threads/OwnBytes.h"
#include "IR/Facts/Facts.h"
#include "IR/Facts/SliceFacts.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/BlockShape.h"
#include "IR/Ops/EqualValues.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <string.h>

/// Questions asked for an access; numbers assumed at once; of each, so many.
enum { kMostQuestions = 1 << 24, kMostAssumed = 12, kMostTried = 1 << 13 };

/// All numbers stay below this, so that an index of 32 bits holds them.
static const int64_t kMostNumber = INT32_MAX;

typedef enum Answer {
  KNOWN,
  UNKNOWN, ///< and so is what follows from it
  ASSUME,  ///< once the value in `wanted` is taken for some number
  GIVE_UP
} Answer;

/// A value that is taken for a number: one of first, first + by, ... below end.
typedef struct Assumed {
  MlirValue value;
  int64_t number;
  int64_t first, end, by;
} Assumed;

typedef struct Asking {
  const BerthViews *views;
  MlirOperation scope, op;
  uint32_t root;
  bool hasShape;
  int64_t shape[3];
  int64_t place[3]; ///< of the thread at hand
  int32_t thread;   ///< its number, from 1
  Assumed assumed[kMostAssumed];
  size_t numAssumed;
  Assumed wanted;
  int64_t questionsLeft;
  intptr_t operand; ///< of `op`, at hand
  BerthOwnBytes *bytes;
} Asking;

static Answer ask(Asking *asking, MlirValue value, int64_t *number);

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

static Answer checked(int64_t number, MlirType type) {
  bool isBit = mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 1;
  int64_t most = kMostNumber;
  if (mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) < 32)
    most = (INT64_C(1) << (mlirIntegerTypeGetWidth(type) - 1)) - 1;
  if (isBit)
    return number == 0 || number == 1 ? KNOWN : GIVE_UP;
  return number >= -most && number <= most ? KNOWN : GIVE_UP;
}

static Answer want(Asking *asking, MlirValue value, int64_t first, int64_t end,
                   int64_t by) {
  if (by <= 0 || (end > first && (end - first) / by > kMostTried))
    return GIVE_UP;
  asking->wanted =
      (Assumed){.value = value, .first = first, .end = end, .by = by};
  return ASSUME;
}

static bool isNatural(int64_t a, int64_t b) { return a >= 0 && b >= 0; }

static Answer compare(MlirOperation op, int64_t a, int64_t b, int64_t *number) {
  MlirAttribute attribute = berthAttributeOf(op, "predicate");
  int64_t predicate = mlirIntegerAttrGetValueInt(attribute);
  // eq, ne, slt, sle, sgt, sge, ult, ule, ugt, uge
  bool less = a < b, equal = a == b;
  bool truths[] = {equal,           !equal, less, less || equal,
                   !less && !equal, !less,  less, less || equal,
                   !less && !equal, !less};
  if (predicate < 0 || predicate > 9 || (predicate > 5 && !isNatural(a, b)))
    return GIVE_UP;
  *number = truths[predicate];
  return KNOWN;
}

static Answer calculateNatural(MlirOperation op, int64_t a, int64_t b,
                               int64_t *number) {
  if (!isNatural(a, b))
    return GIVE_UP;
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
    return GIVE_UP;
  else if (berthOpIs(op, BERTH_OP_QUOTIENT))
    *number = a / b;
  else if (berthOpIs(op, BERTH_OP_REMAINDER))
    *number = a % b;
  else
    return UNKNOWN;
  return KNOWN;
}

/// Of two numbers; those behind the first three need natural ones.
static Answer calculate(MlirOperation op, int64_t a, int64_t b,
                        int64_t *number) {
  if (berthOpIs(op, BERTH_OP_SUM))
    *number = a + b;
  else if (berthOpIs(op, BERTH_OP_DIFFERENCE))
    *number = a - b;
  else if (berthOpIs(op, BERTH_OP_PRODUCT))
    *number = a * b;
  else
    return calculateNatural(op, a, b, number);
  return KNOWN;
}

/// Where an operand is unknown, a remainder by a number is still bounded, and
/// so are the bits below a mask.
static Answer wantBounded(Asking *asking, MlirOperation op) {
  int64_t bound;
  MlirValue value = mlirOperationGetResult(op, 0);
  if (!berthValueIsConstant(mlirOperationGetOperand(op, 1), &bound) ||
      bound <= 0)
    return UNKNOWN;
  if (berthOpIs(op, BERTH_OP_REMAINDER))
    return want(asking, value, -bound + 1, bound, 1);
  return berthOpIs(op, BERTH_OP_AND) ? want(asking, value, 0, bound + 1, 1)
                                     : UNKNOWN;
}

static bool isBit(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 1;
}

static Answer askBinary(Asking *asking, MlirOperation op, int64_t *number) {
  int64_t a, b;
  bool ofBits = isBit(mlirOperationGetOperand(op, 0));
  bool isLogic = berthOpIs(op, BERTH_OP_AND) || berthOpIs(op, BERTH_OP_OR) ||
                 berthOpIs(op, BERTH_OP_XOR);
  if (ofBits && !isLogic)
    return UNKNOWN;
  Answer first = ask(asking, mlirOperationGetOperand(op, 0), &a);
  if (first == UNKNOWN && !ofBits)
    return wantBounded(asking, op);
  if (first != KNOWN)
    return first;
  Answer second = ask(asking, mlirOperationGetOperand(op, 1), &b);
  if (second != KNOWN)
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

static Answer askExpr(Asking *asking, MapOperands operands, MlirAffineExpr expr,
                      int64_t *number) {
  if (mlirAffineExprIsAConstant(expr)) {
    *number = mlirAffineConstantExprGetValue(expr);
    return KNOWN;
  }
  if (mlirAffineExprIsADim(expr))
    return ask(asking,
               mlirOperationGetOperand(operands.op,
                                       operands.firstDim +
                                           mlirAffineDimExprGetPosition(expr)),
               number);
  if (mlirAffineExprIsASymbol(expr))
    return ask(asking,
               mlirOperationGetOperand(
                   operands.op, operands.firstSymbol +
                                    mlirAffineSymbolExprGetPosition(expr)),
               number);
  int64_t a, b;
  Answer answer =
      askExpr(asking, operands, mlirAffineBinaryOpExprGetLHS(expr), &a);
  if (answer == KNOWN)
    answer = askExpr(asking, operands, mlirAffineBinaryOpExprGetRHS(expr), &b);
  if (answer != KNOWN)
    return answer;
  if (mlirAffineExprIsAAdd(expr))
    *number = a + b;
  else if (mlirAffineExprIsAMul(expr))
    *number = a * b;
  else if (a < 0 || b <= 0 || mlirAffineExprIsACeilDiv(expr))
    return GIVE_UP;
  else
    *number = mlirAffineExprIsAMod(expr) ? a % b : a / b;
  return *number >= -kMostNumber && *number <= kMostNumber ? KNOWN : GIVE_UP;
}

/// Result `index` of the map in an attribute of the op.
static Answer askMap(Asking *asking, MlirOperation op, const char *name,
                     intptr_t firstDim, intptr_t index, int64_t *number) {
  MlirAttribute attribute = berthAttributeOf(op, name);
  if (mlirAttributeIsNull(attribute) || !mlirAttributeIsAAffineMap(attribute))
    return UNKNOWN;
  MlirAffineMap map = mlirAffineMapAttrGetValue(attribute);
  if (index >= mlirAffineMapGetNumResults(map))
    return UNKNOWN;
  MapOperands operands = {op, firstDim,
                          firstDim + mlirAffineMapGetNumDims(map)};
  return askExpr(asking, operands, mlirAffineMapGetResult(map, index), number);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static Answer askPlace(const Asking *asking, int dimension, int64_t *number) {
  if (!asking->hasShape || dimension < 0 || dimension > 2)
    return UNKNOWN;
  *number = asking->place[dimension];
  return KNOWN;
}

static Answer askShape(const Asking *asking, int dimension, int64_t *number) {
  if (!asking->hasShape || dimension < 0 || dimension > 2)
    return UNKNOWN;
  *number = asking->shape[dimension];
  return KNOWN;
}

/// In an affine loop the bounds are maps of one result.
static Answer askBound(Asking *asking, MlirOperation loop, int which,
                       int64_t *number) {
  if (!berthOpIsAffine(loop))
    return ask(asking, mlirOperationGetOperand(loop, which), number);
  if (which == 2) {
    *number = mlirIntegerAttrGetValueInt(berthAttributeOf(loop, "step"));
    return KNOWN;
  }
  const char *name = which ? "upperBoundMap" : "lowerBoundMap";
  MlirAffineMap map = mlirAffineMapAttrGetValue(berthAttributeOf(loop, name));
  if (mlirAffineMapGetNumResults(map) != 1)
    return UNKNOWN;
  MlirAttribute segments = berthAttributeOf(loop, "operandSegmentSizes");
  return askMap(asking, loop, name,
                which ? mlirDenseI32ArrayGetElement(segments, 0) : 0, 0,
                number);
}

static Answer wantVariable(Asking *asking, MlirOperation loop,
                           MlirValue variable) {
  int64_t bounds[3];
  for (int i = 0; i < 3; ++i) {
    Answer answer = askBound(asking, loop, i, &bounds[i]);
    if (answer != KNOWN)
      return answer;
  }
  // Below 0 it may be an unsigned number.
  return isNatural(bounds[0], bounds[1])
             ? want(asking, variable, bounds[0], bounds[1], bounds[2])
             : GIVE_UP;
}

static Answer askArgument(Asking *asking, MlirValue value, int64_t *number) {
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
               : UNKNOWN;
  }
  return berthOpIs(owner, BERTH_OP_LOOP) && index == 0
             ? wantVariable(asking, owner, value)
             : UNKNOWN;
}

static Answer askSelect(Asking *asking, MlirOperation op, int64_t *number) {
  int64_t condition;
  Answer answer = ask(asking, mlirOperationGetOperand(op, 0), &condition);
  return answer == KNOWN
             ? ask(asking, mlirOperationGetOperand(op, condition ? 1 : 2),
                   number)
             : answer;
}

static Answer askSame(Asking *asking, MlirOperation op, int64_t *number) {
  if (isBit(mlirOperationGetOperand(op, 0)))
    return UNKNOWN;
  Answer answer = ask(asking, mlirOperationGetOperand(op, 0), number);
  return answer == KNOWN && *number < 0 ? GIVE_UP : answer;
}

static Answer askOp(Asking *asking, MlirValue value, int64_t *number) {
  MlirOperation op = mlirOpResultGetOwner(value);
  if (berthValueIsConstant(value, number)) {
    *number = isBit(value) ? *number & 1 : *number;
    return KNOWN;
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
             : UNKNOWN;
}

/// What the value is for the thread at hand.
static Answer ask(Asking *asking, MlirValue value, int64_t *number) {
  if (--asking->questionsLeft < 0)
    return GIVE_UP;
  for (size_t i = 0; i < asking->numAssumed; ++i)
    if (mlirValueEqual(asking->assumed[i].value, value)) {
      *number = asking->assumed[i].number;
      return KNOWN;
    }
  MlirType type = mlirValueGetType(value);
  if (!mlirTypeIsAIndex(type) && !mlirTypeIsAInteger(type))
    return UNKNOWN;
  Answer answer = mlirValueIsAOpResult(value)
                      ? askOp(asking, value, number)
                      : askArgument(asking, value, number);
  return answer == KNOWN ? checked(*number, type) : answer;
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

/// Where a memref begins in the arena, and the steps between its elements, all
/// in bytes.
typedef struct Address {
  int64_t start;
  intptr_t rank;
  int64_t steps[BERTH_SLICE_MAX_RANK];
  int64_t elementBytes;
} Address;

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
static bool readSteps(MlirType type, MlirOperation at, Address *address) {
  BerthTypeSize size;
  int64_t offset;
  if (!mlirTypeIsAMemRef(type) ||
      mlirShapedTypeGetRank(type) > BERTH_SLICE_MAX_RANK ||
      !isOfWholeBytes(mlirShapedTypeGetElementType(type)))
    return false;
  BerthSizeResult result = berthMemRefGetSize(type, at, &size);
  if ((result != BERTH_SIZE_OK && result != BERTH_SIZE_DYNAMIC) ||
      mlirLogicalResultIsFailure(
          mlirMemRefTypeGetStridesAndOffset(type, address->steps, &offset)))
    return false;
  address->elementBytes = size.elementBytes;
  address->rank = (intptr_t)mlirShapedTypeGetRank(type);
  for (intptr_t d = 0; d < address->rank; ++d) {
    if (mlirShapedTypeIsDynamicStrideOrOffset(address->steps[d]) ||
        address->steps[d] < 0)
      return false;
    address->steps[d] *= size.elementBytes;
  }
  return true;
}

/// True if the value is the arena, or the buffer itself where that has a place
/// without one.
static bool isBase(const Asking *asking, MlirValue value, int64_t *start) {
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

static Answer askAddress(Asking *asking, MlirValue value, Address *address);

static Answer askSubView(Asking *asking, MlirValue source,
                         const BerthSubView *view, Address *address) {
  Address whole;
  Answer answer = askAddress(asking, source, &whole);
  if (answer != KNOWN)
    return answer;
  *address =
      (Address){.start = whole.start, .elementBytes = whole.elementBytes};
  for (intptr_t d = 0; d < view->rank; ++d) {
    int64_t offset = view->offsets[d].number;
    if (!mlirValueIsNull(view->offsets[d].value))
      answer = ask(asking, view->offsets[d].value, &offset);
    if (answer != KNOWN)
      return answer;
    if (!mlirValueIsNull(view->strides[d].value) || view->strides[d].number < 0)
      return UNKNOWN;
    address->start += offset * whole.steps[d];
    if (view->results[d] >= 0)
      address->steps[address->rank++] =
          whole.steps[d] * view->strides[d].number;
  }
  return KNOWN;
}

static Answer askAddress(Asking *asking, MlirValue value, Address *address) {
  if (--asking->questionsLeft < 0)
    return GIVE_UP;
  if (isBase(asking, value, &address->start))
    return readSteps(mlirValueGetType(value), asking->op, address) ? KNOWN
                                                                   : UNKNOWN;
  if (!mlirValueIsAOpResult(value))
    return UNKNOWN;
  MlirOperation op = mlirOpResultGetOwner(value);
  MlirValue source = berthViewGetSource(op);
  BerthSubView view;
  if (mlirValueIsNull(source))
    return UNKNOWN;
  if (berthSubViewGet(op, &view))
    return askSubView(asking, source, &view, address);
  bool isShifted = berthOpIs(op, BERTH_OP_VIEW);
  if (!isShifted &&
      (!berthViewIsWhole(op) || berthOpIs(op, BERTH_OP_REINTERPRET)))
    return UNKNOWN;
  Answer answer = askAddress(asking, source, address);
  int64_t shift = 0;
  if (answer == KNOWN && isShifted)
    answer = ask(asking, mlirOperationGetOperand(op, 1), &shift);
  if (answer != KNOWN)
    return answer;
  address->start += shift;
  return readSteps(mlirValueGetType(value), asking->op, address) ? KNOWN
                                                                 : UNKNOWN;
}

//===----------------------------------------------------------------------===//
// What is touched
//===----------------------------------------------------------------------===//

static void touch(Asking *asking, int64_t begin, int64_t end, bool isOwn) {
  const BerthRoot *root = &asking->views->roots[asking->root];
  BerthOwnBytes *bytes = asking->bytes;
  begin = begin < root->lower ? root->lower : begin;
  end = end > root->upper ? root->upper : end;
  for (int64_t at = begin; at < end; ++at) {
    int32_t *thread = &bytes->threads[at - root->lower];
    bool isFree = *thread == 0 || *thread == asking->thread;
    *thread = isOwn && isFree ? asking->thread : -1;
  }
}

static void touchElements(Asking *asking, const Address *address,
                          const int64_t *extents, intptr_t dimension,
                          int64_t at) {
  if (dimension == address->rank) {
    touch(asking, at, at + address->elementBytes, asking->hasShape);
    return;
  }
  for (int64_t i = 0; i < extents[dimension]; ++i)
    touchElements(asking, address, extents, dimension + 1,
                  at + i * address->steps[dimension]);
}

static Answer askSubscripts(Asking *asking, intptr_t first, Address *address) {
  for (intptr_t d = 0; d < address->rank; ++d) {
    int64_t subscript;
    Answer answer =
        berthOpIsAffine(asking->op)
            ? askMap(asking, asking->op, "map", first, d, &subscript)
            : ask(asking, mlirOperationGetOperand(asking->op, first + d),
                  &subscript);
    if (answer != KNOWN)
      return answer;
    address->start += subscript * address->steps[d];
  }
  return KNOWN;
}

/// From the first byte to the last that the operand addresses, in any thread.
static Answer touchRange(Asking *asking, const Address *address) {
  MlirType type =
      mlirValueGetType(mlirOperationGetOperand(asking->op, asking->operand));
  int64_t end = address->start + address->elementBytes;
  for (intptr_t d = 0; d < address->rank; ++d) {
    if (mlirShapedTypeIsDynamicDim(type, d))
      return UNKNOWN;
    end += (mlirShapedTypeGetDimSize(type, d) - 1) * address->steps[d];
  }
  touch(asking, address->start, end, false);
  return KNOWN;
}

/// What the thread at hand touches through the operand at hand.
static Answer touchOperand(Asking *asking) {
  MlirOperation op = asking->op;
  BerthVectorAccess vector;
  int64_t extents[BERTH_SLICE_MAX_RANK];
  bool isVector = berthVectorGetAccess(op, &vector);
  bool isElement = !isVector && berthOpIsElementAccess(op);
  Address address;
  Answer answer = askAddress(
      asking, mlirOperationGetOperand(op, asking->operand), &address);
  if (answer != KNOWN)
    return answer;
  if (!isVector && !isElement)
    return touchRange(asking, &address);
  BerthOperandRole role = berthOpGetRole(op, asking->operand);
  bool isMemory =
      isVector ? vector.memref == asking->operand
               : role == BERTH_OPERAND_READ || role == BERTH_OPERAND_WRITTEN;
  for (intptr_t d = 0; d < address.rank; ++d)
    extents[d] = isVector ? vector.extents[d] : 1;
  answer =
      isMemory ? askSubscripts(asking, asking->operand + 1, &address) : UNKNOWN;
  if (answer == KNOWN)
    touchElements(asking, &address, extents, 0, address.start);
  return answer;
}

/// KNOWN: does the thread at hand come to the op, as far as the ifs around it
/// can be told, the outermost first?
static Answer askWhetherReached(Asking *asking, MlirOperation op,
                                bool *isReached) {
  MlirOperation around = mlirOperationGetParentOperation(op);
  *isReached = true;
  if (mlirOperationEqual(around, asking->scope))
    return KNOWN;
  Answer answer = askWhetherReached(asking, around, isReached);
  if (answer != KNOWN || !*isReached || berthOpIsAffine(around) ||
      !berthOpIs(around, BERTH_OP_IF))
    return answer;
  int64_t condition;
  answer = ask(asking, mlirOperationGetOperand(around, 0), &condition);
  if (answer == ASSUME || answer == GIVE_UP)
    return answer;
  MlirRegion region = mlirBlockGetParentRegion(mlirOperationGetBlock(op));
  bool isThen = mlirRegionEqual(region, mlirOperationGetRegion(around, 0));
  *isReached = answer == UNKNOWN || isThen == (condition != 0);
  return KNOWN;
}

/// The thread at hand, with what is assumed so far; false: nothing is known.
static bool touchAll(Asking *asking) {
  bool isReached;
  Answer answer = askWhetherReached(asking, asking->op, &isReached);
  if (answer == KNOWN)
    answer = isReached ? touchOperand(asking) : KNOWN;
  if (answer != ASSUME)
    return answer == KNOWN;
  if (asking->numAssumed == kMostAssumed)
    return false;
  size_t last = asking->numAssumed++;
  Assumed wanted = asking->wanted;
  bool isKnown = true;
  for (int64_t number = wanted.first; number < wanted.end && isKnown;
       number += wanted.by) {
    asking->assumed[last] = wanted;
    asking->assumed[last].number = number;
    isKnown = touchAll(asking);
  }
  asking->numAssumed = last;
  return isKnown;
}

static bool touchByAllThreads(Asking *asking) {
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
    if (!touchAll(asking))
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// True if the op is run by each thread in its order, and touches memory only
/// while it runs and only where its operands point.
static bool isPlain(MlirOperation op, MlirOperation scope) {
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

/// True if the operand may point into the root; `*isOnly`: nowhere else.
static bool mayPointTo(const Asking *asking, MlirValue value, bool *isOnly) {
  const BerthRootSet *set = berthViewsFind(asking->views, value);
  bool found = false;
  for (size_t i = 0; set && i < set->count; ++i)
    found |= set->ids[i] == asking->root;
  *isOnly = found && set->count == 1;
  return found;
}

static bool touchByOp(Asking *asking) {
  intptr_t count = mlirOperationGetNumOperands(asking->op);
  bool isAny = false, isOnly;
  for (intptr_t i = 0; i < count; ++i) {
    if (!mayPointTo(asking, mlirOperationGetOperand(asking->op, i), &isOnly))
      continue;
    isAny = true;
    asking->operand = i;
    if (!isOnly || !touchByAllThreads(asking))
      return false;
  }
  return isAny;
}

BerthOwnBytes berthOwnBytesOf(const BerthViews *views, MlirOperation scope,
                              MlirOperation op, uint32_t root) {
  const BerthRoot *of = &views->roots[root];
  BerthOwnBytes bytes = {
      .isAsked = true, .lower = of->lower, .upper = of->upper};
  enum { kMostBytes = 1 << 24 };
  if (of->isShifted || of->isBase || of->upper - of->lower > kMostBytes ||
      !isPlain(op, scope))
    return bytes;
  Asking asking = {.views = views,
                   .scope = scope,
                   .op = op,
                   .root = root,
                   .questionsLeft = kMostQuestions,
                   .bytes = &bytes};
  asking.hasShape = berthBlockShape(scope, asking.shape);
  bytes.threads = berthAllocateOrDie((size_t)(of->upper - of->lower),
                                     sizeof *bytes.threads);
  bytes.isKnown = touchByOp(&asking);
  return bytes;
}

bool berthOwnBytesMeet(const BerthOwnBytes *a, const BerthOwnBytes *b) {
  if (!a->isKnown || !b->isKnown)
    return true;
  int64_t lower = a->lower > b->lower ? a->lower : b->lower;
  int64_t upper = a->upper < b->upper ? a->upper : b->upper;
  for (int64_t at = lower; at < upper; ++at) {
    int32_t first = a->threads[at - a->lower];
    int32_t second = b->threads[at - b->lower];
    if (first && second && (first != second || first < 0))
      return true;
  }
  return false;
}

bool berthNumberOfThread(MlirOperation kernel, MlirValue value,
                         const int64_t place[3], int64_t *number) {
  enum { kMostSteps = 1 << 12 };
  Asking asking = {.scope = kernel, .questionsLeft = kMostSteps};
  asking.hasShape = berthBlockShape(kernel, asking.shape);
  memcpy(asking.place, place, sizeof asking.place);
  return asking.hasShape && ask(&asking, value, number) == KNOWN;
}
