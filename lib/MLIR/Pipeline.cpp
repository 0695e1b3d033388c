//===- Pipeline.cpp - The pipeline `berth` ----------------------*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   fold -> merge -> arena -> verify
//
// First arrays get smaller, then buffers share an allocation where one takes
// over from the other, then what is left shares an arena; at last an analysis
// of its own checks the result. Each pass takes its options as a text, so that
// an option added to a pass needs nothing here.
//
//===----------------------------------------------------------------------===//

#include "berth/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/ErrorHandling.h"

using namespace mlir;

namespace {

struct PipelineOptions : PassPipelineOptions<PipelineOptions> {
  Option<std::string> fold{*this, "fold",
                           llvm::cl::desc("Options of berth-fold, or 'off'"),
                           llvm::cl::init("")};
  Option<std::string> merge{*this, "merge",
                            llvm::cl::desc("Options of berth-merge, or 'off'"),
                            llvm::cl::init("")};
  Option<std::string> arena{*this, "arena",
                            llvm::cl::desc("Options of berth-arena, or 'off'"),
                            llvm::cl::init("")};
  Option<bool> verify{*this, "verify",
                      llvm::cl::desc("Check the result with berth-verify"),
                      llvm::cl::init(true)};
};

/// Appends `name{options}` to a pipeline's text. A pass that this build does
/// not have is passed over.
void append(std::string &text, StringRef name, const std::string &options) {
  if (options == "off" || !PassInfo::lookup(name))
    return;
  text += (text.empty() ? "" : ",") + name.str();
  if (!options.empty())
    text += "{" + options + "}";
}

void build(OpPassManager &manager, const PipelineOptions &options) {
  std::string text;
  append(text, "berth-fold", options.fold);
  append(text, "berth-merge", options.merge);
  append(text, "berth-arena", options.arena);
  append(text, "berth-verify", options.verify ? "" : "off");
  if (failed(parsePassPipeline(text, manager, llvm::errs())))
    llvm::report_fatal_error("berth: the options of a pass cannot be read: " +
                                 Twine(text),
                             /*gen_crash_diag=*/false);
}

} // namespace

void berth::registerPipelines() {
  PassPipelineRegistration<PipelineOptions>(
      "berth", "Shrink arrays, then share allocations, then share an arena",
      build);
}
