//===- Existing.c - Shared memory that is declared, as buffers ------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Prepare/Existing.h"
#include "IR/Ops/Allocations.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Build.h"
#include "IR/Ops/Chips.h"
#include "IR/Ops/EqualValues.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Rules.h"
#include "IR/Ops/Text.h"
#include "IR/Rewrite/Callers.h"
#include "IR/Rewrite/CreateArena.h"
#include "IR/Scope/ScopeKind.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

/// What is being taken, and from where.
typedef struct Taking {
  MlirOperation root;
  const BerthArenaOptions *options;
  BerthExisting *existing;
  bool packs; ///< else only spellings of the memory space are made one
  // The function at hand:
  MlirOperation function;
  BerthScope scope;
  MlirOperation entry; ///< its first op, which allocations go in front of
} Taking;

static void remarkLeft(MlirOperation op, const char *why) {
  BerthText text = {0};
  berthTextAppend(&text, "existing=pack leaves this shared memory as it is: %s",
                  why);
  berthEmitRemark(op, BERTH_REMARK_MISSED, "berth-arena", text.data);
  berthTextFree(&text);
}

//===----------------------------------------------------------------------===//
// Allocations for it
//===----------------------------------------------------------------------===//

/// Is it the memory that the scope's arena is made in?
static bool isOfScope(const Taking *taking, MlirType type) {
  BerthTypeSize size;
  if (!mlirTypeIsAMemRef(type) ||
      berthMemRefGetSize(type, taking->function, &size) != BERTH_SIZE_OK)
    return false;
  MlirAttribute space = mlirMemRefTypeGetMemorySpace(type);
  MlirAttribute own = taking->scope.space;
  const BerthChip *chip = taking->options->chip;
  if (mlirAttributeIsNull(space) || mlirAttributeIsNull(own))
    return false;
  if (mlirAttributeEqual(space, own))
    return true;
  return berthSpaceMayBeShared(space) && berthSpaceMayBeShared(own) &&
         (chip || berthChipOf(taking->function));
}

/// An item with an allocation of the type, in front of `at`. `what` names it,
/// for berth-verify.
static BerthExistingItem *addItem(Taking *taking, BerthExistingKind kind,
                                  MlirOperation at, MlirLocation location,
                                  MlirType type, int64_t alignment,
                                  MlirStringRef what) {
  BerthExisting *existing = taking->existing;
  BerthInsertPoint point = berthInsertBefore(at);
  point.location = location;
  MlirAttribute space = mlirMemRefTypeGetMemorySpace(type);
  MlirType own =
      berthMemRefWith(type, mlirMemRefTypeGetLayout(type), taking->scope.space);
  MlirValue value = berthBuildAllocation(point, true, own, (MlirValue){NULL},
                                         alignment, false);
  MlirOperation alloc = mlirOpResultGetOwner(value);
  if (what.length)
    berthSetAttribute(alloc, BERTH_EXISTING,
                      mlirStringAttrGet(mlirOperationGetContext(alloc), what));
  if (!mlirAttributeEqual(space, taking->scope.space))
    value =
        berthBuildValue(point, BERTH_NAME_SPACE_CAST, 1, &value, type, 0, NULL);
  existing->items = berthGrow(existing->items, existing->numItems,
                              &existing->itemCapacity, sizeof *existing->items);
  BerthExistingItem *item = &existing->items[existing->numItems++];
  *item = (BerthExistingItem){.kind = kind,
                              .function = taking->function,
                              .alloc = alloc,
                              .value = value,
                              .type = type};
  return item;
}

static int64_t integerOr(MlirAttribute attribute, int64_t otherwise) {
  return mlirAttributeIsNull(attribute) || !mlirAttributeIsAInteger(attribute)
             ? otherwise
             : mlirIntegerAttrGetValueInt(attribute);
}

//===----------------------------------------------------------------------===//
// Attributions
//===----------------------------------------------------------------------===//

