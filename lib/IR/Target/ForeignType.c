//===- ForeignType.c - How large a buffer of a foreign type is ------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A dense type says its shape as MLIR's own types do:
//
//   !npu.buffer<16x32xi8, L1>
//
// What stands behind the element type is not looked at. Elements are of whole
// bytes, a power of two of them: no type needs more. A shape that is not known,
// or an element that is no number, tells nothing.
//
//===----------------------------------------------------------------------===//

#include "IR/Target/ForeignType.h"
#include "IR/Target/ForeignLayout.h"
#include "IR/Target/Target.h"
#include "mlir-c/BuiltinTypes.h"

#include <string.h>

/// i8, si8, ui8, f32, bf16, f8E4M3: the number is that of the bits.
static bool takeElement(const char **text, int64_t *bytes) {
  static const char *const names[] = {"i", "si", "ui", "f", "bf"};
  int64_t bits = 0;
  for (size_t i = 0; i < sizeof names / sizeof *names && !bits; ++i) {
    const char *rest = *text + strlen(names[i]);
    if (strncmp(*text, names[i], strlen(names[i])) != 0 ||
        !berthTextTakeNumber(&rest, &bits))
      continue;
    *text = rest;
    *text += **text == 'E' ? strspn(*text, "EMFNUZS0123456789") : 0;
  }
  if (bits < 1 || bits > 1024)
    return false;
  for (*bytes = 1; *bytes * 8 < bits;)
    *bytes *= 2;
  return true;
}

/// `text` is what stands behind the type's name.
static BerthSizeResult sizeByShape(const char *text, BerthTypeSize *size) {
  int64_t extent, count = 1;
  if (*text++ != '<')
    return BERTH_SIZE_TYPE;
  while (berthTextTakeNumber(&text, &extent)) {
    if (*text++ != 'x')
      return BERTH_SIZE_TYPE;
    if (__builtin_mul_overflow(count, extent, &count))
      return BERTH_SIZE_OVERFLOW;
  }
  if (!takeElement(&text, &size->elementBytes) ||
      (*text != '>' && *text != ',' && *text != ' '))
    return BERTH_SIZE_TYPE;
  size->elementAlignment = size->elementBytes;
  return __builtin_mul_overflow(count, size->elementBytes, &size->bytes)
             ? BERTH_SIZE_OVERFLOW
             : BERTH_SIZE_OK;
}

/// By the text of a type: "!npu.buffer<...>".
static const BerthTargetType *findType(const char *text) {
  if (!text || *text != '!')
    return NULL;
  MlirStringRef name = {text + 1, strcspn(text, "<") - 1};
  return berthTargetFindType(berthTargetCurrent(), name);
}

static BerthSizeResult sizeByText(const char *text, BerthTypeSize *size) {
  const BerthTargetType *type = findType(text);
  if (!type || type->rule == BERTH_TYPE_UNKNOWN)
    return BERTH_SIZE_TYPE;
  if (type->rule == BERTH_TYPE_DENSE)
    return sizeByShape(text + strcspn(text, "<"), size);
  size->bytes = type->bytes;
  return BERTH_SIZE_OK;
}

BerthSizeResult berthForeignTypeSize(MlirType type, BerthTypeSize *size) {
  if (!berthTargetCurrent())
    return BERTH_SIZE_TYPE;
  BerthText text = {0};
  mlirTypePrint(type, berthTextCallback, &text);
  BerthSizeResult result = sizeByText(text.data, size);
  berthTextFree(&text);
  return result;
}

bool berthForeignTypeBreaksRule(MlirType type, BerthText *why) {
  BerthText text = {0};
  mlirTypePrint(type, berthTextCallback, &text);
  const BerthTargetType *found = findType(text.data);
  BerthTypeSize size;
  bool isBroken = found && found->rule == BERTH_TYPE_DENSE &&
                  sizeByText(text.data, &size) == BERTH_SIZE_TYPE;
  if (isBroken)
    berthTextAppend(why,
                    "its type %s is not dense, as the target description has "
                    "it (<16x32xi8...> expected), and no berth.size tells its "
                    "bytes",
                    text.data);
  berthTextFree(&text);
  return isBroken;
}

bool berthTypeTellsBytes(MlirType type, MlirOperation at, int64_t *bytes) {
  BerthTypeSize size = {0, 0, 1};
  BerthSizeResult result = mlirTypeIsAMemRef(type)
                               ? berthMemRefGetSize(type, at, &size)
                               : berthForeignTypeSize(type, &size);
  int64_t count;
  if (result == BERTH_SIZE_LAYOUT)
    return berthForeignLayoutCount(type, &count) &&
           !__builtin_mul_overflow(count, size.elementBytes, bytes);
  *bytes = size.bytes;
  return result == BERTH_SIZE_OK;
}
