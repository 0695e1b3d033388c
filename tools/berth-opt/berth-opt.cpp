//===- berth-opt.cpp - mlir-opt with Berth built in -------------*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Target/Builtin.h"
#include "MLIR/Facts/OptVersions.h"
#include "MLIR/Passes/ToolFiles.h"
#include "Support/Messages.h"
#include "Support/Replace.h"
#include "Support/Temporaries.h"
#include "berth/Passes.h"
#include "berth/Target.h"

#include "OptFile.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

static llvm::cl::opt<std::string> targetFile(
    "berth-target",
    llvm::cl::desc("Description of the target in JSON, for the parser and all "
                   "of Berth's passes (default: the environment's "
                   "BERTH_TARGET)"),
    llvm::cl::value_desc("file"));

static llvm::cl::opt<bool> unverifiedInput(
    "berth-unverified-input",
    llvm::cl::desc("Take input that MLIR's verifiers reject; of the output "
                   "only what is new and wrong is an error"));

static llvm::cl::opt<bool> reportAll(
    "berth-report",
    llvm::cl::desc("Write a line of JSON to standard error for each function "
                   "that berth-arena plans, as its report=- does, whatever its "
                   "report= says"));

static llvm::cl::opt<std::string> explainError(
    "explain-error",
    llvm::cl::desc("Say what the message of Berth with this number means, "
                   "berth-E005 say, or `list` all of them"),
    llvm::cl::value_desc("id"));

static llvm::cl::opt<bool> printOpDescriptions(
    "print-op-descriptions",
    llvm::cl::desc("Print what Berth itself says of ops, as a description of "
                   "the form that --berth-target takes"));

// LLVM would abort, or show its stack. One line and an exit code do, and leave
// no output behind.
[[noreturn]] static void outOfMemory() {
  static const char line[] = "berth-opt: error: out of memory\n";
  (void)!write(STDERR_FILENO, line, sizeof line - 1);
  llvm::sys::RunInterruptHandlers(); // removes files
  _exit(EXIT_FAILURE);
}

/// What LLVM has no other way to tell: above all that an output is full, where
/// it would ask for a report of a crash.
[[noreturn]] static void onFatalError(void *, const char *reason, bool) {
  static const char full[] = "IO failure on output stream: ";
  llvm::StringRef text = reason;
  if (text.consume_front(full))
    llvm::errs() << "berth-opt: error: cannot write the output: " << text
                 << berthMessageNumber("cannot write") << "\n";
  else
    llvm::errs() << "berth-opt: error: " << text << "\n";
  llvm::sys::RunInterruptHandlers(); // removes files
  _exit(EXIT_FAILURE);
}

static void onBadAlloc(void *, const char *, bool) { outOfMemory(); }

// What MLIR takes for its dialects and a small module; it looks at none of the
// answers that malloc gives to its dialects.
static constexpr size_t leastMemory = size_t(64) << 20;

// Before main, as the libraries' constructors allocate too.
static void install(int, char **, char **) {
  std::set_new_handler(outOfMemory);
  llvm::install_bad_alloc_error_handler(onBadAlloc);
  llvm::install_fatal_error_handler(onFatalError);
  void *room =
      mmap(nullptr, leastMemory, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED)
    outOfMemory();
  munmap(room, leastMemory);
}
__attribute__((section(".preinit_array"),
               used)) static void (*const installFirst)(int, char **,
                                                        char **) = install;

namespace {

/// The file that the output is in until it is right: MLIR would empty the one
/// named first and remove it when a pass fails.
class Output {
public:
  explicit Output(std::string given) : name(std::move(given)) {
    target = name == "-" ? nullptr : berthReplaceTarget(name.c_str());
    int descriptor = target ? berthReplaceBegin(target, &temporary) : -1;
    if (descriptor < 0)
      return;
    berthTemporariesHeedSignals();
    // One byte that no output is: MLIR takes it away with what it writes.
    (void)!write(descriptor, "", 1);
    close(descriptor);
  }

