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
// over from the other, or they share an arena; at last an analysis of its own
// checks the result. In front of an arena nothing is merged unless asked for:
// what is merged has one offset, and is not written in place any more, so the
// arena can only get larger (by 8 to 53 % on most networks of bench/models).
//
// Each pass takes its options as a text, so that an option added to a pass
// needs nothing here.
//
//===----------------------------------------------------------------------===//

#include "ReadOptions.h"
#include "berth/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace {

struct PipelineOptions : PassPipelineOptions<PipelineOptions> {
  Option<std::string> fold{
      *this, "fold", llvm::cl::desc("Options of berth-fold, 'on' or 'off'"),
      llvm::cl::init("")};
  Option<std::string> merge{
      *this, "merge",
      llvm::cl::desc("Options of berth-merge, 'on' or 'off'; by default it "
                     "runs only without berth-arena, which shares more"),
      llvm::cl::init("")};
  Option<std::string> arena{
      *this, "arena", llvm::cl::desc("Options of berth-arena, 'on' or 'off'"),
      llvm::cl::init("")};
  Option<berth::Flag> verify{
      *this, "verify", llvm::cl::desc("Check the result with berth-verify"),
      llvm::cl::init(true)};
};

/// Appends `name{options}` to a pipeline's text. A pass that this build does
/// not have is passed over.
void append(std::string &text, StringRef name, const std::string &options) {
  // A pass that was left out of the build is missed only where it is asked for.
  if (options == "off" || (options.empty() && !PassInfo::lookup(name)))
    return;
  text += (text.empty() ? "" : ",") + name.str();
  if (!options.empty())
    text += "{" + options + "}";
}

/// 'on' is the pass without options.
std::string ownOptions(const std::string &options) {
  return options == "on" ? "" : options;
}

std::string passes(const PipelineOptions &options) {
  std::string text, merge = options.merge;
  if (merge.empty())
    merge = options.arena == "off" ? "on" : "off";
  append(text, "berth-fold", ownOptions(options.fold));
  append(text, "berth-merge", ownOptions(merge));
  append(text, "berth-arena", ownOptions(options.arena));
  append(text, "berth-verify", options.verify ? "" : "off");
  return text;
}

/// PassPipelineRegistration does the same for builders that cannot fail; the
/// options of a pass may be wrong.
LogicalResult
buildPipeline(OpPassManager &manager, StringRef text,
              llvm::function_ref<LogicalResult(const Twine &)> emitError) {
  PipelineOptions options;
  if (failed(berth::readOptions(
          "berth", text, options.verify,
          [&](berth::SayOfOptions say) {
            std::string said;
            llvm::raw_string_ostream stream(said);
            return failed(options.parseFromString(text, stream)) ? say(said)
                                                                 : success();
          },
          emitError)))
    return failure();
  std::string message, inner = passes(options);
  llvm::raw_string_ostream stream(message);
  if (succeeded(parsePassPipeline(inner, manager, stream)))
    return success();
  return emitError("berth: " + StringRef(message).rtrim());
}

} // namespace

void berth::registerPipelines() {
  registerPassPipeline(
      "berth", "Shrink arrays, then share allocations or an arena",
      buildPipeline,
      [](llvm::function_ref<void(const mlir::detail::PassOptions &)> handler) {
        handler(PipelineOptions());
      });
}
