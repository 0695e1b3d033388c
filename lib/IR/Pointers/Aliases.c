//===- Aliases.c - What may point into each buffer, and what touches it ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One forward walk per buffer over the uses of its aliases. Buffers do not meet
// in this walk, so the cost is the sum of their use lists. Afterwards the ops
// found are turned into accesses: one per op and buffer, at the outermost op
// whose control flow is unknown, or at the op itself.
//
//===----------------------------------------------------------------------===//

#include "IR/Pointers/Aliases.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Rules.h"
#include "IR/Ops/Text.h"
#include "IR/Pointers/Alignments.h"
#include "IR/Pointers/CallSummary.h"
#include "IR/Pointers/LoopCarried.h"
#include "IR/Pointers/Tokens.h"

#include <stdlib.h>
#include <string.h>

/// One value found to point into the buffer at hand.
typedef struct Alias {
  MlirValue value;
  bool isOnly;  ///< it points into this buffer and no other
  bool isWhole; ///< it addresses every byte of it
} Alias;

typedef struct Walk {
  BerthScope *scope;
  const BerthPoints *points;
  const BerthAliasOptions *options;
  BerthCallSummaries summaries;
  // The buffer at hand:
  BerthBufferInfo *buffer;
  BerthPointerMap aliasOf; ///< value -> index into aliases
  Alias *aliases;
  size_t numAliases, aliasCapacity;
  Alias current;            ///< whose uses are being walked
  BerthPointerMap accessOf; ///< op -> index into accesses
  BerthAccess *accesses;
  size_t numAccesses, accessCapacity;
  MlirOperation *frees;
  size_t numFrees, freeCapacity;
  bool isAsync; ///< some access may come later than its op
} Walk;

//===----------------------------------------------------------------------===//
// Aliases
//===----------------------------------------------------------------------===//

