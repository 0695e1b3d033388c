//===- LoopNames.c - The loops whose turns begin buffers anew -------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Rewrite/LoopNames.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Build.h"
#include "IR/Ops/OrDie.h"
#include "mlir-c/BuiltinAttributes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static MlirAttribute loopName(MlirOperation op) {
  MlirAttribute name = berthAttributeOf(op, BERTH_LOOP);
  bool isName = !mlirAttributeIsNull(name) && mlirAttributeIsAString(name);
  return isName ? name : (MlirAttribute){NULL};
}

/// The innermost loop around the op in the scope; null if there is none.
static MlirOperation loopAround(MlirOperation op, MlirOperation scope) {
  do
    op = mlirOperationGetParentOperation(op);
  while (!mlirOperationEqual(op, scope) && !berthOpIsLoop(op));
  return mlirOperationEqual(op, scope) ? (MlirOperation){NULL} : op;
}

static MlirWalkResult noteNumber(MlirOperation op, void *userData) {
  int64_t *next = userData;
  MlirAttribute name = loopName(op);
  if (mlirAttributeIsNull(name))
    return MlirWalkResultAdvance;
  MlirStringRef text = mlirStringAttrGetValue(name);
  size_t start = text.length;
  while (start > 0 && text.data[start - 1] >= '0' &&
         text.data[start - 1] <= '9')
    --start;
  int64_t number = 0;
  for (size_t i = start; i < text.length && number < INT64_MAX / 16; ++i)
    number = 10 * number + (text.data[i] - '0');
  *next = number >= *next ? number + 1 : *next;
  return MlirWalkResultAdvance;
}

/// The innermost op with a symbol that is the scope or around it, or the
/// outermost one there.
static MlirOperation functionAround(MlirOperation scope) {
  MlirOperation parent = mlirOperationGetParentOperation(scope);
  while (mlirAttributeIsNull(berthAttributeOf(scope, "sym_name")) &&
         !mlirOperationIsNull(parent)) {
    scope = parent;
    parent = mlirOperationGetParentOperation(scope);
  }
  return scope;
}

/// One that no loop of the function has, nor one of a function that may be
/// inlined there: its own name, and a number.
static MlirAttribute newName(BerthLoopNames *names) {
  enum { kMostDigits = 24 };
  MlirOperation function = functionAround(names->scope);
  if (names->next == 0) {
    names->next = 1;
    mlirOperationWalk(function, noteNumber, &names->next, MlirWalkPreOrder);
  }
  MlirAttribute symbol = berthAttributeOf(function, "sym_name");
  MlirStringRef of = {"", 0};
  if (!mlirAttributeIsNull(symbol) && mlirAttributeIsAString(symbol))
    of = mlirStringAttrGetValue(symbol);
  char *text = berthAllocateOrDie(of.length + kMostDigits, 1);
  memcpy(text, of.data, of.length);
  snprintf(text + of.length, kMostDigits, ":%" PRId64, names->next++);
  MlirAttribute name = mlirStringAttrGet(mlirOperationGetContext(function),
                                         mlirStringRefCreateFromCString(text));
  free(text);
  return name;
}

void berthNameLoopOf(BerthLoopNames *names, MlirOperation view) {
  MlirOperation loop = loopAround(view, names->scope);
  if (mlirOperationIsNull(loop) || !mlirAttributeIsNull(loopName(view)))
    return;
  MlirAttribute name = loopName(loop);
  if (mlirAttributeIsNull(name)) {
    name = newName(names);
    berthSetAttribute(loop, BERTH_LOOP, name);
  }
  berthSetAttribute(view, BERTH_LOOP, name);
}
