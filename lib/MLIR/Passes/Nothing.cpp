//===- Nothing.cpp - When passes have nothing to do -------------*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nothing.h"
#include "Support/Messages.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cstdio>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace mlir;

static std::string sayTensors(const std::string &pass) {
  return pass + ": nothing to do: the module works on tensors, and allocates "
                "no memref yet";
}

static const char packable[] =
    "what is there is declared, not allocated: berth-arena{existing=pack} "
    "places such memory of workgroups";

static const char declared[] =
    "what is there is declared (memref.global), not allocated: it has its "
    "place, and Berth plans what is allocated";

static std::string sayElsewhere(const std::string &pass,
                                const std::string &wanted) {
  return pass + ": no allocation is in space " + wanted;
}

namespace {

/// A pass, and the memories that it looks at, as a text.
using Job = std::pair<std::string, std::string>;

/// What the runs of a job have seen that did not find anything.
struct Runs {
  bool found = false; ///< but another one has
  bool isNamed = false;
  bool sawTensors = false;
  const char *declared = nullptr;    ///< what to say of what is not allocated
  std::set<std::string> spaces;      ///< in which there are allocations
  std::set<berth::FilePlace> places; ///< of what was run on
};

void print(const std::set<berth::FilePlace> &places,
           const std::string &message) {
  std::string place = "berth";
  if (!places.empty()) {
    auto [file, line, column] = *places.begin();
    place = file + ":" + std::to_string(line) + ":" + std::to_string(column);
  }
  std::fprintf(stderr, "%s: warning: %s%s\n", place.c_str(), message.c_str(),
               berthMessageNumber(message.c_str()));
}

/// Of the process. Passes run on several functions at a time.
class Notes {
public:
  ~Notes() { tell(print); }

  void tell(berth::SayOfNothing how) {
    if (refused)
      return;
    say = how;
    // What only looks, which may run on the module, does not count where
    // something was asked for that changes it.
    if ((changeAsked ? !changeRan : asked && !ran) && !toldUnseen &&
        (!isWatched || sawDialect))
      say({}, "no pass of Berth met an op that it was asked to run on: " +
                  (nest.empty() ? "for kernels write "
                                  "builtin.module(gpu.module(gpu.func(...)))"
                                : "for what the module has write " + nest) +
                  ", or run it on builtin.module itself");
    for (const auto &[job, runs] : jobs)
      if (!runs.found)
        sayOf(job, runs);
  }

  std::mutex mutex;
  bool asked = false, ran = false, refused = false;
  bool changeAsked = false, changeRan = false;
  bool isWatched = false, sawDialect = false;
  bool toldTensors = false;
  bool toldUnseen = false;
  bool foundAny = false; ///< by a pass that looks at certain memories
  std::map<Job, Runs> jobs;
  std::vector<berth::AskedPass> instances;
  std::string nest; ///< that meets a function, where one is known
  std::set<std::pair<std::set<berth::FilePlace>, std::string>> unseen;

private:
  void sayOf(const Job &job, const Runs &runs) {
    if (!runs.spaces.empty()) {
      // A pass that was told of no memory may be beside one that was.
      if (runs.isNamed || !foundAny)
        say(runs.places,
            sayElsewhere(job.first, job.second) +
                "; there are allocations in: " + llvm::join(runs.spaces, ", "));
      return;
    }
    if (runs.declared && runs.isNamed)
      say(runs.places,
          sayElsewhere(job.first, job.second) + "; " + runs.declared);
    if (!runs.sawTensors || toldTensors)
      return;
    toldTensors = true;
    say(runs.places, sayTensors(job.first) + "; run one-shot-bufferize before");
  }

  berth::SayOfNothing say;
};

/// Asked when the dialects that passes depend on are registered, and before
/// they are loaded.
struct Watch : DialectExtensionBase {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Watch)
  Watch() : DialectExtensionBase(ArrayRef<StringRef>()) {}
  void apply(MLIRContext *, MutableArrayRef<Dialect *>) const override;
  std::unique_ptr<DialectExtensionBase> clone() const override {
    return std::make_unique<Watch>();
  }
};

} // namespace

static Notes notes;

void berth::tellOfNothing(SayOfNothing say) { notes.tell(say); }

static bool onlyLooks(StringRef pass) {
  return pass == "berth-verify" || pass.starts_with("berth-print-");
}

size_t berth::noteAsked(const Pass &pass) {
  std::lock_guard<std::mutex> lock(notes.mutex);
  notes.asked = true;
  notes.changeAsked |= !onlyLooks(pass.getArgument());
  notes.instances.push_back({pass.getArgument().str(), false, {}});
  return notes.instances.size() - 1;
}

void berth::noteLooks(size_t instance, const BerthCollectOptions &options) {
  std::lock_guard<std::mutex> lock(notes.mutex);
  notes.instances[instance].looked.push_back(options);
}

void berth::noteRan(const Pass &pass) {
  std::lock_guard<std::mutex> lock(notes.mutex);
  notes.ran = true;
  notes.changeRan |= !onlyLooks(pass.getArgument());
}

void berth::noteRefused() {
  std::lock_guard<std::mutex> lock(notes.mutex);
  notes.refused = true;
}

std::vector<berth::AskedPass> berth::askedPasses() {
  std::lock_guard<std::mutex> lock(notes.mutex);
  return notes.instances;
}

