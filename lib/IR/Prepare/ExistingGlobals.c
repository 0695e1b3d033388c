//===- ExistingGlobals.c - Workgroup globals, as buffers ----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Prepare/ExistingGlobals.h"
#include "IR/Ops/Chips.h"
#include "IR/Ops/OpList.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Rules.h"
#include "IR/Ops/Text.h"
#include "IR/Scope/ScopeKind.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

static bool namesSymbol(MlirAttribute attribute, MlirStringRef name) {
  if (mlirAttributeIsAArray(attribute))
    for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(attribute); ++i)
      if (namesSymbol(mlirArrayAttrGetElement(attribute, i), name))
        return true;
  if (mlirAttributeIsADictionary(attribute))
    for (intptr_t i = 0; i < mlirDictionaryAttrGetNumElements(attribute); ++i)
      if (namesSymbol(mlirDictionaryAttrGetElement(attribute, i).attribute,
                      name))
        return true;
  return mlirAttributeIsASymbolRef(attribute) &&
         mlirStringRefEqual(mlirSymbolRefAttrGetLeafReference(attribute), name);
}

static bool namesSymbolIn(MlirOperation op, MlirStringRef name) {
  for (intptr_t i = 0; i < mlirOperationGetNumAttributes(op); ++i)
    if (namesSymbol(mlirOperationGetAttribute(op, i).attribute, name))
      return true;
  return false;
}

typedef struct UserWalk {
  const BerthTaking *taking;
  MlirOperation global;
  MlirStringRef name;
  const char *obstacle;
  BerthOpList users; ///< memref.get_global
} UserWalk;

static MlirWalkResult findUser(MlirOperation op, void *userData) {
  UserWalk *walk = userData;
  if (mlirOperationEqual(op, walk->global) || !namesSymbolIn(op, walk->name))
    return MlirWalkResultAdvance;
  bool isPlain = berthOpIs(op, BERTH_OP_GET_GLOBAL);
  MlirOperation home = mlirOperationGetParentOperation(walk->global);
  if (isPlain && !mlirOperationEqual(berthSymbolModuleOf(op), home))
    return MlirWalkResultAdvance; // another one of that name
  const BerthArenaOptions *options = walk->taking->options;
  MlirOperation function = berthEnclosingScope(op);
  bool isInKernel =
      isPlain && !mlirOperationIsNull(function) &&
      berthScopeOf(function, &options->collect).kind == BERTH_SCOPE_KERNEL;
  bool believes = berthIsBroken(options->alias.breakRule, "unseen-users");
  if (!isInKernel) {
    if (!believes)
      walk->obstacle = isPlain ? "a function that is no kernel uses it"
                               : "something else than memref.get_global uses "
                                 "its name";
    return believes ? MlirWalkResultAdvance : MlirWalkResultInterrupt;
  }
  berthOpListAdd(&walk->users, op);
  return MlirWalkResultAdvance;
}

/// Why it cannot be taken, whoever uses it; NULL: it can.
static const char *obstacleOf(MlirOperation global) {
  MlirAttribute value = berthAttributeOf(global, "initial_value");
  if (!mlirAttributeIsNull(value))
    return mlirAttributeIsAUnit(value) ? NULL : "it begins with a value";
  MlirAttribute visibility = berthAttributeOf(global, "sym_visibility");
  bool isPrivate =
      !mlirAttributeIsNull(visibility) &&
      mlirStringRefEqual(mlirStringAttrGetValue(visibility),
                         mlirStringRefCreateFromCString("private"));
  return isPrivate ? NULL : "another module may have it";
}

