//===- Text.c - Names and places of the IR as text ------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Ops/Text.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/OrDie.h"
#include "mlir-c/BuiltinAttributes.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void reserve(BerthText *text, size_t more) {
  if (!berthReserve(&text->data, &text->capacity, text->length + more + 1))
    berthOrDie(NULL);
}

void berthTextAppendBytes(BerthText *text, const char *bytes, size_t length) {
  reserve(text, length);
  memcpy(text->data + text->length, bytes, length);
  text->length += length;
  text->data[text->length] = '\0';
}

void berthTextAppend(BerthText *text, const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int length = vsnprintf(NULL, 0, format, args);
  va_end(args);
  if (length > 0) {
    reserve(text, (size_t)length);
    vsnprintf(text->data + text->length, (size_t)length + 1, format, again);
    text->length += (size_t)length;
  }
  va_end(again);
}

void berthTextFree(BerthText *text) {
  free(text->data);
  *text = (BerthText){0};
}

const char *berthTextKeep(BerthMemory *memory, BerthText *text) {
  const char *copy =
      berthNewCopy(memory, text->data ? text->data : "", text->length + 1, 1);
  berthTextFree(text);
  return copy;
}

MlirAsmState berthAsmStateOf(MlirOperation op) {
  MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
  mlirOpPrintingFlagsUseLocalScope(flags);
  MlirAsmState state = mlirAsmStateCreateForOperation(op, flags);
  mlirOpPrintingFlagsDestroy(flags);
  return state;
}

bool berthTextTakeNumber(const char **text, int64_t *value) {
  if (**text < '0' || **text > '9')
    return false;
  for (*value = 0; **text >= '0' && **text <= '9'; ++*text)
    if (__builtin_mul_overflow(*value, 10, value) ||
        __builtin_add_overflow(*value, **text - '0', value))
      return false;
  return true;
}

void berthTextCallback(MlirStringRef string, void *userData) {
  berthTextAppendBytes(userData, string.data, string.length);
}

void berthTextAppendValue(BerthText *text, MlirValue value,
                          MlirAsmState state) {
  mlirValuePrintAsOperand(value, state, berthTextCallback, text);
}

void berthTextAppendType(BerthText *text, MlirType type) {
  mlirTypePrint(type, berthTextCallback, text);
}

void berthTextAppendOp(BerthText *text, MlirOperation op) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  berthTextAppendBytes(text, name.data, name.length);
  int line, column;
  berthOpGetPosition(op, &line, &column);
  if (line)
    berthTextAppend(text, " at line %d", line);
}

void berthTextAppendWhere(BerthText *text, MlirOperation op,
                          MlirOperation subject) {
  if (mlirOperationIsNull(op) || mlirOperationEqual(op, subject))
    return;
  berthTextAppend(text, " (");
  berthTextAppendOp(text, op);
  berthTextAppend(text, ")");
}

void berthTextAppendCallee(BerthText *text, MlirOperation function) {
  MlirStringRef name = mlirStringAttrGetValue(mlirOperationGetAttributeByName(
      function, mlirStringRefCreateFromCString("sym_name")));
  berthTextAppend(text, "@%.*s", (int)name.length, name.data);
}
