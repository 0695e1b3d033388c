//===- FactsLoop.cpp - Loops that count between constants -------*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Facts/LoopFacts.h"
#include "MLIR/Facts/Versions.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

/// Numbers far from the ends of 64 bits, so that nothing overflows here.
static constexpr int64_t kLargest = int64_t(1) << 40;

/// The number of a constant of arith, as nearly all are: asking by pattern, as
/// the interfaces do, takes ten times as long.
static std::optional<int64_t> getPlainNumber(OpFoldResult number) {
  auto value = dyn_cast<Value>(number);
  auto op = value ? value.getDefiningOp<arith::ConstantOp>() : nullptr;
  auto attribute = op ? dyn_cast<IntegerAttr>(op.getValue()) : IntegerAttr();
  if (!attribute || attribute.getValue().getBitWidth() > 64)
    return std::nullopt;
  return attribute.getValue().getSExtValue();
}

static bool getNumber(OpFoldResult value, int64_t &number) {
  std::optional<int64_t> constant = getPlainNumber(value);
  if (!constant)
    constant = getConstantIntValue(value);
  number = constant.value_or(0);
  return constant && number >= -kLargest && number <= kLargest;
}

/// False for what interfaces do not tell: a loop that compares its bounds as
/// unsigned numbers, where one of them is negative.
static bool isSigned(Operation *op, int64_t lower, int64_t upper) {
  auto loop = dyn_cast<scf::ForOp>(op);
  return !loop || !berth::isUnsigned(loop) || (lower >= 0 && upper >= 0);
}

static bool hasPlainBody(Operation *op) {
  return op->getNumRegions() == 1 && op->getRegion(0).hasOneBlock() &&
         !op->getDiscardableAttr("mapping") &&
         !op->getInherentAttr("mapping").value_or(Attribute());
}

/// The variables, bounds and steps of a loop with a plain body.
struct Counting {
  SmallVector<Value> variables;
  SmallVector<OpFoldResult> lowers, uppers, steps;
};

static std::optional<Counting> getCounting(Operation *op) {
  std::optional<Counting> counting;
  auto loop = dyn_cast<LoopLikeOpInterface>(op);
  if (!loop || !hasPlainBody(op))
    return counting;
  // Of the most frequent ones no lists are made to be copied.
  if (auto one = dyn_cast<scf::ForOp>(op)) {
    counting.emplace();
    counting->variables.push_back(one.getInductionVar());
    counting->lowers.push_back(one.getLowerBound());
    counting->uppers.push_back(one.getUpperBound());
    counting->steps.push_back(one.getStep());
    return counting;
  }
  auto variables = loop.getLoopInductionVars();
  auto lowers = loop.getLoopLowerBounds(), uppers = loop.getLoopUpperBounds(),
       steps = loop.getLoopSteps();
  if (!variables || !lowers || !uppers || !steps ||
      variables->size() > BERTH_LOOP_MAX_RANK ||
      lowers->size() != variables->size() ||
      uppers->size() != variables->size() || steps->size() != variables->size())
    return counting;
  counting.emplace();
  llvm::append_range(counting->variables, *variables);
  counting->lowers = *lowers;
  counting->uppers = *uppers;
  counting->steps = *steps;
  return counting;
}

intptr_t berthLoopGetRanges(MlirOperation cOp,
                            BerthLoopRange ranges[BERTH_LOOP_MAX_RANK]) {
  Operation *op = unwrap(cOp);
  std::optional<Counting> counting = getCounting(op);
  if (!counting)
    return -1;
  for (size_t i = 0; i < counting->variables.size(); ++i) {
    int64_t lower, upper, step;
    if (!getNumber(counting->lowers[i], lower) ||
        !getNumber(counting->uppers[i], upper) ||
        !getNumber(counting->steps[i], step) || step < 1 ||
        !isSigned(op, lower, upper))
      return -1;
    int64_t count = upper > lower ? (upper - lower - 1) / step + 1 : 0;
    ranges[i] = {wrap(counting->variables[i]), lower, step, count};
  }
  return static_cast<intptr_t>(counting->variables.size());
}

/// Of these, the interface tells no variables. Their steps are constants.
static intptr_t getVariables(affine::AffineParallelOp loop,
                             MlirValue variables[BERTH_LOOP_MAX_RANK]) {
  auto all = loop.getIVs();
  if (!hasPlainBody(loop) || all.size() > BERTH_LOOP_MAX_RANK)
    return -1;
  for (auto [i, variable] : llvm::enumerate(all))
    variables[i] = wrap(Value(variable));
  return static_cast<intptr_t>(all.size());
}

intptr_t berthLoopGetVariables(MlirOperation op,
                               MlirValue variables[BERTH_LOOP_MAX_RANK]) {
  if (auto loop = dyn_cast<affine::AffineParallelOp>(unwrap(op)))
    return getVariables(loop, variables);
  std::optional<Counting> counting = getCounting(unwrap(op));
  if (!counting)
    return -1;
  for (size_t i = 0; i < counting->variables.size(); ++i) {
    int64_t step;
    if (!getNumber(counting->steps[i], step) || step < 1)
      return -1;
    variables[i] = wrap(counting->variables[i]);
  }
  return static_cast<intptr_t>(counting->variables.size());
}

int64_t berthLoopGetStep(MlirOperation op, intptr_t variable) {
  size_t index = static_cast<size_t>(variable);
  if (auto loop = dyn_cast<affine::AffineParallelOp>(unwrap(op)))
    return index < loop.getNumDims() ? loop.getSteps()[index] : 0;
  std::optional<Counting> counting = getCounting(unwrap(op));
  int64_t step;
  return counting && index < counting->steps.size() &&
                 getNumber(counting->steps[index], step)
             ? step
             : 0;
}
