//===- FactsAttributes.cpp - Attributes of ops ------------------*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Facts/Facts.h"

#include "mlir/CAPI/IR.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OperationSupport.h"

using namespace mlir;

/// What stands in front of an op of no known dialect in `<{...}>` is its
/// property; nobody can tell that apart from its attributes. MLIR's own list of
/// all attributes leaves it out.
MlirAttribute berthOpGetOwnAttributes(MlirOperation cOp) {
  Operation *op = unwrap(cOp);
  DictionaryAttr attributes = op->getRawDictionaryAttrs();
  auto properties =
      op->isRegistered()
          ? DictionaryAttr()
          : dyn_cast_or_null<DictionaryAttr>(op->getPropertiesAsAttribute());
  if (!properties || properties.empty())
    return wrap(attributes);
  NamedAttrList all(attributes);
  for (NamedAttribute property : properties)
    if (!attributes.get(property.getName()))
      all.append(property);
  return wrap(all.getDictionary(op->getContext()));
}
