//===- VerifyUpdates.c - Arguments updated in place -----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In each function on the way every value that may be memory has the sources
// that the verifier's own propagation finds: allocations, arguments, results of
// calls. Two values may be one memory if they have a source in common. A use
// comes behind an op if some way leads there that does not make the value anew.
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/VerifyUpdates.h"
#include "IR/Facts/Facts.h"
#include "IR/Facts/Versions.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Dealloc.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Worklist.h"
#include "IR/Verify/Roots/Access.h"
#include "IR/Verify/Roots/CalleeBodies.h"
#include "IR/Verify/Roots/LateUses.h"
#include "IR/Verify/Roots/Views.h"

#include <stdlib.h>

/// An op that hands memory over, as this operand: a call, or a return.
typedef struct Handing {
  MlirOperation op;
  intptr_t operand;
} Handing;

typedef struct Check {
  MlirOperation root;
  BerthCallees callees;
  Handing *handings; ///< all are to be looked at
  size_t count, capacity;
  const char *reason; ///< why it may be wrong; NULL: nothing is found so far
} Check;

static void refuse(Check *check, const char *reason) {
  if (!check->reason)
    check->reason = reason;
}

static void addHanding(Check *check, MlirOperation op, intptr_t operand) {
  for (size_t i = 0; i < check->count; ++i)
    if (mlirOperationEqual(check->handings[i].op, op) &&
        check->handings[i].operand == operand)
      return;
  check->handings = berthGrow(check->handings, check->count, &check->capacity,
                              sizeof *check->handings);
  check->handings[check->count++] = (Handing){op, operand};
}

//===----------------------------------------------------------------------===//
// What comes behind what
//===----------------------------------------------------------------------===//

static MlirOperation functionOf(MlirOperation op) {
  while (!mlirOperationIsNull(op) && !berthOpIsFunction(op))
    op = mlirOperationGetParentOperation(op);
  return op;
}

/// The op, or what it stands in, in this block; null if it stands elsewhere.
static MlirOperation inBlock(MlirOperation op, MlirBlock block) {
  while (!mlirOperationIsNull(op) &&
         !mlirBlockEqual(mlirOperationGetBlock(op), block))
    op = mlirOperationGetParentOperation(op);
  return op;
}

/// True if the second op may run when the first one has run, in one run of the
/// block, which both stand in, at whatever depth.
static bool mayFollowIn(MlirBlock block, MlirOperation first,
                        MlirOperation second) {
  MlirOperation a = inBlock(first, block), b = inBlock(second, block);
  if (mlirOperationIsNull(a) || mlirOperationIsNull(b))
    return true;
  if (!mlirOperationEqual(a, b))
    return mlirOperationIsBeforeInBlock(a, b);
  // The op around the first one has been entered before that runs.
  if (mlirOperationEqual(a, second))
    return false;
  if (mlirOperationEqual(a, first) || !berthOpIsFork(a))
    return true;
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(a); ++i) {
    MlirBlock inner = mlirRegionGetFirstBlock(mlirOperationGetRegion(a, i));
    if (!mlirBlockIsNull(inner) &&
        !mlirOperationIsNull(inBlock(first, inner)) &&
        !mlirOperationIsNull(inBlock(second, inner)))
      return mayFollowIn(inner, first, second);
  }
  return false;
}

