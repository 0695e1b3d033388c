//===- AnyMemory.c - Uses to which one memory is as good as another -------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Fit/AnyMemory.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/RowOf.h"
#include "IR/Ops/Rules.h"
#include "mlir-c/BuiltinTypes.h"

bool berthTakesAnyMemory(MlirOperation op) {
  MlirOperation callee;
  return berthOpIsPlainAccess(op) && !berthOpGetCallee(op, &callee) &&
         !berthToldRowOf(op) && !berthOpIsTransfer(op);
}

MlirOperation berthFitCalleeOf(MlirOperation call) {
  MlirOperation callee;
  bool isPlain =
      berthOpIs(call, BERTH_OP_CALL) && berthOpGetCallee(call, &callee) &&
      !berthFunctionIsUnseen(callee) && berthOpIs(callee, BERTH_OP_FUNCTION);
  return isPlain ? callee : (MlirOperation){NULL};
}

/// A function whose argument is looked at, and from where.
typedef struct Path {
  const struct Path *above;
  const BerthJob *job;
  MlirOperation function;
  MlirOperation *at;
} Path;

static bool forbids(const Path *path, MlirOperation op) {
  *path->at = op;
  return false;
}

static bool takesUse(const Path *path, MlirOpOperand use);

/// True if all that is done with the value may be done with memory elsewhere:
/// views, and uses of that kind.
static bool takesValue(const Path *path, MlirValue value, MlirAttribute space) {
  MlirType type = mlirValueGetType(value);
  MlirOperation made = mlirValueIsAOpResult(value) ? mlirOpResultGetOwner(value)
                                                   : path->function;
  if (!mlirTypeIsAMemRef(type) ||
      !mlirAttributeEqual(mlirMemRefTypeGetMemorySpace(type), space))
    return forbids(path, made);
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    MlirValue viewed = berthViewGetSource(op);
    bool isView = !mlirValueIsNull(viewed) && mlirValueEqual(viewed, value);
    if (isView ? !takesValue(path, mlirOperationGetResult(op, 0), space)
               : !takesUse(path, use))
      return false;
  }
  return true;
}

/// Threads run it, it calls itself, or what it is given may be used after it
/// has returned.
static bool isStrange(const Path *path) {
  const BerthPointerMap *ofThreads =
      path->job->options->collect.threadFunctions;
  bool isStrange =
      berthFunctionIsCoroutine(path->function) ||
      (ofThreads &&
       berthPointerMapFind(ofThreads, path->function.ptr) != BERTH_NOT_FOUND);
  for (const Path *above = path->above; above; above = above->above)
    isStrange |= mlirOperationEqual(above->function, path->function);
  return isStrange;
}

/// The module is searched for no name, only what the call leads to.
static bool takesUse(const Path *path, MlirOpOperand use) {
  MlirOperation op = mlirOpOperandGetOwner(use);
  const char *broken = path->job->options->alias.breakRule;
  if (berthTakesAnyMemory(op) ||
      (path->above && berthIsBroken(broken, "any-callee")))
    return true;
  Path inner = {path, path->job, berthFitCalleeOf(op), path->at};
  if (mlirOperationIsNull(inner.function) || isStrange(&inner) ||
      !path->job->options->onModule)
    return forbids(path, op);
  MlirBlock entry =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(inner.function, 0));
  intptr_t index = (intptr_t)mlirOpOperandGetOperandNumber(use);
  MlirType type = mlirValueGetType(mlirOpOperandGetValue(use));
  return mlirTypeIsAMemRef(type) &&
         takesValue(&inner, mlirBlockGetArgument(entry, index),
                    mlirMemRefTypeGetMemorySpace(type));
}

bool berthFitTakesAny(const BerthJob *job, MlirOpOperand use,
                      MlirOperation *at) {
  Path path = {NULL, job, job->scope.op, at};
  return takesUse(&path, use);
}