bool berth::wasRefused() {
  std::lock_guard<std::mutex> lock(notes.mutex);
  return notes.refused;
}

void berth::warnOfUnseen(const std::string &pass, const std::string &function,
                         const std::string &nest,
                         const std::set<FilePlace> &places) {
  std::lock_guard<std::mutex> lock(notes.mutex);
  notes.toldUnseen = true;
  std::string message = pass + " was not run on this " + function +
                        ", which has buffers for it, and found none where it "
                        "is nested: " +
                        (nest.empty() ? "" : "write " + nest + ", or ") +
                        "run it on builtin.module itself";
  // Each of several pipelines and runs may have missed it.
  if (notes.unseen.insert({places, message}).second)
    print(places, message);
}

void berth::noteNest(const std::string &nest) {
  std::lock_guard<std::mutex> lock(notes.mutex);
  notes.nest = nest;
}

bool berth::passWasAsked() {
  std::lock_guard<std::mutex> lock(notes.mutex);
  return notes.asked || notes.refused;
}

/// What is loaded already comes as one list, each one that a pass depends on
/// alone, later.
void Watch::apply(MLIRContext *, MutableArrayRef<Dialect *> dialects) const {
  std::lock_guard<std::mutex> lock(notes.mutex);
  notes.isWatched = true;
  if (dialects.size() == 1)
    return;
  for (Dialect *dialect : dialects)
    notes.sawDialect |=
        llvm::is_contained({"func", "gpu"}, dialect->getNamespace());
}

void berth::watchDialects(DialectRegistry &registry) {
  registry.addExtensions<Watch>();
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

namespace {
/// The memories in which there are allocations: for a message at once, and by
/// name alone for one at the end.
struct Spaces {
  std::string text;
  std::set<std::string> names;
};
} // namespace

static void appendName(const char *space, size_t, void *userData) {
  auto *text = static_cast<std::string *>(userData);
  *text += (text->empty() ? "" : ", ") + std::string(space);
}

static void appendSpace(const char *space, size_t count, void *userData) {
  auto *spaces = static_cast<Spaces *>(userData);
  appendName((space + (" (" + std::to_string(count) + ")")).c_str(), 0,
             &spaces->text);
  spaces->names.insert(space);
}

static void warn(Operation *root, const std::string &text,
                 const std::string &note) {
  berthEmitWarning(wrap(root), text.c_str(), note.c_str());
}

std::set<berth::FilePlace> berth::placesOf(Operation *op) {
  auto place = op->getLoc()->findInstanceOf<FileLineColLoc>();
  if (!place)
    return {};
  return {{place.getFilename().str(), place.getLine(), place.getColumn()}};
}

/// Where the passes of the process look: what one of them is for is not missed
/// by another.
static SmallVector<const BerthCollectOptions *>
allOptions(const std::vector<berth::AskedPass> &asked) {
  SmallVector<const BerthCollectOptions *> all;
  for (const berth::AskedPass &pass : asked)
    for (const BerthCollectOptions &options : pass.looked)
      if (!onlyLooks(pass.name))
        all.push_back(&options);
  return all;
}

void berth::SaidOfNothing::note(const Pass &pass, size_t instance,
                                Operation *root, bool found,
                                ArrayRef<const BerthCollectOptions *> options) {
  std::string name = pass.getArgument().str(), wanted;
  berthNameSpaces(options.data(), options.size(), appendName, &wanted);
  Spaces spaces;
  BerthNothing nothing = BERTH_NOTHING_FIT;
  if (!found) {
    std::vector<AskedPass> asked = askedPasses();
    SmallVector<const BerthCollectOptions *> all = allOptions(asked);
    nothing = berthLookForNothing(wrap(root), options.data(), options.size(),
                                  all.data(), all.size(), appendSpace, &spaces);
  }
  const char *notAllocated = nothing == BERTH_NOTHING_PACKED     ? packable
                             : nothing == BERTH_NOTHING_DECLARED ? declared
                                                                 : nullptr;
  // Of a module inside of another, its neighbours may have what it has not.
  bool onModule = isa<ModuleOp>(root) && !root->getParentOp();
  bool isNamed = options.size() == 1 && options[0]->hasSpace;
  std::lock_guard<std::mutex> lock(notes.mutex);
  notes.instances[instance].found |= nothing == BERTH_NOTHING_FIT;
  if (nothing == BERTH_NOTHING_TENSORS && onModule) {
    notes.toldTensors = true;
    if (!std::exchange(toldTensors, true))
      warn(root, sayTensors(name), "run one-shot-bufferize before");
  } else if (nothing == BERTH_NOTHING_ELSEWHERE && onModule && isNamed) {
    warn(root, sayElsewhere(name, wanted),
         "there are allocations in: " + spaces.text);
  } else if (notAllocated && onModule && isNamed) {
    warn(root, sayElsewhere(name, wanted), notAllocated);
  } else if (nothing != BERTH_NOTHING_AT_ALL) {
    Runs &runs = notes.jobs[{name, wanted}];
    runs.isNamed = isNamed;
    runs.found |= nothing == BERTH_NOTHING_FIT;
    runs.sawTensors |= nothing == BERTH_NOTHING_TENSORS;
    if (notAllocated)
      runs.declared = notAllocated;
    runs.spaces.merge(spaces.names);
    if (nothing != BERTH_NOTHING_FIT)
      runs.places.merge(placesOf(root));
    notes.foundAny |= runs.found && !options.empty();
  }
}