static void addAlias(MlirValue value, bool isView, bool isWhole,
                     void *userData) {
  Walk *walk = userData;
  if (!isView && berthIsBroken(walk->options->breakRule, "views-only"))
    return;
  if (!berthPointerMapInsert(&walk->aliasOf, value.ptr, walk->numAliases))
    return;
  walk->aliases = berthGrow(walk->aliases, walk->numAliases,
                            &walk->aliasCapacity, sizeof *walk->aliases);
  Alias *alias = &walk->aliases[walk->numAliases++];
  alias->value = value;
  alias->isOnly = isView && walk->current.isOnly;
  alias->isWhole = isWhole && walk->current.isWhole;
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// berthPointsOutermostOpaque, unless a test breaks that rule.
static MlirOperation outermostOpaque(const Walk *walk, MlirOperation op) {
  if (berthIsBroken(walk->options->breakRule, "no-parallel-span"))
    return op;
  return berthPointsOutermostOpaque(walk->points, op);
}

static BerthAccess *accessAt(Walk *walk, MlirOperation op) {
  size_t index = berthPointerMapFind(&walk->accessOf, op.ptr);
  if (index != BERTH_NOT_FOUND)
    return &walk->accesses[index];
  walk->accesses = berthGrow(walk->accesses, walk->numAccesses,
                             &walk->accessCapacity, sizeof *walk->accesses);
  berthPointerMapInsert(&walk->accessOf, op.ptr, walk->numAccesses);
  BerthAccess *access = &walk->accesses[walk->numAccesses++];
  memset(access, 0, sizeof *access);
  access->op = op;
  access->lower = berthPointsLower(walk->points, op);
  access->upper = berthPointsUpper(walk->points, op);
  return access;
}

/// Code in an async region runs until its token is awaited: what the op
/// returns stands for the buffer until then. Returns true if there is one.
static bool noteAsyncAncestors(Walk *walk, MlirOperation op) {
  bool found = false;
  if (berthIsBroken(walk->options->breakRule, "no-awaits"))
    return false;
  while (!mlirOperationEqual(op, walk->scope->op)) {
    if (berthOpIsAsync(op)) {
      walk->isAsync = found = true;
      if (!berthIsAwaitedInItsBlock(op))
        berthRejectBuffer(walk->buffer,
                          "async code that is not awaited in its block "
                          "uses it",
                          op);
      intptr_t numResults = mlirOperationGetNumResults(op);
      for (intptr_t i = 0; i < numResults; ++i)
        addAlias(mlirOperationGetResult(op, i), false, false, walk);
    }
    op = mlirOperationGetParentOperation(op);
  }
  return found;
}

static void noteLeak(Walk *walk, MlirOperation op, BerthUse use);

/// The same for regions of which nobody knows when they run. Without a token
/// nobody can wait for them.
static bool noteLateAncestors(Walk *walk, MlirOperation op) {
  BerthUnknownOps unknownOps = walk->options->unknownOps;
  const char *broken = walk->options->breakRule;
  bool found = false;
  if (berthIsBroken(broken, "no-late-regions"))
    return false;
  while (!mlirOperationEqual(op = mlirOperationGetParentOperation(op),
                             walk->scope->op)) {
    bool hasToken = berthReturnsHandle(op);
    bool isLate =
        (hasToken || unknownOps != BERTH_UNKNOWN_USE) && berthOpMayRunLater(op);
    if (!isLate)
      continue;
    walk->isAsync = found = true;
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
      if (hasToken)
        addAlias(mlirOperationGetResult(op, i), false, false, walk);
    // That one without a token goes on behind the function is too far a guess.
    BerthUse use = {.leak = BERTH_LEAK_IN_SCOPE, .goesOn = hasToken};
    use.reason = hasToken
                     ? "an op that nobody knows may run its regions later: "
                       "nothing in its block waits for its token"
                     : "an op that nobody knows may run its regions later "
                       "(unknown-ops=use if it does not)";
    if (unknownOps == BERTH_UNKNOWN_REJECT)
      use = (BerthUse){.leak = BERTH_LEAK_OUT,
                       .reason = "an unknown op is given it"};
    if (!hasToken || unknownOps > BERTH_UNKNOWN_USE ||
        berthMayGoOn(op, berthTypeIsHandle, false))
      noteLeak(walk, op, use);
  }
  return found;
}

static bool returnsToken(MlirOperation op) {
  intptr_t count = mlirOperationGetNumResults(op);
  for (intptr_t i = 0; i < count; ++i)
    if (berthTypeIsToken(mlirValueGetType(mlirOperationGetResult(op, i))) ||
        berthOpIsTokenResult(op, i))
      return true;
  return false;
}

static void addAccess(Walk *walk, MlirOpOperand operand, BerthUse use) {
  MlirOperation op = mlirOpOperandGetOwner(operand);
  // What goes on keeps its bytes though it only reads, and what nobody wrote.
  bool goesOn = noteAsyncAncestors(walk, op);
  goesOn |= noteLateAncestors(walk, op) || returnsToken(op);
  BerthAccess *access = accessAt(walk, outermostOpaque(walk, op));
  access->reads |= use.reads;
  access->writes |= use.writes || goesOn;
  access->through = mlirOpOperandGetValue(operand);
}

static void addFree(Walk *walk, MlirOperation op) {
  for (size_t i = 0; i < walk->numFrees; ++i)
    if (mlirOperationEqual(walk->frees[i], op))
      return;
  walk->frees = berthGrow(walk->frees, walk->numFrees, &walk->freeCapacity,
                          sizeof *walk->frees);
  walk->frees[walk->numFrees++] = op;
}

/// What other workgroups have of a device function's buffer they may still use
/// when it has returned; the function's arena is a part of its caller's.
static bool escapesFromCallee(const Walk *walk, MlirOperation op,
                              BerthUse use) {
  return use.leak != BERTH_LEAK_NONE && berthOpLetsEscape(op) &&
         walk->scope->kind != BERTH_SCOPE_KERNEL &&
         walk->scope->kind != BERTH_SCOPE_LAUNCH &&
         berthScopeIsShared(walk->scope);
}

/// The memory of a function is another's when it has returned. That of a kernel
/// nobody has before all that the kernel started is over.
static bool outlivesFunction(const Walk *walk, BerthUse use) {
  return use.goesOn && walk->scope->kind != BERTH_SCOPE_KERNEL &&
         walk->scope->kind != BERTH_SCOPE_LAUNCH &&
         !berthIsBroken(walk->options->breakRule, "work-returns");
}

static void noteLeak(Walk *walk, MlirOperation op, BerthUse use) {
  if (berthIsBroken(walk->options->breakRule, "no-leaks"))
    return;
  if (use.leak == BERTH_LEAK_OUT || escapesFromCallee(walk, op, use) ||
      outlivesFunction(walk, use))
    berthRejectBuffer(walk->buffer, use.reason, op);
  walk->buffer->leaksElsewhere |=
      use.leak != BERTH_LEAK_NONE && !berthOpIs(op, BERTH_OP_CLUSTER_MAP);
  if (use.leak == BERTH_LEAK_NONE || walk->buffer->leaks)
    return;
  walk->buffer->leaks = true;
  walk->buffer->leaksAt = op;
  walk->buffer->leakReason = use.reason;
}

static bool keepsAlignments(const Walk *walk) {
  return !berthIsBroken(walk->options->breakRule, "no-alignments");
}

/// True unless the operand is no call's, or the called function only loads from
/// it and stores to it: views in there may want more than its type tells.
static bool calleeMayNeedMore(MlirOpOperand operand) {
  MlirOperation op = mlirOpOperandGetOwner(operand), callee;
  if (!berthOpGetCallee(op, &callee))
    return false;
  intptr_t index = berthCallGetArgument(
      op, (intptr_t)mlirOpOperandGetOperandNumber(operand));
  if (mlirOperationIsNull(callee) || index < 0)
    return true;
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(callee, 0));
  if (mlirBlockIsNull(body) || index >= mlirBlockGetNumArguments(body))
    return true;
  for (MlirOpOperand use =
           mlirValueGetFirstUse(mlirBlockGetArgument(body, index));
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (!berthOpIsPlainAccess(user) || berthOpMayReturnPointer(user) ||
        berthOpGetCallee(user, &callee) ||
        !mlirAttributeIsNull(berthAttributeOf(user, "alignment")))
      return true;
  }
  return false;
}

