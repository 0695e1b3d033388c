//===- Fragments.c - Matrices that subgroups take together ----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Ops/Fragments.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/Text.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <string.h>

static MlirType matrixOf(MlirOperation op) {
  return berthOpIs(op, BERTH_OP_FRAGMENT_LOAD)
             ? mlirValueGetType(mlirOperationGetResult(op, 0))
             : mlirValueGetType(mlirOperationGetOperand(op, 0));
}

static unsigned bitsOf(MlirType type) {
  if (mlirTypeIsAInteger(type))
    return mlirIntegerTypeGetWidth(type);
  return mlirTypeIsAFloat(type) ? mlirFloatTypeGetWidth(type) : 0;
}

/// No interface tells the shape of a fragment, so its type's text does:
/// `<ROWSxCOLUMNSxELEMENT, "COp">`.
static bool readShape(MlirType type, BerthFragmentAccess *access,
                      int64_t *bits) {
  BerthText text = {0};
  berthTextAppendType(&text, type);
  const char *next = text.data ? strchr(text.data, '<') : NULL;
  bool isKnown = next && (++next, berthTextTakeNumber(&next, &access->rows)) &&
                 *next++ == 'x' &&
                 berthTextTakeNumber(&next, &access->columns) && *next++ == 'x';
  // f16, i32, si8
  while (isKnown && *next >= 'a' && *next <= 'z')
    ++next;
  isKnown = isKnown && berthTextTakeNumber(&next, bits) && *next == ',';
  berthTextFree(&text);
  return isKnown;
}

bool berthFragmentIs(MlirOperation op, const char *role) {
  BerthText text = {0};
  berthTextAppendType(&text, matrixOf(op));
  const char *comma = text.data ? strchr(text.data, ',') : NULL;
  bool is = comma && strstr(comma, role) != NULL;
  berthTextFree(&text);
  return is;
}

bool berthFragmentGetAccess(MlirOperation op, BerthFragmentAccess *access) {
  MlirAttribute lead = berthAttributeOf(op, "leadDimension");
  int64_t bits;
  bool isLoad = berthOpIs(op, BERTH_OP_FRAGMENT_LOAD);
  if ((!isLoad && !berthOpIs(op, BERTH_OP_FRAGMENT_STORE)) ||
      mlirAttributeIsNull(lead) || !mlirAttributeIsAInteger(lead))
    return false;
  *access = (BerthFragmentAccess){
      .memref = isLoad ? 0 : 1,
      .firstIndex = isLoad ? 1 : 2,
      .isWrite = !isLoad,
      .isTransposed = !mlirAttributeIsNull(berthAttributeOf(op, "transpose")),
      .lead = mlirIntegerAttrGetValueInt(lead)};
  MlirType memref =
      mlirValueGetType(mlirOperationGetOperand(op, access->memref));
  return mlirTypeIsAMemRef(memref) && access->lead >= 0 &&
         readShape(matrixOf(op), access, &bits) &&
         bits == bitsOf(mlirShapedTypeGetElementType(memref)) && bits % 8 == 0;
}
