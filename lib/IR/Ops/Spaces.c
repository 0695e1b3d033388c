//===- Spaces.c - Which memory space a text means -------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Ops/Spaces.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Diagnostics.h"

#include <ctype.h>

static bool isText(MlirStringRef text, const char *other) {
  return mlirStringRefEqual(text, mlirStringRefCreateFromCString(other));
}

/// A name is never parsed: `none` and `i32` are types.
static bool isName(MlirStringRef text) {
  for (size_t i = 0; i < text.length; ++i) {
    unsigned char c = (unsigned char)text.data[i];
    if (c != '_' && !isalpha(c) && (i == 0 || !isdigit(c)))
      return false;
  }
  return true;
}

static _Thread_local bool isParsing;

/// Swallows the parser's own diagnostics: ours name the option. Those of other
/// threads, which have this handler too, go on to the next.
static MlirLogicalResult swallow(MlirDiagnostic diagnostic, void *userData) {
  (void)diagnostic;
  (void)userData;
  return isParsing ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}

static MlirAttribute parse(MlirContext context, MlirStringRef text) {
  MlirDiagnosticHandlerID handler =
      mlirContextAttachDiagnosticHandler(context, swallow, NULL, NULL);
  isParsing = true;
  MlirAttribute attribute = mlirAttributeParseGet(context, text);
  isParsing = false;
  mlirContextDetachDiagnosticHandler(context, handler);
  return attribute;
}

/// Most spaces are, and conditions ask of many ops.
static bool isNumber(MlirStringRef text, int64_t *number) {
  *number = 0;
  for (size_t i = 0; i < text.length; ++i) {
    if (!isdigit((unsigned char)text.data[i]))
      return false;
    *number = *number * 10 + (text.data[i] - '0');
  }
  return text.length > 0;
}

bool berthSpaceOfText(MlirContext context, MlirStringRef text,
                      MlirAttribute *space) {
  *space = mlirAttributeGetNull();
  if (isText(text, "default"))
    return true;
  // The short names of the spaces that GPUs have.
  if (isText(text, "workgroup"))
    text = mlirStringRefCreateFromCString("#gpu.address_space<workgroup>");
  else if (isText(text, "private"))
    text = mlirStringRefCreateFromCString("#gpu.address_space<private>");
  else if (isText(text, "tensor"))
    text = mlirStringRefCreateFromCString("#nvvm.memory_space<tensor>");
  int64_t number;
  if (text.length < 18 && isNumber(text, &number))
    *space = mlirIntegerAttrGet(mlirIntegerTypeGet(context, 64), number);
  else if (!isName(text))
    *space = parse(context, text);
  bool isParsed = !mlirAttributeIsNull(*space);
  if (!isParsed)
    *space = mlirStringAttrGet(context, text);
  // Types of space 0 are printed, and kept, without any.
  else if (mlirAttributeIsAInteger(*space) &&
           mlirIntegerAttrGetValueInt(*space) == 0)
    *space = mlirAttributeGetNull();
  return isParsed;
}

MlirAttribute berthSpaceNamedBy(MlirAttribute name) {
  MlirAttribute space = name;
  if (!mlirAttributeIsNull(name) && mlirAttributeIsAString(name))
    berthSpaceOfText(mlirAttributeGetContext(name),
                     mlirStringAttrGetValue(name), &space);
  return space;
}

bool berthAttributeMayBeSpace(MlirAttribute attribute) {
  MlirStringRef dialect =
      mlirDialectGetNamespace(mlirAttributeGetDialect(attribute));
  return !isText(dialect, "builtin") || mlirAttributeIsAOpaque(attribute) ||
         mlirAttributeIsAString(attribute) ||
         mlirAttributeIsADictionary(attribute) ||
         (mlirAttributeIsAInteger(attribute) &&
          !mlirAttributeIsABool(attribute));
}

bool berthSpaceIs(MlirContext context, MlirAttribute space, const char *text) {
  MlirAttribute meant;
  berthSpaceOfText(context, mlirStringRefCreateFromCString(text), &meant);
  return mlirAttributeEqual(space, meant);
}
