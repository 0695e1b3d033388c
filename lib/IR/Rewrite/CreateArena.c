//===- CreateArena.c - Creating the arena in each of its forms ------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Rewrite/CreateArena.h"
#include "IR/Dynamic/Checks.h"
#include "IR/Dynamic/Emit.h"
#include "IR/Ops/Allocations.h"
#include "IR/Ops/Build.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Text.h"
#include "IR/Plan/Residency.h"
#include "IR/Rewrite/Callers.h"

#include <stdlib.h>

static MlirContext contextOf(const BerthJob *job) {
  return mlirOperationGetContext(job->scope.op);
}

static BerthInsertPoint atEntry(const BerthJob *job) {
  return berthInsertAtEntry(job->scope.body,
                            mlirOperationGetLocation(job->scope.op));
}

static MlirType partType(const BerthJob *job, const BerthPart *part) {
  return berthByteMemRef(contextOf(job), part->bytes, job->scope.space);
}

/// True if some buffer was allocated in the form with tokens.
static bool isAsync(const BerthJob *job) {
  for (size_t i = 0; i < job->scope.numBuffers; ++i)
    if (!job->scope.buffers[i].reason &&
        mlirOperationGetNumResults(job->scope.buffers[i].alloc) > 1)
      return true;
  return false;
}

static MlirValue createAlloc(BerthJob *job, const BerthPart *part) {
  bool isFreed = job->form == BERTH_ARENA_ALLOC;
  BerthInsertPoint at = atEntry(job);
  MlirValue value;
  if (job->scope.isDevice) {
    value = berthBuildDeviceAllocation(at, partType(job, part), isAsync(job));
  } else if (berthHasEntryHome(job)) {
    MlirValue bytes = berthBuildOffsets(job, &job->homes[0], job->arenaSize);
    berthBuildCapacityCheck(job, at, bytes);
    value = berthBuildByteArena(job, at, bytes);
  } else {
    value = berthBuildAllocation(
        at, isFreed, partType(job, part), (MlirValue){NULL},
        berthArenaAlignment(isFreed, job->scope.space, part->alignment),
        isFreed);
  }
  if (isFreed)
    berthDeallocAtExits(job->scope.body, value);
  return value;
}

//===----------------------------------------------------------------------===//
// A memref.global
//===----------------------------------------------------------------------===//

static MlirOperation enclosingModule(const BerthJob *job) {
  MlirOperation op = mlirOperationGetParentOperation(job->scope.op);
  while (!berthOpIs(op, BERTH_OP_GPU_MODULE) && !berthOpIs(op, BERTH_OP_MODULE))
    op = mlirOperationGetParentOperation(op);
  return op;
}

static bool isTaken(MlirOperation module, const char *name) {
  MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(module, 0));
  MlirAttribute wanted = mlirStringAttrGet(
      mlirOperationGetContext(module), mlirStringRefCreateFromCString(name));
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    MlirAttribute symbol = berthAttributeOf(op, "sym_name");
    if (!mlirAttributeIsNull(symbol) && mlirAttributeEqual(symbol, wanted))
      return true;
  }
  return false;
}

/// "berth_arena_<function>", with a number behind it where that is taken.
static void appendGlobalName(BerthText *name, const BerthJob *job,
                             MlirOperation module) {
  MlirOperation function = job->shared ? job->sharer : job->scope.op;
  while (!berthOpIsFunction(function) && !mlirOperationEqual(function, module))
    function = mlirOperationGetParentOperation(function);
  berthTextAppend(name, "berth_arena");
  if (berthOpIsFunction(function)) {
    MlirStringRef symbol =
        mlirStringAttrGetValue(berthAttributeOf(function, "sym_name"));
    berthTextAppend(name, "_%.*s", (int)symbol.length, symbol.data);
  }
  size_t length = name->length;
  for (int i = 0; isTaken(module, name->data); ++i) {
    name->length = length;
    berthTextAppend(name, "_%d", i);
  }
}