  /// What cannot be replaced MLIR writes as it is, or says why not.
  std::string path() const { return temporary ? temporary : name; }

  int finish(bool succeeded) {
    bool isKept = temporary && succeeded && isWritten();
    if (isKept && std::rename(temporary, target) != 0) {
      llvm::errs() << "berth-opt: error: cannot write '" << name
                   << "': " << std::strerror(errno) << "\n";
      isKept = succeeded = false;
    }
    if (temporary && !isKept)
      unlink(temporary);
    return succeeded ? EXIT_SUCCESS : EXIT_FAILURE;
  }

private:
  /// Not where something else was asked for, such as the dialects' names.
  bool isWritten() const {
    auto content = llvm::MemoryBuffer::getFile(temporary);
    return content && (*content)->getBuffer() != llvm::StringRef("", 1);
  }

  std::string name;
  char *target = nullptr;
  char *temporary = nullptr;
};

/// What is written replaces nothing that is read, nor each other; but the
/// output its input, as mlir-opt has it.
bool checkFiles(const std::string &input, const std::string &output,
                const std::string &target, const berth::OptFiles &files,
                std::string &error) {
  BerthNamedFile remarks = {"--remarks-output-file",
                            berth::orNull(files.remarks), true};
  BerthNamedFile written = {"-o", berth::orNull(output), true};
  BerthNamedFile description = {"--berth-target", berth::orNull(target), false};
  BerthNamedFile dialects = {"--irdl-file", berth::orNull(files.irdl), false};
  const BerthNamedFile pairs[][2] = {
      {remarks, {"the input", berth::orNull(input), false}},
      {remarks, written},
      {remarks, description},
      {remarks, dialects},
      {written, description},
      {written, dialects}};
  BerthError clash;
  for (const BerthNamedFile(&pair)[2] : pairs)
    if (berthCheckNamedFiles(pair, 2, &clash) != BERTH_SUCCESS) {
      error = clash.message;
      return false;
    }
  return true;
}

void printVersion(llvm::raw_ostream &out) {
  out << "berth-opt " << berthVersionString() << "\n";
}

} // namespace

int main(int argc, char **argv) {
  llvm::cl::AddExtraVersionPrinter(printVersion);
  mlir::registerAllPasses();
  berth::registerPassesOnce();
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllToLLVMIRTranslations(registry); // gpu-module-to-binary's
  auto [input, output] = mlir::registerAndParseCLIOptions(
      argc, argv, "Berth: memory planning for MLIR\n", registry);
  if (explainError.getNumOccurrences() > 0 || printOpDescriptions) {
    int isUnknown =
        printOpDescriptions
            ? std::fputs(berthBuiltinText(), stdout) == EOF
            : berthMessageExplain(explainError.c_str(), stdout, stderr);
    if (std::fflush(stdout) == 0)
      return isUnknown;
    llvm::errs() << "berth-opt: error: cannot write standard output: "
                 << std::strerror(errno) << berthMessageNumber("cannot write")
                 << "\n";
    return EXIT_FAILURE;
  }
  const char *environment = std::getenv("BERTH_TARGET");
  std::string path = targetFile, error;
  if (path.empty() && environment)
    path = environment;
  berth::OptFiles files = berth::getOptFiles();
  berth::setToolFiles({input, output, files.remarks, reportAll});
  if (!checkFiles(input, output, path, files, error) ||
      (!path.empty() && !berth::registerTarget(registry, path, error))) {
    llvm::errs() << "berth-opt: error: " << error
                 << berthMessageNumber(error.c_str()) << "\n";
    return EXIT_FAILURE;
  }
  berth::noteUnknownDialects(registry);
  Output file(output);
  if (berth::optOnlyLists())
    return file.finish(
        succeeded(mlir::MlirOptMain(argc, argv, input, file.path(), registry)));
  llvm::InitLLVM signals(argc, argv);
  if (input == "-" && isatty(STDIN_FILENO))
    llvm::errs() << "berth-opt: reading standard input\n";
  return file.finish(succeeded(
      berth::optFile(input, file.path(), registry, !unverifiedInput)));
}