/// The same of a function, of which the first block runs once.
static bool mayFollow(MlirOperation function, MlirOperation first,
                      MlirOperation second) {
  MlirBlock entry =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  if (mlirOperationIsNull(inBlock(first, entry)) &&
      !mlirOperationIsNull(inBlock(second, entry)))
    return false;
  return mayFollowIn(entry, first, second);
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

enum { kOld, kMade, kNumBoth };

typedef struct Touch {
  MlirOperation op;
  bool reads, writes;
} Touch;

typedef struct Body {
  Check *check;
  BerthViews views;
  BerthRootAccesses accesses;
  MlirOperation copy;
  Touch *touches[kNumBoth];
  size_t counts[kNumBoth], capacities[kNumBoth];
} Body;

/// True if an op keeps memory for later, or goes on with it.
static bool keeps(const BerthViews *views, MlirOperation op, intptr_t operand) {
  return berthOutlivesBlock(op, false) || berthOpUsesAllocatedPointer(op) ||
         berthLateUseOf(views, op, operand) != BERTH_LATE_NONE;
}

static bool handsOn(MlirOperation op) {
  return berthOpIsReturn(op) || !mlirValueIsNull(berthViewGetSource(op));
}

static MlirWalkResult visitBodyOp(MlirOperation op, void *userData) {
  Body *body = userData;
  if (mlirOperationEqual(op, body->copy))
    return MlirWalkResultAdvance;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    const BerthRootSet *set =
        berthViewsFind(&body->views, mlirOperationGetOperand(op, i));
    if (set && !handsOn(op) && keeps(&body->views, op, i))
      refuse(body->check, "the function keeps it");
    if (set && berthOpIsReturn(op) && berthRootSetHas(set, kOld))
      refuse(body->check, "the function returns it, too");
  }
  berthRootAccessesOf(&body->accesses, &body->views, op, false);
  for (size_t i = 0; i < body->accesses.count; ++i) {
    const BerthRootAccess *access = &body->accesses.items[i];
    uint32_t which = access->root;
    body->touches[which] =
        berthGrow(body->touches[which], body->counts[which],
                  &body->capacities[which], sizeof *body->touches[which]);
    body->touches[which][body->counts[which]++] =
        (Touch){op, access->reads, access->writes};
  }
  return MlirWalkResultAdvance;
}

/// One op at both is no order.
static void compare(Body *body, const Touch *old, MlirOperation function) {
  Check *check = body->check;
  if (old->writes && mayFollow(function, body->copy, old->op))
    refuse(check, "the function writes to it behind that");
  for (size_t i = 0; i < body->counts[kMade]; ++i) {
    const Touch *made = &body->touches[kMade][i];
    bool isLate = mlirOperationEqual(made->op, old->op) ||
                  mayFollow(function, made->op, old->op);
    if (made->writes && isLate)
      refuse(check, "the function may read it when it has written to the copy");
  }
}

static void checkBody(Check *check, MlirOperation function, MlirOperation copy,
                      MlirValue old, MlirValue made) {
  BerthMemory memory = {0};
  const BerthRoot roots[kNumBoth] = {
      [kOld] = {.arena = old, .upper = INT64_MAX, .isShifted = true},
      [kMade] = {.arena = made, .upper = INT64_MAX, .isShifted = true}};
  const BerthRootValue values[kNumBoth] = {{old, kOld}, {made, kMade}};
  Body body = {.check = check,
               .views = berthViewsOfValues(roots, kNumBoth, values, kNumBoth,
                                           &check->callees, &memory),
               .copy = copy};
  mlirOperationWalk(function, visitBodyOp, &body, MlirWalkPreOrder);
  for (size_t i = 0; i < body.counts[kOld]; ++i)
    compare(&body, &body.touches[kOld][i], function);
  for (size_t i = 0; i < body.counts[kMade]; ++i)
    if (mayFollow(function, body.touches[kMade][i].op, copy))
      refuse(check, "the copy is in use before that");
  for (int i = 0; i < kNumBoth; ++i)
    free(body.touches[i]);
  berthRootAccessesFree(&body.accesses);
  berthViewsFree(&body.views);
  berthMemoryFree(&memory);
}

//===----------------------------------------------------------------------===//
// Sources
//===----------------------------------------------------------------------===//

typedef struct Sources {
  BerthRoot *roots;
  BerthRootValue *values;
  size_t count, rootCapacity, valueCapacity;
} Sources;

