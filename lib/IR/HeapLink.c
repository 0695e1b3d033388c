//===- HeapLink.c - The heap's functions, linked into a module
//-------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parses the embedded text for the scope's memory space and moves the symbols
// into the module (or gpu.module) around the scope. What an earlier scope has
// brought there already is used again; a declaration of the user's, to call the
// heap by himself, is replaced; anything else by the same name is an error, and
// then nothing is moved.
//
//===----------------------------------------------------------------------===//

#include "IR/HeapJob.h"

#include "Heap/HeapText.h"
#include "IR/Build.h"
#include "IR/OpTable.h"
#include "IR/Text.h"

/// Marks what this file has put into a module.
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

/// In kernels the arena is a global, too: one for all kernels of the module.
static void appendKernelArena(BerthText *text, const BerthHeapJob *job) {
  berthTextAppend(text, "memref.global \"private\" @berth_heap_arena : ");
  MlirType type = berthByteMemRef(mlirOperationGetContext(job->scope.op),
                                  berthHeapArenaBytes(job), job->scope.space);
  mlirTypePrint(type, berthTextCallback, text);
  berthTextAppend(text, " = uninitialized {alignment = %lld}\n",
                  (long long)berthHeapArenaAlignment(job));
}

static void appendSource(BerthText *text, const BerthHeapJob *job) {
  bool checks = job->options->checked || !job->isKernel;
  appendAlias(text, job->scope.space);
  berthTextAppend(text, "module {\n");
  if (job->isKernel)
    appendKernelArena(text, job);
  berthTextAppend(text, "%s", berthHeapText);
  berthTextAppend(text, "%s",
                  checks ? berthHeapCheckText : berthHeapUncheckedText);
  berthTextAppend(text, "%s", berthHeapSizeText);
  berthTextAppend(text, "%s",
                  job->isKernel ? berthHeapKernelText : berthHeapHostText);
  berthTextAppend(text, "}\n");
}

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

static MlirOperation symbolTableAround(MlirOperation op) {
  do
    op = mlirOperationGetParentOperation(op);
  while (!berthOpIsNamed(op, "gpu.module") &&
         !berthOpIsNamed(op, "builtin.module"));
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
  return berthOpIsNamed(op, "func.func") &&
         mlirBlockIsNull(
             mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0)));
}

static BerthStatus checkSymbol(MlirOperation ours, MlirOperation theirs,
                               BerthError *error) {
  MlirStringRef name = symbolName(ours);
  if (!berthHeapIsLinked(theirs) && !isDeclaration(theirs))
    return berthErrorSet(error, BERTH_INVALID,
                         "the module already defines @%.*s, which the heap "
                         "needs for itself",
                         (int)name.length, name.data);
  if (!mlirAttributeEqual(symbolType(ours), symbolType(theirs)))
    return berthErrorSet(error, BERTH_INVALID,
                         "the module already has @%.*s of another type: a "
                         "heap of another size or in another memory space",
                         (int)name.length, name.data);
  const char *unchecked = "berth.unchecked";
  if (mlirAttributeIsNull(berthAttributeOf(ours, unchecked)) &&
      !mlirAttributeIsNull(berthAttributeOf(theirs, unchecked)))
    return berthErrorSet(error, BERTH_INVALID,
                         "the module already has an unchecked heap");
  return BERTH_SUCCESS;
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
static void markLinked(MlirOperation op) {
  MlirContext context = mlirOperationGetContext(op);
  berthSetAttribute(op, linkedMark, mlirUnitAttrGet(context));
  if (!berthOpIsNamed(op, "func.func"))
    return;
  MlirStringRef internal =
      mlirStringRefCreateFromCString("#llvm.linkage<internal>");
  berthSetAttribute(op, "llvm.linkage",
                    mlirAttributeParseGet(context, internal));
  berthSetAttribute(
      op, "sym_visibility",
      mlirStringAttrGet(context, mlirStringRefCreateFromCString("private")));
}

static void moveSymbol(MlirOperation op, MlirBlock target) {
  MlirOperation existing = findSymbol(target, symbolName(op));
  if (!mlirOperationIsNull(existing)) {
    if (berthHeapIsLinked(existing))
      return;
    mlirOperationDestroy(existing);
  }
  mlirOperationRemoveFromParent(op);
  mlirBlockAppendOwnedOperation(target, op);
  markLinked(op);
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

BerthStatus berthHeapLink(const BerthHeapJob *job, BerthError *error) {
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
  MlirBlock target = bodyOf(symbolTableAround(job->scope.op));
  BerthStatus status = checkSymbols(source, target, error);
  MlirOperation op = mlirBlockGetFirstOperation(source);
  while (status == BERTH_SUCCESS && !mlirOperationIsNull(op)) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    moveSymbol(op, target);
    op = next;
  }
  mlirOperationDestroy(module);
  return status;
}
