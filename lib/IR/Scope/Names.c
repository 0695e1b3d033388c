//===- Names.c - What buffers and scopes are called -----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Scope/Names.h"
#include "IR/Ops/Build.h"
#include "mlir-c/BuiltinAttributes.h"

void berthNameBuffer(const BerthBufferInfo *buffer, MlirAttribute space,
                     MlirAsmState state, BerthText *name, BerthText *type) {
  if (mlirOperationIsNull(buffer->callee)) {
    berthTextAppendValue(name, buffer->value, state);
    berthTextAppendType(type, mlirValueGetType(buffer->value));
    return;
  }
  berthTextAppendCallee(name, buffer->callee);
  berthTextAppendType(type,
                      berthByteMemRef(mlirOperationGetContext(buffer->callee),
                                      buffer->size, space));
}

void berthNameSegment(const BerthPoints *points, BerthSegment segment,
                      BerthText *text) {
  berthTextAppendOp(text, points->opAt[segment.lower]);
  if (segment.upper - segment.lower > 1) {
    berthTextAppend(text, " .. ");
    berthTextAppendOp(text, points->opAt[segment.upper - 1]);
  }
}

void berthNameScope(const BerthScope *scope, BerthText *name) {
  MlirAttribute symbol = berthAttributeOf(scope->op, "sym_name");
  if (mlirAttributeIsNull(symbol) || !mlirAttributeIsAString(symbol)) {
    berthTextAppendOp(name, scope->op);
    return;
  }
  MlirStringRef string = mlirStringAttrGetValue(symbol);
  berthTextAppendBytes(name, string.data, string.length);
}

void berthNameSpace(const BerthScope *scope, BerthText *name) {
  if (mlirAttributeIsNull(scope->space))
    berthTextAppend(name, "default");
  else
    mlirAttributePrint(scope->space, berthTextCallback, name);
}
