//===- FactsVerify.cpp - Facts that only the verifier asks for -----------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/VerifyFacts.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

MlirOperation berthFindSymbol(MlirOperation op, MlirAttribute reference) {
  auto symbol = dyn_cast<SymbolRefAttr>(unwrap(reference));
  if (!symbol)
    return wrap(static_cast<Operation *>(nullptr));
  return wrap(SymbolTable::lookupNearestSymbolFrom(unwrap(op), symbol));
}

/// Attributions follow the function's arguments in its entry block.
static bool attributionHasAttribute(gpu::GPUFuncOp function, unsigned index,
                                    StringRef name) {
  unsigned attribution = index - function.getNumArguments();
  if (attribution >= function.getNumWorkgroupAttributions())
    return false;
  return static_cast<bool>(
      function.getWorkgroupAttributionAttr(attribution, name));
}

bool berthEntryArgumentHasAttribute(MlirOperation cFunction, intptr_t cIndex,
                                    const char *name) {
  auto function = dyn_cast<FunctionOpInterface>(unwrap(cFunction));
  unsigned index = static_cast<unsigned>(cIndex);
  if (!function)
    return false;
  if (index < function.getNumArguments())
    return static_cast<bool>(function.getArgAttr(index, name));
  auto gpuFunction = dyn_cast<gpu::GPUFuncOp>(unwrap(cFunction));
  return gpuFunction && attributionHasAttribute(gpuFunction, index, name);
}

static bool touchesOtherMemory(linalg::LinalgOp op) {
  return op->getRegion(0)
      .walk([](Operation *inner) {
        bool isFree = isMemoryEffectFree(inner) ||
                      inner->hasTrait<OpTrait::IsTerminator>();
        return isFree ? WalkResult::advance() : WalkResult::interrupt();
      })
      .wasInterrupted();
}

bool berthVisitsInOneOrder(MlirOperation cOp, intptr_t operandA,
                           intptr_t operandB) {
  auto op = dyn_cast<linalg::LinalgOp>(unwrap(cOp));
  if (!op || touchesOtherMemory(op))
    return false;
  OpOperand &a = op->getOpOperand(static_cast<unsigned>(operandA));
  OpOperand &b = op->getOpOperand(static_cast<unsigned>(operandB));
  AffineMap map = op.getMatchingIndexingMap(&a);
  return map == op.getMatchingIndexingMap(&b) && map.isPermutation();
}
