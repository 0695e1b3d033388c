//===- HeapLink.c - The heap's functions, linked into a module -----------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parses the embedded text for the scope's memory space and moves the symbols
// into the module (or gpu.module) around the scope. What an earlier scope has
// brought there already is used again, if it is the same kind of heap; a
// declaration of the user's, to call the heap by himself, is replaced; anything
// else by the same name is an error, and then nothing is moved.
//
//===----------------------------------------------------------------------===//

#include "IR/Heap/HeapLink.h"
#include "Heap/HeapText.h"
#include "IR/Heap/HeapArena.h"
#include "IR/Ops/Build.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/Text.h"

#include <string.h>

/// Marks what this file has put into a module; its text says which heap it is
/// (see appendKey).
static const char linkedMark[] = "berth.heap";

bool berthHeapIsLinked(MlirOperation function) {
  return !mlirAttributeIsNull(berthAttributeOf(function, linkedMark));
}

//===----------------------------------------------------------------------===//
// The text
//===----------------------------------------------------------------------===//

/// The alias that the functions are written over.
static void appendAlias(BerthText *text, MlirAttribute space) {
  berthTextAppend(text, "!heap = memref<?xi32");
  if (!mlirAttributeIsNull(space)) {
    berthTextAppend(text, ", ");
    mlirAttributePrint(space, berthTextCallback, text);
  }
  berthTextAppend(text, ">\n");
}

/// By lowering.
static const char *const loweringNames[] = {NULL, "nvvm", "rocdl", "spirv"};
static const char *const loweringTexts[] = {
    NULL, berthHeapNvvmText, berthHeapRocdlText, berthHeapSpirvText};

/// In kernels the arena is a global, too: one for all kernels of the module.
static void appendKernelArena(BerthText *text, const BerthHeapJob *job) {
  berthTextAppend(text, "memref.global \"private\" @berth_heap_arena : ");
  MlirType type = berthByteMemRef(mlirOperationGetContext(job->scope.op),
                                  berthHeapArenaBytes(job), job->scope.space);
  mlirTypePrint(type, berthTextCallback, text);
  berthTextAppend(text, " = uninitialized {alignment = %lld}\n",
                  (long long)berthHeapArenaAlignment(job));
}

static bool linksChecks(const BerthHeapJob *job) {
  return job->options->checked || !job->isKernel;
}

/// What the linked functions depend on: two scopes with the same key share
/// them.
static void appendKey(BerthText *text, const BerthHeapJob *job) {
  if (job->isDevice)
    berthTextAppend(text, "global memory, %s, %s, ",
                    loweringNames[job->lowering],
                    linksChecks(job) ? "checked" : "unchecked");
  else if (job->isKernel)
    berthTextAppend(text, "kernel, %lld bytes, %s, ",
                    (long long)berthHeapArenaBytes(job),
                    linksChecks(job) ? "checked" : "unchecked");
  appendAlias(text, job->scope.space);
}

static void appendSource(BerthText *text, const BerthHeapJob *job) {
  appendAlias(text, job->scope.space);
  berthTextAppend(text, "module {\n");
  bool isOwn = job->isKernel && !job->isDevice;
  if (isOwn)
    appendKernelArena(text, job);
  berthTextAppend(text, "%s", berthHeapText);
  berthTextAppend(text, "%s",
                  linksChecks(job) ? berthHeapCheckText
                                   : berthHeapUncheckedText);
  berthTextAppend(text, "%s", berthHeapSizeText);
  berthTextAppend(text, "%s",
                  isOwn           ? berthHeapKernelText
                  : job->isDevice ? berthHeapDeviceText
                                  : berthHeapHostText);
  berthTextAppend(text, "%s",
                  job->isDevice ? loweringTexts[job->lowering]
                                : berthHeapLockText);
  berthTextAppend(text, "}\n");
}

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

static MlirOperation symbolTableAround(MlirOperation op) {
  do
    op = mlirOperationGetParentOperation(op);
  while (!berthOpIs(op, BERTH_OP_GPU_MODULE) &&
         !berthOpIs(op, BERTH_OP_MODULE));
  return op;
}

