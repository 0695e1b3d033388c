//===- TmaHold.c - Where TMA loads have ended -----------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Liveness/TmaHold.h"

/// How a value stands to a buffer.
typedef enum Extent {
  kOther, ///< it may point elsewhere
  kPart,  ///< into this buffer
  kWhole  ///< to all of it
} Extent;

static Extent extentOf(MlirValue value, const BerthBufferInfo *buffer) {
  Extent extent = kWhole;
  while (!mlirValueEqual(value, buffer->value)) {
    if (!mlirValueIsAOpResult(value))
      return kOther;
    MlirOperation view = mlirOpResultGetOwner(value);
    value = berthViewGetSource(view);
    if (mlirValueIsNull(value))
      return kOther;
    if (!berthViewIsWhole(view))
      extent = kPart;
  }
  return extent;
}

BerthTensorLoads berthTensorLoadsOf(const BerthBufferInfo *buffer) {
  BerthTensorLoads loads = {
      .buffer = buffer, .areWhole = true, .haveOneBarrier = true};
  for (size_t i = 0; i < buffer->numAccesses; ++i) {
    MlirOperation op = buffer->accesses[i].op;
    if (!berthOpStartsAsync(op, BERTH_ASYNC_LOAD))
      continue;
    BerthMBarrier barrier = berthLoadGetMBarrier(op);
    if (mlirValueIsNull(loads.barrier.group))
      loads.barrier = barrier;
    loads.haveOneBarrier &= berthMBarriersEqual(loads.barrier, barrier);
    loads.areWhole &=
        extentOf(mlirOperationGetOperand(op, 0), buffer) == kWhole;
  }
  return loads;
}

bool berthTensorLoadsAwaited(const BerthTensorLoads *loads, MlirOperation op) {
  BerthMBarrier barrier;
  return loads->haveOneBarrier && berthOpAwaitsMBarrier(op, &barrier) &&
         berthMBarriersEqual(loads->barrier, barrier);
}

/// A product reads all of the tensors that its descriptors stand for.
static bool readsWhole(MlirOperation product, const BerthBufferInfo *buffer) {
  intptr_t numOperands = mlirOperationGetNumOperands(product);
  for (intptr_t i = 0; i < numOperands; ++i) {
    MlirValue operand = mlirOperationGetOperand(product, i);
    if (!mlirValueIsAOpResult(operand))
      continue;
    MlirOperation maker = mlirOpResultGetOwner(operand);
    if (berthOpMakesDescriptor(maker) &&
        extentOf(mlirOperationGetOperand(maker, 0), buffer) == kWhole)
      return true;
  }
  return false;
}

static bool touchesPart(MlirOperation op, const BerthBufferInfo *buffer) {
  intptr_t numOperands = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < numOperands; ++i)
    if (extentOf(mlirOperationGetOperand(op, i), buffer) != kOther)
      return true;
  return false;
}

bool berthTensorLoadsProved(const BerthTensorLoads *loads,
                            const BerthAccess *access) {
  if (berthOpStartsAsync(access->op, BERTH_ASYNC_PRODUCT))
    return readsWhole(access->op, loads->buffer);
  return loads->areWhole && berthOpSurelyTouches(access->op) &&
         touchesPart(access->op, loads->buffer);
}