static MlirAttribute attributesOfAttribution(MlirOperation function,
                                             intptr_t index) {
  MlirAttribute all = berthAttributeOf(function, "workgroup_attrib_attrs");
  return mlirAttributeIsNull(all) || index >= mlirArrayAttrGetNumElements(all)
             ? (MlirAttribute){NULL}
             : mlirArrayAttrGetElement(all, index);
}

static void takeAttributions(Taking *taking) {
  MlirOperation function = taking->function;
  MlirAttribute type = berthAttributeOf(function, "function_type");
  intptr_t count = (intptr_t)integerOr(
      berthAttributeOf(function, "workgroup_attributions"), 0);
  if (count == 0 || !berthOpIs(function, BERTH_OP_GPU_FUNCTION))
    return;
  MlirBlock entry = mlirRegionGetFirstBlock(taking->scope.body);
  intptr_t first = mlirFunctionTypeGetNumInputs(mlirTypeAttrGetValue(type));
  intptr_t index = 0;
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue argument = mlirBlockGetArgument(entry, first + index);
    MlirAttribute attributes = attributesOfAttribution(function, index);
    if (!isOfScope(taking, mlirValueGetType(argument))) {
      ++index;
      continue;
    }
    int64_t alignment = 1;
    if (!mlirAttributeIsNull(attributes))
      alignment = integerOr(
          mlirDictionaryAttrGetElementByName(
              attributes, mlirStringRefCreateFromCString("llvm.align")),
          1);
    BerthExistingItem *item =
        addItem(taking, BERTH_EXISTING_ATTRIBUTION, taking->entry,
                mlirOperationGetLocation(function), mlirValueGetType(argument),
                alignment, mlirStringRefCreateFromCString("attribution"));
    item->attributes = attributes;
    mlirValueReplaceAllUsesOfWith(argument, item->value);
    berthRemoveAttribution(function, index);
  }
}

//===----------------------------------------------------------------------===//
// Globals
//===----------------------------------------------------------------------===//

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

/// Where names are looked up from an op.
static MlirOperation moduleOf(MlirOperation op) {
  do
    op = mlirOperationGetParentOperation(op);
  while (!mlirOperationIsNull(op) && !berthOpIs(op, BERTH_OP_GPU_MODULE) &&
         !berthOpIs(op, BERTH_OP_MODULE));
  return op;
}

typedef struct UserWalk {
  const Taking *taking;
  MlirOperation global;
  MlirStringRef name;
  const char *obstacle;
  MlirOperation *users; ///< memref.get_global
  size_t count, capacity;
} UserWalk;

