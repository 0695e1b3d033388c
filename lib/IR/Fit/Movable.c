//===- Movable.c - Which buffers may change places ----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A buffer's content can be put into another allocation between two ops if all
// that leads to it is views, each use of which is known. Then each use can be
// given a view of the new allocation. What control flow hands on, a token
// holds, or an address was made of has to stay.
//
//===----------------------------------------------------------------------===//

#include "IR/Fit/Movable.h"
#include "IR/Fit/AnyMemory.h"
#include "IR/Fit/Kept.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/Rules.h"
#include "IR/Scope/ScopeKind.h"
#include "IR/Scope/Segments.h"
#include "mlir-c/BuiltinTypes.h"

static bool stays(BerthFitBuffer *buffer, const char *reason,
                  MlirOperation at) {
  buffer->block = (MlirBlock){NULL};
  buffer->reason = reason;
  buffer->reasonAt = at;
  return false;
}

//===----------------------------------------------------------------------===//
// Uses
//===----------------------------------------------------------------------===//

/// A memref of static rank whose memory space may be another one.
static bool mayBeRetyped(MlirValue alias, MlirAttribute space) {
  MlirType type = mlirValueGetType(alias);
  return mlirTypeIsAMemRef(type) &&
         mlirAttributeEqual(mlirMemRefTypeGetMemorySpace(type), space);
}

/// Of a described op it is known what it does to memory, all of it: what it
/// starts is a result, or told as pending work.
static bool isKnownAccess(MlirOperation op) {
  return berthOpIsPlainAccess(op) ||
         (berthOpIsDescribed(op) && mlirOperationGetNumResults(op) == 0);
}

static bool isAccessOf(const BerthJob *job, const BerthBufferInfo *info,
                       MlirOperation op) {
  MlirOperation access = berthPointsOutermostOpaque(&job->points, op);
  for (size_t i = 0; i < info->numAccesses; ++i)
    if (mlirOperationEqual(info->accesses[i].op, access))
      return true;
  return false;
}

static bool checkUse(const BerthJob *job, BerthFitBuffer *buffer,
                     MlirOpOperand use) {
  const BerthBufferInfo *info = buffer->info;
  MlirOperation op = mlirOpOperandGetOwner(use);
  MlirValue source = berthViewGetSource(op);
  if (!mlirValueIsNull(source) &&
      mlirValueEqual(source, mlirOpOperandGetValue(use)))
    return true; // its result is an alias, looked at by itself
  if (berthOpIsFree(op) && mlirOperationGetNumOperands(op) == 1) {
    MlirBlock block = mlirOperationGetBlock(op);
    return mlirBlockEqual(block, mlirOperationGetBlock(info->alloc)) ||
           stays(buffer, "it is freed elsewhere than it is allocated", op);
  }
  if (!isKnownAccess(op) || !isAccessOf(job, info, op) ||
      !mlirOperationEqual(berthEnclosingScope(op),
                          berthEnclosingScope(info->alloc)))
    return stays(buffer,
                 "an op does something else with it than to read or write it",
                 op);
  // What lies behind is not brought in for a callee, which is fitted as if
  // nothing of its callers were there.
  MlirOperation at = op;
  bool takesAny = buffer->isInSlow ? berthTakesAnyMemory(op)
                                   : berthFitTakesAny(job, use, &at);
  if (buffer->mayBeSlow && !takesAny) {
    buffer->mayBeSlow = false;
    buffer->reason = "an op needs it in the memory that it is in";
    buffer->reasonAt = at;
  }
  return true;
}

