//===- FactsAttributes.cpp - Attributes of ops ------------------*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Facts/Facts.h"

#include "mlir/CAPI/IR.h"
#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;

/// What stands in front of an op of no known dialect in `<{...}>` is its
/// property; nobody can tell that apart from its attributes.
MlirAttribute berthOpGetOwnAttributes(MlirOperation cOp) {
  Operation *op = unwrap(cOp);
  bool hasProperties = !op->isRegistered() && op->getPropertiesAsAttribute();
  return wrap(hasProperties ? op->getAttrDictionary()
                            : op->getRawDictionaryAttrs());
}
