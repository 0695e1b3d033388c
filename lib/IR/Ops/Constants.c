//===- Constants.c - Memory that holds constants --------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Ops/Constants.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/OpTable.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

/// Where nobody comes, views may go round.
enum { kLongestChain = 64 };

/// True if a memref of the second type that views one of the first has all its
/// elements, in order.
static bool hasAll(MlirType of, MlirType type) {
  if (!mlirTypeIsAMemRef(of) || !mlirTypeIsAMemRef(type) ||
      !mlirShapedTypeHasStaticShape(of) ||
      !mlirShapedTypeHasStaticShape(type) ||
      !mlirTypeEqual(mlirShapedTypeGetElementType(of),
                     mlirShapedTypeGetElementType(type)))
    return false;
  MlirAttribute layout = mlirMemRefTypeGetLayout(type);
  if (!mlirAttributeIsAAffineMap(layout) ||
      !mlirAffineMapIsIdentity(mlirMemRefTypeGetAffineMap(type)))
    return false;
  int64_t a = 1, b = 1;
  for (intptr_t i = 0; i < mlirShapedTypeGetRank(of); ++i)
    a *= mlirShapedTypeGetDimSize(of, i);
  for (intptr_t i = 0; i < mlirShapedTypeGetRank(type); ++i)
    b *= mlirShapedTypeGetDimSize(type, i);
  return a == b;
}

/// The op with the name in the symbol table around `op`.
static MlirOperation findSymbol(MlirOperation op, MlirAttribute name) {
  MlirOperation table = op;
  do
    table = mlirOperationGetParentOperation(table);
  while (!mlirOperationIsNull(table) && !berthOpIs(table, BERTH_OP_MODULE) &&
         !berthOpIs(table, BERTH_OP_GPU_MODULE));
  if (mlirOperationIsNull(table))
    return table;
  MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(table, 0));
  for (MlirOperation at = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(at); at = mlirOperationGetNextInBlock(at)) {
    MlirAttribute symbol = berthAttributeOf(at, "sym_name");
    if (!mlirAttributeIsNull(symbol) &&
        mlirStringRefEqual(mlirStringAttrGetValue(symbol),
                           mlirFlatSymbolRefAttrGetValue(name)))
      return at;
  }
  return (MlirOperation){NULL};
}

MlirOperation berthConstantGlobalOf(MlirValue memref, bool isWhole) {
  MlirOperation none = {NULL};
  for (int length = 0; length < kLongestChain; ++length) {
    if (!mlirValueIsAOpResult(memref))
      return none;
    MlirOperation op = mlirOpResultGetOwner(memref);
    if (berthOpIs(op, BERTH_OP_GET_GLOBAL)) {
      MlirOperation global = findSymbol(op, berthAttributeOf(op, "name"));
      bool isConstant =
          !mlirOperationIsNull(global) && berthOpIs(global, BERTH_OP_GLOBAL) &&
          !mlirAttributeIsNull(berthAttributeOf(global, "constant"));
      MlirAttribute value = isConstant
                                ? berthAttributeOf(global, "initial_value")
                                : mlirAttributeGetNull();
      return !mlirAttributeIsNull(value) && mlirAttributeIsAElements(value)
                 ? global
                 : none;
    }
    MlirValue source = berthViewGetSource(op);
    if (mlirValueIsNull(source) ||
        (isWhole &&
         !hasAll(mlirValueGetType(source), mlirValueGetType(memref))))
      return none;
    memref = source;
  }
  return none;
}

bool berthOpReadsConstantsOnly(MlirOperation op, intptr_t output) {
  bool hasConstant = false;
  intptr_t count = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (i == output)
      continue;
    if (!mlirTypeIsAMemRef(mlirValueGetType(operand))) {
      if (!mlirValueIsAOpResult(operand) ||
          !berthOpIs(mlirOpResultGetOwner(operand), BERTH_OP_CONSTANT))
        return false;
      continue;
    }
    if (mlirOperationIsNull(berthConstantGlobalOf(operand, false)))
      return false;
    hasConstant = true;
  }
  return hasConstant;
}