static MlirBlock bodyOf(MlirOperation symbolTable) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(symbolTable, 0));
}

static MlirStringRef symbolName(MlirOperation op) {
  MlirAttribute name = berthAttributeOf(op, "sym_name");
  return mlirAttributeIsNull(name) ? mlirStringRefCreate("", 0)
                                   : mlirStringAttrGetValue(name);
}

static MlirOperation findSymbol(MlirBlock body, MlirStringRef name) {
  MlirOperation op = mlirBlockGetFirstOperation(body);
  while (!mlirOperationIsNull(op) && !mlirStringRefEqual(symbolName(op), name))
    op = mlirOperationGetNextInBlock(op);
  return op;
}

/// Functions and globals keep their type under different names.
static MlirAttribute symbolType(MlirOperation op) {
  MlirAttribute type = berthAttributeOf(op, "function_type");
  return mlirAttributeIsNull(type) ? berthAttributeOf(op, "type") : type;
}

static bool isDeclaration(MlirOperation op) {
  return berthOpIs(op, BERTH_OP_FUNCTION) && berthFunctionIsUnseen(op);
}

/// Only a declaration with the right type may be replaced.
static BerthStatus checkSymbol(MlirOperation ours, MlirOperation theirs,
                               BerthError *error) {
  if (isDeclaration(theirs) &&
      mlirAttributeEqual(symbolType(ours), symbolType(theirs)))
    return BERTH_SUCCESS;
  MlirStringRef name = symbolName(ours);
  return berthErrorSet(error, BERTH_INVALID,
                       "the module already %s @%.*s, which the heap needs for "
                       "itself",
                       isDeclaration(theirs) ? "declares another" : "defines",
                       (int)name.length, name.data);
}

static BerthStatus checkSymbols(MlirBlock source, MlirBlock target,
                                BerthError *error) {
  BerthStatus status = BERTH_SUCCESS;
  for (MlirOperation op = mlirBlockGetFirstOperation(source);
       !mlirOperationIsNull(op) && status == BERTH_SUCCESS;
       op = mlirOperationGetNextInBlock(op)) {
    MlirOperation existing = findSymbol(target, symbolName(op));
    if (!mlirOperationIsNull(existing))
      status = checkSymbol(op, existing, error);
  }
  return status;
}

/// Nobody outside calls these functions: LLVM may inline and drop them.
static void markLinked(MlirOperation op, MlirAttribute key) {
  MlirContext context = mlirOperationGetContext(op);
  berthSetAttribute(op, linkedMark, key);
  if (!berthOpIs(op, BERTH_OP_FUNCTION))
    return;
  MlirStringRef internal =
      mlirStringRefCreateFromCString("#llvm.linkage<internal>");
  berthSetAttribute(op, "llvm.linkage",
                    mlirAttributeParseGet(context, internal));
  berthSetAttribute(
      op, "sym_visibility",
      mlirStringAttrGet(context, mlirStringRefCreateFromCString("private")));
}

static void moveSymbol(MlirOperation op, MlirBlock target, MlirAttribute key) {
  MlirOperation declaration = findSymbol(target, symbolName(op));
  if (!mlirOperationIsNull(declaration))
    mlirOperationDestroy(declaration);
  mlirOperationRemoveFromParent(op);
  // A gpu.module ended with an op of its own before MLIR 20.
  mlirBlockInsertOwnedOperationBefore(target, mlirBlockGetTerminator(target),
                                      op);
  markLinked(op, key);
}

/// The key of the heap that the module has already; null if it has none.
static MlirAttribute linkedKey(MlirBlock target) {
  MlirStringRef name = mlirStringRefCreateFromCString("berth_heap_take");
  MlirOperation op = findSymbol(target, name);
  return mlirOperationIsNull(op) ? mlirAttributeGetNull()
                                 : berthAttributeOf(op, linkedMark);
}

static MlirAttribute keyOf(const BerthHeapJob *job) {
  BerthText text = {0};
  appendKey(&text, job);
  // Without the alias's line end.
  MlirAttribute key =
      mlirStringAttrGet(mlirOperationGetContext(job->scope.op),
                        mlirStringRefCreate(text.data, text.length - 1));
  berthTextFree(&text);
  return key;
}

