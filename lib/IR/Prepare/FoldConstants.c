//===- FoldConstants.c - What is computed from constants alone ------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Only one op may write the buffer, all of it, and all others only read: then
// there is no time at which the constant would be wrong. What is read before
// the write is of no use, and may as well be the constant.
//
//===----------------------------------------------------------------------===//

#include "IR/Prepare/FoldConstants.h"
#include "IR/Facts/ConstantFacts.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Build.h"
#include "IR/Ops/Constants.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Rules.h"
#include "IR/Ops/Text.h"
#include "IR/Ops/Worklist.h"
#include "IR/Scope/ScopeKind.h"

#include <stdlib.h>

typedef struct Fold {
  const BerthCollectOptions *options;
  MlirOperation root;
  BerthBackup *backup;
  bool followsFirst;  ///< of several writers
  BerthWorklist read; ///< constants of which others have been computed
  int64_t bytesLeft;
  size_t number; ///< of the next constant's name
  BerthWorklist allocations;
  // The buffer at hand:
  MlirOperation alloc;
  MlirOperation writer;
  intptr_t output;
  BerthWorklist frees;
} Fold;

//===----------------------------------------------------------------------===//
// What is done to a buffer
//===----------------------------------------------------------------------===//

/// The writer has the buffer as one operand only, and as a whole.
static bool takeWriter(Fold *fold, MlirOpOperand use) {
  MlirOperation op = mlirOpOperandGetOwner(use);
  fold->output = mlirOpOperandGetOperandNumber(use);
  bool isFirst = mlirOperationIsNull(fold->writer);
  fold->writer = op;
  return isFirst && berthOpFullyOverwrites(op, fold->output) &&
         mlirOperationGetNumResults(op) == 0 &&
         berthOpReadsConstantsOnly(op, fold->output);
}

static bool hasWriter(const Fold *fold) {
  return !mlirOperationIsNull(fold->writer);
}

/// And hands nothing on that leads to it.
static bool isOnlyRead(MlirOperation op, MlirValue value) {
  BerthEffects effects;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (berthTypeMayPoint(mlirValueGetType(mlirOperationGetResult(op, i))))
      return false;
  return mlirOperationGetNumSuccessors(op) == 0 &&
         berthOpSumEffects(op, value, &effects) &&
         effects.onValue == BERTH_EFFECT_READ;
}

/// Sorts the uses of the buffer and its views into the writer, deallocations
/// and reads; false if there is anything else.
static bool findUses(Fold *fold) {
  BerthWorklist values = {0};
  MlirValue buffer = mlirOperationGetResult(fold->alloc, 0);
  MlirOperation scope = berthEnclosingScope(fold->alloc);
  berthWorklistPush(&values, buffer);
  bool isPlain = true;
  while (isPlain && values.numPending) {
    MlirValue value = berthWorklistPop(&values);
    for (MlirOpOperand use = mlirValueGetFirstUse(value);
         isPlain && !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
      MlirOperation op = mlirOpOperandGetOwner(use);
      isPlain = mlirOperationEqual(berthEnclosingScope(op), scope);
      MlirValue source = berthViewGetSource(op);
      if (!mlirValueIsNull(source) && mlirValueEqual(source, value))
        berthWorklistPush(&values, mlirOperationGetResult(op, 0));
      else if (berthOpIs(op, BERTH_OP_FREE))
        berthWorklistAdd(&fold->frees, op.ptr);
      else if (!isOnlyRead(op, value) &&
               !(fold->followsFirst && hasWriter(fold)))
        isPlain &= mlirValueEqual(value, buffer) && takeWriter(fold, use);
    }
  }
  berthWorklistFree(&values);
  return isPlain && hasWriter(fold);
}

