//===- FactsVerify.cpp - Facts that only the verifier asks for -----------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Facts/VerifyFacts.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

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
