//===- PrivateNames.c - Names for copies of functions ---------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Ops/PrivateNames.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Build.h"
#include "IR/Ops/Text.h"
#include "mlir-c/BuiltinAttributes.h"

static bool isTaken(MlirBlock block, const char *name) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    MlirAttribute other = berthAttributeOf(op, "sym_name");
    if (!mlirAttributeIsNull(other) &&
        mlirStringRefEqual(mlirStringAttrGetValue(other),
                           mlirStringRefCreateFromCString(name)))
      return true;
  }
  return false;
}

static void setString(MlirOperation op, const char *name, const char *value) {
  berthSetAttribute(op, name,
                    mlirStringAttrGet(mlirOperationGetContext(op),
                                      mlirStringRefCreateFromCString(value)));
}

void berthNamePrivately(MlirOperation copy, MlirOperation function,
                        const char *suffix) {
  MlirBlock block = mlirOperationGetBlock(function);
  MlirStringRef own =
      mlirStringAttrGetValue(berthAttributeOf(function, "sym_name"));
  BerthText name = {0};
  berthTextAppend(&name, "%.*s%s", (int)own.length, own.data, suffix);
  size_t length = name.length;
  for (int i = 0; isTaken(block, name.data); ++i) {
    name.length = length;
    berthTextAppend(&name, "_%d", i);
  }
  setString(copy, "sym_name", name.data);
  setString(copy, "sym_visibility", "private");
  mlirOperationRemoveAttributeByName(
      copy, mlirStringRefCreateFromCString(BERTH_C_INTERFACE));
  berthTextFree(&name);
}