static MlirWalkResult findUser(MlirOperation op, void *userData) {
  UserWalk *walk = userData;
  if (mlirOperationEqual(op, walk->global) || !namesSymbolIn(op, walk->name))
    return MlirWalkResultAdvance;
  bool isPlain = berthOpIs(op, BERTH_OP_GET_GLOBAL);
  MlirOperation home = mlirOperationGetParentOperation(walk->global);
  if (isPlain && !mlirOperationEqual(moduleOf(op), home))
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
  walk->users =
      berthGrow(walk->users, walk->count, &walk->capacity, sizeof *walk->users);
  walk->users[walk->count++] = op;
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

static void enterFunction(Taking *taking, MlirOperation function) {
  taking->function = function;
  taking->scope = berthScopeOf(function, &taking->options->collect);
  taking->entry =
      mlirBlockGetFirstOperation(mlirRegionGetFirstBlock(taking->scope.body));
}

/// The item of the function that stands for the global already, or a new one.
static MlirValue itemOfGlobal(Taking *taking, MlirOperation user,
                              MlirOperation global, size_t index) {
  BerthExisting *existing = taking->existing;
  MlirOperation function = berthEnclosingScope(user);
  for (size_t i = 0; i < existing->numItems; ++i) {
    const BerthExistingItem *item = &existing->items[i];
    if (item->kind == BERTH_EXISTING_GLOBAL && item->global == index &&
        mlirOperationEqual(item->function, function))
      return item->value;
  }
  enterFunction(taking, function);
  MlirStringRef symbol =
      mlirStringAttrGetValue(berthAttributeOf(global, "sym_name"));
  BerthText name = {0};
  berthTextAppend(&name, "@%.*s", (int)symbol.length, symbol.data);
  BerthExistingItem *item =
      addItem(taking, BERTH_EXISTING_GLOBAL, taking->entry,
              mlirOperationGetLocation(user),
              mlirValueGetType(mlirOperationGetResult(user, 0)),
              integerOr(berthAttributeOf(global, "alignment"), 1),
              mlirStringRefCreate(name.data, name.length));
  berthTextFree(&name);
  item->global = index;
  return item->value;
}

static bool allAreOfScope(Taking *taking, const UserWalk *walk) {
  for (size_t i = 0; i < walk->count; ++i) {
    enterFunction(taking, berthEnclosingScope(walk->users[i]));
    MlirValue value = mlirOperationGetResult(walk->users[i], 0);
    if (!isOfScope(taking, mlirValueGetType(value)))
      return false;
  }
  return true;
}

static void takeGlobal(Taking *taking, MlirOperation global) {
  BerthExisting *existing = taking->existing;
  MlirStringRef name =
      mlirStringAttrGetValue(berthAttributeOf(global, "sym_name"));
  UserWalk walk = {taking, global, name, NULL, NULL, 0, 0};
  mlirOperationWalk(taking->root, findUser, &walk, MlirWalkPreOrder);
  if (!walk.obstacle)
    walk.obstacle = obstacleOf(global);
  if (walk.obstacle)
    remarkLeft(global, walk.obstacle);
  else if (walk.count && allAreOfScope(taking, &walk)) {
    existing->globals =
        berthGrow(existing->globals, existing->numGlobals,
                  &existing->globalCapacity, sizeof *existing->globals);
    size_t index = existing->numGlobals++;
    existing->globals[index] =
        (BerthExistingGlobal){global, mlirOperationGetBlock(global)};
    for (size_t i = 0; i < walk.count; ++i) {
      MlirValue value = itemOfGlobal(taking, walk.users[i], global, index);
      mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(walk.users[i], 0),
                                    value);
    }
    for (size_t i = 0; i < walk.count; ++i)
      mlirOperationDestroy(walk.users[i]);
    mlirOperationRemoveFromParent(global);
  }
  free(walk.users);
}

typedef struct OpList {
  MlirOperation *ops;
  size_t count, capacity;
} OpList;

static void addOp(OpList *list, MlirOperation op) {
  list->ops =
      berthGrow(list->ops, list->count, &list->capacity, sizeof *list->ops);
  list->ops[list->count++] = op;
}

static MlirWalkResult listGlobal(MlirOperation op, void *userData) {
  MlirAttribute type = berthAttributeOf(op, "type");
  if (berthOpIs(op, BERTH_OP_GLOBAL) &&
      berthSpaceMayBeShared(
          mlirMemRefTypeGetMemorySpace(mlirTypeAttrGetValue(type))))
    addOp(userData, op);
  return MlirWalkResultAdvance;
}

static void takeGlobals(Taking *taking) {
  OpList list = {0};
  mlirOperationWalk(taking->root, listGlobal, &list, MlirWalkPreOrder);
  for (size_t i = 0; i < list.count; ++i)
    takeGlobal(taking, list.ops[i]);
  free(list.ops);
}

//===----------------------------------------------------------------------===//
// Dynamic shared memory
//===----------------------------------------------------------------------===//

/// A memref.view of dynamic shared memory: bytes [lower, upper).
typedef struct Stretch {
  MlirOperation view;
  int64_t lower, upper;
} Stretch;

typedef struct DynamicWalk {
  Taking *taking;
  const char *obstacle;
  MlirOperation at; ///< of the obstacle
  OpList sources;
  Stretch *stretches;
  size_t count, capacity;
  bool isForTma; ///< addresses may have to be multiples of more than 16
} DynamicWalk;

