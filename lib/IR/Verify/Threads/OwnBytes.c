//===- OwnBytes.c - Which thread touches which bytes ----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Threads/OwnBytes.h"
#include "IR/Facts/Facts.h"
#include "IR/Facts/SliceFacts.h"
#include "IR/Ops/Fragments.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Verify/Threads/Asking.h"
#include "mlir-c/BuiltinTypes.h"

#include <string.h>

/// One op, and what it touches.
typedef struct Touching {
  BerthAsking asking;
  intptr_t operand; ///< at hand
  BerthOwnBytes *bytes;
} Touching;

//===----------------------------------------------------------------------===//
// What is touched
//===----------------------------------------------------------------------===//

static void touch(const Touching *touching, int64_t begin, int64_t end,
                  bool isOwn) {
  const BerthAsking *asking = &touching->asking;
  const BerthRoot *root = &asking->views->roots[asking->root];
  BerthOwnBytes *bytes = touching->bytes;
  begin = begin < root->lower ? root->lower : begin;
  end = end > root->upper ? root->upper : end;
  for (int64_t at = begin; at < end; ++at) {
    int32_t *thread = &bytes->threads[at - root->lower];
    bool isFree = *thread == 0 || *thread == asking->thread;
    *thread = isOwn && isFree ? asking->thread : -1;
  }
}

static void touchElements(const Touching *touching, const BerthAddress *address,
                          const int64_t *extents, bool isOwn,
                          intptr_t dimension, int64_t at) {
  if (dimension == address->rank) {
    touch(touching, at, at + address->elementBytes, isOwn);
    return;
  }
  for (int64_t i = 0; i < extents[dimension]; ++i)
    touchElements(touching, address, extents, isOwn, dimension + 1,
                  at + i * address->steps[dimension]);
}

/// From the first byte to the last that the operand addresses, in any thread.
static BerthAnswer touchRange(const Touching *touching,
                              const BerthAddress *address) {
  MlirType type = mlirValueGetType(
      mlirOperationGetOperand(touching->asking.op, touching->operand));
  int64_t end = address->start + address->elementBytes;
  for (intptr_t d = 0; d < address->rank; ++d) {
    if (mlirShapedTypeIsDynamicDim(type, d))
      return BERTH_UNKNOWN;
    end += (mlirShapedTypeGetDimSize(type, d) - 1) * address->steps[d];
  }
  touch(touching, address->start, end, false);
  return BERTH_KNOWN;
}

/// A matrix, whose elements some lanes of the subgroup touch. Where it is in
/// the memref may be unknown; then it is of the memref's rows, or may be
/// anywhere.
static BerthAnswer touchFragment(Touching *touching,
                                 const BerthFragmentAccess *fragment,
                                 const BerthAddress *address) {
  BerthAddress matrix = *address;
  intptr_t rank = address->rank;
  if (fragment->memref != touching->operand || rank == 0)
    return BERTH_UNKNOWN;
  int64_t step = fragment->lead * address->elementBytes;
  BerthAnswer answer =
      berthAskSubscripts(&touching->asking, fragment->firstIndex, &matrix);
  bool isOfRows =
      !fragment->isTransposed && rank > 1 && address->steps[rank - 2] == step;
  if (answer == BERTH_UNKNOWN && isOfRows)
    return touchRange(touching, address);
  if (answer != BERTH_KNOWN)
    return answer;
  int64_t extents[] = {fragment->rows, fragment->columns};
  matrix.rank = 2;
  matrix.steps[0] = fragment->isTransposed ? address->elementBytes : step;
  matrix.steps[1] = fragment->isTransposed ? step : address->elementBytes;
  touchElements(touching, &matrix, extents, false, 0, matrix.start);
  return BERTH_KNOWN;
}

/// What the thread at hand touches through the operand at hand.
static BerthAnswer touchOperand(Touching *touching) {
  BerthAsking *asking = &touching->asking;
  MlirOperation op = asking->op;
  intptr_t operand = touching->operand;
  BerthVectorAccess vector;
  BerthFragmentAccess fragment;
  int64_t extents[BERTH_SLICE_MAX_RANK];
  bool isVector = berthVectorGetAccess(op, &vector);
  bool isElement = !isVector && berthOpIsElementAccess(op);
  BerthAddress address;
  BerthAnswer answer =
      berthAskAddress(asking, mlirOperationGetOperand(op, operand), &address);
  if (answer != BERTH_KNOWN)
    return answer;
  if (berthOpIs(op, BERTH_OP_FRAGMENT_LOAD) ||
      berthOpIs(op, BERTH_OP_FRAGMENT_STORE))
    return berthFragmentGetAccess(op, &fragment)
               ? touchFragment(touching, &fragment, &address)
               : BERTH_UNKNOWN;
  if (!isVector && !isElement)
    return touchRange(touching, &address);
  BerthOperandRole role = berthOpGetRole(op, operand);
  bool isMemory =
      isVector ? vector.memref == operand
               : role == BERTH_OPERAND_READ || role == BERTH_OPERAND_WRITTEN;
  for (intptr_t d = 0; d < address.rank; ++d)
    extents[d] = isVector ? vector.extents[d] : 1;
  answer = isMemory ? berthAskSubscripts(asking, operand + 1, &address)
                    : BERTH_UNKNOWN;
  if (answer == BERTH_KNOWN)
    touchElements(touching, &address, extents, asking->hasShape, 0,
                  address.start);
  return answer;
}