/// The name of a new one, as a symbol.
static MlirAttribute buildGlobal(const BerthJob *job, const BerthPart *part) {
  MlirContext context = contextOf(job);
  MlirOperation module = enclosingModule(job);
  MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(module, 0));
  BerthInsertPoint at = {block, mlirBlockGetFirstOperation(block),
                         mlirOperationGetLocation(job->scope.op)};
  BerthText name = {0};
  appendGlobalName(&name, job, module);
  MlirStringRef symbol = mlirStringRefCreate(name.data, name.length);
  MlirNamedAttribute attributes[] = {
      berthNamed(context, "sym_name", mlirStringAttrGet(context, symbol)),
      berthNamed(context, "sym_visibility",
                 mlirStringAttrGet(context,
                                   mlirStringRefCreateFromCString("private"))),
      berthNamed(context, "type", mlirTypeAttrGet(partType(job, part))),
      berthNamed(context, "initial_value", mlirUnitAttrGet(context)),
      berthNamed(context, "alignment", berthI64(context, part->alignment))};
  berthBuild(at, BERTH_NAME_GLOBAL, 0, NULL, 0, NULL, 5, attributes);
  MlirAttribute reference = mlirFlatSymbolRefAttrGet(context, symbol);
  berthTextFree(&name);
  return reference;
}

static MlirValue createGlobal(BerthJob *job, const BerthPart *part) {
  BerthSharedGlobal own = {0};
  BerthSharedGlobal *global = job->shared ? job->shared : &own;
  if (mlirAttributeIsNull(global->symbol))
    global->symbol = buildGlobal(job, part);
  MlirNamedAttribute reference =
      berthNamed(contextOf(job), "name", global->symbol);
  return berthBuildValue(atEntry(job), BERTH_NAME_GET_GLOBAL, 0, NULL,
                         partType(job, part), 1, &reference);
}

//===----------------------------------------------------------------------===//
// A workgroup attribution
//===----------------------------------------------------------------------===//

static int64_t integerAttribute(MlirOperation op, const char *name) {
  MlirAttribute attribute = berthAttributeOf(op, name);
  return mlirAttributeIsNull(attribute) ? 0
                                        : mlirIntegerAttrGetValueInt(attribute);
}

/// The dictionaries of all attributions but number `leftOut`, and `added`
/// behind them, if it is not null.
static MlirAttribute listAttributes(MlirOperation function, int64_t count,
                                    int64_t leftOut, MlirAttribute added) {
  MlirContext context = mlirOperationGetContext(function);
  MlirAttribute old = berthAttributeOf(function, "workgroup_attrib_attrs");
  MlirAttribute *dictionaries =
      berthAllocateOrDie((size_t)count + 1, sizeof *dictionaries);
  intptr_t length = 0;
  for (intptr_t i = 0; i < count; ++i)
    if (i != leftOut)
      dictionaries[length++] = mlirAttributeIsNull(old)
                                   ? mlirDictionaryAttrGet(context, 0, NULL)
                                   : mlirArrayAttrGetElement(old, i);
  if (!mlirAttributeIsNull(added))
    dictionaries[length++] = added;
  MlirAttribute result = mlirArrayAttrGet(context, length, dictionaries);
  free(dictionaries);
  return result;
}

static intptr_t countInputs(MlirOperation function) {
  return mlirFunctionTypeGetNumInputs(
      mlirTypeAttrGetValue(berthAttributeOf(function, "function_type")));
}

MlirValue berthAddAttribution(MlirOperation function, MlirType type,
                              MlirAttribute attributes) {
  MlirContext context = mlirOperationGetContext(function);
  int64_t existing = integerAttribute(function, "workgroup_attributions");
  if (mlirAttributeIsNull(attributes))
    attributes = mlirDictionaryAttrGet(context, 0, NULL);
  berthSetAttribute(
      function, "workgroup_attrib_attrs",
      listAttributes(function, existing, /*leftOut=*/-1, attributes));
  berthSetAttribute(function, "workgroup_attributions",
                    berthI64(context, existing + 1));
  MlirBlock entry =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  return mlirBlockInsertArgument(entry,
                                 countInputs(function) + (intptr_t)existing,
                                 type, mlirOperationGetLocation(function));
}