/// What the writer leaves in it, or null.
static MlirAttribute compute(Fold *fold) {
  intptr_t count = mlirOperationGetNumOperands(fold->writer);
  intptr_t input = -1;
  for (intptr_t i = 0; i < count; ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetOperand(fold->writer, i));
    if (i == fold->output || !mlirTypeIsAMemRef(type))
      continue;
    if (input >= 0)
      return mlirAttributeGetNull();
    input = i;
  }
  MlirOperation global = berthConstantGlobalOf(
      mlirOperationGetOperand(fold->writer, input), /*isWhole=*/true);
  if (mlirOperationIsNull(global))
    return mlirAttributeGetNull();
  MlirAttribute value =
      berthOpComputeConstant(fold->writer, input, fold->output,
                             berthAttributeOf(global, "initial_value"));
  if (!mlirAttributeIsNull(value))
    berthWorklistAdd(&fold->read, global.ptr);
  return value;
}

//===----------------------------------------------------------------------===//
// The constant
//===----------------------------------------------------------------------===//

static bool isTaken(MlirBlock block, MlirStringRef name) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    MlirAttribute symbol = berthAttributeOf(op, "sym_name");
    if (!mlirAttributeIsNull(symbol) &&
        mlirStringRefEqual(mlirStringAttrGetValue(symbol), name))
      return true;
  }
  return false;
}

/// The reference to a new global in front of all others of the module.
static MlirAttribute addGlobal(Fold *fold, MlirAttribute value,
                               int64_t alignment) {
  MlirContext context = mlirOperationGetContext(fold->alloc);
  MlirOperation module = berthEnclosingScope(fold->alloc);
  module = mlirOperationGetParentOperation(module);
  MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(module, 0));
  BerthInsertPoint at = {block, mlirBlockGetFirstOperation(block),
                         mlirOperationGetLocation(fold->writer)};
  BerthText name = {0};
  do {
    name.length = 0;
    berthTextAppend(&name, "berth_constant_%zu", fold->number++);
  } while (isTaken(block, mlirStringRefCreate(name.data, name.length)));
  MlirStringRef symbol = mlirStringRefCreate(name.data, name.length);
  MlirType type = mlirValueGetType(mlirOperationGetResult(fold->alloc, 0));
  MlirNamedAttribute attributes[] = {
      berthNamed(context, "sym_name", mlirStringAttrGet(context, symbol)),
      berthNamed(context, "sym_visibility",
                 mlirStringAttrGet(context,
                                   mlirStringRefCreateFromCString("private"))),
      berthNamed(context, "type", mlirTypeAttrGet(type)),
      berthNamed(context, "initial_value", value),
      berthNamed(context, "constant", mlirUnitAttrGet(context)),
      berthNamed(context, "alignment", berthI64(context, alignment))};
  berthBuild(at, BERTH_NAME_GLOBAL, 0, NULL, 0, NULL, 6, attributes);
  MlirAttribute reference = mlirFlatSymbolRefAttrGet(context, symbol);
  berthTextFree(&name);
  return reference;
}

static int64_t alignmentOf(MlirOperation alloc) {
  enum { kLine = 64 };
  MlirAttribute attribute = berthAttributeOf(alloc, "alignment");
  int64_t own = mlirAttributeIsNull(attribute)
                    ? 0
                    : mlirIntegerAttrGetValueInt(attribute);
  return own > kLine ? own : kLine;
}

/// What only led to constants that nobody reads there any more: addresses of
/// globals, and views.
static void destroyUnread(BerthWorklist *values) {
  while (values->numPending) {
    MlirValue value = berthWorklistPop(values);
    if (!mlirValueIsAOpResult(value) ||
        !mlirOpOperandIsNull(mlirValueGetFirstUse(value)))
      continue;
    MlirOperation op = mlirOpResultGetOwner(value);
    MlirValue source = berthViewGetSource(op);
    if (!berthOpIs(op, BERTH_OP_GET_GLOBAL) && mlirValueIsNull(source))
      continue;
    mlirOperationDestroy(op);
    if (!mlirValueIsNull(source))
      berthWorklistPush(values, source);
  }
  berthWorklistFree(values);
}

