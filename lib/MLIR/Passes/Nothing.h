//===- Nothing.h - When passes have nothing to do ---------------*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// That nothing happens is a mistake of the user's or is not, and mostly only
// the end of the process can tell: the pass was nested under ops that there are
// none of, or looked at each function by itself, or another pass is for the
// memory that this one passes over. So what passes find is noted here.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_MLIR_PASSES_NOTHING_H
#define BERTH_LIB_MLIR_PASSES_NOTHING_H

#include "IR/Passes/Nothing.h"

#include "mlir/CAPI/IR.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace berth {

/// A pass was made ready to run, met an op, or refused its options. The number
/// is that of the pass and of its copies.
size_t noteAsked(const mlir::Pass &pass);
void noteLooks(size_t instance, const BerthCollectOptions &options);
void noteRan(const mlir::Pass &pass);
void noteRefused();

/// Whether a pass of Berth was made ready to run, or refused its options.
bool passWasAsked();

/// Has the registry of what a pass depends on tell whether a dialect with
/// functions or kernels was loaded before, which the parser does where it meets
/// one. Without any, no pass can meet what it is nested under.
void watchDialects(mlir::DialectRegistry &registry);

/// A file, a line and a column; the least one is the first.
using FilePlace = std::tuple<std::string, unsigned, unsigned>;

/// Where an op is; nothing where it has no file.
std::set<FilePlace> placesOf(mlir::Operation *op);

/// A pass of a pipeline.
struct AskedPass {
  std::string name;
  bool found = false;
  std::vector<BerthCollectOptions> looked; ///< the memories; none: at any
};

/// Those that were made ready to run, by their numbers.
std::vector<AskedPass> askedPasses();

bool wasRefused();

using SayOfNothing = llvm::function_ref<void(const std::set<FilePlace> &places,
                                             const std::string &message)>;

/// What is printed when the process ends otherwise: for who has other ears, and
/// ends without cleaning up.
void tellOfNothing(SayOfNothing say);

/// Warns of a function that a pass would have planned which found nothing else.
/// `nest` is a pipeline that meets it; empty: there is none.
void warnOfUnseen(const std::string &pass, const std::string &function,
                  const std::string &nest, const std::set<FilePlace> &places);

/// A pipeline that meets a function of the module, where one is known.
void noteNest(const std::string &nest);

/// What a run of passes on an op has said of finding nothing; it is kept for as
/// long as that lasts.
class SaidOfNothing {
public:
  explicit SaidOfNothing(mlir::Operation *) {}
  bool isInvalidated(const mlir::AnalysisManager::PreservedAnalyses &) const {
    return false;
  }
  /// Notes whether a pass has found something. `options` say which memories it
  /// looks at; none: at any. It warns at once where a run on a whole module
  /// sees tensors only, or names a memory in which nothing is; all else waits
  /// for the end of the process.
  void note(const mlir::Pass &pass, size_t instance, mlir::Operation *root,
            bool found,
            llvm::ArrayRef<const BerthCollectOptions *> options = {});

private:
  bool toldTensors = false;
};

} // namespace berth

#endif // BERTH_LIB_MLIR_PASSES_NOTHING_H