void berthRemoveAttribution(MlirOperation function, intptr_t index) {
  MlirContext context = mlirOperationGetContext(function);
  int64_t existing = integerAttribute(function, "workgroup_attributions");
  if (!mlirAttributeIsNull(
          berthAttributeOf(function, "workgroup_attrib_attrs")))
    berthSetAttribute(
        function, "workgroup_attrib_attrs",
        listAttributes(function, existing, index, (MlirAttribute){NULL}));
  berthSetAttribute(function, "workgroup_attributions",
                    berthI64(context, existing - 1));
  mlirBlockEraseArgument(
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0)),
      (unsigned)(countInputs(function) + index));
}

static MlirValue createAttribution(const BerthJob *job, const BerthPart *part) {
  MlirContext context = contextOf(job);
  MlirNamedAttribute alignment =
      berthNamed(context, "llvm.align", berthI64(context, part->alignment));
  return berthAddAttribution(job->scope.op, partType(job, part),
                             mlirDictionaryAttrGet(context, 1, &alignment));
}

/// From the first address in `memory` that is a multiple of the alignment: the
/// launches ask for so much more.
static MlirValue alignDynamic(const BerthJob *job, const BerthPart *part,
                              MlirValue memory) {
  BerthInsertPoint at = berthInsertBefore(mlirOpResultGetOwner(memory));
  at.before = mlirOperationGetNextInBlock(at.before);
  MlirType index = mlirIndexTypeGet(contextOf(job));
  MlirValue address =
      berthBuildValue(at, BERTH_NAME_ADDRESS, 1, &memory, index, 0, NULL);
  MlirValue missing = berthBuildBinary(at, BERTH_NAME_SUBTRACT,
                                       berthBuildIndex(at, 0), address);
  missing = berthBuildBinary(at, BERTH_NAME_AND, missing,
                             berthBuildIndex(at, part->alignment - 1));
  MlirValue operands[] = {memory, missing};
  return berthBuildValue(at, BERTH_NAME_VIEW, 2, operands, partType(job, part),
                         0, NULL);
}

static MlirValue createDynamic(BerthJob *job, const BerthPart *part) {
  MlirType type = berthByteMemRef(contextOf(job), -1, job->scope.space);
  berthRaiseLaunches(job);
  MlirValue memory = berthBuildValue(atEntry(job), BERTH_NAME_DYNAMIC_SHARED, 0,
                                     NULL, type, 0, NULL);
  return part->alignment > BERTH_DYNAMIC_ALIGNMENT
             ? alignDynamic(job, part, memory)
             : memory;
}

/// The callers tell how much it is; what lies where is computed here.
static MlirValue createArgument(BerthJob *job) {
  if (berthHasEntryHome(job))
    job->frameBytes = berthBuildOffsets(job, &job->homes[0], job->arenaSize);
  return berthAddArenaArgument(job);
}

static MlirValue createPart(BerthJob *job, const BerthPart *part) {
  switch (job->form) {
  case BERTH_ARENA_ALLOC:
  case BERTH_ARENA_ALLOCA:
    return createAlloc(job, part);
  case BERTH_ARENA_ARGUMENT:
    return createArgument(job);
  case BERTH_ARENA_GLOBAL:
    return createGlobal(job, part);
  case BERTH_ARENA_ATTRIBUTION:
    return createAttribution(job, part);
  case BERTH_ARENA_DYNAMIC:
    return createDynamic(job, part);
  case BERTH_ARENA_AUTO:
  case BERTH_ARENA_ANNOTATE:
    break;
  }
  return (MlirValue){NULL};
}

void berthCreateArena(BerthJob *job) {
  // New attributions go behind the others, anything else in front.
  bool isForwards = job->form == BERTH_ARENA_ATTRIBUTION;
  for (size_t i = 0; i < job->numParts; ++i) {
    BerthPart *part = &job->parts[isForwards ? i : job->numParts - 1 - i];
    part->value = createPart(job, part);
  }
}