static bool describeView(const Taking *taking, MlirOpOperand use,
                         Stretch *stretch) {
  stretch->view = mlirOpOperandGetOwner(use);
  if (!berthOpIs(stretch->view, BERTH_OP_VIEW) ||
      mlirOpOperandGetOperandNumber(use) != 0 ||
      mlirOperationGetNumOperands(stretch->view) != 2 ||
      !berthValueIsConstant(mlirOperationGetOperand(stretch->view, 1),
                            &stretch->lower))
    return false;
  BerthTypeSize size;
  MlirType type = mlirValueGetType(mlirOperationGetResult(stretch->view, 0));
  return stretch->lower >= 0 &&
         berthMemRefGetSize(type, taking->function, &size) == BERTH_SIZE_OK &&
         !__builtin_add_overflow(stretch->lower, size.bytes, &stretch->upper);
}

static void listViews(DynamicWalk *walk, MlirOperation source) {
  MlirValue value = mlirOperationGetResult(source, 0);
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    Stretch stretch;
    if (!describeView(walk->taking, use, &stretch)) {
      walk->obstacle = "not all of its uses are views at constant offsets, of "
                       "constant size";
      walk->at = source;
      return;
    }
    walk->stretches = berthGrow(walk->stretches, walk->count, &walk->capacity,
                                sizeof *walk->stretches);
    walk->stretches[walk->count++] = stretch;
  }
}

