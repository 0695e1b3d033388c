//===- Access.c - What an op does to buffers, for the verifier ------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Roots/Access.h"
#include "IR/Facts/DmaFacts.h"
#include "IR/Facts/Facts.h"
#include "IR/Facts/VerifyFacts.h"
#include "IR/Ops/Dealloc.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Verify/Roots/Calls.h"
#include "IR/Verify/Roots/Contents.h"
#include "IR/Verify/Roots/Merges.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

static void add(BerthRootAccesses *list, BerthRootAccess access) {
  list->items =
      berthGrow(list->items, list->count, &list->capacity, sizeof *list->items);
  list->items[list->count++] = access;
}

void berthRootAccessesFree(BerthRootAccesses *list) { free(list->items); }

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

static bool isMemRef(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return mlirTypeIsAMemRef(type) || mlirTypeIsAUnrankedMemRef(type);
}

/// What an op with a memory-effect interface does through an operand. A token,
/// pointer or descriptor that it takes with any effect at all is a use of what
/// stands behind it.
static bool explainByEffects(MlirOperation op, MlirValue value,
                             BerthRootAccess *access) {
  BerthEffects effects;
  if (!berthOpSumEffects(op, value, &effects))
    return false;
  access->reads = effects.onValue & BERTH_EFFECT_READ;
  access->writes = effects.onValue & BERTH_EFFECT_WRITE;
  if (!effects.onValue && effects.anywhere && !isMemRef(value))
    access->reads = access->writes = true;
  return true;
}

static bool explainByCallee(const BerthViews *views, MlirOperation op,
                            intptr_t operand, BerthRootAccess *access) {
  MlirOperation callee;
  if (berthOpIsDescribed(op) || !berthOpGetCallee(op, &callee))
    return false;
  BerthCalleeArgument argument = berthCalleesGetArgument(
      views->callees, callee, berthCallGetArgument(op, operand));
  access->reads = argument.isRead;
  access->writes = argument.isWritten;
  return true;
}

/// bufferization.dealloc has no memory effects to ask for: it frees and
/// compares pointers.
static bool onlyFrees(MlirOperation op) {
  return berthOpIs(op, BERTH_OP_FREE_LISTED);
}

/// Ops that hand values on without touching what they point to.
static bool onlyHandsOn(MlirOperation op) {
  MlirOperation end = mlirBlockGetTerminator(mlirOperationGetBlock(op));
  bool isTerminator =
      mlirOperationEqual(op, end) && mlirOperationGetNumRegions(op) == 0;
  return !mlirValueIsNull(berthViewGetSource(op)) ||
         berthOpIsRegionBranch(op) || isTerminator;
}

/// wgmma reads its tensors through descriptors; making one reads nothing.
static bool explainByDescriptor(MlirOperation op, BerthRootAccess *access) {
  access->reads = berthOpStartsAsync(op, BERTH_ASYNC_PRODUCT);
  return access->reads || berthOpMakesDescriptor(op);
}

/// A transfer may do with its tag what it likes, and so may a wait.
static bool explainByDma(MlirOperation op, intptr_t operand,
                         BerthRootAccess *access) {
  BerthDma dma;
  if (!berthOpGetDma(op, &dma))
    return false;
  access->reads = operand != dma.target;
  access->writes = operand != dma.source;
  return true;
}

/// An address as an integer is data: it is followed, but an op whose effects
/// are known touches nothing through it before it has become a pointer again.
static BerthRootAccess explain(const BerthViews *views, MlirOperation op,
                               intptr_t operand) {
  MlirValue value = mlirOperationGetOperand(op, operand);
  bool isNumber = !berthTypeMayPoint(mlirValueGetType(value));
  BerthEffects effects;
  BerthRootAccess access = {.op = op, .operand = operand};
  if (berthOpLetsEscape(op)) {
    access.reads = access.writes = true;
    return access;
  }
  if ((isNumber && berthOpSumEffects(op, value, &effects)) || onlyFrees(op) ||
      explainByDescriptor(op, &access) || explainByDma(op, operand, &access) ||
      explainByCallee(views, op, operand, &access) ||
      explainByEffects(op, value, &access) || onlyHandsOn(op))
    return access;
  access.reads = access.writes = true;
  return access;
}

