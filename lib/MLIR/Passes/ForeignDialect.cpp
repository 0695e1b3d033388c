//===- ForeignDialect.cpp - Dialects known by name only ---------*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A parser takes an attribute for a memref's layout only if it implements the
// layout interface, so a layout of an unknown dialect does not even parse. Here
// each namespace of a target description gets a dialect whose layouts implement
// it and keep their text. What else the dialect has is opaque, as MLIR keeps
// what it does not know.
//
//===----------------------------------------------------------------------===//

#include "ForeignDialect.h"

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringExtras.h"

#include <deque>
#include <mutex>

using namespace mlir;

namespace {

struct TextStorage : AttributeStorage {
  using KeyTy = StringRef;
  explicit TextStorage(StringRef text) : text(text) {}
  bool operator==(StringRef other) const { return text == other; }
  static TextStorage *construct(AttributeStorageAllocator &allocator,
                                StringRef text) {
    return new (allocator.allocate<TextStorage>())
        TextStorage(allocator.copyInto(text));
  }
  StringRef text; ///< as it stands behind `#namespace.`
};

/// The end of what an attribute class is called in its dialect.
constexpr StringLiteral layoutSuffix = ".berth_foreign_layout";
constexpr StringLiteral otherSuffix = ".berth_foreign_attribute";

bool isOfClass(Attribute attribute, StringRef suffix) {
  return attribute.getAbstractAttribute().getName().ends_with(suffix);
}

/// What is no layout: a memory space, say, for which MLIR's own opaque
/// attributes are not taken.
class ForeignAttribute
    : public Attribute::AttrBase<ForeignAttribute, Attribute, TextStorage> {
public:
  using Base::Base;
  static constexpr StringLiteral name = "foreign_attribute";
  static bool classof(Attribute attribute) {
    return isOfClass(attribute, otherSuffix);
  }
  StringRef getText() const { return getImpl()->text; }
};

/// One C++ class for the layouts of all foreign dialects, each of which
/// registers it under a type id of its own.
class ForeignLayout
    : public Attribute::AttrBase<ForeignLayout, Attribute, TextStorage,
                                 MemRefLayoutAttrInterface::Trait> {
public:
  using Base::Base;
  static constexpr StringLiteral name = "foreign_layout";

  static bool classof(Attribute attribute) {
    return isOfClass(attribute, layoutSuffix);
  }
  StringRef getText() const { return getImpl()->text; }

  /// No map that means anything: where bytes lie is not known. It must not be
  /// one that a pass could take for a plain layout (identity, strided) and
  /// drop: a product of dimensions is neither.
  AffineMap getAffineMap() const {
    MLIRContext *context = getContext();
    return AffineMap::get(
        2, 0, getAffineDimExpr(0, context) * getAffineDimExpr(1, context));
  }
  bool isIdentity() const { return false; }
  LogicalResult verifyLayout(ArrayRef<int64_t>,
                             function_ref<InFlightDiagnostic()>) const {
    return success();
  }
  LogicalResult getStridesAndOffset(ArrayRef<int64_t>,
                                    SmallVectorImpl<int64_t> &,
                                    int64_t &) const {
    return failure();
  }
};

/// What one dialect needs besides its name: type ids and names of its own. They
/// and the description live as long as the process, like all that registries
/// refer to.
struct Ids {
  SelfOwningTypeID dialect;
  SelfOwningTypeID layout;
  SelfOwningTypeID other;
  std::string layoutName;
  std::string otherName;
};

class ForeignDialect : public Dialect {
public:
  ForeignDialect(StringRef name, MLIRContext *context, const Ids &ids,
                 const BerthTarget *target)
      : Dialect(name, context, ids.dialect), ids(ids), target(target) {
    allowUnknownOperations();
    allowUnknownTypes();
    addAttributeClass<ForeignLayout>(ids.layout, ids.layoutName);
    addAttributeClass<ForeignAttribute>(ids.other, ids.otherName);
  }

  Attribute parseAttribute(DialectAsmParser &parser, Type type) const override {
    StringRef text = parser.getFullSymbolSpec();
    StringRef name = text.take_while([](char c) {
      return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.';
    });
    std::string full = (getNamespace() + "." + name).str();
    if (type)
      return OpaqueAttr::get(StringAttr::get(getContext(), getNamespace()),
                             text, type);
    if (berthTargetFindLayout(target, {full.data(), full.size()}))
      return detail::AttributeUniquer::getWithTypeID<ForeignLayout>(
          getContext(), ids.layout, text);
    return detail::AttributeUniquer::getWithTypeID<ForeignAttribute>(
        getContext(), ids.other, text);
  }

  void printAttribute(Attribute attribute,
                      DialectAsmPrinter &printer) const override {
    if (auto layout = dyn_cast<ForeignLayout>(attribute))
      printer << layout.getText();
    else
      printer << cast<ForeignAttribute>(attribute).getText();
  }

private:
  template <typename Class> void addAttributeClass(TypeID id, StringRef name) {
    detail::AttributeUniquer::registerAttribute<Class>(getContext(), id);
    addAttribute(id,
                 AbstractAttribute::get(
                     *this, Class::getInterfaceMap(), Class::getHasTraitFn(),
                     Class::getWalkImmediateSubElementsFn(),
                     Class::getReplaceImmediateSubElementsFn(), id, name));
  }

  const Ids &ids;
  const BerthTarget *target;
};

} // namespace

void berth::registerForeignDialects(DialectRegistry &registry,
                                    const BerthTarget *target) {
  static std::deque<Ids> allIds;
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  for (size_t i = 0, e = berthTargetNumDialects(target); i != e; ++i) {
    StringRef name = berthTargetGetDialect(target, i);
    if (registry.getDialectAllocator(name))
      continue; // somebody links the real one
    Ids &ids = allIds.emplace_back();
    ids.layoutName = (name + layoutSuffix).str();
    ids.otherName = (name + otherSuffix).str();
    registry.insert(ids.dialect, name, [=, &ids](MLIRContext *context) {
      // As the template for static dialects does: one per context.
      return context->getOrLoadDialect(name, ids.dialect, [=, &ids] {
        return std::make_unique<ForeignDialect>(name, context, ids, target);
      });
    });
  }
}
