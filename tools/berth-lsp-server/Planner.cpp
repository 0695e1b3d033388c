//===- Planner.cpp - What Berth says of a text ------------------*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Planner.h"

#include "MLIR/Passes/Nothing.h"
#include "Support/Messages.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <tuple>
#include <unistd.h>

using namespace mlir;

namespace {

/// The protocol's numbers.
enum Severity { kError = 1, kWarning, kInformation, kHint };

void say(llvm::json::Value value) {
  std::string line;
  llvm::raw_string_ostream(line) << value << "\n";
  llvm::errs() << line; // as reports do
}

/// What is behind names, calls and fusion; nothing if that is no line of a
/// file.
FileLineColLoc placeOf(Location location) {
  FileLineColLoc found;
  location->walk([&](Location inner) {
    found = dyn_cast<FileLineColLoc>(inner);
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found && found.getLine() ? found : FileLineColLoc();
}

void sayAt(Location location, const char *what, llvm::json::Value kind,
           const std::string &text) {
  FileLineColLoc place = placeOf(location);
  say(llvm::json::Object{{what, std::move(kind)},
                         {"line", place ? int64_t(place.getLine()) : 0},
                         {"column", place ? int64_t(place.getColumn()) : 0},
                         {"text", text}});
}

class RemarkSayer : public remark::detail::MLIRRemarkStreamerBase {
  void streamOptimizationRemark(const remark::detail::Remark &remark) override {
    std::string text;
    for (const remark::detail::Remark::Arg &arg : remark.getArgs())
      text += arg.val;
    sayAt(remark.getLocation(), "remark", remark.getRemarkTypeString(), text);
  }
};

void sayDiagnostic(Diagnostic &diagnostic) {
  std::string text = diagnostic.str();
  for (const Diagnostic &note : diagnostic.getNotes()) {
    FileLineColLoc place = placeOf(note.getLocation());
    text += "\nnote: " + note.str();
    if (place)
      text += " (line " + std::to_string(place.getLine()) + ")";
  }
  // What is of no line, such as that a module has yet to be bufferized, is a
  // hint.
  int severity = kInformation;
  if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
    severity = kError;
  else if (diagnostic.getSeverity() == DiagnosticSeverity::Warning)
    severity = placeOf(diagnostic.getLocation()) ? kWarning : kHint;
  sayAt(diagnostic.getLocation(), "diagnostic", severity, text);
}

/// The first option that is one of `names`, with its value, or nothing. Values
/// in quotes or braces may hold blanks.
llvm::StringRef findOption(llvm::StringRef options,
                           llvm::ArrayRef<llvm::StringRef> names) {
  int depth = 0;
  bool inQuotes = false, isStart = true;
  size_t start = llvm::StringRef::npos;
  for (size_t i = 0; i < options.size(); ++i) {
    char c = options[i];
    bool isBlank = !inQuotes && depth == 0 && c == ' ';
    if (isBlank && start != llvm::StringRef::npos)
      return options.slice(start, i);
    llvm::StringRef name =
        options.drop_front(i).take_until([](char c) { return c == '='; });
    if (isStart && depth == 0 && llvm::is_contained(names, name))
      start = i;
    inQuotes ^= c == '"' || c == '\'';
    depth += inQuotes ? 0 : (c == '{') - (c == '}');
    isStart = !inQuotes && c == ' ';
  }
  return start == llvm::StringRef::npos ? "" : options.drop_front(start);
}

/// The options with those kernels only that the module has: an editor's other
/// texts may have the rest, which berth-arena would miss here.
std::string optionsFor(ModuleOp module, llvm::StringRef options) {
  llvm::StringRef option = findOption(options, {"kernels"});
  if (option.empty())
    return options.str();
  llvm::SmallVector<llvm::StringRef> names;
  option.split('=').second.trim("{}").split(names, ',');
  std::string kept;
  for (llvm::StringRef name : names) {
    WalkResult result = module.walk([&](FunctionOpInterface function) {
      return function.getName() == name.trim() ? WalkResult::interrupt()
                                               : WalkResult::advance();
    });
    if (result.wasInterrupted())
      kept += (kept.empty() ? "kernels=" : ",") + name.trim().str();
  }
  size_t at = static_cast<size_t>(option.data() - options.data());
  return (options.take_front(at) + kept +
          options.drop_front(at + option.size()))
      .str();
}

/// Of each it shall be told why it has no place, even where nothing is planned.
void sayAllocations(ModuleOp module) {
  module.walk([](MemoryEffectOpInterface op) {
    if (op.hasEffect<MemoryEffects::Allocate>())
      sayAt(op->getLoc(), "allocation", true, "");
  });
}

/// The one sentence on all that passes have not found.
void sayOfNothing() {
  berth::tellOfNothing(
      [](const std::set<berth::FilePlace> &places, const std::string &message) {
        int64_t line = 0, column = 0;
        if (!places.empty())
          std::tie(std::ignore, line, column) = *places.begin();
        say(llvm::json::Object{
            {"diagnostic", int64_t(line ? kWarning : kHint)},
            {"line", line},
            {"column", column},
            {"text", message + berthMessageNumber(message.c_str())}});
      });
}

/// `text` has as many empty lines in front as its first line is down the file.
void planModule(MLIRContext &context, const std::string &options,
                const std::string &text) {
  OwningOpRef<ModuleOp> module;
  {
    // What does not parse is the other server's to tell.
    ScopedDiagnosticHandler quiet(&context,
                                  [](Diagnostic &) { return success(); });
    module = parseSourceString<ModuleOp>(text, &context);
  }
  if (!module)
    return;
  sayAllocations(*module);
  ScopedDiagnosticHandler handler(&context, sayDiagnostic);
  PassManager manager(&context);
  if (succeeded(parsePassPipeline("berth-arena{report=- " +
                                      optionsFor(*module, options) + "}",
                                  manager, llvm::errs())))
    (void)manager.run(*module);
}

void planAll(const DialectRegistry &registry, const std::string &options,
             llvm::StringRef text) {
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects(); // as the other server
  const char *ours = "berth.*";
  (void)remark::enableOptimizationRemarks(
      context, std::make_unique<RemarkSayer>(),
      std::make_unique<remark::RemarkEmittingPolicyAll>(),
      {/*all=*/std::nullopt, ours, ours, ours, ours});
  std::string module;
  size_t linesBefore = 0, lines = 0;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    ++lines;
    bool splits = line.trim() == "// -----";
    if (!splits)
      module.append(line).append("\n");
    if (splits || rest.empty()) {
      planModule(context, options, std::string(linesBefore, '\n') + module);
      module.clear();
      linesBefore = lines;
    }
    text = rest;
  }
}

} // namespace

bool berth::checkPlannerOptions(const DialectRegistry &registry,
                                const std::string &options,
                                std::string &error) {
  llvm::StringRef alone = llvm::StringRef(options).trim();
  alone.consume_front("--");
  if (alone.consume_front("berth-arena") || alone.starts_with("{")) {
    alone = alone.ltrim("={ ").rtrim();
    alone.consume_back("}");
    error = "--arena takes berth-arena's options alone, without its name and "
            "braces: --arena='" +
            alone.str() + "'";
    return false;
  }
  llvm::StringRef file =
      findOption(options, {"report", "plan-out", "explain"}).split('=').first;
  if (!file.empty()) {
    error = "--arena: '" + file.str() +
            "' is not for an editor, which is shown all plans, and would get "
            "one with each key: give it to berth-opt";
    return false;
  }
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  PassManager manager(&context);
  // Passes look at the rest of their options where they begin.
  OwningOpRef<ModuleOp> empty = ModuleOp::create(UnknownLoc::get(&context));
  ScopedDiagnosticHandler errorsOnly(&context, [](Diagnostic &diagnostic) {
    return success(diagnostic.getSeverity() != DiagnosticSeverity::Error);
  });
  // By themselves: what is wrong is shown as it was written.
  return succeeded(parsePassPipeline("berth-arena{" +
                                         optionsFor(*empty, options) + "}",
                                     manager, llvm::errs())) &&
         succeeded(manager.run(*empty));
}

berth::PlannerProcess berth::startPlanner(const DialectRegistry &registry,
                                          const std::string &options,
                                          const std::string &text) {
  int ends[2];
  if (pipe(ends))
    return {};
  pid_t parent = getpid();
  pid_t pid = fork();
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
      _exit(EXIT_FAILURE);
    setpriority(PRIO_PROCESS, 0, 10); // whoever types goes first
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
    planAll(registry, options, text);
    sayOfNothing();
    say(llvm::json::Object{{"done", true}});
    _exit(EXIT_SUCCESS);
  }
  close(ends[1]);
  if (pid < 0) {
    close(ends[0]);
    return {};
  }
  return {pid, ends[0]};
}
