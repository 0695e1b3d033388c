//===- Recursion.c - May a function call itself? --------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The calls that the module shows are followed. What is called by its address,
// or by a function that is only declared, may be any function whose name
// somebody uses but to call it; one whose name nobody uses so is taken not to
// be called back.
//
//===----------------------------------------------------------------------===//

#include "IR/Ops/Recursion.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Build.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"

typedef struct CallWalk {
  BerthWorklist *functions; ///< that may run
  bool callsUnknown;        ///< one of them calls what is not seen
  bool trustsNoText;        ///< code in text may call, too
} CallWalk;

/// True for code in text and an op that nobody tells anything of.
static bool mayHideCall(MlirOperation op) {
  BerthEffects effects;
  return berthOpLetsEscape(op) ||
         (mlirOperationGetNumRegions(op) == 0 && !berthOpIsReturn(op) &&
          !berthOpSumEffects(op, (MlirValue){NULL}, &effects));
}

static MlirWalkResult addCallee(MlirOperation op, void *userData) {
  CallWalk *walk = userData;
  MlirOperation callee;
  if (!berthOpGetCallee(op, &callee))
    walk->callsUnknown |= walk->trustsNoText && mayHideCall(op);
  else if (berthFunctionIsUnseen(callee))
    walk->callsUnknown = true;
  else
    berthWorklistAdd(walk->functions, callee.ptr);
  return MlirWalkResultAdvance;
}

static bool followCalls(CallWalk walk) {
  while (walk.functions->numPending) {
    MlirOperation function = {(void *)berthWorklistTake(walk.functions)};
    mlirOperationWalk(function, addCallee, &walk, MlirWalkPreOrder);
  }
  return walk.callsUnknown;
}

bool berthFollowCalls(BerthWorklist *functions) {
  return followCalls((CallWalk){.functions = functions});
}

bool berthFollowHiddenCalls(BerthWorklist *functions) {
  return followCalls((CallWalk){.functions = functions, .trustsNoText = true});
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

typedef struct NameWalk {
  BerthWorklist names; ///< string attributes
  MlirAttribute own;   ///< of the function that the op at hand calls, or null
  BerthCallTest isCall;
  BerthWorklist *functions;
} NameWalk;

static void addName(MlirAttribute name, void *userData) {
  NameWalk *walk = userData;
  if (!mlirAttributeEqual(name, walk->own))
    berthWorklistAdd(&walk->names, name.ptr);
}

static MlirWalkResult addNames(MlirOperation op, void *userData) {
  NameWalk *walk = userData;
  MlirOperation callee;
  bool isCall = berthOpGetCallee(op, &callee) && !mlirOperationIsNull(callee) &&
                (!walk->isCall || walk->isCall(op));
  walk->own =
      isCall ? berthAttributeOf(callee, "sym_name") : mlirAttributeGetNull();
  berthOpForEachName(op, addName, walk);
  return MlirWalkResultAdvance;
}

static MlirWalkResult addNamedFunction(MlirOperation op, void *userData) {
  NameWalk *walk = userData;
  if (!berthOpIsFunction(op))
    return MlirWalkResultAdvance;
  MlirAttribute name = berthAttributeOf(op, "sym_name");
  if (!mlirAttributeIsNull(name) && !berthFunctionIsUnseen(op) &&
      berthWorklistHasSeen(&walk->names, name.ptr))
    berthWorklistAdd(walk->functions, op.ptr);
  return MlirWalkResultSkip;
}

void berthAddNamedFunctions(MlirOperation root, BerthCallTest isCall,
                            BerthWorklist *functions) {
  NameWalk walk = {.isCall = isCall, .functions = functions};
  mlirOperationWalk(root, addNames, &walk, MlirWalkPreOrder);
  mlirOperationWalk(root, addNamedFunction, &walk, MlirWalkPreOrder);
  berthWorklistFree(&walk.names);
}

void berthNamedFunctionsFree(BerthNamedFunctions *named) {
  berthWorklistFree(&named->functions);
}

//===----------------------------------------------------------------------===//
// Recursion
//===----------------------------------------------------------------------===//

static bool mayCallItself(MlirOperation function, const MlirOperation *root) {
  BerthWorklist functions = {0};
  CallWalk walk = {.functions = &functions};
  mlirOperationWalk(function, addCallee, &walk, MlirWalkPreOrder);
  walk.callsUnknown |= berthFollowCalls(&functions);
  if (root && walk.callsUnknown) {
    berthAddNamedFunctions(*root, NULL, &functions);
    berthFollowCalls(&functions);
  }
  bool found = berthWorklistHasSeen(&functions, function.ptr);
  berthWorklistFree(&functions);
  return found;
}

bool berthFunctionIsRecursive(MlirOperation function) {
  return mayCallItself(function, NULL);
}

bool berthFunctionMayCallItself(MlirOperation function, MlirOperation root) {
  return mayCallItself(function, &root);
}