/// The item of the function that stands for the global already, or a new one.
static MlirValue itemOfGlobal(BerthTaking *taking, MlirOperation user,
                              MlirOperation global, size_t index) {
  BerthExisting *existing = taking->existing;
  MlirOperation function = berthEnclosingScope(user);
  for (size_t i = 0; i < existing->numItems; ++i) {
    const BerthExistingItem *item = &existing->items[i];
    if (item->kind == BERTH_EXISTING_GLOBAL && item->global == index &&
        mlirOperationEqual(item->function, function))
      return item->value;
  }
  berthEnterTaking(taking, function);
  MlirStringRef symbol =
      mlirStringAttrGetValue(berthAttributeOf(global, "sym_name"));
  BerthText name = {0};
  berthTextAppend(&name, "@%.*s", (int)symbol.length, symbol.data);
  BerthExistingItem *item = berthAddExistingItem(
      taking, BERTH_EXISTING_GLOBAL, taking->entry,
      mlirOperationGetLocation(user),
      mlirValueGetType(mlirOperationGetResult(user, 0)),
      berthIntegerOr(berthAttributeOf(global, "alignment"), 1),
      mlirStringRefCreate(name.data, name.length));
  berthTextFree(&name);
  item->global = index;
  return item->value;
}

static bool allAreOfScope(BerthTaking *taking, const UserWalk *walk) {
  for (size_t i = 0; i < walk->users.count; ++i) {
    berthEnterTaking(taking, berthEnclosingScope(walk->users.ops[i]));
    MlirValue value = mlirOperationGetResult(walk->users.ops[i], 0);
    if (!berthIsInScopeSpace(taking, mlirValueGetType(value)))
      return false;
  }
  return true;
}

static void takeGlobal(BerthTaking *taking, MlirOperation global) {
  BerthExisting *existing = taking->existing;
  MlirStringRef name =
      mlirStringAttrGetValue(berthAttributeOf(global, "sym_name"));
  UserWalk walk = {.taking = taking, .global = global, .name = name};
  mlirOperationWalk(taking->root, findUser, &walk, MlirWalkPreOrder);
  if (!walk.obstacle)
    walk.obstacle = obstacleOf(global);
  if (walk.obstacle)
    berthRemarkLeftExisting(global, walk.obstacle);
  else if (walk.users.count && allAreOfScope(taking, &walk)) {
    existing->globals =
        berthGrow(existing->globals, existing->numGlobals,
                  &existing->globalCapacity, sizeof *existing->globals);
    size_t index = existing->numGlobals++;
    existing->globals[index] =
        (BerthExistingGlobal){global, mlirOperationGetBlock(global)};
    for (size_t i = 0; i < walk.users.count; ++i) {
      MlirValue value = itemOfGlobal(taking, walk.users.ops[i], global, index);
      mlirValueReplaceAllUsesOfWith(
          mlirOperationGetResult(walk.users.ops[i], 0), value);
    }
    for (size_t i = 0; i < walk.users.count; ++i)
      mlirOperationDestroy(walk.users.ops[i]);
    mlirOperationRemoveFromParent(global);
  }
  free(walk.users.ops);
}

static MlirWalkResult listGlobal(MlirOperation op, void *userData) {
  MlirAttribute type = berthAttributeOf(op, "type");
  if (berthOpIs(op, BERTH_OP_GLOBAL) &&
      berthSpaceMayBeShared(
          mlirMemRefTypeGetMemorySpace(mlirTypeAttrGetValue(type))))
    berthOpListAdd(userData, op);
  return MlirWalkResultAdvance;
}

void berthTakeGlobals(BerthTaking *taking) {
  BerthOpList list = {0};
  mlirOperationWalk(taking->root, listGlobal, &list, MlirWalkPreOrder);
  for (size_t i = 0; i < list.count; ++i)
    takeGlobal(taking, list.ops[i]);
  free(list.ops);
}

void berthPutGlobalBack(BerthExisting *existing, BerthExistingItem *item,
                        BerthInsertPoint at) {
  BerthExistingGlobal *global = &existing->globals[item->global];
  if (!mlirBlockIsNull(global->block))
    mlirBlockInsertOwnedOperation(global->block, 0, global->op);
  global->block = (MlirBlock){NULL};
  MlirNamedAttribute name = berthNamed(
      mlirOperationGetContext(global->op), "name",
      mlirFlatSymbolRefAttrGet(
          mlirOperationGetContext(global->op),
          mlirStringAttrGetValue(berthAttributeOf(global->op, "sym_name"))));
  MlirValue value =
      berthBuildValue(at, BERTH_NAME_GET_GLOBAL, 0, NULL, item->type, 1, &name);
  mlirValueReplaceAllUsesOfWith(item->value, value);
}