/// If known: does the thread at hand come to the op, as far as the ifs around
/// it can be told, the outermost first?
static BerthAnswer askWhetherReached(BerthAsking *asking, MlirOperation op,
                                     bool *isReached) {
  MlirOperation around = mlirOperationGetParentOperation(op);
  *isReached = true;
  if (mlirOperationEqual(around, asking->scope))
    return BERTH_KNOWN;
  BerthAnswer answer = askWhetherReached(asking, around, isReached);
  if (answer != BERTH_KNOWN || !*isReached || berthOpIsAffine(around) ||
      !berthOpIs(around, BERTH_OP_IF))
    return answer;
  int64_t condition;
  answer = berthAsk(asking, mlirOperationGetOperand(around, 0), &condition);
  if (answer == BERTH_ASSUME || answer == BERTH_GIVE_UP)
    return answer;
  MlirRegion region = mlirBlockGetParentRegion(mlirOperationGetBlock(op));
  bool isThen = mlirRegionEqual(region, mlirOperationGetRegion(around, 0));
  *isReached = answer == BERTH_UNKNOWN || isThen == (condition != 0);
  return BERTH_KNOWN;
}

/// The thread at hand, with what is assumed so far.
static BerthAnswer touchInThread(BerthAsking *asking, void *userData) {
  bool isReached;
  BerthAnswer answer = askWhetherReached(asking, asking->op, &isReached);
  return answer == BERTH_KNOWN && isReached ? touchOperand(userData) : answer;
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// True if the operand may point into the root; `*isOnly`: nowhere else.
static bool mayPointTo(const BerthAsking *asking, MlirValue value,
                       bool *isOnly) {
  const BerthRootSet *set = berthViewsFind(asking->views, value);
  bool found = berthRootSetHas(set, asking->root);
  *isOnly = found && set->count == 1;
  return found;
}

/// Where it cannot be computed which bytes it touches, several threads may
/// touch any of the root's: more than those it does not.
static bool touchByOp(Touching *touching) {
  BerthAsking *asking = &touching->asking;
  intptr_t count = mlirOperationGetNumOperands(asking->op);
  bool isAny = false, isOnly;
  for (intptr_t i = 0; i < count; ++i) {
    if (!mayPointTo(asking, mlirOperationGetOperand(asking->op, i), &isOnly))
      continue;
    isAny = true;
    touching->operand = i;
    if (!isOnly || !berthAskAllThreads(asking, touchInThread, touching))
      touch(touching, touching->bytes->lower, touching->bytes->upper, false);
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
      !berthIsPlainForThreads(op, scope))
    return bytes;
  Touching touching = {.asking = berthAskingOf(views, scope, op, root),
                       .bytes = &bytes};
  bytes.threads = berthAllocateOrDie((size_t)(of->upper - of->lower),
                                     sizeof *bytes.threads);
  bytes.isKnown = touchByOp(&touching);
  // Behind the last byte that is touched all is nobody's.
  while (bytes.isKnown && bytes.upper > bytes.lower &&
         !bytes.threads[bytes.upper - 1 - bytes.lower])
    --bytes.upper;
  bytes.isOneEach = bytes.isKnown;
  for (int64_t at = 0; bytes.isOneEach && at < bytes.upper - bytes.lower; ++at)
    bytes.isOneEach = bytes.threads[at] >= 0;
  return bytes;
}

/// Most threads touch bytes of their own alike.
static bool areAlike(const BerthOwnBytes *a, const BerthOwnBytes *b,
                     int64_t lower, int64_t upper) {
  return (a->isOneEach || b->isOneEach) && lower < upper &&
         memcmp(a->threads + (lower - a->lower),
                b->threads + (lower - b->lower),
                (size_t)(upper - lower) * sizeof *a->threads) == 0;
}

bool berthOwnBytesAreEqual(const BerthOwnBytes *a, const BerthOwnBytes *b) {
  return a->isKnown && b->isKnown && a->lower == b->lower &&
         a->upper == b->upper &&
         memcmp(a->threads, b->threads,
                (size_t)(a->upper - a->lower) * sizeof *a->threads) == 0;
}

bool berthOwnBytesMeet(const BerthOwnBytes *a, const BerthOwnBytes *b) {
  if (!a->isKnown || !b->isKnown)
    return true;
  int64_t lower = a->lower > b->lower ? a->lower : b->lower;
  int64_t upper = a->upper < b->upper ? a->upper : b->upper;
  if (areAlike(a, b, lower, upper))
    return false;
  for (int64_t at = lower; at < upper; ++at) {
    int32_t first = a->threads[at - a->lower];
    int32_t second = b->threads[at - b->lower];
    if (first && second && (first != second || first < 0))
      return true;
  }
  return false;
}