static void addSource(Sources *sources, MlirValue value) {
  if (!berthTypeMayPoint(mlirValueGetType(value)))
    return;
  sources->roots = berthGrow(sources->roots, sources->count,
                             &sources->rootCapacity, sizeof *sources->roots);
  sources->values = berthGrow(sources->values, sources->count,
                              &sources->valueCapacity, sizeof *sources->values);
  sources->roots[sources->count] =
      (BerthRoot){.arena = value, .upper = INT64_MAX, .isShifted = true};
  sources->values[sources->count] =
      (BerthRootValue){value, (uint32_t)sources->count};
  ++sources->count;
}

/// What an op makes that is no view and has no regions may be new memory.
static MlirWalkResult addSourcesOf(MlirOperation op, void *userData) {
  bool isMade = mlirOperationGetNumRegions(op) == 0 &&
                mlirValueIsNull(berthViewGetSource(op)) &&
                !berthOpIs(op, BERTH_OP_DESCRIPTION);
  for (intptr_t i = 0; isMade && i < mlirOperationGetNumResults(op); ++i)
    addSource(userData, mlirOperationGetResult(op, i));
  return MlirWalkResultAdvance;
}

//===----------------------------------------------------------------------===//
// Callers
//===----------------------------------------------------------------------===//

/// One op that hands memory over, and what may be that memory.
typedef struct Look {
  Check *check;
  BerthViews views;
  const BerthRootSet *set; ///< the sources of what is handed over
  Handing handing;
  bool isUsed; ///< an error has been found
} Look;

static bool mayBeIt(const Look *look, MlirValue value) {
  const BerthRootSet *set = berthViewsFind(&look->views, value);
  for (size_t i = 0; set && i < set->count; ++i)
    if (berthRootSetHas(look->set, set->ids[i]))
      return true;
  return false;
}

static MlirBlock blockOf(MlirValue value) {
  return mlirValueIsABlockArgument(value)
             ? mlirBlockArgumentGetOwner(value)
             : mlirOperationGetBlock(mlirOpResultGetOwner(value));
}

/// True if the value is there when the op hands memory over.
static bool isThere(const Look *look, MlirValue value) {
  MlirOperation at = inBlock(look->handing.op, blockOf(value));
  return !mlirOperationIsNull(at) &&
         (mlirValueIsABlockArgument(value) ||
          mlirOperationIsBeforeInBlock(mlirOpResultGetOwner(value), at));
}

/// Uses that look at no content: what frees, or decides on that.
static bool touchesNothing(const Look *look, MlirOperation op) {
  return berthOpIsFree(op) || berthOpIs(op, BERTH_OP_FREE_LISTED) ||
         berthOpIs(op, BERTH_OP_DIM) ||
         (berthOpIs(op, BERTH_OP_ADDRESS) &&
          berthFeedsOnlyDeallocation(mlirOperationGetResult(op, 0), false,
                                     look->check->root));
}

static void lookAtUse(Look *look, MlirValue value, MlirOpOperand use) {
  MlirOperation op = mlirOpOperandGetOwner(use);
  intptr_t operand = (intptr_t)mlirOpOperandGetOperandNumber(use);
  MlirOperation by = look->handing.op;
  bool isItself = mlirOperationEqual(op, by);
  if (handsOn(op) ? !isItself : touchesNothing(look, op))
    return;
  bool isSame = isItself && operand == look->handing.operand;
  if (!isSame && !isItself && keeps(&look->views, op, operand))
    refuse(look->check, "a caller keeps an address of it");
  else if (isItself && !isSame)
    refuse(look->check, "a caller may hand it over twice");
  else if (!isSame && isThere(look, value) &&
           mayFollowIn(blockOf(value), by, op))
    refuse(look->check, "a caller may use it again");
}

/// True if all that may come ahead of the op, in a run of its block, is the
/// allocation of the value: then the value is no memory that was there before,
/// as what another turn has allocated.
static bool isNewAt(MlirValue value, MlirOperation op) {
  if (!mlirValueIsAOpResult(value) ||
      !berthOpIs(mlirOpResultGetOwner(value), BERTH_OP_ALLOC) ||
      !mlirBlockEqual(blockOf(value), mlirOperationGetBlock(op)))
    return false;
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (!mlirOperationEqual(user, op) && mayFollowIn(blockOf(value), user, op))
      return false;
  }
  return true;
}

