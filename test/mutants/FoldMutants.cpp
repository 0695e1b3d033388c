//===- FoldMutants.cpp - Folding with a wrong modulus -----------*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass test-berth-fold-mutant{row=K}: berth-fold, with the K-th modulus, or
// the offset of an array that was placed beside others, of
// the module less by one. It tells by a remark whether exhaustive search finds
// a collision in the mutant and whether the certificate accepts it; what
// execution makes of it is seen by the script that runs the result.
//
//===----------------------------------------------------------------------===//

#include "IR/Target/Builtin.h"
#include "IR/Passes/FoldPass.h"
#include "berth-c/Support.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

using namespace mlir;

namespace {

struct Choice {
  unsigned left; ///< rows to pass over until the one that changes
  std::string told;
};

bool isOne(const BerthFoldRow &row, size_t numParams) {
  if (row.numTerms != 1 || row.terms[0].constant != row.terms[0].divisor)
    return false;
  for (size_t p = 0; p < numParams; ++p)
    if (row.terms[0].coefficients[p])
      return false;
  return true;
}

/// Collisions at a few sizes; constant sizes have one.
const char *verdict(const BerthFoldProblem *problem,
                    const BerthFoldMapping &mutant) {
  bool known = false;
  // Sizes of the first parameter, and of all others.
  static const int64_t sizes[][2] = {{5, 5},   {6, 6},  {8, 8},
                                     {11, 11}, {0, 64}, {7, 40}};
  for (const auto &size : sizes) {
    int64_t params[BERTH_FOLD_MAX_PARAMS];
    for (size_t p = 0; p < BERTH_FOLD_MAX_PARAMS; ++p)
      params[p] = size[p > 0];
    uint64_t collisions;
    if (berthFoldBruteForce(problem, &mutant, params, &collisions, nullptr))
      continue;
    known = true;
    if (collisions)
      return "invalid";
  }
  return known ? "valid there" : "unknown";
}

/// An offset less by one, of each array in turn.
void mutatePlacement(const BerthFoldProblem *problem,
                     BerthFoldPlacement *placement, Choice *choice) {
  for (size_t k = 0; k < placement->numArrays; ++k) {
    if (placement->offsets[k] == 0 || choice->left-- != 1)
      continue;
    --placement->offsets[k];
    uint64_t collisions;
    bool known = berthFoldTryPlacement(problem, placement, &collisions,
                                       nullptr) == BERTH_SUCCESS;
    bool accepted =
        berthFoldCertifyPlacement(problem, placement, nullptr) == BERTH_SUCCESS;
    choice->told = !known ? "unknown" : collisions ? "invalid" : "valid there";
    choice->told += accepted ? ", accepted" : ", refused";
  }
}

void mutate(const BerthFoldProblem *problem, BerthFoldResult *result,
            BerthFoldPlacement *placement, void *userData) {
  auto *choice = static_cast<Choice *>(userData);
  if (placement) {
    mutatePlacement(problem, placement, choice);
    return;
  }
  BerthFoldMapping &mapping = result->mappings[0];
  for (size_t r = 0; r < mapping.numRows; ++r) {
    BerthFoldRow &row = mapping.rows[r];
    if (isOne(row, mapping.numParams) || choice->left-- != 1)
      continue;
    row.plain = false;
    for (size_t t = 0; t < row.numTerms; ++t)
      row.terms[t].constant -= row.terms[t].divisor;
    choice->told = verdict(problem, mapping);
    bool accepted =
        berthFoldCertify(problem, &mapping, nullptr) == BERTH_SUCCESS;
    choice->told += accepted ? ", accepted" : ", refused";
  }
}

struct FoldMutant : PassWrapper<FoldMutant, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(FoldMutant)
  FoldMutant() = default;
  FoldMutant(const FoldMutant &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "test-berth-fold-mutant"; }
  StringRef getDescription() const override {
    return "Fold with one modulus less by one";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<affine::AffineDialect, arith::ArithDialect,
                    memref::MemRefDialect>();
  }

  void runOnOperation() override {
    BerthFoldPassOptions options = {};
    BerthFoldFigures figures = {};
    Choice choice = {row, ""};
    options.fold = berthFoldOptionsDefault();
    options.maxOperations = 0;
    options.minGain = 10;
    options.joint = true;
    options.adjust = mutate;
    options.adjustData = &choice;
    BerthTargetUse *use = berthTargetEnter(berthBuiltinTarget(), nullptr);
    berthFoldRun(wrap(getOperation()), &options, &figures);
    berthTargetLeave(use);
    getOperation()->emitRemark("mutant: ")
        << (choice.told.empty() ? "none" : choice.told);
  }

  Option<unsigned> row{*this, "row", llvm::cl::desc("Which modulus, from 1"),
                       llvm::cl::init(1)};
};

} // namespace

extern "C" BERTH_EXPORT ::mlir::PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "FoldMutants", BERTH_VERSION_STRING,
          [] { PassRegistration<FoldMutant>(); }};
}