static MlirWalkResult listDynamic(MlirOperation op, void *userData) {
  DynamicWalk *walk = userData;
  walk->isForTma |= berthOpIsAsyncProxy(op) || berthOpIsOtherProxy(op) ||
                    berthOpLetsEscape(op);
  if (!berthOpIs(op, BERTH_OP_DYNAMIC_SHARED))
    return MlirWalkResultAdvance;
  addOp(&walk->sources, op);
  listViews(walk, op);
  return walk->obstacle ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

/// True if it calls what has no body here.
static bool callsUnseen(MlirOperation op) {
  MlirOperation callee;
  return berthOpGetCallee(op, &callee) &&
         (mlirOperationIsNull(callee) ||
          mlirOperationGetNumRegions(callee) == 0 ||
          mlirBlockIsNull(
              mlirRegionGetFirstBlock(mlirOperationGetRegion(callee, 0))));
}

/// A function that is no kernel gets the same bytes as the kernel that calls
/// it.
static MlirWalkResult findForeignDynamic(MlirOperation op, void *userData) {
  DynamicWalk *walk = userData;
  if (callsUnseen(op)) {
    walk->obstacle = "a function is called that is not seen, and all users of "
                     "dynamic shared memory get the same bytes";
    return MlirWalkResultInterrupt;
  }
  if (!berthOpIs(op, BERTH_OP_DYNAMIC_SHARED))
    return MlirWalkResultAdvance;
  MlirOperation function = berthEnclosingScope(op);
  if (!mlirOperationIsNull(function) &&
      berthScopeOf(function, &walk->taking->options->collect).kind ==
          BERTH_SCOPE_KERNEL)
    return MlirWalkResultAdvance;
  walk->obstacle = "a function that is no kernel uses dynamic shared memory, "
                   "and all users of it get the same bytes";
  return MlirWalkResultInterrupt;
}

static int compareStretches(const void *left, const void *right) {
  const Stretch *a = left, *b = right;
  return a->lower != b->lower ? (a->lower < b->lower ? -1 : 1)
                              : (a->upper > b->upper) - (a->upper < b->upper);
}

/// What a byte's place makes sure of, if the memory begins at a multiple of
/// `most`.
static int64_t alignmentAt(int64_t lower, int64_t most) {
  while (lower % most)
    most /= 2;
  return most;
}

/// One buffer for the views [first, end), which have bytes in common.
static void takeStretch(DynamicWalk *walk, size_t first, size_t end,
                        int64_t upper) {
  Taking *taking = walk->taking;
  MlirContext context = mlirOperationGetContext(taking->function);
  MlirType old =
      mlirValueGetType(mlirOperationGetOperand(walk->stretches[first].view, 0));
  int64_t lower = walk->stretches[first].lower;
  enum { kUsual = 16, kForTma = 1024 };
  BerthExistingItem *item =
      addItem(taking, BERTH_EXISTING_DYNAMIC, taking->entry,
              mlirOperationGetLocation(walk->stretches[first].view),
              berthByteMemRef(context, upper - lower,
                              mlirMemRefTypeGetMemorySpace(old)),
              alignmentAt(lower, walk->isForTma ? kForTma : kUsual),
              mlirStringRefCreateFromCString("dynamic"));
  item->type = old;
  for (size_t i = first; i < end; ++i) {
    const Stretch *stretch = &walk->stretches[i];
    MlirValue shift = berthBuildIndex(berthInsertBefore(stretch->view),
                                      stretch->lower - lower);
    mlirOperationSetOperand(stretch->view, 0, item->value);
    mlirOperationSetOperand(stretch->view, 1, shift);
    berthSetAttribute(stretch->view, BERTH_DYNAMIC_OFFSET,
                      berthI64(context, stretch->lower));
  }
}

static void takeStretches(DynamicWalk *walk) {
  // By offset, and not by the order of uses, which is none of the program's.
  if (walk->count)
    qsort(walk->stretches, walk->count, sizeof *walk->stretches,
          compareStretches);
  bool areApart =
      berthIsBroken(walk->taking->options->alias.breakRule, "apart-ranges");
  for (size_t i = 0, end; i < walk->count; i = end) {
    int64_t upper = walk->stretches[i].upper;
    for (end = i + 1;
         end < walk->count && !areApart && walk->stretches[end].lower < upper;
         ++end)
      if (walk->stretches[end].upper > upper)
        upper = walk->stretches[end].upper;
    takeStretch(walk, i, end, upper);
  }
  for (size_t i = 0; i < walk->sources.count; ++i)
    mlirOperationDestroy(walk->sources.ops[i]);
}

static bool isOfScopeSpace(const Taking *taking, MlirOperation dynamic) {
  MlirType type = mlirValueGetType(mlirOperationGetResult(dynamic, 0));
  MlirType bytes = berthByteMemRef(mlirOperationGetContext(dynamic), 1,
                                   mlirMemRefTypeGetMemorySpace(type));
  return isOfScope(taking, bytes);
}

/// Other functions of the module, too, may only be looked at in a run on it.
static bool isAllSeen(const Taking *taking) {
  MlirOperation module = moduleOf(taking->function);
  while (!mlirOperationIsNull(module) &&
         !mlirOperationEqual(module, taking->root))
    module = mlirOperationGetParentOperation(module);
  return !mlirOperationIsNull(module);
}

static void takeDynamic(Taking *taking) {
  DynamicWalk walk = {.taking = taking};
  mlirOperationWalk(taking->function, listDynamic, &walk, MlirWalkPreOrder);
  if (walk.sources.count && !walk.obstacle) {
    walk.at = walk.sources.ops[0];
    if (!isAllSeen(taking))
      walk.obstacle = "run the pass on the module, to see all its users";
    else if (!berthIsBroken(taking->options->alias.breakRule, "unseen-users"))
      mlirOperationWalk(moduleOf(taking->function), findForeignDynamic, &walk,
                        MlirWalkPreOrder);
  }
  if (walk.obstacle)
    remarkLeft(walk.at, walk.obstacle);
  else if (walk.sources.count && isOfScopeSpace(taking, walk.sources.ops[0]))
    takeStretches(&walk);
  free(walk.sources.ops);
  free(walk.stretches);
}

//===----------------------------------------------------------------------===//
// Other names of the memory space
//===----------------------------------------------------------------------===//

static MlirWalkResult listAllocations(MlirOperation op, void *userData) {
  if (berthOpIs(op, BERTH_OP_ALLOC) && mlirOperationGetNumOperands(op) == 0)
    addOp(userData, op);
  return MlirWalkResultAdvance;
}

static void respaceAllocations(Taking *taking) {
  OpList list = {0};
  mlirOperationWalk(taking->function, listAllocations, &list, MlirWalkPreOrder);
  for (size_t i = 0; i < list.count; ++i) {
    MlirOperation old = list.ops[i];
    MlirType type = mlirValueGetType(mlirOperationGetResult(old, 0));
    if (!isOfScope(taking, type) ||
        mlirAttributeEqual(mlirMemRefTypeGetMemorySpace(type),
                           taking->scope.space))
      continue;
    BerthExistingItem *item =
        addItem(taking, BERTH_EXISTING_RESPACED, old,
                mlirOperationGetLocation(old), type, 1, (MlirStringRef){0});
    // Demands on its place, and its alignment.
    for (intptr_t k = 0; k < mlirOperationGetNumAttributes(old); ++k) {
      MlirNamedAttribute named = mlirOperationGetAttribute(old, k);
      mlirOperationSetAttributeByName(
          item->alloc, mlirIdentifierStr(named.name), named.attribute);
    }
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(old, 0), item->value);
    mlirOperationDestroy(old);
  }
  free(list.ops);
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

static void listScope(MlirOperation op, void *userData) { addOp(userData, op); }

static void takeFunction(Taking *taking, MlirOperation function) {
  enterFunction(taking, function);
  BerthScopeKind kind = taking->scope.kind;
  if (kind == BERTH_SCOPE_FUNCTION || taking->scope.isIteration ||
      !berthScopeIsShared(&taking->scope))
    return;
  if (kind == BERTH_SCOPE_KERNEL && taking->packs) {
    takeAttributions(taking);
    takeDynamic(taking);
  }
  respaceAllocations(taking);
}

typedef struct Any {
  bool packs;
  bool found;
} Any;

/// Finds what may be there to take: a copy of the root is dear.
static MlirWalkResult findAny(MlirOperation op, void *userData) {
  Any *any = userData;
  bool isAllocation = berthOpIs(op, BERTH_OP_ALLOC);
  any->found =
      any->packs &&
      (!mlirAttributeIsNull(berthAttributeOf(op, "workgroup_attributions")) ||
       berthOpIs(op, BERTH_OP_DYNAMIC_SHARED) ||
       berthOpIs(op, BERTH_OP_GET_GLOBAL));
  if (isAllocation) {
    MlirAttribute space = mlirMemRefTypeGetMemorySpace(
        mlirValueGetType(mlirOperationGetResult(op, 0)));
    any->found = !mlirAttributeIsNull(space) && berthSpaceMayBeShared(space) &&
                 mlirAttributeIsAInteger(space);
  }
  return any->found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

void berthTakeExisting(MlirOperation root, const BerthArenaOptions *options,
                       BerthBackup *backup, BerthExisting *existing) {
  Any any = {options->packsExisting, false};
  mlirOperationWalk(root, findAny, &any, MlirWalkPreOrder);
  if (!any.found)
    return;
  berthBackupTake(backup, root);
  Taking taking = {.root = root,
                   .options = options,
                   .existing = existing,
                   .packs = options->packsExisting};
  OpList scopes = {0};
  berthForEachScope(root, &options->collect, listScope, &scopes);
  if (taking.packs)
    takeGlobals(&taking);
  for (size_t i = 0; i < scopes.count; ++i)
    takeFunction(&taking, scopes.ops[i]);
  free(scopes.ops);
}

//===----------------------------------------------------------------------===//
// What was placed, and what goes back
//===----------------------------------------------------------------------===//

static const BerthBufferInfo *bufferOf(const BerthJob *job,
                                       const BerthExistingItem *item) {
  for (size_t i = 0; i < job->scope.numBuffers; ++i)
    if (mlirOperationEqual(job->scope.buffers[i].alloc, item->alloc))
      return &job->scope.buffers[i];
  return NULL;
}

BerthStatus berthNotePlaced(BerthExisting *existing, const BerthJob *jobs,
                            size_t numJobs) {
  BerthStatus status = BERTH_SUCCESS;
  for (size_t i = 0; i < existing->numItems; ++i)
    for (size_t k = 0; k < numJobs; ++k) {
      BerthExistingItem *item = &existing->items[i];
      const BerthBufferInfo *buffer = bufferOf(&jobs[k], item);
      if (!buffer)
        continue;
      item->isPlaced = !buffer->reason;
      item->isStatic =
          item->isPlaced && (jobs[k].form == BERTH_ARENA_ATTRIBUTION ||
                             jobs[k].form == BERTH_ARENA_GLOBAL);
      if (item->isPlaced || item->kind != BERTH_EXISTING_DYNAMIC ||
          jobs[k].form != BERTH_ARENA_DYNAMIC)
        continue;
      berthEmitError(item->function,
                     "existing=pack: a part of the dynamic shared memory "
                     "cannot be placed, and has the bytes that the arena "
                     "would get; use existing=keep, or another form",
                     item->alloc, buffer->reason);
      status = BERTH_INVALID;
    }
  return status;
}

static void putGlobalBack(BerthExisting *existing, BerthExistingItem *item,
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

/// The views of dynamic shared memory get their offsets again.
static void putDynamicBack(const BerthExistingItem *item, BerthInsertPoint at) {
  MlirValue memory = berthBuildValue(at, BERTH_NAME_DYNAMIC_SHARED, 0, NULL,
                                     item->type, 0, NULL);
  mlirValueReplaceAllUsesOfWith(item->value, memory);
  for (MlirOpOperand use = mlirValueGetFirstUse(memory);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation view = mlirOpOperandGetOwner(use);
    int64_t lower = mlirIntegerAttrGetValueInt(
        berthAttributeOf(view, BERTH_DYNAMIC_OFFSET));
    mlirOperationSetOperand(view, 1,
                            berthBuildIndex(berthInsertBefore(view), lower));
    mlirOperationRemoveAttributeByName(
        view, mlirStringRefCreateFromCString(BERTH_DYNAMIC_OFFSET));
  }
}

/// Attributes of the allocation that are its own.
static void putAllocationBack(const BerthExistingItem *item,
                              BerthInsertPoint at) {
  int64_t alignment = integerOr(berthAttributeOf(item->alloc, "alignment"), 1);
  MlirValue value = berthBuildAllocation(at, true, item->type,
                                         (MlirValue){NULL}, alignment, false);
  for (intptr_t i = 0; i < mlirOperationGetNumAttributes(item->alloc); ++i) {
    MlirNamedAttribute named = mlirOperationGetAttribute(item->alloc, i);
    mlirOperationSetAttributeByName(mlirOpResultGetOwner(value),
                                    mlirIdentifierStr(named.name),
                                    named.attribute);
  }
  mlirValueReplaceAllUsesOfWith(item->value, value);
}

static void putBack(BerthExisting *existing, BerthExistingItem *item) {
  MlirOperation cast = mlirOpResultGetOwner(item->value);
  BerthInsertPoint at = berthInsertBefore(item->alloc);
  switch (item->kind) {
  case BERTH_EXISTING_ATTRIBUTION:
    mlirValueReplaceAllUsesOfWith(
        item->value,
        berthAddAttribution(item->function, item->type, item->attributes));
    break;
  case BERTH_EXISTING_GLOBAL:
    putGlobalBack(existing, item, at);
    break;
  case BERTH_EXISTING_DYNAMIC:
    putDynamicBack(item, at);
    break;
  case BERTH_EXISTING_RESPACED:
    putAllocationBack(item, at);
    break;
  }
  if (!mlirOperationEqual(cast, item->alloc))
    mlirOperationDestroy(cast);
  mlirOperationDestroy(item->alloc);
}

void berthPutExistingBack(BerthExisting *existing, MlirOperation root) {
  for (size_t i = 0; i < existing->numItems; ++i)
    if (!existing->items[i].isPlaced)
      putBack(existing, &existing->items[i]);
  for (size_t i = 0; i < existing->numItems; ++i)
    if (existing->items[i].kind == BERTH_EXISTING_DYNAMIC &&
        existing->items[i].isStatic)
      berthClearLaunches(root, existing->items[i].function);
}

void berthExistingFree(BerthExisting *existing) {
  for (size_t i = 0; i < existing->numGlobals; ++i)
    if (!mlirBlockIsNull(existing->globals[i].block))
      mlirOperationDestroy(existing->globals[i].op);
  free(existing->items);
  free(existing->globals);
}
