//===- Homes.c - Buffers that go out as they are --------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Fit/Homes.h"
#include "IR/Facts/Facts.h"
#include "IR/Fit/AnyMemory.h"
#include "IR/Fit/Movable.h"
#include "IR/Fit/Traffic.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/BranchOperands.h"
#include "IR/Ops/Build.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/RowOf.h"
#include "mlir-c/BuiltinTypes.h"

/// A family under way.
typedef struct Family {
  const BerthFitJob *fit;
  BerthPointerMap *familyOf; ///< value -> the number of its family
  size_t number;
  bool isOpen; ///< something is handed on that has another type then
  BerthFitObstacle obstacle;
} Family;

static bool forbids(Family *family, const char *reason, MlirOperation at) {
  family->obstacle = (BerthFitObstacle){reason, at};
  return false;
}

static bool isOf(const Family *family, MlirValue value) {
  return berthPointerMapFind(family->familyOf, value.ptr) == family->number;
}

static void checkEdge(const BerthRegionEdge *edge, void *userData) {
  Family *family = userData;
  for (intptr_t i = 0; i < edge->numValues; ++i)
    family->isOpen |=
        isOf(family, edge->forwarded[i]) != isOf(family, edge->received[i]);
}

static void checkPair(MlirValue passed, MlirValue received, void *userData) {
  Family *family = userData;
  family->isOpen |= isOf(family, passed) != isOf(family, received);
}

/// True if all that a branch passes to the block is of the family where what
/// the block gets is.
static bool getsOwn(Family *family, MlirBlock block) {
  return berthBlockGetIncoming(block, checkPair, family) && !family->isOpen;
}

/// True if the op hands on values of the family to such only.
static bool keepsTogether(Family *family, MlirOperation op) {
  intptr_t numSuccessors = mlirOperationGetNumSuccessors(op);
  bool isOwn = true;
  if (berthOpIs(op, BERTH_OP_SELECT))
    return isOf(family, mlirOperationGetOperand(op, 1)) &&
           isOf(family, mlirOperationGetOperand(op, 2)) &&
           isOf(family, mlirOperationGetResult(op, 0));
  for (intptr_t i = 0; i < numSuccessors && isOwn; ++i)
    isOwn = getsOwn(family, mlirOperationGetSuccessor(op, i));
  if (numSuccessors)
    return isOwn;
  return berthOpIsRegionBranch(op) && !berthOpIsParallel(op) &&
         berthOpGetRegionEdges(op, checkEdge, family) && !family->isOpen;
}

/// The op that decides where an op's operands go: itself, or the one that it
/// ends a region of. A branch to blocks goes on in the same region.
static MlirOperation handerOf(MlirOperation op) {
  bool isEnd = mlirOperationIsNull(mlirOperationGetNextInBlock(op)) &&
               mlirOperationGetNumRegions(op) == 0 &&
               mlirOperationGetNumSuccessors(op) == 0 &&
               !berthOpIs(op, BERTH_OP_SELECT);
  return isEnd ? mlirOperationGetParentOperation(op) : op;
}

static bool mayTakeUse(Family *family, MlirOpOperand use) {
  MlirOperation op = mlirOpOperandGetOwner(use);
  MlirValue viewed = berthViewGetSource(op);
  if (!mlirValueIsNull(viewed) &&
      mlirValueEqual(viewed, mlirOpOperandGetValue(use)))
    return isOf(family, mlirOperationGetResult(op, 0));
  MlirOperation callee, at = op;
  if (berthOpIsFree(op) ? mlirOperationGetNumOperands(op) == 1
                        : berthFitTakesAny(family->fit->fast, use, &at) ||
                              keepsTogether(family, handerOf(op)))
    return true;
  return forbids(family,
                 !mlirOperationEqual(at, op)
                     ? "a call gets it, in whose callee an op needs it in the "
                       "memory that it is in"
                 : berthOpGetCallee(op, &callee)
                     ? "a call gets it, whose callee has the type"
                 : berthOpIsReturn(op) ? "it is returned"
                 : berthToldRowOf(op)  ? "an op needs it in the memory that it "
                                         "is in"
                                       : "control flow or an op hands it on "
                                         "beside other memory",
                 at);
}

/// True if the value and all that it is used for may be of the slow memory.
static bool mayTakeValue(Family *family, MlirValue value) {
  MlirType type = mlirValueGetType(value);
  if (!mlirTypeIsAMemRef(type) ||
      !mlirAttributeEqual(mlirMemRefTypeGetMemorySpace(type),
                          family->fit->level->fast.collect.space))
    return forbids(family, "a view of it is no memref of its memory space",
                   (MlirOperation){NULL});
  const char *besides = "what it is handed on as may also be other memory";
  if (mlirValueIsABlockArgument(value)) {
    MlirBlock block = mlirBlockArgumentGetOwner(value);
    MlirOperation parent = mlirBlockGetParentOperation(block);
    bool isEntry = mlirBlockEqual(
        block, mlirRegionGetFirstBlock(mlirBlockGetParentRegion(block)));
    bool isOwn =
        isEntry ? !berthOpIsFunction(parent) && keepsTogether(family, parent)
                : getsOwn(family, block);
    if (!isOwn)
      return forbids(family, besides, parent);
  } else {
    MlirOperation op = mlirOpResultGetOwner(value);
    if (!berthOpIsPlainAllocation(op) &&
        mlirValueIsNull(berthViewGetSource(op)) && !keepsTogether(family, op))
      return forbids(family, besides, op);
  }
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (!mayTakeUse(family, use))
      return false;
  return true;
}