static void lookAtValue(Look *look, MlirValue value) {
  MlirOperation by = look->handing.op;
  MlirValue handed = mlirOperationGetOperand(by, look->handing.operand);
  if (!mayBeIt(look, value) ||
      (!mlirValueEqual(value, handed) && isNewAt(value, by)))
    return;
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use) && !look->check->reason;
       use = mlirOpOperandGetNextUse(use))
    lookAtUse(look, value, use);
}

static MlirWalkResult lookAtOp(MlirOperation op, void *userData) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    lookAtValue(userData, mlirOperationGetResult(op, i));
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); ++i)
    for (MlirBlock block =
             mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i));
         !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      for (intptr_t k = 0; k < mlirBlockGetNumArguments(block); ++k)
        lookAtValue(userData, mlirBlockGetArgument(block, k));
  return MlirWalkResultAdvance;
}

typedef struct NameSearch {
  MlirAttribute name;
  bool found;
} NameSearch;

static void compareName(MlirAttribute name, void *userData) {
  NameSearch *search = userData;
  search->found |= mlirStringRefEqual(mlirStringAttrGetValue(name),
                                      mlirStringAttrGetValue(search->name));
}

typedef struct CallWalk {
  Check *check;
  MlirOperation function;
  intptr_t argument;
  MlirOperation unknown; ///< a use of its name that is no call of it
  size_t count;
} CallWalk;

static MlirWalkResult visitCaller(MlirOperation op, void *userData) {
  CallWalk *walk = userData;
  MlirOperation callee = {NULL};
  NameSearch search = {berthAttributeOf(walk->function, "sym_name"), false};
  if (mlirOperationEqual(op, walk->function))
    return MlirWalkResultAdvance;
  berthOpForEachName(op, compareName, &search);
  bool isCall = berthOpIs(op, BERTH_OP_CALL) && berthOpGetCallee(op, &callee) &&
                mlirOperationEqual(callee, walk->function);
  if (isCall) {
    ++walk->count;
    addHanding(walk->check, op, walk->argument);
  } else if (search.found) {
    walk->unknown = op;
  }
  return MlirWalkResultAdvance;
}

static bool hasFlag(MlirOperation function, intptr_t argument) {
  MlirAttribute all = berthAttributeOf(function, "arg_attrs");
  if (mlirAttributeIsNull(all) || argument >= mlirArrayAttrGetNumElements(all))
    return false;
  MlirAttribute flag = mlirDictionaryAttrGetElementByName(
      mlirArrayAttrGetElement(all, argument),
      mlirStringRefCreateFromCString(BERTH_UPDATED));
  return !mlirAttributeIsNull(flag) &&
         (!mlirAttributeIsABool(flag) || mlirBoolAttrGetValue(flag));
}

static bool isPrivate(MlirOperation function) {
  MlirAttribute visibility = berthAttributeOf(function, "sym_visibility");
  return !mlirAttributeIsNull(visibility) &&
         mlirStringRefEqual(mlirStringAttrGetValue(visibility),
                            mlirStringRefCreateFromCString("private")) &&
         mlirAttributeIsNull(berthAttributeOf(function, BERTH_C_INTERFACE));
}

/// Whoever calls the function hands its argument over; those who are not seen
/// do so by the user's word.
static void addCallers(Check *check, MlirOperation function,
                       intptr_t argument) {
  if (hasFlag(function, argument))
    return;
  CallWalk walk = {check, function, argument, {NULL}, 0};
  mlirOperationWalk(check->root, visitCaller, &walk, MlirWalkPreOrder);
  if (!isPrivate(function) || !mlirOperationIsNull(walk.unknown))
    refuse(check, "there are callers that are not seen");
}

typedef struct ReturnWalk {
  Check *check;
  intptr_t index;
} ReturnWalk;