/// Room for what the op does through its operands.
static BerthOperandUse *usesOf(BerthCallees *callees, MlirOperation op) {
  size_t first = berthPointerMapFind(&callees->usesOf, op.ptr);
  if (first != BERTH_NOT_FOUND)
    return &callees->uses[first];
  first = callees->numUses;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    callees->uses = berthGrow(callees->uses, callees->numUses,
                              &callees->useCapacity, sizeof *callees->uses);
    callees->uses[callees->numUses++] = (BerthOperandUse){.isKnown = false};
  }
  berthPointerMapInsert(&callees->usesOf, op.ptr, first);
  return &callees->uses[first];
}

/// The same op is asked about by one check after the other, and what it does is
/// dear to find. Of a call it may be another answer once its function has been
/// looked into.
static BerthRootAccess explainOnce(const BerthViews *views, MlirOperation op,
                                   intptr_t operand) {
  MlirOperation callee;
  BerthOperandUse *use = &usesOf(views->callees, op)[operand];
  if (use->isKnown)
    return (BerthRootAccess){.op = op,
                             .operand = operand,
                             .reads = use->reads,
                             .writes = use->writes};
  BerthRootAccess access = explain(views, op, operand);
  // What a call is asked for may have made room for others.
  if (!berthOpGetCallee(op, &callee))
    usesOf(views->callees, op)[operand] =
        (BerthOperandUse){true, access.reads, access.writes};
  return access;
}

//===----------------------------------------------------------------------===//
// All operands
//===----------------------------------------------------------------------===//

/// True for an address that only decides which memory is freed.
static bool isForDeallocation(const BerthViews *views, MlirOperation op) {
  return berthOpIs(op, BERTH_OP_ADDRESS) &&
         berthFeedsOnlyDeallocation(mlirOperationGetResult(op, 0), true,
                                    views->callees->root);
}

typedef struct Handing {
  BerthRootAccesses *list;
  const BerthViews *views;
  BerthRootAccess access;
} Handing;

/// To itself too: a loop's argument that is handed on to the next turn.
static void addHanding(MlirValue to, void *userData) {
  Handing *handing = userData;
  BerthRootAccess access = handing->access;
  access.handedTo = berthViewsMergedRoot(handing->views, to, access.root);
  const BerthRoot *merge = &handing->views->roots[access.handedTo];
  if (merge->mergedFrom != BERTH_NO_ROOT && mlirValueEqual(merge->holder, to))
    add(handing->list, access);
}

/// What becomes of the operand's roots in merges.
static void addHandings(BerthRootAccesses *list, const BerthViews *views,
                        MlirOperation op, intptr_t operand,
                        const BerthRootSet *set) {
  bool hasMerges = views->firstMerge < views->firstInstance;
  for (size_t i = 0; hasMerges && i < set->count; ++i) {
    Handing handing = {list, views, {.op = op, .operand = operand}};
    handing.access.root = set->ids[i];
    handing.access.isHandedOn = true;
    berthForEachHanding(op, set->value, addHanding, &handing);
  }
}

/// Who hands on an earlier instance of a buffer means it to be read.
static void addHandedOn(BerthRootAccesses *list, const BerthViews *views,
                        const BerthRootSet *set, BerthRootAccess access) {
  if (berthViewsMakesOnly(views, access.op, set->value) ||
      onlyFrees(access.op) || berthOpResultsAreShapes(access.op) ||
      isForDeallocation(views, access.op))
    return;
  access.reads = true;
  for (size_t i = 0; i < set->count; ++i) {
    access.root = set->ids[i];
    if (views->roots[access.root].instanceOf != BERTH_NO_ROOT)
      add(list, access);
  }
}

