//===- FactsMemory.cpp - Memory effects and views ---------------*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What MemoryEffectOpInterface and ViewLikeOpInterface say, as the C functions
// of IR/Facts/Facts.h.
//
//===----------------------------------------------------------------------===//

#include "IR/Facts/Facts.h"
#include "MLIR/Facts/Versions.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

static int effectKind(const MemoryEffects::EffectInstance &effect) {
  if (isa<MemoryEffects::Read>(effect.getEffect()))
    return BERTH_EFFECT_READ;
  if (isa<MemoryEffects::Write>(effect.getEffect()))
    return BERTH_EFFECT_WRITE;
  if (isa<MemoryEffects::Allocate>(effect.getEffect()))
    return BERTH_EFFECT_ALLOCATE;
  if (isa<MemoryEffects::Free>(effect.getEffect()))
    return BERTH_EFFECT_FREE;
  return BERTH_EFFECT_READ | BERTH_EFFECT_WRITE;
}

bool berthInterfaceGetEffects(MlirOperation cOp, BerthEffectCallback callback,
                              void *userData) {
  Operation *op = unwrap(cOp);
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface)
    return false;
  SmallVector<MemoryEffects::EffectInstance, 8> effects; // no allocation
  interface.getEffects(effects);
  for (const MemoryEffects::EffectInstance &effect : effects)
    callback({effectKind(effect), wrap(effect.getValue())}, userData);
  for (OpOperand &operand : op->getOpOperands()) {
    int untold = berth::untoldEffects(operand);
    for (int kind = BERTH_EFFECT_READ; kind <= BERTH_EFFECT_WRITE; kind <<= 1)
      if (untold & kind)
        callback({kind, wrap(operand.get())}, userData);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Descriptors
//===----------------------------------------------------------------------===//

/// Two pointers and numbers; the first pointer is what was allocated.
static bool isDescriptor(Type type) {
  auto fields = dyn_cast<LLVM::LLVMStructType>(type);
  if (!fields || fields.isOpaque() || fields.getBody().size() < 3)
    return false;
  ArrayRef<Type> body = fields.getBody();
  return isa<LLVM::LLVMPointerType>(body[0]) &&
         isa<LLVM::LLVMPointerType>(body[1]) && isa<IntegerType>(body[2]);
}

/// True if the path into a struct or array leads to such a pointer.
static bool leadsToAllocated(Type type, ArrayRef<int64_t> path) {
  for (int64_t index : path.drop_back()) {
    if (auto fields = dyn_cast<LLVM::LLVMStructType>(type))
      type = fields.getBody()[static_cast<size_t>(index)];
    else if (auto array = dyn_cast<LLVM::LLVMArrayType>(type))
      type = array.getElementType();
  }
  return !path.empty() && path.back() == 0 && isDescriptor(type);
}

/// True if the op takes such a pointer out of its first operand or puts it in.
/// By name: the header with the ops' classes takes seconds to compile.
static bool touchesAllocated(Operation *op, StringRef name) {
  auto position = op->getAttrOfType<DenseI64ArrayAttr>("position");
  return position && op->getName().getStringRef() == name &&
         leadsToAllocated(op->getOperand(0).getType(), position);
}

static bool isMadeDescriptorOnly(Value pointer) {
  return llvm::all_of(pointer.getUses(), [](OpOperand &use) {
    return use.getOperandNumber() == 1 &&
           touchesAllocated(use.getOwner(), "llvm.insertvalue");
  });
}

bool berthOpUsesAllocatedPointer(MlirOperation cOp) {
  Operation *op = unwrap(cOp);
  if (touchesAllocated(op, "llvm.extractvalue"))
    return !isMadeDescriptorOnly(op->getResult(0));
  auto cast = dyn_cast<UnrealizedConversionCastOp>(op);
  if (!cast || cast.getInputs().size() != 1)
    return false;
  Type source = cast.getInputs()[0].getType();
  bool isToMemRef = isa<BaseMemRefType>(cast.getResult(0).getType());
  if (isa<UnrankedMemRefType>(source))
    return !isToMemRef;
  return isa<MemRefType>(source) && cast.getNumResults() > 2 &&
         !cast.getResult(0).use_empty();
}

MlirValue berthViewGetSource(MlirOperation op) {
  if (auto view = dyn_cast<ViewLikeOpInterface>(unwrap(op)))
    return wrap(view.getViewSource());
  return wrap(Value());
}

/// True if the static byte extents of both types are equal and known.
static bool sameStaticExtent(MemRefType source, MemRefType result) {
  return source.hasStaticShape() && result.hasStaticShape() &&
         source.getElementType() == result.getElementType() &&
         source.getNumElements() == result.getNumElements();
}

/// Row behind row, however the layout spells it (strided<[8, 1]>).
static bool isDense(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset, next = 1;
  if (type.getLayout().isIdentity())
    return true;
  if (!type.hasStaticShape() ||
      failed(berth::getStridesAndOffset(type, strides, offset)) || offset != 0)
    return false;
  for (int64_t d = type.getRank(); d-- > 0; next *= type.getDimSize(d))
    if (strides[d] != next)
      return false;
  return true;
}

/// A reinterpret_cast that starts at offset 0 and addresses all elements of an
/// identity-layout source densely.
static bool isWholeReinterpretCast(memref::ReinterpretCastOp cast) {
  auto source = dyn_cast<MemRefType>(cast.getSource().getType());
  MemRefType result = cast.getType();
  return source && source.getLayout().isIdentity() && isDense(result) &&
         sameStaticExtent(source, result);
}

/// A subview that keeps every element: its static sizes are the source's. Then
/// its offsets must be 0 and its strides 1, or it would leave the source.
static bool isWholeSubView(memref::SubViewOp view) {
  MemRefType source = view.getSourceType();
  return source.hasStaticShape() &&
         ArrayRef<int64_t>(view.getStaticSizes()) == source.getShape() &&
         llvm::all_of(view.getStaticOffsets(),
                      [](int64_t offset) { return offset == 0; }) &&
         llvm::all_of(view.getStaticStrides(),
                      [](int64_t stride) { return stride == 1; });
}

/// A byte view that starts at 0 and is as long as its source.
static bool isWholeByteView(memref::ViewOp view) {
  MemRefType source = view.getSource().getType();
  MemRefType result = view.getType();
  if (!source.hasStaticShape() || !result.hasStaticShape() ||
      getConstantIntValue(view.getByteShift()) != int64_t(0) ||
      !result.getElementType().isIntOrFloat())
    return false;
  unsigned bits = result.getElementTypeBitWidth();
  return bits % 8 == 0 &&
         result.getNumElements() * (bits / 8) == source.getNumElements();
}

bool berthViewIsWhole(MlirOperation cOp) {
  Operation *op = unwrap(cOp);
  if (isa<memref::CastOp, memref::MemorySpaceCastOp, memref::TransposeOp,
          memref::CollapseShapeOp, memref::ExpandShapeOp,
          memref::AssumeAlignmentOp>(op))
    return true;
  if (auto cast = dyn_cast<memref::ReinterpretCastOp>(op))
    return isWholeReinterpretCast(cast);
  if (auto view = dyn_cast<memref::SubViewOp>(op))
    return isWholeSubView(view);
  if (auto view = dyn_cast<memref::ViewOp>(op))
    return isWholeByteView(view);
  return false;
}

bool berthOpResultsAreShapes(MlirOperation op) {
  return isa<memref::DimOp, memref::RankOp, memref::ExtractStridedMetadataOp>(
      unwrap(op));
}

static bool hasArgumentAttribute(BlockArgument argument, StringRef name) {
  auto function =
      dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
  return function && argument.getOwner()->isEntryBlock() &&
         argument.getArgNumber() < function.getNumArguments() &&
         function.getArgAttr(argument.getArgNumber(), name);
}

bool berthMemoryIsConstant(MlirValue cValue) {
  Value value = unwrap(cValue);
  if (auto argument = dyn_cast<BlockArgument>(value))
    return hasArgumentAttribute(argument, "llvm.noalias") &&
           hasArgumentAttribute(argument, "llvm.readonly");
  auto get = value.getDefiningOp<memref::GetGlobalOp>();
  if (!get)
    return false;
  auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
      get, get.getNameAttr());
  return global && global.getConstant();
}

bool berthOpIsConstant(MlirOperation cOp) {
  Operation *op = unwrap(cOp);
  if (op->getNumOperands() || op->getNumRegions() || op->getNumSuccessors() ||
      op->getNumResults() != 1 || !isMemoryEffectFree(op))
    return false;
  // Folding may change an op in place.
  Operation *copy = op->clone();
  SmallVector<OpFoldResult> folded;
  bool isFolded = succeeded(copy->fold({}, folded)) && folded.size() == 1;
  copy->erase();
  Attribute value =
      isFolded ? dyn_cast<Attribute>(folded.front()) : Attribute();
  // Not of ub.poison, which may be another value wherever it is used.
  return isa_and_nonnull<IntegerAttr, FloatAttr, ElementsAttr, ArrayAttr>(
      value);
}

static bool mayCarryPointer(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return mayCarryPointer(vector.getElementType());
  if (auto complex = dyn_cast<ComplexType>(type))
    return mayCarryPointer(complex.getElementType());
  return !isa<IntegerType, FloatType, IndexType, NoneType>(type);
}

bool berthTypeMayCarryPointer(MlirType type) {
  return mayCarryPointer(unwrap(type));
}