static void walkUse(Walk *walk, MlirOpOperand operand) {
  BerthUse use = berthClassifyUse(operand, walk->options, &walk->summaries,
                                  addAlias, walk);
  MlirOperation op = mlirOpOperandGetOwner(operand);
  if (use.reads || use.writes)
    addAccess(walk, operand, use);
  if (use.frees)
    addFree(walk, op);
  noteLeak(walk, op, use);
  if ((use.assumed || calleeMayNeedMore(operand)) && keepsAlignments(walk))
    berthKeepPromisedAlignment(walk->buffer);
  berthNoteUse(&walk->summaries, op, use,
               (size_t)(walk->buffer - walk->scope->buffers));
}

//===----------------------------------------------------------------------===//
// Kills
//===----------------------------------------------------------------------===//

/// The operand through which `op` touches the buffer; -1 if there are several.
static intptr_t onlyOperand(const Walk *walk, MlirOperation op) {
  intptr_t found = -1;
  intptr_t numOperands = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < numOperands; ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (berthPointerMapFind(&walk->aliasOf, operand.ptr) == BERTH_NOT_FOUND)
      continue;
    if (found >= 0)
      return -1;
    found = i;
  }
  return found;
}

/// A write kills the old content if it goes through a view of the whole buffer
/// that can be no other buffer, and overwrites all of that view.
static bool isKill(const Walk *walk, const BerthAccess *access) {
  if (access->reads || !access->writes || walk->isAsync || walk->buffer->leaks)
    return false;
  if (berthIsBroken(walk->options->breakRule, "partial-write-kills"))
    return true;
  if (berthIsBroken(walk->options->breakRule, "no-kills"))
    return false;
  intptr_t operand = onlyOperand(walk, access->op);
  if (operand < 0)
    return false;
  MlirValue value = mlirOperationGetOperand(access->op, operand);
  const Alias *alias =
      &walk->aliases[berthPointerMapFind(&walk->aliasOf, value.ptr)];
  return alias->isOnly && alias->isWhole &&
         berthOpFullyOverwrites(access->op, operand);
}