/// True if to the content as a whole the op writes nothing new.
static bool isComputedAgain(const BerthViews *views,
                            const BerthRootAccess *access) {
  const BerthContents *contents = views->contents;
  return contents && views == &contents->whole && !access->reads &&
         berthContentsIsComputedAgain(contents, access->op, access->root);
}

static void addOperand(BerthRootAccesses *list, const BerthViews *views,
                       MlirOperation op, intptr_t operand) {
  const BerthRootSet *set =
      berthViewsFind(views, mlirOperationGetOperand(op, operand));
  if (!set)
    return;
  addHandings(list, views, op, operand, set);
  BerthRootAccess access = explainOnce(views, op, operand);
  if (!access.reads && !access.writes) {
    addHandedOn(list, views, set, access);
    return;
  }
  access.isWhole = set->isWhole && (set->count == 1 || set->isPieces);
  access.overwrites = (set->isPieces ? set->isDense : access.isWhole) &&
                      access.writes && !access.reads &&
                      berthOpFullyOverwrites(op, operand);
  for (size_t i = 0; i < set->count; ++i) {
    access.root = set->ids[i];
    if (!isComputedAgain(views, &access))
      add(list, access);
  }
}

/// An overwrite is none where the same op reads the buffer by another name, or
/// writes an overlapping one.
static bool isSpoiled(const BerthViews *views, const BerthRootAccess *access,
                      const BerthRootAccess *other) {
  return (other->reads &&
          berthViewsAreOneBuffer(views, other->root, access->root)) ||
         (other->writes && berthViewsOverlap(views, other->root, access->root));
}

static void dropFalseOverwrites(const BerthViews *views,
                                BerthRootAccesses *list) {
  for (size_t i = 0; i < list->count; ++i)
    for (size_t k = 0; k < list->count && list->items[i].overwrites; ++k)
      if (isSpoiled(views, &list->items[i], &list->items[k]))
        list->items[i].overwrites = false;
}

/// Adds what the op does, whatever has been listed.
static void addOp(BerthRootAccesses *list, const BerthViews *views,
                  MlirOperation op) {
  const BerthContents *contents = views->contents;
  if (contents && berthContentsKeeps(contents, op))
    return; // the content stays what it is
  intptr_t numOperands = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < numOperands; ++i)
    addOperand(list, views, op, i);
  for (size_t i = 0; i < views->numCalleeBuffers; ++i)
    if (mlirOperationEqual(views->calleeBuffers[i].call, op))
      add(list, (BerthRootAccess){.op = op,
                                  .operand = -1 - (intptr_t)i,
                                  .root = views->calleeBuffers[i].root,
                                  .writes = true});
}

typedef struct NestedWalk {
  BerthRootAccesses *list;
  const BerthViews *views;
} NestedWalk;

/// What is listed of the op, or what it does.
static MlirWalkResult addKnown(MlirOperation op, void *userData) {
  NestedWalk *walk = userData;
  const BerthScopeAccesses *known = walk->views->accesses;
  size_t at =
      known ? berthPointerMapFind(&known->firstOf, op.ptr) : BERTH_ASK_AGAIN;
  if (at == BERTH_NOT_FOUND)
    return MlirWalkResultAdvance;
  if (at == BERTH_ASK_AGAIN)
    addOp(walk->list, walk->views, op);
  else
    for (; at < known->list.count &&
           mlirOperationEqual(known->list.items[at].op, op);
         ++at)
      add(walk->list, known->list.items[at]);
  return MlirWalkResultAdvance;
}