static MlirWalkResult visitReturn(MlirOperation op, void *userData) {
  ReturnWalk *walk = userData;
  if (berthOpIsReturn(op))
    addHanding(walk->check, op, walk->index);
  return MlirWalkResultAdvance;
}

/// Memory comes from an allocation, a caller or a called function.
static void followSource(Look *look, MlirValue value) {
  Check *check = look->check;
  MlirOperation by = look->handing.op;
  if (mlirValueIsABlockArgument(value)) {
    addCallers(check, functionOf(by), mlirBlockArgumentGetArgNumber(value));
    return;
  }
  MlirOperation op = mlirOpResultGetOwner(value), callee = {NULL};
  if (berthOpIs(op, BERTH_OP_ALLOC))
    return;
  if (berthOpIs(op, BERTH_OP_CALL) && berthOpGetCallee(op, &callee) &&
      !berthFunctionIsUnseen(callee)) {
    ReturnWalk walk = {check, mlirOpResultGetResultNumber(value)};
    mlirOperationWalk(callee, visitReturn, &walk, MlirWalkPreOrder);
    return;
  }
  if (!berthOpIs(op, BERTH_OP_SELECT))
    refuse(check, "a caller may have got it from anywhere");
}

static void checkHanding(Check *check, Handing handing) {
  MlirOperation function = functionOf(handing.op);
  BerthMemory memory = {0};
  Sources sources = {0};
  MlirBlock entry =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(entry); ++i)
    addSource(&sources, mlirBlockGetArgument(entry, i));
  mlirOperationWalk(function, addSourcesOf, &sources, MlirWalkPreOrder);
  Look look = {.check = check,
               .views = berthViewsOfValues(sources.roots, sources.count,
                                           sources.values, sources.count,
                                           &check->callees, &memory),
               .handing = handing};
  look.set = berthViewsFind(
      &look.views, mlirOperationGetOperand(handing.op, handing.operand));
  if (!look.set)
    refuse(check, "a caller may have got it from anywhere");
  for (size_t i = 0; look.set && i < look.set->count; ++i)
    followSource(&look, sources.values[look.set->ids[i]].value);
  if (look.set && !check->reason)
    mlirOperationWalk(function, lookAtOp, &look, MlirWalkPreOrder);
  berthViewsFree(&look.views);
  berthMemoryFree(&memory);
  free(sources.roots);
  free(sources.values);
}

/// Of what callers bring for the copy: it is new, and handed over once.
static void checkBrought(Check *check, MlirOperation call, intptr_t operand) {
  MlirValue value = mlirOperationGetOperand(call, operand);
  int count = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(call); ++i)
    count += mlirValueEqual(mlirOperationGetOperand(call, i), value);
  if (count != 1 || !isNewAt(value, call))
    refuse(check, "a caller may have used what it brings for the copy");
}

const char *berthVerifyUpdate(MlirOperation root, MlirOperation copy) {
  int64_t argument;
  MlirOperation function = functionOf(copy);
  if (!berthAttributeGetNumber(berthAttributeOf(copy, BERTH_UPDATE), &argument))
    return NULL;
  Check check = {.root = root, .callees = berthCalleesIn(root)};
  berthCalleesFindUnseen(&check.callees);
  MlirBlock entry =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  checkBody(&check, function, copy, mlirBlockGetArgument(entry, argument),
            mlirOperationGetOperand(copy, 1));
  MlirValue made = mlirOperationGetOperand(copy, 1);
  bool isBrought = mlirValueIsABlockArgument(made);
  if (isBrought && hasFlag(function, argument))
    refuse(&check, "there are callers that are not seen");
  if (!check.reason)
    addCallers(&check, function, argument);
  size_t numCalls = isBrought ? check.count : 0;
  for (size_t i = 0; i < numCalls; ++i)
    checkBrought(&check, check.handings[i].op,
                 mlirBlockArgumentGetArgNumber(made));
  for (size_t i = 0; i < check.count && !check.reason; ++i)
    checkHanding(&check, check.handings[i]);
  free(check.handings);
  berthCalleesFree(&check.callees);
  return check.reason;
}