//===----------------------------------------------------------------------===//
// One buffer
//===----------------------------------------------------------------------===//

/// Moves what the walk found into the buffer.
static void storeResults(Walk *walk) {
  BerthBufferInfo *buffer = walk->buffer;
  BerthMemory *memory = walk->scope->memory;
  buffer->numAliases = walk->numAliases;
  buffer->aliases = BERTH_NEW(memory, MlirValue, walk->numAliases);
  for (size_t i = 0; i < walk->numAliases; ++i)
    buffer->aliases[i] = walk->aliases[i].value;
  buffer->numFrees = walk->numFrees;
  buffer->frees =
      berthNewCopy(memory, walk->frees, walk->numFrees, sizeof *walk->frees);
  buffer->numAccesses = walk->numAccesses;
  buffer->accesses = berthNewCopy(memory, walk->accesses, walk->numAccesses,
                                  sizeof *walk->accesses);
  if (walk->numAccesses)
    qsort(buffer->accesses, walk->numAccesses, sizeof *walk->accesses,
          berthCompareAccesses);
}

static void startBuffer(Walk *walk, BerthBufferInfo *buffer) {
  walk->buffer = buffer;
  walk->numAliases = walk->numAccesses = walk->numFrees = 0;
  walk->isAsync = false;
  berthPointerMapClear(&walk->aliasOf);
  berthPointerMapClear(&walk->accessOf);
  walk->current = (Alias){buffer->value, true, true};
  addAlias(buffer->value, true, true, walk);
}

/// The exits of an iteration stand in front of the ops that end it; its arena
/// is gone by then.
static MlirOperation useAtExit(const Walk *walk) {
  for (size_t i = 0; i < walk->numAccesses; ++i) {
    MlirOperation op =
        berthAncestorInRegion(walk->accesses[i].op, walk->scope->body);
    if (mlirOperationIsNull(mlirOperationGetNextInBlock(op)) &&
        mlirOperationGetNumSuccessors(op) == 0)
      return op;
  }
  return (MlirOperation){NULL};
}

/// What only iterations must not do: the next one does not wait for this one.
static void checkIteration(Walk *walk) {
  BerthBufferInfo *buffer = walk->buffer;
  if (buffer->leaks)
    berthRejectBuffer(
        buffer,
        "its address gets away from an iteration of a parallel loop, and may "
        "be used after it",
        buffer->leaksAt);
  MlirOperation exit = useAtExit(walk);
  if (!mlirOperationIsNull(exit) &&
      !berthIsBroken(walk->options->breakRule, "no-exit-uses"))
    berthRejectBuffer(buffer, "the op that ends the iteration uses it", exit);
}

void berthRejectNextInstance(BerthScope *scope, BerthBufferInfo *buffer,
                             const char *why) {
  BerthText text = {0};
  berthTextAppend(&text, "%s, and it is allocated again meanwhile%s%s",
                  buffer->leakReason, why ? ": " : "", why ? why : "");
  berthRejectBuffer(buffer,
                    berthNewCopy(scope->memory, text.data, text.length + 1, 1),
                    buffer->leaksAt);
  berthTextFree(&text);
}