bool berthRootAccessesOf(BerthRootAccesses *list, const BerthViews *views,
                         MlirOperation op, bool withNested) {
  list->count = 0;
  NestedWalk walk = {list, views};
  addKnown(op, &walk);
  size_t numOwn = list->count;
  if (withNested && mlirOperationGetNumRegions(op) > 0) {
    list->count = 0;
    mlirOperationWalk(op, addKnown, &walk, MlirWalkPreOrder);
  }
  bool hasNested = list->count > numOwn;
  // An overwrite counts only where the op does nothing else.
  for (size_t i = 0; hasNested && i < list->count; ++i)
    list->items[i].overwrites = false;
  dropFalseOverwrites(views, list);
  return hasNested;
}

//===----------------------------------------------------------------------===//
// A scope
//===----------------------------------------------------------------------===//

static bool mayTouchRoots(const BerthViews *views, MlirOperation op) {
  bool mayTouch = views->numCalleeBuffers > 0;
  for (intptr_t i = 0; !mayTouch && i < mlirOperationGetNumOperands(op); ++i)
    mayTouch = berthViewsFind(views, mlirOperationGetOperand(op, i)) != NULL;
  return mayTouch;
}

typedef struct Listing {
  BerthScopeAccesses *accesses;
  const BerthViews *views;
} Listing;

static MlirWalkResult listOp(MlirOperation op, void *userData) {
  Listing *listing = userData;
  BerthScopeAccesses *accesses = listing->accesses;
  MlirOperation callee;
  if (!mayTouchRoots(listing->views, op))
    return MlirWalkResultAdvance;
  size_t first = accesses->list.count;
  bool isCall = berthOpGetCallee(op, &callee);
  if (!isCall)
    addOp(&accesses->list, listing->views, op);
  if (isCall || accesses->list.count > first)
    berthPointerMapInsert(&accesses->firstOf, op.ptr,
                          isCall ? BERTH_ASK_AGAIN : first);
  return MlirWalkResultAdvance;
}

void berthListAccesses(BerthScopeAccesses *accesses, BerthViews *views,
                       MlirOperation scope) {
  Listing listing = {accesses, views};
  mlirOperationWalk(scope, listOp, &listing, MlirWalkPreOrder);
  views->accesses = accesses;
}

void berthScopeAccessesFree(BerthScopeAccesses *accesses) {
  berthPointerMapFree(&accesses->firstOf);
  berthRootAccessesFree(&accesses->list);
}

/// True if both views begin at the same byte.
static bool startTogether(const BerthRoot *a, const BerthRoot *b) {
  if (!a->isShifted && !b->isShifted)
    return a->bufferLower == b->bufferLower && a->bufferUpper == b->bufferUpper;
  return !mlirOperationIsNull(a->view) && !mlirOperationIsNull(b->view) &&
         mlirValueEqual(mlirOperationGetOperand(a->view, 1),
                        mlirOperationGetOperand(b->view, 1));
}

static bool hasElementSize(const BerthRootAccess *access, BerthTypeSize *size) {
  MlirValue value = mlirOperationGetOperand(access->op, access->operand);
  BerthSizeResult result =
      berthMemRefGetSize(mlirValueGetType(value), access->op, size);
  return result == BERTH_SIZE_OK || result == BERTH_SIZE_DYNAMIC;
}

bool berthIsSameMemory(const BerthViews *views, const BerthRootAccess *a,
                       const BerthRootAccess *b) {
  BerthTypeSize sizeOfA, sizeOfB;
  return a->isWhole && b->isWhole &&
         startTogether(&views->roots[a->root], &views->roots[b->root]) &&
         hasElementSize(a, &sizeOfA) && hasElementSize(b, &sizeOfB) &&
         sizeOfA.elementBytes == sizeOfB.elementBytes;
}

bool berthIsInPlace(const BerthViews *views, const BerthRootAccess *read,
                    const BerthRootAccess *written) {
  return mlirOperationEqual(read->op, written->op) &&
         berthIsSameMemory(views, read, written) &&
         berthVisitsInOneOrder(read->op, read->operand, written->operand);
}
