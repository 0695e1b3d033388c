//===- NestWatch.cpp - Functions that nested passes miss ----*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NestWatch.h"
#include "IR/Ops/OpTable.h"
#include "Nothing.h"
#include "TargetOption.h"

#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>

using namespace mlir;

namespace {

/// Names from the outermost op inwards: what an op is in has a beginning of its
/// path.
using Path = std::vector<std::string>;

/// A function with buffers, as it was in front of a nest of passes.
struct Unseen {
  Path path;
  std::string text; ///< what it is, for people
  std::string nest; ///< a pipeline that meets it
  std::set<berth::FilePlace> places;
};

class NestWatch : public PassInstrumentation {
public:
  NestWatch() : first(berth::askedPasses().size()) {}
  ~NestWatch() override;
  void runBeforePass(Pass *pass, Operation *op) override;
  void runAfterPassFailed(Pass *, Operation *) override { hasFailed = true; }

private:
  void look(Operation *root);
  bool wasMet(const std::string &pass, const Path &path) const;

  size_t first;     ///< the first pass of this pipeline
  std::mutex mutex; ///< passes run on several functions at a time
  std::atomic<bool> hasFailed = false;
  std::map<std::string, std::set<Path>> met;   ///< by passes of a name
  std::map<size_t, std::vector<Unseen>> found; ///< for a pass of the pipeline
};

} // namespace

static Path pathOf(Operation *op) {
  Path path;
  for (; op; op = op->getParentOp()) {
    auto name = op->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
    path.push_back(name ? "@" + name.str()
                        : op->getName().getStringRef().str());
  }
  std::reverse(path.begin(), path.end());
  return path;
}

/// "builtin.module(gpu.module(gpu.func(...)))", or nothing where no pass can be
/// scheduled on such an op, as on gpu.launch.
static std::string nestOf(Operation *op) {
  if (!berthOpIsFunction(wrap(op)))
    return "";
  std::string nest = "...";
  for (; op; op = op->getParentOp())
    nest = op->getName().getStringRef().str() + "(" + nest + ")";
  return nest;
}

static void noteUnseen(MlirOperation scope, void *userData) {
  Operation *op = unwrap(scope);
  Path path = pathOf(op);
  std::string name = llvm::join(llvm::drop_begin(path), "::");
  std::string kind = op->getName().getStringRef().str();
  static_cast<std::vector<Unseen> *>(userData)->push_back(
      {path, name == kind ? kind : kind + " " + name, nestOf(op),
       berth::placesOf(op)});
}

/// Nothing else runs yet.
void NestWatch::look(Operation *root) {
  berth::PassTarget target; // what the environment names, or none
  berth::TargetUse use(target);
  std::vector<berth::AskedPass> asked = berth::askedPasses();
  root->walk([](Operation *op) {
    bool hasBody = berthOpIsFunction(wrap(op)) && op->getNumRegions() > 0 &&
                   !op->getRegion(0).empty();
    if (hasBody)
      berth::noteNest(nestOf(op));
    return hasBody ? WalkResult::interrupt() : WalkResult::advance();
  });
  for (size_t i = first; i < asked.size(); ++i)
    for (const BerthCollectOptions &options : asked[i].looked)
      berthForEachScopeWithBuffers(wrap(root), &options, noteUnseen, &found[i]);
}

void NestWatch::runBeforePass(Pass *pass, Operation *op) {
  StringRef name = pass->getArgument();
  if (name.starts_with("berth-")) {
    std::lock_guard<std::mutex> lock(mutex);
    met[name.str()].insert(pathOf(op));
  } else if (name.empty() && !op->getParentOp()) {
    // A nest of passes has no name.
    std::string text;
    llvm::raw_string_ostream stream(text);
    pass->printAsTextualPipeline(stream);
    if (StringRef(text).contains("berth-"))
      look(op);
  }
}

bool NestWatch::wasMet(const std::string &pass, const Path &path) const {
  auto paths = met.find(pass);
  if (paths == met.end())
    return false;
  for (size_t length = 1; length <= path.size(); ++length)
    if (paths->second.count(Path(path.begin(), path.begin() + length)))
      return true;
  return false;
}

NestWatch::~NestWatch() {
  if (hasFailed || berth::wasRefused())
    return;
  std::vector<berth::AskedPass> asked = berth::askedPasses();
  for (const auto &[index, functions] : found) {
    const berth::AskedPass &pass = asked[index];
    auto missed = llvm::find_if(functions, [&](const Unseen &function) {
      return !wasMet(pass.name, function.path);
    });
    if (pass.found || missed == functions.end())
      continue;
    berth::warnOfUnseen(pass.name, missed->text, missed->nest, missed->places);
  }
}

void berth::watchNests(PassManager &manager) {
  manager.addInstrumentation(std::make_unique<NestWatch>());
}