static BerthStatus differentHeap(MlirAttribute theirs, MlirAttribute ours,
                                 BerthError *error) {
  MlirStringRef there = mlirStringAttrGetValue(theirs);
  MlirStringRef here = mlirStringAttrGetValue(ours);
  return berthErrorSet(error, BERTH_INVALID,
                       "the module has a heap of another kind already: '%.*s', "
                       "not '%.*s'",
                       (int)there.length, there.data, (int)here.length,
                       here.data);
}

static BerthStatus parseAndMove(const BerthHeapJob *job, MlirBlock target,
                                MlirAttribute key, BerthError *error) {
  BerthText text = {0};
  appendSource(&text, job);
  MlirOperation module = mlirOperationCreateParse(
      mlirOperationGetContext(job->scope.op),
      mlirStringRefCreate(text.data, text.length),
      mlirStringRefCreateFromCString("berth-heap.mlir"));
  berthTextFree(&text);
  if (mlirOperationIsNull(module))
    return berthErrorSet(error, BERTH_INTERNAL,
                         "the heap's own functions do not parse");
  MlirBlock source = bodyOf(module);
  BerthStatus status = checkSymbols(source, target, error);
  MlirOperation op = mlirBlockGetFirstOperation(source);
  while (status == BERTH_SUCCESS && !mlirOperationIsNull(op)) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    moveSymbol(op, target, key);
    op = next;
  }
  mlirOperationDestroy(module);
  return status;
}

BerthStatus berthHeapLink(const BerthHeapJob *job, BerthError *error) {
  MlirBlock target = bodyOf(symbolTableAround(job->scope.op));
  MlirAttribute key = keyOf(job);
  MlirAttribute linked = linkedKey(target);
  if (mlirAttributeIsNull(linked))
    return parseAndMove(job, target, key, error);
  return mlirAttributeEqual(linked, key) ? BERTH_SUCCESS
                                         : differentHeap(linked, key, error);
}

/// Kernels for SPIR-V call none of them any more.
static bool isOfSpirv(MlirAttribute key) {
  MlirStringRef text = mlirStringAttrGetValue(key);
  static const char mark[] = "global memory, spirv,";
  return text.length > sizeof mark &&
         strncmp(text.data, mark, sizeof mark - 1) == 0;
}

MlirOperation berthHeapFindLinked(MlirOperation call) {
  MlirAttribute callee = berthAttributeOf(call, "callee");
  MlirOperation function = findSymbol(bodyOf(symbolTableAround(call)),
                                      mlirFlatSymbolRefAttrGetValue(callee));
  bool isOurs = !mlirOperationIsNull(function) && berthHeapIsLinked(function);
  return isOurs ? function : (MlirOperation){NULL};
}

void berthHeapUnlinkInlined(MlirOperation scope) {
  MlirOperation op =
      mlirBlockGetFirstOperation(bodyOf(symbolTableAround(scope)));
  while (!mlirOperationIsNull(op)) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    if (berthHeapIsLinked(op) && isOfSpirv(berthAttributeOf(op, linkedMark)))
      mlirOperationDestroy(op);
    op = next;
  }
}

/// A declaration of the function that opens heaps; null if there is none.
static MlirOperation findDeclaredOpen(MlirOperation module) {
  MlirStringRef name = mlirStringRefCreateFromCString("berth_heap_open");
  MlirOperation op = findSymbol(bodyOf(module), name);
  bool found = !mlirOperationIsNull(op) && isDeclaration(op);
  return found ? op : (MlirOperation){NULL};
}

BerthStatus berthHeapLinkDeclared(MlirOperation module,
                                  const BerthHeapOptions *options,
                                  BerthError *error) {
  BerthHeapJob job = {.options = options};
  job.scope.op = findDeclaredOpen(module);
  if (mlirOperationIsNull(job.scope.op))
    return BERTH_SUCCESS;
  job.scope.space = options->collect.space;
  return berthHeapLink(&job, error);
}