static void replace(Fold *fold, MlirAttribute value) {
  berthBackupTake(fold->backup, fold->root);
  MlirContext context = mlirOperationGetContext(fold->alloc);
  MlirNamedAttribute name = berthNamed(
      context, "name", addGlobal(fold, value, alignmentOf(fold->alloc)));
  MlirValue buffer = mlirOperationGetResult(fold->alloc, 0);
  MlirValue constant =
      berthBuildValue(berthInsertBefore(fold->alloc), BERTH_NAME_GET_GLOBAL, 0,
                      NULL, mlirValueGetType(buffer), 1, &name);
  MlirOperation writer = fold->writer;
  MlirValue output = mlirOperationGetOperand(writer, fold->output);
  BerthWorklist inputs = {0};
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(writer); ++i)
    if (!mlirValueEqual(mlirOperationGetOperand(writer, i), output))
      berthWorklistPush(&inputs, mlirOperationGetOperand(writer, i));
  mlirOperationDestroy(writer);
  destroyUnread(&inputs);
  while (fold->frees.numPending)
    mlirOperationDestroy(
        (MlirOperation){(void *)berthWorklistTake(&fold->frees)});
  mlirValueReplaceAllUsesOfWith(buffer, constant);
  mlirOperationDestroy(fold->alloc);
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

/// A plain allocation of the host's, in the memory that globals are in.
static MlirWalkResult addAllocation(MlirOperation op, void *userData) {
  Fold *fold = userData;
  if (!berthOpIsPlainAllocation(op) || berthIsConstrained(op))
    return MlirWalkResultAdvance;
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  MlirOperation scope = berthEnclosingScope(op);
  bool isMeant =
      mlirAttributeIsNull(mlirMemRefTypeGetMemorySpace(type)) &&
      mlirShapedTypeHasStaticShape(type) && !mlirOperationIsNull(scope) &&
      berthOpIs(mlirOperationGetParentOperation(scope), BERTH_OP_MODULE) &&
      berthScopeOf(scope, fold->options).kind == BERTH_SCOPE_FUNCTION;
  if (isMeant)
    berthWorklistAdd(&fold->allocations, op.ptr);
  return MlirWalkResultAdvance;
}

static bool foldOne(Fold *fold, MlirOperation alloc) {
  fold->alloc = alloc;
  fold->writer = (MlirOperation){NULL};
  BerthTypeSize size;
  MlirType type = mlirValueGetType(mlirOperationGetResult(alloc, 0));
  MlirAttribute value = mlirAttributeGetNull();
  if (berthMemRefGetSize(type, alloc, &size) == BERTH_SIZE_OK &&
      size.bytes <= fold->bytesLeft && findUses(fold))
    value = compute(fold);
  if (!mlirAttributeIsNull(value)) {
    fold->bytesLeft -= size.bytes;
    replace(fold, value);
  }
  berthWorklistFree(&fold->frees);
  fold->frees = (BerthWorklist){0};
  return !mlirAttributeIsNull(value);
}

/// Others have been computed from it, and nobody names it any more.
static void dropUnused(MlirOperation global) {
  if (berthSymbolIsUnused(global))
    mlirOperationDestroy(global);
}

void berthFoldConstants(MlirOperation root, const BerthCollectOptions *options,
                        int64_t bytes, const char *breakRule,
                        BerthBackup *backup) {
  Fold fold = {.options = options,
               .root = root,
               .backup = backup,
               .bytesLeft = bytes,
               .followsFirst = berthIsBroken(breakRule, "written-constants")};
  mlirOperationWalk(root, addAllocation, &fold, MlirWalkPreOrder);
  size_t count = fold.allocations.numPending;
  const void **pending = fold.allocations.pending;
  // What is computed from one that has been folded may be folded then.
  for (bool changed = bytes > 0; changed;) {
    changed = false;
    for (size_t i = 0; i < count; ++i)
      if (pending[i] && foldOne(&fold, (MlirOperation){(void *)pending[i]})) {
        pending[i] = NULL;
        changed = true;
      }
  }
  while (fold.read.numPending)
    dropUnused((MlirOperation){(void *)berthWorklistTake(&fold.read)});
  berthWorklistFree(&fold.read);
  berthWorklistFree(&fold.allocations);
}
