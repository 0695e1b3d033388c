//===- FactsVerify.cpp - Facts that only the verifier asks for -----------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Facts/VerifyFacts.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"

using namespace mlir;

/// True if an op of the payload, its terminator included, touches memory.
static bool touchesOtherMemory(linalg::LinalgOp op) {
  return op->getRegion(0)
      .walk([](Operation *inner) {
        return isMemoryEffectFree(inner) ? WalkResult::advance()
                                         : WalkResult::interrupt();
      })
      .wasInterrupted();
}

/// The map with 0 for the variables of loops that run once, and the others
/// numbered through.
static AffineMap withoutFixedLoops(linalg::LinalgOp op, AffineMap map) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  MLIRContext *context = op->getContext();
  AffineExpr zero = getAffineConstantExpr(0, context);
  SmallVector<AffineExpr> variables;
  unsigned numLoops = 0;
  for (int64_t range : ranges)
    variables.push_back(range == 1 ? zero
                                   : getAffineDimExpr(numLoops++, context));
  return map.replaceDimsAndSymbols(variables, {}, numLoops, 0);
}

/// True if equal indices are equally far from the first element in both.
static bool isLaidOutAlike(Type a, Type b) {
  auto first = dyn_cast<MemRefType>(a), second = dyn_cast<MemRefType>(b);
  return first && second && first.getShape() == second.getShape() &&
         first.getLayout() == second.getLayout();
}

bool berthVisitsInOneOrder(MlirOperation cOp, intptr_t operandA,
                           intptr_t operandB) {
  auto op = dyn_cast<linalg::LinalgOp>(unwrap(cOp));
  if (!op || touchesOtherMemory(op))
    return false;
  OpOperand &a = op->getOpOperand(static_cast<unsigned>(operandA));
  OpOperand &b = op->getOpOperand(static_cast<unsigned>(operandB));
  AffineMap map = withoutFixedLoops(op, op.getMatchingIndexingMap(&a));
  if (map != withoutFixedLoops(op, op.getMatchingIndexingMap(&b)) ||
      !isLaidOutAlike(a.get().getType(), b.get().getType()))
    return false;
  // Each element once: what is left beside zeros is a permutation.
  SmallVector<AffineExpr> changing;
  for (AffineExpr expr : map.getResults())
    if (!isa<AffineConstantExpr>(expr) ||
        cast<AffineConstantExpr>(expr).getValue() != 0)
      changing.push_back(expr);
  return AffineMap::get(map.getNumDims(), 0, changing, op->getContext())
      .isPermutation();
}