/// Whoever holds the address of the last instance must not find the next one
/// there. To the end of the scope is long enough only for the one instance.
/// Where barriers of the cluster end what it does, ClusterHold.h says.
static void checkSecondInstance(Walk *walk) {
  BerthBufferInfo *buffer = walk->buffer;
  if (buffer->leaks && buffer->leaksElsewhere && !buffer->reason &&
      berthPointsMayRunAgain(walk->points, buffer->alloc) &&
      !berthIsBroken(walk->options->breakRule, "no-second-instance"))
    berthRejectNextInstance(walk->scope, buffer, NULL);
}

static void checkInstances(Walk *walk) {
  BerthBufferInfo *buffer = walk->buffer;
  // The arena of a device is freed where the host is done, which need not wait.
  if (walk->scope->isDevice && buffer->leaks)
    berthRejectBuffer(buffer, buffer->leakReason, buffer->leaksAt);
  MlirOperation alloc = buffer->alloc;
  if (!mlirOperationEqual(outermostOpaque(walk, alloc), alloc) &&
      !berthIsBroken(walk->options->breakRule, "shared-iterations"))
    berthRejectBuffer(buffer,
                      "it is allocated in a region that may run many times at "
                      "once or in an unknown order",
                      mlirOperationGetParentOperation(alloc));
  checkSecondInstance(walk);
  if (walk->scope->isIteration)
    checkIteration(walk);
}

static void walkBuffer(Walk *walk, BerthBufferInfo *buffer) {
  startBuffer(walk, buffer);
  for (size_t i = 0; i < walk->numAliases; ++i) {
    walk->current = walk->aliases[i];
    if (keepsAlignments(walk))
      berthRaiseAlignment(buffer, walk->current.value);
    for (MlirOpOperand use = mlirValueGetFirstUse(walk->current.value);
         !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
      walkUse(walk, use);
  }
  for (size_t i = 0; i < walk->numAccesses; ++i)
    walk->accesses[i].kills = isKill(walk, &walk->accesses[i]);
  storeResults(walk);
  checkInstances(walk);
  if (!buffer->reason &&
      !berthIsBroken(walk->options->breakRule, "no-carried-check") &&
      berthIsCarried(walk->points, buffer, true, walk->options->root))
    berthRejectBuffer(buffer,
                      "its previous instance may still be used when it is "
                      "allocated again",
                      buffer->alloc);
}

void berthScopeFindAliases(BerthScope *scope, const BerthPoints *points,
                           const BerthAliasOptions *options) {
  BerthAliasOptions own = *options;
  own.followsTransfers &= !berthScopeIsShared(scope);
  Walk walk = {.scope = scope,
               .points = points,
               .options = &own,
               .summaries = berthCallSummariesCreate(options)};
  bool isCoroutine = berthFunctionIsCoroutine(scope->op) &&
                     !berthIsBroken(options->breakRule, "no-awaits");
  bool returnsTwice = scope->numBuffers && berthCallsReturnTwice(scope->op) &&
                      !berthIsBroken(options->breakRule, "no-branches");
  for (size_t i = 0; i < scope->numBuffers; ++i) {
    BerthBufferInfo *buffer = &scope->buffers[i];
    if (returnsTwice)
      berthRejectBuffer(buffer,
                        "a function that is called here may return a second "
                        "time",
                        buffer->alloc);
    if (isCoroutine)
      berthRejectBuffer(buffer,
                        "it is allocated in a coroutine, which may return "
                        "before it has come to its end",
                        buffer->alloc);
    if (!buffer->reason && mlirOperationIsNull(buffer->callee))
      walkBuffer(&walk, buffer);
  }
  scope->numNoted = walk.summaries.numNoted;
  scope->noted =
      berthNewCopy(scope->memory, walk.summaries.noted, walk.summaries.numNoted,
                   sizeof *walk.summaries.noted);
  berthCallSummariesFree(&walk.summaries);
  berthPointerMapFree(&walk.aliasOf);
  berthPointerMapFree(&walk.accessOf);
  free(walk.aliases);
  free(walk.accesses);
  free(walk.frees);
}