static bool mayTakeBuffer(const BerthFitBuffer *buffer) {
  const BerthBufferInfo *info = buffer->info;
  return !buffer->isInSlow && mlirBlockIsNull(buffer->block) && !info->reason &&
         !info->leaks && info->numAccesses > 0 && !info->isDynamic &&
         !info->isBounded && !info->isForeign &&
         berthOpIs(info->alloc, BERTH_OP_ALLOC) &&
         !berthIsConstrained(info->alloc) &&
         mlirAttributeIsNull(berthAttributeOf(info->alloc, BERTH_CONTENT));
}

/// Gives each value the number of the first buffer that it is tied to. Buffers
/// that have a value in common have one number.
static void findFamilies(const BerthFitJob *fit, size_t *numbers,
                         BerthPointerMap *familyOf) {
  for (size_t i = 0; i < fit->numBuffers; ++i) {
    const BerthBufferInfo *info = fit->buffers[i].info;
    numbers[i] = i;
    for (size_t k = 0; k < info->numAliases; ++k) {
      size_t other = berthPointerMapFind(familyOf, info->aliases[k].ptr);
      if (other == BERTH_NOT_FOUND || numbers[other] == numbers[i])
        continue;
      size_t from = numbers[i], to = numbers[other];
      if (from < to) {
        from = numbers[other];
        to = numbers[i];
      }
      for (size_t m = 0; m <= i; ++m)
        numbers[m] = numbers[m] == from ? to : numbers[m];
    }
    for (size_t k = 0; k < info->numAliases; ++k)
      berthPointerMapInsert(familyOf, info->aliases[k].ptr, i);
  }
  for (size_t i = 0; i < fit->numBuffers; ++i)
    for (size_t k = 0; k < fit->buffers[i].info->numAliases; ++k)
      berthPointerMapSet(familyOf, fit->buffers[i].info->aliases[k].ptr,
                         numbers[i]);
}

static void addValues(BerthFitJob *fit, const BerthFitBuffer *buffer,
                      BerthPointerMap *seen, BerthFitHome *home,
                      size_t *capacity) {
  const BerthBufferInfo *info = buffer->info;
  if (home->numBuffers++ == 0)
    home->alloc = info->alloc;
  home->bytes += info->size;
  for (size_t k = 0; k < info->numAliases; ++k) {
    if (!berthPointerMapInsert(seen, info->aliases[k].ptr, 0))
      continue;
    if (!berthMemoryReserve(&fit->memory, &home->values, capacity,
                            home->numValues + 1))
      berthOrDie(NULL);
    home->values[home->numValues++] = info->aliases[k];
    home->touched += berthFitTouchedThrough(
        info, info->aliases[k], fit->fast->scope.op, &home->isKnown);
  }
}

/// All buffers with that number; false where one of them has to stay.
static bool makeHome(BerthFitJob *fit, const size_t *numbers,
                     BerthPointerMap *familyOf, size_t number,
                     BerthFitHome *home, BerthFitObstacle *obstacle) {
  Family family = {.fit = fit, .familyOf = familyOf, .number = number};
  BerthPointerMap seen = {0};
  size_t capacity = 0;
  bool mayGo = true;
  *home = (BerthFitHome){.isKnown = true};
  for (size_t i = 0; i < fit->numBuffers && mayGo; ++i) {
    if (numbers[i] != number)
      continue;
    mayGo = mayTakeBuffer(&fit->buffers[i]) ||
            forbids(&family, "it is no allocation that may go elsewhere",
                    fit->buffers[i].info->alloc);
    if (mayGo)
      addValues(fit, &fit->buffers[i], &seen, home, &capacity);
  }
  for (size_t k = 0; k < home->numValues && mayGo; ++k)
    mayGo = mayTakeValue(&family, home->values[k]);
  berthPointerMapFree(&seen);
  *obstacle = family.obstacle;
  return mayGo;
}

bool berthFitFindHome(BerthFitJob *fit, BerthFitHome *home) {
  BerthPointerMap familyOf = {0};
  size_t *numbers = BERTH_NEW(&fit->memory, size_t, fit->numBuffers + 1);
  bool isFound = false;
  findFamilies(fit, numbers, &familyOf);
  for (size_t i = 0; i < fit->numBuffers; ++i) {
    BerthFitHome other;
    BerthFitObstacle obstacle;
    if (numbers[i] != i ||
        !makeHome(fit, numbers, &familyOf, i, &other, &obstacle))
      continue;
    bool isCheaper = !isFound || other.touched * (double)home->bytes <
                                     home->touched * (double)other.bytes;
    if (isCheaper)
      *home = other;
    isFound = true;
  }
  berthPointerMapFree(&familyOf);
  return isFound;
}

BerthFitObstacle berthFitWhyNoHome(BerthFitJob *fit, size_t index) {
  BerthPointerMap familyOf = {0};
  size_t *numbers = BERTH_NEW(&fit->memory, size_t, fit->numBuffers + 1);
  BerthFitHome home;
  BerthFitObstacle obstacle;
  findFamilies(fit, numbers, &familyOf);
  makeHome(fit, numbers, &familyOf, numbers[index], &home, &obstacle);
  berthPointerMapFree(&familyOf);
  return obstacle;
}

void berthFitTakeHome(const BerthFitJob *fit, const BerthFitHome *home) {
  for (size_t i = 0; i < home->numValues; ++i) {
    MlirType type = mlirValueGetType(home->values[i]);
    mlirValueSetType(home->values[i],
                     berthMemRefWith(type, mlirMemRefTypeGetLayout(type),
                                     fit->level->slow.space));
  }
}