static bool checkAliases(const BerthJob *job, BerthFitBuffer *buffer) {
  const BerthBufferInfo *info = buffer->info;
  MlirAttribute space =
      mlirMemRefTypeGetMemorySpace(mlirValueGetType(info->value));
  for (size_t i = 0; i < info->numAliases; ++i) {
    MlirValue alias = info->aliases[i];
    bool isOwn = i == 0;
    if (!isOwn &&
        (!mlirValueIsAOpResult(alias) ||
         mlirValueIsNull(berthViewGetSource(mlirOpResultGetOwner(alias)))))
      return stays(
          buffer, "control flow or an op hands it on",
          mlirValueIsAOpResult(alias)
              ? mlirOpResultGetOwner(alias)
              : mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(alias)));
    if (!mayBeRetyped(alias, space))
      return stays(buffer, "a view of it is no memref of its memory space",
                   mlirOpResultGetOwner(alias));
    for (MlirOpOperand use = mlirValueGetFirstUse(alias);
         !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
      if (!checkUse(job, buffer, use))
        return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// The block
//===----------------------------------------------------------------------===//

MlirOperation berthAncestorInBlock(MlirOperation op, MlirBlock block) {
  while (!mlirOperationIsNull(op) &&
         !mlirBlockEqual(mlirOperationGetBlock(op), block))
    op = mlirOperationGetParentOperation(op);
  return op;
}

/// The block around another one, as far as the allocation is known there.
static MlirBlock blockAround(const BerthBufferInfo *info, MlirBlock block) {
  MlirRegion region =
      mlirBlockGetParentRegion(mlirOperationGetBlock(info->alloc));
  if (mlirRegionEqual(mlirBlockGetParentRegion(block), region))
    return (MlirBlock){NULL};
  return mlirOperationGetBlock(mlirBlockGetParentOperation(block));
}

/// The innermost block that holds all accesses; null: there is none.
static MlirBlock commonBlock(const BerthBufferInfo *info) {
  MlirBlock block = mlirOperationGetBlock(info->accesses[0].op);
  for (size_t i = 1; i < info->numAccesses; ++i)
    while (!mlirBlockIsNull(block) && mlirOperationIsNull(berthAncestorInBlock(
                                          info->accesses[i].op, block)))
      block = blockAround(info, block);
  return block;
}

/// True if nothing of the content is left where the block ends: then nothing is
/// there when it begins, either, be it in a loop.
static bool endsInBlock(const BerthJob *job, const BerthBufferInfo *info,
                        MlirBlock block) {
  MlirOperation last = berthBlockGetLast(block);
  if (mlirOperationIsNull(last))
    return false;
  int64_t point = berthPointsLower(&job->points, last);
  return point >= 0 && !berthSegmentAt(info, point);
}

void berthFitFindBlock(const BerthJob *job, BerthFitBuffer *buffer) {
  const BerthBufferInfo *info = buffer->info;
  const char *broken = job->options->alias.breakRule;
  MlirOperation none = {NULL};
  buffer->mayBeSlow = true;
  if (info->reason || info->leaks) {
    stays(buffer, info->reason ? info->reason : info->leakReason,
          info->reason ? info->reasonAt : info->leaksAt);
    return;
  }
  if (info->isDynamic || info->isBounded || info->isForeign ||
      !berthOpIsPlainAllocation(info->alloc)) {
    stays(buffer, "it is no plain allocation of static size", none);
    return;
  }
  if (!mlirAttributeIsNull(berthAttributeOf(info->alloc, BERTH_TILE))) {
    stays(buffer, "it is a slice of something else", none);
    return;
  }
  if (berthIsConstrained(info->alloc)) {
    stays(buffer, "its place is bound", none);
    return;
  }
  if (!checkAliases(job, buffer))
    return;
  MlirBlock own = mlirOperationGetBlock(info->alloc);
  MlirBlock block = commonBlock(info);
  // Content that goes on in the next iteration has to be found where it was.
  while (!mlirBlockIsNull(block) && !mlirBlockEqual(block, own) &&
         !endsInBlock(job, info, block) &&
         !berthIsBroken(broken, "content-ends-with-block"))
    block = blockAround(info, block);
  // One on the stack would be there anew in each iteration.
  bool isOnStack = berthOpIs(info->alloc, BERTH_OP_ALLOCA);
  if (mlirBlockIsNull(block) || (isOnStack && !mlirBlockEqual(block, own))) {
    stays(buffer, "its content is not made, used and forgotten in one block",
          none);
    return;
  }
  MlirOperation last = berthBlockGetLast(block);
  for (size_t i = 0; i < info->numAccesses; ++i) {
    MlirOperation op = info->accesses[i].op;
    if (mlirOperationEqual(berthAncestorInBlock(op, block), last)) {
      stays(buffer, "the op that ends a block uses it", op);
      return;
    }
  }
  buffer->block = block;
}

//===----------------------------------------------------------------------===//
// Copies of what stays as it is
//===----------------------------------------------------------------------===//

static bool isInMemory(MlirValue value, const BerthFitJob *fit) {
  MlirType type = mlirValueGetType(value);
  return mlirTypeIsAMemRef(type) &&
         mlirAttributeEqual(mlirMemRefTypeGetMemorySpace(type),
                            fit->level->slow.space);
}

/// A source is told apart from other memory by a mark (Attributes.h): on the op
/// that has it as its only result, or on the function's argument.
static bool mayBeMarked(const BerthJob *job, MlirValue source) {
  if (mlirValueIsAOpResult(source))
    return mlirOperationGetNumResults(mlirOpResultGetOwner(source)) == 1;
  MlirAttribute type = berthAttributeOf(job->scope.op, "function_type");
  return mlirBlockEqual(mlirBlockArgumentGetOwner(source),
                        mlirRegionGetFirstBlock(job->scope.body)) &&
         !mlirAttributeIsNull(type) && mlirAttributeIsAType(type) &&
         mlirTypeIsAFunction(mlirTypeAttrGetValue(type)) &&
         mlirBlockArgumentGetArgNumber(source) <
             mlirFunctionTypeGetNumInputs(mlirTypeAttrGetValue(type));
}

void berthFitFindSource(const BerthFitJob *fit, const BerthJob *job,
                        BerthFitBuffer *buffer) {
  enum { kSource = 0, kTarget = 1 };
  if (buffer->numUses < 2 || buffer->isInSlow)
    return;
  MlirOperation copy = buffer->uses[0].op;
  if (!berthOpIsCopy(copy) || mlirOperationGetNumOperands(copy) != 2 ||
      !mlirValueEqual(mlirOperationGetOperand(copy, kTarget),
                      buffer->info->value) ||
      buffer->uses[0].kind != BERTH_USE_WRITE)
    return;
  // A move of an earlier run brings a content that has a number already.
  if (!mlirAttributeIsNull(berthAttributeOf(copy, BERTH_MOVE)))
    return;
  for (size_t i = 1; i < buffer->numUses; ++i)
    if (buffer->uses[i].kind != BERTH_USE_READ)
      return;
  MlirValue source = mlirOperationGetOperand(copy, kSource);
  int64_t end = buffer->uses[buffer->numUses - 1].upper;
  // What may itself go elsewhere is no place to read from.
  if (!isInMemory(source, fit) || !mayBeMarked(job, source) ||
      (fit->slow && berthFitIsAllocation(berthValueBehindViews(source))) ||
      (berthFitKeptUntil(job, source, copy, end) < end &&
       !berthIsBroken(job->options->alias.breakRule, "sources-stay")))
    return;
  buffer->source = source;
  buffer->copy = copy;
  // Ops that are given the source itself find the same elements in it.
  MlirType own = mlirValueGetType(buffer->info->value);
  buffer->mayBeSlow &=
      mlirAttributeEqual(mlirMemRefTypeGetLayout(own),
                         mlirMemRefTypeGetLayout(mlirValueGetType(source))) &&
      mlirTypeEqual(mlirShapedTypeGetElementType(own),
                    mlirShapedTypeGetElementType(mlirValueGetType(source)));
}
